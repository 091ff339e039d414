"""What scikit-learn returns: the scores of a search's candidates in each split, or of one model."""

import re
from collections.abc import Mapping

import numpy as np

from ...._adapters.delimited import Coded
from ...._base.exceptions import InvalidValueError
from ...options import check_choice
from ..column import Column, cell_texts
from ..question import ask
from ..reading import option_name, quote_names
from ..words import is_index, is_metric

SPLIT_SCORE = re.compile(r"split\d+_test_(.+)")


def splits_of_search(columns: Mapping[str, Column], metric: str | None) -> dict[str, Column] | None:
    """Return the columns of a search's candidates and of their scores in each split; else None.

    The table is scikit-learn's `cv_results_`; candidates are called by their parameters.
    """
    splits = {n: match[1] for n in columns if (match := SPLIT_SCORE.fullmatch(n))}
    if len(splits) < 2:
        return None
    metrics = [*dict.fromkeys(splits.values())]
    if metric is not None:
        check_choice(option_name("scoring"), metric, metrics)
    elif len(metrics) > 1:
        ways = [{"scoring": name} for name in metrics]
        ask(f"which metric? The splits of a search have several: {quote_names(metrics)}.", ways)
    splits = {n: name for n, name in splits.items() if metric in (None, name)}
    names = [n for n in columns if n.startswith("param_")]
    settings = [[f"{n.removeprefix('param_')}={x}" for x in cell_texts(columns[n])] for n in names]
    labels = [", ".join(of_candidate) for of_candidate in zip(*settings, strict=True)]
    if len({*labels}) < 2:
        return None
    candidates = Column("candidate model", texts=Coded(labels, np.arange(len(labels))))
    return {candidates.name: candidates, **{n: columns[n] for n in splits}}


def refuse_one_model(columns: Mapping[str, Column]) -> None:
    """Raise for what scikit-learn's `cross_validate` returns for one model."""
    metrics = [n for n in columns if n.startswith("test_")]
    others = (n for n in columns if n not in metrics and not is_index(n))
    one_model = all(n == "test_score" or is_metric(n.removeprefix("test_")) for n in metrics)
    if metrics and one_model and all(n.endswith("_time") for n in others):
        raise InvalidValueError(
            f"the rounds of one model alone ({quote_names(metrics)}, of cross_validate): write its "
            "scores beside those of another model in the same rounds, a column for each model.",
            parameter="models",
        )
