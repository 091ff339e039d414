"""Results of promptfoo: one JSON document with a row for each test, prompt and provider.

A provider that was run with several prompts is several models. The tests are the items.
"""

import json
from collections.abc import Sequence
from typing import Any

from .sheets import Row, TaskAnswers, refuse, required_id, value_at_path
from .sources import Source

ERRORED = 2  # the `failureReason` of a row without an answer, which has no judgement either


def is_document(document: Any) -> bool:
    """Return whether a JSON document is what `promptfoo eval -o` writes."""
    rows = value_at_path(document, ("results", "results"))
    first = rows[0] if isinstance(rows, list) and rows else None
    return isinstance(first, dict) and {"provider", "success", "score"} <= first.keys()


def read(source: Source, cluster: Sequence[str]) -> list[TaskAnswers]:
    """Return the answers of each provider; of each provider and prompt if there are several."""
    path = source.path
    rows: list[Row] = source.document["results"]["results"]
    prompts = {prompt_of(row) for row in rows}
    models: dict[str, list[Row]] = {}
    for number, row in enumerate(rows, 1):
        name = provider_of(path, row, number)
        name = f"{name}, {prompt_of(row)}" if len(prompts) > 1 else name
        models.setdefault(name, []).append(row)
    return [answers_of_model(path, name, its_rows, cluster) for name, its_rows in models.items()]


def answers_of_model(path: str, model: str, rows: list[Row], cluster: Sequence[str]) -> TaskAnswers:
    """Return one model's answers; whether a test passed is a second metric where it differs.

    It differs from the score where scores are not 0 and 1. Items are numbered by `testIdx`, else
    they are the questions; an item that occurs again is another sample.
    """
    values = {"score": [row.get("score") for row in rows]}
    passed = [float(bool(row.get("success"))) for row in rows]
    if values["score"] != passed:
        values["success"] = list(passed)
    questions = [question_of(row) for row in rows]
    ids: list[Any] = [*questions]
    if all("testIdx" in row for row in rows):
        ids = [required_id(path, row, "testIdx", number) for number, row in enumerate(rows, 1)]
    times_seen: dict[Any, int] = {}
    samples = []
    for item in ids:
        sample = times_seen.get(item, 0)
        samples.append(sample)
        times_seen[item] = sample + 1
    return TaskAnswers(
        path=path,
        format="promptfoo",
        model=model,
        task="promptfoo",
        ids=ids,
        values=values,
        samples=samples,
        contents={"vars": list(questions)},
        clusters=[value_at_path(row, cluster) for row in rows] if cluster else None,
        failed=[row.get("failureReason") == ERRORED for row in rows],
    )


def provider_of(path: str, row: Any, number: int) -> str:
    """Return the label of a row's provider, else its id; or raise."""
    provider = value_at_path(row, ("provider",))
    name = provider if isinstance(provider, str) else None
    name = name or value_at_path(provider, ("label",)) or value_at_path(provider, ("id",))
    if not isinstance(name, str) or not name:
        refuse(path, f"result {number} has no provider.")
    return name


def prompt_of(row: Any) -> str:
    """Return the label of a row's prompt, else "prompt" and its number.

    A label that is the whole prompt, with the question in it, is no name.
    """
    label = value_at_path(row, ("prompt", "label"))
    number = value_at_path(row, ("promptIdx",))
    is_whole_prompt = label == value_at_path(row, ("prompt", "raw"))
    is_name = isinstance(label, str) and label and not is_whole_prompt
    return str(label) if is_name else f"prompt {number}"


def question_of(row: Row) -> str:
    """Return the variables of a test, which are its question, as JSON with sorted keys."""
    variables = row.get("vars") or value_at_path(row, ("testCase", "vars")) or {}
    return json.dumps(variables, sort_keys=True)
