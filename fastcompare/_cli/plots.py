"""Diagrams that commands draw into files."""

import io
from pathlib import Path
from typing import Any

from .. import plots
from .._adapters.outputs import check_target, write_file
from .._base.exceptions import InvalidValueError
from ..plots._canvas import matplotlib
from .terminal import say

DOTS = 200  # per inch, of formats that have dots


def check_plot(path: Path | None, force: bool) -> None:
    """Raise before any work if no diagram can be written there."""
    if path is None:
        return
    check_target(path, force)
    matplotlib().use("Agg")  # which needs no window
    from matplotlib.backend_bases import FigureCanvasBase

    known = sorted(FigureCanvasBase.get_supported_filetypes())
    if path.suffix[1:].lower() not in known:
        raise InvalidValueError(
            f"`--plot` must end in one of .{', .'.join(known)}, got {str(path)!r}."
        )


def draw_diagram(result: Any, path: Path | None, reason: str) -> None:
    """Write the critical-difference diagram of a result, or say why there is none."""
    if path is None:
        return
    if result is None:
        say("warning", f"no diagram is drawn. {reason}")
        return
    from matplotlib import pyplot

    try:
        plots.critical_difference(result)
    except InvalidValueError as error:  # undefined p-values, or more groups than a page holds
        say("warning", f"no diagram is drawn. {error}")
        return
    content = io.BytesIO()
    pyplot.savefig(content, format=path.suffix[1:].lower(), dpi=DOTS)
    pyplot.close()
    write_file(path, content.getvalue())
