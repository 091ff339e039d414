"""What the status words of results mean, in sentences that name the pairs they are about."""

from typing import Any

import numpy as np

from .._base.text import join_names
from .._inference.status import STATUSES
from .headlines import MOST_NAMED

MODELS = "the models "  # which a sentence on one pair names


def status_remarks(*results: Any) -> tuple[str, ...]:
    """Return a sentence for each status word of the results that needs one, each meaning once."""
    remarks: dict[str, str] = {}
    for result in results:
        words = np.ravel(getattr(result, "status", "ok")).tolist()
        for word in dict.fromkeys(words):
            meaning = STATUSES[word].meaning if word in STATUSES else ""
            if meaning and meaning not in remarks:
                remarks[meaning] = remark(meaning, [each == word for each in words], result)
    return tuple(remarks.values())


def remark(meaning: str, concerned: list[bool], result: Any) -> str:
    """Return the meaning of a status word as a sentence; of one pair of several with its names."""
    pairs = getattr(result, "pairs", ())
    count, total = sum(concerned), len(concerned)
    if count == total:
        return f"{meaning[0].upper()}{meaning[1:]}."
    which = ""
    if len(pairs) == total:
        chosen = (pair for pair, is_concerned in zip(pairs, concerned, strict=True) if is_concerned)
        named = [f"{first!r} and {second!r}" for first, second in chosen]
        if count == 1 and meaning.startswith(MODELS):
            return f"{named[0]} {meaning.removeprefix(MODELS)}."
        which = f": {'; '.join(named) if count <= MOST_NAMED else join_names(named, MOST_NAMED)}"
    return f"{meaning[0].upper()}{meaning[1:]} ({count} of {total}{which})."
