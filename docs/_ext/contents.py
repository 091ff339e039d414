"""Which page is below which: the pages themselves are plain Markdown, without directives.

They read on a code host as in the built manual. The table of contents, and the changelog, which
lies outside `docs/`, are added when the manual is built; a page that is not listed here fails it.
"""

from pathlib import Path

ROOT = Path(__file__).parents[2]
KINDS = ("scores", "labels", "probabilities", "folds", "datasets")
KINDS += ("items", "battles", "readers", "times")
BELOW = {
    "index": "which howto gallery guide evidence/index api/index changelog",
    "which": "families auc labels probabilities items folds ranks paired survival readers raters "
    + "concepts/choosing "
    + " ".join(f"which/{kind}" for kind in KINDS),
    "families": " ".join(f"families/{kind}" for kind in KINDS),
    "howto": "howto/predictions howto/cross_validation howto/search howto/gate howto/clinical "
    "howto/benchmark howto/program howto/large",
    "guide": "functions concepts/conventions concepts/terms concepts/wrong concepts/coming_from "
    "howto/seeds concepts/reporting logs large embedding notebooks/index",
    "evidence/index": "speed promise agreement auc_levels corrections auc_coverage noninferiority "
    "auc_power labels probabilities survival survival_horizons clusters auc_within auc_subgroups "
    "items ratios leaderboards readers folds",
    "notebooks/index": "delong within resampling labels folds friedman evals dietterich speed",
}


OUTSIDE = {"](../CHANGELOG.md": "](changelog.md", "](../../notebooks/": "]("}  # copied into docs/


def add_contents(app, name, source):
    """Add the hidden table of contents of a page to its end; link to copies of files outside."""
    for path, copy in OUTSIDE.items():
        source[0] = source[0].replace(path, copy)
    if name in BELOW:
        pages = "\n".join(BELOW[name].split())
        source[0] += f"\n```{{toctree}}\n:hidden:\n\n{pages}\n```\n"


def copy_changelog(app, config):
    """Write the page of changes, if they changed."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    page = Path(app.srcdir) / "changelog.md"
    if not page.exists() or page.read_text("utf-8") != text:
        page.write_text(text, "utf-8")


def setup(app):
    """Tell Sphinx what to call, and when."""
    app.connect("config-inited", copy_changelog)
    app.connect("source-read", add_contents)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
