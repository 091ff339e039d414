"""Names in backticks become links: public functions and classes, and pages of the manual.

Docstrings, pages and notebooks write `delong_test` or `docs/evidence/auc_levels.md`, as in a
terminal. Here each of these that has a place in the manual is made to point there.
"""

import re
from urllib.parse import quote

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

import fastcompare as fc

MODULES = ("plots", "simulate", "advice", "kernels")
CALL = re.compile(r"(?:fc\.|fastcompare\.)?((?:[a-z]+\.)?\w+)(?:\(.*\))?$", re.DOTALL)
PAGE = re.compile(r"`*\bdocs/([a-z_/]+)\.md\b`*")
DOI = re.compile(r"(?<![</\w])doi:(10\.[^\s,]+[^\s,.;)])")
ABSOLUTE = re.compile(r"\|([\w*]+)\|")  # which reStructuredText takes for a substitution


def places():
    """Return the full name of each public object, by the names that it goes by in a text."""
    found = {name: f"fastcompare.{name}" for name in fc.__all__ if name not in fc._MODULES}
    found |= {name: f"fastcompare.results.{name}" for name in fc.results.__all__}
    found |= {f"results.{name}": f"fastcompare.results.{name}" for name in fc.results.__all__}
    for place in MODULES:
        module = getattr(fc, place)
        for name in module.__all__:
            same = getattr(module, name) is getattr(fc, name, None)
            full = f"fastcompare.{name}" if same else f"fastcompare.{place}.{name}"
            found[f"{place}.{name}"] = full
            found.setdefault(name, full)  # `critical_difference` alone is the function
    return found


class LinkNames(SphinxPostTransform):
    """Wrap literals that name something public into links to its page."""

    default_priority = 5  # before references are resolved

    def run(self, **options):
        """Link the literals of a page."""
        known = self.env.fastcompare_names
        for literal in list(self.document.findall(nodes.literal)):
            text = literal.astext()
            named, page = CALL.match(text), PAGE.fullmatch(text)
            if within_a_link(literal):
                continue
            if page is not None:
                link(literal, "std", "doc", f"/{page[1]}", self.env.docname)
            elif named is not None and named[1] in known:
                link(literal, "py", "obj", known[named[1]], self.env.docname)


def link(literal, domain, kind, target, here):
    """Put a literal into a reference that Sphinx resolves, or warns of."""
    reference = addnodes.pending_xref(
        "",
        refdomain=domain,
        reftype=kind,
        reftarget=target,
        refexplicit=True,
        refwarn=True,
        refdoc=here,
    )
    literal.replace_self(reference)
    reference += literal


def within_a_link(node):
    """Return whether a node is part of a link, or of a heading, already."""
    above = (nodes.reference, addnodes.pending_xref, nodes.title, addnodes.desc_signature)
    while node.parent is not None:
        node = node.parent
        if isinstance(node, above):
            return True
    return False


def link_pages(app, what, name, found, options, lines):
    """Link the pages and sources that a docstring names; keep absolute values as they are."""
    block = -1  # how far the paragraph is indented that a block of literal text belongs to
    for at, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if block >= 0 and (not line.strip() or indent > block):
            continue
        block = indent if line.endswith("::") else -1
        line = line if "``" in line else ABSOLUTE.sub(r"``|\1|``", line)
        line = PAGE.sub(lambda page: f":doc:`docs/{page[1]}.md </{page[1]}>`", line)
        lines[at] = DOI.sub(lambda doi: f"`{doi[0]} <https://doi.org/{quote(doi[1])}>`__", line)


def find_names(app, env, docnames):
    """Find the public names once, before pages are read."""
    env.fastcompare_names = places()


def setup(app):
    """Tell Sphinx what to call, and when."""
    app.add_post_transform(LinkNames)
    app.connect("env-before-read-docs", find_names)
    app.connect("autodoc-process-docstring", link_pages, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
