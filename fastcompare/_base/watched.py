"""Whether somebody sees what is written while work goes on."""

import sys


def is_watched() -> bool:
    """Return whether standard error is a terminal's or a notebook's; programs may have none."""
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())
