"""Writing results in the formats and to the files that users ask for, and options in groups."""

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
from .terminal import command_and_notes, encodable

DOTS_PER_INCH = 200  # of raster formats


def use_no_window() -> None:
    """Let matplotlib draw without a window."""
    from ..plots._canvas import matplotlib

    matplotlib().use("Agg")


def picture_bytes(figure: Any, path: Path) -> bytes:
    """Return the bytes of a figure in the format that a path ends in, and close the figure."""
    from matplotlib import pyplot

    content = io.BytesIO()
    figure.savefig(content, format=path.suffix[1:].lower(), dpi=DOTS_PER_INCH, bbox_inches="tight")
    pyplot.close(figure)
    return content.getvalue()


MOST_PAIRS = 100_000  # of 447 models


class OutputOptions(NamedTuple):
    """The format of a result, the files to write it to, and the title of a page."""

    format: str | None = None
    output: list[Path] | None = None
    force: bool = False
    title: str | None = None

    @property
    def paths(self) -> list[Path | None]:
        """The files to write; None is standard output, which "-" and no file mean."""
        return [None if str(path) == STDIN else path for path in self.output or ()] or [None]


class FileFormat(NamedTuple):
    """The separator, encoding and decimal mark of a CSV file; '' where they are detected."""

    sep: str = ""
    encoding: str = ""
    decimal: str = ""

    @property
    def options(self) -> Any:
        """The options of `read_table`."""
        separator = "\t" if self.sep in ("tab", "\\t") else self.sep
        return {"separator": separator, "encoding": self.encoding, "decimal": self.decimal}


class InputOptions(NamedTuple):
    """The kind of the data in files, the roles of columns, and the design."""

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


class LogOptions(NamedTuple):
    """The task, the metric and the policy for missing scores in logs of evaluations."""

    task: list[str] | None = None
    metric: str | None = None
    missing: str = "raise"


class QueryOptions(NamedTuple):
    """The test, alternative, correction and the like of a comparison, whatever the data."""

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
    lower_is_better: bool | None = None  # as the names of models say
    gate: bool = False
    n_resamples: int | None = None
    seed: int = 0
    max_pairs: int = MOST_PAIRS

    @property
    def options(self) -> Mapping[str, Any]:
        """The options for `fastcompare.compare`."""
        excluded = ("confidence_level", "lower_is_better", "seed", "max_pairs")
        same_names = {name: x for name, x in self._asdict().items() if name not in excluded}
        higher = None if self.lower_is_better is None else not self.lower_is_better
        renamed = {"higher_is_better": higher, "rng": self.seed}
        return {**same_names, **renamed, "progress": True}


class DesignOptions(NamedTuple):
    """The fields of a simulated design; None where it takes its default."""

    n_models: int | None = None
    n_train: float | None = None
    n_test: float | None = None
    auc: float | None = None
    correlation: float | None = None
    n_positive: int | None = None
    n_negative: int | None = None
    epsilon: float | None = None


def flatten_options(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command for typer, which has each field of a group of options as an option.

    A group is a parameter whose type is a named tuple, such as `InputOptions`. Output files are
    checked before the command runs: none may replace an input.
    """
    hints = get_type_hints(command)
    groups: dict[str, Any] = {x: hint for x, hint in hints.items() if hasattr(hint, "_fields")}
    parameters = []
    for name, parameter in inspect.signature(command).parameters.items():
        owner = command.__name__
        types = hints
        defaults = {name: parameter.default}
        if group := groups.get(name):
            owner = group.__name__
            types = get_type_hints(group)
            defaults = group._field_defaults
        for option, default in defaults.items():
            declared = declare_option(owner, option, types[option])
            keyword = inspect.Parameter(option, inspect.Parameter.KEYWORD_ONLY, default=default)
            parameters.append(keyword.replace(annotation=declared))

    @wraps(command)
    def run_command(**values: Any) -> None:
        """Call the command with its options gathered into groups and its output paths checked."""
        for name, group in groups.items():
            values[name] = group(**{field: values.pop(field) for field in group._fields})
        if "delivery" in values:
            values["delivery"] = delivery = with_expanded_home(values["delivery"])
            inputs = values.get("files") or values.get("logs")
            if not isinstance(inputs, list):  # no files, or the `logs` of compare: options of logs
                inputs = ()
            check_delivery(delivery, inputs)
        command(**values)

    run_command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run_command.__annotations__ = {p.name: p.annotation for p in parameters}
    return run_command


def with_expanded_home(delivery: OutputOptions) -> OutputOptions:
    """Return the options with ~ expanded in paths: a shell leaves it in --output=~/page.html."""
    paths = [Path(os.path.expanduser(path)) for path in delivery.output or ()]
    return delivery._replace(output=paths or None)


EXTENSIONS = {
    **{"": "text", ".txt": "text", ".md": "markdown", ".markdown": "markdown"},
    **{".tex": "latex", ".csv": "csv", ".json": "json", ".html": "html", ".htm": "html"},
    **dict.fromkeys((".png", ".svg", ".pdf"), "picture"),
}


def as_csv(result: Any) -> str:
    """Return the CSV table of a result: its pairs with their models' values, if it has pairs."""
    tidy = getattr(result, "tidy_table", None)
    return to_csv(frame_table(result) if tidy is None else tidy())


def as_latex(result: Any) -> str:
    """Return the tables and the sentence in LaTeX."""
    sentence = latex_sentence(clean(result_sentence(result)))
    return f"{presentation('_report.page').result_latex(result)}\n{sentence}\n"


def as_page(result: Any, title: str | None = None) -> str:
    """Return the page of HTML that `report` writes, with the command line and its notes."""
    from .._report.page import Origin, result_page

    origin = Origin(*command_and_notes(OutputOptions._fields))
    return result_page(getattr(result, "record", result), title, displayed=result, origin=origin)


FORMATS: Mapping[str, Callable[[Any], str]] = {
    "text": lambda result: f"{result}\n",
    "json": lambda result: to_json(result.to_dict()),
    "csv": as_csv,
    "markdown": lambda result: str(presentation("_report.page").result_markdown(result)),
    "latex": as_latex,
    "html": as_page,
}


def deliver(result: Any, delivery: OutputOptions) -> None:
    """Write a result, or an object that presents it, to files or to standard output."""
    for path in delivery.paths:
        chosen = format_of(delivery.format, path)
        if path is None:
            typer.echo(encodable(result_text(result, chosen, delivery.title), sys.stdout), nl=False)
        elif chosen == "picture":
            from .. import plots

            figure = plots.picture(getattr(result, "record", result)).figure
            write_file(path, picture_bytes(figure, path))
        else:
            with redirect_stdout(io.StringIO()):  # a file is as wide wherever it is written
                content = result_text(result, chosen, delivery.title)
            write_file(path, content.encode())


def result_text(result: Any, format: str, title: str | None) -> str:
    """Return a result as text in a format of `FORMATS`, a page with this title."""
    return as_page(result, title) if format == "html" else FORMATS[format](result)


def check_delivery(delivery: OutputOptions, inputs: Sequence[str] = ()) -> None:
    """Raise if a format is unknown, or an output file must not be written."""
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
        use_no_window()
    for path in paths:
        if path is not None and path.exists():
            check_overwriting(path, inputs)
        check_target(path, delivery.force)


def check_overwriting(path: Path, inputs: Sequence[str]) -> None:
    """Raise if an output would replace an input, or a file of data in a folder that is read."""
    output_only = {*EXTENSIONS} - {".csv", ".json"}  # endings of files that no command reads
    for each in inputs:
        source = Path(each)
        is_inside = source.is_dir() and source.resolve() in path.resolve().parents
        is_data = is_inside and path.suffix.lower() not in output_only
        if is_data or (source.exists() and os.path.samefile(path, source)):
            raise invalid_value(
                f"--output {path}",
                "is an input, which it would replace",
                end=": write to another file.",
            )


def format_of(format: str | None, output: Path | None) -> str:
    """Return the format that is specified, or that of the output's extension, or raise."""
    if format is not None:
        check_choice("--format", format, FORMATS)
    if output is None:
        return format or "text"
    extension = output.suffix.lower()
    format_of_extension = EXTENSIONS.get(extension)
    if format is None and format_of_extension is None:
        endings = ", ".join(filter(None, EXTENSIONS))
        raise invalid_value(
            "--output", f"must end in one of {endings} unless `--format` is given", str(output)
        )
    if format and extension and format_of_extension not in (None, format):
        raise invalid_value(
            f"--format {format}",
            f"is not what `--output {output}` ends in, which is {format_of_extension}",
            end=": leave one of them out.",
        )
    return str(format or format_of_extension)


SECONDS_PER_PAIR = 6e-5  # tested and written as JSON: 1,000 models take 30 s
BYTES_PER_PAIR = 450  # of JSON: 1,000 models take 217 MB


def check_pairs(k: int, most: int, instead: str) -> None:
    """Raise, with the cost in time and memory, if k models have more than `most` pairs.

    `instead` says how to have fewer.
    """
    pairs = k * (k - 1) // 2
    if pairs > most:
        raise InvalidValueError(
            f"{k:,} models are {pairs:,} pairs, which take some {SECONDS_PER_PAIR * pairs:,.0f} s "
            f"and {BYTES_PER_PAIR * pairs / 1e6:,.0f} MB as JSON. {instead}, or allow them by "
            f"`--max-pairs {pairs}`.",
            parameter="--max-pairs",
            value=pairs,
        )
