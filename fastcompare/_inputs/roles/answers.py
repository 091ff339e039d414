"""Right and wrong answers of several models, recognized by their words or column names.

And labels that are written in several ways: with capitals, or with two blanks.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from ..._adapters.delimited import Coded
from ..names import RIGHT, RIGHT_IN_ENGLISH, WRONG, are_losses
from .column import Column, answers_in_same_words, label_codes, right_answer
from .reading import TABLES, Named, quote_names
from .relations import CLEAR_AGREEMENT, kappa
from .relations.marks import CORRECT, RIGHT_ANSWERS, marks_answers, words_of
from .words import NEGATIVE, POSITIVE, is_clear_truth, is_outcome, name_suggests, split_words

NEITHER = frozenset(  # of graded answers, neither right nor wrong
    [
        *("refused", "refusal", "refuse", "not_attempted", "not attempted", "abstain", "abstained"),
        *("abstention", "skipped", "skip", "unanswered", "no answer", "no_answer", "timeout"),
        *("error", "errored", "invalid", "unknown", "idk", "hedged", "no response", "crash"),
    ]
)
MOST_GRADES = 5
LABELS_OF_TWO = POSITIVE | NEGATIVE | RIGHT | WRONG
SHORTEST_LABEL = 3  # letters of other labels whose case tells nothing: Aa is a genotype
ROLES_OF_NAMES = ("model", "unit", "id", "dataset", "fold", "item")  # which may differ by case
FEWEST_SUMMED = 3  # columns of answers whose sum stands beside them
IN_BRACKETS = re.compile(r"\[(pass|fail|error)\](\s|$)", re.I)  # before an answer, of promptfoo
VERDICTS = frozenset(  # names of what is right, beside models
    [
        *("mensch", "menschen", "menschlich", "humaine", "humana", "umano", "umana", "urteil"),
        *("soll", "musterlösung", "musterloesung", "lösung", "fact", "facts", "fakt", "fakten"),
        *("ergebnis", "verdict", "veredicto", "verdetto", "veredito", "solution", "corrigé"),
        *("solución", "soluzione", "solução", "oplossing"),
    ]
)
WORDS_OF_ANSWERS = frozenset(["correct", "right", "passed", "solved", "success"])


def with_one_spelling(
    columns: dict[str, Column], named: Named
) -> tuple[dict[str, Column], Named, tuple[str, ...]]:
    """Return the table with one spelling of each label, options that name it so, and lines.

    Labels that differ by case or blanks get the spelling that is most frequent in the table. Names
    such as those of genes or molecules, which no other column has, stay apart.
    """
    roles = (*named.auxiliary, *(named.long or ()))
    labels = columns_of_classes({n: c for n, c in columns.items() if n not in roles})
    spellings = {n: spellings_in(c) for n, c in labels.items()}
    plain = {n: {*map(without_case, c.label_texts)} for n, c in labels.items()}
    spellings = {n: w for n, w in spellings.items() if w and are_classes(n, plain)}
    counts = count_texts(labels.values()) if spellings else Counter()
    lines, one_spelling = [], {}
    for name, ways in spellings.items():
        best = {text: max(texts, key=lambda x: (counts[x], x)) for texts in ways for text in texts}
        one_spelling[name] = with_texts(columns[name], best)
        changed = [text for text in best if best[text] != text]
        pairs = ", ".join(f"{text!r} as {best[text]!r}" for text in changed)
        lines.append(f"Spellings in {name!r}: {pairs}.")
        if named.pos_label in changed:
            named = replace(named, pos_label=best[named.pos_label])
    return {**columns, **one_spelling}, named, tuple(lines)


def columns_of_classes(columns: Mapping[str, Column]) -> dict[str, Column]:
    """Return the columns of texts that repeat, but none that is called as one of names is.

    A column called as models are, such as method1, stays if all its words are another column's.
    """
    texts = {n: c for n, c in columns.items() if c.texts is not None and c.raw is None}
    texts = {n: c for n, c in texts.items() if c.has_few_values}
    roles = {n: {role for role in ROLES_OF_NAMES if name_suggests(n, role)} for n in texts}
    words = [words_of(c) for n, c in texts.items() if not roles[n]]

    def may_be_classes(name: str) -> bool:
        of_another = any(words_of(texts[name]) <= others for others in words)
        return not roles[name] or (roles[name] == {"model"} and of_another)

    return {n: c for n, c in texts.items() if may_be_classes(n)}


def without_case(text: str) -> str:
    """Return a label in small letters, with single blanks."""
    return " ".join(text.casefold().split())


def are_classes(name: str, plain: Mapping[str, set[str]]) -> bool:
    """Return whether a column has two labels without case, or two that another column has, too."""
    others = [texts for other, texts in plain.items() if other != name]
    return len(plain[name]) == 2 or any(len(plain[name] & texts) > 1 for texts in others)


def count_texts(columns: Iterable[Column]) -> Counter[str]:
    """Return the number of rows and columns that have each text."""
    counts: Counter[str] = Counter()
    for column in columns:
        assert column.texts is not None
        numbers = np.bincount(column.present, minlength=len(column.texts.labels))
        counts.update(dict(zip(column.texts.labels, numbers.tolist(), strict=True)))
    return counts


def spellings_in(column: Column) -> list[list[str]]:
    """Return the labels of a column that differ only by case or blanks, together; [] if none do.

    There are none, too, where a single class would be left, or where case may tell short labels or
    labels that are not written like words: mHz.
    """
    ways: dict[str, list[str]] = {}
    for text in column.label_texts:
        ways.setdefault(without_case(text), []).append(text)
    several = {plain: texts for plain, texts in ways.items() if len(texts) > 1}
    are_words = all(len(x) >= SHORTEST_LABEL or x in LABELS_OF_TWO for x in several)
    are_words = are_words and all(
        x in written_as_words(x) for texts in several.values() for x in texts
    )
    return [*several.values()] if len(ways) > 1 and are_words else []


def written_as_words(text: str) -> set[str]:
    """Return the usual ways in which a label is written."""
    return {text.lower(), text.upper(), text.capitalize(), text.title()}


def with_texts(column: Column, texts: Mapping[str, str]) -> Column:
    """Return a column of texts in which some are replaced."""
    assert column.texts is not None
    replaced = [texts.get(text, text) for text in column.texts.labels]
    labels = sorted({*replaced})
    new_codes = np.array([*map(labels.index, replaced), -1])  # -1 stays -1: missing
    return replace(column, texts=Coded(labels, new_codes[column.texts.codes]))


def answers_in(
    columns: dict[str, Column], named: Named
) -> tuple[dict[str, Column], Named, tuple[str, ...]]:
    """Return the table with answers as 1 and 0, options that make rows items, and a line.

    Answers are two columns or more with words such as correct and wrong, or with names such as
    gpt4_correct, where no column may have true labels. Other tables come back as they are.
    """
    columns, notes = graded_answers(columns, named)
    unchanged = columns, named, notes
    if named.kind not in (None, "items") or named.label or named.time or named.event:
        return unchanged
    if passes := passed_in_brackets(columns):
        line = f"Values: {quote_names(passes)} are 1 where a text begins with [PASS], else 0."
        named = replace(named, models=named.models or tuple(passes))
        return {**columns, **passes}, named.with_kind("items", "with answers"), (*notes, line)
    columns, sums = without_sums(columns)
    unchanged = columns, named, (*notes, *sums)
    answers = columns_of_answers(columns, named)
    if len(answers) < 2 or not are_names_of_answers(answers):
        return unchanged
    right = {name: right_answer(column) for name, column in answers.items()}
    scores = [c for n, c in columns.items() if n not in answers and c.is_decimal]
    scores = [c for c in scores if not (are_losses([c.name]) or name_suggests(c.name, "measure"))]
    if scores or None in right.values():
        return unchanged
    numbers = {
        name: as_zeros_and_ones(column, str(right[name])) for name, column in answers.items()
    }
    right_values = ", ".join(dict.fromkeys(repr(value) for value in right.values()))
    line = f"Values: right and wrong answers of {quote_names(answers)} (right: {right_values})."
    named = replace(named, models=named.models or tuple(answers))
    return {**columns, **numbers}, named.with_kind("items", "with answers"), (*unchanged[2], line)


def columns_of_answers(columns: Mapping[str, Column], named: Named) -> dict[str, Column]:
    """Return columns of two values that may be answers: by their names, else by their words.

    If rows are specified as items, yes and no are such words, too, and else none are of which one
    column may have the verdicts that others predict. Beside true labels none are.
    """
    two = {name: column for name, column in columns.items() if column.has_two}
    answers = {n: c for n, c in two.items() if {*split_words(n)} & WORDS_OF_ANSWERS}
    if len(answers) > 1:
        return answers
    if any(map(is_clear_truth, columns)):
        return {}
    answers = {n: c for n, c in two.items() if words_of(c) & RIGHT}
    if named.kind != "items":
        return {} if may_have_verdicts([*answers.values()]) else answers
    if len(answers) < 2:
        answers = {c.name: c for c in answers_in_same_words(two.values())}
    return answers


def may_have_verdicts(answers: Sequence[Column]) -> bool:
    """Return whether one of some columns of answers may be the truth that the others predict.

    The words of right and wrong are no English ones, which are of answers. The column is called as
    verdicts are, or all others agree with it, and less with each other.
    """
    if any(words_of(c) & RIGHT_IN_ENGLISH for c in answers):
        return False
    if any(name_suggests(c.name, "human") or {*split_words(c.name)} & VERDICTS for c in answers):
        return True
    for column in answers:
        others = [c for c in answers if c is not column]
        agreement = min((kappa(column, c) for c in others), default=0.0)
        among_others = max((kappa(a, b) for a, b in combinations(others, 2)), default=0.0)
        if agreement >= CLEAR_AGREEMENT and agreement > among_others:
            return True
    return False


def passed_in_brackets(columns: Mapping[str, Column]) -> dict[str, Column]:
    """Return columns of texts such as '[PASS] answer' as 1 where they begin so, else 0.

    There must be two columns, all of whose texts begin with [PASS], [FAIL] or [ERROR]; else {}.
    """
    verdicts = {}
    for name, column in columns.items():
        if column.texts is None or not column.present.size:
            continue
        if all(map(IN_BRACKETS.match, column.label_texts)):
            matches = [*map(IN_BRACKETS.match, column.label_texts)]
            is_pass = [match is not None and match[1].casefold() == "pass" for match in matches]
            codes = np.searchsorted(column.distinct, column.codes)
            values = np.where(column.missing, np.nan, np.array([*is_pass, False])[codes])
            verdicts[name] = replace(column, numbers=values, texts=None)
    return verdicts if len(verdicts) > 1 else {}


def without_sums(columns: dict[str, Column]) -> tuple[dict[str, Column], tuple[str, ...]]:
    """Return the columns without the sum, or mean, of all columns of 0 and 1, and a line on it.

    As they are if any column may have the true labels, of which a sum of signs may be a score.
    """
    numbers = {n: c for n, c in columns.items() if c.is_number and c.present.size}
    varying = {n: c for n, c in numbers.items() if c.has_two or c.is_constant}
    answers = {n: c for n, c in varying.items() if c.is_whole and c.is_share}
    others = {n: c for n, c in columns.items() if n not in answers}
    labels = [n for n, c in columns.items() if is_outcome(n) and not c.all_differ]
    if len(answers) < FEWEST_SUMMED or labels or any(c.has_two for c in others.values()):
        return columns, ()
    total = np.sum([np.asarray(c.numbers, float) for c in answers.values()], axis=0)
    multiples = [(x * total, 0.006 * x) for x in (1.0, 1.0 / len(answers), 100.0 / len(answers))]
    values = {n: np.asarray(numbers[n].numbers, float) for n in others if n in numbers}
    sums = [n for n, x in values.items() if any(np.allclose(x, y, atol=e) for y, e in multiples)]
    if len(sums) != 1:
        return columns, ()
    line = f"Not used: {sums[0]!r} (the sum or mean of {len(answers)} columns of 0 and 1)."
    return {n: c for n, c in columns.items() if n not in sums}, (line,)


def graded_answers(
    columns: dict[str, Column], named: Named
) -> tuple[dict[str, Column], tuple[str, ...]]:
    """Return columns of answers whose third grades, as refused, are the wrong one; and a line.

    Other columns, and tables that have true labels or fewer than two such columns, are unchanged.
    """
    columns_of_words = {
        n: c for n, c in columns.items() if c.texts is not None and c.has_few_values
    }
    graded = {n: c for n, c in columns_of_words.items() if len(words_of(c) & RIGHT) == 1}
    graded = {n: c for n, c in graded.items() if words_of(c) <= RIGHT | WRONG | NEITHER}
    grades = frozenset[str]().union(*map(words_of, graded.values()))
    third_grades, right = grades & NEITHER, grades & RIGHT
    wrong = sorted({t for c in graded.values() for t in c.label_texts if t.casefold() in WRONG})
    sizes = [c.distinct.size for c in graded.values()]
    if len(graded) < 2 or not third_grades or len(right) != 1 or len(wrong) != 1:
        return columns, ()
    if max(sizes) > MOST_GRADES or any(map(is_clear_truth, columns)) or named.label in graded:
        return columns, ()
    if not right <= CORRECT or not are_names_of_answers(graded) or any(map(is_outcome, graded)):
        return columns, ()
    listed = quote_names(sorted(third_grades))
    line = f"Grades {listed} of {quote_names(graded)} count as {wrong[0]!r}."
    answers = {n: with_third_grades_wrong(c, wrong[0]) for n, c in graded.items()}
    return {**columns, **answers}, (line,)


def with_third_grades_wrong(column: Column, wrong: str) -> Column:
    """Return a column of answers in which all that is neither right nor wrong is `wrong`."""
    third_grades = [text for text in column.label_texts if text.casefold() in NEITHER]
    return with_texts(column, dict.fromkeys(third_grades, wrong))


def marks_as_numbers(columns: Mapping[str, Column], kind: str | None) -> dict[str, Column]:
    """Return the columns, with right and wrong answers in words replaced by 1 and 0.

    Beside true labels words may be predictions, which are not replaced. A column of losses is never
    replaced: its words may be turned around.
    """
    marks = {n: c for n, c in columns.items() if c.texts is not None and c.has_two}
    marks = {n: c for n, c in marks.items() if name_suggests(n, "metric") or words_of(c) & RIGHT}
    marks = {n: c for n, c in marks.items() if not are_losses([n])}
    truths = [
        c for n, c in columns.items() if is_clear_truth(n) or (is_outcome(n) and n not in marks)
    ]
    if truths:
        marks = {n: c for n, c in marks.items() if kind in TABLES or marks_answers(c, truths)}
    right = {n: right_answer(c) for n, c in marks.items()}
    numbers = {
        n: replace(as_zeros_and_ones(marks[n], value), note=f"{RIGHT_ANSWERS} are {value!r}")
        for n, value in right.items()
        if value is not None
    }
    return {**columns, **numbers}


def are_names_of_answers(names: Collection[str]) -> bool:
    """Return whether names may be of answers of several models: none is of labels or raters.

    Words of outcomes, predictions or metrics are in all names or in none.
    """
    if any(name_suggests(name, role) for name in names for role in ("truth", "rater")):
        return False
    counts = [sum(name_suggests(name, role) for name in names) for role in ("prediction", "metric")]
    counts.append(sum(map(is_outcome, names)))
    return all(count in (0, len(names)) for count in counts)


def as_zeros_and_ones(column: Column, right: str) -> Column:
    """Return the column with 1 where it has the text `right`, else 0; NaN where missing."""
    code = label_codes(column)[column.label_texts.index(right)]
    values = np.where(column.missing, np.nan, column.codes == code)
    return replace(column, numbers=values, texts=None, is_bool=False)
