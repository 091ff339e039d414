"""A result as a page to send: one file of HTML that needs no network and no scripts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .._adapters.outputs import check_target, write_file
from .._base.exceptions import InvalidTypeError
from .._base.text import clean, counted
from .._config import show_config
from .._inference.status import STATUSES
from .._inputs.options import check_flag
from .._results.records import Record
from .._results.upstairs import room
from .documents import whole
from .facts import number_text, words_of
from .families import sheets_of
from .html import to_html
from .pictures import picture_of
from .screen import Part, cut, parts_of, sentence_of
from .sheets import Sheet
from .tables import Column, Table

LONGEST = 2000  # rows that a page takes; of longer tables those that are printed
FACTS = Column(""), Column("")
UNREAD = ("status", "names", "estimate")
OPTIONS = ("alpha", "margin", "confidence_level", "rope", "n_train", "n_test", "df")
UNUSED = ("n_resamples", 0), ("n_tasks", 0)
VERSIONS = ("fastcompare", "numpy", "scipy", "numba", "python")
NO_CAVEAT = "No part of the result is undefined or rough, as far as the tests can tell."


class Boxed(NamedTuple):
    """A table of the page, its title, and the notes below it."""

    title: str
    html: Any
    notes: tuple[str, ...]


def report(
    result: Record,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    overwrite: bool = False,
) -> Path:
    """Write a result as a page of HTML: answer, tables, picture, assumptions, how it was computed.

    It is one file, to send or to keep: no network, no scripts, light and dark, for a narrow screen
    and for paper. The same result gives the same bytes with the same versions.

    Parameters
    ----------
    result : result of a test, of `compare` or of any other function
        What `print` shows; names of models stay the text that they are.
    path : str or path-like
        Where to write, ``report.html`` say. It is written whole or not at all.
    title : str, optional
        The heading; by default the result's own.
    overwrite : bool, default=False
        Whether a file that is there may be replaced.

    Returns
    -------
    pathlib.Path
        Where the page is.

    See Also
    --------
    compare : What the data are, the right tests, and why, as one result.

    Notes
    -----
    It needs jinja2 and matplotlib: ``pip install 'fastcompare[report]'``. Results without a
    picture, or with too many models for one, get a page without. Of tables with more than 2,000
    rows it has those that `print` shows.

    References
    ----------
    .. [1] W3C (2023), Web Content Accessibility Guidelines 2.2, for contrast, headings and tables.

    Examples
    --------
    >>> import tempfile
    >>> import fastcompare as fc
    >>> result = fc.delong_test([0, 0, 1, 1, 1] * 20, range(100), range(100, 0, -1))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     fc.report(result, f"{folder}/result.html").name
    'result.html'
    """
    check_kind("result", result, Record, "what a test or `compare` returned")
    check_kind("path", path, str | os.PathLike, "a path")
    check_kind("title", title, str | None, "text")
    target = Path(path)
    replace = check_flag("overwrite", overwrite)
    check_target(target, replace, "pass overwrite=True", "`path` ")
    need_packages()
    write_file(target, page_of(result, title).encode())
    return target


def check_kind(name: str, value: object, kind: Any, wanted: str) -> None:
    """Raise unless a parameter is of a kind."""
    if not isinstance(value, kind):
        raise InvalidTypeError(f"`{name}` must be {wanted}, got {type(value).__name__}.")


def need_packages() -> None:
    """Raise with the pip line unless everything is there."""
    try:
        import jinja2  # noqa: F401
        import matplotlib  # noqa: F401
    except ImportError as error:
        line = f"`report` needs {error.name}: pip install 'fastcompare[report]'."
        raise ImportError(line) from error


def page_of(result: Any, title: str | None = None, shown: Any = None) -> str:
    """Return the page as text; its answer and tables are those of what is shown, if that differs.

    At another level of the intervals, say.
    """
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    source = resources.files(__package__).joinpath("page.html").read_text("utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    seen = result if shown is None else shown
    picture, grounds = picture_of(result, shown), room("advice.grounds").grounds_of(result)
    told = {
        name: [clean(text) for text in getattr(result, name, ())]
        for name in ("decisions", "reasons", "checks")
    }
    page: str = environment.from_string(source).render(
        title=clean(str(result.title) if title is None else title),
        answer=clean(sentence_of(seen)),
        tables=[boxed(*part) for part in parts_of(sheets_of(seen), page_part)],
        picture=picture,
        svg=Markup(picture.svg) if picture else "",
        **told,
        assumptions=grounds.assumptions,
        caveats=list(caveats_of(result)),
        facts=[boxed(facts_of(part)) for part in parts_held(result)],
        references=grounds.references,
        call=grounds.call,
        versions=boxed(facts_table("What it was computed with", versions())),
    )
    return page + "\n"


def page_part(sheet: Sheet) -> Part:
    """Return the rows of a sheet that a page takes, and the notes below them."""
    return whole(sheet) if sheet.size <= LONGEST else cut(sheet)


def boxed(table: Table, notes: Iterable[str] = ()) -> Boxed:
    """Return a table for the template, which takes its HTML as it is."""
    from markupsafe import Markup

    return Boxed(clean(table.title), Markup(to_html(table)), tuple(map(clean, notes)))


def parts_held(result: Any) -> list[Any]:
    """Return a result and the tests in it."""
    held: Any = getattr(result, "tests", None)
    if isinstance(held, Mapping):
        return [result, *held.values()]
    parts = (getattr(result, name, None) for name in ("omnibus", "posthoc"))
    return [result, *(part for part in parts if isinstance(part, Record))]


def facts_of(result: Any) -> Table:
    """Return the table of method, options and numbers of cases of a result."""
    return facts_table(str(result.title), dict(facts_held(result)))


def facts_table(title: str, facts: Mapping[str, str]) -> Table:
    """Return a table of names and values."""
    return Table(title, FACTS, tuple(facts.items()))


def facts_held(result: Any) -> Iterator[tuple[str, str]]:
    """Yield the words and whole numbers that a result holds, and the options among its numbers."""
    for name in result._names():
        value = getattr(result, name)
        if name == "method" and isinstance(value, np.ndarray):
            yield name, ", ".join(np.unique(value).tolist())
        elif name not in UNREAD and is_fact(name, value) and (name, value) not in UNUSED:
            yield words_of(name), number_text(value)


def is_fact(name: str, value: object) -> bool:
    """Return whether a field tells how a result was computed, and not what came out."""
    if isinstance(value, float | np.floating):
        return name in OPTIONS and not np.isnan(value)
    return isinstance(value, int | np.integer) or (isinstance(value, str) and value != "")


def versions() -> dict[str, str]:
    """Return the versions of what computed it."""
    known = show_config()
    return {name: known[name] for name in VERSIONS}


def caveats_of(result: Any) -> Iterator[str]:
    """Yield sentences on what is undefined, rough or left out, each once."""
    told: dict[str, str] = {}
    for part in parts_held(result):
        words = np.ravel(getattr(part, "status", "ok")).tolist()
        for word in dict.fromkeys(words):
            meaning = STATUSES[word].meaning if word in STATUSES else ""
            count = words.count(word)
            which = f", for {count} of {len(words)}" if count < len(words) else ""
            if meaning:
                told.setdefault(meaning, f"{word}{which}: {meaning}.")
    yield from told.values()
    dropped = max(getattr(part, "n_dropped", 0) for part in parts_held(result))
    if not (told or dropped) and any(hasattr(part, "status") for part in parts_held(result)):
        yield NO_CAVEAT
    if dropped:
        yield f"{counted(dropped, 'case')} with missing values left out."
