"""The commands that `compare` has replaced, and the call of each in its words."""

import shlex
from collections.abc import Mapping, Sequence

MODEL = ("--score", "--prediction", "--probability")
SHARED = {**dict.fromkeys(MODEL, "--model"), "--cluster": "--groups", "--plot": "-o"}
FORMER: Mapping[str, Mapping[str, str]] = {  # what each calls otherwise; "" was about its own way
    "auc": {**SHARED, "--method": "--test"},
    "labels": SHARED,
    "probabilities": SHARED,
    "folds": {**SHARED, "--round-column": "--id"},
    "datasets": {**SHARED, "--posthoc": "--test"},
}
KINDS = {"auc": "scores"}  # the others are called as their data
DROPPED = ("--simultaneous", "--long")  # flags that nothing needs
LONG = ("--model-column", "--score-column")  # columns that are recognized


def former(command: str, arguments: Sequence[str]) -> str:
    """Return the sentence for a former command with its arguments: the call that replaces it."""
    words = ["fastcompare", "compare"]
    renamed = FORMER[command]
    typed = iter(arguments)
    for word in typed:
        option, equals, value = word.partition("=")
        if option in DROPPED:
            continue
        if option in LONG:
            next(typed if not equals else iter(()), None)
            continue
        words += [renamed.get(option, option), *([value] if equals else [])]
    words += ["--kind", KINDS.get(command, command)]
    if command == "labels" and not arguments:  # of the bundled scores
        words += ["--threshold", "0.5"]
    call = shlex.join(words)
    return f"`fastcompare {command}` is `fastcompare compare` now: {call}"
