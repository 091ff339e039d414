"""The command that compares models by the losses of their probabilities."""

from dataclasses import replace
from functools import partial
from typing import Any

import fastcompare as fc

from .._report.probabilities import ProbabilityComparison, model_scores
from .._report.shown_test import ShownTest
from .arguments import File
from .columns import as_label, column_of, complete, read, read_cases, source_of
from .delivery import check_delivery, deliver
from .groups import CLAIM, DELIVERY, DRAWING, FORM, Claim, Delivery, Drawing, FileForm
from .kind_options import ClusterColumn
from .model_counts import check_count, only_of_two
from .options import (
    Clip,
    Label,
    LossMethod,
    NanPolicy,
    PosLabel,
    Probability,
    Rule,
)


def probabilities(
    file: File = None,
    label: Label = "y_true",
    probability: Probability = None,
    pos_label: PosLabel = None,
    rule: Rule = "brier",
    clip: Clip = None,
    cluster: ClusterColumn = None,
    method: LossMethod = "t",
    claim: Claim = CLAIM,
    drawing: Drawing = DRAWING,
    delivery: Delivery = DELIVERY,
    form: FileForm = FORM,
    nan_policy: NanPolicy = "raise",
) -> None:
    """Compare models' probabilities for the same cases, all pairs, by the t-test of their losses.

    Prints each model's Brier score, log loss and expected calibration error (10 bins), each pair's
    difference of losses with its interval, t, p and adjusted p, and a sentence. Lower losses are
    better. Intervals of differences are not adjusted for the number of pairs unless --simultaneous
    is given.
    """
    check_delivery(delivery)
    of_two, table = only_of_two(claim), read(file, form)
    y_true, columns = read_cases(table, label, probability, "--probability", (cluster,))
    check_count(columns, claim, "--probability", of_two)
    groups = column_of(table, "--cluster", cluster)
    cases = complete(y_true, columns, as_label(y_true, pos_label), nan_policy, groups)
    test: partial[Any] = partial(
        fc.scoring_test if of_two else fc.scoring_pairwise_test,
        cases.positive,
        cases.columns,
        rule=rule,
        clip=clip if rule == "log" else None,
        method=method,
        groups=cases.groups,
        alternative=claim.alternative,  # type: ignore[arg-type]
        **drawing.options,
    )

    source = source_of(file)
    if of_two:
        result = replace(test(margin=claim.margin), n_dropped=cases.n_dropped)
        deliver(ShownTest(result, claim.confidence_level, source), delivery)
        return
    result = replace(test(correction=claim.correction), n_dropped=cases.n_dropped)
    scores = model_scores(cases.positive, cases.columns, clip)
    shown = ProbabilityComparison(
        result, *claim.intervals, source, labels=cases.positive, scores=scores
    )
    deliver(shown, delivery)
