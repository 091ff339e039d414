"""The commands that recommend tests, simulate them, and write a comparison as a page."""

import shlex
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import fastcompare as fc

from .._base.exceptions import invalid_value
from .._inputs.options import check_choice
from .compare import compare_files
from .delivery import (
    DesignOptions,
    FileFormat,
    InputOptions,
    LogOptions,
    OutputOptions,
    QueryOptions,
    check_delivery,
    deliver,
    with_expanded_home,
)
from .reading import Arguments, options_of, read_arguments
from .terminal import add_note, print_message


def recommend(
    files: list[str] | None = None,
    *,
    contents: InputOptions,
    logs: LogOptions,
    n_models: int | None = None,
    n: int | None = None,
    claim: str | None = None,
    parametric: bool | None = None,
    measure: bool = False,
    n_trials: int = 1000,
    seed: int = 0,
    n_jobs: int = 1,
    delivery: OutputOptions,
    form: FileFormat,
) -> None:
    """Recommend tests for a design and a claim, with reasons and common mistakes.

    Prints the tests in the order in which to run them: the call, why it fits, what it assumes, its
    source, and the test often used by mistake with its type I error.
    """
    description = {"n_models": n_models, "n": n, "paired": contents.paired, "claim": claim}
    description |= {"parametric": parametric, "measure": measure, "n_trials": n_trials}
    arguments = (
        read_arguments(files, contents, logs, form)
        if files
        else Arguments(None, None, options_of(contents))
    )
    of_compare = ("pos_label", "models", "scoring")
    described = {x: value for x, value in arguments.options.items() if x not in of_compare}
    work = {"rng": seed, "n_jobs": n_jobs, "progress": True}
    options: Mapping[str, Any] = {**described, **description, **work}
    advice = fc.recommend(arguments.data, arguments.models, **options)
    deliver(advice, delivery)
    clusters = getattr(arguments.data, "clusters", None)  # of a table
    if advice.design == "clusters" and clusters is not None:
        contents = contents._replace(cluster=clusters.name)
    if advice.n_models != 1:
        add_note(sentence_on_running(advice, files, contents))


DESIGNS_IN_PYTHON = {  # designs that no command reads from files, but for the kinds named here
    **dict.fromkeys(("weights", "chunks", "batch", "search"), ()),
    **dict.fromkeys(("incomplete", "balanced-incomplete"), ()),
    "multiclass": ("labels",),
}
SIZES = {"n_train": "N", "n_test": "N"}
REQUIRED_OPTIONS = {  # options that `compare` needs for a design, with a placeholder
    "clusters": {"cluster": "COLUMN"},
    **dict.fromkeys(("resampled", "kfold", "repeated-kfold", "5x2cv"), SIZES),
}


def sentence_on_running(advice: Any, files: list[str] | None, contents: InputOptions) -> str:
    """Return a sentence on how to run the recommended tests: by a command, or only in Python."""
    from ..advice.others import UNPAIRED_TESTS

    kind, design = advice.kind, advice.design
    in_python = design in DESIGNS_IN_PYTHON and kind not in DESIGNS_IN_PYTHON[design]
    has_unpaired = kind in UNPAIRED_TESTS and design == "independent" and advice.n_models == 2
    is_comparable = advice.paired or has_unpaired
    if in_python or not is_comparable or advice.tests[0].role == "collect":
        return "run these tests in Python as printed: no command runs them."
    specified = {name for name, value in contents._asdict().items() if value is not None}
    files = files or (["FILE"] if advice.paired else ["FILE_1", "FILE_2"])
    command = command_for(files, contents)
    for name, placeholder in REQUIRED_OPTIONS.get(design, {}).items():
        if name not in specified:
            command += [f"--{name.replace('_', '-')}", placeholder]
    return f"run these tests by `{shlex.join(command)}`."


def command_for(files: list[str], contents: InputOptions) -> list[str]:
    """Return the words of the command that compares the models in these files."""
    words = ["fastcompare", "compare", *files]
    if contents.paired is False:
        words.append("--unpaired")
    for name, value in contents._replace(paired=None)._asdict().items():
        if value == InputOptions._field_defaults[name]:
            continue
        for item in value if isinstance(value, list) else [value]:
            words += [f"--{name.replace('_', '-')}", str(item)]
    return words


def simulate(
    kind: str = "scores",
    test: list[str] | None = None,
    n: list[int] | None = None,
    effect: list[float] | None = None,
    *,
    setting: DesignOptions,
    alpha: float = 0.05,
    n_trials: int = 2000,
    seed: int = 0,
    n_jobs: int = 1,
    delivery: OutputOptions,
) -> None:
    """Simulate how often tests reject: the type I error, or with --effect the power.

    Prints each test's rejection rate with its confidence interval. Several effects or sizes give
    one row each.
    """
    design = design_of(kind, setting)
    common: Mapping[str, Any] = {
        "alpha": alpha,
        "n_trials": n_trials,
        "rng": seed,
        "n_jobs": n_jobs,
        "progress": True,
    }
    effects = effect or [0.0]
    sizes = n or []
    if len(sizes) == 1:
        design = design.at(sizes[0])
    if len(effects) == 1 and len(sizes) < 2:
        result: Any = fc.simulate_error_rates(test, design, effect=effects[0], **common)
    else:
        varied = sizes if len(sizes) > 1 else None
        result = fc.simulate.simulate_power(test, design, effects=effects, sizes=varied, **common)
    deliver(result, delivery)


def design_of(kind: str, setting: DesignOptions) -> Any:
    """Return the design to simulate, with the specified fields, or raise for one that it lacks."""
    from ..advice.kinds import KINDS

    designs = {name: row.simulated for name, row in KINDS.items() if row.simulated}
    check_choice("--kind", kind, designs)
    design = getattr(fc.simulate, designs[kind])
    names = {field.name for field in fields(design)}
    described = {name: value for name, value in setting._asdict().items() if value is not None}
    for name in described:
        if name not in names:
            raise invalid_value(
                f"--{name.replace('_', '-')}",
                f"has no meaning for `--kind {kind}`",
                end=": leave it out.",
            )
    return design(**{name: as_whole_number(value) for name, value in described.items()})


def as_whole_number(value: float) -> float:
    """Return a whole number as int, since counts must be, and any other number as it is."""
    return int(value) if float(value).is_integer() else value


PAGE_EXTENSIONS = (".html", ".htm")


def report(
    files: list[str] | None = None,
    *,
    contents: InputOptions,
    logs: LogOptions,
    query: QueryOptions,
    output: Path = Path("report.html"),
    force: bool = False,
    title: str | None = None,
    form: FileFormat,
    nan_policy: str = "raise",
    n_jobs: int = 1,
) -> None:
    """Write a comparison of models as a self-contained HTML page.

    The page has the verdict, tables, a picture, the assumptions of the tests and the code to
    reproduce them, in one file that needs no network. All options are also those of
    `fastcompare compare`.
    """
    delivery = with_expanded_home(OutputOptions("html", [output], force, title))
    if output.suffix.lower() not in ("", *PAGE_EXTENSIONS):
        raise invalid_value("--output", f"must end in {' or '.join(PAGE_EXTENSIONS)}", str(output))
    check_delivery(delivery, files or ())
    options = {"nan_policy": nan_policy, "n_jobs": n_jobs}
    deliver(compare_files(files, contents, logs, query, form, options), delivery)
    for path in filter(None, delivery.paths):
        print_message("note", f"the page is {str(path)!r}.")
