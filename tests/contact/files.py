"""All files of the corpus: shapes by formats, names by number."""

from typing import NamedTuple

from . import cases, pairs, rows
from .drawn import Draw
from .formats import FORMATS

TIMES = 6  # files of a shape


class File(NamedTuple):
    """A shape, its number and its format."""

    shape: str
    number: int
    format: str

    @property
    def make(self):
        return {**cases.SHAPES, **rows.SHAPES, **pairs.SHAPES}[self.shape]

    def drawn(self):
        """Return the tables by name, and what they must give."""
        table, want = self.make(Draw(self.shape, self.number))
        return (table if self.shape in pairs.SHAPES else {"table": table}), want

    def write(self, folder, tables):
        """Write the tables to files, and return their paths."""
        suffix, writer = FORMATS[self.format]
        paths = []
        for name, table in tables.items():
            path = folder / f"{name}{suffix}"
            path.write_bytes(writer(table))
            paths.append(path)
        return paths


def all_files():
    """Yield the files of the corpus."""
    formats = list(FORMATS)
    at = 0
    for shape in (*cases.SHAPES, *rows.SHAPES, *pairs.SHAPES):
        for number in range(TIMES):
            at += 1
            yield File(shape, number + len(shape), formats[at % len(formats)])


FILES = {f"{f.shape}-{f.number}-{f.format}": f for f in all_files()}
