"""The kind of data, from the values or as users specify it, or an error that names the choices.

Options and sizes that do not go with that kind, or with the data, are errors here, too.
"""

from collections.abc import Mapping, Sequence
from numbers import Integral
from os import PathLike
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..._adapters.frames import frame_names, is_frame, row_index
from ..._base.exceptions import InvalidValueError, hint, invalid_type, invalid_value
from ..._base.types import Matrix
from ..arrays import FIRST, as_column
from ..models import find_nan
from ..options import check_choice, has_direction
from ..scores import named_columns, names_by_number, names_of_pair, split_columns
from ..tables import sum_to_1

DESCRIPTIONS = {  # by kind, how errors offer it
    "labels": "labels (pass kind='labels': McNemar's test)",
    "scores": "scores whose order counts (kind='scores': AUCs)",
    "probabilities": "probabilities (kind='probabilities': Brier scores)",
}


TRUE_LABELS = "are among the true labels"
CALIBRATION = "kind='probabilities' compares Brier scores, which assess calibration, too."
ORDER = "kind='scores' compares their AUCs, by the order of these values."
ACCURACIES = "The values are predicted labels: accuracies are compared."


class FoundKind(NamedTuple):
    """The inferred kind of data, the reason, and notes on other possible kinds, in sentences."""

    kind: str
    why: str
    doubts: tuple[str, ...] = ()


def as_columns(a: object, b: object, n: int) -> Mapping[str, Any]:
    """Return the predictions of each model by name, from a table `a` or from `a` and `b`."""
    if b is not None:
        check_same_cases({"a": a, "b": b}, n)
        return dict(zip(names_of_pair(a, b), (a, b), strict=True))
    named = named_columns("a", a)
    if named is None:
        columns = [column.values for column in split_columns("a", as_column("a", a), n)]
        named = dict(zip(names_by_number(len(columns)), columns, strict=True))
    return named


def check_same_cases(models: Mapping[str, Any], n: int) -> None:
    """Raise unless both models have a value for each of n labels."""
    for name, values in models.items():
        shape = array_shape(values)
        if shape and shape[0] != n:
            raise invalid_value(
                name,
                f"must have one value for each of the {n} labels in `data`",
                shape[0],
                ". Models on different cases come with their labels: compare((labels_1, scores_1), "
                "(labels_2, scores_2)).",
                show=", got {}",
            )


def refuse_remainder(columns: Mapping[str, Any], models: Mapping[str, Any], named: object) -> None:
    """Raise where one model is left of several columns, unless `named`, the option, names it."""
    if len(models) < 2 <= len(columns) and named is None:
        name = next(iter(models), "...")
        raise invalid_value(
            "a",
            "must contain at least two models, or one that is named",
            end=f": {name!r} alone is left of {', '.join(map(repr, columns))}. Pass "
            f"models=[{name!r}] for its measure alone.",
        )


def infer_kind(y_true: object, columns: Mapping[str, Any]) -> FoundKind:
    """Return whether models gave labels, scores or probabilities; raise if mixed or ambiguous.

    Scores that may be probabilities count as scores, and values of all models that occur as true
    labels as predicted labels, with a note. The model whose values tell most gives the reason: one
    of a certain kind if there is any, else the first of fewest kinds.
    """
    classes, _ = distinct_values("data", y_true)
    kinds_by_model = {
        name: possible_kinds(name, values, classes) for name, values in columns.items()
    }
    certain = {kinds[0] for kinds, _ in kinds_by_model.values() if len(kinds) == 1}
    name, (kinds, description) = next(iter(kinds_by_model.items()))
    for other, (other_kinds, other_description) in kinds_by_model.items():
        is_certain = len(other_kinds) == 1
        if is_certain or len(other_kinds) < len(kinds):
            name, kinds, description = other, other_kinds, other_description
        if is_certain:
            break
    if len(certain) > 1:
        refuse_mixture(kinds_by_model)
    doubts: tuple[str, ...] = ()
    if set(kinds) == {"scores", "probabilities"}:
        kinds, doubts = ("scores",), (CALIBRATION,)
    elif len(kinds) > 1 and all(which == TRUE_LABELS for _, which in kinds_by_model.values()):
        return FoundKind("labels", ACCURACIES, (ORDER,) if classes.size <= 2 else ())
    if len(kinds) > 1:
        choices = " or ".join(DESCRIPTIONS[kind] for kind in kinds)
        raise invalid_value(
            "kind",
            "must be specified",
            end=f": the values of {name!r} {description}, so they may be {choices}.",
        )
    if any(kinds[0] not in possible for possible, _ in kinds_by_model.values()):
        refuse_mixture(kinds_by_model)
    conclusion = "they are compared by AUC" if doubts else f"they are {kinds[0]}"
    return FoundKind(kinds[0], f"The values of {name!r} {description}: {conclusion}.", doubts)


def several_classes(y_true: object) -> bool:
    """Return whether true labels are of more than two classes."""
    values = present_values("data", y_true)
    if values.dtype.kind not in "biuf":
        return np.unique(values).size > 2
    between = (values != values.min()) & (values != values.max()) if values.size else values
    return bool(between.any())


def refuse_mixture(kinds_by_model: Mapping[str, tuple[tuple[str, ...], str]]) -> NoReturn:
    """Raise since models gave different kinds of data."""
    descriptions = ", those of ".join(
        f"{name!r} {description}" for name, (_, description) in kinds_by_model.items()
    )
    raise InvalidValueError(
        "`a` and `b` must contain the same kind of data for all models; the values of "
        f"{descriptions}. Pass labels, scores or probabilities of all models, and `kind`.",
        parameter="a",
    )


def distinct_values(name: str, values: object) -> tuple[NDArray[Any], bool]:
    """Return the distinct values of a column without missing ones, and whether they are numbers."""
    array = present_values(name, values)
    if array.dtype.kind not in "biuf":
        return np.unique(array.astype(str)), False
    return np.unique(array), array.dtype.kind != "b"


def present_values(name: str, values: object) -> NDArray[Any]:
    """Return the values of a column that are not missing."""
    column = as_column(name, values)
    missing = find_nan(column)
    return column.values[~missing] if missing.any() else column.values


def possible_kinds(name: str, values: object, classes: NDArray[Any]) -> tuple[tuple[str, ...], str]:
    """Return the kinds that a model's values may be of, and a description of these values."""
    numbers = present_values(name, values)
    if numbers.dtype.kind not in "iuf":
        return ("labels",), "are words or truth values"
    within = not numbers.size or bool(numbers.min() >= 0 and numbers.max() <= 1)
    if are_of_classes(numbers, classes):
        if classes.size > 2 and numbers.dtype.kind != "f":
            return ("labels",), TRUE_LABELS
        others = ("scores", "probabilities") if within else ("scores",)
        return ("labels", *others), TRUE_LABELS
    if classes.size > 2:
        return ("labels", "scores"), "are not among the true labels, of which there are several"
    if within:
        return ("probabilities", "scores"), "are from 0 to 1"
    return ("scores",), "lie outside [0, 1]"


def are_of_classes(numbers: NDArray[Any], classes: NDArray[Any]) -> bool:
    """Return whether all numbers are among the distinct labels `classes`."""
    for part in (numbers[:FIRST], numbers):
        distinct = np.unique(part)
        as_classes = distinct.astype(str) if classes.dtype.kind == "U" else distinct
        if distinct.size > classes.size or not np.isin(as_classes, classes).all():
            return False
    return True


def kind_of_table(*, rounds: bool) -> FoundKind:
    """Return folds as the kind of a table of scores whose `rounds` are specified, or raise."""
    if rounds:
        return FoundKind("folds", "The sizes or splits of rounds are specified: rows are rounds.")
    raise invalid_value(
        "kind",
        "must be specified for a table of scores alone, whose rows may be rounds "
        "(kind='folds', with n_train= and n_test=), data sets (kind='datasets') or items "
        "of an evaluation (kind='items')",
        end=". For cases, begin with their true labels: compare(y_true, scores).",
    )


def refuse_options(kind: str, options: Mapping[str, object], allowed: tuple[str, ...]) -> None:
    """Raise for options that mean nothing for a kind of data."""
    for name, value in options.items():
        if value is not None and name not in allowed:
            raise invalid_value(
                name,
                f"has no meaning for kind={kind!r}",
                value,
                ". Omit it.",
                show="" if isinstance(value, np.ndarray) else ", got {!r:.60}",
            )


def refuse_alone(b: object, k: int) -> None:
    """Raise where a table of scores has one model, or `b` is passed without `a`."""
    if b is not None:
        raise invalid_value("a", "must be specified with `b`", end=": compare(y_true, a, b).")
    if k < 2:
        raise invalid_value(
            "data", "must contain at least two models, one per column", end=", got one."
        )


def check_order(kind: str, better: str, k: int, options: Mapping[str, Any]) -> None:
    """Raise for a direction, a correction or an order that the tests of a kind cannot have.

    `better` says why users need not say which order is better, where they need not.
    """
    if better and not options["higher_is_better"]:
        raise invalid_value(
            "higher_is_better", f"has no meaning for kind={kind!r}", end=f": {better}"
        )
    if kind != "datasets" or k < 3:
        return
    if has_direction(options["alternative"]):
        raise invalid_value(
            "alternative",
            "must be 'two-sided' for three or more models on data sets: Nemenyi's test has no "
            "direction",
            options["alternative"],
            ". control_test has one.",
        )
    if "correction" in options:
        raise invalid_value(
            "correction",
            "has no meaning for kind='datasets': Nemenyi's test of all pairs needs none",
            options["correction"],
            ". friedman_pairwise_test takes one.",
        )


def refuse_named(named: Mapping[str, object], data: str = "data") -> NoReturn:
    """Raise for an option that names a column where the data are no table."""
    name, value = next(iter(named.items()))
    raise invalid_value(
        name,
        f"names a column of a table, which `{data}` must be then",
        value,
        ". Omit it, or pass a data frame.",
        show=", got {!r:.60}",
    )


def refuse_data(data: object) -> NoReturn:
    """Raise for data of a type that compare does not take."""
    if isinstance(data, str | PathLike):
        raise invalid_type(
            "data",
            "must contain the values themselves",
            end=f", got a path or a name, {str(data)!r:.60}. Read the file first, for example "
            "by pandas.read_csv, or by read_evals for logs of evaluations.",
        )
    raise invalid_type(
        "data",
        "must be the true labels of cases (with the models' predictions as `a`), a table "
        "with one column per model, a result of read_evals, scikit-learn estimators, "
        "results of cross_validate or a fitted search",
        type(data).__name__,
        show=", got a {}",
    )


def check_kind_against_columns(kind: str, columns: Mapping[str, Any]) -> None:
    """Raise where predictions cannot be of the specified kind: words, or outside [0, 1]."""
    for name, values in columns.items():
        array = as_column(f"a[{name!r}]", values).values
        contradiction = ""
        if array.dtype.kind not in "biuf":
            contradiction = "are words" if kind != "labels" else ""
        elif kind == "probabilities" and array.size:
            least, most = np.fmin.reduce(array, axis=None), np.fmax.reduce(array, axis=None)
            contradiction = "lie outside [0, 1]" if least < 0 or most > 1 else ""
        if contradiction:
            raise invalid_value(
                f"kind={kind!r}",
                f"{hint('contradicts `data`')}",
                end=f": the values of {name!r} {contradiction}. Omit `kind`, or pass the {kind} of "
                "all models.",
            )


def refuse_kind(specified: str, detected: str, why: str) -> NoReturn:
    """Raise since the data are of another kind than is specified."""
    raise invalid_value(
        f"kind={specified!r}",
        f"{hint('contradicts `data`')}, which are {detected}",
        end=f": {why} Omit `kind`.",
    )


def refuse_groups(design: str) -> NoReturn:
    """Raise since `groups` has clusters, and the design says that there are none."""
    raise invalid_value(
        f"design={design!r}", "contradicts `groups`, which are clusters", end=". Omit one of them."
    )


def refuse_unspecified(design: str, option: str) -> NoReturn:
    """Raise since a design needs an option that was not passed, with a value for each row."""
    raise invalid_value(
        f"design={design!r}",
        f"needs `{option}`",
        end=": one value for each row. Pass it, or omit `design`.",
    )


def refuse_battles() -> NoReturn:
    """Raise since a table lacks a column that battles need."""
    raise invalid_value(
        "data",
        "must be a table with the columns 'model_a', 'model_b' and 'outcome' (or "
        "'winner'), or rows of these three, for kind='battles'",
        end="; or pass them as compare(model_a, model_b, outcome, kind='battles').",
    )


def refuse_shape(why: str) -> NoReturn:
    """Raise since scikit-learn's results do not show the sizes of rounds."""
    raise InvalidValueError(f"the rounds of `data` are unknown: {why}.", parameter="data")


def check_kind(kind: object, kinds: Sequence[str]) -> str:
    """Return the kind of data, or raise."""
    if kind is None:
        way = hint("pass the `data`, as for compare")
        raise invalid_value(
            "kind",
            "must be specified without data",
            end=f": one of {', '.join(map(repr, kinds))}. Or {way}.",
        )
    check_choice("kind", kind, kinds)
    return str(kind)


def check_design(design: object, kind: str, designs: Mapping[str, Sequence[str]]) -> str:
    """Return the design, by default the first of the kind, or raise."""
    if design is None:
        return designs[kind][0]
    if isinstance(design, str) and design not in designs[kind]:
        for other, words in designs.items():
            if design in words:
                raise invalid_value(
                    "design",
                    f"{design!r} is for kind={other!r}",
                    end=f"; for {kind!r} it must be one of {', '.join(map(repr, designs[kind]))}.",
                )
    check_choice("design", design, designs[kind])
    return str(design)


def check_how_many(name: str, value: object, least: int) -> int:
    """Return a whole number of at least `least`, or raise."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise invalid_type(name, "must be a whole number", value)
    if value < least:
        raise invalid_value(name, f"must be at least {least}", value, show=", got {}")
    return int(value)


def check_agreement(name: str, specified: object, detected: object, hold: str) -> None:
    """Raise where a specified option contradicts what was detected in the data.

    `hold` says in the message what was detected.
    """
    if specified is not None and specified != detected:
        raise invalid_value(
            f"{name}={specified!r}",
            f"{hint('contradicts `data`')}, which {hold}",
            end=f". Omit `{name}` or `data`.",
        )


def check_no_data(**options: object) -> None:
    """Raise for options that go with data, where there are none."""
    for name, value in options.items():
        if value is not None:
            raise invalid_value(
                name,
                "requires `data`",
                end=". Pass the data, or describe them: kind=, n_models=, n=, design=.",
            )


def check_same_rows(sizes: Mapping[str, int]) -> None:
    """Raise unless all columns have as many rows."""
    first, *others = sizes
    for name in others:
        if sizes[name] != sizes[first]:
            raise invalid_value(
                "data",
                "must have the same number of rows in all columns",
                end=f": {first!r} has {sizes[first]}, {name!r} {sizes[name]}.",
            )


def check_unpaired(pairs: Mapping[str, tuple[Any, Any]]) -> None:
    """Raise unless there are two models, each with as many labels as predictions."""
    if len(pairs) != 2:
        raise invalid_value(
            "data",
            "must contain two models if each has labels of its own",
            len(pairs),
            ": compare them pair by pair, and adjust the p-values by adjust_pvalues.",
        )
    for name, (labels, values) in pairs.items():
        sizes = [as_column(f"data[{name!r}]", part).values.shape[:1] for part in (labels, values)]
        if sizes[0] != sizes[1]:
            raise invalid_value(
                f"data[{name!r}]",
                "must have a prediction for each of its labels",
                end=f", got {sizes[1][0]} of {sizes[0][0]}.",
            )


def has_same_labels(pairs: Mapping[str, tuple[Any, Any]]) -> bool:
    """Return whether two models that came with labels each have the same, in the same order."""
    first, second = (as_column("data", labels).values for labels, _ in pairs.values())
    return first.shape == second.shape and bool((first == second).all())


def common_kind(kinds: Sequence[str]) -> str:
    """Return the kind of two models on different cases, or raise if they are of two kinds."""
    if len({*kinds}) > 1:
        raise invalid_value(
            "data",
            "must contain the same kind of data for both models",
            end=f", got {kinds[0]} and {kinds[1]}. Pass labels or scores of both, and `kind`.",
        )
    return kinds[0]


def class_tables(
    labels: object, columns: Mapping[str, Any]
) -> tuple[tuple[Any, ...], Mapping[str, Matrix]] | None:
    """Return the classes, and each model's probabilities (n, c) in their order.

    None where a model gave one number a case, or labels are of two classes. Columns without names
    are in the order of the sorted labels. Labels that are numbers are classes as floats.
    """
    if not all(map(has_class_columns, columns.values())) or not several_classes(labels):
        return None
    distinct_labels = distinct_values("data", labels)[0].tolist()
    n = len(as_column("data", labels).values)
    from ..probabilities import as_class_table, class_order, in_class_order  # seldom needed

    tables = [as_class_table(name, values, n) for name, values in columns.items()]
    for table in tables:
        if table.keys is None and len(table.vectors) != len(distinct_labels):
            refuse_classes(table.name, distinct_labels, len(table.vectors))
    classes = class_order(distinct_labels, None, tables[0])
    if not any(isinstance(label, str) for label in distinct_labels):
        # a class without cases is known only by the name of its column, a text
        classes = tuple(float(x) if isinstance(x, str) else x for x in classes)
    arrays = [np.stack(in_class_order(classes, table), axis=1) for table in tables]
    return classes, dict(zip(columns, arrays, strict=True))


def are_of_one_model(labels: object, columns: Mapping[str, Any]) -> bool:
    """Return whether three columns or more are one model's probabilities, one for each class."""
    if len(columns) < 3 or not several_classes(labels):
        return False
    are_numbers = all(np.ndim(x) == 1 and not is_text(x) for x in columns.values())
    if not are_numbers or len(distinct_values("data", labels)[0]) != len(columns):
        return False
    return sum_to_1([as_column("a", x).values for x in columns.values()])


def is_text(values: object) -> bool:
    """Return whether a column has values that are no numbers."""
    return as_column("a", values).values.dtype.kind not in "fiu"


def has_class_columns(values: Any) -> bool:
    """Return whether a model's predictions have two columns or more, one for each class."""
    if isinstance(values, Mapping) or is_frame(values):
        return len(values.keys() if isinstance(values, Mapping) else frame_names(values)) > 1
    shape = array_shape(values)
    return len(shape) == 2 and shape[1] > 1


def array_shape(values: object) -> tuple[int, ...]:
    """Return the shape of an array, a list or a column of pandas; () of anything else."""
    if isinstance(values, np.ndarray):
        return tuple(values.shape)
    if isinstance(values, list | tuple):
        first = values[0] if values else None  # rows of other lengths are refused later
        rows = isinstance(first, list | tuple) or bool(getattr(first, "shape", ()))
        return (len(values), len(first)) if rows else (len(values),)  # type: ignore[arg-type]
    index = None if is_frame(values) else row_index(values)
    return () if index is None else (len(index),)


def refuse_classes(name: str, classes: Sequence[Any], width: int) -> NoReturn:
    """Raise since a model has not as many columns as the labels have classes."""
    raise invalid_value(
        name,
        f"must have a column for each of the {len(classes)} classes in `data`",
        width,
        ". Pass data frames whose columns are called like the classes if some have no cases here.",
        show=", got {}",
    )


def check_any_rows(n: int) -> None:
    """Raise unless data have a row."""
    if not n:
        raise invalid_value("data", "must contain at least one row", end=", got none.")


def refuse_advice(asked: str, why: str = "") -> NoReturn:
    """Raise since no rule of `recommend` fits what was asked."""
    raise InvalidValueError(
        f"no test here fits {asked}. {why}Omit `design`, `parametric` or `claim` to see the "
        "options: fastcompare.advice.RULES has all rules. Models with different rows are compared "
        "only if all rows are independent: if possible, use the same rows for all models.",
        parameter="design",
    )


def refuse_measure(asked: str) -> NoReturn:
    """Raise since there is no simulation of what `measure` asks for."""
    raise invalid_value(
        "measure",
        f"has no simulation for {asked}",
        end=". Simulate your own design by simulate_error_rates, or omit `measure`.",
    )


def refuse_trust(asked: str) -> NoReturn:
    """Raise since `trust` has no simulation of what was asked."""
    raise invalid_value(
        "trust",
        f"has no simulation for {asked}",
        end=". Simulate your own design by simulate_error_rates.",
    )
