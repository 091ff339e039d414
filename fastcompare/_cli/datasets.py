"""The command that compares models on many data sets."""

import fastcompare as fc

from .._report.datasets import DatasetComparison
from ..datasets import dataset_scores_file
from .arguments import DatasetFile
from .columns import BUNDLED_SCORES, complete_rows, read, read_dataset_scores, source_of
from .delivery import check_delivery, deliver
from .groups import DELIVERY, FORM, MOST_PAIRS, Delivery, FileForm
from .model_counts import check_pairs
from .options import (
    Alpha,
    Control,
    Id,
    LowerIsBetter,
    MaxPairs,
    NanPolicy,
    Plot,
    PostHoc,
    Score,
)
from .plots import check_plot, draw_diagram


def datasets(
    file: DatasetFile = None,
    id: Id = None,
    score: Score = None,
    posthoc: PostHoc = "nemenyi",
    control: Control = None,
    alpha: Alpha = 0.05,
    lower_is_better: LowerIsBetter = False,
    max_pairs: MaxPairs = MOST_PAIRS,
    plot: Plot = None,
    delivery: Delivery = DELIVERY,
    form: FileForm = FORM,
    nan_policy: NanPolicy = "raise",
) -> None:
    """Compare models by one score on each of many data sets: Friedman's test, then pairs.

    Prints each model's average rank (1 is the best), the test of all models together and, only if
    that rejects, each pair's difference of average ranks with its p-value; then a sentence. Models
    that share a letter do not differ significantly. Two models are compared by Wilcoxon's test.
    """
    check_delivery(delivery)
    check_plot(plot, delivery.force)
    table = read(file, form, dataset_scores_file)
    names, scores = read_dataset_scores(table, id, score)
    if control is None:
        check_pairs(len(scores), max_pairs, "Choose models by `--score`")

    result = fc.compare_datasets(
        scores,
        alpha=alpha,
        posthoc=posthoc,
        control=control,
        higher_is_better=not lower_is_better,
        nan_policy=nan_policy,  # type: ignore[arg-type]
    )

    draw_diagram(result.posthoc, plot, result.reasons[-1])
    source = source_of(file, BUNDLED_SCORES)
    used = complete_rows(names, scores)
    deliver(DatasetComparison(result, source=source, datasets=used), delivery)
