"""The command that compares models by the labels they predict."""

from dataclasses import replace
from functools import partial
from typing import Any

import fastcompare as fc

from .._report.labels import LabelComparison
from .._report.shown_test import ShownTest
from .arguments import File
from .columns import as_label, column_of, predicted, read, read_cases, read_predictions, source_of
from .delivery import check_delivery, deliver
from .groups import CLAIM, DELIVERY, FORM, Claim, Delivery, FileForm
from .kind_options import ClusterColumn
from .model_counts import check_count, only_of_two
from .options import (
    Label,
    Method,
    NanPolicy,
    PosLabel,
    Prediction,
    Threshold,
)

BUNDLED_THRESHOLD = 0.5


def labels(
    file: File = None,
    label: Label = "y_true",
    prediction: Prediction = None,
    threshold: Threshold = None,
    pos_label: PosLabel = None,
    cluster: ClusterColumn = None,
    method: Method = "auto",
    claim: Claim = CLAIM,
    delivery: Delivery = DELIVERY,
    form: FileForm = FORM,
    nan_policy: NanPolicy = "raise",
) -> None:
    """Compare the accuracies of models that labelled the same cases, all pairs, by McNemar's test.

    Prints each model's accuracy with Wilson's interval, each pair's numbers of cases that only the
    first (n10) and only the second (n01) has right, their difference with its interval, p and
    adjusted p, and a sentence. Intervals of differences are not adjusted for the number of pairs
    unless --simultaneous is given.
    """
    check_delivery(delivery)
    of_two = only_of_two(claim)
    table = read(file, form)
    if file is None and threshold is None:
        threshold = BUNDLED_THRESHOLD
    groups, n_dropped = column_of(table, "--cluster", cluster), 0
    if threshold is None:
        y_true, found = read_predictions(table, label, prediction, pos_label, (cluster,))
    else:
        y_true, scores = read_cases(table, label, prediction, "--prediction", (cluster,))
        positive = as_label(y_true, pos_label)
        cases = (y_true, scores, threshold, positive, nan_policy, groups)
        y_true, found, n_dropped, groups = predicted(*cases)
    check_count(found, claim, "--prediction", of_two)
    test: partial[Any] = partial(
        fc.mcnemar_test if of_two else fc.mcnemar_pairwise_test,
        y_true,
        found,
        method=method,
        groups=groups,
        alternative=claim.alternative,  # type: ignore[arg-type]
        nan_policy=nan_policy,  # type: ignore[arg-type]
    )

    source = source_of(file)
    result = test(margin=claim.margin) if of_two else test(correction=claim.correction)
    result = replace(result, n_dropped=result.n_dropped + n_dropped)
    if of_two:
        deliver(ShownTest(result, claim.confidence_level, source), delivery)
    else:
        deliver(LabelComparison(result, *claim.intervals, source), delivery)
