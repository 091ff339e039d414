"""The notebooks of the checkout as pages: copied, with their links pointed into the manual."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = re.compile(r"\]\(\.\./docs/")
FILE = re.compile(r"\[([^]\n]*)\]\(\.\./(?!docs/)[^)]*\)")  # of the checkout, not of the manual


def copy_notebooks(app, config):
    """Copy each notebook that changed, so that those that did not are not read again."""
    there = Path(app.srcdir) / "notebooks"
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        text = PAGE.sub("](../", FILE.sub(r"\1", path.read_text("utf-8")))
        copy = there / path.name
        if not copy.exists() or copy.read_text("utf-8") != text:
            copy.write_text(text, "utf-8")


def setup(app):
    """Tell Sphinx what to call, and when."""
    app.connect("config-inited", copy_notebooks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
