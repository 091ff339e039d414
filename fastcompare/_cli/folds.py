"""The command that compares models by their scores per fold."""

from .._report.folds import FoldComparison
from .._report.shown_test import ShownTest
from ..datasets import N_TEST, N_TRAIN, fold_scores_file
from .arguments import RoundsFile
from .columns import BUNDLED_FOLDS, read, source_of
from .delivery import check_delivery, deliver
from .groups import CLAIM, DELIVERY, FORM, Claim, Delivery, FileForm
from .model_counts import check_count, only_of_two
from .options import (
    Long,
    Model,
    ModelColumn,
    RoundColumn,
    RoundPolicy,
    ScoreColumn,
    TestSize,
    TrainSize,
)
from .rounds import ROUND, LongColumns, compare_rounds, compare_two, read_long, read_wide


def folds(
    file: RoundsFile = None,
    model: Model = None,
    n_train: TrainSize = None,
    n_test: TestSize = None,
    long: Long = False,
    model_column: ModelColumn = "model",
    round_column: RoundColumn = ROUND,
    score_column: ScoreColumn = "score",
    claim: Claim = CLAIM,
    delivery: Delivery = DELIVERY,
    form: FileForm = FORM,
    nan_policy: RoundPolicy = "raise",
) -> None:
    """Compare models' scores in the same folds or random splits, all pairs, by corrected t-tests.

    Prints each model's mean score and standard deviation over rounds, each pair's difference with
    its interval, t, p and adjusted p, the repeated-measures ANOVA of more than two models, and a
    sentence. All tests have Nadeau and Bengio's correction for rounds that share cases. Intervals
    of differences are not adjusted for the number of pairs unless --simultaneous is given.
    """
    check_delivery(delivery)
    table = read(file, form, fold_scores_file)
    columns = LongColumns(model_column, round_column, score_column)
    scores = read_long(table, model, columns) if long else read_wide(table, model, columns)
    sizes = (n_train, n_test)
    if file is None and sizes == (None, None):
        sizes = (N_TRAIN, N_TEST)

    source = source_of(file, BUNDLED_FOLDS)
    of_two = only_of_two(claim)
    check_count(scores, claim, "--model", of_two)
    if of_two:
        result = compare_two(scores, sizes, claim, nan_policy)
        deliver(ShownTest(result, claim.confidence_level, source), delivery)
        return
    result, deviations = compare_rounds(
        scores,
        sizes,
        alternative=claim.alternative,
        correction=claim.correction,
        nan_policy=nan_policy,
    )
    deliver(FoldComparison(result, *claim.intervals, source, deviations), delivery)
