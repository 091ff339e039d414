"""The command that compares models by the labels they predict."""

from dataclasses import replace

import fastcompare as fc

from .._report.labels import LabelComparison
from .columns import as_label, predicted, read, read_cases, read_predictions, source_of
from .delivery import check_delivery, deliver
from .groups import CLAIM, DELIVERY, FORM, Claim, Delivery, FileForm
from .options import File, Label, Method, NanPolicy, PosLabel, Prediction, Threshold

BUNDLED_THRESHOLD = 0.5


def labels(
    file: File = None,
    label: Label = "y_true",
    prediction: Prediction = None,
    threshold: Threshold = None,
    pos_label: PosLabel = None,
    method: Method = "auto",
    claim: Claim = CLAIM,
    delivery: Delivery = DELIVERY,
    form: FileForm = FORM,
    nan_policy: NanPolicy = "raise",
) -> None:
    """Compare the accuracies of models that labelled the same cases, all pairs, by McNemar's test.

    Prints each model's accuracy with Wilson's interval, each pair's numbers of cases that only the
    first (n10) and only the second (n01) has right, their difference with Tango's interval, p and
    adjusted p, and a sentence. Intervals of differences are not adjusted for the number of pairs
    unless --simultaneous is given.
    """
    check_delivery(delivery)
    table = read(file, form)
    if file is None and threshold is None:
        threshold = BUNDLED_THRESHOLD
    if threshold is None:
        y_true, predictions, n_dropped = *read_predictions(table, label, prediction, pos_label), 0
    else:
        y_true, scores = read_cases(table, label, prediction, "--prediction")
        positive = as_label(y_true, pos_label)
        y_true, predictions, n_dropped = predicted(y_true, scores, threshold, positive, nan_policy)

    result = fc.mcnemar_pairwise_test(
        y_true,
        predictions,
        method=method,
        alternative=claim.alternative,  # type: ignore[arg-type]
        correction=claim.correction,
        nan_policy=nan_policy,  # type: ignore[arg-type]
    )

    result = replace(result, n_dropped=result.n_dropped + n_dropped)
    comparison = LabelComparison(result, *claim.intervals, source_of(file))
    deliver(comparison, delivery)
