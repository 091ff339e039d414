"""A result as an HTML page, or as tables for a document in Markdown, LaTeX or HTML.

A page is one file of HTML that needs no network and no scripts; its pictures are inline SVG whose
texts are outlines, so any reader shows the same. All tables, or one of them, are also written in
Markdown, LaTeX or HTML.
"""

from __future__ import annotations

import io
import os
import re
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .._adapters.files import check_target, write_file
from .._base.documented import call_that_made
from .._base.exceptions import FastCompareError, invalid_type
from .._base.text import clean
from .._config import show_config
from .._inputs.options import check_flag, check_rows
from .._results.copies import tests_in
from .._results.pairs import model_names
from .._results.presentation import DISPLAY_LEVEL, presentation
from .._results.records import Record
from .._results.remarks import status_remarks
from ..plots._displays import PICTURES, picture_and_source
from ..plots._forest import narrow_forest
from .differences import field_title, number_text
from .families import result_sheets
from .formats import (
    Column,
    Sheet,
    Table,
    display_cells,
    escape_html,
    escape_markdown,
    to_html,
    to_latex,
    to_markdown,
)
from .heading import page_heading
from .screen import (
    PrintedTable,
    chosen_sheet,
    fit_table,
    printed_tables,
    result_sentence,
    shorten_sheet,
)

LATEX_LINE_WIDTH = 66  # characters in small print, numbers mostly, of a line of `article` at 10 pt
MOST_MODELS = 7  # of a matrix that a page takes


def document_tables(result: Any, kind: str | None) -> list[PrintedTable]:
    """Return the tables of a result with all their rows, or only that of a kind of sheet."""
    sheets = result_sheets(result) if kind is None else [chosen_sheet(result, kind, "table")]
    check_rows(sum(sheet.size for sheet in sheets))
    return printed_tables(sheets, all_rows)


def all_rows(sheet: Sheet) -> PrintedTable:
    """Return the table of all rows of a sheet, and its note."""
    table = sheet.display_table(sheet.order or range(sheet.size))
    return PrintedTable(table, [sheet.note] if sheet.note else [])


def result_markdown(result: Any, table: str | None = None) -> str:
    """Return the tables in Markdown with the result's sentence, or only the one named `table`."""
    tables = document_tables(result, table)
    return join_tables_and_sentence(
        result, tables, table, markdown_table, lambda text: f"{escape_markdown(text)}\n"
    )


def markdown_table(table: Table, notes: list[str]) -> str:
    """Return a table in Markdown, and its notes."""
    return "\n".join([to_markdown(table), *(f"{escape_markdown(note)}\n" for note in notes)])


def result_html(result: Any, table: str | None = None) -> str:
    """Return the tables in HTML with the result's sentence, or only the one named `table`."""
    return tables_html(result, document_tables(result, table), table)


def notebook_html(result: Any) -> str:
    """Return the HTML for a notebook: the rows that are printed, and the sentence."""
    return tables_html(result, printed_tables(result_sheets(result)), None)


def tables_html(result: Any, tables: list[PrintedTable], chosen: str | None) -> str:
    """Return the tables in HTML, and the result's sentence unless a table was chosen."""
    text = join_tables_and_sentence(
        result, tables, chosen, to_html, lambda sentence: f"<p>{escape_html(sentence)}</p>\n"
    )
    return f'<div class="fastcompare">\n{text}</div>\n'


def join_tables_and_sentence(
    result: Any,
    tables: list[PrintedTable],
    chosen: str | None,
    write_table: Callable[[Table, list[str]], str],
    write_sentence: Callable[[str], str],
) -> str:
    """Return the tables, and unless one is chosen the result's sentence, in some format."""
    blocks = [write_table(table, notes) for table, notes in tables]
    sentence = "" if chosen else clean(result_sentence(result))
    return "\n".join([*blocks, write_sentence(sentence)] if sentence else blocks)


def result_latex(
    result: Any, table: str | None = None, caption: str | None = None, label: str | None = None
) -> str:
    """Return the tables in LaTeX, or only the one named `table`.

    They need the package booktabs, long ones longtable, too.
    """
    sheets = {sheet.kind: sheet for sheet in result_sheets(result)}
    kinds = list(sheets) if table is None else [table]
    tables = document_tables(result, table)
    is_table_per_kind = len(tables) == len(kinds)  # not if models and their difference are merged
    texts = []
    for place, (document_table, notes) in enumerate(tables):
        kind = kinds[place] if is_table_per_kind else "results"
        fitted, fit_notes = paper_table(result, document_table, sheets, kind)
        title = document_table.title if caption is None else caption
        titled = Table(title, fitted.header, fitted.rows)
        texts.append(to_latex(titled, label=label or f"tab:{kind}", notes=[*fit_notes, *notes]))
    return "\n".join(texts)


def paper_table(
    result: Any, table: Table, sheets: dict[str, Sheet], kind: str
) -> tuple[Table, list[str]]:
    """Return a table that fits a line of a page, and notes on what was changed.

    All pairs of 3 to `MOST_MODELS` models become a matrix if their names would be shortened.
    """
    k = len(model_names(result))
    fitted, shortened = fit_table(table, LATEX_LINE_WIDTH)
    has_differences = kind == "pairs" and "models" in sheets and "difference" in sheets[kind].heads
    has_all_pairs = has_differences and len(table.rows) == k * (k - 1) // 2
    if shortened and has_all_pairs and 3 <= k <= MOST_MODELS:
        matrix = pair_matrix(sheets["models"], sheets["pairs"])
        fitted, shortened = fit_table(matrix, LATEX_LINE_WIDTH)
        return fitted, [MATRIX_NOTE, *shortened]
    return fitted, shortened


MATRIX_NOTE = (
    "Above the diagonal: row model minus column model, best model first; below it: p-values."
)


def pair_matrix(models: Sheet, pairs: Sheet) -> Table:
    """Return a table (k, k) of models, best first; see `MATRIX_NOTE` for what its cells are."""
    names = [row["model"] for row in models.rows(models.order)]
    rows = pairs.rows()
    place = {name: j for j, name in enumerate(names)}
    better_minus_worse = [
        row["difference"] if place[row["first"]] < place[row["second"]] else -row["difference"]
        for row in rows
    ]
    differences = display_cells(better_minus_worse, "number")
    pvalues = display_cells([row.get("adjusted_pvalue", row["pvalue"]) for row in rows], "pvalue")
    cells: dict[tuple[str, str], str] = {}
    for row, difference, p in zip(rows, differences, pvalues, strict=True):
        better, worse = sorted((row["first"], row["second"]), key=place.__getitem__)
        cells[better, worse] = f"{difference}*" if row.get("significant", False) else difference
        cells[worse, better] = p
    numbers = [Column(str(j), "number") for j in range(1, len(names) + 1)]
    body = tuple(
        (str(j), a, *(cells.get((a, b), "") for b in names)) for j, a in enumerate(names, 1)
    )
    return Table(pairs.title, (Column(""), Column("model"), *numbers), body)


SVG_ROOT = re.compile(r"<svg\b[^>]*>")
SVG_COMMENTS = re.compile(r"<!--.*?-->|<metadata>.*?</metadata>", re.DOTALL)
SVG_IDS = re.compile(r'(\bid="|href="#|url\(#)')
SVG_SETTINGS = {"svg.fonttype": "path", "svg.hashsalt": "fastcompare"}  # the same bytes each time

LEVEL_FIELDS = ("confidence_level", "simultaneous")
CAPTIONS_BY_PICTURE = {
    "agreement_map": "how often pairs of models disagree, in a square",
    "critical_difference": "average ranks; bars join models that do not differ significantly",
    "decision_curves": "net benefit by threshold",
    "error_rates": "rates of rejection with their intervals",
    "forest": "estimates or differences with their intervals",
    "horizon_curves": "AUCs or Brier scores by horizon, with their intervals",
    "leaderboard": "models with their means, intervals and ranks",
    "models": "each model with its interval, the best on top",
    "mosaic": "areas for the cases that both, one or none of two models get right",
    "posterior": "the posterior distribution of the difference",
    "power_curves": "power by effect or by number of cases",
    "pvalue_matrix": "p-values of all pairs in a square",
    "reader_power": "power by the numbers of readers and of cases",
    "readers": "each reader in each treatment, and the means with their intervals",
    "reliability": "observed rates by predicted probability",
    "calibration_curves": "observed rates by predicted probability, in bins, with 95% intervals",
    "roc_band": "the ROC curve with its band",
    "within_groups": "AUCs within groups, or their differences, group by group",
    "roc_curves": "ROC curves; shaded: pointwise confidence bands of the true positive rate",
}


class Picture(NamedTuple):
    """A picture as SVG, with its description for screen readers, its caption and its size."""

    svg: str
    label: str
    caption: str = ""
    width: float = 0.0
    height: float = 0.0


BESIDE_FOREST = ("critical_difference", "mosaic")  # pictures without differences


def page_pictures(result: Any, displayed: Any = None) -> list[Picture]:
    """Return the pictures of a page: curves of the data if these are known, and the result's own.

    `displayed` presents the result at another level of intervals, which a forest then has. Three
    pictures or more come tallest first, since they stand in columns.
    """
    levels = {name: getattr(displayed, name) for name in LEVEL_FIELDS if hasattr(displayed, name)}
    if DISPLAY_LEVEL in result.__dict__:  # a copy with a level of its own
        levels.setdefault("confidence_level", result.__dict__[DISPLAY_LEVEL])
    name, pictured = picture_and_source(result)
    drawers: list[tuple[str, Callable[[], Any]]] = list(getattr(result, "_curves", dict)().items())
    forest = ("forest", partial(narrow_forest, pictured, **levels))
    drawers.append(forest if name == "forest" else (name, result.plot))
    if name in BESIDE_FOREST:
        drawers.append(forest)
    if second := getattr(pictured, "_second_picture", ""):
        levels.pop("simultaneous", None)  # which only a forest has
        drawers.append((second, partial(PICTURES[second], pictured, **levels)))
    images = [svg_picture(name, draw, number) for number, (name, draw) in enumerate(drawers)]
    pictures = [picture for picture in images if picture is not None]
    tallest_first = sorted(pictures, key=lambda picture: -picture.height)
    return tallest_first if len(pictures) > 2 else pictures


def svg_picture(name: str, draw: Callable[[], Any], picture_number: int = 0) -> Picture | None:
    """Return the picture that `draw` draws, None if it refuses to draw these values.

    `picture_number` numbers the pictures of a page, so that ids in their SVG differ.
    """
    import matplotlib
    from matplotlib import pyplot

    before = set(pyplot.get_fignums())
    with matplotlib.rc_context(SVG_SETTINGS), pyplot.ioff(), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the result has warned already
        try:
            figure = draw().get_figure(root=True)
            file = io.StringIO()
            figure.savefig(file, format="svg", metadata={"Date": None}, transparent=True)
        except FastCompareError:  # there is no picture of this class or of these values
            return None
        finally:
            for number in set(pyplot.get_fignums()) - before:
                pyplot.close(number)
    caption = forest_caption(figure) if name == "forest" else CAPTIONS_BY_PICTURE.get(name, "")
    picture = inline_svg(file.getvalue(), picture_label(caption, figure), picture_number)
    return picture._replace(caption=caption)


def forest_caption(figure: Any) -> str:
    """Return the caption of a forest plot, whose axes have a label ``quantity; note; note``."""
    quantity, *notes = figure.axes[0].get_label().split("; ")
    simultaneous = "simultaneous intervals"
    kind = simultaneous if simultaneous in notes else "confidence intervals"
    return "; ".join(
        [f"{quantity}, with {kind}", *(note for note in notes if note != simultaneous)]
    )


def picture_label(caption: str, figure: Any) -> str:
    """Return a description of a picture: its caption, and the titles and labels of its axes."""
    texts = [caption]
    for ax in figure.axes:
        texts += [ax.get_title(), ax.get_xlabel(), ax.get_ylabel()]
    label = "; ".join(dict.fromkeys(filter(None, texts)))
    return clean(" ".join(f"{label[:1].upper()}{label[1:]}".split()))


def inline_svg(svg: str, label: str, picture_number: int = 0) -> Picture:
    """Return an SVG file as a picture of a page, without metadata and with ids of its own."""
    root = SVG_ROOT.search(svg)
    assert root is not None
    sizes = dict(re.findall(r'(width|viewBox)="([^"]*)"', root[0]))
    body = SVG_COMMENTS.sub("", svg[root.end() :])
    body = SVG_IDS.sub(rf"\1picture-{picture_number}-", body)
    body = re.sub(r"\n\s*\n", "\n", body)
    head = (
        '<svg xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="{viewBox}" '
        'style="--full: {width}; width: {width}" aria-hidden="true">'
    )
    width, height = map(float, sizes["viewBox"].split()[2:])
    return Picture(head.format(**sizes) + body, label, width=width, height=height)


MOST_COLUMNS = 3  # columns on a narrow screen, where rows of wider tables become lists
MOST_ROWS = 2000  # rows that a page takes; of longer tables those that are printed
FOLDED_KINDS = ("tests", "numbers", "components")  # sheets that stand below, folded
FACT_HEADS = Column(""), Column("")
HIDDEN_FIELDS = ("status", "names", "estimate")
OPTION_FIELDS = ("alpha", "margin", "confidence_level", "rope", "n_train", "n_test", "df")
DEFAULT_FACTS = ("n_resamples", 0), ("n_tasks", 0)
VERSIONS = ("fastcompare", "numpy", "scipy", "numba", "python")
NO_CAVEAT = "No problems detected."
CALL_CODE = "import fastcompare\n\nresult = {}"


class PageTable(NamedTuple):
    """A table of the page, its title, and the notes below it.

    On a narrow screen it is without its `spares`, dispensable columns, until these are asked for.
    """

    title: str
    html: Any
    notes: tuple[str, ...]
    spares: bool = False


def report(
    result: Record,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    overwrite: bool = False,
) -> Path:
    """Write a result as an HTML page: verdict, tables, picture, assumptions and how to repeat it.

    The page is a single file without scripts or network access, for light and dark mode, narrow
    screens and paper. With the same versions on the same day (UTC; the environment variable
    SOURCE_DATE_EPOCH sets the date) the same result gives the same bytes.

    Parameters
    ----------
    result : result of a test, of `compare` or of any other function
        Any result; names of models are shown as plain text.
    path : str or path-like
        Where to write, ``report.html`` for example. If writing fails, no partial file is left.
    title : str, optional
        The heading; by default that of the result.
    overwrite : bool, default=False
        Whether to replace an existing file.

    Returns
    -------
    pathlib.Path
        The path of the page.

    See Also
    --------
    compare : Detects the kind of data and chooses the tests.

    Notes
    -----
    It needs jinja2 and matplotlib: ``pip install 'fastcompare[report]'``. Results without a
    picture, or with too many models for one, give a page without a picture. Tables with more than
    2,000 rows are shortened as in `print`.

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
    target = Path(os.path.expanduser(path))
    may_overwrite = check_flag("overwrite", overwrite)
    check_target(target, may_overwrite, "pass overwrite=True", "`path` ")
    check_report_packages()
    write_file(target, result_page(result, title).encode())
    return target


def check_kind(name: str, value: object, kind: Any, wanted: str) -> None:
    """Raise TypeError unless `value` is an instance of `kind`; `wanted` says it in words."""
    if not isinstance(value, kind):
        raise invalid_type(name, f"must be {wanted}", type(value).__name__, show=", got {}")


def check_report_packages() -> None:
    """Raise ImportError, with the pip line, unless jinja2 and matplotlib are installed."""
    try:
        import jinja2  # noqa: F401
        import matplotlib  # noqa: F401
    except ImportError as error:
        line = f"an HTML page needs {error.name}: pip install 'fastcompare[report]'."
        raise ImportError(line) from error


class Origin(NamedTuple):
    """The command line that made a result, and the notes that it printed."""

    command: str
    notes: tuple[str, ...]


def result_page(
    result: Any, title: str | None = None, displayed: Any = None, origin: Origin | None = None
) -> str:
    """Return the HTML page of a result.

    If `displayed` presents the result otherwise, at another level of intervals, say, the answer
    and the tables are those of `displayed`.
    """
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    source = resources.files(__package__).joinpath("page.html").read_text("utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    content = result if displayed is None else displayed
    results = (result, *tests_in(result).values())
    pictures = page_pictures(result, displayed)
    caveats = list(result_caveats(result))
    tables, further = page_tables(content)
    page: str = environment.from_string(source).render(
        **page_heading(result, content, title),
        tables=tables,
        further=further,
        pictures=[picture._replace(svg=Markup(picture.svg)) for picture in pictures],
        **decision_grounds(result),
        caveats=[text for text in caveats if text != NO_CAVEAT],
        sound=NO_CAVEAT in caveats and not getattr(result, "checks", ()),
        facts=[html_table(facts_table(str(r.title), dict(result_facts(r)))) for r in results],
        command=clean(origin.command) if origin else "",
        data=[clean(note) for note in origin.notes] if origin else [],
        versions=html_table(facts_table("What it was computed with", versions())),
        date=written_on(),
    )
    return page + "\n"


def decision_grounds(result: Any) -> Mapping[str, Any]:
    """Return the parts of a page on decisions, reasons, checks, assumptions, references, call."""
    provenance = presentation("advice.provenance").provenance_of(result)
    lists = {
        name: [clean(text) for text in getattr(result, name, ())]
        for name in ("decisions", "reasons", "checks")
    }
    return {
        **lists,
        "assumptions": provenance.assumptions,
        "references": provenance.references,
        "call": CALL_CODE.format(provenance.call) if provenance.call else "",
    }


CAPTIONS = {"models": "Models"}  # the page around the table says the rest


def page_tables(content: Any) -> tuple[list[PageTable], list[PageTable]]:
    """Return the tables of a page, and those that are folded at its end."""
    sheets = result_sheets(content)
    folded = [sheet for sheet in sheets if sheet.kind in FOLDED_KINDS and len(sheets) > 1]
    open_sheets = [sheet for sheet in sheets if sheet not in folded]
    open_tables = [html_table(*printed) for printed in printed_tables(open_sheets, page_rows)]
    folded_tables = [html_table(*printed) for printed in printed_tables(folded, page_rows)]
    return open_tables, folded_tables


def page_rows(sheet: Sheet) -> PrintedTable:
    """Return the table of a sheet for a page, with all rows unless they are too many."""
    titled = replace(sheet, title=CAPTIONS.get(sheet.kind, sheet.title))
    return all_rows(titled) if sheet.size <= MOST_ROWS else shorten_sheet(titled)


def html_table(table: Table, notes: Iterable[str] = ()) -> PageTable:
    """Return a table for the template, which takes its HTML as it is."""
    from markupsafe import Markup

    stacks = len(table.header) > MOST_COLUMNS
    text = Markup(to_html(table, stacks=stacks))
    spares = stacks and any(head.spare for head in table.header)
    return PageTable(clean(table.title), text, tuple(map(clean, notes)), spares)


def facts_table(title: str, facts: Mapping[str, str]) -> Table:
    """Return a table of facts: a row for each name and its value."""
    return Table(title, FACT_HEADS, tuple(facts.items()))


def result_facts(result: Any) -> Iterator[tuple[str, str]]:
    """Yield titles and values of a result's fields that are options, words or counts."""
    for name in result._field_names():
        value = getattr(result, name)
        if name == "method" and isinstance(value, np.ndarray):
            yield name, ", ".join(np.unique(value).tolist())
        elif (
            name not in HIDDEN_FIELDS
            and describes_computation(name, value)
            and (name, value) not in DEFAULT_FACTS
        ):
            yield field_title(name), number_text(value)
        if name == "n_positive":
            label = call_that_made(result).options.get("pos_label")
            yield "positive class", "1" if label is None else clean(str(label))


def describes_computation(name: str, value: object) -> bool:
    """Return whether a field is an option or a count, and not a finding."""
    if isinstance(value, bool | np.bool_):
        return False  # of flags that matter the result's sentence speaks
    if isinstance(value, float | np.floating):
        return (
            name in OPTION_FIELDS
            and bool(np.isfinite(value))
            and (name != "margin" or value != 0.0)
        )
    return isinstance(value, int | np.integer) or (isinstance(value, str) and value != "")


def written_on() -> str:
    """Return today's date, or that of SOURCE_DATE_EPOCH, by which builds are reproducible."""
    now = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    return datetime.fromtimestamp(now, UTC).date().isoformat()


def versions() -> dict[str, str]:
    """Return the versions of the packages that computed a result."""
    config = show_config()
    return {name: config[name] for name in VERSIONS}


def result_caveats(result: Any) -> Iterator[str]:
    """Yield sentences on what is undefined or rough, each once, or that there are no problems."""
    results = (*tests_in(result).values(), result)  # tests of pairs say which
    caveats = status_remarks(*results)
    yield from caveats
    dropped = any(np.any(getattr(tested, "n_dropped", 0)) for tested in results)
    if not (caveats or dropped) and any(hasattr(tested, "status") for tested in results):
        yield NO_CAVEAT
