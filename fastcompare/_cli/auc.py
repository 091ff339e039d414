"""The command that compares models by the AUCs of their scores."""

import fastcompare as fc

from ..report.auc import AUCComparison
from .columns import as_label, read, read_cases, source_of
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
    number of pairs unless --simultaneous is given.
    """
    check_delivery(delivery)
    y_true, scores = read_cases(read(file, form), label, score, "--score")

    result = fc.delong_pairwise_test(
        y_true,
        scores,
        alternative=claim.alternative,  # type: ignore[arg-type]
        correction=claim.correction,
        pos_label=as_label(y_true, pos_label),
        nan_policy=nan_policy,  # type: ignore[arg-type]
        n_jobs=n_jobs,
    )

    comparison = AUCComparison(result, *claim.intervals, source_of(file))
    deliver(comparison, delivery)
