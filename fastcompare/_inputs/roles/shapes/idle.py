"""Columns that say nothing about the rows: settings that never vary, dates, ids and remarks.

A setting that never varies is nobody's scores. The others stand beside the columns of tables that
need exactly those that they have: counts of wins, or of combinations of labels.
"""

from collections.abc import Mapping

from ..column import Column
from ..reading import Named, unused_column_lines
from ..words import ROLES, is_index, is_of_trials, name_suggests, split_words

MOST_ROWS = 10**4  # of a table of counts
A_REMARK = 16  # letters that a remark has on average, a name seldom
SETTINGS = frozenset[str]().union(  # words of what may never vary
    *(ROLES[role] for role in ("fold", "unit", "set", "setting", "step", "stratum"))
)
BESIDE_SETTINGS = {"id", "no", "nr", "num", "number", "size", "random"}
OF_RUNS = ROLES["fold"] | ROLES["step"] | {"batch", "session", "wave"}  # never a model's name
ROLES_OF_VALUES = ("truth", "outcome", "prediction", "model", "event", "rater", "counted")


def without_settings(
    columns: dict[str, Column], named: Named
) -> tuple[dict[str, Column], tuple[str, ...]]:
    """Return the columns without settings that never vary, as batch 1 in all rows; and a line.

    A model that is always right, or always wrong, is none, nor is what an option names.
    """
    used = {named.label, *named.auxiliary, *(named.models or ()), *(named.long or ())}
    settings = {n: c for n, c in columns.items() if n not in used and is_setting(c)}
    settings = {n: c for n, c in settings.items() if not has_sibling(n, columns, c)}
    if not settings:
        return columns, ()
    needed = {n: c for n, c in columns.items() if n not in settings}
    return needed, tuple(unused_column_lines(settings, (), {}))


def is_setting(column: Column) -> bool:
    """Return whether a column has one whole number in all rows, and is called as settings are."""
    if not (column.is_number and column.is_whole and column.n > 1 and column.present.size):
        return False
    if not column.is_constant or column.missing.any() or is_of_trials(column.name):
        return False
    if any(name_suggests(column.name, role) for role in ROLES_OF_VALUES):
        return False
    words = words_without_numbers(column.name)
    return bool(words & SETTINGS) and words <= SETTINGS | BESIDE_SETTINGS


def has_sibling(name: str, columns: Mapping[str, Column], setting: Column) -> bool:
    """Return whether a column may be one of several models: device1 beside device2.

    So may one of 0 or 1 beside others of 0 and 1, unless it is called as runs are.
    """
    words = words_without_numbers(name)
    others = {n: c for n, c in columns.items() if n != name}
    if any(words & words_without_numbers(n) for n in others):
        return True
    answers = [c for c in others.values() if c.is_number and c.has_two and c.is_share]
    return setting.is_share and len(answers) > 1 and not words & OF_RUNS


def words_without_numbers(name: str) -> frozenset[str]:
    """Return the words of a name without its numbers."""
    return frozenset(word for word in split_words(name) if not word.isdigit())


def without_idle_columns(columns: Mapping[str, Column]) -> dict[str, Column]:
    """Return the columns that vary with the rows, and are no dates, ids or remarks.

    Tables of counts are short: of many rows only an index without a name is left out.
    """
    named = {n: c for n, c in columns.items() if not is_index(n)}
    return {n: c for n, c in named.items() if c.n > MOST_ROWS or not is_idle(c)}


def is_idle(column: Column) -> bool:
    """Return whether a column never varies, or has a date, an id or a remark for each row."""
    if column.is_constant or column.is_date:
        return True
    if not column.all_differ or column.is_decimal:
        return False
    may_count = any(name_suggests(column.name, role) for role in ("counted", "frequency"))
    return is_remark(column) or (name_suggests(column.name, "id") and not may_count)


def is_remark(column: Column) -> bool:
    """Return whether a column has a text of several words in each row."""
    if column.texts is None:
        return False
    texts = column.label_texts
    return all(" " in text for text in texts) and sum(map(len, texts)) >= A_REMARK * len(texts)
