"""The sheets of models: the best first, with what is known of each."""

from collections.abc import Mapping
from typing import Any

from .._base.text import plain
from .._compare.own_intervals import own_ends
from .._results.measures import best_first, measure_of, names_of
from .._results.records import interval_title
from .sheets import Sheet, columns_along, measure_head, picked, sheet_of
from .tables import Column

HEADS: Mapping[str, Column] = {  # further fields with a value a model
    "standard_error": Column("standard error", "number", 1),
    "elo": Column("Elo", "points", 2),
    "n": Column("n", "count", 2),
}
STANDING = {
    "model": Column("model"),
    "rank": Column("rank", "count"),
    "mean": Column("mean score", "number"),
    "standard_error": Column("standard error", "number", 1),
    "ci": Column("", "interval"),
    "ranks": Column("ranks", "count"),
    "letters": Column("letters", "text", 1),
}


def model_sheets(result: Any) -> list[Sheet]:
    """Return the sheet of the models of a result, if they have values."""
    names, field = names_of(result), measure_of(result)
    if not field:
        return []
    columns = {"model": list(names)}
    columns |= columns_along(result, (field, *HEADS), len(names))
    heads = {"model": Column("model"), field: Column(measure_head(result, field), "number")}
    heads |= {name: head for name, head in HEADS.items() if name in columns}
    if (ends := own_ends(result, result._level)) is not None:
        columns |= dict(zip(("ci_low", "ci_high"), map(plain, ends), strict=True))
        heads["ci"] = own_head(result._level)
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    order = best_first(result, field)
    return [Sheet("models", result.title, heads, len(rows), picked(rows), order)]


def leaderboard_sheets(result: Any) -> list[Sheet]:
    """Return the sheet of models with ranks, means, intervals and letters."""
    low, high = result._interval()
    columns = {
        "model": result.names,
        "rank": result.rank,
        "mean": result.means,
        "standard_error": result.standard_error,
        "ci_low": low,
        "ci_high": high,
        "rank_low": result.rank_low,
        "rank_high": result.rank_high,
        "letters": result.letters,
    }
    cells = zip(*map(plain, columns.values()), strict=True)
    rows = [dict(zip(columns, row, strict=True)) for row in cells]
    for row in rows:
        row["ranks"] = "-".join(map(str, dict.fromkeys((row["rank_low"], row["rank_high"]))))
    heads = {**STANDING, "ci": own_head(result._level)}
    return [sheet_of("models", result.title, heads, rows)]


def own_head(level: float) -> Column:
    """Return the column of the models' own intervals."""
    return Column(interval_title("two-sided", level), "interval")
