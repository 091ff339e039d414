"""What runs here, and how to have it compiled before it is needed."""

from __future__ import annotations

import os
import platform
import time
import warnings
from importlib import import_module, metadata
from typing import Any

import numpy as np

from . import __version__
from ._base.types import Matrix
from ._jit.kernel import cache_directory, is_compiling

PACKAGES = ("fastcompare", "numpy", "scipy", "numba", "llvmlite")
MODELS = 9  # from which a covariance of AUCs is one matrix product
BLOCK = {"n_resamples": 64}


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
    """Return the version of a package that is installed, and of this one as it runs."""
    if package == __package__:
        return __version__
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


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
    if is_compiling():
        package = import_module(__package__)
        with warnings.catch_warnings(action="ignore"):  # 64 replicates are few for an interval
            for name, data, options in warming_calls():
                result = getattr(package, name)(*data, **options)
                getattr(result, "to_dict", dict)()  # what waits until it is read
    return time.perf_counter() - start


T = {"reference": "t"}
Call = tuple[str, tuple[Any, ...], dict[str, Any]]  # a public function, its data, its options


def warming_calls() -> list[Call]:
    """Return the calls that cover the kernels of all public functions."""
    table = np.random.default_rng(0).normal(size=(8192, MODELS))
    few = np.ascontiguousarray(table[:20, :3])
    return [
        *calls_of_scores(table),
        *calls_of_labels(table[:128]),
        *calls_of_rounds(few),
        *calls_of_battles(),
    ]


def calls_of_scores(table: Matrix) -> list[Call]:
    """Return calls for scores of the same cases, few and many."""
    labels = np.arange(len(table)) % 2
    a, b = np.ascontiguousarray(table[:, :2].T)
    many, some, few = ((labels[:n], a[:n], b[:n]) for n in (8192, 1024, 64))
    return [
        ("delong_test", few, {}),
        ("delong_test", (few[0].tolist(), *few[1:]), {}),  # lists take the long way
        ("delong_test", some, {}),
        ("delong_test", many, {}),
        ("delong_test", few, {"sample_weight": np.ones(64)}),
        ("delong_test", few, {"groups": np.arange(64) // 2}),
        *(("delong_test", ([chunk],), {}) for chunk in chunks_of_scores()),
        *(("roc_auc", few[:2], weights) for weights in ({}, {"sample_weight": np.ones(64)})),
        ("delong_covariance", (labels, table), {}),
        ("delong_batch", (few[0], a[:128].reshape(2, 64), b[:128].reshape(2, 64)), T),
        ("delong_batch", (many[0], many[1][None], many[2][None]), {}),
        ("delong_control_test", (labels[:64], table[:64, :3], 0), {"correction": "dunnett"}),
        *calls_of_bootstraps(few),
        ("permutation_auc_test", few, {"exact": False, **BLOCK}),
        ("permutation_auc_test", few, {"method": "venkatraman", **BLOCK}),
        ("permutation_auc_test", few, {"method": "studentized", **BLOCK}),
        ("permutation_auc_test", many, {"exact": False, **BLOCK}),
        ("partial_auc", few[:2], {}),
        ("sensitivity_at_specificity", few[:2], {"specificity": 0.9}),
        ("average_precision", (few[0], np.repeat(a[:32], 2)), {}),  # ties take the long way
        ("partial_auc_interval", few[:2], BLOCK),
        ("sensitivity_at_specificity_interval", few[:2], {"specificity": 0.9, **BLOCK}),
        ("average_precision_interval", few[:2], BLOCK),
    ]


def calls_of_bootstraps(few: tuple[Any, ...]) -> list[Call]:
    """Return calls of the bootstrap for two models."""
    return [
        ("bootstrap_auc_test", few, {"method": "studentized", **BLOCK}),
        ("bootstrap_auc_test", few, {"stratified": False, **BLOCK}),
        ("bootstrap_auc_test", ([few],), {"method": "poisson", **BLOCK}),
        ("bootstrap_auc_test", (few[0], few[1].round(1), few[2].round(1)), BLOCK),  # ties
    ]


def chunks_of_scores() -> list[tuple[Any, ...]]:
    """Return chunks of so many doubles, and of singles, that cells hold several of them."""
    chunk = np.random.default_rng(0).normal(size=(3, 140_000))
    return [(chunk[0] > 0.0, *(x.astype(kind) for x in chunk[1:])) for kind in ("f8", "f4")]


def calls_of_labels(table: Matrix) -> list[Call]:
    """Return calls for predicted labels and probabilities of the same cases."""
    labels, a = np.arange(len(table)) % 2, table[:, 0].copy()
    predicted = labels, a > 0.0, a > 0.5
    p, q = 1.0 / (1.0 + np.exp(-a)), np.full(a.size, 0.5)
    return [
        ("mcnemar_pairwise_test", (labels, {"a": a > 0.0, "b": a > 0.5}), {}),
        ("bootstrap_metric_test", predicted, BLOCK),
        ("permutation_metric_test", predicted, {"keep": True, **BLOCK}),
        ("scoring_test", (labels, p, q), {"method": "permutation", **BLOCK}),
        ("scoring_test", (labels, p, q), {"method": "bootstrap", **BLOCK}),
        ("scoring_pairwise_test", (labels, {"p": p, "q": q}), {"method": "permutation", **BLOCK}),
        ("paired_mean_test", (a, p), {"groups": np.arange(a.size)}),
        ("leaderboard", (table,), {"method": "bootstrap", **BLOCK}),
        ("brier_decomposition", (labels, p), {}),
        ("scoring_test", tuple(np.tile(x, 32) for x in (labels, p, q)), {}),  # as of many cases
        ("calibration_test", (labels, p), {}),
        ("calibration_error", (labels, p), {"n_bins": 1, **BLOCK}),
        ("agreement", predicted, {"method": "bootstrap", **BLOCK}),
        ("wilcoxon_test", (a,), {}),
        ("wilcoxon_test", (a.round(1), p.round(1)), {"method": "normal"}),  # ties by their scores
    ]


def calls_of_battles() -> list[Call]:
    """Return calls for so many battles that names are looked up, and clusters too many to list."""
    number = np.arange(16384)
    names, outcome = (number % 12).astype(str), np.array(["a", "b"])[number // 12 % 2]
    return [("bradley_terry", (names, np.roll(names, 1), outcome), {"groups": number})]


def calls_of_rounds(scores: Matrix) -> list[Call]:
    """Return calls for scores per fold and per data set."""
    a, b, _ = scores.T
    halves, sizes = (a[:10].reshape(5, 2), b[:10].reshape(5, 2)), {"n_train": 90, "n_test": 10}
    return [
        ("ttest_corrected", (a, b), sizes),
        ("ttest_corrected_batch", (a[None], b[None]), sizes),
        ("ttest_corrected_pairwise_test", (scores,), sizes),
        ("ttest_unpaired", (a, b), {}),
        ("ttest_5x2cv", halves, {}),
        ("ftest_5x2cv", halves, {}),
        ("rm_anova_test", (scores,), {}),
        ("rm_anova_batch", (scores[None],), {}),
        ("friedman_test", (scores,), {"method": "permutation", **BLOCK}),
        ("friedman_test", (scores[:4],), {"method": "exact"}),
        ("friedman_pairwise_test", (scores,), {"correction": "shaffer"}),
        ("friedman_pairwise_test", (scores,), {"correction": "bergmann-hommel"}),
        ("wilcoxon_pairwise_test", (scores,), {}),
        ("bayes_sign", (a, b), {"rope": 0.1}),
        ("bayes_signed_rank", (a, b), {"rope": 0.1}),
    ]
