"""The formats of logs: how each is recognized by its content, and who reads it.

From paths of files and folders to the sheets in them.
"""

import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ..._base.exceptions import InvalidValueError
from . import every_eval_ever, helm, inspect_ai, lighteval, lm_eval, long, openai_evals, promptfoo
from .sheets import TaskAnswers, refuse, value_at_path
from .sources import Source, column_names

Reader = Callable[[Source, Sequence[str]], list[TaskAnswers]]
KNOWN_FORMATS = (
    "sample logs of lm-evaluation-harness, logs of Inspect, HELM's per_instance_stats.json, "
    "samples of Every Eval Ever, details of lighteval, event logs of openai/evals, results of "
    "promptfoo, and tables with the columns model, item and score"
)


Format = tuple[Callable[[Any], bool], Reader]  # how it is recognized, and who reads it
ROWS: Sequence[Format] = (  # recognized by the first row of JSON lines
    (lm_eval.is_row, lm_eval.read),
    (every_eval_ever.is_row, every_eval_ever.read),
    (openai_evals.is_row, openai_evals.read),
    (long.is_row, long.read_rows),
)
DOCUMENTS: Sequence[Format] = (
    (inspect_ai.is_document, inspect_ai.read),
    (helm.is_document, helm.read),
    (promptfoo.is_document, promptfoo.read),
)
MARKS = (b'"eval"', b'"instance_id"', b'"evalId"')  # keys near the beginning of such a document
TABLES: Sequence[Format] = (  # recognized by the columns of a Parquet file
    (lighteval.is_table, lighteval.read),
    (long.is_table, long.read_parquet),
)
LINES = re.compile(r".*\.jsonl(\.\w+)?")  # compressed or not
LOG_NAMES = re.compile(  # no other files have such names
    r"(samples_.*|.*_samples)\.jsonl(\.\w+)?|.*\.eval|per_instance_stats\.json|details_.*\.parquet"
)
RESULTS_FILE = re.compile(r"results_.*\.json")  # lm-evaluation-harness's, which `lm_eval` reads
BY_RESULT = (
    "a report that lists items by their result. Make a table with the columns model, item and "
    "score: 1 for those in resolved_ids, 0 for all others"
)
OTHERS = {  # documents that hold no answers: their keys, and what to pass in their place
    ("results", "configs"): "lm-evaluation-harness's means: pass the samples_*.jsonl",
    ("results", "versions"): "lm-evaluation-harness's means: run it by --log_samples",
    ("evaluation_results", "evaluation_id"): "Every Eval Ever's means: pass its *_samples.jsonl",
    ("adapter_spec", "scenario_spec"): "HELM's description of a run: pass per_instance_stats.json",
    ("resolved_ids", "submitted_ids"): BY_RESULT,
    ("resolved_ids", "unresolved_ids"): BY_RESULT,
    ("resolved_ids",): (
        "a list of solved items, without those that failed or were not run. Make a table of all "
        "items with the columns model, item and score"
    ),
}


def find_reader(source: Source) -> Reader | None:
    """Return the function that reads a log, None if its format is unknown."""
    if source.is_archive:
        return inspect_ai.read
    if source.is_parquet:
        return first_reader(TABLES, column_names(source))
    if not source.is_json:
        return long.read_text if header_names(source) >= {*long.NEEDED} else None
    if isinstance(source.first, dict) and (chosen := first_reader(ROWS, source.first)):
        return chosen
    return first_reader(DOCUMENTS, source.document)


def is_unknown_table(path: str) -> bool:
    """Return whether a file contains JSON objects as rows, but is not a log of a known format.

    Neither is it another document of a harness, which has its own message.
    """
    source = Source(path)
    if not source.is_json or is_named_like_a_log(source):
        return False
    if isinstance(source.first, dict):
        if first_reader(ROWS, source.first) or any({*keys} <= {*source.first} for keys in OTHERS):
            return False
        is_one_line = len(source.first_line) == len(source.content)  # then it may be a document
        return not is_one_line or first_reader(DOCUMENTS, source.first) is None
    try:
        document = source.document
    except InvalidValueError:
        return False
    if isinstance(document, dict):
        is_other_format = any({*keys} <= {*document} for keys in OTHERS)
        return first_reader(DOCUMENTS, document) is None and not is_other_format
    has_rows = isinstance(document, list) and bool(document) and isinstance(document[0], dict)
    return has_rows and first_reader(DOCUMENTS, document) is None


def is_named_like_a_log(source: Source) -> bool:
    """Return whether a file has a name that only logs have, or is an unreadable .jsonl file."""
    name = Path(source.path).name
    is_unreadable = LINES.fullmatch(name) is not None and not source.first
    return LOG_NAMES.fullmatch(name) is not None or is_unreadable


def why_skipped(source: Source) -> str:
    """Return why a file in a folder is not a log; "" if it is one."""
    if not source.head.strip():
        return "it is empty"
    if source.is_json and not any(mark in source.head for mark in MARKS):
        is_rows = isinstance(source.first, dict) and first_reader(ROWS, source.first) is not None
        return "" if is_rows else "its JSON is not a log of a known format"
    return "it is not a log of a known format" if find_reader(source) is None else ""


def first_reader(formats: Sequence[Format], content: Any) -> Reader | None:
    """Return the reader of the first format that recognizes the content."""
    return next((read for recognizes, read in formats if recognizes(content)), None)


def header_names(source: Source) -> set[str]:
    """Return the names of columns in the first line of a comma-separated text."""
    line = source.first_line.decode("utf-8", "replace").strip("\ufeff\r\n")
    return {name.strip('"') for name in line.split(",")}


def read(source: Source, cluster: Sequence[str]) -> list[TaskAnswers]:
    """Return the models' answers in a log, or raise if its format is unknown."""
    if not source.head.strip():
        refuse(source.path, "this file is empty.")
    read_log = find_reader(source)
    if read_log is not None:
        return read_log(source, cluster)
    if source.is_json:
        document = source.document if source.first is None else source.first
        for keys, advice in OTHERS.items():
            if all(value_at_path(document, (key,)) is not None for key in keys):
                refuse(source.path, f"this is {advice}.")
        refuse(source.path, f"this JSON is not a log of a known format: {KNOWN_FORMATS}.")
    if source.is_parquet or b"," in source.first_line:
        names = column_names(source) if source.is_parquet else sorted(header_names(source))
        long.columns_to_read(source.path, names, ())  # raises, and names the missing column
    return refuse(source.path, f"this is not a log of a known format: {KNOWN_FORMATS}.")


MOST_FILES = 10**5


def read_paths(
    paths: Sequence[str], cluster: Sequence[str]
) -> tuple[list[TaskAnswers], dict[str, str]]:
    """Return the answers in files and folders, and {path: reason} of skipped files in folders.

    Raise if a path contains no log or is given twice.
    """
    real_paths: set[str] = set()
    sheets: list[TaskAnswers] = []
    skipped: dict[str, str] = {}
    for path in paths:
        path_sheets = list(sheets_at(path, cluster, skipped))
        if not path_sheets:
            refuse(path, "this folder contains no log of a known format.")
        for file in dict.fromkeys(sheet.path for sheet in path_sheets):
            real = os.path.realpath(file)
            if real in real_paths:
                refuse(path, f"{file!r} is given twice.")
            real_paths.add(real)
        sheets += path_sheets
    return sheets, skipped


def sheets_at(path: str, cluster: Sequence[str], skipped: dict[str, str]) -> Iterator[TaskAnswers]:
    """Yield the answers in a file, or in all logs of a folder.

    Other files of the folder are added to `skipped`, with the reason.
    """
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        for file in files_below(path):
            source = Source(file)
            if is_named_like_a_log(source) or not (why := why_skipped(source)):
                yield from set_source(read(source, cluster), path)
            elif not RESULTS_FILE.fullmatch(Path(file).name):
                skipped[file] = why
    elif stat.S_ISREG(mode):
        yield from set_source(read(Source(path), cluster), path)
    else:
        refuse(path, "this is not a regular file.")


def set_source(sheets: list[TaskAnswers], source: str) -> list[TaskAnswers]:
    """Return the answers with `source`, the path that the user passed, as their source."""
    for sheet in sheets:
        sheet.source = source
    return sheets


def files_below(folder: str) -> list[str]:
    """Return the regular files below a folder, sorted by name, without hidden ones, or raise."""
    files = []
    for place, folders, names in os.walk(folder):
        # os.walk goes into the folders that remain in its own list, in their order
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths = (Path(place, name) for name in sorted(names) if not name.startswith("."))
        files += [str(path) for path in paths if path.is_file()]
        if len(files) > MOST_FILES:
            refuse(folder, f"this folder contains more than {MOST_FILES} files.")
    return files
