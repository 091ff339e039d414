"""asv: seconds and memory of public functions, and how much of its limit each section takes.

Seconds compare the commits of one machine. Ratios within one run, which compare machines too, are
the rows of `benchmarks.limits`, with what each may be.
"""

from functools import partial

import numpy as np

import fastcompare as fc

from ..cases import (
    answer_table,
    batch_cases,
    battles,
    data_set_scores,
    fold_scores,
    forecasts,
    item_scores,
    predicted_labels,
    scored_cases,
    times_to_event,
)
from ..limits.__main__ import SECTIONS


def two_models(n, **options):
    """Return labels and the scores of two models."""
    labels, scores = scored_cases(n, **options)
    return labels, *scores


def many_models(n, k):
    """Return labels, and scores with a column for each model."""
    labels, scores = scored_cases(n, k=k)
    return labels, scores.T


def subgroups(n):
    """Return labels, the scores of two models, and the subgroups of the cases."""
    return *two_models(n), np.arange(n) % 4


def users(n):
    """Return labels, the scores of two models, and the users of the cases."""
    return *two_models(n), np.arange(n) % (n // 20)


def many_problems(n, problems):
    """Return the labels that problems share, and the scores of two models in each."""
    labels, scores = batch_cases(problems, n)
    return labels, *scores


def clustered_items(n):
    """Return two models' scores of items, and the clusters."""
    a, b, groups = item_scores(n)
    return {"scores_a": a, "scores_b": b, "groups": groups}


def two_treatments(n, readers):
    """Return scores of readers under two treatments, and the truth."""
    labels, scores = scored_cases(n, k=2 * readers)
    return {"data": scores.reshape(2, readers, n), "truth": labels}


def forecast_times(n):
    """Return times, events and a model's probabilities of an event by 1."""
    time, event, score, _ = times_to_event(n)
    return time, event, 1.0 / (1.0 + np.exp(-score))


DRAWS = {"rng": 0}
CALLS = {  # function: its arguments, and what else it is given
    "delong_test, n = 100": (fc.delong_test, partial(two_models, 100)),
    "delong_test, n = 10^4": (fc.delong_test, partial(two_models, 10**4)),
    "delong_test, n = 10^6": (fc.delong_test, partial(two_models, 10**6)),
    "delong_pairwise_test, k = 50": (fc.delong_pairwise_test, partial(many_models, 10**4, 50)),
    "delong_omnibus_test, k = 50": (fc.delong_omnibus_test, partial(many_models, 10**4, 50)),
    "delong_interaction_test": (fc.delong_interaction_test, partial(subgroups, 10**5)),
    "within_auc_test, 5,000 users": (fc.within_auc_test, partial(users, 10**5)),
    "delong_batch, 1,000 problems": (fc.delong_batch, partial(many_problems, 100, 1000)),
    "bootstrap_auc_test": (fc.bootstrap_auc_test, partial(two_models, 10**4), DRAWS),
    "permutation_auc_test": (fc.permutation_auc_test, partial(two_models, 1000), DRAWS),
    "average_precision_test": (fc.average_precision_test, partial(two_models, 1000), DRAWS),
    "mcnemar_test, n = 10^6": (fc.mcnemar_test, partial(predicted_labels, 10**6)),
    "mcnemar_pairwise_test, k = 50": (fc.mcnemar_pairwise_test, partial(answer_table, 10**4, 50)),
    "cochran_q_test, k = 50": (fc.cochran_q_test, partial(answer_table, 10**4, 50)),
    "scoring_test, n = 10^6": (fc.scoring_test, partial(forecasts, 10**6)),
    "concordance_test, n = 10^5": (fc.concordance_test, partial(times_to_event, 10**5)),
    "calibration_test": (fc.calibration_test, lambda: forecasts(10**5)[:2]),
    "paired_mean_test in clusters": (fc.paired_mean_test, partial(clustered_items, 10**5)),
    "permutation_survival_test": (
        fc.permutation_survival_test,
        partial(times_to_event, 1000),
        DRAWS,
    ),
    "survival_calibration": (
        fc.survival_calibration,
        partial(forecast_times, 10**5),
        {"horizon": 1.0},
    ),
    "auc_at_test": (fc.auc_at_test, partial(times_to_event, 10**5), {"horizon": 1.0}),
    "bradley_terry": (fc.bradley_terry, partial(battles, 10**4, 20)),
    "reader_study_test, 2 x 10 readers": (fc.reader_study_test, partial(two_treatments, 10**4, 10)),
    "ttest_corrected_pairwise_test": (
        fc.ttest_corrected_pairwise_test,
        lambda: [fold_scores(100, 10)],
        {"n_train": 90, "n_test": 10},
    ),
    "rm_anova_test": (fc.rm_anova_test, lambda: [fold_scores(100, 10)]),
    "friedman_test": (fc.friedman_test, lambda: [data_set_scores(1000, 20)]),
    "wilcoxon_pairwise_test": (fc.wilcoxon_pairwise_test, lambda: [data_set_scores(100, 20)]),
}


class Calls:
    """The public functions that users wait for, compiled."""

    params = tuple(CALLS)
    param_names = ("call",)

    def setup(self, name):
        function, arguments, *options = CALLS[name]
        given = arguments()
        named = given if isinstance(given, dict) else {}
        self.call = partial(function, *([] if named else given), **named, **dict(*options))
        self.call()

    def time_call(self, name):
        self.call()

    def peakmem_call(self, name):
        self.call()


class Limits:
    """The row of a section that takes most of its limit: above 1, it is too slow."""

    params = tuple(section.__name__ for section in SECTIONS)
    param_names = ("section",)
    timeout = 600.0
    unit = "of the limit"

    def track_share(self, name):
        (section,) = (section for section in SECTIONS if section.__name__ == name)
        return max(row.measured / row.limit for row in section(True))
