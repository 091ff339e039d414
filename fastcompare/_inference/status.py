"""Why a result, or a part of it, is not defined or needs care: the words of `status`."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._base.exceptions import (
    DesignWarning,
    SmallSampleWarning,
    UndefinedResultError,
    UndefinedResultWarning,
    warn,
)
from .._inputs.options import check_undefined

FEW = 10  # cases of each of several classes: below, the normal test of averages is approximate
FEW_CASES = 30  # of a class: at 5% DeLong's normal test rejects 6.1% from 25, 6.6 from 15 cases


@dataclass(frozen=True, slots=True)
class Status:
    """The meaning of a status word, and the category of its warning; None for no warning.

    `where_defined` is what it means beside a defined p-value or interval, if that is not the same.
    """

    meaning: str
    category: type[Warning] | None = UndefinedResultWarning
    where_defined: str = ""


def silent_status(meaning: str) -> Status:
    """Return the status of a word that needs no warning."""
    return Status(meaning, None)


def small_sample_status(meaning: str) -> Status:
    """Return the status of a word that warns of too few cases, clusters or readers."""
    return Status(meaning, SmallSampleWarning)


STATUSES = {
    "ok": silent_status(""),
    "small_sample": small_sample_status(
        "too few cases, overall or in a class: p-values may be too small and intervals too narrow"
    ),
    "unseen_failures": small_sample_status(
        "so small a sample may lack failures of the better model that would explain the difference"
    ),
    "informative_weights": small_sample_status(
        "the sampling weights depend on the scores and vary much: cases with large weights that "
        "the sample lacks may change the AUCs"
    ),
    "low_coverage": small_sample_status(
        "intervals by this method undercover with so few cases of a class, or with so few or so "
        "unequal clusters, at such an estimate (docs/evidence/auc_coverage.md)"
    ),
    "identical": silent_status(
        "the models rank or classify all cases identically: the difference is exactly 0"
    ),
    "nearly_alike": silent_status(
        "the models rank most cases almost identically: claims with a margin are limited by the "
        "number of cases, because rare differences may not have been observed"
    ),
    "wide_bound": Status(
        "the models rank the cases so similarly that chunked data give their standard error only "
        "within `standard_error_bound`: see `pvalue_bounds`, or compare them in memory"
    ),
    "unvaried": silent_status(
        "the estimated variance is 0: the p-value and the interval are bounds derived from the "
        "number of cases"
    ),
    "no_discordant": silent_status("there are no discordant cases: the difference is exactly 0"),
    "all_alike": silent_status(
        "all answers are correct, or all are wrong: the p-value is 1 by convention"
    ),
    "no_difference": silent_status("all differences are 0: the p-value is 1 by convention"),
    "gated": silent_status("the omnibus test does not reject, so pairs are not tested (gate=True)"),
    "same_ranks": silent_status(
        "every data set ranks the models identically: the statistic is infinite and the p-value is "
        "the exact probability of that event"
    ),
    "disconnected": Status(
        "the models fall into groups that share no data set (or only data sets on which all tie), "
        "so the groups cannot be compared"
    ),
    "not_connected": Status(
        "the battles are not connected: some models cannot be reached from others through wins and "
        "ties, so no finite strengths exist. Drop those models, or add battles that connect them"
    ),
    "no_finite_estimate": Status(
        "ties, or wins of the model shown first, are confounded with the strengths, so no finite "
        "and unique estimate exists: choose ties='half', or leave out `order_effect`"
    ),
    "one_order": Status(
        "the same model is shown first in all battles of a pair, so strength cannot be separated "
        "from an advantage of being shown first: show each pair in both orders",
        DesignWarning,
    ),
    "too_few_samples": Status(
        "k exceeds the number of samples of an item, so pass@k is undefined: use a smaller k, or "
        "drop these items"
    ),
    "one_case": Status("there is only one case: the variance cannot be estimated"),
    "infinite_logit": Status(
        "a probability is 0 or 1, so its log odds are infinite: pass `clip`, or use "
        "spiegelhalter_test"
    ),
    "certain_score": Status(
        "all probabilities are 0, 0.5 or 1, so calibrated ones leave the Brier score no variance: "
        "calibration_error has a p-value"
    ),
    "constant_probabilities": Status("all probabilities are equal: a slope cannot be fitted"),
    "separated": Status(
        "there is only one class, or the probabilities separate the classes perfectly: the slope "
        "is not finite"
    ),
    "perfect_reference": Status(
        "the reference has a Brier score of 0: the skill score is undefined"
    ),
    "infinite_loss": Status(
        "a model assigned probability 0 to an outcome that occurred, so its loss is infinite: pass "
        "`clip`, or compare Brier scores"
    ),
    "empty_cell": Status(
        "a cell of the 2 x 2 table is empty, so Yule's Q would be 1 or -1 whatever the other cells "
        "are, or is 0 / 0"
    ),
    "constant_answers": Status(
        "a model is correct (or wrong, or gives the same answer) on every case: correlations and "
        "Yule's Q are undefined, and kappa where the other model does the same"
    ),
    "perfect_agreement": Status(
        "the models agree on every case or on none, or one gives a single answer: the estimated "
        "variance is 0, so there is no interval"
    ),
    "one_answer": silent_status(
        "a model gives the same answer on every case: agreement beyond chance is 0, whatever the "
        "other model answers, and the p-value is 1 by convention"
    ),
    "undefined_metric": Status(
        "the metric of a model is 0 / 0: no case is predicted or truly positive, or the "
        "predictions or true labels are constant"
    ),
    "equal_replicates": Status(
        "all replicates are equal: choose method='asymptotic', whose interval for a proportion "
        "needs no variance"
    ),
    "one_class": Status("only one class is present"),
    "missing_class": Status(
        "a class has no cases: its AUC, and any average that includes it, is undefined"
    ),
    "no_pairs": Status(
        "no pair of cases has a known order in time: no event comes before another case"
    ),
    "one_event": Status("only one event is compared: the variance cannot be estimated"),
    "heavy_weights": small_sample_status(
        "few cases carry most of the weight, since few are left uncensored at their times or at "
        "the horizon: choose an earlier `tau` or `horizon`"
    ),
    "censored_early": Status(
        "the last case, overall or in a bin, is censored before the horizon, so the rate of events "
        "is unknown: choose an earlier `horizon`, or fewer bins"
    ),
    "one_class_groups": Status(
        "every group contains cases of one class alone, so there is no AUC within groups: choose "
        "larger groups, or the AUC over all cases"
    ),
    "one_group": Status(
        "only one group contains both classes, so how groups vary cannot be estimated: choose "
        "design='fixed', which needs no more"
    ),
    "too_few": Status("a class has only one case: the variance cannot be estimated"),
    "few_clusters": small_sample_status(
        "there are few clusters, or one contains most cases: intervals are wide, and the level of "
        "the test is approximate"
    ),
    "few_items": small_sample_status(
        "few items or clusters have most of the denominators, or most of what varies: the level of "
        "tests and intervals is approximate"
    ),
    "few_readers": small_sample_status(
        "there are few readers for how much they vary: with so few degrees of freedom the level is "
        "approximate, and the interval is wide"
    ),
    "no_spread": Status(
        "the treatments differ, but neither readers nor cases make the difference vary: the "
        "p-value is undefined"
    ),
    "too_few_clusters": Status(
        "all cases, or all cases of a class, are in one cluster: the variance cannot be estimated"
    ),
    "single_cluster": Status(
        "a stratum contains a single item or cluster: its variance cannot be estimated"
    ),
    "negative_variance": Status(
        "the two-way cluster-robust variance is negative: use the clusters of one kind"
    ),
    "bartlett": small_sample_status(
        "the autocovariances sum to a negative variance, so Bartlett weights were used"
    ),
    "outside_horizon": Status(
        "there is no event by the horizon, or no case is known to be without one: choose a time "
        "after the first event and before the last time"
    ),
    "constant_scores": Status(
        "all scores are equal: there is no variation",
    ),
    "perfect_separation": Status(
        "the classes are perfectly separated, so the estimated variance is 0 and uninformative; "
        "of two classes roc_auc_interval(method='score') gives an interval for AUC = 1",
        where_defined="the classes are perfectly separated, so the estimated variance is 0: any "
        "p-value is 1 by convention, any interval an exact bound",
    ),
    "zero_variance": Status(
        "the estimated variance is 0 although the estimate is not, so it does not tell how precise "
        "the estimate is"
    ),
    "no_variation": Status(
        "all replicates are equal, which says nothing about precision: there is no interval"
    ),
    "too_few_resamples": Status("fewer than two replicates are defined: use more replicates"),
    "no_interval": Status(
        "the estimated variance is 0 although the estimate is not: the p-value is valid, but there "
        "is no interval"
    ),
    "singular": Status(
        "the covariance matrix of the contrasts is singular: compare the models in pairs"
    ),
    "constant_differences": Status("all differences are equal: they have no distribution to test"),
    "no_sphericity": Status(
        "a contrast of the models is constant, or there are no more rounds than contrasts: "
        "Mauchly's test is undefined"
    ),
    "interrupted": Status("the run was interrupted: only rounds completed by all models are used"),
    "too_many_models": Status(
        "too many contrasts for the number of cases of the smaller class, or of clusters: compare "
        "the models in pairs"
    ),
}


def undefined_reasons(status: Any, is_defined: Any = False) -> dict[str, str]:
    """Return {meaning: sentence} of the status words that make a result, or a part, undefined.

    For example {"only one class is present": "Undefined for 2 of 3: only one class is present."}.
    Where `is_defined` says that there are numbers nevertheless, the sentence is a caution.
    """
    words = np.atleast_1d(np.asarray(status)).ravel()
    defined = np.ravel(is_defined)
    if defined.size != words.size:  # one word of several p-values, say
        defined = np.full(words.shape, defined.size > 0 and defined.all())
    sentences = {}
    for word, count in Counter(words.tolist()).items():
        entry = STATUSES.get(word)
        if entry is not None and entry.category is UndefinedResultWarning:
            which = f" for {count} of {len(words)}" if count < len(words) else ""
            start, meaning = "Undefined", entry.meaning
            if defined[words == word].all():
                start, meaning = "Caution", entry.where_defined or meaning
            sentences[entry.meaning] = f"{start}{which}: {meaning}."
    return sentences


def caution_of_status(status: str) -> str:
    """Return a sentence on what the status calls approximate, '' if it is undefined or neither.

    `undefined_reasons` has the sentence on undefined parts, with which summaries end.
    """
    entry = STATUSES[status]
    if entry.category in (None, UndefinedResultWarning):
        return ""
    return f" Caution: {entry.meaning}."


def warn_status(status: str, on_undefined: str, detail: str = "") -> None:
    """Warn if `status` says that something is approximate, and warn or raise if it is undefined."""
    check_undefined(on_undefined)
    entry = STATUSES[status]
    if entry.category is None or on_undefined == "ignore":
        return
    message = f"{status}: {entry.meaning}{detail}."
    if on_undefined == "raise" and entry.category is UndefinedResultWarning:
        raise UndefinedResultError(message)
    warn(message, entry.category)


def difference_status(
    n_positive: int,
    n_negative: int,
    variance: float,
    estimate: float,
    aucs: Iterable[float],
    few: int = FEW_CASES,
    margin: float = 0.0,
) -> str:
    """Return the status word of the difference of two AUCs on the same cases.

    'small_sample' below `few` cases of a class. Where the variance is 0 it says whether the models
    are identical, separate the classes perfectly or differ equally on all pairs.
    """
    status = sample_status(n_positive, n_negative, few)
    if status in ("one_class", "too_few") or variance > 0.0:
        return status
    if math.isnan(variance):
        return "too_few_resamples"
    if margin or estimate:
        return unvaried_status(estimate, margin)
    return "perfect_separation" if set(aucs) <= {0.0, 1.0} else "identical"


def unvaried_status(estimate: float, margin: float, no_difference: str = "identical") -> str:
    """Return the status word of an estimate whose variance is 0.

    `no_difference` if the estimate is 0; else 'unvaried' for a claim with a margin, which has an
    exact bound, and 'zero_variance' without.
    """
    if not estimate:
        return no_difference
    return "unvaried" if margin else "zero_variance"


def sample_status(n_positive: int, n_negative: int, few: int = FEW_CASES) -> str:
    """Return the status word by the numbers of cases: 'small_sample' below `few` of a class."""
    fewest = min(n_positive, n_negative)
    if fewest == 0:
        return "one_class"
    if fewest == 1:
        return "too_few"
    return "small_sample" if fewest < few else "ok"
