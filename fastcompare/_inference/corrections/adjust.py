"""Adjusted p-values of several hypotheses, by a correction that is chosen by name.

An adjusted p-value is the smallest level at which the procedure rejects that hypothesis (Wright
1992, doi:10.2307/2532694). Also which corrections a test of pairs or against a control may have,
and what its names are in other programs and papers. The hint for a misspelt name never points to a
correction for another error rate (false discoveries instead of family-wise errors).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..._base.exceptions import (
    UndefinedResultWarning,
    invalid_type,
    invalid_value,
    suggestion,
    warn,
)
from ..._base.types import Vector
from ..._inputs.arrays import as_float_array
from ..._inputs.options import ALTERNATIVES, check_alpha, check_choice, check_rom
from .ordered import CORRECTIONS, ORDER_FREE
from .pairs import PAIR_CORRECTIONS

SYNONYMS = {  # in small letters, with hyphens
    "benjamini-hochberg": "bh",
    "fdr": "bh",
    "fdr-bh": "bh",
    "benjamini-yekutieli": "by",
    "fdr-by": "by",
    "holm-bonferroni": "holm",
    "holm-sidak": "holland",
    "simes-hochberg": "hochberg",
    "bergmann": "bergmann-hommel",
}
DISCOVERY = ("bh", "by")  # which bound the false discovery rate
DISCOVERY_WORDS = re.compile(r"fdr|disc|benj|yek|^b[hy]\b")


def as_correction(name: str, value: object, choices: Iterable[str]) -> str:
    """Return the name of a correction in this package, one of `choices`, or raise.

    Other packages' names are accepted: "FDR_BH" -> "bh". `name` is the option that messages name.
    """
    legal = tuple(choices)
    if not isinstance(value, str):
        listed = ", ".join(map(repr, legal))
        raise invalid_type(name, f"must be one of {listed}", value)
    if value in legal:
        return value
    normalized = re.sub(r"[\s_-]+", "-", value.strip().lower()).replace("š", "s").replace("á", "a")
    method = SYNONYMS.get(normalized, normalized)
    if method in legal:
        return method
    discovery = DISCOVERY_WORDS.search(normalized) is not None
    of_same_rate = [word for word in legal if (word in DISCOVERY) == discovery]
    synonyms = [word for word, meant in SYNONYMS.items() if meant in of_same_rate]
    hint = suggestion(normalized, [*of_same_rate, *synonyms])
    if discovery and not hint and of_same_rate:
        hint = f" For the false discovery rate there are {' and '.join(map(repr, of_same_rate))}."
    listed = ", ".join(map(repr, legal))
    raise invalid_value(name, f"must be one of {listed}", value, f".{hint}")


__all__ = [
    "AUTO",
    "CORRECTIONS",
    "DUNNETT",
    "PAIR_CORRECTIONS",
    "PairClaims",
    "adjust_pvalues",
    "adjusted_family",
    "any_correction",
    "as_control_claims",
    "as_pair_claims",
    "check_correction",
    "resolve_auto_correction",
]

AUTO = "auto"
JOINT = ("max-t", "step-down")  # by the largest statistic of all pairs
DUNNETT = {"dunnett": False, "dunnett-stepdown": True}  # whether it steps down


def adjust_pvalues(pvalues: ArrayLike, *, method: str = "holm") -> Vector:
    """Adjust p-values for multiple testing.

    Parameters
    ----------
    pvalues : array_like
        P-values, an array of any shape; all form one family. Missing p-values are NaN.
    method : str, default: "holm"
        Controlling the family-wise error rate, under any dependence: ``"bonferroni"``, ``"holm"``;
        under positive dependence: ``"hochberg"``, ``"hommel"``; for independent p-values:
        ``"sidak"``, ``"finner"``, ``"holland"``, ``"rom"``, ``"li"``. Controlling the false
        discovery rate, under positive dependence: ``"bh"`` (Benjamini-Hochberg); under any:
        ``"by"`` (Benjamini-Yekutieli). Controlling the family-wise error rate of all pairs of k
        models: ``"shaffer"``, and up to 14 models ``"bergmann-hommel"``; they need the k (k - 1) /
        2 p-values of the pairs (0, 1), (0, 2), ..., (k - 2, k - 1). Names used by other packages
        are accepted: 'fdr_bh', 'BH', 'fdr' and 'benjamini-hochberg' are 'bh'.

    Returns
    -------
    ndarray of float64
        The adjusted p-values, in the shape and order of `pvalues`.

    Raises
    ------
    InvalidTypeError
        If `pvalues` are not real numbers.
    InvalidValueError
        If a p-value is outside [0, 1], or `method` is unknown; for methods for pairs also if the
        number of p-values is not that of all pairs, for Bergmann-Hommel if one is NaN.

    Warns
    -----
    UndefinedResultWarning
        If some p-values are NaN: they stay NaN and do not count as hypotheses.

    Notes
    -----
    Holm is never less powerful than Bonferroni, and Hommel and Rom never less than Hochberg. Li has
    little power if the largest p-value is above 0.5. All methods take little longer than sorting,
    except Rom's: the first family beyond 64 p-values takes up to 20 µs and 3 kB per p-value (0.2 s
    for 10^4), later ones of a similar size less than that, since critical values are cached. It is
    limited to 131,072 p-values, unless the environment variable ``FASTCOMPARE_MOST_ROM`` is higher.

    For pairs of models, Shaffer (the static procedure) is never less powerful than Holm, and
    Bergmann-Hommel never less than Shaffer. They use that if A equals B and B equals C, A equals C.
    So they are for two-sided tests of quantities with this property, such as AUCs, accuracies and
    means, but not medians of differences (Wilcoxon's test, the sign test). With Bergmann-Hommel,
    the adjusted p-values may be in another order than the p-values.

    Rom's critical values are not proportional to the level. The adjusted p-value is found by
    solving for the level; packages that scale p-values by the ratio at one level (R's scmamp) agree
    only at that level.

    References
    ----------
    .. [1] Holm, S. (1979). Scandinavian Journal of Statistics 6, 65-70.
    .. [2] García, S., Fernández, A., Luengo, J., Herrera, F. (2010). Information Sciences 180,
       2044-2064. doi:10.1016/j.ins.2009.12.010 (all but the last two, to compare classifiers)
    .. [3] Benjamini, Y., Hochberg, Y. (1995). doi:10.1111/j.2517-6161.1995.tb02031.x
    .. [4] García, S., Herrera, F. (2008). Journal of Machine Learning Research 9, 2677-2694
       (Shaffer, Bergmann and Hommel, to compare classifiers)

    Examples
    --------
    >>> import fastcompare as fc
    >>> fc.adjust_pvalues([0.01, 0.02, 0.03, 0.04, 0.05])
    array([0.05, 0.08, 0.09, 0.09, 0.09])
    >>> fc.adjust_pvalues([0.01, 0.02, 0.03, 0.04, 0.05], method="hommel")
    array([0.05, 0.05, 0.05, 0.05, 0.05])
    """
    method = as_correction("method", method, (*CORRECTIONS, *PAIR_CORRECTIONS))
    p = as_float_array("pvalues", pvalues)
    _check_probabilities(p)
    if method == "rom":
        check_rom("method", p.size)
    adjusted = adjusted_family(p, method)

    missing = np.count_nonzero(np.isnan(p))
    if missing:
        message = f"{missing} of {p.size} p-values are NaN: they stay NaN and are not counted."
        warn(message, UndefinedResultWarning)
    return adjusted


def adjusted_family(p: Vector, method: str) -> Vector:
    """Return the adjusted p-values of one family; NaN stay NaN, without a warning."""
    if method in PAIR_CORRECTIONS:
        return _adjust_pairs(p, method)
    missing = np.isnan(p)
    if not missing.any():  # a mask would take a third of the time
        return _adjust_all(p.ravel(), method).reshape(p.shape) if p.size else p.copy()
    adjusted = np.full(p.shape, np.nan)
    if not missing.all():
        adjusted[~missing] = _adjust_all(p[~missing], method)
    return adjusted


def _check_probabilities(p: Vector) -> None:
    """Raise, with the first index, if a p-value is outside [0, 1]; NaN passes."""
    outside = (p < 0.0) | (p > 1.0)
    if outside.any():
        index = tuple(np.argwhere(outside)[0].tolist())
        where = f" at index {', '.join(map(str, index))}" if index else ""
        row = index[0] if len(index) == 1 else None
        raise invalid_value("pvalues", "must be in [0, 1]", p[index].item(), f"{where}.", row=row)


def _adjust_pairs(p: Vector, method: str) -> Vector:
    """Return the p-values (P,) of all pairs of models, adjusted by a method for pairs; or raise."""
    if p.ndim != 1:
        raise invalid_value(
            "pvalues",
            f"must be 1-d for method={method!r}",
            p.shape,
            ". Of a matrix, pass its values above the diagonal: matrix[numpy.triu_indices(k, 1)].",
            show=", got shape {!r}",
        )
    missing = np.flatnonzero(np.isnan(p))
    if missing.size and method != "shaffer":
        raise invalid_value(
            "pvalues",
            f"must not be NaN for method={method!r}",
            end=f", got NaN at index {missing[0]}: it needs those of all pairs. 'shaffer' and "
            "'holm' ignore missing ones.",
            row=missing[0],
        )
    return np.minimum(PAIR_CORRECTIONS[method](p + 0.0), 1.0)  # -0.0 becomes 0.0


class PairClaims(NamedTuple):
    """Options of tests of all pairs: the alternative, the correction and the significance level."""

    alternative: str
    correction: str
    alpha: float


def as_pair_claims(
    alternative: str, correction: str, alpha: object = 0.05, *, transitive: bool = True
) -> PairClaims:
    """Return the checked options of tests of all pairs, 'auto' replaced by the correction it means.

    That is Shaffer's for two-sided tests if equality is `transitive` (as for AUCs, accuracies and
    means, but not for the medians of differences that Wilcoxon's and the sign test compare), else
    Holm's.
    """
    check_choice("alternative", alternative, ALTERNATIVES)
    method = check_correction(correction, alternative, automatic=True)
    if method == AUTO:
        method = "shaffer" if transitive and alternative == "two-sided" else "holm"
    return PairClaims(alternative, method, check_alpha(alpha))


def as_joint_claims(alternative: str, correction: str, alpha: object = 0.05) -> PairClaims:
    """Return the checked options of tests of all pairs that allow 'max-t' and 'step-down'.

    'auto' stays until the data show whether their joint distribution is known well enough
    (`resolve_auto_correction`).
    """
    check_choice("alternative", alternative, ALTERNATIVES)
    choices = (*JOINT, AUTO, "none", *CORRECTIONS, *PAIR_CORRECTIONS)
    correction = as_correction("correction", correction, choices)
    if correction in (*JOINT, AUTO):
        return PairClaims(alternative, correction, check_alpha(alpha))
    return as_pair_claims(alternative, correction, alpha)


def resolve_auto_correction(
    claims: PairClaims, joint: bool, *, transitive: bool = True
) -> PairClaims:
    """Return the options with 'auto' replaced: by 'max-t' if the distribution is `joint`ly known.

    Otherwise as in `as_pair_claims`.
    """
    if claims.correction != AUTO:
        return claims
    if joint:
        return claims._replace(correction="max-t")
    return as_pair_claims(*claims, transitive=transitive)


def as_control_claims(alternative: str, correction: str, alpha: object) -> PairClaims:
    """Return the checked options of tests of k - 1 models against a control; 'auto' stays."""
    check_choice("alternative", alternative, ALTERNATIVES)
    correction = as_correction("correction", correction, (AUTO, "none", *DUNNETT, *CORRECTIONS))
    return PairClaims(alternative, correction, check_alpha(alpha))


def check_correction(
    correction: object, alternative: str = "two-sided", *, automatic: bool = False
) -> str:
    """Return the checked name of a correction for tests of all pairs of models, or raise.

    `automatic` allows 'auto'; corrections that use transitivity need a two-sided `alternative`.
    """
    other_choices = (AUTO, "none") if automatic else ("none",)
    method = as_correction(
        "correction", correction, (*other_choices, *CORRECTIONS, *PAIR_CORRECTIONS)
    )
    if method in PAIR_CORRECTIONS and alternative != "two-sided":
        raise invalid_value(
            "correction",
            f"{correction!r} is for two-sided tests",
            alternative,
            ": it uses that A = B and B = C imply A = C. Choose 'holm'.",
            show=", got the alternative {!r}",
        )
    return method


def any_correction(correction: object) -> str:
    """Return the name of a correction that at least one function accepts, or raise."""
    choices = (AUTO, "none", *JOINT, *DUNNETT, *CORRECTIONS, *PAIR_CORRECTIONS)
    return as_correction("correction", correction, choices)


def _adjust_all(p: Vector, method: str) -> Vector:
    """Return the p-values adjusted by a method of `CORRECTIONS`, in the order of `p`."""
    with np.errstate(divide="ignore", under="ignore"):  # for log(1 - p) at 1 and for tiny p
        if method in ORDER_FREE:
            return np.minimum(CORRECTIONS[method](p + 0.0), 1.0)  # -0.0 becomes 0.0
        order = np.argsort(p)  # the quickest: equal p-values get equal results, in any order
        adjusted = np.empty_like(p)
        adjusted[order] = np.minimum(CORRECTIONS[method](p[order] + 0.0), 1.0)
    return adjusted
