"""The two doors to `compare`: the command line, and Python with a data frame."""

import json
import re
import shlex
import warnings

import pandas as pd

import fastcompare as fc
from tests.shared.commandline import run

WAY = re.compile(r"`([^`]+)`")
PLAIN = re.compile(r"(?:pass|by|give|or) (--[\w-]+(?: [\w-]+)?)(?=[.,; ])")
PYTHON = re.compile(r"(?:pass|or) (\w+=(?:'[^']*'|\d+))")


def by_command(paths, *options):
    """Return what the command answers in JSON, None if it does not, and what it said."""
    done = run("compare", *paths, *options, "--format", "json")
    if done.exit_code == 0:
        return json.loads(done.stdout), done.stderr
    return None, done.stderr or repr(done.exception)


def by_python(table, **options):
    """Return what `compare` answers as JSON has it, None if it does not, and what it said."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = fc.compare(pd.DataFrame(table), **options)
        except (TypeError, ValueError) as error:
            return None, str(error)
    return json.loads(json.dumps(found.to_dict())), ""


def ways_of_command(message):
    """Return the options that a message names, as a shell takes them."""
    ways = [way for way in WAY.findall(message) if way.startswith("--")]
    bare = PLAIN.findall(WAY.sub("", message)) if not ways else []
    return [shlex.split(way) for way in (*ways, *bare)]


def ways_of_python(message):
    """Return the options that a message names, as Python takes them."""
    found = []
    ways = WAY.findall(message)
    for way in (*ways, *PYTHON.findall(WAY.sub("", message))):
        if re.match(r"\w+=", way):
            found.append(eval(f"dict({way})"))
    return found
