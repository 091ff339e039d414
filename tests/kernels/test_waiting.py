"""The line that tells a person why a first call takes long, and nobody else."""

import os
import pty
import subprocess
import sys
from types import SimpleNamespace

import pytest

from fastcompare._jit import waiting

EAGER = "from fastcompare._jit import waiting; waiting.QUIET = 0.01"
CALL = """
import numpy as np, fastcompare as fc
x = np.arange(36.0)
fc.delong_test(np.arange(36) % 2, np.sin(x), np.cos(x))
"""


def event(module="fastcompare.kernels.pair"):
    return SimpleNamespace(
        data={"dispatcher": SimpleNamespace(py_func=SimpleNamespace(__module__=module))}
    )


@pytest.fixture
def compiled(monkeypatch, capsys):
    """Return a function that compiles kernels which take so long, and returns what is said."""
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(waiting, "time", SimpleNamespace(monotonic=lambda: clock.now))
    monkeypatch.setattr(waiting, "is_interactive", lambda: True)
    monkeypatch.delenv(waiting.SWITCH, raising=False)
    heard = waiting.CompileNotice()

    def run(*seconds, module="fastcompare.kernels.pair", within=()):
        for each in seconds:
            heard.on_start(event(module))
            for part in within:
                heard.on_start(event())
                clock.now += part
                heard.on_end(event())
            clock.now += each
            heard.on_end(event(module))
            clock.now += 10.0  # in which nothing is compiled
        return capsys.readouterr().err

    run.heard = heard
    return run


def test_a_line_comes_once_after_a_second_of_compiling(compiled):
    assert compiled(0.4, 0.4) == ""
    said = compiled(0.4)
    assert said.startswith("fastcompare: compiling for the first call;")
    assert said.endswith("(FASTCOMPARE_QUIET=1 hides this line)\n")
    assert said.count("\n") == 1
    assert compiled(5.0) == ""


def test_it_comes_between_the_kernels_that_another_one_calls_whose_time_counts_once(compiled):
    assert compiled(0.2, within=(0.3, 0.4)) == ""
    assert compiled.heard.spent == pytest.approx(0.9)
    assert compiled(0.0, within=(0.2,)) != ""


def test_kernels_of_the_caller_do_not_count(compiled):
    assert compiled(9.0, module="__main__") == ""
    assert compiled.heard.spent == 0.0


@pytest.mark.parametrize("hidden", ["switch", "nobody", "asked for"])
def test_it_can_be_hidden(compiled, monkeypatch, hidden):
    if hidden == "switch":
        monkeypatch.setenv(waiting.SWITCH, "1")
    if hidden == "nobody":
        monkeypatch.setattr(waiting, "is_interactive", lambda: False)
    with waiting.COMPILE_NOTICE.silenced() if hidden != "asked for" else compiled.heard.silenced():
        assert compiled(2.0) == ""
    assert (compiled(2.0) == "") == (hidden != "asked for")


def test_a_closed_standard_error_does_not_stop_the_call(compiled, monkeypatch):
    with open(os.devnull, "w") as closed:
        pass
    monkeypatch.setattr(sys, "stderr", closed)
    compiled(2.0)
    assert compiled.heard.is_announced


@pytest.mark.slow
def test_a_terminal_sees_it_where_nothing_is_read_from_disk(tmp_path, requires_jit):
    environment = {**os.environ, "FASTCOMPARE_CACHE_DIR": str(tmp_path / "kernels")}
    environment.pop(waiting.SWITCH, None)

    def seen(code):
        reading, terminal = pty.openpty()
        command = [sys.executable, "-W", "ignore", "-c", EAGER + code]
        subprocess.run(command, env=environment, stderr=terminal, check=True)
        os.write(terminal, b"|")
        shown = os.read(reading, 9999).decode()
        os.close(terminal), os.close(reading)
        return shown

    assert seen(CALL).count("compiling for the first call") == 1
    assert seen(CALL) == "|"
