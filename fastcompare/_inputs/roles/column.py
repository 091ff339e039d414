"""One column of a table: its kind of values, how many of them differ, and which are missing.

Texts are coded: the distinct labels, and for each row the index of its label. A column of texts
that are all numbers (percent signs, thousands separators, decimal commas) becomes one of numbers.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._adapters.delimited import Coded, is_rounded
from ..._base.exceptions import invalid_value
from ..._base.types import Integers
from ..arrays import FIRST, are_whole, as_column
from ..models import find_nan
from ..names import NO, RIGHT, WRONG, YES
from .words import (
    PAIRS,
    is_clear_truth,
    is_outcome,
    is_run_of_model,
    is_stratum,
    name_suggests,
)

MOST_CATEGORIES = 10  # distinct texts; where more repeat, they are units
MOST_FOLDS = 100
A_ROUND = re.compile(
    r"(cv|fold|round|split|resample|repeat|iteration|iter|seed|run|trial|rep)s?[\W_]*\d+(_.*)?|s\d+",
    re.I,
)
A_FOLD = re.compile(r"(cv|fold|split|repeat|resample)s?[\W_]*\d+", re.I)  # whatever its column
SEED_OR_SUBJECT = re.compile(r"s\d+", re.I)
OTHER_ROLES = ("time", "weight", "measure", "trait", "prediction")  # of numbers that are no units
FEW = 20  # distinct values that classes, folds or grades have at most
MOST_DECIMALS = 12  # after the point, that are looked for
MISSING_NUMBERS = {"none", "?", "missing", "nil", "--", "–", "—", "<na>"}  # texts elsewhere
MISSING_NUMBERS |= {"#div/0!", "#value!", "#ref!", "#num!", "#name?", "#null!"}  # of Excel
MISSING = {"", "na", "n/a", "#n/a", "nan", "null", "-", "."}
NUMBER = r"(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
POINT = re.compile(rf"[+-]?(?:{NUMBER}|[1-9]\d{{,2}}(?:,\d{{3}})+(?:\.\d+)?)", re.ASCII)
COMMA = re.compile(
    r"[+-]?(?:\d+(?:,\d*)?|,\d+|[1-9]\d{,2}(?:\.\d{3})+(?:,\d+)?)(?:[eE][+-]?\d+)?", re.A
)
PLUS_MINUS = re.compile(r"(?<=[\d%])\s*(?:(?:±|\+/?-)\s*[\d.,]+%?|\([\d.,]+%?\))$")
BOLD = re.compile(r"\\(?:textbf|textit|underline|mathbf|emph|bm)\s*\{([^{}]*)\}")
TAGS = re.compile(r"</?(?:b|u|i|em|strong)>", re.I)
SIGNIFICANCE = re.compile(r"(?<=\d)(?:\s?(?:\*{1,3}|[†‡§])|\s[vo])$")  # Weka's v is a blank apart
EMPHASIS = re.compile(r"(\*{1,3}|_{1,3})([^*_]+)\1")  # of Markdown
DATE = re.compile(r"\d{4}-\d\d-\d\d([T ].*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}( .*)?", re.ASCII)


class Fault(NamedTuple):
    """A cell that is no number in a column of numbers."""

    row: int
    text: str


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a table: its `numbers`, NaN where missing, or else its coded `texts`."""

    name: str
    numbers: NDArray[Any] | None = None
    texts: Coded | None = None
    is_bool: bool = False
    is_date: bool = False
    faults: tuple[Fault, ...] = ()
    note: str = ""
    raw: Any = field(default=None, repr=False)  # values of more than one dimension, as they came

    @property
    def n(self) -> int:
        """The number of rows."""
        return len(self.numbers if self.numbers is not None else self.codes)

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Which rows have no value."""
        if self.numbers is None:
            return np.asarray(self.codes < 0)
        return np.asarray(self.numbers != self.numbers)

    @cached_property
    def present(self) -> NDArray[Any]:
        """The numbers, or the codes of texts, of the rows that have a value."""
        values = self.codes if self.numbers is None else self.numbers
        return values[~self.missing] if self.missing.any() else values

    @cached_property
    def distinct(self) -> NDArray[Any]:
        """The distinct numbers, or codes of texts, in ascending order."""
        return np.unique(self.present)

    @cached_property
    def codes(self) -> Integers:
        """For each row the index of its value among the distinct ones; -1 where missing."""
        if self.texts is not None:
            return self.texts.codes
        assert self.numbers is not None
        codes = np.searchsorted(self.distinct, self.numbers)
        return np.where(self.missing, -1, codes)

    @cached_property
    def has_two(self) -> bool:
        """Whether there are exactly two distinct values."""
        first = self.present[:FIRST]  # spares most columns the sorting of all values
        return len({*first.tolist()}) <= 2 and self.distinct.size == 2

    @cached_property
    def is_number(self) -> bool:
        """Whether the values are numbers, and no booleans."""
        return self.numbers is not None and not self.is_bool

    @cached_property
    def is_whole(self) -> bool:
        """Whether all numbers are whole."""
        if self.numbers is None:
            return False
        return are_whole(self.present)

    @cached_property
    def is_count(self) -> bool:
        """Whether all values that are there are whole numbers of at least 0."""
        return self.is_whole and self.present.size > 0 and bool(self.present.min() >= 0)

    @cached_property
    def is_decimal(self) -> bool:
        """Whether some numbers have decimals, and there are more than two distinct ones."""
        return self.is_number and self.present.size > 0 and not self.is_whole and not self.has_two

    @cached_property
    def all_differ(self) -> bool:
        """Whether no two rows have the same value."""
        first = self.present[:FIRST].tolist()
        return len({*first}) == len(first) > 1 and self.distinct.size == self.present.size

    @cached_property
    def is_share(self) -> bool:
        """Whether all numbers are between 0 and 1."""
        values = self.present
        if self.numbers is None or not values.size:
            return False
        return bool(values.min() >= 0.0 and values.max() <= 1.0)

    @cached_property
    def has_few_values(self) -> bool:
        """Whether there are from 2 to 20 distinct values, some of which repeat."""
        size = self.distinct.size if len({*self.present[:FIRST].tolist()}) <= FEW else math.inf
        return 2 <= size <= FEW and size < self.present.size

    @cached_property
    def is_constant(self) -> bool:
        """Whether there is one distinct value, or none."""
        return len({*self.present[:FIRST].tolist()}) < 2 and self.distinct.size < 2

    @cached_property
    def is_row_number(self) -> bool:
        """Whether the values are the numbers of the rows: 0, 1, 2, ... or 1, 2, 3, ..."""
        if self.numbers is None or not self.is_whole or self.n < 3 or self.missing.any():
            return False
        return self.numbers[0] in (0, 1) and bool((np.diff(self.numbers) == 1).all())

    @cached_property
    def is_ranking(self) -> bool:
        """Whether the values are a permutation of consecutive whole numbers, and are not sorted."""
        if not self.is_whole or not self.is_number or not self.all_differ:
            return False
        steps = np.diff(self.present.astype(float))
        return bool(np.ptp(self.present) == self.present.size - 1) and bool(
            (steps > 0).any() and (steps < 0).any()
        )

    @cached_property
    def is_unit(self) -> bool:
        """Whether values look like units with several rows each: patients, users, hospitals."""
        if self.is_decimal or self.is_bool or self.is_date:
            return False
        size, n = self.distinct.size, self.present.size
        if not 3 <= size < n:
            return False
        named_so = name_suggests(self.name, "unit") or name_suggests(self.name, "id")
        if self.texts is None:
            has_other_role = any(name_suggests(self.name, role) for role in OTHER_ROLES)
            return named_so and not has_other_role and self.is_whole
        return named_so or size > max(MOST_CATEGORIES, n / 100)

    @cached_property
    def names_folds(self) -> bool:
        """Whether all texts are names of folds, such as Fold01 or Repeat1, whatever the column."""
        return self.texts is not None and all(map(A_FOLD.fullmatch, self.label_texts))

    @cached_property
    def is_fold(self) -> bool:
        """Whether values look like the fold, the round or the seed of each row.

        By the name of the column, or by values such as fold1; s1 may be a subject or a system, too,
        and run1 an item.
        """
        are_rounds = self.texts is not None and all(map(A_ROUND.fullmatch, self.label_texts))
        roles_of_no_rounds = ["id", "item"]
        if are_rounds and all(map(SEED_OR_SUBJECT.fullmatch, self.label_texts)):
            roles_of_no_rounds += ["unit", "model"]
        if self.names_folds:  # also of a column called id
            roles_of_no_rounds = ["item"]
        if are_rounds:
            are_rounds = not any(name_suggests(self.name, role) for role in roles_of_no_rounds)
        if not (are_rounds or name_suggests(self.name, "fold")) or self.is_decimal:
            return False
        if is_run_of_model(self.name) and self.has_two and self.is_share:  # right and wrong
            return False
        return 2 <= self.distinct.size <= MOST_FOLDS and not self.all_differ

    @cached_property
    def is_trait(self) -> bool:
        """Whether two values are a trait of cases: sex, a scanner, a site or a side.

        By all words of the name, or by the values: male and female. Left and right may be classes,
        too: they count only if a word of the name is that of a trait.
        """
        if not self.has_two or is_clear_truth(self.name) or is_outcome(self.name):
            return False
        texts = {text.casefold() for text in self.label_texts} if self.texts else set()
        are_sides = texts in PAIRS["sides"] and name_suggests(self.name, "stratum")
        are_strata = texts in PAIRS["sexes"] or are_sides
        is_predicted = name_suggests(self.name, "prediction")
        return not is_predicted and (are_strata or is_stratum(self.name))

    @cached_property
    def label_texts(self) -> tuple[str, ...]:
        """The distinct values as texts, in the order of `distinct`."""
        if self.texts is not None:
            return tuple(map(self.texts.labels.__getitem__, self.distinct.tolist()))
        if self.is_bool:
            return tuple(map(str, self.distinct.astype(bool).tolist()))
        return tuple(map("{:.15g}".format, self.distinct.tolist()))

    def values(self) -> Any:
        """Return the values that functions take: an array, or a list with None where missing."""
        if self.raw is not None:
            return self.raw
        if self.texts is not None:
            labels = np.array([*self.texts.labels, None], dtype=object)  # None has the code -1
            return labels[self.codes].tolist()
        assert self.numbers is not None
        if self.is_bool:
            if self.missing.any():
                return [None if x != x else bool(x) for x in self.numbers.tolist()]
            return self.numbers.astype(bool)
        return self.numbers

    def take(self, rows: Integers) -> "Column":
        """Return the column of the rows at these indices, in their order."""
        same = {"is_bool": self.is_bool, "is_date": self.is_date, "note": self.note}
        if self.texts is None:
            numbers = np.asarray(self.numbers)[rows]
            return Column(self.name, numbers=numbers, **same)  # type: ignore[arg-type]
        selected = {*rows.tolist()} if self.faults else set()
        faults = tuple(fault for fault in self.faults if fault.row in selected)
        texts = without_unused_labels(Coded(self.texts.labels, self.codes[rows]))
        return Column(self.name, texts=texts, faults=faults, **same)  # type: ignore


def parse_column(name: str, values: Any, decimal: str = ".") -> Column:
    """Return values of any kind as a column: numbers, booleans, dates, or coded texts."""
    if isinstance(values, Coded):
        return column_of_texts(name, values, decimal)
    array, missing = as_column(name, values)
    if array.ndim != 1:
        return Column(name, texts=Coded([], np.full(len(array), -1)), raw=values)
    if array.dtype.kind in "mM":
        codes = np.unique(array, return_inverse=True)[1]
        return Column(name, texts=Coded(list(map(str, np.unique(array))), codes), is_date=True)
    if array.dtype.kind == "b":
        return Column(name, numbers=with_nan(array.astype(np.int8), missing), is_bool=True)
    if array.dtype.kind in "iuf":
        return Column(name, numbers=with_nan(array, missing))
    absent = find_nan(as_column(name, array)) if missing is None else missing
    texts = array.astype(str)
    labels, codes = np.unique(texts, return_inverse=True)
    coded = Coded(labels.tolist(), np.where(absent, -1, codes.reshape(-1)))
    return column_of_texts(name, coded, decimal)


def with_nan(array: NDArray[Any], missing: NDArray[np.bool_] | None) -> NDArray[Any]:
    """Return numbers as float64 with NaN where `missing`; as they are where nothing is."""
    if missing is None or not missing.any():
        return array
    numbers = array.astype(np.float64)
    numbers[missing] = np.nan
    return numbers


def column_of_texts(name: str, texts: Coded, decimal: str) -> Column:
    """Return a column of stripped texts, or of numbers where all texts are numbers.

    Where more than half of the cells are numbers, the others become the `faults` of the column.
    """
    stripped = [label.strip().removeprefix("'").replace("\u2212", "-") for label in texts.labels]
    counts = np.bincount(texts.codes[texts.codes >= 0], minlength=len(stripped))
    present_texts = {x for x, times in zip(stripped, counts, strict=True) if times}
    missing = MISSING - {"-"} if "+" in present_texts else MISSING  # - is then negative
    present_texts = {x for x in present_texts if x.casefold() not in missing | MISSING_NUMBERS}
    reader = number_pattern(present_texts, decimal)
    if present_texts and all(map(reader, present_texts)):
        if are_long_ids(name, present_texts, int((texts.codes >= 0).sum())):
            return Column(name, texts=with_stripped_labels(texts, stripped, missing))
        return column_of_numbers(name, stripped, texts.codes, reader)
    marked = marked_numbers(name, stripped, texts.codes, present_texts, decimal)
    if marked is not None:
        return marked
    plain = with_stripped_labels(texts, stripped, missing)
    n_present = n_numbers = 0
    for x, times in zip(stripped, counts.tolist(), strict=True):
        if x in present_texts:
            n_present += times
            n_numbers += times if reader(x) or reader(x.strip("*†‡~ ")) else 0
    is_date = bool(present_texts) and all(map(DATE.fullmatch, present_texts))
    if 2 * n_numbers <= n_present or is_date or present_texts <= {"0", "1"}:
        return Column(name, texts=plain, is_date=is_date)
    is_wrong = np.array([x in present_texts and not reader(x) for x in stripped] + [False])
    rows = np.flatnonzero(is_wrong[texts.codes])  # False for the code -1 of missing cells
    faults = tuple(Fault(int(row), texts.labels[texts.codes[row]]) for row in rows.tolist())
    return Column(name, texts=plain, faults=faults)


def marked_numbers(
    name: str, stripped: Sequence[str], codes: Integers, present_texts: set[str], decimal: str
) -> Column | None:
    """Return the column of numbers in bold print, or before a standard error; None for other texts.

    Its note says which marks are left out.
    """
    bare = [without_emphasis(label) for label in stripped]
    if bare != stripped and all(may_begin_number(without_emphasis(x)) for x in present_texts):
        note = "marks of emphasis such as **.81** are left out"
        read = column_of_texts(name, Coded(bare, codes), decimal)
        if read.is_number:
            return replace(read, note="; ".join(filter(None, (note, read.note))))
    if (
        unmarked := numbers_beside_marks(name, stripped, codes, present_texts, decimal)
    ) is not None:
        return unmarked
    means = [PLUS_MINUS.sub("", label) for label in stripped]
    first_numbers = {PLUS_MINUS.sub("", text) for text in present_texts}
    of_first = number_pattern(first_numbers, decimal)
    if present_texts and means != stripped and all(map(of_first, first_numbers)):
        note = "of cells such as .81 ± .02 the first number is read"
        return replace(column_of_numbers(name, means, codes, of_first), note=note)
    return None


def numbers_beside_marks(
    name: str, stripped: Sequence[str], codes: Integers, present_texts: set[str], decimal: str
) -> Column | None:
    """Return the column of numbers of which some have a mark of significance; None for others.

    Not all have the same: else it may be part of what is written. The note says which are left out.
    """
    bare = [SIGNIFICANCE.sub("", label) for label in stripped]
    marks = {x[len(SIGNIFICANCE.sub("", x)) :].strip() for x in present_texts}
    bare_texts = {SIGNIFICANCE.sub("", text) for text in present_texts}
    reader = number_pattern(bare_texts, decimal)
    if len(marks) < 2 or not all(map(reader, bare_texts)):
        return None
    listed = " and ".join(sorted(marks - {""}))
    column = column_of_numbers(name, bare, codes, reader)
    return replace(column, note=f"marks such as {listed} are left out")


def without_emphasis(text: str) -> str:
    """Return a cell without the marks of bold or slanted print, in Markdown or LaTeX."""
    if len(text) > 2 and text[0] == text[-1] == "$":
        text = text[1:-1].replace(r"\pm", "±").replace(r"\%", "%")
    return EMPHASIS.sub(r"\2", BOLD.sub(r"\1", TAGS.sub("", text))).strip()


def may_begin_number(text: str) -> bool:
    """Return whether the first letters of a text may be those of a number."""
    return bool(re.match(r"[+-]?\.?\d", text))


def are_long_ids(name: str, texts: set[str], rows: int) -> bool:
    """Return whether whole numbers beyond 2^53, as ids of posts are, name rows or units."""
    if not all(text.isdigit() for text in texts) or not any(map(is_rounded, texts)):
        return False
    return len(texts) == rows or name_suggests(name, "id") or name_suggests(name, "unit")


def with_stripped_labels(texts: Coded, stripped: Sequence[str], missing: set[str]) -> Coded:
    """Return coded texts with stripped labels, sorted; labels that are then equal become one."""
    labels = sorted(x for x in dict.fromkeys(stripped) if x.casefold() not in missing)
    code_of_label = {label: code for code, label in enumerate(labels)}
    new_codes = np.array([*(code_of_label.get(x, -1) for x in stripped), -1])  # -1 stays -1
    return without_unused_labels(Coded(labels, new_codes[texts.codes]))


def without_unused_labels(texts: Coded) -> Coded:
    """Return coded texts whose labels all occur, so that codes are below the number of values."""
    used = np.unique(texts.codes[texts.codes >= 0])
    if used.size == len(texts.labels):
        return texts
    codes = np.where(texts.codes >= 0, np.searchsorted(used, texts.codes), -1)
    return Coded([texts.labels[code] for code in used.tolist()], codes)


def number_pattern(texts: set[str], decimal: str) -> Callable[[str], "re.Match[str] | None"]:
    """Return the matcher of a text that is a number: with decimal points, or with commas.

    Commas are decimal where more of the texts are numbers then, or where `decimal` says so.
    """
    bare = {text.removesuffix("%").strip() for text in texts}
    has_commas = any("," in text for text in bare)
    more_with_commas = has_commas and sum(map(bool, map(COMMA.fullmatch, bare))) > sum(
        map(bool, map(POINT.fullmatch, bare))
    )
    may_have_commas = has_commas and decimal == ","
    no_thousands = r"\.\d{1,2}$|\.\d{4,}"  # digits after a point
    may_have_commas = may_have_commas and not any(re.search(no_thousands, x) for x in bare)
    pattern = COMMA if more_with_commas or may_have_commas else POINT
    are_percents = [text.endswith("%") for text in texts]
    are_mixed = any(are_percents) and not all(are_percents)  # 12% among .31 is a fault
    return lambda text: pattern.fullmatch(text if are_mixed else text.removesuffix("%").strip())


def exact_float(name: str, plain: str) -> float:
    """Return a plain text such as "-1.5e3" as a float; raise for integers that float64 rounds."""
    if is_rounded(plain):
        raise invalid_value(
            name,
            "contains integers beyond 2^53",
            plain,
            ", which would be rounded: write their ranks.",
            show=", such as {:.30}",
            subject=f"column {name!r}",
        )
    return float(plain)


def column_of_numbers(
    name: str, stripped: Sequence[str], codes: Integers, reader: Callable[[str], Any]
) -> Column:
    """Return the column of numbers that coded texts stand for: "31%" is 0.31, "1,310.0" is 1310."""
    has_decimal_commas = reader("0,5") is not None

    def number(text: str) -> float:
        """Return the number that a cell's text stands for, NaN where it marks a missing value."""
        if text.casefold() in MISSING | MISSING_NUMBERS:
            return math.nan
        bare = text.removesuffix("%").strip()
        thousands, decimal = (".", ",") if has_decimal_commas else (",", ".")
        plain = bare.replace(thousands, "").replace(decimal, ".")
        return exact_float(name, plain) / (100.0 if text.endswith("%") else 1.0)

    values = np.array([*map(number, stripped), math.nan])  # NaN has the code -1
    has_percents = any(text.endswith("%") for text in stripped)
    numbers = values[codes]
    is_integer = not np.isnan(numbers).any() and bool((np.abs(numbers) < 2**53).all())
    is_integer = is_integer and bool((numbers == np.floor(numbers)).all()) and not has_percents
    return Column(
        name,
        numbers=numbers.astype(np.int64) if is_integer else numbers,
        note="percent signs are read: 31% is 0.31" if has_percents else "",
    )


def cell_texts(column: Column) -> list[str]:
    """Return the value of each row as a text, "" where missing."""
    if column.texts is not None:
        return ["" if x is None else str(x) for x in column.values()]
    labels = [*column.label_texts, ""]
    return [labels[code] for code in column.codes.tolist()]


def written_decimals(columns: Sequence[Column]) -> int:
    """Return the number of decimals that the first numbers of some columns are rounded to."""
    values = np.concatenate([column.present[:FIRST].astype(float) for column in columns])
    sufficient = (
        d for d in range(MOST_DECIMALS) if np.allclose(values, values.round(d), rtol=0, atol=1e-13)
    )
    return next(sufficient, MOST_DECIMALS)


def parse_columns(columns: Mapping[str, Any], decimal: str = ".") -> dict[str, Column]:
    """Return the columns of a table by name, each as `parse_column` returns it."""
    return {name: parse_column(name, values, decimal) for name, values in columns.items()}


def row_name_column(columns: Mapping[str, Column]) -> Column | None:
    """Return the column that names the rows: the only one of texts that all differ, else None."""
    texts = [c for c in columns.values() if c.texts is not None and c.all_differ]
    return texts[0] if len(texts) == 1 else None


def right_answer(column: Column) -> str | None:
    """Return which of a column's two values means a right answer; None where neither does.

    Of 'correct' and 'wrong', 'yes' and 'no', 1 and 0, 'c' and 'i' it is the first.
    """
    for yes, no in ((RIGHT, WRONG), (YES, NO), ({"1"}, {"0"}), ({"c"}, {"i"})):
        matching = [text for text in column.label_texts if text.casefold() in yes]
        if len(matching) == 1 and {text.casefold() for text in column.label_texts} & no:
            return matching[0]
    return None


def label_codes(column: Column) -> list[int]:
    """Return the codes of the two distinct values of a column, in the order of `label_texts`."""
    return [int(x) for x in (column.distinct if column.texts is not None else [0, 1])]


def answers_in_same_words(columns: Iterable[Column]) -> list[Column]:
    """Return the most columns of the same two words, of which one means right, as yes; else [].

    None is called as true labels, outcomes, predictions, metrics, raters or traits are.
    """
    by_words: dict[frozenset[str], list[Column]] = {}
    for column in columns:
        if column.texts is None or not column.has_two or right_answer(column) is None:
            continue
        words = frozenset(text.casefold() for text in column.label_texts)
        by_words.setdefault(words, []).append(column)
    most = max(by_words.values(), key=len, default=[])
    roles = ("truth", "outcome", "prediction", "rater", "trait", "reference", "metric")
    named_so = any(name_suggests(c.name, role) for c in most for role in roles)
    return most if len(most) > 1 and not named_so else []


def have_same_answers(columns: Sequence[Column]) -> bool:
    """Return whether all columns may be answers of models, in the same words for yes and no."""
    return len(columns) > 1 and len(answers_in_same_words(columns)) == len(columns)
