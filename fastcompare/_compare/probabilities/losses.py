"""Losses of single cases by proper scoring rules, and their means.

`labels` are 0 and 1 with the probabilities p (n,) of 1, or class numbers with a table (n, c).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from ..._base.forward import forwards
from ..._base.types import Matrix, Undefined, Vector
from ..._inference.status import announce
from ..._inputs.options import check_undefined
from ..._inputs.probabilities import (
    Forecasts,
    Labels,
    Probabilities,
    Reading,
    as_losses,
    as_probabilities,
    check_rule,
)
from ...kernels.losses import brier_sum


def brier_losses(labels: Labels, p: Vector) -> Vector:
    """Return (p - y)^2 for two classes, else the sum over all classes (Brier 1950)."""
    if p.ndim == 1:
        return np.square(p - labels)
    apart = p.copy()
    apart[np.arange(labels.size), labels] -= 1.0
    return np.asarray(np.square(apart).sum(axis=1))


def log_losses(labels: Labels, p: Vector) -> Vector:
    """Return minus the logarithm of what was given to the class that came true."""
    if p.ndim == 1:
        return -np.where(labels == 1, np.log(p), np.log1p(-p))
    return np.asarray(-np.log(p[np.arange(labels.size), labels]))


def spherical_losses(labels: Labels, p: Vector) -> Vector:
    """Return 1 - p_y / |p|, as (sum of the other p_c^2) / (|p| (|p| + p_y)): no cancellation."""
    if p.ndim == 1:
        given, other = np.where(labels == 1, (p, 1.0 - p), (1.0 - p, p))
        norm, rest = np.hypot(given, other), np.square(other)
    else:
        given, squares = p[np.arange(labels.size), labels], np.square(p)
        norm = np.sqrt(squares.sum(axis=1))
        squares[np.arange(labels.size), labels] = 0.0
        rest = squares.sum(axis=1)
    return np.asarray(rest / (norm * (norm + given)))


RULES = {"brier": brier_losses, "log": log_losses, "spherical": spherical_losses}
RuleFunction = Callable[[Labels, Vector], ArrayLike]


class LossFields(TypedDict):
    """What results of tests of losses say of the models themselves."""

    rule: str
    losses: Vector
    n: int
    n_dropped: int
    _bounds: tuple[float, float]


def greatest_loss(rule: str | RuleFunction, p: Vector) -> float:
    """Return the greatest loss that a rule can give, infinity where there is none."""
    bounded = {"brier": p.ndim, "spherical": 1}  # Brier's sum over classes is at most 2
    return float(bounded.get(rule, math.inf)) if isinstance(rule, str) else math.inf


def rule_name(rule: str | RuleFunction) -> str:
    """Return the name of a rule or of a function."""
    return rule if isinstance(rule, str) else getattr(rule, "__name__", "callable")


@np.errstate(under="ignore", divide="ignore")
def case_losses(
    rule: str | RuleFunction, labels: Labels, p: Vector, clip: float | None = None
) -> Vector:
    """Return the loss of every case; `clip` keeps probabilities from 0 and 1 in the log loss."""
    if not isinstance(rule, str):
        return as_losses(rule(labels.copy(), p.copy()), labels.size)
    losses = RULES[rule](labels, p)
    if clip is not None:
        np.clip(losses, -math.log1p(-clip), -math.log(clip), out=losses)
    return losses + 0.0  # no -0


@np.errstate(under="ignore")
def mean_loss(losses: Vector) -> float:
    """Return the mean of losses."""
    return float(losses.mean())


def mean_brier_loss(labels: Labels, p: Vector) -> float:
    """Return the mean of Brier's losses."""
    if p.ndim == 1:
        return float(brier_sum(labels, p)) / p.size
    return mean_loss(case_losses("brier", labels, p))


def forecast_losses(rule: str | RuleFunction, cases: Forecasts, clip: float | None) -> Matrix:
    """Return the loss of every case by every model, of shape (k, n)."""
    return np.stack([case_losses(rule, cases.labels, p, clip) for p in cases.models])


def mean_losses(losses: Matrix) -> Vector:
    """Return the mean of each row of losses."""
    return np.array([mean_loss(loss) for loss in losses])


def loss_fields(rule: str | RuleFunction, cases: Forecasts, means: Vector) -> LossFields:
    """Return the models' mean losses, and between which bounds these may differ."""
    width = greatest_loss(rule, cases.models[0])
    return LossFields(
        rule=rule_name(rule),
        losses=means,
        n=cases.labels.size,
        n_dropped=cases.n_dropped,
        _bounds=(-width, width),
    )


@forwards(as_probabilities)
def brier_score(y_true: ArrayLike, y_prob: Probabilities, **reading: Unpack[Reading]) -> float:
    """Return the Brier score: the mean squared error of probabilities.

    Returns
    -------
    float
        For one column the mean of (p - y)², from 0 to 1; for a table the sum over all classes,
        from 0 to 2, which for two columns is twice that of one.

    References
    ----------
    .. [1] G. W. Brier (1950), doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.

    Examples
    --------
    >>> import fastcompare as fc
    >>> round(fc.brier_score([1, 0, 1, 0], [.9, .2, .7, .1]), 4)
    0.0375
    """
    cases = as_probabilities(y_true, {"y_prob": y_prob}, **reading)
    return mean_brier_loss(cases.labels, cases.models[0])


@forwards(as_probabilities)
def log_loss(
    y_true: ArrayLike,
    y_prob: Probabilities,
    *,
    clip: float | None = None,
    on_undefined: Undefined = "warn",
    **reading: Unpack[Reading],
) -> float:
    """Return the log loss: minus the mean logarithm of the probability of what came true.

    Parameters
    ----------
    clip : float, optional
        Move probabilities into [clip, 1 - clip]. By default the loss is infinite if a probability
        of 0 was given to what came true.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        What to do when the loss is infinite.

    Returns
    -------
    float
        In nats; infinite if any case's is.

    Warns
    -----
    UndefinedResultWarning
        If the loss is infinite.

    References
    ----------
    .. [1] I. J. Good (1952), doi:10.1111/j.2517-6161.1952.tb00104.x.

    Examples
    --------
    >>> import fastcompare as fc
    >>> round(fc.log_loss([1, 0, 1, 0], [.9, .2, .7, .1]), 4)
    0.1976
    >>> round(fc.log_loss([1, 0], [.9, 1.0], clip=1e-6), 4)
    6.9604
    """
    check_undefined(on_undefined)
    clip = check_rule("log", clip, tuple(RULES))
    cases = as_probabilities(y_true, {"y_prob": y_prob}, **reading)
    losses = case_losses("log", cases.labels, cases.models[0], clip)
    announce("infinite_loss" if np.isinf(losses).any() else "ok", on_undefined)
    return mean_loss(losses)
