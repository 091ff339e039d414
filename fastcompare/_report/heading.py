"""The top of a page: title, verdict, the differences that it is about, findings and sample."""

from collections.abc import Iterator
from typing import Any

from .._base.text import clean, equation, show_pvalue
from .._results.copies import tests_in
from .._results.headlines import MOST_NAMED
from .._results.samples import dropped_sentence, sample_sentence
from .families import result_sheets
from .formats import UNDEFINED, Row, Sheet, display_cells, text_number
from .screen import result_sentence

MINUS = "\u2212"


def page_heading(result: Any, content: Any, title: str | None) -> dict[str, str]:
    """Return the parts at the top of a page: title, headline, key numbers, answer and sample.

    The headline is the verdict, or the title where there is none; the key numbers are differences
    with their intervals, the answer what was found, and the sample says how many cases there were.
    """
    tested = getattr(content, "record", content)
    heading = str(getattr(result, "result", result).title) if title is None else title
    verdict = clean(tested._headline())
    note = clean(tested._sample_note())
    text = clean(result_sentence(content))
    findings = text.removesuffix(note).strip() if note else text
    if verdict and findings != verdict:
        findings = findings.removeprefix(verdict).strip()
    return {
        "title": clean(heading),
        "headline": verdict.removesuffix(".") or clean(heading),
        "numbers": clean("; ".join(key_numbers(result_sheets(content)))),
        "sample": clean(sample_and_dropped(tested)),
        "answer": findings,
    }


def sample_and_dropped(result: Any) -> str:
    """Return how many cases there were, and how many were dropped."""
    reported = getattr(result, "result", result)
    results = (reported, result, *tests_in(result).values())
    sample = next(filter(None, map(sample_sentence, results)), "")
    dropped = dropped_sentence(result) or dropped_sentence(reported)
    return " ".join(filter(None, (sample, dropped)))


def key_numbers(sheets: list[Sheet]) -> Iterator[str]:
    """Yield the difference of two models, or the surest significant ones, with their intervals."""
    pairs = next((sheet for sheet in sheets if sheet.kind == "pairs"), None)
    if pairs is None or not {"difference", "ci", "pvalue"} <= {*pairs.heads}:
        return
    indices = list(pairs.order or range(pairs.size))[:MOST_NAMED]
    rows = list((pairs.people or pairs.cells)(indices))
    is_adjusted = any(row.get("adjusted_pvalue", row["pvalue"]) != row["pvalue"] for row in rows)
    for row in rows:
        if pairs.size == 1 or row.get("significant", False):
            yield from key_number(row, pairs.heads["ci"].name, is_adjusted)


def key_number(row: Row, interval_name: str, is_adjusted: bool) -> Iterator[str]:
    """Yield ``a - b: 0.1 (95% CI 0.05 to 0.15; p = 0.01)``; nothing where that is undefined."""
    (difference,) = display_cells([row["difference"]], "number")
    (interval,) = display_cells([(row["ci_low"], row["ci_high"])], "interval")
    if UNDEFINED in (difference, interval):
        return
    key, name = ("adjusted_pvalue", "adjusted p") if is_adjusted else ("pvalue", "p")
    models = f"{row['first']} {MINUS} {row['second']}"
    p = equation(name, show_pvalue(row[key]))
    yield f"{models}: {difference} ({interval_name} {text_number(interval)}; {p})"
