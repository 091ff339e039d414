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
from ..timing import Row, interleaved, ratio
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
    _, scores = scored_cases(100)
    few = np.zeros(100, np.int64)
    few[np.argsort(-scores[0])[::4][:20]] = 1
    value = ratio(partial(fc.delong_test, few, *scores), partial(argsorts, few, *scores))
    yield Row("delong_test, n = 100, 20 positives: two argsorts", 2.3, value)
    case = scored_cases(200)
    call = partial(fc.delong_test, case[0], *case[1])
    yield Row("delong_test, n = 200, in a loop", 4.0, microseconds(call), "µs")
    yield Row("print of delong_test, calls of Python", 700.0, calls_of_print(call()), "calls")


def many_models_rows():
    y, table = table_of_models(1000, 20)
    control = partial(fc.delong_control_test, y, table, 0)
    yield Row("delong_control_test, n = 1000, k = 20", 1.0, microseconds(control) / 1e3, "ms")
    many, some = (
        partial(fc.bootstrap_auc, *table_of_models(1000, k), n_resamples=500, rng=0)
        for k in (50, 10)
    )
    yield Row("bootstrap_auc, n = 1000, k = 50: k = 10", 6.0, ratio(many, some, seconds=2.0))

    n = 10**4
    y, table = table_of_models(n, 50)
    rng = np.random.default_rng(0)
    groups = rng.integers(0, n // 10, n)
    for name, limit, options in (
        ("weights", 6.0, {"sample_weight": rng.random(n)}),
        ("groups", 4.0, {"groups": groups}),
    ):
        call = partial(fc.delong_pairwise_test, y, table, **options)
        value = ratio(call, partial(np.argsort, np.ascontiguousarray(table.T), axis=1), rounds=3)
        yield Row(f"delong_pairwise_test, n = 10^4, k = 50, {name}: argsorts", limit, value)
    pairs = [
        partial(fc.delong_pairwise_test, y, np.ascontiguousarray(table[:, :k]), groups=groups)
        for k in (20, 10)
    ]
    yield Row("delong_pairwise_test, n = 10^4, groups, k = 20: k = 10", 3.0, ratio(*pairs))


def loss_rows():
    y, p, q = forecasts(10**6)

    def by_hand():
        a, b = (-np.where(y == 1, np.log(x), np.log1p(-x)) for x in (p, q))
        stats.ttest_rel(a, b)

    value = ratio(partial(fc.scoring_test, y, p, q, rule="log"), by_hand, seconds=2.0)
    yield Row("scoring_test, log loss, n = 10^6: NumPy's losses and SciPy's t", 0.8, value)
    for bins, limit in (("quantile", 8.0), ("uniform", 3.0)):
        call = partial(fc.calibration_error, y, p, bins=bins)
        value = ratio(call, lambda: ((p - y) ** 2).mean(), seconds=2.0)
        yield Row(f"calibration_error, {bins} bins, n = 10^6: one NumPy pass", limit, value)
    for n, limit in ((1000, 2.0), (10**6, 1.0)):
        y, p, _ = forecasts(n)
        value = ratio(partial(fc.net_benefit, y, p, 0.2), partial(treated, y, p))
        yield Row(f"net_benefit, n = {n}: its counts in NumPy", limit, value)


def fixed_rows():
    """Yield rows for tests of few cases, which Python's own steps take."""
    y, a, b = predicted_labels(1000)
    for measure in (fc.disagreement, fc.double_fault):
        value = ratio(partial(measure, y, a, b), partial(counts_in_numpy, y, a, b))
        yield Row(f"{measure.__name__}, n = 1000: the four counts in NumPy", 1.5, value)
    y, p, _ = forecasts(1000)
    value = ratio(partial(fc.spiegelhalter_test, y, p), partial(spiegelhalters_sums, y, p))
    yield Row("spiegelhalter_test, n = 1000: its sums in NumPy", 1.5, value)
    y, p, q = forecasts(100)
    for rule in ("brier", "log"):
        value = microseconds(partial(fc.scoring_test, y, p, q, rule=rule))
        yield Row(f"scoring_test, {rule}, n = 100", MICROSECONDS, value, "µs")
    value = microseconds(partial(fc.wilcoxon_test, p, q))
    yield Row("wilcoxon_test, n = 100", MICROSECONDS, value, "µs")


def paired_rows():
    table = np.random.default_rng(0).normal(size=(10**5, 5))

    def count_signs():
        for a, b in combinations(table.T, 2):
            (a > b).sum(), (a < b).sum()

    value = ratio(partial(fc.sign_pairwise_test, table), count_signs)
    yield Row("sign_pairwise_test, 10^5 × 5: NumPy's counts", 2.0, value)
    a, b = fold_scores(10**5).T.copy()
    peer = partial(stats.ttest_rel, a, b)
    for test in (fc.ttest_resampled, fc.ttest_kfold):
        yield Row(f"{test.__name__}, 10^5 rounds: SciPy's", 1.0, ratio(partial(test, a, b), peer))

    p = np.random.default_rng(0).random(10**5) ** 2

    def first_family():
        critical_values.cache_clear()
        fc.adjust_pvalues(p, method="rom")

    value = microseconds(first_family) / 1e6
    yield Row("adjust_pvalues, rom, m = 10^5, the first family", 1.0, value, "s")


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
