"""What is compared: a function with another program's call, number by number."""

import math
import shutil
import subprocess
from typing import NamedTuple

import numpy as np

QUIET = {"on_undefined": "ignore"}
SAME = 15  # digits, as many as are told apart


class Check(NamedTuple):
    """A public function, another program and its call, the numbers of both, and why they differ."""

    function: str
    program: str
    call: str
    ours: object
    theirs: object
    why: str = ""

    @property
    def digits(self):
        """How many digits of the worst pair of numbers are equal."""
        ours, theirs = (np.ravel(np.asarray(n, float)) for n in (self.ours, self.theirs))
        if ours.shape != theirs.shape:
            raise ValueError(f"{self.function}, {self.call}: {ours.size} and {theirs.size} numbers")
        scale = np.where(theirs == 0.0, 1.0, np.abs(theirs))
        error = np.max(np.abs(ours - theirs) / scale)
        return SAME if error == 0.0 else max(0, min(SAME, math.floor(-math.log10(error))))


def in_r(code, **data):
    """Return the numbers that R prints for an expression of vectors, given by name."""
    if shutil.which("Rscript") is None:
        raise SystemExit("this study runs R with pROC: apt-get install r-base-core r-cran-proc")
    lines = ["suppressMessages(library(pROC))"]
    lines += [f"{name} <- {in_words_of_r(value)}" for name, value in data.items()]
    lines += [f"cat(sprintf('%.17g', {code}))"]
    ran = subprocess.run(
        ["Rscript", "-"], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    return np.array(ran.stdout.split(), float)


def in_words_of_r(value):
    """Return a vector, or a matrix by its columns, as R's code."""
    value = np.asarray(value, float)
    flat = "c(" + ",".join(f"{number:.17g}" for number in value.ravel(order="F")) + ")"
    return flat if value.ndim == 1 else f"matrix({flat}, nrow={len(value)})"


def both_ends(result):
    """Return the ends of a result's 95% interval."""
    interval = result.confidence_interval()
    return [interval.low, interval.high]
