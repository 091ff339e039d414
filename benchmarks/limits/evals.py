"""What reading logs of evaluation harnesses may take, for `benchmarks.limits`.

Two limits are not met. Lines of lm-eval take 1.35 to 1.5 times json.loads: of its time .09 are for
reading and decoding bytes, .07 for keys that stand twice, .1 for the generator of rows, .1 for
getting seven values of each, and .15 for keeping them, whose memory the next row cannot take again;
the rest is the parsing itself. A count over whole blocks instead of lines, columns filled one by
one, and no garbage collection (-.07) change little. The process takes 1.2 s, of which .5 are
the import of Numba, .26 of scipy.special, which imports numpy.f2py, .2 of typer and pydantic.
"""

import json
import tempfile
from functools import cache, partial
from pathlib import Path

import numpy as np

import fastcompare as fc

from ..evaluation_logs import WRITERS, two_logs
from ..timing import Row, ratio_row, run_fresh

COMMAND = """
import sys
sys.modules["coverage"] = None  # as where nothing is tested: else Numba imports it, in 0.1 s
sys.argv = ["fastcompare", "evals", *{paths!r}, "--cluster", "metadata.passage"]
from fastcompare.__main__ import main
main()
"""


def eval_rows(quick):
    with tempfile.TemporaryDirectory() as folder:
        for kind in WRITERS:
            name = f"read_evals, 2 logs of {kind}, n = 10^4: json.loads"
            yield ratio_row(name, 1.3, partial(readers, folder, kind), seconds=3.0)
        seconds = partial(process_seconds, folder, kind, 3 if quick else 9)
        yield Row("fastcompare evals, 2 logs, n = 10^4: process", 1.0, seconds, "s")


@cache
def logs(folder, kind):
    """Return the paths of two logs, written once, and their texts."""
    own = Path(folder) / kind
    own.mkdir()
    return two_logs(own, kind)


def readers(folder, kind):
    """Return a call that reads the logs, and one that parses their texts."""
    paths, texts = logs(folder, kind)
    return partial(fc.read_evals, *paths), partial(loads, texts)


def process_seconds(folder, kind, rounds):
    """Return the seconds of a process of the command."""
    code = COMMAND.format(paths=[*map(str, logs(folder, kind)[0])])
    run_fresh(code)  # writes what is compiled
    return np.median([run_fresh(code)[0] for _ in range(rounds)])


def loads(texts):
    """Parse texts, none of which is kept."""
    for text in texts:
        json.loads(text)
