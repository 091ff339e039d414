"""The commands that `compare` has replaced, and the call of each in its words."""

import shlex
from collections.abc import Mapping, Sequence

MODEL_OPTIONS = ("--score", "--prediction", "--probability")
SHARED_OPTIONS = {
    **dict.fromkeys(MODEL_OPTIONS, "--model"),
    "--cluster": "--groups",
    "--plot": "-o",
}
RENAMED_OPTIONS: Mapping[str, Mapping[str, str]] = {  # by former command: old name, new name
    "auc": {**SHARED_OPTIONS, "--method": "--test"},
    "labels": SHARED_OPTIONS,
    "probabilities": SHARED_OPTIONS,
    "folds": {**SHARED_OPTIONS, "--round-column": "--id"},
    "datasets": {**SHARED_OPTIONS, "--posthoc": "--test"},
}
KINDS = {"auc": "scores"}  # the others are called as their data
REMOVED_FLAGS = ("--simultaneous", "--long")  # which `compare` does by itself
REMOVED_OPTIONS = ("--model-column", "--score-column")  # `compare` recognizes these columns


def replacement_sentence(command: str, arguments: Sequence[str]) -> str:
    """Return the error for a former command: a sentence with the call that replaces it."""
    words = ["fastcompare", "compare"]
    renamed = RENAMED_OPTIONS[command]
    typed = iter(arguments)
    for word in typed:
        option, equals, value = word.partition("=")
        if option in REMOVED_FLAGS:
            continue
        if option in REMOVED_OPTIONS:
            if not equals:
                next(typed, None)  # the value is the next word
            continue
        words += [renamed.get(option, option), *([value] if equals else [])]
    words += ["--kind", KINDS.get(command, command)]
    if command == "labels" and not arguments:  # of the bundled scores
        words += ["--threshold", "0.5"]
    call = shlex.join(words)
    return f"`fastcompare {command}` is `fastcompare compare` now: {call}"
