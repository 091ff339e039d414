"""Untrusted names: no terminal is steered, no LaTeX is broken, and no pattern takes long."""

import ast
import io
import json
import re
import struct
import sys
import time
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest

import fastcompare as fc
import fastcompare._cli.app

RNG = np.random.default_rng(0)
N = 40
Y = np.arange(N) % 2
C = RNG.normal(size=(3, N)) + 0.5 * Y
STEERING = "\x1b]0;owned\x07\x1b[2J\x9b31m\r\u202e"
STEERS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
TWO = {STEERING: C[0], "o": C[1]}
THREE = TWO | {"t": C[2]}
WON = [[STEERING, "b", "c", STEERING] * 5, ["b", "c", STEERING, "c"] * 5, [1, 0, 1, 0] * 5]
RESULTS = {
    "delong_test": lambda: fc.delong_test(Y, TWO),
    "mcnemar_test": lambda: fc.mcnemar_test(Y, {name: x > 0 for name, x in TWO.items()}),
    "paired_mean_test": lambda: fc.paired_mean_test(TWO),
    "wilcoxon_test": lambda: fc.wilcoxon_test(TWO),
    "bayes_signed_rank": lambda: fc.bayes_signed_rank(TWO, rope=0.1, n_resamples=1000, rng=1),
    "delong_pairwise_test": lambda: fc.delong_pairwise_test(Y, THREE),
    "friedman_test": lambda: fc.friedman_test(THREE),
    "leaderboard": lambda: fc.leaderboard(THREE),
    "compare": lambda: fc.compare(Y, THREE, kind="scores"),
    "compare of two": lambda: fc.compare(Y, TWO, kind="scores"),
    "compare_datasets": lambda: fc.compare_datasets(THREE),
    "bradley_terry": lambda: fc.bradley_terry(*WON),
    "delong_interaction_test": lambda: fc.delong_interaction_test(
        Y, TWO, None, np.where(np.arange(N) < 20, STEERING, "u")
    ),
}
TEXTS = (str, repr, "summary", "to_markdown", "to_latex", "to_html")


@pytest.mark.parametrize("name", RESULTS)
def test_no_text_of_a_result_has_a_control_character_of_a_name(name):
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        result = RESULTS[name]()
        texts = [way(result) if callable(way) else getattr(result, way)() for way in TEXTS]
    texts += [str(warning.message) for warning in heard]
    assert not [text for text in texts if STEERS.search(text)]


ERRORS = {
    "a missing score": lambda: fc.delong_test(Y, TWO | {STEERING: np.full(N, np.nan)}),
    "three models": lambda: fc.delong_test(Y, THREE),
    "models of one name": lambda: fc.friedman_test({1: C[0], "1": C[1], STEERING: C[2]}),
    "a control": lambda: fc.delong_control_test(Y, THREE, control=STEERING[2:]),
    "one subgroup": lambda: fc.delong_interaction_test(Y, C[0], C[1], [STEERING] * N),
    "a column": lambda: fc.compare(Y, THREE, kind="scores", models=[STEERING, "no"]),
    "a kind": lambda: fc.compare(Y, THREE, kind=STEERING),
    "a positive label": lambda: fc.roc_auc([STEERING, "b"] * 20, C[0]),
    "a file": lambda: fc.read_evals(STEERING, "b"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_no_error_has_a_control_character_of_a_name(name):
    with pytest.raises((fc.FastCompareError, OSError)) as raised:
        ERRORS[name]()
    assert not STEERS.search(str(raised.value))


@pytest.mark.parametrize("name", ["[3cm]", "*", "[x] & y", " [1]", "*[2]", "\\[", "(["])
@pytest.mark.parametrize("k", [2, 3, 45])
@pytest.mark.usefixtures("requires_jit")
def test_no_row_of_latex_begins_as_an_option_of_the_line_before(name, k):
    scores = {name: C[0]} | {f"m{j}": C[0] + RNG.normal(size=N) for j in range(k - 1)}
    written = (
        fc.leaderboard(scores).to_latex() + fc.nemenyi_test(scores).to_latex() if k > 2 else ""
    )
    written += fc.delong_test(Y, dict(list(scores.items())[:2])).to_latex()
    assert not [line for line in written.split("\n") if re.match(r"\s*[\[*]", line)]


PACKAGE = Path(fc.__file__).parent
SOURCES = {path: path.read_text("utf-8") for path in sorted(PACKAGE.rglob("*.py"))}
ANYWHERE = ("search", "sub", "split", "findall", "finditer")  # the others begin at the first letter


def patterns():
    """All regular expressions of the sources, and whether they are searched for anywhere."""
    for path, text in SOURCES.items():
        for node in ast.walk(ast.parse(text)) if "import re\n" in text else ():
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            of_re = getattr(node.func.value, "id", "") == "re" and node.func.attr != "compile"
            if of_re and isinstance(node.args[0], ast.Constant):
                found = re.compile(node.args[0].value)
                yield f"{path.stem}:{node.lineno}", (found, node.func.attr in ANYWHERE)
    every = "\n".join(SOURCES.values())
    for module in [value for name, value in sys.modules.items() if name.startswith("fastcompare.")]:
        for name, value in list(vars(module).items()):
            several = value.values() if isinstance(value, dict) else [value]
            found = [each for each in several if isinstance(each, re.Pattern)]
            used = found and any(f"{name}.{way}" in every for way in ANYWHERE)
            yield from ((each.pattern, (each, used)) for each in found)


PATTERNS = dict(patterns())
PIECES = [
    "`",
    "`a",
    "a`",
    "x=",
    "['",
    "(",
    "[",
    "\\",
    '"',
    "'",
    ".",
    ",",
    "a.",
    "0 ",
    "_",
    "1_",
    " ",
]
PIECES += [
    "row 1",
    "at index 1 ",
    "|",
    "{",
    "%s",
    "日",
    "a",
    "1",
    "\n",
    "a\n-",
    "std ",
    "_2",
    ",1",
    "<",
]


def seconds(pattern, anywhere, text):
    """Return the least processor time of three that a pattern takes, as the sources use it."""
    text = text.encode() if isinstance(pattern.pattern, bytes) else text
    found = []
    for _ in range(3):
        start = time.thread_time()
        pattern.sub(text[:0], text) if anywhere else pattern.fullmatch(text)
        found.append(time.thread_time() - start)
    return min(found)


def grows_slowly(pattern, short, long):
    """Say whether a longer text takes a pattern about as much longer; a busy machine may differ."""
    return seconds(*pattern, long) < 24 * seconds(*pattern, short)


@pytest.mark.parametrize("name", PATTERNS)
def test_every_pattern_takes_linear_time_of_repeated_characters(name):
    pattern = PATTERNS[name]
    for piece in PIECES:
        for tail in ("", "!", "\x00"):
            short, long = ((piece * n)[:n] + tail for n in (500, 4000))
            if seconds(*pattern, long) > 0.003:  # then its growth: 64 times, if it is quadratic
                assert any(grows_slowly(pattern, short, long) for _ in range(9)), piece


def archive(**declared):
    """A log of Inspect as zip, whose last member declares other numbers by fields of 64 bits."""
    file = io.BytesIO()
    rows = [{"id": i, "epoch": 1, "input": "q", "scores": {"acc": {"value": 1}}} for i in range(9)]
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("header.json", '{"status": "success", "eval": {"model": "m", "task": "t"}}')
        packed.writestr("summaries.json", json.dumps(rows))
    raw = bytearray(file.getvalue())
    entry, extra = raw.rindex(b"PK\x01\x02"), b""
    for field, place in (("size", 24), ("packed", 20), ("offset", 42)):
        if field in declared:
            struct.pack_into("<I", raw, entry + place, 2**32 - 1)
            extra += struct.pack("<Q", declared[field])
    extra = struct.pack("<HH", 1, len(extra)) + extra
    struct.pack_into("<H", raw, entry + 30, len(extra))
    end = raw.rindex(b"PK\x05\x06")
    length = struct.unpack_from("<I", raw, end + 12)[0] + len(extra)
    struct.pack_into("<I", raw, end + 12, length)
    at = entry + 46 + len("summaries.json")
    return bytes(raw[:at] + extra + raw[at:])


@pytest.mark.parametrize("power", [31, 33, 40, 62, 63])
@pytest.mark.parametrize("field", ["size", "packed", "offset"])
def test_a_zip_that_declares_more_than_it_has_is_refused(tmp_path, field, power):
    path = tmp_path / "log.eval"
    path.write_bytes(archive(**{field: 2**power}))
    with pytest.raises(fc.FastCompareError):
        fc.read_evals(str(path), str(path))
