"""The pages of *Which test?*: your data and claim, the call, its sentence, and the wrong call.

They are made of the rules of `fastcompare.recommend`, asked as a user asks it; each sentence is
that of running the call. So they say what the library says.
"""

import contextlib
import os
import re
import tempfile
import warnings
from pathlib import Path
from typing import NamedTuple

import examples

import fastcompare as fc
from fastcompare.advice.kinds import CLAIMS, KINDS
from fastcompare.advice.rule import FEW_CASES_OF_CLASS, ROLES

ROOT = Path(__file__).parents[2]
TABLED = ("index.md", "which.md")  # pages that have a table of calls
TABLE = re.compile(r"(<!-- calls -->\n)(?:.*?)(\n<!-- end of calls -->)", re.DOTALL)
ADDRESS = re.compile(r"(?<![(<])https?://\S+[^\s,.;)]")
PAGE = re.compile(r"(?<!`)\bdocs/[a-z_/]+\.md\b")
NAME = re.compile(r"(?<![`\w.])[a-z0-9]+(?:_[a-z0-9]+)+\b")
DOI = re.compile(r"\bdoi:(10\.[^\s,]+[^\s,.;)])")
RUN = ("test", "omnibus", "post-hoc")  # roles that are told in full, with a sentence
HOLD = {
    "scores": ("Scores of cases", "A number for each case; higher means more likely positive."),
    "labels": ("Predicted labels", "The class that each model assigns to each case."),
    "probabilities": ("Probabilities", "A probability of the positive class for each case."),
    "folds": ("A score per fold or split", "One number per round of training and testing."),
    "datasets": ("A score per data set", "One number per data set, of many data sets."),
    "items": ("A score per item", "Evaluations: one score, or several, per question or ticket."),
    "readers": (
        "Reader studies",
        "Several readers, or training runs with seeds, score the same cases under treatments.",
    ),
    "times": (
        "Times to an event",
        "Survival, churn, failure: a risk for each case, some of which are censored.",
    ),
    "battles": ("Battles", "Who won against whom: arenas, tournaments, pairs compared by judges."),
}
PAGES = {  # the page written for each, where it is called otherwise
    **{kind: kind for kind in HOLD},
    **{"scores": "auc", "datasets": "ranks", "battles": "items", "times": "survival"},
}
MODELS = {2: "Two models", 3: "Three models or more", 1: "One model"}
DESIGN = {
    "independent": "independent {rows}",
    "clusters": "{rows} in clusters, such as images of one patient or questions on one text",
    "weights": "{rows} with sampling weights",
    "chunks": "more {rows} than fit into memory",
    "batch": "thousands of small problems",
    "multiclass": "three classes or more",
    "resampled": "random splits of one data set",
    "repeated-kfold": "repeated cross-validation",
    "kfold": "one cross-validation",
    "5x2cv": "five times two-fold cross-validation",
    "search": "a fitted grid or random search",
    "complete": "a score of every model on every data set",
    "incomplete": "some scores missing",
    "balanced-incomplete": "scores missing by design (balanced incomplete blocks)",
    "censored": "10% of the {rows} or more are censored early",
    "uncensored": "fewer than 10% of the {rows} are censored early",
    "crossed": "every reader scores every case under every treatment",
}
MEANS = {
    "these models": "that **these models** differ on other cases of the same kind",
    "this way of training": "that one **way of training** is better",
    "on new data sets": "that one model is better **on new data sets**",
    "other readers and cases": "that treatments differ with **other readers and cases**",
}


class Leaf(NamedTuple):
    """What is held, and the tests that are recommended for it."""

    kind: str
    design: str
    n_models: int
    paired: bool
    tests: tuple
    few: tuple  # where there are few cases, if that is another test

    @property
    def label(self):
        """The name of its place in the manual."""
        return f"which-{self.kind}-{self.n_models}-{self.design}{'' if self.paired else '-apart'}"

    @property
    def title(self):
        """What is held, in words."""
        units = KINDS[self.kind].units
        words = DESIGN[self.design].format(rows=units)
        if self.n_models == 1:
            return words
        return words if self.paired else f"{words}: different {units} for each model"


def leaves(kind):
    """Return all leaves of a kind of data, those of two models first."""
    asked = [
        (design, models, paired)
        for models in MODELS
        for paired in ((True, False) if models > 1 else (True,))
        for design in KINDS[kind].designs
    ]
    return [leaf for question in asked if (leaf := leaf_of(kind, *question)) is not None]


def leaf_of(kind, design, n_models, paired):
    """Return what is recommended, or None where no test fits."""
    question = {"kind": kind, "design": design, "n_models": n_models, "paired": paired}
    try:
        tests = fc.recommend(**question).tests
    except fc.InvalidValueError:
        return None
    few = ()
    if kind == "scores":
        small = fc.recommend(**question, n=FEW_CASES_OF_CLASS // 3).tests
        few = tuple(test for test in small if test.role in RUN and test.call != tests[0].call)
        few = few[:1] if small[0].call != tests[0].call else ()
    return Leaf(kind, design, n_models, paired, tests, few)


def page(kind):
    """Return the page of a kind of data."""
    title, says = HOLD[kind]
    parts = [f"# {title}", f"{says} {claims(kind)}"]
    parts.append(
        "Every sentence below comes from a real call: on bundled data where they fit, otherwise "
        "on simulated data. `fc` is `fastcompare`."
    )
    found = leaves(kind)
    for models, heading in MODELS.items():
        some = [leaf for leaf in found if leaf.n_models == models]
        parts += [f"## {heading}"] if some else []
        parts += [leaf_text(leaf) for leaf in some]
    return "\n\n".join(parts) + "\n"


def claims(kind):
    """Return which claim such data can support, and what to collect for the others."""
    own = KINDS[kind].claim
    lines = [f"Such data can show {MEANS[own]}. Other claims need other data:", ""]
    for claim in CLAIMS:
        if claim != own:
            test = fc.recommend(kind=kind, claim=claim).tests[0]
            lines.append(f"- {MEANS[claim]}: {short(test.call)}. {linked(test.reason)}")
    return "\n".join(lines)


def short(call):
    """Return a call as users type it, as code."""
    return f"`{call.replace('fastcompare.', 'fc.')}`"


def linked(text):
    """Return a text with its names and pages as code, which become links, and with linked DOIs."""
    text = NAME.sub(lambda name: f"`{name[0]}`" if name[0] in fc.__all__ else name[0], text)
    text = ADDRESS.sub(r"<\g<0>>", PAGE.sub(r"`\g<0>`", text))
    return DOI.sub(r"[doi:\1](https://doi.org/\1)", text)


def leaf_text(leaf):
    """Return the section of a leaf: tests with sentences, then the others in a table."""
    title = leaf.title[0].upper() + leaf.title[1:]
    parts = [f"({leaf.label})=", f"### {title}"]
    parts += [told(leaf, test) for test in leaf.tests if test.role in RUN]
    if leaf.few:
        parts.append(f"**With fewer than {FEW_CASES_OF_CLASS} cases in a class**, use instead:")
        parts += [told(leaf, test, few=True) for test in leaf.few]
    others = [test for test in leaf.tests if test.role not in RUN]
    if others:
        rows = [f"| {ROLES[t.role]} | {short(t.call)} | {linked(t.reason)} |" for t in others]
        parts.append("\n".join(["| role | call | why |", "| --- | --- | --- |", *rows]))
    return "\n\n".join(parts)


def told(leaf, test, few=False):
    """Return a test: its role, its reason, its call, its sentence, and what not to call."""
    call = test.call.replace("fastcompare.", "fc.")
    role = ROLES[test.role].capitalize().removesuffix("?")
    reason = linked(test.reason)
    parts = [f"*{role}*: `{test.test}`. {reason}", f"```python\n{call}\n```"]
    sentence = sentence_of(leaf, test.call, few)
    if sentence:
        parts.append(f"> {sentence}")
    rests = linked("; ".join(test.assumptions))
    parts.append(f"Assumptions: {rests}. Source: {linked(test.reference)}.")
    if test.wrong is not None:
        parts.append(wrong_text(test.wrong))
    return "\n\n".join(parts)


def wrong_text(wrong):
    """Return what people call in its place, and how often that rejects a true null hypothesis."""
    source = wrong.source.removeprefix("docs/")
    power = ""
    if wrong.found is not None:
        right, own = wrong.found
        power = f", power {own:g}% against {right:g}% of the right test"
    return (
        f"**Do not use** {linked(wrong.test)}: type I error {wrong.rate:g}% instead of 5%{power} "
        f"({wrong.setting}; [simulated](/{source}))."
    )


def sentence_of(leaf, call, few):
    """Return the sentence that the result of a call prints."""
    names = examples.example(leaf.kind, leaf.design, leaf.n_models, leaf.paired, few)
    with warnings.catch_warnings(), in_a_folder(leaf.design, names):
        warnings.simplefilter("ignore")
        result = eval(call, names)
    return result.summary() if hasattr(result, "summary") else ""


@contextlib.contextmanager
def in_a_folder(design, names):
    """Work in a folder with the cases in a file, for calls that read files."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            if design == "chunks":
                write_parquet(names)
            yield
        finally:
            os.chdir(before)


def write_parquet(names):
    """Write two models' scores to a file."""
    import pyarrow as pa
    from pyarrow import parquet

    columns = dict(zip("ab", list(names["scores"].values())[:2], strict=False))
    Path("cases").mkdir()
    parquet.write_table(pa.table({"y": names["y_true"], **columns}), "cases/part-0.parquet")


def front_table():
    """Return the table of the front page: kinds of data by the number of models."""
    lines = ["| your data | two models | three or more | one model |", "| --- | --- | --- | --- |"]
    for kind, (title, _) in HOLD.items():
        found = leaves(kind)
        cells = [
            "<br>".join(
                f"[{leaf.title.partition(',')[0]}](#{leaf.label})"
                for leaf in found
                if leaf.n_models == models
            )
            for models in MODELS
        ]
        lines.append(f"| [**{title}**](/which/{kind}.md) | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def calls_table():
    """Return the table of pages read outside the built manual: the first call of each cell."""
    lines = ["| your data | two models | three or more | one model |", "| --- | --- | --- | --- |"]
    for kind, (title, _) in HOLD.items():
        first = {}
        for leaf in leaves(kind):
            tests = [test.test for test in leaf.tests if test.role in RUN]
            first.setdefault(leaf.n_models, ", ".join(f"`{name}`" for name in dict.fromkeys(tests)))
        cells = [f"[**{title}**]({PAGES[kind]}.md)", *(first.get(k, "") for k in MODELS)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def with_table(text, table):
    """Return a page with another table between its marks."""
    return TABLE.sub(lambda found: f"{found[1]}{table}{found[2]}", text)


def link_table(app, name, source):
    """Put the table with links, which has a place for each design, into pages that are built."""
    source[0] = with_table(source[0], front_table()) if TABLE.search(source[0]) else source[0]


def write_tables():
    """Write the tables of calls into the pages that show them: `python docs/_ext/questions.py`."""
    for name in TABLED:
        path = ROOT / "docs" / name
        path.write_text(with_table(path.read_text("utf-8"), calls_table()), "utf-8")


def write_pages(app, config):
    """Write the pages, those that changed."""
    there = Path(app.srcdir) / "which"
    there.mkdir(exist_ok=True)
    for name, text in {f"{kind}.md": page(kind) for kind in HOLD}.items():
        path = there / name
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def setup(app):
    """Tell Sphinx what to call, and when."""
    app.connect("config-inited", write_pages, priority=400)
    app.connect("source-read", link_table)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    write_tables()
