"""Labels that agree: of a consensus, of predictions and what they predict, of groups of cases."""

from collections import Counter
from collections.abc import Sequence
from statistics import multimode

import numpy as np

from ...names import NO, YES
from ..column import Column, cell_texts
from ..words import (
    NEGATIVE,
    POSITIVE,
    ROLES,
    is_attribute,
    is_outcome,
    is_positive,
    name_suggests,
    split_words,
)
from . import CLEAR_AGREEMENT, kappa

CONTROLS = NEGATIVE | {"nc", "cn", "hv", "ctl", "hcs", "ctr"}  # of groups
GROUPS_OF_CASES = {"group", "groups", "grp", "gruppe", "groupe", "grupo", "gruppo", "groep"}
NO_DISEASES = YES | NO | {"positive", "pos", "negative", "neg", "1", "0", "+", "-", "present"}
NO_DISEASES |= {"absent", "j", "s", "positiv", "negativ", "positivo", "negativo", "positif"}
MOST_VOTES = 1000  # rows that are looked at


def names_groups(column: Column) -> bool:
    """Return whether two words are groups of cases, which may be those of a disease, by name."""
    named_so = bool({*split_words(column.name)} & GROUPS_OF_CASES)
    return column.texts is not None and column.has_two and named_so


def named_by_disease(columns: Sequence[Column]) -> list[Column]:
    """Return the only column whose values say malignant, say, beside others of yes and no; or [].

    None of these agrees with it clearly, as a test of the disease does.
    """
    telling = [c for c in columns if says_disease(c)]
    if len(telling) != 1:
        return []
    others = [c for c in columns if c is not telling[0]]
    return [] if any(phi(c, telling[0]) >= CLEAR_AGREEMENT for c in others) else telling


def says_disease(column: Column) -> bool:
    """Return whether two words are those of a disease or an outcome and its absence, no yes."""
    texts = {text.casefold() for text in column.label_texts}
    return column.texts is not None and bool(positive_labels(column)) and not texts & NO_DISEASES


def agreed_labels(columns: Sequence[Column]) -> list[Column]:
    """Return the only column that is called a consensus or final, as a list; [] without one.

    A vote of three other columns or more, which it never contradicts, is none; nor is one beside
    columns of raters alone, whose consensus it may be.
    """
    agreed = [c for c in columns if is_agreed(c.name)]
    if len(agreed) != 1:
        return []
    others = [c for c in columns if c is not agreed[0] and have_common_values(c, agreed[0])]
    if all(name_suggests(c.name, "rater") for c in others):
        return []
    rows = zip(*(cell_texts(c)[:MOST_VOTES] for c in others), strict=True)
    most = [set(multimode(row)) for row in rows]
    labels = cell_texts(agreed[0])[:MOST_VOTES]
    is_vote = len(others) > 2 and all(x in top for x, top in zip(labels, most, strict=True))
    return [] if is_vote else agreed


def have_common_values(a: Column, b: Column) -> bool:
    """Return whether more than half of the distinct values of `a` are values of `b`."""
    texts_b = {text.casefold() for text in b.label_texts}
    texts_a = [text.casefold() for text in a.label_texts]
    return bool(texts_a) and 2 * sum(text in texts_b for text in texts_a) > len(texts_a)


def truth_and_predictions(columns: Sequence[Column]) -> list[Column]:
    """Return three columns or more of the same words that agree, by how well they do; else [].

    Another column of two values is not what they predict.
    """
    texts = [c for c in columns if c.texts is not None]
    words = Counter(frozenset(text.casefold() for text in c.label_texts) for c in texts)
    most = max(words, key=lambda w: words[w], default=frozenset[str]())
    same = [c for c in texts if {text.casefold() for text in c.label_texts} == most]
    if not 3 <= len(same) < len(columns):
        return []
    agreement = {c.name: [kappa(c, other) for other in same if other is not c] for c in same}
    if any(max(values) < CLEAR_AGREEMENT for values in agreement.values()):
        return []
    return sorted(same, key=lambda c: -sum(agreement[c.name]))


def positive_labels(column: Column) -> list[str]:
    """Return which of a column's two labels is the positive one, by `is_positive`, as a list."""
    first, second = column.label_texts
    return [a for a, b in ((first, second), (second, first)) if is_positive(a, b)]


def phi(a: Column, b: Column) -> float:
    """Return how clearly two columns of two values go together, whatever their words; 0 to 1."""
    present = ~(a.missing | b.missing)
    codes = np.stack([a.codes[present] == a.codes.max(), b.codes[present] == b.codes.max()])
    if not codes.any(axis=1).all() or codes.all(axis=1).any():
        return 0.0
    return abs(float(np.corrcoef(codes)[0, 1]))


def is_agreed(name: str) -> bool:
    """Return whether a name is that of labels agreed on: a consensus, or a final diagnosis."""
    if name_suggests(name, "prediction") or name_suggests(name, "model"):
        return False
    is_final = "final" in split_words(name) and is_outcome(name)
    return name_suggests(name, "agreed") or is_final


def describes_cases(column: Column) -> bool:
    """Return whether a column of two values is a trait or an attribute of cases, or a condition."""
    return column.is_trait or is_attribute(column.name) or is_experimental(column)


def is_experimental(column: Column) -> bool:
    """Return whether a column called condition has two conditions of an experiment, no diagnosis.

    Neither of its words is that of a positive class.
    """
    words = {*split_words(column.name)} & ROLES["outcome"]
    return words == {"condition"} and column.texts is not None and not positive_labels(column)


def has_telling_label(column: Column) -> bool:
    """Return whether one of the labels of a column is in a list, as yes, ill or control."""
    telling = POSITIVE | (CONTROLS if names_groups(column) else NEGATIVE)
    return any(text.casefold() in telling for text in column.label_texts)


def marks_training_rows(column: Column) -> bool:
    """Return whether a column says of each row whether it is of training."""
    words = {text.casefold() for text in column.label_texts}
    return column.texts is not None and bool(words & {"train", "training"})


def clearest_truth(columns: Sequence[Column]) -> list[Column]:
    """Return the only column with most words of true labels in its name, such as y_true, as a list.

    [] if two have as many.
    """
    counts = [sum(word in ROLES["clear"] for word in split_words(c.name)) for c in columns]
    most = max(counts, default=0)
    return [columns[counts.index(most)]] if counts.count(most) == 1 else []
