"""Numpydoc docstrings in parts: sections, and the entries of parameters."""

import re
from collections.abc import Sequence

HEAD = re.compile(r"^(\w[\w ]*)\n-+\n", re.MULTILINE)
ENTRY = re.compile(r"^(?=\S)", re.MULTILINE)
ORDER = (
    *("Parameters", "Returns", "Raises", "Warns"),
    *("See Also", "Notes", "References", "Examples"),
)


def merged(own: str, shared: str, parameters: Sequence[str]) -> str:
    """Return a docstring with the parameters of both, in this order, and the sections of either.

    Where both have a section, or describe a parameter, the function's own counts.
    """
    first, second = sections(own), sections(shared)
    found = {**second, **first}
    described = {
        name: text
        for section in (second, first)
        for text in ENTRY.split(section.get("Parameters", ""))
        for name in re.findall(r"\w+", text.partition("\n")[0].partition(" :")[0])
    }
    entries = dict.fromkeys(described[name].strip("\n") for name in parameters if name in described)
    found["Parameters"] = "\n".join(entries)
    parts = [f"{name}\n{'-' * len(name)}\n{found[name]}" for name in ORDER if name in found]
    return "\n\n".join([first[""], *parts]) + "\n"


def sections(doc: str) -> dict[str, str]:
    """Return the sections of a docstring by their names, and under "" what comes before."""
    start, *rest = HEAD.split(doc)
    named = zip(rest[::2], rest[1::2], strict=True)
    return {"": start.strip(), **{name: text.strip("\n") for name, text in named}}
