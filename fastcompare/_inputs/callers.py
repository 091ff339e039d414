"""Errors of a test that runs inside another function, in the names that its caller has passed."""

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from .._base.exceptions import FastCompareError

QUOTED = re.compile(r"`(\w[^`\[\]=]*)(\[[^`]*\])?`")
LABELS = "y_true"
TABLES = ("scores", "predictions", "probabilities", "y_score", "y_pred", "y_prob")
COLUMNS = (*TABLES, *(f"{name}_{letter}" for name in TABLES for letter in "ab"))


@contextmanager
def called_for(table: str, labels: str, models: Collection[str], apart: bool) -> Iterator[None]:
    """Let errors within name what the caller passed: a table, labels, or `a` and `b` `apart`."""
    names = dict.fromkeys(COLUMNS, table) | {LABELS: labels}
    single = {f"[{name!r}]": own for name, own in zip(models, "ab", strict=False)} if apart else {}

    def renamed(found: re.Match[str]) -> str:
        name, index = found[1], found[2] or ""
        if name in models:  # as a test of all pairs calls it
            name, index = table, f"[{name!r}]"
        elif name not in names:
            return found[0]
        else:
            name = names[name]
        return f"`{single[index]}`" if index in single else f"`{name}{index}`"

    try:
        yield
    except FastCompareError as error:
        error.args = tuple(
            QUOTED.sub(renamed, part) if isinstance(part, str) else part for part in error.args
        )
        raise
