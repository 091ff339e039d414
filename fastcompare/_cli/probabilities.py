"""The command that compares models by the losses of their probabilities."""

from dataclasses import replace

import fastcompare as fc

from .._report.probabilities import ProbabilityComparison, model_scores
from .columns import as_label, complete, read, read_cases, source_of
from .delivery import check_delivery, deliver
from .groups import CLAIM, DELIVERY, FORM, Claim, Delivery, FileForm
from .options import Clip, File, Label, NanPolicy, PosLabel, Probability, Rule


def probabilities(
    file: File = None,
    label: Label = "y_true",
    probability: Probability = None,
    pos_label: PosLabel = None,
    rule: Rule = "brier",
    clip: Clip = None,
    claim: Claim = CLAIM,
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
    y_true, columns = read_cases(read(file, form), label, probability, "--probability")
    positive = as_label(y_true, pos_label)
    y_true, columns, n_dropped = complete(y_true, columns, positive, nan_policy)

    result = fc.scoring_pairwise_test(
        y_true,
        columns,
        rule=rule,
        clip=clip if rule == "log" else None,
        alternative=claim.alternative,  # type: ignore[arg-type]
        correction=claim.correction,
    )

    comparison = ProbabilityComparison(
        replace(result, n_dropped=n_dropped),
        *claim.intervals,
        source_of(file),
        labels=y_true,
        scores=model_scores(y_true, columns, clip),
    )
    deliver(comparison, delivery)
