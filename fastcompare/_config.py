"""What runs here, and how to have it compiled before it is needed."""

from __future__ import annotations

import os
import platform
import time
import warnings
from collections.abc import Callable
from importlib import import_module, metadata
from typing import Any

import numpy as np

from . import __version__
from ._adapters.progress import reporting
from ._base.types import Matrix, Progress
from ._inputs.options import as_workers, check_choice
from ._jit.bundle import bundle
from ._jit.kernel import SERVED, cache_directory, silenced
from ._jit.numpy_sort import cpuinfo, setting

PACKAGES = ("fastcompare", "numpy", "scipy", "numba", "llvmlite")
SIZES_WITH_OWN_SORTS = 1 << 15, (1 << 20) + 1  # cases: sorted as 64 bits, and by several threads
MODELS_OF_PRODUCT = 9  # from which a covariance of AUCs is one matrix product
FEW_REPLICATES = {"n_resamples": 64}


def show_config() -> dict[str, str]:
    """Return versions, processor and the sources of compiled kernels, for bug reports.

    Returns
    -------
    dict
        Names and values, all strings. ``cache`` is the directory of compiled kernels, if there is
        one; ``bundle`` the level of processors of those that the package contains, or why they are
        not used; ``kernels`` how many this process read from either or compiled.

    Examples
    --------
    >>> import fastcompare as fc
    >>> sorted(fc.show_config())[:3]
    ['bundle', 'cache', 'cores']
    """
    directory, (level, reason, _) = cache_directory(), bundle()
    return {
        **{package: version_of(package) for package in PACKAGES},
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": cpuinfo().get("model name") or platform.processor() or platform.machine(),
        "cores": str(os.cpu_count() or 1),
        "cache": "none" if directory is None else str(directory),
        "bundle": level or f"none: {reason}",
        "kernels": ", ".join(f"{source} {served}" for source, served in SERVED.items()),
    }


def version_of(package: str) -> str:
    """Return the installed version of a package, or ``not installed``; of this one that runs."""
    if package == __package__:
        return __version__
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def warmup(*families: str, progress: Progress = None) -> float:
    """Compile the functions' kernels in advance, or load them from the cache.

    Call it once if the first comparison must be fast: before timing, or when a server starts.

    Parameters
    ----------
    *families : {'auc', 'labels', 'probabilities', 'items', 'folds', 'datasets', 'times', 'readers'}
        The kinds of data, named as on the command line, or 'simulations' for the designs of
        `fastcompare.simulate`; all by default.
    progress : bool or callable, optional
        True shows a progress bar after a second; a callable receives the number of finished calls
        and the total.

    Returns
    -------
    float
        The elapsed time in seconds.

    References
    ----------
    .. [1] S. K. Lam, A. Pitrou, S. Seibert (2015), Numba: a LLVM-based Python JIT compiler,
       doi:10.1145/2833157.2833162.

    Examples
    --------
    >>> import fastcompare as fc
    >>> fc.warmup("folds") > 0
    True
    """
    start = time.perf_counter()
    for family in families:
        check_choice("families", family, FAMILIES)
    progress_report = as_workers(1, None, progress)["progress"]
    calls = [call for family in families or FAMILIES for call in FAMILIES[family]()]
    if not setting("DISABLE_JIT"):
        with (
            silenced(),
            warnings.catch_warnings(action="ignore"),  # 64 replicates are few for an interval
            reporting(progress_report, len(calls)) as report,
        ):
            for done, (name, data, options) in enumerate(calls, 1):
                result = getattr(import_module(__package__), name)(*data, **options)
                getattr(result, "to_dict", dict)()  # what waits until it is read
                report(done, name)
    return time.perf_counter() - start


STUDENTS_T = {"reference": "t"}
Call = tuple[str, tuple[Any, ...], dict[str, Any]]  # a public function, its data, its options


def random_scores() -> Matrix:
    """Return random scores (8192, 9), of which calls take parts."""
    return np.random.default_rng(0).normal(size=(8192, MODELS_OF_PRODUCT))


def calls_of_scores() -> list[Call]:
    """Return calls for scores of the same cases, few and many."""
    table = random_scores()
    labels = np.arange(len(table)) % 2
    a, b = np.ascontiguousarray(table[:, :2].T)
    # Labels and the scores of two models.
    many, some, few = ((labels[:n], a[:n], b[:n]) for n in (8192, 1024, 64))
    tied = labels[:64], a[:64].round(1), b[:64].round(1)
    return [
        ("delong_test", few, {}),
        ("delong_test", (labels[:64].tolist(), a[:64], b[:64]), {}),  # lists take the long way
        ("delong_test", some, {}),
        ("delong_test", many, {}),
        ("delong_test", few, {"groups": np.arange(64) // 2}),
        *(("delong_test", ([chunk],), {}) for chunk in chunks_of_scores()),
        *calls_of_many_scores(),
        ("roc_auc", few[:2], {}),
        *calls_of_weights(few, (labels[:64], table[:64, :3])),
        ("delong_covariance", (labels, table), {}),
        ("delong_batch", (labels[:64], a[:128].reshape(2, 64), b[:128].reshape(2, 64)), STUDENTS_T),
        ("delong_batch", (labels, a[None], b[None]), {}),
        ("delong_pairwise_test", (labels[:64], table[:64, :3]), {}),
        ("delong_control_test", (labels[:64], table[:64, :3], 0), {"correction": "dunnett"}),
        *calls_of_bootstraps(few, tied),
        *calls_of_permutations(few, tied, many),
        ("partial_auc", few[:2], {}),
        ("sensitivity_at_specificity", few[:2], {"specificity": 0.9}),
        ("average_precision", (labels[:64], np.repeat(a[:32], 2)), {}),  # ties take the long way
        ("partial_auc_interval", few[:2], {"method": "bca", **FEW_REPLICATES}),
        ("roc_curve_band", few[:2], FEW_REPLICATES),
        ("within_auc_test", few, {"groups": np.arange(64) // 8}),
        ("average_precision_interval", few[:2], {"method": "bca", **FEW_REPLICATES}),
    ]


def calls_of_many_scores() -> list[Call]:
    """Return calls for many scores, which other kernels sort: all different, or of few values."""
    some, many = SIZES_WITH_OWN_SORTS
    y = np.arange(many) % 3 // 2
    scores = np.random.default_rng(0).normal(size=(2, many))
    pairs = scores, scores.astype(np.float32), scores.round(1)
    cases = [(y[:some], a[:some], b[:some]) for a, b in pairs]
    return [
        *(("delong_test", each, {}) for each in cases),
        *(("delong_test", each, {"sample_weight": np.ones(some)}) for each in cases),
        *(("roc_auc", each[:2], {}) for each in cases),
        *(("roc_auc", (y, a), {}) for a, _ in pairs[1:]),
        ("delong_test", (y, *pairs[1]), {}),
    ]


def calls_of_weights(few: tuple[Any, ...], several: tuple[Any, ...]) -> list[Call]:
    """Return calls for weighted cases of one model, of two and of several."""
    names = ("delong_test", "delong_covariance", "delong_pairwise_test", "roc_auc")
    data = (few, several, several, few[:2])
    weighted = {"sample_weight": np.ones(64)}
    return [(name, each, weighted) for name, each in zip(names, data, strict=True)]


def calls_of_bootstraps(few: tuple[Any, ...], tied: tuple[Any, ...]) -> list[Call]:
    """Return calls of the bootstrap for two models."""
    return [
        ("bootstrap_auc_test", few, {"method": "studentized", **FEW_REPLICATES}),
        ("bootstrap_auc_test", few, {"stratified": False, **FEW_REPLICATES}),
        ("bootstrap_auc_test", ([few],), {"method": "poisson", **FEW_REPLICATES}),
        ("bootstrap_auc_test", tied, FEW_REPLICATES),
    ]


def calls_of_permutations(*cases: tuple[Any, ...]) -> list[Call]:
    """Return calls of the permutation tests for two models: few cases, ties, and many cases."""
    few, tied, many = cases
    return [
        ("permutation_auc_test", few, {"exact": False, **FEW_REPLICATES}),
        ("permutation_auc_test", few, {"method": "venkatraman", **FEW_REPLICATES}),
        ("permutation_auc_test", tied, {"method": "venkatraman", **FEW_REPLICATES}),
        ("permutation_auc_test", few, {"method": "studentized", **FEW_REPLICATES}),
        ("permutation_auc_test", many, {"exact": False, **FEW_REPLICATES}),
    ]


def chunks_of_scores() -> list[tuple[Any, ...]]:
    """Return chunks of 140,000 cases with scores of 64 and of 32 bits, as streams read them."""
    chunk = np.random.default_rng(0).normal(size=(3, 140_000))
    return [(chunk[0] > 0.0, *(x.astype(kind) for x in chunk[1:])) for kind in ("f8", "f4")]


def calls_of_labels() -> list[Call]:
    """Return calls for predicted labels of the same cases."""
    a = random_scores()[:128, 0]
    labels = np.arange(a.size) % 2
    predicted = labels, a > 0.0, a > 0.5
    return [
        ("mcnemar_pairwise_test", (labels, {"a": a > 0.0, "b": a > 0.5, "c": a > 1.0}), {}),
        ("bootstrap_metric_test", predicted, FEW_REPLICATES),
        ("permutation_metric_test", predicted, {"keep": True, **FEW_REPLICATES}),
        ("agreement", predicted, {"method": "bootstrap", **FEW_REPLICATES}),
    ]


def calls_of_probabilities() -> list[Call]:
    """Return calls for probabilities of the same cases, few and many."""
    a = random_scores()[:128, 0]
    labels = np.arange(a.size) % 2
    p = 1.0 / (1.0 + np.exp(-a))
    q = np.full(a.size, 0.5)
    return [
        ("scoring_test", (labels, p, q), {"method": "permutation", **FEW_REPLICATES}),
        ("scoring_test", (labels, p, q), {"method": "bootstrap", **FEW_REPLICATES}),
        ("scoring_test", (labels, p, q), {"method": "wilcoxon"}),
        *(
            ("scoring_pairwise_test", (labels, {"p": p, "q": q, "r": p * p}), options)
            for options in ({"method": "permutation", **FEW_REPLICATES}, {"method": "wilcoxon"})
        ),
        ("scoring_test", tuple(np.tile(x, 32) for x in (labels, p, q)), {}),  # as of many cases
        ("brier_decomposition", (labels, p), {}),
        ("calibration_test", (labels, p), {}),
        *(
            ("calibration_error", (labels, p), {"n_bins": bins, **FEW_REPLICATES})
            for bins in (1, 10)
        ),
        ("net_benefit_test", (labels, p, q), {"thresholds": np.array([0.2, 0.5])}),
    ]


def calls_of_items() -> list[Call]:
    """Return calls for scores of items, and for battles of many models in many clusters."""
    table = random_scores()[:128]
    a, b = np.ascontiguousarray(table[:, :2].T)
    number = np.arange(16384)
    names = (number % 12).astype(str)
    outcome = np.array(["a", "b"])[number // 12 % 2]
    return [
        *(
            ("paired_mean_test", (a, b), {"groups": np.arange(a.size), **options})
            for options in (
                {},
                {"method": "sign-flip", **FEW_REPLICATES},
                {"method": "bootstrap", **FEW_REPLICATES},
            )
        ),
        *(("mean_pairwise_test", (some,), {}) for some in (table[:, :3], table[:9, :3])),
        ("leaderboard", (table,), {"method": "bootstrap", **FEW_REPLICATES}),
        ("bradley_terry", (names, np.roll(names, 1), outcome), {"groups": number}),
    ]


def calls_of_folds() -> list[Call]:
    """Return calls for scores per fold."""
    scores = np.ascontiguousarray(random_scores()[:20, :3])
    a, b, _ = scores.T
    halves = (a[:10].reshape(5, 2), b[:10].reshape(5, 2))
    sizes = {"n_train": 90, "n_test": 10}
    return [
        ("ttest_corrected", (a, b), sizes),
        ("ttest_corrected_batch", (a[None], b[None]), sizes),
        ("ttest_corrected_pairwise_test", (scores,), sizes),
        ("ttest_unpaired", (a, b), {}),
        ("ttest_5x2cv", halves, {}),
        ("ftest_5x2cv", halves, {}),
        ("rm_anova_test", (scores,), {}),
        ("rm_anova_batch", (scores[None],), {}),
    ]


def calls_of_datasets() -> list[Call]:
    """Return calls for scores per data set."""
    table = random_scores()
    scores = np.ascontiguousarray(table[:20, :3])
    x = table[:128, 0].copy()
    a, b, _ = scores.T
    return [
        ("friedman_test", (scores,), {"method": "permutation", **FEW_REPLICATES}),
        ("friedman_test", (scores[:4],), {"method": "exact"}),
        ("friedman_pairwise_test", (scores,), {"correction": "shaffer"}),
        ("friedman_pairwise_test", (scores,), {"correction": "bergmann-hommel"}),
        ("wilcoxon_test", (x,), {}),
        ("wilcoxon_test", (x.round(1), abs(x).round(1)), {"method": "normal"}),  # ties
        ("wilcoxon_test", tuple(table[:128, :2].round(1).T), {}),  # but for rounding
        ("wilcoxon_pairwise_test", (scores,), {}),
        ("quade_test", (scores,), {}),
        ("durbin_test", (scores,), {}),
        ("bayes_sign", (a, b), {"rope": 0.1}),
        ("bayes_signed_rank", (a, b), {"rope": 0.1}),
    ]


def calls_of_times() -> list[Call]:
    """Return calls for times to an event."""
    table = random_scores()[:128].round(1)
    options = ({"method": "harrell"}, {"method": "uno"})
    cases = table[:, 0] - table.min(), np.arange(len(table)) % 3 > 0
    pairs = [("concordance_pairwise_test", (*cases, table), method) for method in options]
    two = (*cases, *table[:, 1:3].T)
    shares = (*cases, *(table[:, 1:3] % 1.0).T)
    ways = ({"keep": True, **FEW_REPLICATES}, {"method": "uno", **FEW_REPLICATES})
    return [
        *pairs,
        ("concordance_test", two, {"strata": np.arange(len(table)) // 16}),
        ("auc_at_test", two, {"horizon": 3.0}),
        ("auc_at_test", (np.arange(1.0, 129.0), *two[1:]), {"horizon": 60.0}),  # without a tie
        ("survival_brier_test", shares, {"horizon": 3.0}),
        ("survival_calibration", shares[:3], {"horizon": 3.0}),
        *(("permutation_survival_test", two, way) for way in ways),
    ]


def calls_of_readers() -> list[Call]:
    """Return calls for reader studies."""
    table = random_scores().round(1)[:, :6].T  # of few values
    truth = np.arange(table.shape[1]) % 2
    many = table.reshape(3, 2, -1)
    few = {"truth": truth[:128]}
    return [
        ("reader_study_pairwise_test", (many,), {"truth": truth}),
        *(
            ("reader_study_test", (many[:2, :, :128],), {**few, "covariance": covariance})
            for covariance in ("delong", "unbiased", "jackknife")
        ),
    ]


def calls_of_simulations() -> list[Call]:
    """Return calls for the designs of `fastcompare.simulate`: all of their tests, and a sample."""
    simulate = import_module(f"{__package__}.simulate")
    few = {"n_trials": 8, "rng": 0}
    designs = [
        simulate.BinormalScores(n_positive=20, n_negative=20, n_resamples=64),
        simulate.CorrelatedFolds(),
        simulate.CorrelatedFolds(n_models=2),
        simulate.DietterichClassifiers(),
        simulate.ModelsByDatasets(),
    ]
    function = {"function": lambda *_: 0.5}
    return [
        *(("simulate_error_rates", (None, design), few) for design in designs),
        *(("simulate_error_rates", (function, design), few) for design in designs),
    ]


FAMILIES: dict[str, Callable[[], list[Call]]] = {
    "auc": calls_of_scores,
    "labels": calls_of_labels,
    "probabilities": calls_of_probabilities,
    "items": calls_of_items,
    "folds": calls_of_folds,
    "datasets": calls_of_datasets,
    "times": calls_of_times,
    "readers": calls_of_readers,
    "simulations": calls_of_simulations,
}
