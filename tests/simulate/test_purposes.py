"""Random numbers drawn for different purposes never share bits."""

import ast
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from fastcompare.kernels.drawing import purposes
from fastcompare.kernels.drawing.exchange import draw_words
from fastcompare.kernels.drawing.resampling import draw_exponential_weights
from fastcompare.kernels.sums import U
from tests.reference.bootstrap import row_of_words

HOME = Path(purposes.__file__)
KERNELS = HOME.parents[1]
SHIFTS = {"LANE_SHIFT", "STRATUM_SHIFT", "ATTEMPT_SHIFT"}
ADDED = {"RETRAINED": ("RESAMPLED", "FOLDS", "HALVES")}  # each has a second stream
NUMBERS = {name: int(n) for name, n in vars(purposes).items() if name.isupper() and name != "U"}
PURPOSES = {name: n for name, n in NUMBERS.items() if name not in {*SHIFTS, *ADDED}}
LANES = range(64)


def words():
    """Every word that the kernels put into the counter for each purpose."""
    found = {name: {n} for name, n in PURPOSES.items()}
    for added, schemes in ADDED.items():
        for scheme in schemes:
            found[f"{added} {scheme}"] = {PURPOSES[scheme] + NUMBERS[added]}
    lanes = {lane << NUMBERS["LANE_SHIFT"] for lane in LANES}
    strata = {stratum << NUMBERS["STRATUM_SHIFT"] for stratum in range(1000)}
    for name in ("REFINE", "POISSON_AGAIN"):
        found[name] = {PURPOSES[name] | lane for lane in lanes}
    found["CORRECT"] = {
        PURPOSES["CORRECT"] | lane | stratum for lane in lanes for stratum in strata
    }
    attempts = {attempt << NUMBERS["ATTEMPT_SHIFT"] for attempt in range(10_000)}
    found["SHUFFLES"] = {PURPOSES["SHUFFLES"] | attempt for attempt in attempts}
    return found


def imports(file):
    """The purposes that a file imports."""
    nodes = [node for node in ast.walk(ast.parse(file.read_text())) if hasattr(node, "module")]
    homes = [node for node in nodes if (node.module or "").endswith("purposes")]
    return {alias.name for node in homes for alias in node.names}


def test_no_two_purposes_share_a_word():
    for (one, first), (other, second) in combinations(words().items(), 2):
        assert not first & second, f"{one} and {other}"


def test_no_purpose_reaches_the_bits_of_what_it_counts():
    assert max(n for group in words().values() for n in group) < 2**32  # the counter has no more
    assert max(PURPOSES.values()) + NUMBERS["RETRAINED"] < 1 << NUMBERS["LANE_SHIFT"]
    assert NUMBERS["LANE_SHIFT"] == NUMBERS["ATTEMPT_SHIFT"]
    assert len(LANES) << NUMBERS["LANE_SHIFT"] == 1 << NUMBERS["STRATUM_SHIFT"]
    # the lowest bits are the purpose, so that no count of strata or attempts leads to another one
    for name, group in words().items():
        assert len({word % 256 for word in group}) == 1, name


@pytest.mark.slow
def test_each_purpose_belongs_to_one_file():
    files = [file for file in KERNELS.parent.rglob("*.py") if file != HOME]
    used = {file: imports(file) for file in files}
    owners = {name: [file for file, names in used.items() if name in names] for name in PURPOSES}
    assert {name: len(files) for name, files in owners.items()} == dict.fromkeys(PURPOSES, 1)


@pytest.mark.slow
@pytest.mark.parametrize("file", sorted(KERNELS.rglob("*.py")), ids=lambda file: file.stem)
def test_what_draws_names_a_purpose(file):
    """The purpose of a draw is one of the table, or an argument of the kernel."""
    for function in ast.walk(ast.parse(file.read_text())):
        if not isinstance(function, ast.FunctionDef):
            continue
        known = imports(file) | {argument.arg for argument in function.args.args}
        for node in ast.walk(function):  # local names for them
            if isinstance(node, ast.Assign) and {n.id for n in names_in(node.value)} & known:
                known |= {n.id for target in node.targets for n in names_in(target)}
        for call in ast.walk(function):
            called = getattr(getattr(call, "func", None), "id", None)
            at = {"draw_row": 2, "fill_words": 3, "draw_words": 2}.get(called)
            if at is not None:
                assert {n.id for n in names_in(call.args[at])} & known, ast.unparse(call)


def names_in(node):
    return [n for n in ast.walk(node) if isinstance(n, ast.Name)]


@pytest.mark.slow
def test_shuffles_and_weights_of_walsh_averages_have_their_own_bits():
    """Both had number 6: the same seed gave the two tests the same words."""
    seed, row, found = U(3), np.empty(32, np.uint32), np.empty(64, np.uint64)
    draw_words(U(0), U(1), purposes.SHUFFLES, seed, row, found)
    draw_exponential_weights(U(1), seed, 0, row, np.empty(15))
    assert row.tolist() == row_of_words(0, 1, 6, 3)
    assert found[:32].tolist() == row_of_words(0, 1, 7, 3)
    assert not set(row.tolist()) & set(found.tolist())
