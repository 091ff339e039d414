"""Reader studies: the figure of merit of each reading, and the plans of further studies.

Readings are scores, labels by class, or means; readers, cases or both are random. A plan has
components of variance, and the numbers of readers and cases.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._base.exceptions import (
    InvalidValueError,
    invalid_type,
    invalid_value,
    suggestion,
)
from ..._base.text import amount, join_names
from ..._base.types import Integers
from ..arrays import as_float_array
from ..items import LEAST, MOST
from ..labels import are_positive
from ..names import STUDY_ROLES as ROLES
from ..options import as_count, check_choice, has_direction, is_about_two
from ..plans.simulations import as_finite
from .studies import ALGORITHM, RawStudy, Table, as_table, refuse_treatments

METRICS = ("auc", "sensitivity", "specificity", "mean", "loss")
COVARIANCES = ("delong", "unbiased", "jackknife")
RANDOM = ("readers", "cases")
Random = str | Sequence[str]


class Readings(NamedTuple):
    """Scores (t, r, n) of treatments, readers and cases, and the labels (n,) of the cases.

    For sensitivity and specificity the scores are 1 for right decisions and 0 for wrong ones, on
    the cases of one class alone.
    """

    scores: NDArray[np.float64]
    labels: NDArray[np.uint8] | None
    treatments: tuple[str, ...]
    readers: tuple[str, ...]
    cases: tuple[str, ...] | None
    metric: str
    n_positive: int
    n_negative: int


class Reading(TypedDict, total=False):
    """The options of `as_readings`."""

    truth: ArrayLike | str | None
    score: ArrayLike | str | None
    treatment: ArrayLike | str | None
    reader: ArrayLike | str | None
    case: ArrayLike | str | None
    treatments: Sequence[str] | None
    metric: str
    pos_label: object


def as_readings(
    data: RawStudy = None,
    *,
    truth: ArrayLike | str | None = None,
    score: ArrayLike | str | None = None,
    treatment: ArrayLike | str | None = None,
    reader: ArrayLike | str | None = None,
    case: ArrayLike | str | None = None,
    treatments: Sequence[str] | None = None,
    metric: str = "auc",
    pos_label: object = None,
) -> Readings:
    """Return the checked scores of all readers, or raise.

    Parameters
    ----------
    data : data frame, mapping, path or array-like of shape (t, r, n), optional
        A table with a row for each score: of columns, in a CSV, Parquet or ``.imrmc`` file. Or the
        scores by treatment, reader and case, as an array or as mappings ``{treatment: {reader:
        scores}}``, with the `truth` of the n cases. Or what `reader_study` returned. Left out, the
        five columns are arrays. Every reader scores every case under every treatment.
    truth, score, treatment, reader, case : array-like or str, optional
        The columns, or their names in `data`; by default they are called so (or 'rating', 'test',
        'modality'), or ``score``, ``modalityID``, ``readerID`` and ``caseID`` as in iMRMC, where
        rows of the reader 'truth' hold the truth. Without a treatment all scores are of one.
    treatments : sequence of str, optional
        The treatments to compare, in this order: differences are the first minus the second. By
        default all of them, sorted.
    metric : {'auc', 'sensitivity', 'specificity', 'mean', 'loss'}, default='auc'
        The figure of merit: 'auc' of scores; 'sensitivity' or 'specificity' of scores that are 0
        and 1, 1 for positive; the 'mean' of a number a case (higher is better) or of a 'loss'
        (lower is better), which need no truth.
    """
    check_choice("metric", metric, METRICS)
    columns = {"truth": truth, "score": score, "treatment": treatment}
    columns |= {"reader": reader, "case": case}
    return readings_by_metric(as_table(data, columns, treatments), metric, pos_label)


def as_readings_and_standalone(
    data: RawStudy,
    standalone: Any,
    *,
    metric: str = "auc",
    pos_label: object = None,
    **options: Any,
) -> Readings:
    """Return the readings of one treatment, with those of the standalone algorithm as last reader.

    `standalone` is its name as a reader of the data, a mapping from cases to its scores, or these
    scores in the order of the cases.
    """
    check_choice("metric", metric, METRICS)
    treatments = options.pop("treatments", None)
    columns: dict[str, Any] = {role: options.get(role) for role in ROLES}
    name = standalone if isinstance(standalone, str) else None
    table = as_table(data, columns, treatments, name)
    if len(table.treatments) > 1:
        refuse_treatments(table.treatments)
    table = with_reader_last(table, name) if name else with_column(table, standalone)
    return readings_by_metric(table, metric, pos_label)


def with_reader_last(table: Table, name: str) -> Table:
    """Return the table with the reader `name` moved to the last place."""
    if name not in table.readers:
        raise invalid_value(
            "standalone",
            f"must be a reader of `data`, which has {join_names([*table.readers], 12)}",
            name,
            f".{suggestion(name, table.readers)}",
            show="; got {!r}",
        )
    last = table.readers.index(name)
    order = [j for j in range(len(table.readers)) if j != last] + [last]
    if len(order) < 2:
        raise invalid_value("data", f"must have readers besides {name!r}", end=", got none.")
    names = tuple(table.readers[j] for j in order)
    return table._replace(scores=table.scores[:, order], readers=names)


def with_column(table: Table, standalone: Any) -> Table:
    """Return the table with the algorithm's scores as those of the last reader.

    They are a mapping from cases, or in the order of the cases where these have no names.
    """
    values = standalone
    if isinstance(standalone, Mapping):
        score_by_case = {str(case): value for case, value in standalone.items()}
        cases = table.cases or tuple(map(str, range(table.scores.shape[2])))
        if missing := [case for case in cases if case not in score_by_case]:
            raise invalid_value(
                "standalone",
                "must have a score of every case",
                end=f"; {len(missing)} are missing, the first of case {missing[0]}.",
            )
        values = [score_by_case[case] for case in cases]
    elif table.cases is not None:
        raise invalid_type(
            "standalone",
            "must be the name of a reader in the table, or a mapping from cases to scores, "
            "where `data` is a long table",
            type(standalone).__name__,
            show="; got {}",
        )
    column = as_float_array("standalone", values)
    if column.shape != table.scores.shape[2:]:
        raise invalid_value(
            "standalone",
            f"must have a score for each of the {table.scores.shape[2]} cases",
            column.shape,
            show=", got shape {!r}",
        )
    scores = np.concatenate([table.scores, column[None, None]], axis=1)
    return table._replace(scores=scores, readers=(*table.readers, ALGORITHM))


def readings_by_metric(table: Table, metric: str, pos_label: object) -> Readings:
    """Return the scores whose mean or AUC is the figure of merit, with the labels of the cases.

    Means need no labels: all cases then count as negative.
    """
    check_scores(table, metric)
    labels, n_positive, n_negative = None, 0, table.scores.shape[2]
    if table.truth is not None and metric not in ("mean", "loss"):
        labels = are_positive("truth", table.truth, pos_label)
        n_positive, n_negative = count_classes(labels)
    elif metric not in ("mean", "loss"):
        raise invalid_value(
            "truth",
            f"must be specified for `metric={metric!r}`",
            end=": the label of each case. Scores that are numbers a case have "
            "`metric='mean'` or 'loss'.",
        )
    scores = np.require(table.scores, None, ("C", "A", "W"))  # as kernels take them
    if metric in ("mean", "loss"):
        check_range(scores)
    if metric in ("sensitivity", "specificity"):
        check_binary(scores, metric)
        assert labels is not None
        in_class = labels == (metric == "sensitivity")
        scores = np.ascontiguousarray(scores[:, :, in_class])
        scores = scores if metric == "sensitivity" else 1.0 - scores
    return Readings(
        scores, labels, table.treatments, table.readers, table.cases, metric, n_positive, n_negative
    )


def count_classes(positive: NDArray[np.uint8]) -> tuple[int, int]:
    """Return the numbers of positive and negative cases, or raise where one of them is 0."""
    m = int(np.count_nonzero(positive))
    n = positive.size - m
    if not m or not n:
        present = "negative" if n else "positive"
        rule = "must have positive and negative cases"
        raise invalid_value("truth", rule, present, " ones only.", show=", got {}")
    return m, n


def check_scores(table: Table, metric: str) -> None:
    """Raise for a missing score, and for an infinite one unless the metric is the AUC."""
    bad = np.isnan(table.scores) if metric == "auc" else ~np.isfinite(table.scores)
    if bad.any():
        i, j, k = np.argwhere(bad)[0]
        case = k if table.cases is None else table.cases[k]
        is_missing = bool(np.isnan(table.scores[i, j, k]))
        count = amount(
            int(np.count_nonzero(bad)), f"{'missing' if is_missing else 'infinite'} value"
        )
        raise invalid_value(
            "score",
            f"has {count}{' (NaN)' * is_missing}, the first of reader {table.readers[j]} on "
            f"case {case} under treatment {table.treatments[i]}",
            end=". Keep the cases that all readers scored under all treatments.",
        )


def check_range(scores: NDArray[np.float64]) -> None:
    """Raise if the greatest score is so large, or so small, that its square is out of range."""
    size = float(np.abs(scores).max())
    if size > MOST or 0.0 < size < LEAST:  # out of the range of squares
        raise invalid_value(
            "score",
            f"must be 0 everywhere, or at most between {LEAST:g} and {MOST:g} in size",
            size,
            ": multiply all by one number, which changes no p-value.",
            show=", got {:g}",
        )


def check_binary(scores: NDArray[np.float64], metric: str) -> None:
    """Raise unless every score is a decision: 0 or 1."""
    others = scores[(scores != 0.0) & (scores != 1.0)]
    if others.size:
        raise invalid_value(
            "score",
            f"must be 0 or 1, 1 for positive, for `metric={metric!r}`",
            others[0],
            ". Pass score >= threshold, with a threshold that was fixed before.",
            show="; got {:g}",
        )


def as_random(random: object, n_readers: int) -> tuple[bool, bool]:
    """Return whether readers are random, and whether cases are: samples of the claim's populations.

    `random` is 'readers', 'cases' or both.
    """
    words = (random,) if isinstance(random, str) else random
    if not isinstance(words, Sequence) or not words or isinstance(words, bytes):
        raise invalid_type("random", "must be 'readers', 'cases' or both in a tuple", random)
    for word in words:
        check_choice("random", word, RANDOM)
    readers, cases = (word in words for word in RANDOM)
    if readers and n_readers < 2:
        raise invalid_value(
            "random",
            "must be 'cases' for one reader",
            end=": how readers vary cannot be seen. The claim is then about this reader.",
        )
    return readers, cases


def check_no_reading(options: Mapping[str, object]) -> None:
    """Raise for options of readings where `data` is the result of a study that has been read."""
    for name, value in options.items():
        if value is not None and not (name == "metric" and value == "auc"):  # its default
            raise InvalidValueError(
                f"`{name}` belongs to the readings: pass it to reader_study, which `data` is from.",
                parameter=name,
            )


def check_treatments(treatments: Sequence[str], least: int) -> None:
    """Raise unless there are treatments to compare."""
    if len(treatments) < least:
        raise invalid_value(
            "data",
            f"must have at least {least} treatments to compare",
            end=f", got {treatments[0]!r} alone; reader_study has its mean and interval.",
        )


def check_two_sided_test(alternative: str, margin: float, t: int) -> None:
    """Raise for a claim with a direction or a margin about more than two treatments."""
    if is_about_two(alternative, margin) or has_direction(alternative):
        raise invalid_value(
            "alternative",
            f"must be 'two-sided' for {t} treatments, which have no direction",
            alternative,
            ": choose two by `treatments`, or compare all by reader_study_pairwise_test.",
        )


NEEDED = ("treatment_reader", "error", "cov1", "cov2", "cov3")
MOST_PLANNED = 10**4  # numbers of a grid


def check_named(pilot: Mapping[str, Any], cases: object) -> None:
    """Raise unless all components are there, and the cases that they are of."""
    missing = [name for name in NEEDED if name not in pilot]
    if missing:
        raise invalid_value(
            "pilot",
            f"must have the components {join_names([*NEEDED], 12)}",
            end=f"; {missing[0]!r} is missing.",
        )
    if cases is None:
        raise invalid_value(
            "pilot_cases",
            "must be specified with components",
            end=": the number of cases they are of.",
        )


def as_components_of_variance(pilot: Any, cases: object) -> tuple[dict[str, float], int]:
    """Return the components of variance by name, and the number of cases of the pilot study."""
    if isinstance(pilot, Mapping):
        check_named(pilot, cases)
        components = {name: as_finite(f"pilot[{name!r}]", pilot[name]) for name in NEEDED}
        n_cases = as_count("pilot_cases", cases, 2)
    elif hasattr(pilot, "components") and hasattr(pilot, "n_positive"):
        if cases is not None:
            raise InvalidValueError(
                "`pilot_cases` belongs to components; a pilot study knows its cases.",
                parameter="pilot_cases",
            )
        components = {name: pilot.components[name] for name in NEEDED}
        n_cases = pilot.n_positive + pilot.n_negative
    else:
        raise invalid_type(
            "pilot",
            "must be a result of reader_study or reader_study_test, or a mapping of components",
            type(pilot).__name__,
            show=", got {}",
        )
    if not all(map(math.isfinite, components.values())) or components["error"] < components["cov1"]:
        raise invalid_value(
            "pilot",
            "must have two treatments and two readers at least, two cases of each class, and "
            "an error variance of at least 'cov1'",
        )
    return components, n_cases


def as_grid(name: str, values: Any, least: int) -> Integers:
    """Return planned numbers of readers or cases, each at least `least`, as an array."""
    sizes = values if np.ndim(values) else [values]
    if np.ndim(sizes) != 1 or not 0 < len(sizes) <= MOST_PLANNED:
        raise invalid_value(
            name,
            f"must be a number or a list of 1 to {MOST_PLANNED} numbers",
            np.shape(values),
            show=", got shape {}",
        )
    numbers = sizes.tolist() if isinstance(sizes, np.ndarray) else sizes
    return np.array([as_count(name, value, least) for value in numbers], np.int64)
