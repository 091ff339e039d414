"""How the manual is built: `python -m sphinx -W --keep-going -n docs docs/_build/html`."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent)]

import fastcompare  # noqa: E402

project = "fastcompare"
author = "The fastcompare developers"
copyright = f"2026, {author}"
version = release = fastcompare.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_nb",
    "contents",  # these eight are in _ext
    "gallery",
    "reference",
    "formulas",
    "names",
    "questions",
    "families",
    "notebooks",
]
source_suffix = {".rst": "restructuredtext", ".md": "myst-nb", ".ipynb": "myst-nb"}
exclude_patterns = ["_build", "_ext", "_templates", "README.md"]
templates_path = ["_templates"]
nitpicky = True
highlight_language = "text"  # of blocks that do not say theirs: formulas
default_role = "literal"  # a name in backticks: `names` links those that are public

toc_object_entries_show_parents = "hide"

autosummary_generate = True
autodoc_typehints = "none"  # the docstrings say what goes in, in words
numpydoc_show_class_members = False

nb_execution_mode = "off"  # notebooks are shown with the outputs that are stored in them
nb_merge_streams = True
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3

html_math_renderer = "mathml"
html_theme = "pydata_sphinx_theme"
html_title = "fastcompare"
html_static_path = ["_static"]
html_css_files = ["manual.css"]
html_sourcelink_suffix = ""
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"index": [], "which": [], "gallery": [], "api/generated/*": [], "changelog": []}
html_theme_options = {
    "logo": {"text": "fastcompare"},
    "header_links_before_dropdown": 6,
    "show_nav_level": 1,
    "navigation_depth": 2,
    "show_toc_level": 2,
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
