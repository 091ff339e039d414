"""The column of true labels, by its values and what it is to others; by its name among equals."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..._base.exceptions import invalid_value
from ..options import check_choice
from .column import Column
from .question import ask
from .reading import Named, names_in, option_name
from .relations import class_blocks, is_threshold
from .words import ROLES, is_clear_truth, is_outcome, speaks_for, split_words

POSITIVE_WORDS = """
    yes y true t 1 positive pos + case ill sick diseased disease malignant abnormal present
    dead died deceased event spam fraud fraudulent toxic churned churn relapse relapsed
    progression progressed responder responded defaulted default infected cancer tumor tumour
    metastasis metastatic clicked click purchased bought converted hate hateful offensive
    phishing attack anomaly anomalous defect defective faulty broken readmitted recurrence
    recurred sepsis septic pathological pathologic impaired pregnant relevant duplicate
    entailment paraphrase sarcastic hypertensive diabetic depressed suicidal exposed detected
    positiv ja oui si sí sim sick affected krank malware malicious failed won like liked
    positivo positiva positif malade malin maligno maligna enfermo enferma muerto fallecido vrai
    verdadero pathologisch auffällig malig bösartig verstorben tot erkrankt positief wahr
    doente óbito morto"""
NEGATIVE_WORDS = """
    no n false f 0 negative neg - control controls healthy well benign normal absent alive living
    survived survivor none ham legit legitimate genuine nontoxic clean stayed retained
    censored stable uninfected irrelevant unaffected unexposed undetected intact ok nein non
    não gesund healthy_control hc not absence neither nothing uneventful remission-free
    unremarkable benig bénig negativo negativa négatif bénin benigno benigna sano sana vivo viva
    faux negativ unauffällig gutartig lebend lebt falsch sain negatief nee saudável good_outcome"""
POSITIVE, NEGATIVE = frozenset(POSITIVE_WORDS.split()), frozenset(NEGATIVE_WORDS.split())
PREDICTED = frozenset(
    ["pred", "preds", "predicted", "prediction", "yhat", "hat", "forecast", "estimate", "estimated"]
)
CODE = re.compile(r"^\d+ ?[:=] ?")  # before a word, as in 1:DECEASED
STEMS = ("malig", "benig", "bénig")  # of many languages
DENIALS = ("no ", "no_", "no-", "non-", "non ", "non_", "not ", "not_", "not-", "un", "non", "in")


class Truth(NamedTuple):
    """The column of true labels, and why it is taken for them."""

    name: str
    why: str


def truth_line(truth: Truth, positive: Any) -> str:
    """Return the line on the true labels."""
    positive_note = "" if positive is None else f"; positive: {positive!r}"
    other = f"; {option_name('label')} names another" if truth.why != "as specified" else ""
    return f"True labels: {truth.name!r} ({truth.why}{other}{positive_note})."


def find_truth(columns: Mapping[str, Column], named: Named) -> Truth | None:
    """Return the column of true labels, None where there is none, or ask."""
    if named.label is not None:
        return Truth(named.label, "as specified")
    models = {*(named.models or ())}
    eligible = {name: c for name, c in columns.items() if name not in models and not c.is_constant}
    scores = [c for c in columns.values() if may_be_scores(c)]
    scores = scores or [c for c in columns.values() if is_rank(c)]
    two = [c for c in eligible.values() if may_be_labels(c)]
    free = [c for c in two if not any(is_threshold(c, score) for score in scores)]
    clear = [c for c in eligible.values() if is_clear_truth(c.name) and not c.all_differ]
    clear = [c for c in clear if c in free or not is_own_label(c, scores)]
    if (not scores and are_items(columns)) or are_metrics(two, scores):
        return None
    if (by_classes := truth_from_classes(eligible, named)) is not None:
        return by_classes
    if scores and len(free or two) == 1:
        return truth_from_candidate((free or two)[0], two, clear)
    if two and (scores or len(two) > 2 or named.models):
        return truth_from_candidates(free or two, clear, scores)
    decimal = [c for c in eligible.values() if is_clear_truth(c.name) and not counts_cases(c)]
    others = [c for c in columns.values() if c.is_number and c not in decimal]
    if len(decimal) == 1 and (others or decimal[0].texts is not None or decimal[0].few):
        return Truth(decimal[0].name, "by its name")
    return (
        truth_from_words(eligible)
        or truth_beside_predictions(eligible)
        or truth_from_candidates(two, clear, scores, sure=False)
        or truth_from_one_class(columns, scores)
    )


def may_be_scores(column: Column) -> bool:
    """Return whether numbers may be scores: no rounds, units, steps, or numbers of rows."""
    if not column.is_number or column.has_two or column.is_fold or column.is_unit:
        return False
    return not (column.is_whole and (column.all_differ or speaks_for(column.name, "step")))


def counts_cases(column: Column) -> bool:
    """Return whether numbers or names that all differ are called after cases, too: obs."""
    return not column.is_decimal and column.all_differ and speaks_for(column.name, "id")


def is_rank(column: Column) -> bool:
    """Return whether whole numbers are ranks of cases: called so, or an order of their own."""
    if not column.is_number or not column.is_whole or column.has_two or column.is_constant:
        return False
    names_rows = any(speaks_for(column.name, role) for role in ("id", "unit", "item"))
    return speaks_for(column.name, "rank") or (column.is_ranking and not names_rows)


def truth_from_one_class(columns: Mapping[str, Column], scores: Sequence[Column]) -> Truth | None:
    """Raise where the column of true labels has one value; None where there is no such column."""
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
    return None


def are_items(columns: Mapping[str, Column]) -> bool:
    """Return whether answers to items are right or wrong, and no column is called as labels are."""
    names = [n for n, c in columns.items() if speaks_for(n, "item") or speaks_for(n, "dataset")]
    return bool(names) and not any(map(is_outcome, columns))


def may_be_labels(column: Column) -> bool:
    """Return whether two values may be labels: no rounds, parts or units, no decimals."""
    if not column.has_two or column.is_fold or is_parted(column):
        return False
    if column.texts is None:
        return column.is_whole or not any(map(c_speaks(column), ("time", "measure", "weight")))
    otherwise = any(map(c_speaks(column), ("unit", "model")))
    is_yes_or_no = any(text.casefold() in POSITIVE | NEGATIVE for text in column.label_texts)
    return is_yes_or_no or is_outcome(column.name) or not otherwise


def are_metrics(two: Sequence[Column], scores: Sequence[Column]) -> bool:
    """Return whether all that could be labels or scores are metrics by name: correct, f1."""
    scores = [c for c in scores if not c.is_constant]
    scores = [c for c in scores if not speaks_for(c.name, "measure") or is_rank(c)]
    every = (*two, *scores)
    metrics = all(speaks_for(c.name, "metric") and not is_clear_truth(c.name) for c in every)
    return metrics and bool(two) and not any(speaks_for(c.name, "prediction") for c in scores)


def truth_from_classes(columns: Mapping[str, Column], named: Named) -> Truth | None:
    """Return the column whose values are the classes of probabilities beside it, or ask."""
    few = {n: c for n, c in columns.items() if c.few and not c.is_fold}
    shares = {n: c for n, c in columns.items() if n not in few and c.is_share}
    fitting = [c for c in few.values() if len(shares) > 1 and are_classes(c, shares)]
    others = [c for c in fitting if not speaks_for(c.name, "prediction")]
    fitting = others or fitting
    for tier in ([c for c in fitting if is_clear_truth(c.name)], fitting):
        if len(tier) == 1:
            return Truth(tier[0].name, "its values are the classes of the probabilities")
        if tier:
            ask_truth([c.name for c in tier])
    return None


def are_classes(column: Column, shares: Mapping[str, Column]) -> bool:
    """Return whether the values of a column are the classes of probabilities."""
    blocks = class_blocks(shares, column.label_texts)
    classes = {label.casefold() for label in next(iter(blocks.values()), {})}
    return {text.casefold() for text in column.label_texts} <= classes


def is_own_label(labels: Column, scores: Sequence[Column]) -> bool:
    """Return whether labels are those of a score by a threshold, and are called after it."""
    words = {*split_words(labels.name)}
    named_so = [score for score in scores if {*split_words(score.name)} <= words]
    return labels.has_two and any(is_threshold(labels, score) for score in named_so)


def is_parted(column: Column) -> bool:
    """Return whether a column says which rows models were trained on."""
    words = {text.casefold() for text in column.label_texts}
    return column.texts is not None and bool(words & {"train", "training"})


def truth_from_candidate(candidate: Column, two: list[Column], clear: list[Column]) -> Truth:
    """Return the one column of two values that no score decides, unless a name contradicts it."""
    others = [c.name for c in clear if c.name != candidate.name]
    if others and not is_clear_truth(candidate.name):
        if is_outcome(candidate.name) and len(others) == 1 and candidate.has_two:
            ask_truth([candidate.name, *others])
        return Truth(others[0], "by its name") if len(others) == 1 else ask_truth(others)
    if len(two) == 1:
        return Truth(candidate.name, "the only column with two values")
    return Truth(candidate.name, "the only column with two values that no score beside it decides")


def truth_from_candidates(
    two: list[Column], clear: list[Column], scores: list[Column], sure: bool = True
) -> Truth | None:
    """Return the column of two values, or few, whose name is that of an outcome, or ask."""
    tiers = (
        surest(c for c in clear if not (c.is_decimal and two)),
        [c for c in clear if not (c.is_decimal and two)],
        [c for c in two if is_outcome(c.name)],
        [c for c in two if not any(map(c_speaks(c), ("prediction", "trait", "unit", "model")))]
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


def surest(clear: Iterable[Column]) -> list[Column]:
    """Return the column whose name has more words of true labels than others: y_true, not label."""
    columns = list(clear)
    counts = [sum(word in ROLES["clear"] for word in split_words(c.name)) for c in columns]
    most = max(counts, default=0)
    return (
        [c for c, n in zip(columns, counts, strict=True) if n == most]
        if counts.count(most) == 1
        else []
    )


def c_speaks(column: Column) -> Any:
    """Return the question whether a column's name speaks for a role."""
    return lambda role: speaks_for(column.name, role)


def truth_from_words(columns: Mapping[str, Column]) -> Truth | None:
    """Return the one column of classes whose values those of others are, by its name."""
    few = [c for c in columns.values() if c.few and not c.is_decimal and not c.is_fold]
    named_so = [c for c in few if is_outcome(c.name)]
    same_values = [c for c in few if named_so and share_values(c, named_so[0])]
    if len(named_so) == 1 and len(same_values) > 1:
        return Truth(named_so[0].name, "by its name, among columns of the same values")
    return None


def truth_beside_predictions(columns: Mapping[str, Column]) -> Truth | None:
    """Return the one number that is not called a prediction, of the scale of those that are."""
    numbers = [c for c in columns.values() if c.is_number and not c.few and not c.is_unit]
    called = [c for c in numbers if {*split_words(c.name)} & PREDICTED]
    rest = [
        c
        for c in numbers
        if c not in called and not (c.all_differ and (c.counts_rows or speaks_for(c.name, "id")))
    ]
    if not called or len(rest) != 1 or rest[0].is_share or not is_of_scale(rest[0], called):
        return None
    return Truth(rest[0].name, "the only number that is not called a prediction")


def is_of_scale(truth: Column, predictions: Sequence[Column]) -> bool:
    """Return whether the middle of a quantity lies within the range of each prediction of it."""
    middle = float(np.median(truth.present))
    return all(float(c.present.min()) <= middle <= float(c.present.max()) for c in predictions)


def share_values(a: Column, b: Column) -> bool:
    """Return whether most values of one column are values of another."""
    texts_b = {text.casefold() for text in b.label_texts}
    texts_a = [text.casefold() for text in a.label_texts]
    return bool(texts_a) and 2 * sum(text in texts_b for text in texts_a) > len(texts_a)


def ask_truth(names: Iterable[str], scores: Sequence[Column] = ()) -> Any:
    """Raise with the columns that may be the true labels, each with the scores called after it."""
    possible = list(names)
    by_label = scores_by_label(possible, [c.name for c in scores])
    ways = [
        {"label": name, **({"models": by_label[name]} if by_label else {})} for name in possible
    ]
    ask(f"which column has the true labels? {names_in(possible)} may be.", ways)


def scores_by_label(labels: Sequence[str], scores: Sequence[str]) -> dict[str, list[str]]:
    """Return the scores that are called as each of several labels is; none if that is unclear."""
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
    """Return the label of the positive class, None where 1 or true is, or ask."""
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
    """Return whether one of two words is the positive one: by a list, or as the other denies it."""
    one, two = (CODE.sub("", label.casefold()) for label in (text, other))
    one, two = without_common_words(one, two)
    one, two = (next((s for s in STEMS if x.startswith(s)), x) for x in (one, two))
    if any(two == denial + one for denial in DENIALS):
        return True
    if any(one == denial + two for denial in DENIALS):
        return False
    yes, no = one in POSITIVE, one in NEGATIVE
    other_yes, other_no = two in POSITIVE, two in NEGATIVE
    return (yes and not other_yes) or (other_no and not no)


def without_common_words(one: str, two: str) -> tuple[str, str]:
    """Return two words without what they share: tested_positive and tested_negative."""
    first, second = (re.findall(r"[^\W_]+", text) for text in (one, two))
    rest = [x for x in first if x not in second], [x for x in second if x not in first]
    alone = [words[-1] if words else "" for words in rest]
    if {*first} & {*second} and {*alone} & POSITIVE and {*alone} & NEGATIVE:
        return alone[0], alone[1]
    return one, two


def ask_positive(column: Column) -> Any:
    """Raise with both labels."""
    first, second = column.label_texts
    ask(
        f"which label of {column.name!r} is the positive class, {first!r} or {second!r}?",
        [{"pos_label": as_value(column, text)} for text in (first, second)],
    )


def label_values(column: Column) -> list[Any]:
    """Return the different labels as they are."""
    if column.texts is not None:
        return list(column.label_texts)
    return [bool(x) if column.is_bool else x for x in column.distinct.tolist()]


def as_value(column: Column, text: str) -> Any:
    """Return a label as a value of its column; as text where it is none."""
    if column.texts is not None:
        return text
    for value in column.distinct.tolist():
        if text in (f"{value:.15g}", str(value), str(bool(value)), str(bool(value)).lower()):
            return bool(value) if column.is_bool else value
    return text
