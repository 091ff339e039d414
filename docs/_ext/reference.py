"""The API reference: a page of each family, with all its public names, from one table.

A name belongs to the first family that its home in the package is in, so that a new function is in
the manual by itself; one without a family, or without a docstring, fails the build.
"""

import dataclasses
import inspect
from pathlib import Path
from typing import NamedTuple

import fastcompare as fc


class Family(NamedTuple):
    """A page of the reference: its file, its title, what it is for, and the homes of its names."""

    page: str
    title: str
    says: str
    homes: tuple[str, ...] = ()
    module: str = ""


FAMILIES = (
    Family(
        "choosing",
        "Choosing and reporting",
        "Which test, the right tests in one call, and a page to send.",
        ("advice.", "_report.", "_results.gate"),
    ),
    Family(
        "scores",
        "Scores of cases",
        "AUCs and other measures of scores of the same cases.",
        ("auc.",),
    ),
    Family(
        "labels",
        "Predicted labels",
        "Accuracies, tables of counts, and any metric of labels.",
        ("labels.",),
    ),
    Family(
        "agreement",
        "How similar the errors of models are",
        "Kappa and its relatives.",
        ("raters.",),
    ),
    Family(
        "probabilities",
        "Probabilities",
        "Proper losses, calibration and net benefit.",
        ("probabilities.",),
    ),
    Family(
        "items",
        "Items, evaluation logs and battles",
        "One score per item, or several samples of it; leaderboards.",
        ("items.",),
    ),
    Family(
        "times",
        "Times to an event",
        "Concordance of scores with the order of events, some of which are censored.",
        ("survival.",),
    ),
    Family(
        "readers",
        "Reader studies",
        "Several readers, or seeds, score the same cases under treatments.",
        ("readers.",),
    ),
    Family("folds", "Folds and splits", "One score per round of training.", ("folds.",)),
    Family(
        "datasets",
        "Data sets",
        "One score per data set; two paired columns.",
        ("ranks.", "paired."),
    ),
    Family(
        "corrections",
        "Corrections for many tests, and imputed data",
        "Adjusted p-values and letters; results of several imputed data sets in one.",
        ("_inference.corrections.", "_results.pairs", "_results.imputed"),
    ),
    Family("chunks", "Beyond memory", "Tables that are read in pieces.", ("_adapters.",)),
    Family("plots", "Pictures", "", module="plots"),
    Family("simulate", "Simulation", "", ("simulate.",), module="simulate"),
    Family("advice", "The rules of recommend", "", module="advice"),
    Family("kernels", "Kernels", "", module="kernels"),
    Family("data", "Data sets that ship with the package", "", ("datasets",)),
    Family(
        "running",
        "Errors, warnings and what runs here",
        "",
        ("_config", "_base.exceptions", "_results.records"),
    ),
)


def names_of(family):
    """Return the full names of a family: functions, then classes of results."""
    homes = {**fc._HOME, **fc._RESULTS}
    names = sorted(name for name, home in homes.items() if home.startswith(family.homes or ("-",)))
    functions = [f"fastcompare.{name}" for name in names if name in fc.__all__]
    classes = [f"fastcompare.results.{name}" for name in names if name in fc._RESULTS]
    if family.module:
        module = getattr(fc, family.module)
        own = [n for n in module.__all__ if getattr(module, n) is not getattr(fc, n, None)]
        functions += [f"fastcompare.{family.module}.{name}" for name in own]
    return functions, classes


def check_families():
    """Refuse to build where a public name has no family, or two, or no docstring."""
    names = [name for family in FAMILIES for part in names_of(family) for name in part]
    public = {f"fastcompare.{name}" for name in fc.__all__ if name not in fc._MODULES}
    public |= {f"fastcompare.results.{name}" for name in fc.results.__all__}
    missing = sorted(public - set(names))
    twice = sorted({name for name in names if names.count(name) > 1})
    silent = sorted(name for name in names if not inspect.getdoc(found(name)))
    if missing or twice or silent:
        raise SystemExit(
            f"docs/_ext/reference.py: no family: {missing}; two: {twice}; no docstring: {silent}"
        )


def found(name):
    """Return the object of a full name."""
    place = fc
    for part in name.split(".")[1:]:
        place = getattr(place, part)
    return place


def heading(text, line="="):
    """Return a heading of a page."""
    return f"{text}\n{line * len(text)}\n"


def summary_table(title, names):
    """Return a table of names, each with its first sentence and a page of its own."""
    if not names:
        return ""
    rows = "\n".join(f"   ~{name}" for name in names)
    head = ".. autosummary::\n   :toctree: generated\n   :nosignatures:\n"
    return f"{heading(title, '-')}\n{head}\n{rows}\n"


def page_of(family):
    """Return the page of a family."""
    functions, classes = names_of(family)
    says = family.says
    if family.module:
        says = inspect.getdoc(getattr(fc, family.module))
    constants = [name for name in functions if not callable(found(name))]
    tables = [
        summary_table("Functions", [n for n in functions if inspect.isroutine(found(n))]),
        summary_table("Classes", [n for n in functions if inspect.isclass(found(n))]),
        summary_table("Results", classes),
    ]
    if family.page == "kernels":
        tables = [kernel_text(name) for name in functions]
    tables += [f".. autodata:: {name}\n   :no-value:\n" for name in constants]
    return "\n".join([heading(family.title), says, "", *filter(None, tables)])


def kernel_text(name):
    """Return what a compiled function says of itself, which autodoc does not know as a function."""
    kernel = found(name)
    plain = getattr(kernel, "py_func", kernel)
    body = inspect.getdoc(plain).replace("\n", "\n   ")
    short = name.removeprefix("fastcompare.kernels.")
    return (
        f".. py:function:: {short}{inspect.signature(plain)}\n"
        f"   :module: fastcompare.kernels\n\n   {body}\n"
    )


def write_pages(app, config):
    """Write the pages of all families, those that changed."""
    check_families()
    there = Path(app.srcdir) / "api"
    pages = {f"{family.page}.rst": page_of(family) for family in FAMILIES}
    listed = "\n".join(f"   {family.page}" for family in FAMILIES)
    pages["index.rst"] = (
        heading("API reference")
        + "\nEvery public name, by kind of data. What all functions share is in "
        + ":doc:`/concepts/conventions`.\n\n.. toctree::\n   :maxdepth: 1\n\n"
        + listed
        + "\n"
    )
    there.mkdir(exist_ok=True)
    for name, text in pages.items():
        path = there / name
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def name_fields(app, what, name, thing, options, lines):
    """Add to the docstring of a result the names of its fields, which its function describes."""
    if what != "class" or not dataclasses.is_dataclass(thing) or "Attributes" in "".join(lines):
        return
    fields = [field.name for field in dataclasses.fields(thing) if not field.name.startswith("_")]
    shown = ", ".join(f"``{field}``" for field in fields)
    lines += ["", f"Fields, which its function describes: {shown}.", ""]


def hide_signature(app, what, name, thing, options, signature, returned):
    """Hide how a result is made: functions return them."""
    return ("", None) if what == "class" and name.startswith("fastcompare.results.") else None


def setup(app):
    """Tell Sphinx what to call, and when."""
    app.connect("config-inited", write_pages, priority=400)
    app.connect("autodoc-process-docstring", name_fields, priority=300)
    app.connect("autodoc-process-signature", hide_signature)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
