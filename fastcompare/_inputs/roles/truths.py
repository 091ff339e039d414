"""The column of true labels, by its values and what it is to others; by its name among equals."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ..._base.exceptions import invalid_value
from ..options import check_choice
from .column import Column
from .question import ask
from .reading import Named, option_name, quote_names
from .relations import class_blocks, is_thresholded
from .words import RIGHT, ROLES, is_clear_truth, is_outcome, name_suggests, split_words

POSITIVE_WORDS = """
    yes y true t 1 positive pos + case ill sick diseased disease malignant abnormal present
    dead died deceased event spam fraud fraudulent toxic churned churn relapse relapsed
    progression progressed responder responded defaulted default infected cancer tumor tumour
    metastasis metastatic clicked click purchased bought converted hate hateful offensive
    phishing attack anomaly anomalous defect defective faulty broken readmitted recurrence
    recurred sepsis septic pathological pathologic impaired pregnant relevant duplicate
    entailment paraphrase sarcastic hypertensive diabetic depressed suicidal exposed detected
    positiv ja oui si sí sim sick affected krank malware malicious failed won like liked
    unsafe harmful unstable
    positivo positiva positif malade malin maligno maligna enfermo enferma muerto fallecido vrai
    verdadero pathologisch auffällig malig bösartig verstorben tot erkrankt positief wahr
    doente óbito morto"""
NEGATIVE_WORDS = """
    no n false f 0 negative neg - control controls healthy well benign normal absent alive living
    survived survivor none ham legit legitimate genuine nontoxic clean stayed retained
    censored stable uninfected irrelevant unaffected unexposed undetected intact ok nein non
    não gesund healthy_control hc not absence neither nothing uneventful remission-free
    unremarkable safe harmless inactive
    benig bénig negativo negativa négatif bénin benigno benigna sano sana vivo viva
    faux negativ unauffällig gutartig lebend lebt falsch sain negatief nee saudável good_outcome"""
POSITIVE, NEGATIVE = frozenset(POSITIVE_WORDS.split()), frozenset(NEGATIVE_WORDS.split())
PREDICTED = frozenset(
    ["pred", "preds", "predicted", "prediction", "yhat", "hat", "forecast", "estimate", "estimated"]
)
CODE = re.compile(r"^\d+ ?[:=] ?")  # before a word, as in 1:DECEASED
NO_TRUTHS = ("prediction", "trait", "unit", "model")  # what names of labels do not suggest
STEMS = ("malig", "benig", "bénig")  # of many languages
DENIALS = ("no ", "no_", "no-", "non-", "non ", "non_", "not ", "not_", "not-", "non")
PREFIXES = ("un", "in")  # deny a word, too, but as often in what is looked for: unsafe, invalid
LETTERS = {("y", "n"), ("t", "f"), ("p", "n"), ("j", "n"), ("s", "n"), ("o", "n")}  # of yes and no


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
    eligible = {name: c for name, c in columns.items() if name not in models and not c.is_constant}
    scores = [c for c in columns.values() if may_be_scores(c)]
    scores = scores or [c for c in columns.values() if is_rank(c)]
    two = [c for c in eligible.values() if may_be_labels(c)]
    free = [c for c in two if not any(is_thresholded(c, score) for score in scores)]
    clear = [c for c in eligible.values() if is_clear_truth(c.name) and not c.all_differ]
    clear = [c for c in clear if c in free or not is_label_of_score(c, scores)]
    if (not scores and are_answers_to_items(columns)) or are_metrics(two, scores):
        return None
    if (by_classes := truth_from_classes(eligible, named)) is not None:
        return by_classes
    if scores and len(free or two) == 1:
        return truth_from_candidate((free or two)[0], two, clear, scores)
    if two and (scores or len(two) > 2 or named.models):
        if are_answers_to_items(columns) and len(free or two) > 1:
            ask_truth_or_items([c.name for c in free or two])
        return truth_from_candidates(free or two, clear, scores)
    truth = (
        truth_from_name(columns, eligible)
        or truth_from_words(eligible)
        or truth_beside_predictions(eligible)
        or truth_from_candidates(two, clear, scores, sure=False)
    )
    if truth is None:
        refuse_one_class(columns, scores)
    return truth


def truth_from_name(columns: Mapping[str, Column], eligible: Mapping[str, Column]) -> Truth | None:
    """Return the only column that is called true labels, if another column has numbers."""
    clear = [c for c in eligible.values() if is_clear_truth(c.name) and not identifies_cases(c)]
    others = [c for c in columns.values() if c.is_number and c not in clear]
    if len(clear) == 1 and (others or clear[0].texts is not None or clear[0].has_few_values):
        return Truth(clear[0].name, "by its name")
    return None


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
    for column in columns.values() if scores and scores[0].n > 1 else ():
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
    """Return whether a column names items or data sets, and no column is called as outcomes are."""
    names = [
        n for n, c in columns.items() if name_suggests(n, "item") or name_suggests(n, "dataset")
    ]
    return bool(names) and not any(map(is_outcome, columns))


def may_be_labels(column: Column) -> bool:
    """Return whether a column of two values may be labels: no folds, splits, units or models."""
    if not column.has_two or column.is_fold or marks_training_rows(column):
        return False
    if column.texts is None:
        return column.is_whole or not any(
            map(partial(name_suggests, column.name), ("time", "measure", "weight"))
        )
    otherwise = any(map(partial(name_suggests, column.name), ("unit", "model")))
    is_yes_or_no = any(text.casefold() in POSITIVE | NEGATIVE for text in column.label_texts)
    return is_yes_or_no or is_outcome(column.name) or not otherwise


def are_metrics(two: Sequence[Column], scores: Sequence[Column]) -> bool:
    """Return whether all columns that may be labels or scores are called as metrics are: f1."""
    scores = [c for c in scores if not c.is_constant]
    scores = [c for c in scores if not name_suggests(c.name, "measure") or is_rank(c)]
    every = (*two, *scores)
    metrics = all(name_suggests(c.name, "metric") and not is_clear_truth(c.name) for c in every)
    return metrics and bool(two) and not any(name_suggests(c.name, "prediction") for c in scores)


def truth_from_classes(columns: Mapping[str, Column], named: Named) -> Truth | None:
    """Return the column whose values are the classes of columns of probabilities, None without.

    Raise where there are several.
    """
    few = {n: c for n, c in columns.items() if c.has_few_values and not c.is_fold}
    shares = {n: c for n, c in columns.items() if n not in few and c.is_share}
    fitting = [c for c in few.values() if len(shares) > 1 and are_classes(c, shares)]
    others = [c for c in fitting if not name_suggests(c.name, "prediction")]
    fitting = others or fitting
    for tier in ([c for c in fitting if is_clear_truth(c.name)], fitting):
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


def is_label_of_score(labels: Column, scores: Sequence[Column]) -> bool:
    """Return whether labels are a score cut at a threshold, and have its name: pred_svm of svm."""
    words = {*split_words(labels.name)}
    named_so = [score for score in scores if {*split_words(score.name)} <= words]
    return labels.has_two and any(is_thresholded(labels, score) for score in named_so)


def marks_training_rows(column: Column) -> bool:
    """Return whether a column says of each row whether it is of training."""
    words = {text.casefold() for text in column.label_texts}
    return column.texts is not None and bool(words & {"train", "training"})


def truth_from_candidate(
    candidate: Column, two: list[Column], clear: list[Column], scores: Sequence[Column]
) -> Truth:
    """Return the only column of two values as the truth, unless another is called true labels."""
    others = [c for c in clear if c.name != candidate.name]
    names = [c.name for c in others]
    if others and not is_clear_truth(candidate.name):
        is_quantity = others[0].is_number and not others[0].has_few_values
        predictions = [c for c in scores if c is not others[0]]
        if len(others) == 1 and (
            is_outcome(candidate.name) or (is_quantity and not is_predicted(others[0], predictions))
        ):
            ask_truth([candidate.name, *names])
        return Truth(names[0], "by its name") if len(others) == 1 else ask_truth(names)
    if len(two) == 1:
        return Truth(candidate.name, "the only column with two values")
    return Truth(candidate.name, "the only column with two values that no score beside it decides")


def truth_from_candidates(
    two: list[Column], clear: list[Column], scores: list[Column], sure: bool = True
) -> Truth | None:
    """Return the only candidate in the first tier of names that has any; None where none has.

    Tiers are the names of true labels, of outcomes, and those of nothing else. Raise for several
    candidates of a tier if `sure` that one is the truth.
    """
    tiers = (
        clearest_truth(c for c in clear if not (c.is_decimal and two)),
        [c for c in clear if not (c.is_decimal and two)],
        [c for c in two if is_outcome(c.name)],
        [c for c in two if not any(name_suggests(c.name, role) for role in NO_TRUTHS)]
        if scores
        else [],
    )
    for tier in tiers:
        if len(tier) == 1 and tier[0] in (*two, *clear):
            return Truth(tier[0].name, "by its name, among columns of two values")
        if len(tier) > 1 and sure:
            ask_truth([c.name for c in tier], scores)
    if sure and scores:
        ask_truth([c.name for c in two], scores)
    return None


def clearest_truth(clear: Iterable[Column]) -> list[Column]:
    """Return the only column with most words of true labels in its name, [] for a tie: y_true."""
    columns = list(clear)
    counts = [sum(word in ROLES["clear"] for word in split_words(c.name)) for c in columns]
    most = max(counts, default=0)
    return (
        [c for c, n in zip(columns, counts, strict=True) if n == most]
        if counts.count(most) == 1
        else []
    )


def truth_from_words(columns: Mapping[str, Column]) -> Truth | None:
    """Return the only column of classes that is called an outcome, if another has its values."""
    few = [c for c in columns.values() if c.has_few_values and not c.is_decimal and not c.is_fold]
    named_so = [c for c in few if is_outcome(c.name)]
    same_values = [c for c in few if named_so and have_common_values(c, named_so[0])]
    if len(named_so) == 1 and len(same_values) > 1:
        return Truth(named_so[0].name, "by its name, among columns of the same values")
    return None


def truth_beside_predictions(columns: Mapping[str, Column]) -> Truth | None:
    """Return the only column of numbers that is not called a prediction, on the scale of those."""
    numbers = [
        c for c in columns.values() if c.is_number and not c.has_few_values and not c.is_unit
    ]
    called = [c for c in numbers if {*split_words(c.name)} & PREDICTED]
    rest = [
        c
        for c in numbers
        if c not in called
        and not (c.all_differ and (c.is_row_number or name_suggests(c.name, "id")))
    ]
    if not called or len(rest) != 1 or rest[0].is_share or not is_on_scale_of(rest[0], called):
        return None
    if not is_predicted(rest[0], called):
        return None
    return Truth(rest[0].name, "the only number that is not called a prediction")


def is_predicted(truth: Column, predictions: Iterable[Column]) -> bool:
    """Return whether squared errors of a prediction are below the variance of the truth."""
    y = np.asarray(truth.numbers, float)
    if np.isnan(y).all():
        return False
    errors = [np.square(np.asarray(column.numbers, float) - y) for column in predictions]
    least = np.nanvar(y)
    return any(np.nanmean(error) < least for error in errors if not np.isnan(error).all())


def is_on_scale_of(truth: Column, predictions: Sequence[Column]) -> bool:
    """Return whether the median of the truth is within the range of each column of predictions."""
    middle = float(np.median(truth.present))
    return all(float(c.present.min()) <= middle <= float(c.present.max()) for c in predictions)


def have_common_values(a: Column, b: Column) -> bool:
    """Return whether more than half of the distinct values of `a` are values of `b`."""
    texts_b = {text.casefold() for text in b.label_texts}
    texts_a = [text.casefold() for text in a.label_texts]
    return bool(texts_a) and 2 * sum(text in texts_b for text in texts_a) > len(texts_a)


def ask_truth(names: Iterable[str], scores: Sequence[Column] = ()) -> Any:
    """Raise with the columns that may be the true labels, each with the scores of that name."""
    possible = list(names)
    by_label = scores_by_label(possible, [c.name for c in scores])
    ways = [
        {"label": name, **({"models": by_label[name]} if by_label else {})} for name in possible
    ]
    ask(f"which column has the true labels? {quote_names(possible)} may be.", ways)


def ask_truth_or_items(names: Sequence[str]) -> None:
    """Raise with columns of two values: true labels, or answers to the items in the rows."""
    ask(
        f"are {quote_names(names)} right and wrong answers to items, or has one of them the true "
        "labels?",
        [{"kind": "items", "models": [*names]}, *({"label": name} for name in names)],
    )


def ask_truth_beside_predictions(columns: Mapping[str, Column], classes: Sequence[Column]) -> None:
    """Raise where columns of classes are called predictions, with those of which they may be."""
    predictions = [c for c in classes if name_suggests(c.name, "prediction")]
    truths = [
        c.name
        for c in columns.values()
        if c.has_few_values and c not in predictions and not c.is_decimal
        if any(have_common_values(c, prediction) for prediction in predictions)
    ]
    if truths:
        ask(
            f"which column has the true labels? {quote_names(truths)} may be.",
            [{"label": name} for name in truths],
        )


def ask_labels(names: Sequence[str], has_models: bool) -> NoReturn:
    """Raise with columns of the same values: true labels, two annotators, or scores of items."""
    question = f"which column has the true labels? {quote_names(names)} may be"
    ways: list[dict[str, Any]] = [{"label": name} for name in names]
    others = []
    if len(names) == 2:
        others.append("are they two annotators, whose agreement (Cohen's kappa) is asked?")
        ways.append({**ways[0], "test": "kappa"})
    if has_models:
        others.append("are the rows items of an evaluation, with a score of each model?")
        ways.append({"kind": "items"})
    ask(f"{question}; or {' Or '.join(others)}" if others else f"{question}.", ways)


def resembles(column: Column, model: Column) -> bool:
    """Return whether a column has numbers of the size of a model's, which may predict them."""
    kinds = [None if c.numbers is None else c.numbers.dtype.kind for c in (column, model)]
    if (
        not {*kinds} <= {*"iuf"}
        or column.has_few_values
        or not (column.present.size and model.present.size)
    ):
        return False
    low, middle, high = np.quantile(column.present, (0.0, 0.5, 1.0))
    return bool(low <= np.median(model.present) <= high and np.ptp(model.present) >= high - middle)


def scores_by_label(labels: Sequence[str], scores: Sequence[str]) -> dict[str, list[str]]:
    """Return for each column of labels the scores whose names have its words; {} if unclear."""
    words = {name: {*split_words(name)} for name in (*labels, *scores)}
    shared = set.intersection(*(words[name] for name in labels))
    findings = {
        label: {word for word in words[label] - shared if word.isalpha()} for label in labels
    }
    if any(max(map(len, finding), default=0) < 2 for finding in findings.values()):
        return {}  # letters and numbers are as often of models
    by_label = {
        label: [s for s in scores if finding <= words[s]] for label, finding in findings.items()
    }
    used = [s for ones in by_label.values() for s in ones]
    return by_label if all(by_label.values()) and sorted(used) == sorted(scores) else {}


def find_positive(column: Column, named: Named) -> Any:
    """Return the label of the positive class, None for 1 or true; raise where none is known."""
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
    positives = [text for text in texts if is_positive(text, *(t for t in texts if t != text))]
    return positives[0] if len(positives) == 1 else ask_positive(column)


def is_positive(text: str, other: str) -> bool:
    """Return whether the first of two labels is the positive one: by lists, or as it is denied."""
    one, two = (CODE.sub("", label.casefold()) for label in (text, other))
    one, two = without_common_words(one, two)
    one, two = (next((s for s in STEMS if x.startswith(s)), x) for x in (one, two))
    if any(len(x) == 1 and x.isalpha() for x in (one, two)):
        return (one, two) in LETTERS
    if denies(two, one):
        return one not in NEGATIVE
    if denies(one, two):
        return two in NEGATIVE
    yes, no = one in POSITIVE, one in NEGATIVE
    other_yes, other_no = two in POSITIVE, two in NEGATIVE
    return (yes and not other_yes) or (other_no and not no)


def denies(label: str, other: str) -> bool:
    """Return whether a label denies another one: no_event an event, uninfected infected.

    Words that begin with un or in do so only if a list has the other one.
    """
    beginnings = DENIALS + PREFIXES * (other in POSITIVE | NEGATIVE | RIGHT)
    return any(label == beginning + other for beginning in beginnings)


def without_common_words(one: str, two: str) -> tuple[str, str]:
    """Return the last words in which two labels differ, if one is positive and one negative.

    So of tested_positive and tested_negative; other labels come back as they are.
    """
    first, second = (re.findall(r"[^\W_]+", text) for text in (one, two))
    rest = [x for x in first if x not in second], [x for x in second if x not in first]
    alone = [words[-1] if words else "" for words in rest]
    if {*first} & {*second} and {*alone} & POSITIVE and {*alone} & NEGATIVE:
        return alone[0], alone[1]
    return one, two


def ask_positive(column: Column) -> Any:
    """Raise with the question which of the two labels of a column is positive."""
    first, second = column.label_texts
    ask(
        f"which label of {column.name!r} is the positive class, {first!r} or {second!r}?",
        [{"pos_label": as_value(column, text)} for text in (first, second)],
    )


def label_values(column: Column) -> list[Any]:
    """Return the distinct labels as Python values: texts, booleans or numbers."""
    if column.texts is not None:
        return list(column.label_texts)
    return [bool(x) if column.is_bool else x for x in column.distinct.tolist()]


def as_value(column: Column, text: str) -> Any:
    """Return the value of a column that a text stands for; the text itself where there is none."""
    if column.texts is not None:
        return text
    for value in column.distinct.tolist():
        if text in (f"{value:.15g}", str(value), str(bool(value)), str(bool(value)).lower()):
            return bool(value) if column.is_bool else value
    return text
