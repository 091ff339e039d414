"""The command that compares models by the AUCs of their scores."""

import time
import warnings
from functools import partial
from typing import Any

import numpy as np

import fastcompare as fc

from .._report.auc import AUCComparison
from .columns import as_label, complete, read_all, read_cases, source_of_files
from .delivery import check_delivery, deliver
from .few_cases import ROUGH, permuted
from .groups import CLAIM, DELIVERY, FORM, Claim, Delivery, FileForm
from .large import Large, Watched, all_files, as_large, label_of, tell_memory
from .options import Files, Jobs, Label, NanPolicy, PosLabel, Score, Verbose


def auc(
    files: Files = None,
    label: Label = "y_true",
    score: Score = None,
    pos_label: PosLabel = None,
    claim: Claim = CLAIM,
    delivery: Delivery = DELIVERY,
    form: FileForm = FORM,
    nan_policy: NanPolicy = "raise",
    n_jobs: Jobs = 1,
    verbose: Verbose = False,
) -> None:
    """Compare the AUCs of models that scored the same cases, all pairs, by DeLong's test.

    Prints each model's AUC with its standard error and interval, each pair's difference with its
    interval, z, p and adjusted p, and a sentence. Intervals of differences are not adjusted for the
    number of pairs unless --simultaneous is given. Below 30 cases of a class, p is that of a
    permutation test, and intervals are by Student's t. Large Parquet files are read a piece at a
    time: AUCs are exact, and standard errors within a bound that --verbose says; where a class has
    few cases, p is by Student's t, too.
    """
    check_delivery(delivery)
    start = time.monotonic()
    found = all_files(files or [])
    large = as_large(found, label, score)
    test = partial(
        fc.delong_pairwise_test,
        alternative=claim.alternative,  # type: ignore[arg-type]
        correction=claim.correction,
        nan_policy=nan_policy,  # type: ignore[arg-type]
        n_jobs=n_jobs,
    )
    if large is None:
        y_true, scores = read_cases(read_all(found, form), label, score, "--score")
        result = compared_in_memory(test, y_true, scores, as_label(y_true, pos_label))
        how = f"{len(y_true)} cases in memory"
    else:
        result, how = compared_in_pieces(test, large, pos_label)
    if verbose:
        tell_memory(how, start)
    deliver(AUCComparison(result, *claim.intervals, source_of_files(files)), delivery)


def compared_in_memory(test: partial[Any], y_true: Any, scores: Any, pos_label: object) -> Any:
    """Return the test of all pairs; where cases are few, with p-values by permutation."""
    test = partial(test, y_true, scores, pos_label=pos_label)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", fc.SmallSampleWarning)  # the output says more
        result = test()
    status = result.status
    if not {*status}.isdisjoint(ROUGH):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # all has been said
            options = test.keywords
            positive, scores, _ = complete(y_true, scores, pos_label, options["nan_policy"])
            if "small_sample" in status:
                result = test(reference="t")
            result = permuted(result, status, positive, scores, options["n_jobs"])
    return result


def compared_in_pieces(test: partial[Any], large: Large, pos_label: str | None) -> tuple[Any, str]:
    """Return the test of all pairs of cases that are never held together, and how it was done."""
    parts = Watched(large.scan)
    test = partial(test, parts.watched, pos_label=label_of(large, pos_label))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", fc.SmallSampleWarning)  # the output says more
        result = test()
    if "small_sample" in result.status:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # all has been said
            result = test(reference="t")
    bound = np.nanmax(result.standard_error_bound / result.standard_error, initial=0.0)
    return result, (
        f"{large.rows} cases in {parts.total} row groups, read {parts.passes} times in "
        f"pieces, standard errors {f'within {bound:.1e} of themselves' if bound else 'exact'}"
    )
