"""A test rejects at alpha exactly if its interval at 1 - alpha leaves out what the test denies.

This holds of every public function with a p-value and an interval. `LAWS` has the data and options
that are drawn: those that follow from a function's parameters, unless `MORE` has others; a function
of data of another shape needs a row there. `OTHERWISE` has those whose interval is of another
method, with the reason, and `APART` options of which that is so; their sentence says whose it is.
"""

import inspect
import itertools
import typing
import warnings

import numpy as np
import pytest

import fastcompare as fc
from tests.shared.every_call import CALLS, called
from tests.shared.law_data import (
    at_horizon,
    columns,
    differences,
    in_subgroups,
    many_answers,
    many_probabilities,
    many_ratios,
    many_risks,
    many_scores,
    one_in_subgroups,
    one_probability,
    one_score,
    ratios,
    read_and_alone,
    readings,
    rounds,
    several_classes,
    shares,
    table,
    two_answers,
    two_labels,
    two_probabilities,
    two_risks,
    two_samples,
    two_scores,
    unpaired_scores,
    untied_table,
)

ALPHAS = (0.01, 0.05, 0.1, 0.2, 0.3)
SETS = 40  # of data, each with a choice of options
CLOSE = 1e-9  # p-values as near to alpha may be on either side of it
SIDES = ("two-sided", "greater", "less")
RANDOM = (("readers", "cases"), "readers", "cases")
QUICK = {"n_resamples": 199, "rng": 3, "on_undefined": "ignore"}


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

    def draw(rng):
        data = maker(rng)
        n = len(data.get("y_true", next(iter(data.values()))))
        return data | {name: np.append([0, 1], rng.integers(0, max(2, n // 2), n))[:n]}

    return draw


def weighted(maker):
    """The same data with lognormal weights."""

    def draw(rng):
        data = maker(rng)
        return data | {"sample_weight": np.exp(rng.normal(size=len(next(iter(data.values())))))}

    return draw


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
MORE = {
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
    "auc_at_pairwise_test": [
        (at_horizon(many_risks, "scores"), grid(reference=["auto", "normal"], alternative=SIDES)),
    ],
    "auc_at_test": [
        (at_horizon(two_risks, "score_a", "score_b"), claims(reference=["auto", "normal"])),
    ],
    "concordance_pairwise_test": [
        (many_risks, grid(method=["harrell", "uno"], reference=REFERENCES, alternative=SIDES)),
    ],
    "concordance_test": [
        (two_risks, claims(method=["harrell", "uno"], reference=REFERENCES)),
        (weighted(two_risks), claims()),
    ],
    "control_test": [(table, [{"control": 0}])],
    "delong_control_test": [
        (many_scores, grid(control=[0], reference=REFERENCES, alternative=SIDES)),
    ],
    "delong_interaction_test": [(in_subgroups, claims(reference=REFERENCES))],
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
    "mcnemar_pairwise_test": [(many_answers, MCNEMAR), (grouped(many_answers), ONE_SIDED)],
    "mcnemar_test": [(two_answers, MCNEMAR + claims()), (grouped(two_answers), claims())],
    "mean_pairwise_test": [
        (table, grid(method=["t", "mvt"], alternative=SIDES)),
        (grouped(table), ONE_SIDED),
    ],
    "multiclass_auc_test": [(several_classes, claims(method=["delong", *BOOTSTRAPS]))],
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
    "ratio_pairwise_test": [
        (many_ratios, grid(method=["t", "auto"], alternative=SIDES)),
        (grouped(many_ratios), ONE_SIDED),
    ],
    "ratio_test": [
        (ratios, claims(method=["t", "auto"])),
        (grouped(ratios), claims(method=["t", "auto"])),
        (weighted(ratios), claims()),
    ],
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
    "survival_brier_pairwise_test": [
        (at_horizon(many_risks, "probabilities", chances=True), ONE_SIDED),
    ],
    "survival_brier_test": [
        (at_horizon(two_risks, "probability_a", "probability_b", chances=True), claims()),
    ],
    "subgroup_auc": [(one_in_subgroups, grid())],
    "within_auc_pairwise_test": [
        (grouped(many_scores), grid(design=["random", "fixed"], alternative=SIDES)),
    ],
    "within_auc_test": [
        (grouped(two_scores), claims(design=["random", "fixed"], weights=["pairs", "equal"])),
    ],
    "ttest_5x2cv": [(rounds, claims())],
    "ttest_corrected": [(columns, claims(**ROUNDS))],
    "ttest_corrected_pairwise_test": [(table, grid(**ROUNDS, alternative=SIDES))],
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
MAKERS = {  # of data by the names of the parameters
    ("y_true", "y_score_a", "y_score_b"): two_scores,
    ("y_true", "y_score"): one_score,
    ("y_true", "scores"): many_scores,
    ("y_true", "y_pred_a", "y_pred_b"): two_labels,
    ("y_true", "predictions"): many_answers,
    ("y_true", "y_prob_a", "y_prob_b"): two_probabilities,
    ("y_true", "y_prob"): one_probability,
    ("y_true", "probabilities"): many_probabilities,
    ("scores_a", "scores_b"): columns,
    ("scores_1", "scores_2"): two_samples,
    ("scores",): table,
    ("time", "event", "risk_a", "risk_b"): two_risks,
    ("time", "event", "scores"): many_risks,
}


def has_both(name):
    """Whether results of a function have p-values and intervals, by their classes."""
    returned = typing.get_type_hints(getattr(fc, name))["return"]
    kinds = [kind for kind in typing.get_args(returned) or (returned,) if inspect.isclass(kind)]
    names = [{*dir(kind), *getattr(kind, "__dataclass_fields__", ())} for kind in kinds]
    return any({"pvalue", "confidence_interval"} <= each for each in names)


def law_of(name):
    """Data by the names of a function's parameters, and every claim that it takes."""
    maker = MAKERS.get(tuple(CALLS[name]))
    assert maker, (
        f"{name}: enter its data in MORE or MAKERS of tests/contract/test_intervals_agree.py"
    )
    options = inspect.signature(getattr(fc, name)).parameters
    one_sided = ONE_SIDED if "alternative" in options else [{}]
    return [(maker, claims() if "margin" in options else one_sided)]


LAWS = MORE | {
    name: law_of(name) for name in CALLS if has_both(name) and name not in {*MORE, *OTHERWISE}
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
