"""Cases with true labels and the predicted labels, scores or class probabilities of models.

Also cases whose truth is a quantity, with predictions of it.
"""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..._base.exceptions import InvalidValueError
from ..names import called_otherwise
from ..options import check_choice
from ..tables import refuse_probabilities
from .attributes import (
    IN_HUNDREDS,
    amount,
    ask_other_scales,
    ask_outcomes,
    ask_source,
    ask_unrelated,
    is_set_of_cases,
    labels_beside_numbers,
    other_role,
    predicted_labels,
    require_models,
)
from .classes import (
    QUANTITY,
    agreement,
    ask_quantity_or_labels,
    asks_for_errors,
    has_classes_of,
    is_quantity,
    predictions_of,
    read_class_probabilities,
    way_to_errors,
)
from .column import Column
from .question import ask, option, refuse_faults
from .reading import (
    CASES,
    Named,
    Reading,
    describe_values,
    eligible_columns,
    groups_and_weights,
    is_row_name,
    option_name,
    quote_names,
    unused_column_lines,
)
from .relations import class_blocks, confidences, is_predicted, is_thresholded, scores_of_label
from .relations.chance import ask_covariates, ask_whole_numbers
from .relations.codes import (
    WHOLE_NUMBERS,
    are_scores_of_units,
    ask_codes,
    ask_rounded,
    integers_alone,
    unit_of_numbers,
    without_codes,
)
from .relations.errors import Errors, errors_among, predicted_with_errors
from .relations.labels import have_common_values
from .relations.marks import ask_marks_beside_classes
from .shapes.runs import read_runs, runs_of_cases
from .tables import ask_doubtful
from .truths import (
    Truth,
    ask_truth,
    find_positive,
    find_truth,
    is_rank,
    truth_line,
)
from .units import dependence
from .words import name_suggests

DECIMAL = re.compile(r"[+-]?\d*[.,]\d+%?")


class Models(NamedTuple):
    """Names of columns of scores and of labels that may be models', and by name why others not."""

    scores: list[str]
    labels: list[str]
    why: dict[str, str]


def read_cases(columns: Mapping[str, Column], named: Named) -> Reading | None:
    """Return the reading of a table with a row for each case, None where it has no true labels."""
    eligible = eligible_columns(columns, named)
    if named.kind not in (*CASES, "folds", "readers", None) and not asks_for_errors(named, columns):
        return None
    truth = find_truth(eligible, named)
    if truth is None and (name := predicted_with_errors(eligible)) is not None:
        truth = Truth(name, "columns have the errors of its predictions")
    if truth is None:
        if named.kind in CASES:
            few = [n for n, c in eligible.items() if c.has_few_values or c.has_two]
            ask_truth(few or list(eligible))
        return None
    if named.label is not None:
        check_choice(option_name("label"), named.label, tuple(columns))
    label = columns[truth.name]
    refuse_faults([label])
    others = {name: c for name, c in eligible.items() if name != truth.name}
    if not named.models and not label.is_decimal and named.kind != "items":
        shares = {n: c for n, c in others.items() if c.is_decimal or c.is_share}
        blocks = class_blocks(shares, label.label_texts if label.has_few_values else ())
        if blocks:
            return read_class_probabilities(columns, named, truth, blocks)
    errors = {} if named.models else errors_among(label, others)
    others = {name: column for name, column in others.items() if name not in errors}
    are_of_quantity = bool(errors) and not (label.has_few_values or named.kind in CASES)
    if are_of_quantity or is_quantity(label, others, named):
        return read_quantity(columns, named, truth, others, errors)
    ask_quantity_or_labels(label, others, named)
    return read_models_of_cases(columns, named, truth, others, errors)


def possible_models(others: Mapping[str, Column], label: Column) -> Models:
    """Return which of the other columns may be scores or labels of models, and why some are not."""
    why: dict[str, str] = {}
    labels = []
    numbers = {}
    always = always_one_label(others, label)
    for name, column in others.items():
        if column.is_fold:
            why[name] = "rounds"
        elif is_set_of_cases(column, label):
            why[name] = "sets of cases, by its name"
        elif name in always:
            labels.append(name)
        elif column.is_constant and column.texts is not None:
            continue
        elif may_have_labels(column, label):
            if column.texts is None or have_common_values(column, label):
                labels.append(name)
        elif is_row_name(column, [*others.values(), label]) or (
            column.is_unit and not are_scores_of_units(column, others, label)
        ):
            continue
        elif (unit := unit_of_numbers(column, others)) is not None:
            why[name] = f"a number within {unit!r}"
        else:
            numbers[name] = column
    labels = predicted_labels(labels, others, label, why)
    if {*labels} <= {*always}:  # no model's labels vary: these may be constant scores
        numbers |= {name: others[name] for name in labels}
        labels = []
    scores = without_codes({n: numbers[n] for n in scores_among(numbers, why)}, label, why)
    return Models(scores or ranks_among(others, labels, why), labels, why)


def may_have_labels(column: Column, label: Column) -> bool:
    """Return whether a column has words, or as many values or the numbers that labels have."""
    if column.has_two or column.texts is not None:
        return True
    return not label.has_two and (column.has_few_values or has_classes_of(label, column))


def ranks_among(
    others: Mapping[str, Column], labels: Sequence[str], why: dict[str, str]
) -> list[str]:
    """Return the columns of ranks, which count as scores; none where there are labels of models.

    They are removed from `why`, the reasons why columns are no scores.
    """
    ranks = [] if labels else [name for name, column in others.items() if is_rank(column)]
    for name in ranks:
        why.pop(name, None)
    return ranks


def always_one_label(others: Mapping[str, Column], label: Column) -> list[str]:
    """Return the columns with the same label in all rows, if no column has decimals."""
    if any(column.is_decimal for column in others.values()):
        return []
    return [n for n, c in others.items() if c.is_constant and have_common_values(c, label)]


def scores_among(numbers: Mapping[str, Column], why: dict[str, str]) -> list[str]:
    """Return the columns of numbers that are scores; write to `why` why others are not."""
    why |= {name: reason for name, c in numbers.items() if (reason := other_role(c))}
    why |= {n: why_not for n, why_not in confidences(numbers).items() if n not in why}
    otherwise = called_otherwise({name: column.numbers for name, column in numbers.items()})
    why |= {n: w.removeprefix("has ") for n, w in otherwise.items() if n not in why}
    possible = [name for name in numbers if name not in why]
    amounts = {name: reason for name in possible if (reason := amount(numbers[name]))}
    why |= amounts if len(possible) - len(amounts) >= 2 else {}  # else they may be scores
    constant = [name for name, column in numbers.items() if column.is_constant]
    if len(numbers) - len(constant) < 2:  # a model may score all cases as the prevalence
        constant = [name for name in constant if not numbers[name].is_share]
    why |= {name: describe_values(numbers[name]) for name in constant if name not in why}
    possible = [name for name in numbers if name not in why]
    alone = integers_alone({name: numbers[name] for name in possible})
    why |= dict.fromkeys(alone, WHOLE_NUMBERS)
    return [name for name in possible if name not in why]


def read_models_of_cases(
    columns: Mapping[str, Column],
    named: Named,
    truth: Truth,
    others: Mapping[str, Column],
    errors: Mapping[str, Errors],
) -> Reading:
    """Return the reading of cases with labels or scores of models beside the true labels.

    The columns of errors of these are not among the others.
    """
    label = columns[truth.name]
    chosen, how, why = choose_models(columns, named, label, others)
    why |= {name: of_model.reason for name, of_model in errors.items()}
    models = {name: columns[name] for name in chosen}
    refuse_faults(list(models.values()))
    refuse_probabilities({n: c.numbers for n, c in models.items() if c.is_number})
    kind = named.kind or kind_by_values(models, label)
    if kind != "labels" and not label.has_two and not label.is_constant:
        refuse_several(label, chosen, named)
    needs_positive = kind != "labels" or named.pos_label is not None
    positive = find_positive(label, named) if needs_positive else None
    taken = [truth.name, *chosen]
    runs = runs_of_cases(columns, label, chosen)
    used = [*taken, *(runs or ()), *named.auxiliary]
    lines = (truth_line(truth, positive), f"Models: {quote_names(chosen)} ({how}).")
    notes = [f"{name!r}: {c.note}." for name, c in models.items() if c.note]
    notes += unmatched_label_lines(models, label) if kind == "labels" else []
    notes += line_on_errors(models, label, named) if kind == "labels" else []
    reading = Reading(
        kind=kind,
        models={name: column.values() for name, column in models.items()},
        truth=label.values(),
        label=label.name,
        options=groups_and_weights(columns, named)
        | ({} if positive is None else {"pos_label": positive}),
        lines=(*lines, *notes, *unused_column_lines(columns, used, why)),
        **dependence(columns, taken, named, truth.name),
    )
    reading = with_folds(reading, columns, taken, named)
    return reading if runs is None else read_runs(reading, columns, runs, named)


def line_on_errors(models: Mapping[str, Column], label: Column, named: Named) -> list[str]:
    """Return a line on squared errors of predicted numbers that are near the true ones; or []."""
    numbers = [c for c in models.values() if c.is_number and label.is_number and not label.has_two]
    if named.kind == "labels" or not any(agreement(c, label).is_near for c in numbers):
        return []
    return [f"{option(**way_to_errors(label, named))} compares squared errors of these numbers."]


def unmatched_label_lines(models: Mapping[str, Column], label: Column) -> list[str]:
    """Return a line on predicted texts that are no true label, as of models that abstained; or [].

    Upper and lower case count as equal.
    """
    if label.texts is None:
        return []
    true_labels = {text.casefold() for text in label.label_texts}
    unmatched = dict.fromkeys(
        text
        for column in models.values()
        for text in (column.label_texts if column.texts is not None else ())
        if text.casefold() not in true_labels
    )
    if not unmatched:
        return []
    return [f"Predictions that no true label equals count as wrong: {quote_names(unmatched)}."]


def choose_models(
    columns: Mapping[str, Column], named: Named, label: Column, others: Mapping[str, Column]
) -> tuple[list[str], str, dict[str, str]]:
    """Return the columns of models, a note how they were found, and why others are not used."""
    if not named.models:
        refuse_faults([c for c in others.values() if c.faults and not names_units(c)])
        return choose_by_values(possible_models(others, label), others, label, named)
    for name in named.models:
        check_choice(option_name("models"), name, [n for n in columns if n != label.name])
    return list(named.models), named.models_reason, {}


def names_units(column: Column) -> bool:
    """Return whether a column has ids of units or rows, of which some look like numbers: 3e5.

    Decimals among its texts are scores, of which another cell has a typing error.
    """
    if any(DECIMAL.fullmatch(text) for text in column.label_texts):
        return False
    is_id = name_suggests(column.name, "id") and not name_suggests(column.name, "prediction")
    return column.is_unit or (column.all_differ and is_id)


def refuse_several(label: Column, models: list[str], named: Named) -> None:
    """Raise for models with one number a case, where there are more than two classes."""
    way = option(**way_to_errors(label, named))
    end = f" Squared errors are compared by `{way}`, if these are numbers." * label.is_number
    raise InvalidValueError(
        f"column {label.name!r} has {label.distinct.size} classes, "
        f"{quote_names(label.label_texts)}, and {quote_names(models)} one number a case: AUCs of "
        "several classes need a column of probabilities for each class, called as in 'a_0', "
        f"'a_1', 'a_2'.{end}",
        parameter=label.name,
    )


def choose_by_values(
    possible: Models, others: Mapping[str, Column], label: Column, named: Named
) -> tuple[list[str], str, dict[str, str]]:
    """Return the models among the possible ones: labels where `kind` says so, else scores, if any.

    Also a note how they were chosen, and why other columns are not used.
    """
    scores, labels, why = possible
    way = f"{option_name('models')} chooses"
    preferred = [n for n in labels if have_common_values(others[n], label)]  # to scores
    reason = "one number a case, beside labels of several classes"
    if label.has_two:
        if are_confidences(scores, preferred, others):
            reason = "how sure a model is of the label that it predicts: none is below 0.5"
        else:
            preferred = labels_beside_numbers(scores, preferred, others, label)
            reason = "a number beside labels in the words of the true ones"
    if preferred and scores and named.kind is None:
        why |= dict.fromkeys(scores, reason)
        return preferred, f"predicted labels; {way}", why
    if named.kind == "labels" or (not scores and named.kind is None):
        chosen = labels or scores
        refuse_other_words(chosen, others, label)
        ask_unrelated({name: others[name] for name in chosen}, label)
        why |= dict.fromkeys([n for n in scores if n not in chosen], "scores, not labels")
        return require_models(chosen, others, label), f"predicted labels; {way}", why
    chosen = choose_scores(possible, others, label)
    return require_models(chosen, others, label), f"numbers; {way}", why


def choose_scores(possible: Models, others: Mapping[str, Column], label: Column) -> list[str]:
    """Return the columns of scores, and of labels where there is one score; raise if unclear.

    The reasons why others are not used are added to those of the possible models.
    """
    scores, labels, why = possible
    for name in labels:
        column = others[name]
        sources = [s for s in scores if column.has_two and is_thresholded(column, others[s])]
        if sources:
            why[name] = f"a hard label: {sources[0]!r} above or below a threshold"
        elif len(scores) > 1:
            why[name] = "two values, as predicted labels have, beside scores"
    numeric = [name for name in labels if name not in why and others[name].texts is None]
    chosen = [name for name in others if name in (*scores, *numeric)]
    of_label = scores_of_label(label.name, [n for n in labels if n not in chosen], chosen)
    why |= {n: f"of another outcome than {label.name!r}" for n in chosen if n not in of_label}
    chosen = of_label
    are_predictions = any(name_suggests(name, "prediction") for name in numeric)
    if len(scores) == 1 and numeric and not are_predictions:
        chosen = [name for name in chosen if not name_suggests(name, "trait") or name in scores]
        ask_outcomes(chosen, scores)
    ask_rounded(others, label, chosen, why)
    decimals = [name for name in chosen if others[name].is_decimal]
    ask_doubtful(others, decimals, cases=chosen)
    numbers = decimals or [name for name in chosen if not others[name].has_two]
    ask_other_scales({name: others[name] for name in numbers}, chosen)
    ask_codes({name: others[name] for name in chosen}, label)
    if label.has_two:
        ask_source({name: others[name] for name in numbers}, label, chosen)
    return chosen


def are_confidences(
    scores: Sequence[str], labels: Sequence[str], others: Mapping[str, Column]
) -> bool:
    """Return whether scores are confidences in predicted labels: from 0.5 to 1, whatever the label.

    No column of labels is then a score cut at a threshold.
    """
    return bool(labels) and all(
        others[s].is_share
        and float(others[s].present.min()) >= 0.5
        and not any(is_thresholded(others[n], others[s]) for n in labels)
        for s in scores
    )


def refuse_other_words(chosen: list[str], others: Mapping[str, Column], label: Column) -> None:
    """Raise if one model is left because another column has two texts that are no true labels.

    Texts in half the rows or fewer are remarks on some cases.
    """
    words = [
        column
        for name, column in others.items()
        if name not in chosen and column.has_two and column.texts is not None
    ]
    words = [c for c in words if not name_suggests(c.name, "trait") and 2 * c.present.size > c.n]
    if len(chosen) == 1 and words and label.texts is not None:
        other = words[0]
        ask(
            f"column {other.name!r} has the values {quote_names(other.label_texts)}, and the true "
            f"labels {quote_names(label.label_texts)}: write predictions in the words of the "
            "labels, or leave this column out.",
            [{"models": chosen}],
        )


def kind_by_values(models: Mapping[str, Column], label: Column) -> str | None:
    """Return 'labels' if all models have texts, two values or classes as numbers, else 'scores'."""
    ask_marks_beside_classes(models, label)
    if all(c.texts is not None or c.is_bool or c.has_two or c.is_constant for c in models.values()):
        return "labels"
    if any(column.texts is not None for column in models.values()):
        return "labels"
    has_several_classes = not label.has_two and not label.is_constant
    if has_several_classes and all(c.is_whole for c in models.values()):
        return "labels"
    return "scores"


def with_folds(
    reading: Reading, columns: Mapping[str, Column], taken: list[str], named: Named
) -> Reading:
    """Return the reading with the fold of each case, if kind='folds' asks for AUCs by fold.

    It then needs no warnings: that scores are pooled over folds.
    """
    if named.kind != "folds":
        return reading
    folds = [c for n, c in columns.items() if n not in taken and (n == named.id or c.is_fold)]
    return replace(reading, folds=folds[0].codes, warnings=()) if folds else reading


def read_quantity(
    columns: Mapping[str, Column],
    named: Named,
    truth: Truth,
    others: Mapping[str, Column],
    known_errors: Mapping[str, Errors],
) -> Reading:
    """Return the reading of predictions of a quantity: the squared error of each case and model.

    The columns of known errors are not among the others.
    """
    label = columns[truth.name]
    with_errors = {of_model.model for of_model in known_errors.values()}
    chosen, why = choose_predictions(columns, named, label, others, with_errors)
    why |= {name: of_model.reason for name, of_model in known_errors.items()}
    refuse_faults([columns[name] for name in (truth.name, *chosen)])
    y = np.asarray(label.numbers, float)
    errors = {name: np.square(np.asarray(columns[name].numbers, float) - y) for name in chosen}
    taken = [truth.name, *chosen]
    different = f"{label.distinct.size} different numbers"
    may_be_classes = all(np.isin(columns[n].distinct, label.distinct).any() for n in chosen)
    doubt = f"{option(kind='labels')} compares accuracies, if these numbers are names of classes."
    return Reading(
        kind="items",
        models=errors,
        options=groups_and_weights(columns, named),
        lines=(
            f"True values: {truth.name!r} ({truth.why}; {different}: squared errors are compared).",
            f"Models: {quote_names(chosen)} (predictions; {option_name('models')} chooses).",
            *([doubt] if may_be_classes else []),
            *unused_column_lines(columns, [*taken, *named.auxiliary], why),
        ),
        **dependence(columns, taken, named),
        metric=QUANTITY,
        higher_is_better=False,
    )


def choose_predictions(
    columns: Mapping[str, Column],
    named: Named,
    label: Column,
    others: Mapping[str, Column],
    with_errors: Set[str],
) -> tuple[list[str], dict[str, str]]:
    """Return the columns of predictions of a quantity, and why others are not used.

    Whole numbers and amounts are predictions where they are near the true values, and so are
    columns of whose predictions others have the errors. Raise where some may be other numbers.
    """
    if named.models:
        for name in named.models:
            check_choice(option_name("models"), name, tuple(columns))
        return require_models(list(named.models), others), {}
    numbers = predictions_of(label, others) | {n: others[n] for n in with_errors if n in others}
    why: dict[str, str] = {}
    scores_among(numbers, why)
    near = [n for n in why if why[n] in (WHOLE_NUMBERS, IN_HUNDREDS)]
    near = [n for n in near if is_predicted(label, [numbers[n]])]
    integers = [n for n in near if why[n] == WHOLE_NUMBERS and n not in with_errors]
    for name in (*near, *with_errors):
        why.pop(name, None)
    chosen = [name for name in others if name in numbers and name not in why]
    ask_whole_numbers(integers, chosen)
    ask_covariates(label, {name: others[name] for name in chosen})
    return require_models(chosen or list(numbers), others), why if chosen else {}
