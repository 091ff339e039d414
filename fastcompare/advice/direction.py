"""Whether higher or lower scores are better, where only the names of models or metrics say it.

Names of errors, losses and times say that lower is better, unless the values or other words
make that doubtful: columns called ce_loss and dice_loss may be accuracies of models that were
trained by these losses.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from .._base.exceptions import hint
from .._inputs.names import (
    LOWER_BY_NAMES,
    OF_ERRORS,
    OF_MODELS,
    OF_TIME_SERIES,
    are_trained_by_losses,
    may_be_gains,
    words_for_losses,
)
from .._inputs.roles.question import ask
from .._inputs.roles.reading import quote_names
from .._inputs.roles.words import split_words, suggest_losses
from .._inputs.tables import FiniteNumbers, finite_columns
from .data import Data, Query
from .kinds import KINDS


def with_direction_of_names(data: Data, query: Query) -> tuple[Data, Query]:
    """Return data and query with the direction that names say, if the query says none.

    Higher is better unless scores in a table are called errors, losses or times. Raise where the
    names of models may also mean otherwise.
    """
    if "higher_is_better" in query.options:
        return data, query
    is_table = KINDS[data.kind].form == "table" and data.higher_is_better is None
    is_loss = is_table and suggest_losses(data.called, data.columns)
    if is_loss:
        data = replace(data, doubts=(*data.doubts, lower_line(data)))
    return data, replace(query, options={**query.options, "higher_is_better": not is_loss})


def lower_line(data: Data) -> str:
    """Return the line that lower is better, with the words that say so; raise in doubt."""
    words = [*data.called] or words_for_losses(data.columns)
    names = [*(data.called or data.columns)]
    columns = finite_columns(data.columns)
    if may_be_gains(names) or (not data.called and are_doubtful(words, columns)):
        ask(
            f"are lower or higher values better? The names {quote_names(names)} suggest errors, "
            "losses or times, and may be of models or gains, too.",
            [{"higher_is_better": False}, {"higher_is_better": True}],
        )
    way = hint("pass higher_is_better=True")
    return f"{LOWER_BY_NAMES}({quote_names(words)}): {way} if higher is."


def are_doubtful(words: Sequence[str], columns: Mapping[str, FiniteNumbers]) -> bool:
    """Return whether models with a loss in each name may have scores of which higher is better.

    They have no common word of a loss, or are called after losses. Or a word such as loss that is
    also one of models is all they have, and their scores may be right answers: of 0 and 1 that are
    not called errors, or whose medians are above one half, or 50%, and that are no times.
    """
    if not words or are_trained_by_losses(columns):
        return True
    if not OF_MODELS.issuperset(words):
        return False
    scores = [column.values for column in columns.values() if column.values.size]
    if all(bool(np.isin(x, (0, 1)).all()) for x in scores) and OF_ERRORS.isdisjoint(words):
        return True
    if "time" in words and not any(OF_TIME_SERIES & {*split_words(name)} for name in columns):
        return False
    highest = max((float(x.max()) for x in scores), default=math.inf)
    middle = 0.5 if highest <= 1.0 else 50.0
    are_rates = highest <= 100.0 and min(float(x.min()) for x in scores) >= 0.0
    return are_rates and all(float(np.median(x)) > middle for x in scores)
