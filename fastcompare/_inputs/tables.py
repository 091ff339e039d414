"""Long tables, a row an answer, and the columns of any table that may be models.

Rows are joined by the labels of their items, never by their positions. A column that is named is
always taken. Of all others a doubtful one is an error, since a comparison of the wrong columns
looks like an answer; docs/concepts/conventions.md lists the rules, which are the functions below.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidValueError, hint, invalid_type, invalid_value
from .._base.types import Integers, Vector
from .arrays import FIRST, are_whole, as_column, as_float_array
from .items import check_finite_scores
from .labels import as_label_column
from .names import INDEX, called_otherwise, labels_among, refuse_doubtful
from .options import check_choice
from .scores import named_columns

ROLES = ("model", "item", "score", "sample", "group", "weight", "task")
ATTRIBUTES = ("group", "weight", "task")  # of an item, the same in all of its rows
NAMED = 3  # answers that an error names


class LongTable(NamedTuple):
    """Scores (n, k) or (n, k, K), NaN for missing ones; names of models, items and samples."""

    scores: NDArray[np.float64]
    models: tuple[str, ...]
    items: tuple[Any, ...]
    attributes: dict[str, NDArray[Any] | None]


class Coded(NamedTuple):
    """Labels and the number of that of each row, in the order in which they appear."""

    labels: NDArray[Any]
    numbers: Integers


def as_long_table(frame: object, **roles: str | None) -> LongTable:
    """Return the checked table of a frame; `roles` are the names of its columns by role."""
    columns = checked_columns(frame, roles)
    coded = {role: as_codes(role, roles[role], columns[role]) for role in ("model", "item")}
    if "sample" in columns:
        coded["sample"] = as_codes("sample", roles["sample"], columns["sample"])
    score = as_float_array(f"frame[{roles['score']!r}]", columns["score"])
    check_sizes(coded, score, roles)
    check_finite_scores(f"frame[{roles['score']!r}]", score)
    axes = [coded[role] for role in ("item", "model", "sample") if role in coded]
    shape = tuple(axis.labels.size for axis in axes)
    places = [axis.numbers for axis in axes]
    flat = np.ravel_multi_index(tuple(places), shape)  # the index in a flat table, of each row
    check_once(flat, coded, places)
    scores = np.full(int(np.prod(shape)), np.nan)
    scores[flat] = score
    attributes = {role: attribute(role, columns, coded["item"], roles) for role in ATTRIBUTES}
    models = tuple(map(str, coded["model"].labels.tolist()))
    check_names(models)
    return LongTable(
        scores.reshape(shape), models, tuple(coded["item"].labels.tolist()), attributes
    )


def checked_columns(frame: object, roles: Mapping[str, str | None]) -> dict[str, object]:
    """Return the columns of the roles that are given, or raise."""
    columns = named_columns("frame", frame)
    if columns is None:
        raise invalid_type(
            "frame",
            "must be a data frame or a mapping from names to columns",
            type(frame).__name__,
            show=", got {}",
        )
    for role, name in roles.items():
        if name is not None:
            check_choice(role, name, tuple(columns))
    specified = [name for name in roles.values() if name is not None]
    if twice := {name for name in specified if specified.count(name) > 1}:
        raise invalid_value("frame", "has one column for two roles", end=f": {sorted(twice)[0]!r}.")
    return {role: columns[name] for role, name in roles.items() if name is not None}


def as_codes(role: str, name: str | None, values: object) -> Coded:
    """Return the labels of a column, and each row's number, in the order in which they appear.

    Raise if a row has none.
    """
    labels, missing = as_label_column(f"frame[{name!r}]", values)
    if missing is not None and missing.any():
        raise invalid_value(
            f"frame[{name!r}]",
            f"must name the {role} of every row",
            end=f"; {np.count_nonzero(missing)} are missing, the first in row "
            f"{np.flatnonzero(missing)[0]}. Drop these rows.",
            row=np.flatnonzero(missing)[0],
        )
    unique_labels, first, numbers = np.unique(labels, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    ranks = np.empty(order.size, np.int64)
    ranks[order] = np.arange(order.size)
    return Coded(unique_labels[order], ranks[numbers])


def check_sizes(coded: Mapping[str, Coded], score: Vector, roles: Mapping[str, Any]) -> None:
    """Raise unless all columns have the same length, above 0."""
    n = coded["model"].numbers.size
    sizes = {role: column.numbers.size for role, column in coded.items()} | {"score": score.size}
    for role, size in sizes.items():
        if size != n:
            raise invalid_value(
                f"frame[{roles[role]!r}]",
                f"must have a value for each of the {n} rows",
                size,
                show=", got {}",
            )
    if not n:
        raise invalid_value("frame", "must have at least one row", end=", got 0.")


def check_once(flat: Integers, coded: Mapping[str, Coded], places: list[Integers]) -> None:
    """Raise if an answer is there twice.

    `flat` is the index of each row's answer in the flat table, `places` those along its axes.
    """
    order = np.argsort(flat, kind="stable")
    is_repeated = flat[order][1:] == flat[order][:-1]
    again = order[1:][is_repeated]
    if not again.size:
        return
    rows = np.sort(again)[:NAMED].tolist()
    titles = [("item", places[0]), ("model", places[1])]
    titles += [("sample", places[2])] if len(places) > 2 else []
    named = "; ".join(
        ", ".join(f"{role} {coded[role].labels[at[row]].item()!r}" for role, at in titles)
        + f" in row {row}"
        for row in rows
    )
    more = f" and {again.size - NAMED} more" if again.size > NAMED else ""
    samples = "" if len(places) > 2 else " If these are samples, name their column by `sample`."
    raise invalid_value(
        "frame",
        "must have each answer once",
        end=f", got {again.size} again: {named}{more}.{samples}",
        row=rows[0],
    )


def attribute(
    role: str, columns: Mapping[str, object], items: Coded, roles: Mapping[str, Any]
) -> NDArray[Any] | None:
    """Return a value of each item, which all of its rows must agree on; None without a column."""
    if role not in columns:
        return None
    name = f"frame[{roles[role]!r}]"
    if role == "weight":
        values = as_float_array(name, columns[role])
        missing: NDArray[np.bool_] | None = np.isnan(values)
    else:
        values, missing = as_label_column(name, columns[role])
    rule = f"must have a {role} in each of the rows"
    if values.shape != items.numbers.shape:
        raise invalid_value(name, rule)
    absent = np.flatnonzero(missing if missing is not None else ())
    if absent.size:
        raise invalid_value(
            name,
            rule,
            row=absent[0],
            end=f"; it is missing in {absent.size}, the first is row {absent[0]}. Fill them "
            "in, or drop these rows.",
        )
    return one_value_an_item(name, values, items)


def one_value_an_item(name: str, values: NDArray[Any], items: Coded) -> NDArray[Any]:
    """Return the value of each item, or raise where rows of an item differ in it."""
    first = np.full(items.labels.size, -1)
    # assigned from the last row to the first one, which therefore remains
    first[items.numbers[::-1]] = np.arange(items.numbers.size)[::-1]
    item_values = values[first]
    differ = np.flatnonzero(item_values[items.numbers] != values)
    if differ.size:
        row = int(differ[0])
        item = items.labels[items.numbers[row]].item()
        raise invalid_value(
            name,
            "must be the same in all rows of an item",
            end=f"; item {item!r} has {item_values[items.numbers[row]].item()!r} and, in row "
            f"{row}, {values[row].item()!r}.",
            row=row,
        )
    return np.asarray(item_values)


def check_names(models: tuple[str, ...]) -> None:
    """Raise if two models have the same name as text: 1 and "1"."""
    if len(set(models)) < len(models):
        raise invalid_value("frame", "has models of the same name as text", end=". Rename one.")


FAR = 10.0  # times the largest value of all others
ENOUGH = 5  # values that all differ, to look like an id
MAX_NAMED = 3  # columns that a hint names
NEAR = 1e-6  # what probabilities of all classes of a case sum to, but for rounding

AS_LABELS = (
    "has two values, as predicted labels have, and another model has more: compare scores with "
    "scores, or labels with labels."
)
REVERSED = {  # what high scores may mean, and low ones
    "AUC": ("the other class", "the positive class"),
    "concordance": ("late events", "early events"),
}


class FiniteNumbers:
    """The finite numbers of a column, and what is asked of them, each computed once."""

    def __init__(self, values: NDArray[Any]) -> None:
        self.values = values
        self.size = values.size

    @cached_property
    def least(self) -> Any:
        """The smallest number."""
        return self.values.min()

    @cached_property
    def most(self) -> Any:
        """The largest number."""
        return self.values.max()

    @cached_property
    def is_share(self) -> bool:
        """Whether all numbers are between 0 and 1."""
        return not self.size or bool(self.least >= 0.0 and self.most <= 1.0)

    @cached_property
    def is_whole(self) -> bool:
        """Whether all numbers are whole."""
        return are_whole(self.values)

    @cached_property
    def all_differ(self) -> bool:
        """Whether there are enough numbers, no two of them equal."""
        first = self.values[:FIRST].tolist()
        return (
            self.size >= ENOUGH
            and len({*first}) == len(first)
            and np.unique(self.values).size == self.size
        )

    @cached_property
    def has_two(self) -> bool:
        """Whether there are two numbers; the first ones settle most columns of scores."""
        values = self.values
        if not self.size or len({*values[:FIRST].tolist()}) > 2 or self.least == self.most:
            return False
        return bool(((values == self.least) | (values == self.most)).all())


Numbers = Mapping[str, FiniteNumbers]


def doubtful_numbers(
    columns: Mapping[str, Any], truth: object = None, *, cases: bool = True
) -> dict[str, str]:
    """Return {name: reason} of the columns that do not look like models beside the others.

    `truth` are the true labels of cases, if there are any. Rows are `cases`, or else data sets or
    rounds. If all columns are doubtful by their numbers alone, none is.
    """
    numeric = {name: numbers for name, numbers in finite_columns(columns).items() if numbers.size}
    doubtful_names = called_otherwise(columns)
    doubtful = dict(doubtful_names)
    for rule in OF_CASES if cases else OF_TABLES:
        doubtful |= rule({name: values for name, values in numeric.items() if name not in doubtful})
    # of predicted labels (all numbers whole) a column may be the truth: a model that is never wrong
    if truth is not None and not all(numbers.is_whole for numbers in numeric.values()):
        doubtful |= dict.fromkeys(copies_of_truth(columns, truth), "holds the true labels")
    return doubtful if len(doubtful) < len(numeric) or doubtful_names else {}


def models_among(
    columns: Mapping[str, Any], chosen: object = None, truth: object = None, *, cases: bool = True
) -> Mapping[str, Any]:
    """Return the columns of models: those that are `chosen`, else all; raise where one is doubtful.

    Not doubted are columns of words, and left out without doubt are indexes by their name.
    """
    if chosen is not None:
        if isinstance(chosen, str) or not isinstance(chosen, list | tuple) or not chosen:
            raise invalid_type("models", "must be a list of the names of columns", chosen)
        for name in chosen:
            check_choice("models", name, tuple(columns))
        return {name: columns[name] for name in chosen}
    named = {name: column for name, column in columns.items() if not INDEX.fullmatch(name)}
    doubtful = doubtful_numbers(named, truth, cases=cases)
    labels = labels_among(doubtful) if truth is None else ""
    way = partial(names_beside_labels, labels) if labels else python_names
    refuse_doubtful(doubtful, named, way)
    return named


def names_beside_labels(labels: str, names: list[str]) -> str:
    """Return how to pass a column of true labels, or else the argument that names models."""
    if not 2 <= len(names) <= MAX_NAMED:
        return f"compare(data[{labels!r}], ...) if rows are cases, else models=[...] and kind="
    return f"compare(data[{labels!r}], data[{names!r}]) if rows are cases, else models= and kind="


def python_names(names: list[str]) -> str:
    """Return the argument of `compare` that names models."""
    if 2 <= len(names) <= MAX_NAMED:
        return hint("models=[{names}]", names=", ".join(map(repr, names)))
    return hint("models=[...] lists them")


def all_numbered(columns: Numbers) -> dict[str, str]:
    """Return {name: reason} of columns of whole numbers that all differ, like ids.

    Where all columns have whole numbers, only of those whose numbers follow one another. None if
    every column is so.
    """
    integers = [name for name, numbers in columns.items() if numbers.is_whole]
    like_ids = [name for name in integers if columns[name].all_differ]
    if len(integers) == len(columns):
        like_ids = [n for n in like_ids if np.ptp(columns[n].values) == columns[n].size - 1]
    like_ids = like_ids if len(like_ids) < len(columns) else []
    return {name: f"has {columns[name].size} whole numbers that all differ" for name in like_ids}


def far_from_others(columns: Numbers) -> dict[str, str]:
    """Return {name: reason} of columns whose every absolute value is far above all others."""
    greatest = {name: max(-float(x.least), float(x.most)) for name, x in columns.items()}
    reasons = {}
    for name, numbers in columns.items():
        others = [size for other, size in greatest.items() if other != name]
        limit = FAR * max(others, default=0.0)
        if 0.0 < limit < greatest[name] and limit < np.abs(numbers.values).min():
            reasons[name] = (
                f"has values from {numbers.least:g} to {numbers.most:g}, all more than {FAR:g} "
                "times as large as any of the others"
            )
    return reasons


def integers_beside_decimals(columns: Numbers) -> dict[str, str]:
    """Return {name: reason} of columns of whole numbers that vary, where most have decimals."""
    integers = [name for name, x in columns.items() if x.is_whole and x.least < x.most]
    decimals = [name for name, x in columns.items() if not x.is_whole]
    if len(integers) >= len(decimals):
        return {}
    return {name: in_integers(columns[name]) for name in integers}


def beyond_shares(columns: Numbers) -> dict[str, str]:
    """Return {name: reason} of columns of whole numbers beyond 0 and 1, where others are between.

    There must be two or more of these.
    """
    within = [name for name, numbers in columns.items() if numbers.is_share]
    beyond = [name for name in columns if name not in within]
    if len(within) < 2 or not all(columns[name].is_whole for name in beyond):
        return {}
    return {name: f"{in_integers(columns[name])}, others are between 0 and 1" for name in beyond}


def integers_off_scale(columns: Numbers) -> dict[str, str]:
    """Return {name: reason} of columns of whole numbers with a median outside all with decimals.

    There must be two or more with decimals: models, beside which the others count something. Where
    all columns are shares, one that is 0 or 1 in every row may be a model.
    """
    decimals = [numbers for numbers in columns.values() if not numbers.is_whole]
    if len(decimals) < 2:
        return {}
    all_shares = all(numbers.is_share for numbers in columns.values())
    integers = {n: x for n, x in columns.items() if x.is_whole}
    if all_shares:
        integers = {n: x for n, x in integers.items() if x.least < x.most}
    return {
        name: f"{in_integers(numbers)}, outside the range of those with decimals"
        for name, numbers in integers.items()
        if not any(x.least <= np.median(numbers.values) <= x.most for x in decimals)
    }


def percentages_beside_shares(columns: Numbers) -> dict[str, str]:
    """Return {name: reason} of columns with decimals all above 1, where others are from 0 to 1."""
    if not any(numbers.is_share for numbers in columns.values()):
        return {}
    return {
        name: f"has values from {numbers.least:g} to {numbers.most:g}, others are between 0 and 1: "
        "percentages and proportions are not comparable"
        for name, numbers in columns.items()
        if numbers.least > 1.0 and not numbers.is_whole
    }


def copies_of_truth(columns: Mapping[str, Any], truth: object) -> list[str]:
    """Return the names of columns that are equal to the true labels, unless all columns are."""
    labels = as_column("y_true", truth).values
    arrays = {name: as_column(name, values).values for name, values in columns.items()}
    same = [
        name
        for name, values in arrays.items()
        if values.shape == labels.shape and values.size >= ENOUGH and bool((values == labels).all())
    ]
    return same if len(same) < len(arrays) else []


def refuse_probabilities(columns: Mapping[str, Any]) -> None:
    """Raise if all columns, or two, sum to 1 in every row, as those of one `predict_proba` do."""
    arrays = [as_column(name, values).values for name, values in columns.items()]
    if len(arrays) < 2 or not {values.dtype.kind for values in arrays} <= {*"fiu"}:
        return
    if len({values.shape for values in arrays}) > 1 or arrays[0].size < ENOUGH:
        return
    classes = [*range(len(arrays))] if sum_to_1(arrays) else complements(arrays)
    if not classes or not min([values.min() for values in arrays]) >= 0.0:
        return
    names = [repr(name) for j, name in enumerate(columns) if j in classes]
    are_all = len(classes) == len(arrays)
    what = f"its {len(arrays)} columns" if are_all else f"its columns {' and '.join(names)}"
    for_two_classes = hint("Pass column 1, [:, 1], of each model")
    raise InvalidValueError(
        f"{hint('`a` must contain')} one column per model; {what} sum to 1 in every row, like "
        "the probabilities of all classes that one model's `predict_proba` returns. "
        f"{for_two_classes if len(classes) == 2 else 'Use multiclass_auc_test'}.",
        parameter="a",
    )


def complements(arrays: Sequence[NDArray[Any]]) -> list[int]:
    """Return the indices of the first two columns of more that sum to 1 in every row, or [].

    Columns that are constant are not meant.
    """
    if len(arrays) == 2:
        return []
    firsts = np.array([float(values.flat[0]) for values in arrays])  # settle most pairs
    near = np.triu(np.abs(firsts + firsts[:, None] - 1.0) <= NEAR, 1)
    for i, j in np.argwhere(near).tolist():
        if sum_to_1([arrays[i], arrays[j]]) and np.ptp(arrays[j]):
            return [i, j]
    return []


def sum_to_1(columns: Sequence[NDArray[Any]]) -> bool:
    """Return whether columns sum to 1 in every row, but for rounding; first rows settle most."""
    for rows in ([column[:FIRST] for column in columns], columns):
        total = np.sum(rows, axis=0, dtype=np.float64)
        if not (np.abs(total - 1.0) <= NEAR).all():
            return False
    return True


OF_CASES: tuple[Callable[[Numbers], dict[str, str]], ...] = (
    all_numbered,
    far_from_others,
    integers_beside_decimals,
)
OF_TABLES = (
    all_numbered,
    percentages_beside_shares,
    far_from_others,
    beyond_shares,
    integers_off_scale,
)


def labels_among_scores(columns: Numbers) -> list[str]:
    """Return a sentence for each column of two numbers, as predicted labels are, beside others.

    None if all columns are so.
    """
    two_valued = [name for name, numbers in columns.items() if numbers.has_two]
    if len(two_valued) == len(columns):
        return []
    return [f"{name!r} {AS_LABELS}" for name in two_valued]


def all_reversed(quantity: str, values: Mapping[str, float]) -> str:
    """Return a sentence if every model ranks worse than chance, else ''.

    `values` are AUCs or concordances (`quantity`) by model.
    """
    if quantity not in REVERSED or not values or not all(x < 0.5 for x in values.values()):
        return ""
    subject = f"All {quantity}s are" if len(values) > 1 else f"The {quantity} is"
    return (
        f"{subject} below 0.5, as where low scores indicate {REVERSED[quantity][1]}: "
        f"{hint('pass higher_is_better=False')} if they do; else the better model looks worse."
    )


def reversed_models(quantity: str, values: Mapping[str, float]) -> list[str]:
    """Return a sentence for each model that ranks worse than chance, or one if all do."""
    if sentence := all_reversed(quantity, values):
        return [sentence]
    return [
        f"The {quantity} of {name!r} is below 0.5: its high scores may indicate "
        f"{REVERSED[quantity][0]}. Multiply its scores by -1 if they do."
        for name, value in values.items()
        if value < 0.5
    ]


def in_integers(numbers: FiniteNumbers) -> str:
    """Return words for a column of whole numbers."""
    return f"has whole numbers from {numbers.least:g} to {numbers.most:g}"


def finite_columns(columns: Mapping[str, Any]) -> dict[str, FiniteNumbers]:
    """Return the finite numbers of columns, which are empty for a column of words."""
    return {name: FiniteNumbers(finite(values)) for name, values in columns.items()}


def finite(values: Any) -> NDArray[Any]:
    """Return the numbers of a column that are finite, an empty array for a column of words."""
    column = as_column("data", values)
    if column.values.dtype.kind not in "biuf" or column.values.ndim != 1:
        return np.empty(0)
    if column.values.dtype.kind == "b":
        return column.values.astype(np.int8)
    numbers = column.values if column.missing is None else column.values[~column.missing]
    if numbers.dtype.kind != "f":
        return numbers
    are_finite = np.isfinite(numbers)
    return numbers if are_finite.all() else numbers[are_finite]
