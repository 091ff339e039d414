"""What may take no longer than its peers off the main path, for `benchmarks.limits`."""

import contextlib
import cProfile
import io
import pstats
import warnings
from functools import partial
from itertools import combinations

import numpy as np
from scipy import stats

import fastcompare as fc
from fastcompare._inference.corrections.ordered import critical_values

from ..cases import fold_scores, forecasts, predicted_labels, scored_cases
from ..contenders.baselines import argsorts
from ..timing import Row, interleaved, ratio_row
from .answers import counts_in_numpy

MICROSECONDS = 60.0  # of a test of 100 cases


def side_rows(quick):
    """Yield a row for each path."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of small samples, and of many rounds
        yield from auc_rows()
        yield from many_models_rows()
        yield from loss_rows()
        yield from fixed_rows()
        yield from paired_rows()


def auc_rows():
    yield ratio_row("delong_test, n = 100, 20 positives: two argsorts", 2.3, few_positives)
    yield Row("delong_test, n = 200, in a loop", 4.0, lambda: microseconds(small_test()), "µs")
    name = "print of delong_test, calls of Python"
    yield Row(name, 700.0, lambda: calls_of_print(small_test()()), "calls")


def few_positives():
    """Return the test of 20 positives and 80 negatives, and two argsorts."""
    _, scores = scored_cases(100)
    few = np.zeros(100, np.int64)
    few[np.argsort(-scores[0])[::4][:20]] = 1
    return partial(fc.delong_test, few, *scores), partial(argsorts, few, *scores)


def small_test():
    """Return a test of 200 cases."""
    labels, scores = scored_cases(200)
    return partial(fc.delong_test, labels, *scores)


def many_models_rows():
    yield Row("delong_control_test, n = 1000, k = 20", 1.0, control_milliseconds, "ms")
    yield ratio_row("bootstrap_auc, n = 1000, k = 50: k = 10", 6.0, bootstraps, seconds=2.0)
    for design, limit in (("weights", 6.0), ("groups", 4.0)):
        name = f"delong_pairwise_test, n = 10^4, k = 50, {design}: argsorts"
        yield ratio_row(name, limit, partial(pairs_and_sorts, design), rounds=3)
    name = "delong_pairwise_test, n = 10^4, groups, k = 20: k = 10"
    yield ratio_row(name, 3.0, many_and_few_models)


def control_milliseconds():
    """Return the milliseconds of the tests against one of 20 models."""
    return microseconds(partial(fc.delong_control_test, *table_of_models(1000, 20), 0)) / 1e3


def bootstraps():
    """Return bootstraps of 50 and of 10 models."""
    return [
        partial(fc.bootstrap_auc, *table_of_models(1000, k), n_resamples=500, rng=0)
        for k in (50, 10)
    ]


def designs(n=10**4):
    """Return the options of weighted and of clustered cases."""
    rng = np.random.default_rng(0)
    groups = rng.integers(0, n // 10, n)
    return {"weights": {"sample_weight": rng.random(n)}, "groups": {"groups": groups}}


def pairs_and_sorts(design):
    """Return the tests of all pairs of 50 models, and their sorts."""
    y, table = table_of_models(10**4, 50)
    call = partial(fc.delong_pairwise_test, y, table, **designs()[design])
    return call, partial(np.argsort, np.ascontiguousarray(table.T), axis=1)


def many_and_few_models():
    """Return the tests of all pairs of 20 and of 10 models, whose cases are clustered."""
    groups = designs()["groups"]
    return [
        partial(fc.delong_pairwise_test, *table_of_models(10**4, k), **groups) for k in (20, 10)
    ]


def loss_rows():
    name = "scoring_test, log loss, n = 10^6: NumPy's losses and SciPy's t"
    yield ratio_row(name, 0.8, log_losses, seconds=2.0)
    for bins, limit in (("quantile", 8.0), ("uniform", 3.0)):
        name = f"calibration_error, {bins} bins, n = 10^6: one NumPy pass"
        yield ratio_row(name, limit, partial(error_and_pass, bins), seconds=2.0)
    for n, limit in ((1000, 2.0), (10**6, 1.0)):
        name = f"net_benefit, n = {n}: its counts in NumPy"
        yield ratio_row(name, limit, partial(benefit_and_counts, n))


def log_losses():
    """Return the test of log losses, and theirs in NumPy with SciPy's test."""
    y, p, q = forecasts(10**6)

    def by_hand():
        a, b = (-np.where(y == 1, np.log(x), np.log1p(-x)) for x in (p, q))
        stats.ttest_rel(a, b)

    return partial(fc.scoring_test, y, p, q, rule="log"), by_hand


def error_and_pass(bins):
    """Return the calibration error by such bins, and one pass of NumPy."""
    y, p, _ = forecasts(10**6)
    return partial(fc.calibration_error, y, p, bins=bins), lambda: ((p - y) ** 2).mean()


def benefit_and_counts(n):
    """Return the net benefit at one threshold, and its counts in NumPy."""
    y, p, _ = forecasts(n)
    return partial(fc.net_benefit, y, p, 0.2), partial(treated, y, p)


def fixed_rows():
    """Yield rows for tests of few cases, which Python's own steps take."""
    for measure in (fc.disagreement, fc.double_fault):
        name = f"{measure.__name__}, n = 1000: the four counts in NumPy"
        yield ratio_row(name, 1.5, partial(measure_and_counts, measure))
    name = "spiegelhalter_test, n = 1000: its sums in NumPy"
    yield ratio_row(name, 1.5, spiegelhalter_and_sums)
    for rule in ("brier", "log"):
        scoring = partial(microseconds_of, partial(fc.scoring_test, rule=rule))
        yield Row(f"scoring_test, {rule}, n = 100", MICROSECONDS, scoring, "µs")
    wilcoxon = partial(microseconds_of, lambda y, p, q: fc.wilcoxon_test(p, q))
    yield Row("wilcoxon_test, n = 100", MICROSECONDS, wilcoxon, "µs")


def measure_and_counts(measure):
    """Return a measure of two models' answers, and the counts that it needs."""
    case = predicted_labels(1000)
    return partial(measure, *case), partial(counts_in_numpy, *case)


def spiegelhalter_and_sums():
    """Return the test, and its sums."""
    y, p, _ = forecasts(1000)
    return partial(fc.spiegelhalter_test, y, p), partial(spiegelhalters_sums, y, p)


def microseconds_of(test):
    """Return the microseconds of a test of 100 cases."""
    return microseconds(partial(test, *forecasts(100)))


def paired_rows():
    name = "sign_pairwise_test, 10^5 × 5: NumPy's counts"
    yield ratio_row(name, 2.0, signs_and_counts)
    for test in (fc.ttest_resampled, fc.ttest_kfold):
        name = f"{test.__name__}, 10^5 rounds: SciPy's"
        yield ratio_row(name, 1.0, partial(round_tests, test))
    yield Row("adjust_pvalues, rom, m = 10^5, the first family", 1.0, first_family_seconds, "s")


def signs_and_counts():
    """Return the sign tests of all pairs of five models, and NumPy's counts."""
    table = np.random.default_rng(0).normal(size=(10**5, 5))

    def count_signs():
        for a, b in combinations(table.T, 2):
            (a > b).sum(), (a < b).sum()

    return partial(fc.sign_pairwise_test, table), count_signs


def round_tests(test):
    """Return a test of many rounds, and SciPy's."""
    a, b = fold_scores(10**5).T.copy()
    return partial(test, a, b), partial(stats.ttest_rel, a, b)


def first_family_seconds():
    """Return the seconds of a correction whose critical values are not known."""
    p = np.random.default_rng(0).random(10**5) ** 2

    def first_family():
        critical_values.cache_clear()
        fc.adjust_pvalues(p, method="rom")

    return microseconds(first_family) / 1e6


def microseconds(call):
    """Return the median of how long a call takes."""
    return 1e6 * float(np.median(interleaved([call])))


def table_of_models(n, k):
    """Return labels and a table (n, k) of scores."""
    labels, scores = scored_cases(n, k=k)
    return labels, np.ascontiguousarray(scores.T)


def treated(y, p):
    """Return how many positives and negatives are treated."""
    reaches = p >= 0.2
    return (reaches & (y == 1)).sum(), (reaches & (y == 0)).sum()


def spiegelhalters_sums(y, p):
    """Return the sums of Spiegelhalter's z as one writes them down."""
    tilt = 1.0 - 2.0 * p
    return ((y - p) * tilt).sum(), (tilt * tilt * p * (1.0 - p)).sum()


def calls_of_print(result):
    """Return how many calls of functions it takes to print a result for the second time."""
    str(result)
    profile = cProfile.Profile()
    with contextlib.redirect_stdout(io.StringIO()):
        profile.enable()
        print(result)
        profile.disable()
    return float(pstats.Stats(profile).total_calls)
