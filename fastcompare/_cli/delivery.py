"""Results in the format and at the place that users want, and options in groups."""

import inspect
import io
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import typer

from .._adapters.files import STDIN, check_target, write_file
from .._base.exceptions import InvalidValueError, invalid_value
from .._base.text import clean
from .._inputs.options import check_choice
from .._report.formats import latex_sentence, to_csv, to_json
from .._report.screen import frame_table, result_sentence
from .._results.presentation import presentation
from .flags import declare_option
from .terminal import encodable, said_of_run

DOTS = 200  # per inch, of formats that have dots


def without_window() -> None:
    """Have pictures drawn without a window; plots are imported where one is drawn."""
    from ..plots._canvas import matplotlib

    matplotlib().use("Agg")


def saved(figure: Any, path: Path) -> bytes:
    """Return a figure of pyplot in the format of a path, and close it."""
    from matplotlib import pyplot

    content = io.BytesIO()
    figure.savefig(content, format=path.suffix[1:].lower(), dpi=DOTS, bbox_inches="tight")
    pyplot.close(figure)
    return content.getvalue()


MOST_PAIRS = 100_000  # of 447 models


class Delivery(NamedTuple):
    """How and where to write what was found."""

    format: str | None = None
    output: list[Path] | None = None
    force: bool = False
    title: str | None = None

    @property
    def paths(self) -> list[Path | None]:
        """The files, with None for standard output, which is also called "-"."""
        return [None if str(path) == STDIN else path for path in self.output or ()] or [None]


class FileForm(NamedTuple):
    """How the file is written that is read."""

    sep: str = ""
    encoding: str = ""
    decimal: str = ""

    @property
    def options(self) -> Any:
        """The options of `read_table`."""
        separator = "\t" if self.sep in ("tab", "\\t") else self.sep
        return {"separator": separator, "encoding": self.encoding, "decimal": self.decimal}


class Contents(NamedTuple):
    """What files hold, where their columns do not say it."""

    kind: str | None = None
    label: str | None = None
    model: list[str] | None = None
    pos_label: str | None = None
    id: str | None = None
    cluster: str | None = None
    weights: str | None = None
    long: str | None = None
    time: str | None = None
    event: str | None = None
    reader: str | None = None
    treatment: str | None = None
    case: str | None = None
    score: str | None = None
    n_train: float | None = None
    n_test: float | None = None
    design: str | None = None
    paired: bool | None = None


class LogChoice(NamedTuple):
    """Which scores of logs of evaluations count."""

    task: list[str] | None = None
    metric: str | None = None
    missing: str = "raise"


class Query(NamedTuple):
    """What is asked of a comparison, whatever files hold."""

    test: str | None = None
    control: str | None = None
    alternative: str | None = None
    margin: float = 0.0
    rule: str | None = None
    clip: float | None = None
    threshold: float | None = None
    method: str | None = None
    order_effect: bool = False
    correction: str | None = None
    alpha: float = 0.05
    confidence_level: float = 0.95
    lower_is_better: bool = False
    gate: bool = False
    n_resamples: int | None = None
    seed: int = 0
    max_pairs: int = MOST_PAIRS

    @property
    def options(self) -> Mapping[str, Any]:
        """The options of `compare`."""
        excluded = ("confidence_level", "lower_is_better", "seed", "max_pairs")
        asked = {name: value for name, value in self._asdict().items() if name not in excluded}
        more = {"higher_is_better": not self.lower_is_better, "rng": self.seed, "progress": True}
        return {**asked, **more}


class Setting(NamedTuple):
    """What a simulated design is like, by the names of its fields."""

    n_models: int | None = None
    n_train: float | None = None
    n_test: float | None = None
    auc: float | None = None
    correlation: float | None = None
    n_positive: int | None = None
    n_negative: int | None = None
    epsilon: float | None = None


def flatten_options(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command whose groups of options are options of its own, as typer reads them.

    Where its results go is checked before any work; none may replace what is read.
    """
    hints = get_type_hints(command)
    groups: dict[str, Any] = {x: hint for x, hint in hints.items() if hasattr(hint, "_fields")}
    kind, parameters = inspect.Parameter.KEYWORD_ONLY, []
    for name, parameter in inspect.signature(command).parameters.items():
        owner = command.__name__
        types = hints
        defaults = {name: parameter.default}
        if group := groups.get(name):
            owner = group.__name__
            types = get_type_hints(group)
            defaults = group._field_defaults
        parameters += [
            inspect.Parameter(
                x, kind, default=default, annotation=declare_option(owner, x, types[x])
            )
            for x, default in defaults.items()
        ]

    @wraps(command)
    def spread_command(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field: given.pop(field) for field in group._fields})
        if "delivery" in given:
            given["delivery"] = delivery = at_home(given["delivery"])
            known = given.get("files") or given.get("logs")  # of compare a choice among logs
            check_delivery(delivery, known if isinstance(known, list) else ())
        command(**given)

    spread_command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    spread_command.__annotations__ = {p.name: p.annotation for p in parameters}
    return spread_command


def at_home(delivery: Delivery) -> Delivery:
    """Return where results go, with ~ as the shell reads it: not in --output=~/page.html."""
    paths = [Path(os.path.expanduser(path)) for path in delivery.output or ()]
    return delivery._replace(output=paths or None)


EXTENSIONS = {
    **{"": "text", ".txt": "text", ".md": "markdown", ".markdown": "markdown"},
    **{".tex": "latex", ".csv": "csv", ".json": "json", ".html": "html", ".htm": "html"},
    **dict.fromkeys((".png", ".svg", ".pdf"), "picture"),
}


def as_csv(result: Any) -> str:
    """Return one table for programs: of the pairs with the values of their models, if any."""
    tidy = getattr(result, "tidy_table", None)
    return to_csv(frame_table(result) if tidy is None else tidy())


def as_latex(result: Any) -> str:
    """Return the tables, and the sentence as LaTeX sets it."""
    sentence = latex_sentence(clean(result_sentence(result)))
    return f"{presentation('_report.page').result_latex(result)}\n{sentence}\n"


def as_page(result: Any, title: str | None = None) -> str:
    """Return the page of HTML that `report` writes, with the command and its notes."""
    from .._report.page import Origin, result_page

    origin = Origin(*said_of_run(Delivery._fields))
    return result_page(getattr(result, "record", result), title, displayed=result, origin=origin)


FORMATS: Mapping[str, Callable[[Any], str]] = {
    "text": lambda shown: f"{shown}\n",
    "json": lambda shown: to_json(shown.to_dict()),
    "csv": as_csv,
    "markdown": lambda shown: str(presentation("_report.page").result_markdown(shown)),
    "latex": as_latex,
    "html": as_page,
}


def deliver(result: Any, delivery: Delivery) -> None:
    """Write a result, or what is shown of it, to files or to standard output."""
    for path in delivery.paths:
        chosen = format_of(delivery.format, path)
        if path is None:
            typer.echo(encodable(written(result, chosen, delivery.title), sys.stdout), nl=False)
        elif chosen == "picture":
            from .. import plots

            figure = plots.picture(getattr(result, "record", result)).figure
            write_file(path, saved(figure, path))
        else:
            with redirect_stdout(io.StringIO()):  # a file is as wide wherever it is written
                content = written(result, chosen, delivery.title)
            write_file(path, content.encode())


def written(result: Any, format: str, title: str | None) -> str:
    """Return a result in some format; pages have a title."""
    return as_page(result, title) if format == "html" else FORMATS[format](result)


def check_delivery(delivery: Delivery, inputs: Sequence[str] = ()) -> None:
    """Raise before any work if there is no such format, or an output must not be written."""
    paths = delivery.paths
    formats = [format_of(delivery.format, path) for path in paths]
    if len({*paths}) < len(paths):
        raise invalid_value("--output", "names a file twice", end=": give each once.")
    if delivery.title is not None and "html" not in formats:
        raise invalid_value(
            "--title", "is the heading of a page", end=": write one by -o page.html."
        )
    if "html" in formats:
        from .._report.page import check_report_packages

        check_report_packages()
    if "picture" in formats:
        without_window()
    for path in paths:
        if path is not None and path.exists():
            check_overwriting(path, inputs)
        check_target(path, delivery.force)


def check_overwriting(path: Path, inputs: Sequence[str]) -> None:
    """Raise if an output would replace an input, or a file of data in a folder that is read."""
    for each in inputs:
        source = Path(each)
        is_inside = source.is_dir() and source.resolve() in path.resolve().parents
        is_data = is_inside and path.suffix.lower() not in {*EXTENSIONS} - {".csv", ".json"}
        if is_data or (source.exists() and os.path.samefile(path, source)):
            raise invalid_value(
                f"--output {path}",
                "is an input, which it would replace",
                end=": write to another file.",
            )


def format_of(format: str | None, output: Path | None) -> str:
    """Return the format that is told, or that of the output's extension, or raise."""
    if format is not None:
        check_choice("--format", format, FORMATS)
    if output is None:
        return format or "text"
    extension = output.suffix.lower()
    known = EXTENSIONS.get(extension)
    if format is None and known is None:
        endings = ", ".join(filter(None, EXTENSIONS))
        raise invalid_value(
            "--output", f"must end in one of {endings} unless `--format` is given", str(output)
        )
    if format and extension and known not in (None, format):
        raise invalid_value(
            f"--format {format}",
            f"is not what `--output {output}` ends in, which is {known}",
            end=": leave one of them out.",
        )
    return str(format or known)


SECONDS, BYTES = 6e-5, 450  # a pair, tested and written as JSON: 1,000 models take 30 s, 217 MB


def check_pairs(k: int, most: int, instead: str) -> None:
    """Raise with the cost where k models have more than so many pairs."""
    pairs = k * (k - 1) // 2
    if pairs > most:
        raise InvalidValueError(
            f"{k:,} models are {pairs:,} pairs, which take some {SECONDS * pairs:,.0f} s and "
            f"{BYTES * pairs / 1e6:,.0f} MB as JSON. {instead}, or allow them by "
            f"`--max-pairs {pairs}`.",
            parameter="--max-pairs",
            value=pairs,
        )
