"""Why a result, or a part of it, is not defined or needs care: the words of `status`."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._base.exceptions import (
    SmallSampleWarning,
    UndefinedResultError,
    UndefinedResultWarning,
    warn,
)
from .._inputs.options import check_undefined

FEW = 10  # of each of several classes: below, the normal test of their averages is called rough
FEW_CASES = 30  # of a class: at 5% DeLong's normal test rejects 6.1% from 25, 6.6 from 15 cases


@dataclass(frozen=True, slots=True)
class Status:
    """What a status word means, and the warning that it is worth."""

    meaning: str
    category: type[Warning] | None = UndefinedResultWarning


STATUSES = {
    "ok": Status("", category=None),
    "small_sample": Status(
        "there are so few cases, in all or of a class, that p-values come out too small and "
        "intervals too narrow",
        SmallSampleWarning,
    ),
    "low_coverage": Status(
        "intervals by this method cover too seldom for so few cases of a class, or clusters that "
        "vary, with such an estimate (docs/coverage.md)",
        SmallSampleWarning,
    ),
    "identical": Status("the models judge the cases alike: no difference at all", category=None),
    "nearly_alike": Status(
        "the models rank most cases nearly alike: claims with a margin are bounded by the number "
        "of cases, for rare differences may be unseen",
        category=None,
    ),
    "wide_bound": Status(
        "the models rank the cases so much alike that chunks tell their standard error, which is "
        "known but for `standard_error_bound`, only roughly: see `pvalue_bounds`, or compare them "
        "in memory"
    ),
    "unvaried": Status(
        "the estimated variance is 0: p-value and interval are a bound from the number of cases",
        category=None,
    ),
    "no_discordant": Status(
        "no case is right by one model and wrong by the other: no difference at all", category=None
    ),
    "all_alike": Status(
        "all answers are right, or all are wrong: p-value 1 by convention", category=None
    ),
    "no_difference": Status("all differences are 0: p-value 1 by convention", category=None),
    "gated": Status(
        "the omnibus test does not reject, so no pair is tested, as gate=True asks", category=None
    ),
    "same_ranks": Status(
        "every data set ranks the models alike: the statistic is infinite, and the p-value is the "
        "exact chance of that",
        category=None,
    ),
    "disconnected": Status(
        "the models fall into groups that share no data set, or only some on which all tie: "
        "nothing compares the groups"
    ),
    "not_connected": Status(
        "not every model leads to every other one by wins and ties, so that no finite strengths "
        "fit: take battles of models that do, or add some that join them"
    ),
    "no_finite_estimate": Status(
        "ties, or wins of the model shown first, go with the strengths so fully that no finite and "
        "unique estimate fits: choose ties='half', or leave out `order_effect`"
    ),
    "too_few_samples": Status(
        "k is above the number of samples of an item, whose chance is not defined: take a smaller "
        "k, or leave these items out"
    ),
    "one_case": Status("there is only one case: no variance can be estimated"),
    "infinite_logit": Status(
        "a probability is 0 or 1, so its log odds are infinite: pass `clip`, or use "
        "spiegelhalter_test"
    ),
    "constant_probabilities": Status("all probabilities are equal: no slope can be fitted"),
    "separated": Status(
        "there is one class, or the probabilities separate the classes: no finite slope fits"
    ),
    "perfect_reference": Status("the reference has a Brier score of 0: no share of it is defined"),
    "infinite_loss": Status(
        "a model gave probability 0 to what came true, so its loss is infinite: pass `clip`, or "
        "compare Brier scores"
    ),
    "empty_cell": Status(
        "a cell of the joint table is empty, and Yule's Q would be 1 or -1 whatever the others are"
    ),
    "constant_answers": Status(
        "a model is right, or wrong, or answers alike on every case: agreement beyond chance "
        "cannot show"
    ),
    "perfect_agreement": Status(
        "the models agree on every case, or on none: the estimated variance is 0 and tells of no "
        "interval"
    ),
    "undefined_metric": Status(
        "the metric of a model is 0 / 0: no case is predicted positive, or none is, or a model or "
        "the truth knows one label only"
    ),
    "equal_replicates": Status(
        "all replicates are equal: choose method='asymptotic', whose interval of a proportion "
        "needs no variance"
    ),
    "one_class": Status("only one class occurs: nothing can be compared with it"),
    "missing_class": Status("a class has no cases: its AUC, and any average of it, is not defined"),
    "too_few": Status("a class has only one case: no variance can be estimated"),
    "few_clusters": Status(
        "the clusters are few, or one holds most cases: intervals are wide, and levels rough",
        SmallSampleWarning,
    ),
    "too_few_clusters": Status(
        "all cases, or all of a class, are in one cluster: no variance can be estimated"
    ),
    "single_cluster": Status(
        "a stratum holds one item, or one cluster of items: its variance cannot be estimated"
    ),
    "negative_variance": Status(
        "the variances of both kinds of clusters add up to less than that of their overlap: take "
        "the clusters of one kind"
    ),
    "bartlett": Status(
        "the autocovariances sum to a negative variance, so Bartlett's weights were given to them",
        SmallSampleWarning,
    ),
    "constant_scores": Status("all scores are equal: nothing varies"),
    "perfect_separation": Status(
        "the classes are separated perfectly, so the estimated variance is 0 and says nothing; "
        "roc_auc_interval(method='score') gives an interval for AUC = 1"
    ),
    "zero_variance": Status(
        "the estimated variance is 0, but the estimate is not: use an exact permutation test"
    ),
    "no_variation": Status(
        "every replicate gives the same value: the interval has no width, which says nothing about "
        "its precision"
    ),
    "too_few_resamples": Status(
        "fewer than two replicates are defined: nothing can be estimated from them; take more"
    ),
    "no_interval": Status(
        "the estimated variance is 0, but the estimate is not: the p-value holds, but no interval "
        "follows from it"
    ),
    "singular": Status(
        "the contrasts differ in a direction without variance: compare the models in pairs"
    ),
    "constant_differences": Status(
        "all differences are equal: they have no distribution to speak of"
    ),
    "no_sphericity": Status(
        "a contrast of the models does not vary, or there are no more rounds than contrasts: "
        "Mauchly's test is not defined"
    ),
    "interrupted": Status("the run was interrupted: only the rounds that all models ended count"),
    "too_many_models": Status(
        "more contrasts than cases of the smaller class, or clusters, can carry: compare the "
        "models in pairs"
    ),
}


def reasons(status: Any) -> dict[str, str]:
    """Return sentences on what is undefined by a status, or by some of many, by its meaning."""
    words = np.ravel(status).tolist()
    found = {}
    for word, count in Counter(words).items():
        known = STATUSES.get(word)
        if known is not None and known.category is UndefinedResultWarning:
            which = f" for {count} of {len(words)}" if count < len(words) else ""
            found[known.meaning] = f"Undefined{which}: {known.meaning}."
    return found


def announce(status: str, on_undefined: str, detail: str = "") -> None:
    """Warn if `status` says that something is rough, and warn or raise if it is undefined."""
    check_undefined(on_undefined)
    meaning, category = STATUSES[status].meaning, STATUSES[status].category
    if category is None or on_undefined == "ignore":
        return
    message = f"{status}: {meaning}{detail}."
    if on_undefined == "raise" and category is UndefinedResultWarning:
        raise UndefinedResultError(message)
    warn(message, category)


def difference_status(
    n_positive: int,
    n_negative: int,
    variance: float,
    estimate: float,
    aucs: Iterable[float],
    few: int = FEW_CASES,
    margin: float = 0.0,
) -> str:
    """Return the status word of a comparison of AUCs of the same cases.

    The test is rough below `few` cases of a class.
    """
    status = sample_status(n_positive, n_negative, few)
    if status in ("one_class", "too_few") or variance > 0.0:
        return status
    if math.isnan(variance):
        return "too_few_resamples"
    if margin or estimate:
        return unvaried_status(estimate, margin)
    return "perfect_separation" if set(aucs) <= {0.0, 1.0} else "identical"


def unvaried_status(estimate: float, margin: float, alike: str = "identical") -> str:
    """Return the status word of an estimate without variance: `alike` where it is 0."""
    if not estimate:
        return alike
    return "unvaried" if margin else "zero_variance"


def sample_status(n_positive: int, n_negative: int, few: int = FEW_CASES) -> str:
    """Return the status word of the numbers of cases alone, of which below `few` are too few."""
    fewest = min(n_positive, n_negative)
    if fewest == 0:
        return "one_class"
    if fewest == 1:
        return "too_few"
    return "small_sample" if fewest < few else "ok"
