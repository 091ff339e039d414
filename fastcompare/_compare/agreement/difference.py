"""Whether two models agree equally well with the same truth, by Cohen's kappa.

Notation: f is the influence of a case on kappa, by its true and its predicted label; the difference
of two kappas of the same cases has the influence f_a - f_b.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._base.documented import documented
from ..._base.memory import reserve
from ..._base.text import figure
from ..._base.types import Alternative, AnyLabels, Integers, NanPolicy, Undefined, Vector
from ..._inference.infer import infer
from ..._inference.status import announce, unvaried_status
from ..._inference.unvaried import Unvaried, rarest_bound
from ..._inputs.options import check_alternative, check_margin, check_undefined
from ..._inputs.ordering import as_label_order, check_kappa, label_distances
from ..._inputs.predictions import LabelTable, as_pair_predictions, codes
from ..._inputs.raters import COPIES, MANY_LABELS
from ..._results.records import StudentResult
from .measures import Floats, kappa_estimate, kappa_influence

OTHERS = 5  # cases of other labels than the commonest; with fewer levels reach 7 %, else some 6
CURE = "; permutation_metric_test(metric='cohen-kappa') is exact"


@dataclass(frozen=True, eq=False, kw_only=True)
class CohenKappaTestResult(StudentResult):
    """Result of `cohen_kappa_test`; `estimate` is ``kappa[0] - kappa[1]``."""

    kappa: NDArray[np.float64]
    weights: str
    classes: tuple[Any, ...]
    n: int
    n_dropped: int
    title: ClassVar[str] = "Test of Cohen's kappa of two models with the same truth"
    bounds: ClassVar[tuple[float, float]] = (-2.0, 2.0)
    digits: ClassVar[str] = ".3f"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        both = self._of_both(*map(figure, self.kappa))
        return (
            f"The values of Cohen's kappa are {both}, a difference of {figure(self.estimate)} "
            f"({self._stated_interval()}; {self.method}{self._stated_claim()}, "
            f"{self._evidence()})."
        )


class Numbered(NamedTuple):
    """Labels as places in their order: the truth (n,), both predictions (2, n), and the labels."""

    truth: Integers
    predicted: Integers
    classes: tuple[Any, ...]


@documented
def cohen_kappa_test(
    y_true: AnyLabels,
    y_pred_a: LabelTable,
    y_pred_b: ArrayLike | None = None,
    *,
    weights: Literal["linear", "quadratic"] | None = None,
    classes: Sequence[Any] | None = None,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> CohenKappaTestResult:
    """Test whether two classifiers agree equally well with the truth, by Cohen's kappa.

    The two kappas are of the same cases, and their correlation is accounted for.

    Parameters
    ----------
    weights : {None, 'linear', 'quadratic'}, optional
        How much two labels differ, by the places between them or the square.
    classes : sequence, optional
        All labels in their order, if it is not that of numbers; `weights` of strings need it.

    Returns
    -------
    CohenKappaTestResult
        With ``statistic`` (Student's t), ``df`` (n - 1), ``pvalue``, ``log_pvalue``, ``estimate``
        (the first kappa less the second), ``standard_error``, ``kappa`` (2,), ``classes``,
        ``weights``, ``n``, ``n_dropped``, ``names``, ``status``, and the methods
        ``confidence_interval(confidence_level)``, ``summary()`` and ``to_dict()``.

    Warns
    -----
    SmallSampleWarning
        If fewer than 5 cases have another true label than the commonest: the test rejects up to 7 %
        of equal kappas at the 5 % level there, else some 6 % (`docs/labels.md`).
    UndefinedResultWarning
        If the truth and a model have one and the same label on every case, there is one case, or,
        without a margin, the variance is 0 and the difference is not.

    See Also
    --------
    permutation_metric_test : An exact p-value for few cases, with ``metric="cohen-kappa"``.
    bootstrap_metric_test : The same by resampling cases, or clusters of them.
    cohen_kappa : How well two models agree with one another.

    Notes
    -----
    With p_o the share of labels that agree with the truth, and p_e the share that would by chance::

        kappa = (p_o - p_e) / (1 - p_e)
        t = (kappa_a - kappa_b) / SE,    SE^2 = sum (f_a - f_b)^2 / (n (n - 1)),    df = n - 1

    The standard error is that of the mean of f_a - f_b over cases, where f is the influence of a
    case on kappa (the delta method; Fleiss, Cohen and Everitt's for one kappa). Models that label
    every case alike have statistic 0, p-value 1 and status 'identical'.

    References
    ----------
    .. [1] J. Cohen (1960), doi:10.1177/001316446002000104.
    .. [2] J. L. Fleiss, J. Cohen, B. S. Everitt (1969), doi:10.1037/h0028106.
    .. [3] H. X. Barnhart, J. M. Williamson (2002), doi:10.1111/j.0006-341X.2002.01012.x.

    Examples
    --------
    >>> import numpy as np
    >>> import fastcompare as fc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(3, size=200)
    >>> a = np.where(rng.random(200) < 0.9, y, rng.integers(3, size=200))
    >>> b = np.where(rng.random(200) < 0.7, y, rng.integers(3, size=200))
    >>> print(fc.cohen_kappa_test(y, a, b).summary())
    The values of Cohen's kappa are 0.8789 and 0.6836, a difference of 0.1953 (95 % CI 0.0918 to
    0.2987; paired test, t(199) = 3.722, p = 0.000257).
    """
    check_undefined(on_undefined)
    margin = check_margin(margin, 2.0)
    check_alternative(alternative, margin)
    scheme = check_kappa("labels", weights, classes)
    cases = as_pair_predictions(y_true, y_pred_a, y_pred_b, nan_policy)
    labels = numbered(codes(cases), classes, scheme)

    distances = label_distances(len(labels.classes), scheme)
    kappa, error = compared(labels, distances)
    df = max(labels.truth.size - 1.0, 1.0)
    estimate, bound = float(kappa[0] - kappa[1]), unvaried_kappas(labels)
    test = infer(estimate, error, alternative, margin, df=df, unvaried=bound)
    status = difference_status(labels, kappa, margin, error)
    announce(status, on_undefined, CURE if status == "small_sample" else "")

    first, second = cases.names
    return CohenKappaTestResult(
        **test,
        df=df,
        names=(first, second),
        method="paired test",
        status=status,
        kappa=kappa,
        weights=scheme,
        classes=labels.classes,
        n=labels.truth.size,
        n_dropped=cases.n_dropped,
    )


def numbered(found: Any, classes: object, scheme: str) -> Numbered:
    """Return the labels as places in their order."""
    order, place = as_label_order(found.classes, classes, scheme)
    reserve((len(order), len(order), COPIES), hint=MANY_LABELS)
    return Numbered(place[found.truth], place[found.predicted], order)


def compared(labels: Numbered, distances: Floats) -> tuple[Vector, float]:
    """Return the kappas (2,) and the standard error of their difference."""
    k, n = len(labels.classes), labels.truth.size
    cells = labels.truth * k + labels.predicted
    tables = [np.bincount(cell, minlength=k * k).reshape(k, k).astype(np.float64) for cell in cells]
    kappa = np.array([float(kappa_estimate(table, distances)) for table in tables])
    if n == 1:
        return kappa, math.nan
    first, second = (
        kappa_influence(table, distances).ravel()[cell]
        for table, cell in zip(tables, cells, strict=True)
    )
    apart = first - second
    return kappa, math.sqrt(float(apart @ apart) / (n * (n - 1.0)))


def unvaried_kappas(labels: Numbered) -> Unvaried:
    """Return the bound for kappas that do not differ, which range over 2."""
    first, second = labels.predicted
    sizes = [np.bincount(labels.truth), np.bincount(first)]
    return rarest_bound(sizes, 2.0, alike=np.array_equal(first, second))


def difference_status(labels: Numbered, kappa: Vector, margin: float, error: float) -> str:
    """Return the status word of a comparison of two kappas."""
    n = labels.truth.size
    if n == 1:
        return "one_case"
    if np.isnan(kappa).any():
        return "constant_answers"
    if not error > 0.0:
        alike = np.array_equal(*labels.predicted)
        word = "identical" if alike else "no_difference"
        return unvaried_status(float(kappa[0] - kappa[1]), margin, word)
    few = n - int(np.bincount(labels.truth).max()) < OTHERS
    return "small_sample" if few else "ok"
