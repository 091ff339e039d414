"""A test rejects at alpha exactly if its interval at 1 - alpha leaves out what the test denies.

Every public function with a p-value and an interval stands in `LAWS`, with data and options to draw
from, or in `OTHERWISE` with the reason why its interval is of another method. `APART` names options
of which that is so; their sentence says whose interval it is.
"""

import inspect
import itertools
import warnings

import numpy as np
import pytest

import fastcompare as fc
from tests.every_call import CALLS, called

ALPHAS = (0.01, 0.05, 0.1, 0.2, 0.3)
SETS = 40  # of data, each with a choice of options
CLOSE = 1e-9  # p-values as near to alpha may be on either side of it
SIDES = ("two-sided", "greater", "less")
RANDOM = (("readers", "cases"), "readers", "cases")
QUICK = {"n_resamples": 199, "rng": 3, "on_undefined": "ignore"}


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


def grid(**options):
    """All combinations of these options."""
    rows = itertools.product(*options.values())
    return [dict(zip(options, row, strict=True)) for row in rows]


def claims(**options):
    """These options with every claim, and with margins."""
    margins = grid(**options, alternative=("greater", "less", "equivalence"), margin=(0.1, 0.3))
    return grid(**options, alternative=SIDES) + margins


def grouped(maker, name="groups"):
    """The same data in clusters of unequal sizes."""

    def made(rng):
        data = maker(rng)
        n = len(data.get("y_true", next(iter(data.values()))))
        return data | {name: np.append([0, 1], rng.integers(0, max(2, n // 2), n))[:n]}

    return made


def weighted(maker):
    """The same data with lognormal weights."""

    def made(rng):
        data = maker(rng)
        return data | {"sample_weight": np.exp(rng.normal(size=len(next(iter(data.values())))))}

    return made


BOOTSTRAPS = ("percentile", "basic", "bca", "normal")
ZEROS = ("wilcox", "pratt", "zsplit")
COINS = ("auto", "exact", "midp", "asymptotic")
REFERENCES = ("auto", "normal", "t")
ROUNDS = {"n_train": [90], "n_test": [10]}
ONE_SIDED = grid(alternative=SIDES)
MCNEMAR = grid(method=COINS, alternative=SIDES) + grid(continuity=[True], alternative=SIDES)
SIGNS = grid(zeros=["drop", "split"], alternative=SIDES)
RANKS = grid(zeros=ZEROS, method=["auto", "normal"], alternative=SIDES)
LOSSES = [
    *grid(method=["t", "permutation", "bootstrap"], alternative=SIDES),
    *grid(method=["wilcoxon"], zeros=ZEROS, rule=["brier", "log"], alternative=SIDES),
]
LAWS = {
    "average_precision_test": [(two_scores, claims(method=BOOTSTRAPS))],
    "bootstrap_auc": [(many_scores, grid(method=BOOTSTRAPS, alternative=SIDES))],
    "bootstrap_auc_test": [
        (two_scores, claims(method=(*BOOTSTRAPS, "studentized", "poisson"))),
        (grouped(two_scores), claims(method=BOOTSTRAPS)),
    ],
    "bootstrap_metric_test": [
        (two_labels, claims(metric=["accuracy", "mcc", "f1"], method=BOOTSTRAPS)),
        (grouped(two_labels), claims(method=BOOTSTRAPS)),
    ],
    "cohen_kappa_test": [(two_labels, claims())],
    "conover_test": [(table, [{}])],
    "control_test": [(table, [{"control": 0}])],
    "delong_control_test": [
        (many_scores, grid(control=[0], reference=REFERENCES, alternative=SIDES)),
    ],
    "delong_pairwise_test": [
        (many_scores, grid(reference=REFERENCES, alternative=SIDES)),
        (grouped(many_scores), ONE_SIDED),
    ],
    "delong_test": [
        (two_scores, claims(reference=REFERENCES)),
        (grouped(two_scores), claims()),
        (weighted(two_scores), claims()),
    ],
    "delong_unpaired_test": [(unpaired_scores, claims(reference=["welch", "t"]))],
    "friedman_exact_pairs_test": [(untied_table, [{}])],
    "friedman_pairwise_test": [(table, [{}])],
    "mcnemar_pairwise_test": [(many_answers, MCNEMAR), (grouped(many_answers), ONE_SIDED)],
    "mcnemar_test": [(two_answers, MCNEMAR + claims()), (grouped(two_answers), claims())],
    "mean_pairwise_test": [
        (table, grid(method=["t", "mvt"], alternative=SIDES)),
        (grouped(table), ONE_SIDED),
    ],
    "multiclass_auc_test": [(several_classes, claims(method=["delong", *BOOTSTRAPS]))],
    "nemenyi_test": [(table, [{}])],
    "net_benefit_test": [(two_probabilities, grid(thresholds=[0.3, 0.5], alternative=SIDES))],
    "paired_mean_test": [
        (
            columns,
            claims(method=["t", "bootstrap"]) + grid(method=["sign-flip"], alternative=SIDES),
        ),
        (grouped(columns), claims(method=["t", "bootstrap"])),
        (weighted(columns), claims()),
    ],
    "partial_auc_test": [(two_scores, claims(standardized=[True], method=BOOTSTRAPS))],
    "permutation_auc_test": [(two_scores, grid(method=["studentized"], alternative=SIDES))],
    "roc_auc_test": [
        (one_score, grid(null=[0.5, 0.7], alternative=SIDES)),
        (grouped(one_score), grid(null=[0.5, 0.7], alternative=SIDES)),
        (weighted(one_score), grid(null=[0.5, 0.7], alternative=SIDES)),
    ],
    "scoring_pairwise_test": [
        (many_probabilities, LOSSES),
        (grouped(many_probabilities), grid(method=["t", "permutation"], alternative=SIDES)),
    ],
    "reader_study_pairwise_test": [(readings, grid(random=RANDOM, alternative=SIDES))],
    "reader_study_test": [(readings, claims(random=RANDOM))],
    "reader_study_vs_standalone": [(read_and_alone, claims(random=RANDOM))],
    "scoring_test": [
        (two_probabilities, LOSSES + claims(method=["t", "bootstrap"])),
        (grouped(two_probabilities), claims()),
        (grouped(two_probabilities), grid(method=["permutation"], alternative=SIDES)),
    ],
    "sensitivity_at_specificity_test": [
        (two_scores, claims(specificity=[0.6], method=BOOTSTRAPS)),
    ],
    "sign_pairwise_test": [(table, SIGNS)],
    "sign_test": [(columns, SIGNS), (differences, SIGNS)],
    "specificity_at_sensitivity_test": [
        (two_scores, claims(sensitivity=[0.6], method=BOOTSTRAPS)),
    ],
    "spiegelhalter_test": [(one_probability, ONE_SIDED)],
    "ttest_5x2cv": [(rounds, claims())],
    "ttest_corrected": [(columns, claims(**ROUNDS))],
    "ttest_corrected_pairwise_test": [(table, grid(**ROUNDS, alternative=SIDES))],
    "ttest_kfold": [(columns, claims())],
    "ttest_resampled": [(columns, claims())],
    "ttest_unpaired": [(two_samples, claims())],
    "two_proportions_test": [
        (two_answers, claims(variance=["pooled", "unpooled"])),
        (grouped(two_answers), claims()),
    ],
    "two_proportions_unpaired_test": [(shares, claims(variance=["pooled", "unpooled"]))],
    "wilcoxon_pairwise_test": [(table, RANKS)],
    "wilcoxon_test": [(columns, RANKS), (differences, RANKS)],
}
OTHERWISE = {
    "calibration_error": "the test draws labels that follow the probabilities; the interval is of "
    "the true error, which is 0 at least, and leaves 0 out only below half of alpha",
    "calibration_test": "one test of two parameters, and the interval of each",
    "cohen_kappa": "the test takes the variance under independence (Fleiss et al. 1969), the "
    "interval that of any agreement, and the sentence names both",
}
APART = [  # a function, its data, options, and what the sentence says of the interval
    ("mcnemar_test", two_answers, {"interval": "newcombe"}, "by Newcombe's method"),
    ("mcnemar_test", two_answers, {"method": "exact", "interval": "tango"}, "by Tango's score"),
    ("roc_auc_test", one_score, {"method": "exact"}, "by the score test"),
    ("roc_auc_test", one_score, {"method": "asymptotic"}, "by the score test"),
    ("two_proportions_unpaired_test", shares, {"method": "boschloo"}, "by the score test"),
    ("cohen_kappa", two_labels, {}, "with the variance under independence"),
]


def options_for(name):
    """Options that make a function quick and quiet."""
    known = inspect.signature(getattr(fc, name)).parameters
    return {key: value for key, value in QUICK.items() if key in known}


def slack(result, options, alpha):
    """How far from alpha a p-value must be: drawn signs of two sides err each by itself."""
    flips = options.get("method") in ("permutation", "sign-flip") and side_of(options) == SIDES[0]
    drawn = np.max(getattr(result, "n_resamples", 0)) if flips else 0
    return 5.0 * np.sqrt(alpha / drawn) if drawn else CLOSE


def side_of(options):
    return options.get("alternative", "two-sided")


def disagreements(result, options):
    """Levels and numbers where a p-value and an interval do not say the same."""
    pvalue = np.atleast_1d(result.pvalue)
    side, margin, null = side_of(options), options.get("margin", 0.0), options.get("null", 0.0)
    for alpha in ALPHAS:
        low, high = (np.atleast_1d(end) for end in result.confidence_interval(1.0 - alpha))
        if side == "equivalence":
            rejects = (low > -margin) & (high < margin)
        elif margin:
            rejects = low > -margin if side == "greater" else high < margin
        else:
            rejects = (low > null) | (high < null)
        unknown = np.isnan(low) | np.isnan(high)
        sure = np.abs(pvalue - alpha) > slack(result, options, alpha)
        wrong = (unknown | ((pvalue < alpha) != rejects)) & sure & ~np.isnan(pvalue)
        wrong &= np.atleast_1d(result.status) != "no_interval"
        for at in np.flatnonzero(wrong):
            yield alpha, float(pvalue[at]), float(low[at]), float(high[at])


@pytest.mark.slow
@pytest.mark.parametrize("name", LAWS)
def test_an_interval_leaves_out_exactly_what_its_test_rejects(name):
    rng = np.random.default_rng(len(name))
    for maker, choices in LAWS[name]:
        for _ in range(SETS):
            options, data = choices[rng.integers(len(choices))], maker(rng)
            result = quietly(name, data, options)
            found = list(disagreements(result, options))
            assert not found, (options, found[0], data)


@pytest.mark.parametrize(("name", "maker", "options", "said"), APART)
def test_a_sentence_says_whose_interval_it_is_where_it_is_not_the_tests(name, maker, options, said):
    rng = np.random.default_rng(0)
    assert all(said in quietly(name, maker(rng), options).summary() for _ in range(5))


@pytest.mark.slow
def test_every_function_with_a_p_value_and_an_interval_is_held_to_that():
    both = {
        name
        for name in CALLS
        if hasattr(found := called(name), "pvalue") and hasattr(found, "confidence_interval")
    }
    assert both == set(LAWS) | set(OTHERWISE)
    assert not set(LAWS) & set(OTHERWISE)


def quietly(name, data, options):
    """What a function returns, without warnings."""
    with warnings.catch_warnings(action="ignore"):
        return getattr(fc, name)(**data, **options, **options_for(name))
