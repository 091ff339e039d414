"""Problems for benchmarks, the same in every run: 30% positives, scores of several kinds."""

from functools import partial

import numpy as np

import fastcompare as fc

POSITIVES = 0.3


def probabilities(latent):
    """Return the logistic function of the scores."""
    return 1.0 / (1.0 + np.exp(-latent))


def organ_pipe(latent):
    """Return the scores in rising, then in falling order."""
    ordered = np.sort(latent)
    return np.concatenate([ordered[::2], ordered[1::2][::-1]])


def beside_an_outlier(latent):
    """Return nearly equal scores, and one that is far from them."""
    clustered = 1.0 + 1e-12 * latent
    clustered[0] = 1e3
    return clustered


def two_clusters(latent):
    """Return the scores of each case in one of two small clusters that are far apart."""
    return np.where(np.arange(latent.size) % 2, 1e10, 1.0) * (1.0 + 1e-12 * probabilities(latent))


KINDS = {
    "normal": lambda latent: latent,
    "probabilities": probabilities,
    "5 decimals": lambda latent: probabilities(latent).round(5),
    "100 values": lambda latent: np.floor(100.0 * probabilities(latent)) / 100.0,
    "sorted": np.sort,
    "reversed": lambda latent: np.sort(latent)[::-1].copy(),
    "organ pipe": organ_pipe,
    "cluster beside an outlier": beside_an_outlier,
    "two clusters": two_clusters,
    "rounded, with noise": lambda latent: latent.round(2) * (1.0 + 1e-15 * probabilities(latent)),
    "subnormal": lambda latent: probabilities(latent) * 2.0**-1030,
    "float32": lambda latent: latent.astype(np.float32).astype(np.float64),
}


def scored_cases(n, kind="normal", k=2, seed=0):
    """Return labels (n,) and scores (k, n) of k models of rising quality.

    The labels are int64, as scikit-learn's data sets have them: their conversion is timed too.
    """
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(n) < round(POSITIVES * n)).astype(np.int64)
    quality = 1.0 + 0.1 * np.arange(k) / k
    scores = np.empty((k, n))
    for row, gain in zip(scores, quality, strict=True):
        row[:] = KINDS[kind](gain * labels + rng.standard_normal(n))
    return labels, scores


def batch_cases(problems, n, seed=0):
    """Return the labels (n,) that all problems share, and scores (2, problems, n)."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(n) < round(POSITIVES * n)).astype(np.int64)
    return labels, labels + rng.standard_normal((2, problems, n))


def correct_table(k, n, seed=0):
    """Return (k, n), 1 where a model is right, of models that are right in 60 to 95% of cases."""
    rng = np.random.default_rng(seed)
    share = rng.uniform(0.6, 0.95, k)
    return np.array([rng.random(n, dtype=np.float32) < p for p in share], dtype=np.uint8)


def predicted_labels(n, seed=0):
    """Return labels (n,) and those that two models predict, right in about 90% of cases."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    return labels, *(np.where(rng.random(n) < 0.9, labels, 1 - labels) for _ in range(2))


def predicted_classes(n, k, seed=0):
    """Return labels (n,) of k classes and those that two models predict, right in most cases."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, k, n)
    guesses = rng.integers(0, k, (2, n))
    return labels, *(np.where(rng.random(n) < 0.8, labels, guess) for guess in guesses)


def answer_table(n, k, seed=0):
    """Return labels (n,) and those that k models predict (n, k), right in 70 to 90% of cases."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    right = rng.random((n, k)) < np.linspace(0.7, 0.9, k)
    return labels, np.where(right, labels[:, None], 1 - labels[:, None])


def words_of(columns):
    """Return columns of 0 and 1 as strings, which are objects."""
    words = np.array(["cat", "dog"], dtype=object)
    return [words[labels] for labels in columns]


def counts_in_numpy(y, a, b):
    """Return the counts of McNemar's table as one writes them down: the unit of its test."""
    return [(one & other).sum() for one in (y == a, y != a) for other in (y == b, y != b)]


def forecasts(n, seed=0):
    """Return labels (n,) and two models' probabilities, which have unequal losses everywhere."""
    labels, scores = scored_cases(n, "probabilities", seed=seed)
    return labels, *scores


def times_to_event(n, seed=0):
    """Return times of which some 45% are censored, events, and the scores of two models."""
    rng = np.random.default_rng(seed)
    known = rng.normal(size=n)
    death, left = rng.exponential(np.exp(-known)), rng.exponential(1.0, n)
    scores = known + rng.normal(size=(2, n))
    return np.minimum(death, left), (death <= left).astype(np.uint8), *scores


def fold_scores(rounds, k=2, seed=0):
    """Return accuracies (rounds, k) of k models in the same rounds."""
    rng = np.random.default_rng(seed)
    shared = 0.8 + 0.03 * rng.standard_normal((rounds, 1))
    return shared + np.linspace(0.02, 0.0, k) + 0.02 * rng.standard_normal((rounds, k))


def data_set_scores(n, k, seed=0):
    """Return the scores (n, k) of k models of rising quality on n data sets, without ties."""
    rng = np.random.default_rng(seed)
    return rng.normal(np.arange(k) / k, 1.0, (n, k))


def battles(n, k, seed=0):
    """Return the names of both models of n battles of k models, and the outcomes."""
    rng = np.random.default_rng(seed)
    strengths = rng.normal(size=k)
    i = rng.integers(k, size=n)
    j = (i + rng.integers(1, k, size=n)) % k
    half = 0.5 * (strengths[i] - strengths[j])
    won, lost = np.exp(half), np.exp(-half)
    u = rng.random(n) * (won + lost + 0.5)
    names = np.array([f"model-{number:03d}-instruct" for number in range(k)])
    return names[i], names[j], np.where(u < won, "a", np.where(u < won + lost, "b", "tie"))


def item_scores(n, seed=0):
    """Return two models' scores (n,) of items in clusters of ten, and the clusters."""
    rng = np.random.default_rng(seed)
    groups = np.arange(n) // 10
    shared = rng.normal(size=groups[-1] + 1)[groups]
    a, b = 0.5 * shared + rng.normal(size=(2, n))
    return a, b, groups


def advice_cases(kind, k, n=1000):
    """Return `compare` of n cases or items and k models, and the tests that it runs, as calls."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % 2
    models = [f"model {j + 1}" for j in range(k)]
    scores = {name: rng.normal(size=n) + (0.5 + 0.2 * j) * y for j, name in enumerate(models)}
    labels = {name: (column > 0.5).astype(int) for name, column in scores.items()}
    odds = {name: 1.0 / (1.0 + np.exp(-column)) for name, column in scores.items()}
    given = {"scores": scores, "labels": labels, "probabilities": odds, "items": odds}[kind]
    if kind == "items":
        tests = [fc.paired_mean_test] if k == 2 else [fc.mean_omnibus_test, fc.mean_pairwise_test]
        data = (given,)
    else:
        two, several = CASE_TESTS[kind]
        tests, data = [two] if k == 2 else several, (y, given)
    compared = partial(fc.compare, *data, kind=kind, gate=False)
    return compared, lambda: [test(*data) for test in tests]


def brier_omnibus(y, given):
    """Return the test of all mean Brier scores together."""
    return fc.mean_omnibus_test({name: (column - y) ** 2 for name, column in given.items()})


CASE_TESTS = {
    "scores": (fc.delong_test, [fc.delong_omnibus_test, fc.delong_pairwise_test]),
    "labels": (fc.mcnemar_test, [fc.cochran_q_test, fc.mcnemar_pairwise_test]),
    "probabilities": (fc.scoring_test, [brier_omnibus, fc.scoring_pairwise_test]),
}
