"""Help fits a terminal and ends with lines that run; shells complete commands, options, words."""

import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest

import fastcompare as fc
from fastcompare._cli.app import COMMANDS
from fastcompare._cli.terminal import EXAMPLES
from tests.shared.commandline import TOY, ok, run
from tests.shared.evaluation_logs import LOGS

ROWS = "".join(f"{i},0.9{i}1,0.8{i}2,0.8{9 - i}5\n" for i in range(10))
FILES = {
    "predictions.csv": TOY,
    "new.csv": TOY.replace("0.99", ""),
    "labels.csv": "y,a,b\n" + "ham,ham,spam\nspam,spam,spam\nham,ham,ham\n" * 5,
    "folds.csv": "round,a,b,c\n" + ROWS,
    "long.csv": "model,round,score\n"
    + "".join(f"{m},{i},0.{i}{m}\n" for m in "12" for i in range(9)),
    "datasets.csv": "dataset,a,b,c\n" + ROWS,
}
LOGGED = {"new.eval": "reading_alpha.eval", "old.eval": "reading_beta.eval"}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files of the examples, which are run there."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    for name, log in LOGGED.items():
        shutil.copy(LOGS / "inspect" / log, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        fc, "warmup", lambda *families, **shown: 1.0
    )  # of which tests/kernels/test_warmup.py takes care
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_examples_of_help_run(folder, command):
    shown = ok(command, "--help")
    assert len(EXAMPLES[command]) >= 2
    for _, line in EXAMPLES[command]:
        assert f"\n  {f'fastcompare {command} {line}'.strip()}\n" in shown
        arguments, _, source = line.partition(" < ")
        text = (folder / source).read_text() if source else None
        done = run(command, *shlex.split(arguments), input=text)
        assert done.exit_code == 0, done.stderr


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_80_columns_and_has_a_short_name(command):
    arguments = [command] if command else []
    shown = ok(*arguments, "--help", env={"COLUMNS": "200"})
    assert max(map(len, shown.splitlines())) <= 80
    assert shown == ok(*arguments, "-h", env={"COLUMNS": "200"})


def test_help_lists_choices_and_defaults():
    shown = " ".join(ok("compare", "-h").split())
    assert (
        "raise, drop or zero: how to handle items for which a model has no score. [default: raise]"
        in shown
    )
    assert "raise or omit: how to handle" in shown


COMPLETIONS = {
    "fastcompare lead": ["leaderboard"],
    "fastcompare compare --alternat": ["--alternative"],
    "fastcompare compare --alternative ": ["two-sided", "less", "greater", "equivalence"],
    "fastcompare compare --nan-policy o": ["omit"],
}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="it is bash that completes")
def test_bash_completes_commands_options_and_choices(tmp_path):
    script = tmp_path / "fastcompare"
    script.write_text(f"#!{sys.executable}\nfrom fastcompare.__main__ import main\nmain()\n")
    script.chmod(0o755)
    lines = ['eval "$(_FASTCOMPARE_COMPLETE=source_bash fastcompare)"']
    for line in COMPLETIONS:
        words = line.split(" ")
        quoted = " ".join(map(shlex.quote, words))
        lines += [
            f"COMP_WORDS=({quoted}) COMP_CWORD={len(words) - 1}",
            "_fastcompare_completion fastcompare",
        ]
        lines.append("echo ${COMPREPLY[@]}")
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    done = subprocess.run(
        ["bash", "-c", "\n".join(lines)], capture_output=True, text=True, env=environment
    )
    assert [line.split() for line in done.stdout.splitlines()] == list(COMPLETIONS.values())


def test_completion_can_be_installed():
    assert re.search("--install-completion .*Install completion", ok("--help"))


def test_the_list_of_commands_says_each_in_whole_words():
    listed = run("--help", terminal_width=80).stdout.partition("Commands:")[2]
    for name, (_, purpose) in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(purpose)}$", listed, re.MULTILINE)
