"""Formulas as MathML, made when the manual is built: pages load no script for them."""

import re

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

WORDS = {  # that docutils does not know, and what it does
    r"\Big(": r"\left(",
    r"\Big)": r"\right)",
    r"\dots": r"\ldots",
}
FRACTION = re.compile(r"\\frac(\d)(\w)")


def mathml(tex, **options):
    """Return a formula as MathML."""
    for word, known in WORDS.items():
        tex = tex.replace(word, known)
    return tex2mathml(FRACTION.sub(r"\\frac{\1}{\2}", tex), **options)


def inline(translator, node):
    """Write a formula into a line."""
    translator.body.append(mathml(node.astext()))
    raise nodes.SkipNode


def block(translator, node):
    """Write a formula into a line of its own."""
    translator.body.append(f'<div class="math">{mathml(node.astext(), as_block=True)}</div>')
    raise nodes.SkipNode


def setup(app):
    """Tell Sphinx what to call, and when."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
