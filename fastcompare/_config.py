"""What runs here, and how to have it compiled before it is needed."""

from __future__ import annotations

import os
import platform
import sys
import time
from importlib import metadata

import numpy as np
from numpy.typing import NDArray

from ._base.types import Vector
from ._jit.kernel import cache_directory, is_compiling

PACKAGES = ("fastcompare", "numpy", "scipy", "numba", "llvmlite")


def show_config() -> dict[str, str]:
    """Return versions, processor and cache, for bug reports and tables of speed.

    Returns
    -------
    dict
        Names and values, all strings; ``cache`` is the directory of compiled kernels, or says that
        there is none.

    Examples
    --------
    >>> import fastcompare as fc
    >>> sorted(fc.show_config())[:3]
    ['cache', 'cores', 'fastcompare']
    """
    directory = cache_directory()
    return {
        **{package: version_of(package) for package in PACKAGES},
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
        "cores": str(os.cpu_count() or 1),
        "cache": "none" if directory is None else str(directory),
    }


def version_of(package: str) -> str:
    """Return a package's version, also where it runs from a bare checkout."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return getattr(sys.modules.get(package), "__version__", "not installed")


def processor() -> str:
    """Return the processor's model, as exactly as the system tells."""
    try:
        with open("/proc/cpuinfo") as file:
            named = [line for line in file if line.startswith("model name")]
        return named[0].split(":", 1)[1].strip()
    except (OSError, IndexError):
        return platform.processor() or platform.machine()


def warmup() -> float:
    """Compile every kernel that the public functions use, or load it from the cache.

    Call it once where the first comparison must not wait: before timing, in a server's start.

    Returns
    -------
    float
        The seconds it took.

    Examples
    --------
    >>> import fastcompare as fc
    >>> fc.warmup() > 0
    True
    """
    start = time.perf_counter()
    rng = np.random.default_rng(0)
    labels = np.arange(8192) % 2
    a, b = rng.normal(size=(2, labels.size))
    if is_compiling():
        warm_delong(labels, a, b)
        warm_resampling(labels, a, b)
        warm_labels(labels[:128], a[:128])
        warm_rounds(a[:60].reshape(20, 3))
        warm_data_sets(a[:60].reshape(20, 3))
    return time.perf_counter() - start


def warm_delong(labels: NDArray[np.int64], a: Vector, b: Vector) -> None:
    """Call what covers the kernels of DeLong's method, for few cases and for many."""
    from ._compare.auc.components import as_components
    from ._compare.auc.delong.batch import delong_batch
    from ._compare.auc.delong.paired import delong_test
    from ._compare.auc.product import moments_by_product
    from ._inputs.cases import as_cases

    delong_test(labels[:64], a[:64], b[:64])
    delong_test(labels[:64].tolist(), a[:64], b[:64])  # lists take the long way
    delong_test(labels[:1024], a[:1024], b[:1024])
    delong_test(labels, a, b)
    moments_by_product(as_components(as_cases(labels, a=a, b=b)))
    delong_batch(labels[:8], a[:16].reshape(2, 8), b[:16].reshape(2, 8))


def warm_resampling(labels: NDArray[np.int64], a: Vector, b: Vector) -> None:
    """Call what covers the kernels of the bootstrap, of permutations and of curves."""
    from ._compare.auc.bootstrap.paired import bootstrap_auc_test
    from ._compare.auc.curves.operating import sensitivity_at_specificity
    from ._compare.auc.curves.partial import partial_auc
    from ._compare.auc.curves.precision import average_precision
    from ._compare.auc.permutation.paired import permutation_auc_test

    few = labels[:64], a[:64], b[:64]
    bootstrap_auc_test(*few, n_resamples=64, method="studentized")
    bootstrap_auc_test(*few, n_resamples=64, stratified=False)
    permutation_auc_test(*few, n_resamples=64, exact=False)
    permutation_auc_test(*few, n_resamples=64, method="venkatraman")
    permutation_auc_test(labels, a, b, n_resamples=64, exact=False)
    partial_auc(*few[:2])
    sensitivity_at_specificity(*few[:2], specificity=0.9)
    average_precision(*few[:2])


def warm_labels(labels: NDArray[np.int64], a: Vector) -> None:
    """Call what covers the kernels of predicted labels, of probabilities and of signed ranks."""
    from ._compare.labels.mcnemar_pairwise import mcnemar_pairwise_test
    from ._compare.labels.metrics_bootstrap import bootstrap_metric_test
    from ._compare.labels.metrics_permutation import permutation_metric_test
    from ._compare.paired.wilcoxon import wilcoxon_test
    from ._compare.probabilities.scoring import scoring_test
    from ._compare.probabilities.scoring_pairwise import scoring_pairwise_test

    one, other = a > 0.0, a > 0.5
    p, q = 1.0 / (1.0 + np.exp(-a)), np.full(a.size, 0.5)
    mcnemar_pairwise_test(labels, {"a": one, "b": other})
    bootstrap_metric_test(labels, one, other, n_resamples=64)
    permutation_metric_test(labels, one, other, n_resamples=64, keep=True)
    wilcoxon_test(a)
    scoring_test(labels, p, q, method="permutation", n_resamples=64)
    scoring_test(labels, p, q, method="bootstrap", n_resamples=64)
    scoring_pairwise_test(labels, {"p": p, "q": q}, method="permutation", n_resamples=64)


def warm_rounds(scores: NDArray[np.float64]) -> None:
    """Call what covers the kernels of scores per fold."""
    from ._compare.folds.anova import rm_anova_test
    from ._compare.folds.anova_batch import rm_anova_batch
    from ._compare.folds.batch import ttest_corrected_batch
    from ._compare.folds.corrected import ttest_corrected
    from ._compare.folds.five_by_two import ftest_5x2cv, ttest_5x2cv
    from ._compare.folds.pairwise import ttest_corrected_pairwise_test
    from ._compare.folds.welch import ttest_unpaired

    a, b, _ = scores.T
    ttest_corrected(a, b, n_train=90, n_test=10)
    ttest_corrected_batch(scores[None, :, 0], scores[None, :, 1], n_train=90, n_test=10)
    ttest_corrected_pairwise_test(scores, n_train=90, n_test=10)
    ttest_unpaired(a, b)
    ttest_5x2cv(a[:10].reshape(5, 2), b[:10].reshape(5, 2))
    ftest_5x2cv(a[:10].reshape(5, 2), b[:10].reshape(5, 2))
    rm_anova_test(scores)
    rm_anova_batch(scores[None])


def warm_data_sets(scores: NDArray[np.float64]) -> None:
    """Call what covers the kernels of scores per data set."""
    from ._compare.datasets.friedman import friedman_test
    from ._compare.datasets.pairwise import friedman_pairwise_test
    from ._compare.datasets.wilcoxon_pairwise import wilcoxon_pairwise_test
    from ._compare.paired.bayes_sign import bayes_sign
    from ._compare.paired.bayes_signed_rank import bayes_signed_rank

    friedman_test(scores, method="permutation", n_resamples=64)
    friedman_test(scores[:4], method="exact")
    for correction in ("shaffer", "bergmann-hommel"):
        friedman_pairwise_test(scores, correction=correction)
    wilcoxon_pairwise_test(scores)
    a, b, _ = scores.T
    bayes_sign(a, b, rope=0.1)
    bayes_signed_rank(a, b, rope=0.1)
