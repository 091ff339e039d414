"""The command line in processes of its own: pipes, terminals, encodings, missing packages."""

import os
import pty
import re
import subprocess
import sys

import pytest

from tests.shared.commandline import run

pytestmark = pytest.mark.slow

NAMES = "y,日本,é,\x1b[1m\n1,1,2,4\n0,2,1,3\n1,3,3,2\n0,1,2,1\n"

PAIR = ["compare", "--model", "random_forest", "--model", "decision_tree"]  # nothing to warn of


def plain():
    """Return what the command prints into a pipe."""
    return run(*PAIR).stdout


# without its compiler, Numba's kernels overflow by design and NumPy says so (see conftest)
PYTHON = [sys.executable, "-W", "ignore:overflow encountered in scalar"]
COMMAND = [*PYTHON, "-m", "fastcompare"]


def process(*arguments, **options):
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, **options)


def test_module_runs_and_loads_nothing_heavy():
    code = (
        # from SciPy 1.18 on its special functions load scipy.linalg themselves
        f"import sys, scipy.special; own = {{*sys.modules}}; sys.argv[1:] = {PAIR}\n"
        "try:\n    from fastcompare.__main__ import main; main()\n"
        "except SystemExit as done: assert not done.code\n"
        "heavy = {'scipy.stats', 'pandas', 'matplotlib', 'sklearn', 'polars'} & {*sys.modules}\n"
        "heavy |= {'scipy.optimize', 'scipy.linalg', 'scipy.sparse'} & {*sys.modules}\n"
        "heavy |= {'fastcompare.plots', 'fastcompare._report.page'} & {*sys.modules}\n"
        "heavy -= own\n"
        "sys.exit(f'{heavy}' if heavy else 0)"
    )
    done = subprocess.run([*PYTHON, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == plain()


def test_names_that_the_terminal_cannot_encode(tmp_path):
    path = tmp_path / "names.csv"
    path.write_text(NAMES, encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = process("compare", str(path), "--label", "y", env=environment)
    assert done.returncode == 0
    assert r"\u65e5\u672c" in done.stdout
    assert r"\x1b[1m" in done.stdout


def test_closed_pipe_is_quiet():
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as pipe:
        done = subprocess.run([*COMMAND, *PAIR], stdout=pipe, stderr=subprocess.PIPE)
    assert done.stderr == b""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a file of Linux")
def test_a_full_disk_is_an_error():
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    to = {"stderr": subprocess.PIPE, "text": True, "env": kept}  # its output waits in a buffer
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*COMMAND, *PAIR], stdout=full, **to)
    assert (done.returncode, done.stderr) == (2, "fastcompare: error: No space left on device\n")


def test_missing_extra_is_one_line():
    code = (
        "import sys; sys.modules['typer'] = None; from fastcompare.__main__ import main; "
        f"sys.argv[1:] = {PAIR}; main()"
    )
    done = subprocess.run([*PYTHON, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert re.fullmatch(r"fastcompare: error: .*pip install 'fastcompare\[cli\]'\n", done.stderr)


@pytest.mark.parametrize("start", ["from fastcompare.__main__ import main; main()", "as_module()"])
def test_an_interrupt_while_it_starts_is_quiet(start):
    code = (
        "import runpy, sys\n"
        "class Interrupt:\n"
        "    def find_spec(name, *_):\n"
        "        if name == 'fastcompare._cli.app': raise KeyboardInterrupt\n"
        "as_module = lambda: runpy.run_module('fastcompare', run_name='__main__')\n"
        "sys.meta_path.insert(0, Interrupt)\n"
    )
    done = subprocess.run([sys.executable, "-c", code + start], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_closed_standard_input_is_a_sentence():
    closed = ["sh", "-c", 'exec "$@" <&-', "sh", *COMMAND, "compare", "-"]
    done = subprocess.run(closed, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("fastcompare: error: standard input is closed: ")


def terminal_output(columns, **environment):
    """Return what the command prints on a terminal of so many columns."""
    control, terminal = pty.openpty()
    settings = {"COLUMNS": str(columns), "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(
        [*COMMAND, *PAIR], stdout=terminal, env={**os.environ, **settings, **environment}
    ):
        os.close(terminal)
        chunks = []
        while chunk := read_terminal(control):
            chunks.append(chunk)
    os.close(control)
    return b"".join(chunks).decode()


def read_terminal(control):
    """Return some output, nothing at its end (which Linux reports as an error)."""
    try:
        return os.read(control, 65536)
    except OSError:
        return b""


def test_a_wide_terminal_gets_whole_names_and_longer_lines():
    text = terminal_output(120)
    assert "random_forest" in text
    assert max(map(len, text.splitlines())) > max(map(len, plain().splitlines()))
    assert "\x1b" not in text


def test_narrow_terminal_gets_plain_text():
    assert terminal_output(80).replace("\r\n", "\n") == plain()


def test_terminal_without_unicode_gets_the_same():
    assert terminal_output(80, PYTHONIOENCODING="ascii").replace("\r\n", "\n") == plain()
