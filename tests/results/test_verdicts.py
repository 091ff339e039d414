"""The direction of a verdict is that of the estimate that is tested, and of its interval.

Verdicts are read from the sentences that people read, for all results that have one; the data are
those on which tests and intervals agree (`tests/contract/test_intervals_agree.py`), and skewed
ones, on which means, medians and ranks disagree.
"""

import inspect
import re

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._results.pairs import PairsResult
from fastcompare._results.presentation import replace_fields
from fastcompare._results.records import OmnibusResult
from fastcompare._results.two_models import TwoModels
from tests.contract.test_intervals_agree import LAWS, OTHERWISE, quietly
from tests.shared.every_call import CALLS, called, kinds_of_results
from tests.shared.law_data import two_labels, two_risks

SETS = 25  # of data per function and maker
ALPHA = 0.3  # so that many are significant
DIRECTED = re.compile(r"(.+?) has a significantly (higher|lower) (.+?) than (.+?)(?:\.| at the )")


def verdict_of(result):
    """1 if the verdict says that the first model's number is higher, -1 if lower, else 0."""
    told = replace_fields(result, {"alpha": ALPHA}).summary(name_a="Ann", name_b="Bob")
    said = DIRECTED.match(told)
    if said is None:
        return 0, told
    subject, more, _, other = said.groups()
    assert {subject[-3:], other[-3:]} == {"Ann", "Bob"}, told
    return (1 if subject.endswith("Ann") == (more == "higher") else -1), told


def check_direction(name, data, options):
    """Raise unless a verdict on two models has the direction of what was tested."""
    result = quietly(name, data, options)
    way, told = verdict_of(result)
    if way == 0:
        return False
    claim = options.get("alternative", "two-sided")
    assert claim == "two-sided" or way == {"greater": 1, "less": -1}[claim], told
    assert result.estimate * way > 0.0, told
    if claim == "two-sided":  # the test itself takes that side
        sides = [
            quietly(name, data, options | {"alternative": side}) for side in ("greater", "less")
        ]
        assert (sides[0].pvalue - sides[1].pvalue) * way < 0.0, told
    known = result.status == "ok" and name in LAWS
    if known and (name, options.get("method")) not in BOUNDED:
        low, high = result.confidence_interval(1.0 - ALPHA)
        assert (low if way > 0 else -high) > -1e-9 or result.pvalue > ALPHA - 1e-9, told
    means = re.search(r"a difference of (-?[\d.]+)(, in the other direction)?", told)
    if means is not None and float(means[1]) != 0.0:
        assert (float(means[1]) * way < 0.0) == bool(means[2]), told
    return True


BOUNDED = {("mcnemar_test", "exact"), ("mcnemar_test", "midp")}
SIDES = [{}, {"alternative": "greater"}, {"alternative": "less"}]
DATA = LAWS | {  # and tests without an interval
    "permutation_metric_test": [(two_labels, SIDES)] * 4,
    "permutation_survival_test": [(two_risks, SIDES)],
}
TWO = [
    name
    for name in DATA
    if any(
        issubclass(kind, TwoModels)
        and not issubclass(kind, (OmnibusResult, fc.results.SpiegelhalterResult))  # no direction
        for kind in kinds_of_results(name)
    )
]
PAIRS = [
    name for name in CALLS if any(issubclass(kind, PairsResult) for kind in kinds_of_results(name))
]


def without_margin(options):
    return {key: value for key, value in options.items() if key != "margin"} | (
        {"alternative": "two-sided"} if options.get("alternative") == "equivalence" else {}
    )


@pytest.mark.parametrize("name", TWO)
@pytest.mark.usefixtures("requires_jit")
def test_a_verdict_has_the_direction_of_the_estimate_the_test_and_the_interval(name):
    rng = np.random.default_rng(len(name))
    found = 0
    for maker, choices in DATA[name]:
        for _ in range(SETS):
            options = without_margin(choices[rng.integers(len(choices))])
            found += check_direction(name, maker(rng), options)
    assert found


def skewed(rng, n=40):
    """Scores of two models: the first is mostly better by a little, and at times far worse."""
    d = rng.exponential(0.1, n) + 0.05
    d[: rng.integers(2, 5)] = -8.0
    base = rng.normal(size=n)
    return base + d, base


def skewed_probabilities(rng, n=60):
    y = np.arange(n) % 2
    p, q = np.where(y, 0.8, 0.2) + rng.uniform(-0.05, 0.05, n), np.where(y, 0.7, 0.3)
    p[:4] = np.where(y[:4], 0.001, 0.999)
    return y, p, q


@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("rule", ["brier", "log"])
def test_a_verdict_by_ranks_is_not_that_of_means(rule, side):
    y, p, q = skewed_probabilities(np.random.default_rng(0))
    data = {"y_true": y, "y_prob_a": p, "y_prob_b": q}
    options = {"rule": rule, "method": "wilcoxon", "alternative": side}
    assert check_direction("scoring_test", data, options) == (side != "greater")
    told = fc.scoring_test(**data, **options).summary()
    assert "in the other direction" in told
    assert "of a typical case" in told


@pytest.mark.parametrize("name", ["wilcoxon_test", "sign_test"])
def test_a_verdict_on_skewed_differences_is_that_of_the_median(name):
    a, b = skewed(np.random.default_rng(1))
    assert a.mean() < b.mean()
    assert check_direction(name, {"scores_a": a, "scores_b": b}, {})


FIVE_BY_TWO = [[0.05, 0.0], [-0.02, -0.01], [-0.01, 0.01], [-0.01, 0.01], [-0.02, -0.01]]


@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_ttest_5x2cv_gives_the_verdict_of_the_first_difference(side):
    data = {"scores_a": 0.8 + np.array(FIVE_BY_TWO), "scores_b": np.full((5, 2), 0.8)}
    check_direction("ttest_5x2cv", data, {"alternative": side})
    told = fc.ttest_5x2cv(**data, alternative=side).summary()
    assert "but the mean of all ten is -0.001" in told
    assert told.startswith("The second") is False
    assert np.mean(FIVE_BY_TWO) < 0.0 < fc.ttest_5x2cv(**data).confidence_interval().low


def test_ftest_5x2cv_makes_no_claim_about_the_sign_of_a_mean_of_0():
    a = [[0.90, 0.88], [0.86, 0.84], [0.80, 0.82], [0.74, 0.76], [0.72, 0.68]]
    result = fc.ftest_5x2cv(a, [[0.8] * 2] * 5)
    assert result.mean_difference == 0.0
    assert "with mean 0 (" in result.summary()
    assert "mean score" not in result.summary()
    assert "from -0.12 to 0.1," in result.summary()


def claims_of(result):
    """The pairs (better, worse) that the sentence of a result names."""
    told = replace_fields(result, {"alpha": ALPHA})._summary().partition(": ")[2]
    for part in re.split(r"; ", told):
        said = re.match(rf"(\w+) {re.escape(result.claim)} (.+)", part)
        for other in re.findall(r"(?:^|, | and )(\w+) by ", said[2] if said else ""):
            yield said[1], other


def favoured(result):
    """The pairs (better, worse) by what is tested."""
    for (first, second), estimate in zip(result.pairs, result.estimate, strict=True):
        if estimate:
            yield (first, second) if (estimate > 0) == result.higher_is_better else (second, first)


def tables(name, rng):
    """Data of a function of pairs: drawn by its law, and skewed ones."""
    for maker, choices in LAWS.get(name, [(lambda _: CALLS[name], [{}])]):
        for _ in range(SETS):
            yield maker(rng), choices[rng.integers(len(choices))]
    a, b = skewed(rng)
    if "scores" in CALLS[name] and "y_true" not in CALLS[name] and "time" not in CALLS[name]:
        yield {"scores": {"a": a, "b": b, "c": b - 0.1 * (a - b)}}, extra(name)
    if name == "scoring_pairwise_test":
        y, p, q = skewed_probabilities(rng)
        data = {"y_true": y, "probabilities": {"p": p, "q": q, "r": np.where(y, 0.6, 0.4)}}
        yield data, {"method": "wilcoxon", "rule": "log"}


def plainly_named(result):
    """A result whose models are called a, b, c."""
    letters = dict(zip(result.names, "abcdefgh", strict=False))
    pairs = tuple((letters[first], letters[second]) for first, second in result.pairs)
    return replace_fields(result, {"names": tuple(letters.values()), "pairs": pairs})


def extra(name):
    known = inspect.signature(getattr(fc, name)).parameters
    return {
        k: v for k, v in CALLS[name].items() if k in known and k not in ("scores", "control")
    } | ({"control": "a"} if "control" in known else {})


@pytest.mark.parametrize("name", PAIRS)
def test_a_sentence_on_pairs_calls_better_what_the_test_favours(name):
    rng = np.random.default_rng(len(name))
    found = 0
    for data, options in tables(name, rng):
        result = quietly(name, data, options)
        result = plainly_named(result)
        said = set(claims_of(result))
        found += len(said)
        assert said <= set(favoured(result)), (options, result.summary())
    assert found


@pytest.mark.usefixtures("requires_jit")
def test_every_result_with_a_verdict_is_under_one_of_these_laws():
    directed = {
        name
        for name in CALLS
        if isinstance(found := called(name), TwoModels)
        and not isinstance(found, OmnibusResult)
        and found._quantity
    }
    assert directed <= set(TWO) | set(OTHERWISE)


@pytest.mark.parametrize(
    ("alternative", "margin"),
    [("two-sided", 0.0), ("less", 0.0), ("less", 0.05), ("greater", 0.05), ("equivalence", 0.05)],
)
def test_the_verdict_on_readers_has_a_subject_in_the_singular(alternative, margin):
    result = called("reader_study_vs_standalone", alternative=alternative, margin=margin)
    verdict = result._verdict()
    assert "the average reader" in verdict.lower()
    assert not re.search(r"\breaders\b", verdict)
    assert "Bob" in result.summary(name_b="Bob")


def test_the_claim_of_pairs_is_of_their_direction():
    losses = {"metric": "loss", "data": np.arange(96.0).reshape(3, 4, 8) % 7, "truth": None}
    for name, options in (
        *((name, {}) for name in CALLS if name.endswith("pairwise_test")),
        ("reader_study_pairwise_test", losses),
    ):
        result = called(name, **options)
        more = [word for word in ("higher", "lower") if word in result.claim]
        assert more in ([], ["higher" if result.higher_is_better else "lower"]), name
    assert result.claim == "is better (lower) than"
