"""Scores of cases: R's pROC and stats, scikit-learn and SciPy."""

import numpy as np
from scipy import stats
from sklearn import metrics

import fastcompare as fc

from .check import QUIET, Check, both_ends, in_r


def checks():
    """Yield what is compared of scores and probabilities."""
    data = fc.load_predictions()
    y = np.asarray(data.y_true)
    a, b = (np.asarray(data.scores[name]) for name in ("random_forest", "decision_tree"))
    yield from paired(y, a, b)
    yield from single(y, a)
    yield from probabilities(y, a)


def paired(y, a, b):
    """Yield tests of two models' AUCs."""
    own = fc.delong_test(y, a, b, reference="normal")
    rocs = "x <- roc(y, a, quiet=TRUE, direction='<'); z <- roc(y, b, quiet=TRUE, direction='<')"
    given = {"y": y, "a": a, "b": b}
    yield Check(
        "delong_test",
        "pROC",
        'roc.test(method="delong")',
        [own.statistic, own.pvalue, *both_ends(own)],
        in_r(
            f"{{{rocs}; t <- roc.test(x, z, method='delong', paired=TRUE);"
            " c(t$statistic, t$p.value, t$conf.int)}",
            **given,
        ),
    )
    own = fc.delong_covariance(y, {"a": a, "b": b})
    yield Check(
        "delong_covariance",
        "pROC",
        "cov(x, z), var(x)",
        own.covariance[0],
        in_r(f"{{{rocs}; c(var(x), cov(x, z))}}", **given),
    )
    half = np.arange(y.size) % 2 == 0
    own = fc.delong_unpaired_test(y[half], a[half], y[~half], b[~half])
    yield Check(
        "delong_unpaired_test",
        "pROC",
        "roc.test(paired=FALSE)",
        [own.statistic, own.pvalue, own.df],
        in_r(
            "{t <- roc.test(roc(y, a, quiet=TRUE, direction='<'), roc(v, b, quiet=TRUE,"
            " direction='<'), paired=FALSE); c(t$statistic, t$p.value, t$parameter)}",
            y=y[half],
            a=a[half],
            v=y[~half],
            b=b[~half],
        ),
    )
    noise = np.random.default_rng(0).normal(size=(2, y.size)) * 1e-9
    tied = "for tied scores pROC draws an order at random; here the expectation is used"
    for scores, call, why in (
        ((a, b), 'roc.test(method="venkatraman")', tied),
        ((a + noise[0], b + noise[1]), 'roc.test(method="venkatraman"), no ties', ""),
    ):
        yield venkatraman(y, *scores, call, why)


def venkatraman(y, a, b, call, why):
    """Return how far apart two curves are."""
    rocs = "x <- roc(y, a, quiet=TRUE, direction='<'); z <- roc(y, b, quiet=TRUE, direction='<')"
    own = fc.permutation_auc_test(y, a, b, method="venkatraman", n_resamples=99, rng=1)
    theirs = in_r(
        f"{{set.seed(1); {rocs}; roc.test(x, z, method='venkatraman', boot.n=9)$statistic}}",
        y=y,
        a=a,
        b=b,
    )
    return Check("permutation_auc_test", "pROC", call, own.statistic, theirs, why)


def single(y, a):
    """Yield AUCs of one model, of parts of its curve, and their intervals."""
    yield Check(
        "roc_auc", "scikit-learn", "roc_auc_score", fc.roc_auc(y, a), metrics.roc_auc_score(y, a)
    )
    yield Check(
        "roc_auc_interval",
        "pROC",
        'ci.auc(method="delong")',
        both_ends(fc.roc_auc_interval(y, a, method="delong")),
        in_r("c(ci.auc(roc(y, a, quiet=TRUE, direction='<')))[c(1, 3)]", y=y, a=a),
    )
    yield Check(
        "roc_auc_test",
        "SciPy",
        "mannwhitneyu",
        fc.roc_auc_test(y, a, method="asymptotic").pvalue,
        stats.mannwhitneyu(a[y == 1], a[y == 0], use_continuity=False).pvalue,
    )
    yield Check(
        "partial_auc",
        "pROC",
        "auc(partial.auc=c(1, 0.9))",
        fc.partial_auc(y, a, fpr=(0.0, 0.1)),
        in_r("auc(roc(y, a, quiet=TRUE, direction='<'), partial.auc=c(1, 0.9))", y=y, a=a),
    )
    yield Check(
        "partial_auc",
        "scikit-learn",
        "roc_auc_score(max_fpr=0.1)",
        fc.partial_auc(y, a, fpr=(0.0, 0.1), standardized=True),
        metrics.roc_auc_score(y, a, max_fpr=0.1),
    )
    yield Check(
        "average_precision",
        "scikit-learn",
        "average_precision_score",
        fc.average_precision(y, a),
        metrics.average_precision_score(y, a),
    )


def probabilities(y, p):
    """Yield losses of probabilities."""
    yield Check(
        "brier_score",
        "scikit-learn",
        "brier_score_loss",
        fc.brier_score(y, p),
        metrics.brier_score_loss(y, p),
    )
    inside = np.clip(p, 0.01, 0.99)
    yield Check(
        "log_loss",
        "scikit-learn",
        "log_loss",
        fc.log_loss(y, inside, **QUIET),
        metrics.log_loss(y, inside),
    )
