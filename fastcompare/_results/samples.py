"""How many cases a result rests on: of which classes, with how many events, in how many clusters.

Findings that do not say it are followed by a sentence that does (`Record._follows_sample`).
"""

from typing import Any

from .._base.text import amount, join_names, show_count
from .._inputs.scores import UNNAMED

UNNAMED_MODELS = ("the first model", "the second model")


def sample_note(result: Any, with_counts: bool) -> str:
    """Return the sentence on dropped rows, after that on the numbers of cases `with_counts`."""
    sample = sample_sentence(result) if with_counts else ""
    return " ".join(filter(None, (sample, dropped_sentence(result))))


def sample_sentence(result: Any) -> str:
    """Return the numbers of cases of a result in a sentence; '' if it does not know them."""
    sample = sample_text(result)
    return f"There {'was' if sample.startswith('1 ') else 'were'} {sample}." if sample else ""


def dropped_sentence(result: Any) -> str:
    """Return how many rows were left out; '' if none were, or the findings say it."""
    dropped = getattr(result, "n_dropped", 0)
    dropped = sum(dropped) if isinstance(dropped, tuple) else dropped
    if not isinstance(dropped, int) or not dropped or result._states_dropped:
        return ""
    verb = "was" if dropped == 1 else "were"
    return f"{amount(dropped, result._row)} with missing values {verb} dropped."


def sample_text(result: Any) -> str:
    """Return how many cases there were, those of different models one after the other."""
    fields = result.__dict__
    positives, negatives = fields.get("n_positive"), fields.get("n_negative")
    numbers: tuple[Any, ...] = positives, negatives
    if negatives is None or not isinstance(positives, int | float | tuple):
        cases = getattr(result, "_n_cases", fields.get("n"))
        if cases is None:
            return ""
        numbers = (cases,)
    is_of_each_model = isinstance(numbers[0], tuple)
    if not is_of_each_model:
        return count_text(result, *numbers) + events_and_clusters(result)
    names = getattr(result, "_sample_names", getattr(result, "names", UNNAMED))
    model_names = UNNAMED_MODELS if names == UNNAMED else names
    rows = zip(zip(*numbers, strict=True), model_names, strict=True)
    texts = [f"{count_text(result, *row)} of {name}" for row, name in rows]
    return join_names(texts, len(texts))


def count_text(result: Any, count: float, n_negative: float | None = None) -> str:
    """Return ``12 cases``; where `count` is of positives ``5 positive and 7 negative cases``."""
    if n_negative is None:
        return amount(round(count), result._row)
    return f"{show_count(count)} positive and {amount(round(n_negative), 'negative case')}"


def events_and_clusters(result: Any) -> str:
    """Return `` with 9 events in 5 clusters``; without what the result does not have."""
    events, clusters = map(result.__dict__.get, ("n_events", "_n_clusters"))
    text = f" with {amount(events, 'event')}" if isinstance(events, int) and events else ""
    return f"{text} in {amount(clusters, 'cluster')}" if clusters else text
