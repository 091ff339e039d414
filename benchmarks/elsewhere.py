"""The same tests in SciPy, statsmodels and scikit-learn, for the table of docs/evidence/speed.md.

Both sides get the same arrays; that their numbers agree is what the tests show. Concordances of
other programs take part where these are installed: scikit-survival, lifelines, fast-cindex, and R
with survival, whose clock starts when it has read the cases.
"""

import shutil
import subprocess
import warnings
from functools import partial
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

import fastcompare as fc

from .cases import (
    answer_table,
    batch_cases,
    data_set_scores,
    fold_scores,
    forecasts,
    item_scores,
    predicted_labels,
    scored_cases,
    times_to_event,
)
from .contenders.compare_c import compare_c
from .timing import shortest


def tasks():
    """Yield what is computed, our function and call, and the other's name and call."""
    from scipy import stats
    from sklearn import metrics
    from statsmodels.stats import contingency_tables, multitest

    labels, scores = scored_cases(10**5)
    yield (
        "AUC of 100,000 cases",
        "`roc_auc`",
        partial(fc.roc_auc, labels, scores[0]),
        "scikit-learn, `roc_auc_score`",
        partial(metrics.roc_auc_score, labels, scores[0]),
    )
    yield (
        "average precision of 100,000 cases",
        "`average_precision`",
        partial(fc.average_precision, labels, scores[0]),
        "scikit-learn, `average_precision_score`",
        partial(metrics.average_precision_score, labels, scores[0]),
    )
    same, drawn = batch_cases(10_000, 200)
    few = drawn[:, :100]
    yield (
        "DeLong's test of 100 problems of 200 cases",
        "`delong_batch`",
        partial(fc.delong_batch, same, few[0], few[1]),
        "a loop over `delong_test`",
        lambda: [fc.delong_test(same, a, b) for a, b in zip(*few, strict=True)],
    )
    y, a, b = predicted_labels(10**5)
    yield (
        "McNemar's test of 100,000 cases",
        "`mcnemar_test`",
        partial(fc.mcnemar_test, y, a, b, method="asymptotic"),
        "NumPy's counts, then statsmodels, `mcnemar`",
        lambda: contingency_tables.mcnemar(counts(y, a, b), exact=False),
    )
    y, predictions = answer_table(500, 20)
    yield (
        "Cochran's Q of 20 models, 500 cases",
        "`cochran_q_test`",
        partial(fc.cochran_q_test, y, predictions),
        "statsmodels, `cochrans_q`",
        partial(contingency_tables.cochrans_q, (predictions == y[:, None]).astype(np.int64)),
    )
    y, p, _ = forecasts(10**5)
    yield (
        "log loss of 100,000 cases",
        "`log_loss`",
        partial(fc.log_loss, y, p),
        "scikit-learn, `log_loss`",
        partial(metrics.log_loss, y, p),
    )
    a, b, _ = item_scores(10_000)
    yield (
        "paired t-test of 10,000 items",
        "`paired_mean_test`",
        partial(fc.paired_mean_test, a, b),
        "SciPy, `ttest_rel`",
        partial(stats.ttest_rel, a, b),
    )
    yield (
        "Wilcoxon's test of 10,000 pairs",
        "`wilcoxon_test`",
        partial(fc.wilcoxon_test, a, b),
        "SciPy, `wilcoxon`",
        partial(stats.wilcoxon, a, b),
    )
    table = data_set_scores(30, 10)
    yield (
        "Friedman's test, 10 models on 30 data sets",
        "`friedman_test`",
        partial(fc.friedman_test, table),
        "SciPy, `friedmanchisquare`",
        partial(stats.friedmanchisquare, *table.T),
    )
    pvalues = np.random.default_rng(0).random(10_000)
    yield (
        "Hommel's correction of 1,000 p-values",
        "`adjust_pvalues`",
        partial(fc.adjust_pvalues, pvalues[:1000], method="hommel"),
        "statsmodels, `multipletests`",
        partial(multitest.multipletests, pvalues[:1000], method="hommel"),
    )
    rounds = fold_scores(30)
    yield (
        "corrected t-test of 30 rounds",
        "`ttest_corrected`",
        partial(fc.ttest_corrected, *rounds.T, n_train=900, n_test=100),
        "SciPy, `ttest_rel`, which does not correct",
        partial(stats.ttest_rel, *rounds.T),
    )
    yield from concordances()


def concordances():
    """Yield the same of times to an event."""
    time, event, a, b = times_to_event(10_000)
    yield (
        "test of two concordances, 10,000 cases",
        "`concordance_test`",
        partial(fc.concordance_test, time, event, a, b),
        "compareC's method, by all pairs, compiled here",
        partial(compare_c, time, event, a, b),
    )
    if find_spec("sksurv"):
        from sksurv import metrics

        yield (
            "concordance of 10,000 cases",
            "`concordance`",
            partial(fc.concordance, time, event, a),
            "scikit-survival, `concordance_index_censored`",
            partial(metrics.concordance_index_censored, event == 1, time, a),
        )
    time, event, a, b = times_to_event(10**5)
    ours = partial(fc.concordance, time, event, a)
    if find_spec("lifelines"):
        from lifelines.utils import concordance_index

        theirs = partial(concordance_index, time, -a, event)
        name = "lifelines, `concordance_index`"
        yield "concordance of 100,000 cases", "`concordance`", ours, name, theirs
    if find_spec("fast_cindex"):
        from fast_cindex import cindex

        theirs = partial(cindex, time, -a, event)
        yield "concordance of 100,000 cases", "`concordance`", ours, "fast-cindex, `cindex`", theirs


class Fits(NamedTuple):
    """Two concordances by R, the standard error of their difference, and the seconds they took."""

    concordance: np.ndarray
    standard_error: float
    seconds: float


FITS = """
suppressMessages(library(survival))
n <- {n}; x <- matrix(readBin("{path}", "double", 4 * n), n)
fit <- function(s) {{  # by formula timefix=FALSE is lost: times 1e-8 apart tie
  concordancefit(Surv(x[, 1], x[, 2]), s, reverse=TRUE, influence=1, timefix=FALSE)
}}
took <- system.time({{
  f <- fit(x[, 3]); g <- fit(x[, 4]); error <- sqrt(sum((f$dfbeta - g$dfbeta)^2))
}})
cat(sprintf("%.17g", c(f$concordance, g$concordance, error, took[["user.self"]])))
"""


def two_fits(time, event, a, b):
    """Return both concordances by R's survival, and the processor time of the two fits."""
    with TemporaryDirectory() as folder:
        path = f"{folder}/cases"
        np.array((time, event, a, b), float).tofile(path)
        code = FITS.format(n=time.size, path=path)
        ran = subprocess.run(
            ["Rscript", "-"], input=code, capture_output=True, text=True, check=True
        )
    first, second, error, seconds = map(float, ran.stdout.split())
    return Fits(np.array((first, second)), error, seconds)


def counts(y, a, b):
    """Return McNemar's table by NumPy."""
    right_a, right_b = y == a, y == b
    return [[(one & other).sum() for other in (right_b, ~right_b)] for one in (right_a, ~right_a)]


def measured_elsewhere():
    """Yield a row a task: what, our function, its seconds, how much longer the other, its name."""
    for task, function, ours, peer, theirs in tasks():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            took, took_there = shortest([ours, theirs], seconds=2.0)
        yield task, function, took, took_there / took, peer
    if shutil.which("Rscript"):
        cases = times_to_event(10**6)
        (took,) = shortest([partial(fc.concordance_test, *cases)], seconds=2.0)
        yield (
            "test of two concordances, 1,000,000 cases",
            "`concordance_test`",
            took,
            min(two_fits(*cases).seconds for _ in range(2)) / took,
            "R's survival, two `concordance` fits with `dfbeta`",
        )
