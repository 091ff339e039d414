"""The column of true labels, by its values and what it is to others; by its name among equals."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ..._base.exceptions import invalid_value
from ..options import check_choice
from .column import Column, have_same_answers
from .question import as_value, ask, ask_positive
from .reading import Named, option_name, quote_names
from .relations import (
    CLEAR_AGREEMENT,
    class_blocks,
    is_in_names,
    is_label_of_score,
    is_on_scale_of,
    is_predicted,
    is_separated,
    is_thresholded,
    kappa,
    scores_by_label,
)
from .relations.chance import labels_beside_classes
from .relations.labels import (
    agreed_labels,
    clearest_truth,
    describes_cases,
    has_telling_label,
    have_common_values,
    is_experimental,
    marks_training_rows,
    named_by_disease,
    names_groups,
    positive_labels,
    truth_and_predictions,
)
from .words import (
    ANSWERS,
    COUNT_WORDS,
    NEGATIVE,
    POSITIVE,
    ROLES,
    is_attribute,
    is_clear_truth,
    is_outcome,
    name_suggests,
    split_words,
)

PREDICTED = {"pred", "preds", "predicted", "prediction", "yhat", "hat"}
PREDICTED |= {"forecast", "estimate", "estimated"}
OF_SAS = {"_FROM_", "_INTO_"}
NO_TRUTHS = ("prediction", "trait", "unit", "model")  # what names of labels do not suggest


class Truth(NamedTuple):
    """The column of true labels, and why it is taken for them."""

    name: str
    why: str


def truth_line(truth: Truth, positive: Any) -> str:
    """Return the line that says which column has the true labels, why, and which is positive."""
    positive_note = "" if positive is None else f"; positive: {positive!r}"
    other = f"; {option_name('label')} names another" if truth.why != "as specified" else ""
    return f"True labels: {truth.name!r} ({truth.why}{other}{positive_note})."


def find_truth(columns: Mapping[str, Column], named: Named) -> Truth | None:
    """Return the column of true labels, None where there is none; raise where several may be."""
    if named.label is not None:
        return Truth(named.label, named.label_reason)
    models = {*(named.models or ())}
    eligible = {n: c for n, c in columns.items() if n not in models and may_be_truth(c, columns)}
    scores = scores_among(columns)
    two = labels_beside_classes([*filter(may_be_labels, eligible.values())], columns)
    traits = traits_among(two, scores)
    two = [c for c in two if c not in traits]
    no_hard_labels = [c for c in two if not any(is_thresholded(c, score) for score in scores)]
    candidates = no_hard_labels or two
    clear = [c for c in eligible.values() if is_clear_truth(c.name) and not c.all_differ]
    clear = [c for c in clear if c in no_hard_labels or not is_label_of_score(c, scores, two)]
    if are_answers(columns, candidates, scores) or (two and are_metrics(two, scores)):
        return None
    by_classes = truth_from_classes(eligible, named) or truth_from_method(eligible, two)
    if by_classes is not None:
        return by_classes
    if scores and len(candidates) == 1:
        ask_predicted_trait(candidates[0], traits, clear, scores)
        return truth_from_candidate(candidates[0], [*two, *traits], clear, scores)
    if two and (scores or len(two) > 2 or named.models):
        if are_answers_to_items(columns) and len(candidates) > 1:
            ask_truth_or_items([c.name for c in candidates], names_of_numbers(candidates))
        return truth_from_candidates(candidates, clear, scores)
    truth = truth_by_relations(columns, eligible)
    truth = truth or truth_from_candidates(two, clear, scores, must_exist=False)
    if truth is None:
        refuse_one_class(columns, scores)
        truth = truth_from_traits(traits, scores, named, eligible.values())
    return truth


def truth_by_relations(
    columns: Mapping[str, Column], eligible: Mapping[str, Column]
) -> Truth | None:
    """Return the truth by its name, or by what others are to it; None where none is."""
    return (
        truth_from_name(columns, eligible)
        or truth_from_words(eligible)
        or truth_beside_predictions(eligible)
    )


def truth_from_name(columns: Mapping[str, Column], eligible: Mapping[str, Column]) -> Truth | None:
    """Return the only column that is called true labels; None for several.

    Also None where nothing but its name says so: it must be of classes, or beside numbers.
    """
    clear = [c for c in eligible.values() if is_clear_truth(c.name) and not identifies_cases(c)]
    others = [c for c in columns.values() if c.is_number and c not in clear]
    if len(clear) == 1 and (others or clear[0].texts is not None or clear[0].has_few_values):
        return Truth(clear[0].name, "by its name")
    return None


def may_be_truth(column: Column, columns: Mapping[str, Column]) -> bool:
    """Return whether a column varies, and does not just count the objects of a case.

    SAS writes labels to _FROM_ and _INTO_; another column with the same values is then the truth.
    """
    if column.name in OF_SAS:
        others = [c for n, c in columns.items() if n not in OF_SAS]
        return not any(c.label_texts == column.label_texts for c in others if c.has_few_values)
    return not column.is_constant and not counts_objects(column, columns)


def counts_objects(column: Column, columns: Mapping[str, Column]) -> bool:
    """Return whether a column counts the objects of a case, such as n_gt, which none predicts.

    Its name has a word for a number, and no other column has numbers on its scale but shares; or
    its two values, if it has but two. Two values that shares tell apart are classes.
    """
    if not {*split_words(column.name)} & COUNT_WORDS or not column.is_count or column.is_share:
        return False
    if column.has_two and is_separated(column, [c for c in columns.values() if c.is_share]):
        return False
    others = [c for c in columns.values() if c is not column and c.is_number and c.present.size]
    return not any(
        have_common_values(column, c) if column.has_two else is_on_scale_of(column, [c])
        for c in others
        if not (c.is_share or c.is_constant or c.is_row_number)
        if not any(name_suggests(c.name, role) for role in ("id", "unit"))
    )


def scores_among(columns: Mapping[str, Column]) -> list[Column]:
    """Return the columns that may be scores; of tables without any, those that are ranks."""
    scores = [c for c in columns.values() if may_be_scores(c)]
    return scores or [c for c in columns.values() if is_rank(c)]


def may_be_scores(column: Column) -> bool:
    """Return whether numbers may be scores: no folds, units, training steps or row numbers."""
    if not column.is_number or column.has_two or column.is_fold or column.is_unit:
        return False
    return not (column.is_whole and (column.all_differ or name_suggests(column.name, "step")))


def identifies_cases(column: Column) -> bool:
    """Return whether values all differ, and are called as ids of cases are, such as obs."""
    return not column.is_decimal and column.all_differ and name_suggests(column.name, "id")


def is_rank(column: Column) -> bool:
    """Return whether whole numbers are ranks of cases: called so, or a permutation of 1, ..., n."""
    if not column.is_number or not column.is_whole or column.has_two or column.is_constant:
        return False
    names_rows = any(name_suggests(column.name, role) for role in ("id", "unit", "item"))
    return name_suggests(column.name, "rank") or (column.is_ranking and not names_rows)


def refuse_one_class(columns: Mapping[str, Column], scores: Sequence[Column]) -> None:
    """Raise where a column that is called true labels has one value beside scores."""
    if not scores or scores[0].n < 2:
        return
    for column in columns.values():
        if not column.is_constant or not is_clear_truth(column.name):
            continue
        if {text.casefold() for text in column.label_texts} & (POSITIVE | NEGATIVE):
            raise invalid_value(
                column.name,
                "must have labels of both classes",
                column.label_texts[0],
                end=f" in all {column.n} rows: add cases of the other class.",
                subject=f"column {column.name!r}",
            )


def are_answers_to_items(columns: Mapping[str, Column]) -> bool:
    """Return whether a column names items or data sets, and no column is called as outcomes are.

    Or one has the number of the answer to each, among three or more.
    """
    names = [n for n in columns if name_suggests(n, "item") or name_suggests(n, "dataset")]
    of_keys = [c for n, c in columns.items() if {*split_words(n)} <= ANSWERS and c.is_whole]
    names += [c.name for c in of_keys if c.has_few_values and not c.has_two]
    answers = [c for c in columns.values() if is_the_answer(c) and not c.has_two]
    return bool(names) and not any(map(is_outcome, columns)) and not answers


def are_answers(
    columns: Mapping[str, Column], two: Sequence[Column], scores: Sequence[Column]
) -> bool:
    """Return whether columns of two values are answers, right or wrong, and scores their grades.

    Columns name items, or one of two values stands between grades. Raise where it may be the truth.
    """
    if not scores or not two:
        return not scores and are_answers_to_items(columns)
    if any(is_outcome(c.name) or name_suggests(c.name, "rater") for c in (*two, *scores)):
        return False
    grades = [c for c in scores if not name_suggests(c.name, "measure")]
    if not grades or not all(have_all_values(c, two) for c in grades):
        return False
    names = [n for n in columns if columns[n] in (*two, *grades)]
    are_between = all(names[0] != c.name != names[-1] for c in two)
    have_extremes = all(np.ptp(c.distinct) == np.ptp(g.distinct) for c in two for g in grades)
    are_separated = any(is_separated(c, grades) or name_suggests(c.name, "human") for c in two)
    have_items = are_answers_to_items(columns) and not any(
        "case" in split_words(n) for n in columns
    )
    is_clear = have_items or (are_between and have_extremes)
    if (have_items and are_separated) or (have_extremes and not is_clear and not are_separated):
        ask_truth_or_items([c.name for c in two], names)
    return is_clear


def have_all_values(grades: Column, columns: Sequence[Column]) -> bool:
    """Return whether few numbers contain all values of other columns of numbers: 0, .5 and 1."""
    are_few = grades.is_number and grades.has_few_values
    return are_few and all(
        c.is_number and bool(np.isin(c.distinct, grades.distinct).all()) for c in columns
    )


def is_the_answer(column: Column) -> bool:
    """Return whether a column of few texts is called just answer, such as that of each question."""
    return bool(column.texts) and column.has_few_values and {*split_words(column.name)} <= ANSWERS


def may_be_labels(column: Column) -> bool:
    """Return whether a column of two values may be labels: no folds, splits, units or models."""
    if not column.has_two or column.is_fold or marks_training_rows(column):
        return False
    if column.texts is None:
        return column.is_whole or not any(
            map(partial(name_suggests, column.name), ("time", "measure", "weight"))
        )
    names_units_or_models = any(map(partial(name_suggests, column.name), ("unit", "model")))
    return has_telling_label(column) or is_outcome(column.name) or not names_units_or_models


def traits_among(two: Sequence[Column], scores: Sequence[Column]) -> list[Column]:
    """Return the columns of two values that are traits of cases, such as sex, beside scores.

    Attributes such as smoker, which scores may predict, only beside these, or beside metrics.
    """
    no_answers = [c for c in two if c.texts is None or not positive_labels(c)]
    traits = [c for c in no_answers if c.is_trait] if scores else []
    traits += [c for c in two if scores and is_experimental(c)]
    if traits or are_metrics((), scores):
        traits = [c for c in two if c in traits or is_attribute(c.name)]
    return traits


def ask_predicted_trait(
    candidate: Column, traits: Sequence[Column], clear: Sequence[Column], scores: Sequence[Column]
) -> None:
    """Raise where scores tell a trait such as sex apart, and not the other column of two values.

    Unless this is called as true labels or outcomes are.
    """
    if clear or is_outcome(candidate.name) or is_separated(candidate, scores):
        return
    predicted = [c.name for c in traits if is_separated(c, scores)]
    if predicted:
        ask_truth([candidate.name, *predicted])


def predicted_trait(traits: Sequence[Column], scores: Sequence[Column]) -> Truth | None:
    """Return the trait such as sex that scores tell apart, None without; raise for several."""
    predicted = [] if are_metrics((), scores) else [c for c in traits if is_separated(c, scores)]
    if not predicted:
        return None
    if len(predicted) > 1:
        ask_truth([c.name for c in predicted])
    return Truth(predicted[0].name, "the only column with two values that scores tell apart")


def truth_from_traits(
    traits: Sequence[Column], scores: Sequence[Column], named: Named, columns: Iterable[Column]
) -> Truth | None:
    """Return the trait that scores predict; else raise where a trait may be the truth, or None.

    Two groups of cases come before traits in the question.
    """
    groups = [c for c in columns if names_groups(c) and c not in traits]
    truth = None if groups else predicted_trait(traits, scores)
    if truth is None and traits:
        ask_trait([*groups, *traits], scores, named)
    return truth


def ask_trait(traits: Sequence[Column], scores: Sequence[Column], named: Named) -> None:
    """Raise where two values are a trait such as sex: the truth, or that of items in the rows.

    They are of items where all scores are called as metrics are.
    """
    have_values = (c for c in scores if c.has_few_values)  # grades, of which one may be the truth
    have_same = any(have_common_values(a, b) for a, b in combinations(have_values, 2))
    if not traits or have_same or are_metrics((), scores):
        return
    names = [c.name for c in traits]
    ways: list[dict[str, Any]] = [{"label": name} for name in names]
    items = [{"kind": "items"}] if named.kind is None else []
    ask(
        f"which column has the true labels? {quote_names(names)} may be; or are the rows items of "
        "an evaluation, with a score of each model?",
        [*ways, *items],
    )


def are_metrics(two: Sequence[Column], scores: Sequence[Column]) -> bool:
    """Return whether all columns that may be labels or scores are called as metrics are: f1.

    Labels are the columns of `two` values. There must be one column at least.
    """
    scores = [c for c in scores if not c.is_constant]
    scores = [c for c in scores if not name_suggests(c.name, "measure") or is_rank(c)]
    named_so = all(
        name_suggests(c.name, "metric") and not is_clear_truth(c.name) for c in (*two, *scores)
    )
    return (
        named_so
        and bool(two or scores)
        and not any(name_suggests(c.name, "prediction") for c in scores)
    )


def truth_from_classes(columns: Mapping[str, Column], named: Named) -> Truth | None:
    """Return the column whose values are the classes of columns of probabilities, None without.

    Raise where there are several.
    """
    few = {n: c for n, c in columns.items() if c.has_few_values and not c.is_fold}
    shares = {n: c for n, c in columns.items() if n not in few and c.is_share}
    fitting = [c for c in few.values() if len(shares) > 1 and are_classes(c, shares)]
    fitting = [c for c in fitting if not name_suggests(c.name, "prediction")] or fitting
    clear = [c for c in fitting if is_clear_truth(c.name)]
    models = {model for c in fitting for model in class_blocks(shares, c.label_texts)}
    others = [c for c in fitting if c.name not in models]  # which are no labels of these models
    for tier in (clear, [c for c in fitting if is_in_names(c, shares)], others or fitting):
        if len(tier) == 1:
            return Truth(tier[0].name, "its values are the classes of the probabilities")
        if tier:
            ask_truth([c.name for c in tier])
    return None


def are_classes(column: Column, shares: Mapping[str, Column]) -> bool:
    """Return whether each value of a column is a class of the columns of probabilities `shares`."""
    blocks = class_blocks(shares, column.label_texts)
    classes = {label.casefold() for label in next(iter(blocks.values()), {})}
    return {text.casefold() for text in column.label_texts} <= classes


def truth_from_candidate(
    candidate: Column, two: list[Column], clear: list[Column], scores: Sequence[Column]
) -> Truth:
    """Return the only column of two values as the truth, unless another is called true labels.

    Then this other one, if it is the only one; raise where both may be the truth. `clear` are the
    columns that are called so.
    """
    others = [c for c in clear if c.name != candidate.name]
    if others and not is_clear_truth(candidate.name):
        if len(others) > 1:
            ask_truth([c.name for c in others])
        (other,) = others
        is_quantity = other.is_number and not other.has_few_values
        predictions = [c for c in scores if c is not other]
        if is_outcome(candidate.name) or (is_quantity and not is_predicted(other, predictions)):
            ask_truth([candidate.name, other.name])
        return Truth(other.name, "by its name")
    if len(two) == 1:
        return Truth(candidate.name, "the only column with two values")
    cut = [c for c in two if c is not candidate and is_outcome(c.name)]  # measurements, perhaps
    cut = [c for c in cut if not is_label_of_score(c, scores)]
    if cut and not is_outcome(candidate.name):
        ask_truth([*(c.name for c in cut), candidate.name])
    if all(map(describes_cases, (c for c in two if c is not candidate))):
        return Truth(candidate.name, "the only column with two values that is no trait of cases")
    return Truth(candidate.name, "the only column with two values that no score beside it decides")


def truth_from_candidates(
    two: list[Column], clear: list[Column], scores: list[Column], *, must_exist: bool = True
) -> Truth | None:
    """Return the only candidate in the first tier of names that has just one; None where none has.

    Tiers are the names of true labels, of outcomes, and those of nothing else. If the truth
    `must_exist`, raise for a tier of several candidates, and beside scores where no tier has one.
    """
    named_truth = [c for c in clear if not (c.is_decimal and two)]
    unnamed = [c for c in two if not any(name_suggests(c.name, role) for role in NO_TRUTHS)]
    outcomes = [c for c in two if is_outcome(c.name)]
    tiers = (
        clearest_truth(named_truth),
        named_truth,
        agreed_labels(outcomes or two) if len(outcomes) != 1 else [],
        outcomes,
        named_by_disease(unnamed) if scores else [],
        unnamed if scores else [],
    )
    for tier in tiers:
        if len(tier) == 1:
            return Truth(tier[0].name, "by its name, among columns of two values")
        if len(tier) > 1 and must_exist:
            ask_candidates(tier, scores)
    if must_exist and scores:
        ask_candidates(two, scores)
    return None


def truth_from_method(eligible: Mapping[str, Column], two: Sequence[Column]) -> Truth | None:
    """Return the only column called as a method of reference, such as culture, or None.

    Two others agree with it in its words, and none is called true labels or an outcome. Raise where
    the name of one of them has other words beside those of an outcome, as of a test: T-SPOT.TB.
    """
    methods = [c for c in two if c.texts is not None and name_suggests(c.name, "reference")]
    if len(methods) != 1 or any(map(is_clear_truth, eligible)):
        return None
    (method,) = methods
    others = [c for c in eligible.values() if c.has_few_values and c is not method]
    agreeing = [c for c in others if kappa(c, method) >= CLEAR_AGREEMENT]
    outcomes = [c for c in agreeing if c.has_two and is_outcome(c.name)]
    if len(agreeing) < 2 or is_outcome(method.name):
        return None
    if any({*split_words(c.name)} <= ROLES["outcome"] | ROLES["truth"] for c in outcomes):
        return None
    if outcomes:
        ask_truth([method.name, *(c.name for c in outcomes)])
    return Truth(method.name, "by its name, among columns of the same values")


def truth_from_words(columns: Mapping[str, Column]) -> Truth | None:
    """Return the only column of classes that is called an outcome, if another has its values."""
    classes = [
        c for c in columns.values() if c.has_few_values and not c.is_decimal and not c.is_fold
    ]
    outcomes = [c for c in classes if is_outcome(c.name)]
    if len(outcomes) != 1:
        outcomes = agreed_labels(outcomes or classes) or outcomes
    outcomes = outcomes or list(filter(is_the_answer, classes))
    if len(outcomes) != 1:
        return None
    (outcome,) = outcomes  # or the answer, beside columns that are called as models are
    same_values = [c for c in classes if have_common_values(c, outcome)]  # itself, too
    if len(same_values) < 2:
        return None
    return Truth(outcome.name, "by its name, among columns of the same values")


def truth_beside_predictions(columns: Mapping[str, Column]) -> Truth | None:
    """Return the only column of numbers that is not called a prediction, if predictions fit it.

    They are on its scale, and one of them is nearer to it than its mean.
    """
    numbers = [
        c for c in columns.values() if c.is_number and not c.has_few_values and not c.is_unit
    ]
    predictions = [c for c in numbers if {*split_words(c.name)} & PREDICTED]
    others = [
        c
        for c in numbers
        if c not in predictions
        and not (c.all_differ and (c.is_row_number or name_suggests(c.name, "id")))
    ]
    if not predictions or len(others) != 1:
        return None
    (truth,) = others
    if truth.is_share or not is_on_scale_of(truth, predictions):
        return None
    if not is_predicted(truth, predictions):
        return None
    return Truth(truth.name, "the only number that is not called a prediction")


def ask_candidates(columns: Sequence[Column], scores: Sequence[Column]) -> None:
    """Raise with the columns of two values that may be the true labels, or answers to items."""
    names = [c.name for c in columns]
    if not scores and have_same_answers(columns):
        ask_truth_or_items(names)
    agreeing = truth_and_predictions(columns)
    ask_truth([c.name for c in agreeing or columns], () if agreeing else scores)


def ask_truth(names: Iterable[str], scores: Sequence[Column] = ()) -> Any:
    """Raise with the columns that may be the true labels, each with the scores that name it."""
    possible = list(names)
    by_label = scores_by_label(possible, [c.name for c in scores])
    ways = [
        {"label": name, **({"models": by_label[name]} if by_label else {})} for name in possible
    ]
    ask(f"which column has the true labels? {quote_names(possible)} may be.", ways)


def names_of_numbers(columns: Sequence[Column]) -> list[str]:
    """Return the names of the columns of numbers, which models' answers are, unlike a domain."""
    return [c.name for c in columns if c.numbers is not None]


def ask_truth_or_items(names: Sequence[str], answers: Sequence[str] = ()) -> None:
    """Raise with columns of two values: true labels, or answers to the items in the rows.

    All `answers` are then compared, by default these columns.
    """
    answers = [*(answers or names)]
    one = "one of them" if {*names} <= {*answers} else f"one of {quote_names(names)}"
    one = one if len(names) > 1 else repr(names[0])
    ask(
        f"are {quote_names(answers)} right and wrong answers to items, or grades, or has "
        f"{one} the true labels?",
        [{"kind": "items", "models": answers}, *({"label": name} for name in names)],
    )


def find_positive(column: Column, named: Named) -> Any:
    """Return the label of the positive class, None for 1, true, or labels of no two classes.

    Raise with a question where nothing says which of two labels is positive.
    """
    if named.pos_label is not None:
        value = as_value(column, str(named.pos_label))
        choices = dict.fromkeys([*column.label_texts, *map(str, label_values(column))])
        check_choice(option_name("pos_label"), str(value), [*choices])
        return value
    if column.is_bool or not column.has_two:
        return None
    texts = column.label_texts
    if column.texts is None:
        if {*texts} <= {"0", "1"} or {*texts} == {"-1", "1"}:
            return None
        return ask_positive(column)
    positives = positive_labels(column)
    return positives[0] if len(positives) == 1 else ask_positive(column)


def label_values(column: Column) -> list[Any]:
    """Return the distinct labels as Python values: texts, booleans or numbers."""
    if column.texts is not None:
        return list(column.label_texts)
    return [bool(x) if column.is_bool else x for x in column.distinct.tolist()]
