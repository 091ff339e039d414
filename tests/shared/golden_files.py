"""Numbers that nobody here computed: R's pROC 1.18.0, see meta in golden/proc_delong.json."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).parents[1] / "golden"
PROC = json.loads((GOLDEN / "proc_delong.json").read_text())["cases"]


@dataclass(frozen=True)
class ProcPair:
    """Two models of one of pROC's data sets."""

    name: str
    y: list[int]
    a: list[float]
    b: list[float]
    expected: dict[str, Any]

    def __str__(self) -> str:
        return self.name


PROC_PAIRS = [
    ProcPair(f"{name} {pair}", case["y"], *(case["scores"][m] for m in pair.split("|")), expected)
    for name, case in PROC.items()
    for pair, expected in case["pairs"].items()
]
