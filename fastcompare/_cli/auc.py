"""The command that compares models by the AUCs of their scores."""

import warnings
from functools import partial

import fastcompare as fc

from ..report.auc import AUCComparison
from .columns import as_label, complete, read, read_cases, source_of
from .few_cases import ROUGH, permuted
from .groups import CLAIM, DELIVERY, FORM, Claim, Delivery, FileForm
from .options import File, Jobs, Label, NanPolicy, PosLabel, Score
from .terminal import check_delivery, deliver


def auc(
    file: File = None,
    label: Label = "y_true",
    score: Score = None,
    pos_label: PosLabel = None,
    claim: Claim = CLAIM,
    delivery: Delivery = DELIVERY,
    form: FileForm = FORM,
    nan_policy: NanPolicy = "raise",
    n_jobs: Jobs = 1,
) -> None:
    """Compare the AUCs of models that scored the same cases, all pairs, by DeLong's test.

    Prints each model's AUC with its standard error and interval, each pair's difference with its
    interval, z, p and adjusted p, and a sentence. Intervals of differences are not adjusted for the
    number of pairs unless --simultaneous is given. Below 30 cases of a class, p is that of a
    permutation test, and intervals are by Student's t.
    """
    check_delivery(delivery)
    y_true, scores = read_cases(read(file, form), label, score, "--score")

    label_of = as_label(y_true, pos_label)
    test = partial(
        fc.delong_pairwise_test,
        y_true,
        scores,
        alternative=claim.alternative,  # type: ignore[arg-type]
        correction=claim.correction,
        pos_label=label_of,
        nan_policy=nan_policy,  # type: ignore[arg-type]
        n_jobs=n_jobs,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", fc.SmallSampleWarning)  # the output says more
        result = test()
    status = result.status
    if not {*status}.isdisjoint(ROUGH):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # all has been said
            positive, scores, _ = complete(y_true, scores, label_of, nan_policy)
            if "small_sample" in status:
                result = test(reference="t")
            result = permuted(result, status, positive, scores, n_jobs)

    comparison = AUCComparison(result, *claim.intervals, source_of(file))
    deliver(comparison, delivery)
