"""Run the command line within the test's process."""

import functools
import json
import re

from typer import testing

from fastcompare._cli.app import app

# typer builds all commands anew for each call, which takes longer than most of them
testing._get_command = functools.cache(testing._get_command)

LABELLED = """y,a,b,note
cat,cat,dog,cat
dog,dog,dog,cat
cow,cow,cat,cow
cat,dog,cat,cat
dog,dog,cat,dog
cow,cow,cow,cat
"""
TOY = "y,a,b,c\n" + "".join(
    f"{y},{a},{b},{a * b}\n"
    for y, a, b in zip(
        [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1],
        [0.1, 0.2, 0.05, 0.3, 0.1, 0.6, 0.6, 0.7, 0.8, 0.99, 0.8, 0.67, 0.5],
        [0.3, 0.6, 0.2, 0.1, 0.1, 0.9, 0.23, 0.7, 0.9, 0.4, 0.77, 0.3, 0.89],
        strict=True,
    )
)


def run(*arguments, **options):
    return testing.CliRunner().invoke(app, [*map(str, arguments)], **options)


def ok(*arguments, **options):
    """Return what a command prints on standard output, after checking that it succeeded."""
    result = run(*arguments, **options)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def failure(*arguments, **options):
    """Return the message of a command that must fail in one line."""
    result = run(*arguments, **options)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert re.fullmatch(r"fastcompare: error: [^\n]+\n", result.stderr), result.stderr
    return result.stderr


def warned(result):
    """Return what a command said on standard error, but for its notes."""
    lines = result.stderr.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("fastcompare: note: "))


def as_json(*arguments):
    """Return what a command says in JSON; its warnings are the business of other tests."""
    return json.loads(ok(*arguments, "--format", "json"))
