"""Data for laws over all tests: few cases, ties, rare classes; drawn by a generator."""

import numpy as np


def sizes(rng):
    """A number of cases, mostly few."""
    return int(rng.choice([2, 3, 5, 6, 8, 10, 13, 20, 40]))


def grained(rng, values):
    """Numbers as they are, or on a grid, so that they tie."""
    grain = rng.choice([0.0, 0.1, 0.5, 1.0])
    return values if grain == 0.0 else np.round(values / grain) * grain


def classes(rng, n):
    """Labels of which each class has one case and more."""
    y = (rng.random(n) < rng.choice([0.2, 0.5])).astype(int)
    y[:2] = 0, 1
    return y


def several_scores(rng, k):
    """Labels and the scores (n, k) of models, some of which are good."""
    n = sizes(rng) + 2
    y = classes(rng, n)
    shared, own = rng.normal(size=(n, 1)), rng.normal(size=(n, k))
    return y, grained(rng, shared + own + y[:, None] * rng.choice([0.0, 1.0, 2.0], k))


def two_scores(rng):
    y, scores = several_scores(rng, 2)
    return {"y_true": y, "y_score_a": scores[:, 0], "y_score_b": scores[:, 1]}


def one_score(rng):
    y, scores = several_scores(rng, 1)
    return {"y_true": y, "y_score": scores[:, 0]}


def many_scores(rng):
    y, scores = several_scores(rng, 3)
    return {"y_true": y, "scores": scores}


def unpaired_scores(rng):
    first, second = one_score(rng), one_score(rng)
    return {f"{name}_{i}": v for i, d in enumerate((first, second), 1) for name, v in d.items()}


def two_probabilities(rng):
    data = two_scores(rng)
    p = 1.0 / (1.0 + np.exp(-np.stack([data["y_score_a"], data["y_score_b"]])))
    return {"y_true": data["y_true"], "y_prob_a": p[0], "y_prob_b": p[1]}


def one_probability(rng):
    data = two_probabilities(rng)
    return {"y_true": data["y_true"], "y_prob": data["y_prob_a"]}


def many_probabilities(rng):
    y, scores = several_scores(rng, 3)
    return {"y_true": y, "probabilities": 1.0 / (1.0 + np.exp(-scores))}


def several_classes(rng):
    n = sizes(rng) + 3
    y = np.arange(n) % 3
    good = np.eye(3)[y] * rng.choice([0.0, 1.0, 3.0])
    p = [np.exp(grained(rng, good + rng.normal(size=(n, 3)))) for _ in range(2)]
    return {"y_true": y, "y_score_a": p[0], "y_score_b": p[1]}


def two_answers(rng):
    n, rates = sizes(rng) + 1, rng.choice([0.3, 0.6, 0.9, 1.0], 2)
    a, b = (rng.random((2, n)) < rates[:, None]).astype(int)
    return {"y_true": np.ones(n, int), "y_pred_a": a, "y_pred_b": b}


def two_labels(rng):
    n = sizes(rng) + 4
    y = classes(rng, n)
    a, b = (np.where(rng.random((2, n)) < 0.7, y, 1 - y)).astype(int)
    return {"y_true": y, "y_pred_a": a, "y_pred_b": b}


def many_answers(rng):
    n = sizes(rng) + 1
    right = rng.random((4, n)) < rng.choice([0.3, 0.6, 0.9], (4, 1))
    predictions = dict(zip("abcd", right.astype(int), strict=True))
    return {"y_true": np.ones(n, int), "predictions": predictions}


def shares(rng):
    n = [sizes(rng) + 1, sizes(rng) + 1]
    return {"correct": tuple(int(rng.integers(0, m + 1)) for m in n), "n": tuple(n)}


def differences(rng):
    n = sizes(rng)
    d = grained(rng, rng.normal(size=n) + rng.choice([0.0, 0.5, 1.5]))
    d[rng.random(n) < rng.choice([0.0, 0.3, 0.8])] = 0.0
    return {"scores_a": d}


def columns(rng):
    d = differences(rng)["scores_a"]
    b = grained(rng, rng.normal(size=d.size))
    return {"scores_a": b + d, "scores_b": b}


def table(rng):
    n = sizes(rng) + 1
    return {"scores": grained(rng, rng.normal(size=(n, 3)) + rng.choice([0.0, 1.0, 3.0], 3))}


def readings(rng):
    """Scores of three readers under two treatments, and the truth."""
    y, scores = several_scores(rng, 6)
    return {"data": scores.T.reshape(2, 3, -1), "truth": y}


def read_and_alone(rng):
    """Scores of readers, of an algorithm, and the truth."""
    found = readings(rng)
    return found | {"data": found["data"][:1], "standalone": found["data"][1, 0]}


def untied_table(rng):
    n = sizes(rng) + 1
    return {"scores": rng.normal(size=(n, 3)) + rng.choice([0.0, 1.0, 3.0], 3)}


def two_samples(rng):
    first, second = columns(rng), columns(rng)
    return {"scores_1": first["scores_a"], "scores_2": second["scores_a"]}


def rounds(rng):
    a, b = rng.normal(size=(2, 5, 2)) + rng.choice([0.0, 1.0])
    return {"scores_a": grained(rng, a + rng.choice([0.0, 1.0])), "scores_b": grained(rng, b)}


def times(rng, k):
    """Times, some of them censored, and the risks (n, k) of models that know something of them."""
    n = sizes(rng) + 4
    shared, own = rng.normal(size=(n, 1)), rng.normal(size=(n, k))
    time = grained(rng, rng.exponential(np.exp(-shared[:, 0]))) + 0.01
    event = (rng.random(n) < rng.choice([0.5, 0.8, 1.0])).astype(int)
    return {"time": time, "event": event}, grained(rng, shared + own)


def two_risks(rng):
    data, risks = times(rng, 2)
    return data | {"risk_a": risks[:, 0], "risk_b": risks[:, 1]}


def many_risks(rng):
    data, risks = times(rng, 3)
    return data | {"scores": risks}


def at_horizon(maker, *names, chances=False):
    """The same data at a horizon within the times, by other names, perhaps as probabilities."""

    def draw(rng):
        data = maker(rng)
        columns = [data.pop(name) for name in [*data][2:]]
        own = [1.0 / (1.0 + np.exp(-c)) if chances else c for c in columns]
        return (
            data | dict(zip(names, own, strict=True)) | {"horizon": float(np.median(data["time"]))}
        )

    return draw


def in_subgroups(rng):
    data = two_scores(rng)
    return data | {"subgroup": np.arange(len(data["y_true"])) // 2 % 2}


def one_in_subgroups(rng):
    n = 4 * sizes(rng) + 12
    scores = rng.integers(0, 5, n).astype(float)
    return {"y_true": np.arange(n) % 2, "y_score": scores, "subgroup": np.arange(n) // 2 % 3}


def many_ratios(rng):
    """Parts of unequal denominators of three models, which may share them."""
    two = ratios(rng)
    y = np.stack([two["denominators_a"], two["denominators_b"], two["denominators_b"]], axis=1)
    return {"numerators": rng.binomial(y, 0.6), "denominators": y}


def ratios(rng):
    """Parts of unequal denominators of two models, of which one may have its own."""
    n = sizes(rng) + 2
    y_a = rng.integers(1, 40, n)
    y_b = y_a if rng.random() < 0.5 else y_a + rng.integers(0, 5, n)
    x_a, x_b = (rng.binomial(y, rng.choice([0.1, 0.5, 0.9])) for y in (y_a, y_b))
    return {
        **{"numerators_a": x_a, "denominators_a": y_a},
        **{"numerators_b": x_b, "denominators_b": y_b},
    }
