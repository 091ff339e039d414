"""Long tables of answers, as the functions on scores per item take them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._inputs.long import as_long_table
from ..._results.records import Record


@dataclass(frozen=True, eq=False, kw_only=True)
class ItemScores(Record):
    """Result of `from_long`: scores of k models on n items, in the order in which they appear."""

    models: tuple[str, ...]
    items: tuple[Any, ...]
    scores: dict[str, NDArray[np.float64]]
    groups: NDArray[Any] | None
    sample_weight: NDArray[np.float64] | None
    task: NDArray[Any] | None
    n_missing: dict[str, int]

    title: ClassVar[str] = "Scores of models on items"

    @property
    def given(self) -> dict[str, NDArray[Any]]:
        """The options that go with ``scores``: those of `groups` and `sample_weight` there are."""
        every = {"groups": self.groups, "sample_weight": self.sample_weight}
        return {name: values for name, values in every.items() if values is not None}

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values."""
        scores = {name: column.tolist() for name, column in self.scores.items()}
        return {**super().to_dict(), "scores": scores}

    def _summary(self) -> str:
        """Return in a sentence how many answers there are."""
        missing = sum(self.n_missing.values())
        samples = next(iter(self.scores.values())).reshape(len(self.items), -1).shape[1]
        several = f", up to {samples} samples of each" if samples > 1 else ""
        without = f"; {missing} answers are missing" if missing else ""
        return f"{len(self.models)} models on {len(self.items)} items{several}{without}."


def from_long(
    frame: object,
    *,
    model: str,
    item: str,
    score: str,
    sample: str | None = None,
    group: str | None = None,
    weight: str | None = None,
    task: str | None = None,
) -> ItemScores:
    """Read a long table, a row an answer, into what the functions on scores per item take.

    Rows may come in any order: answers are joined by the labels of their items, never by their
    places. Items and models keep the order in which they first appear.

    Parameters
    ----------
    frame : data frame or mapping from names to columns
        Of pandas, Polars, Arrow and others.
    model, item, score : str
        The columns with a model's name, an item's label and the score of this answer.
    sample : str, optional
        The column that tells several answers of a model to an item apart. Without it, two are an
        error.
    group, weight, task : str, optional
        The columns with an item's cluster, its weight and its task: each the same in all rows of an
        item.

    Returns
    -------
    ItemScores
        With ``scores`` (a mapping from models to vectors (n,) or samples (n, K), NaN for missing
        answers), ``models``, ``items``, ``groups``, ``sample_weight`` and ``task`` (None without a
        column), ``n_missing`` (items without an answer, by model), and ``given``, the groups and
        weights as options.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for answers that are there twice, rows without a label, and
        items whose group, weight or task differs between rows.

    See Also
    --------
    leaderboard, mean_pairwise_test : What takes such scores.

    References
    ----------
    .. [1] H. Wickham (2014), doi:10.18637/jss.v059.i10.

    Examples
    --------
    >>> import fastcompare as fc
    >>> rows = {"who": ["a", "b", "a", "b", "b", "a"], "id": [1, 1, 2, 3, 2, 3],
    ...         "right": [1, 0, 1, 0, 0, 1], "passage": ["x", "x", "x", "y", "x", "y"]}
    >>> table = fc.from_long(rows, model="who", item="id", score="right", group="passage")
    >>> table.scores["b"].tolist(), table.items
    ([0.0, 0.0, 0.0], (1, 2, 3))
    >>> print(table.summary())
    2 models on 3 items.
    >>> result = fc.leaderboard(table.scores, **table.given, on_undefined="ignore")
    """
    found = as_long_table(
        frame,
        model=model,
        item=item,
        score=score,
        sample=sample,
        group=group,
        weight=weight,
        task=task,
    )
    shape = len(found.items), len(found.models), -1
    missing = np.isnan(found.scores.reshape(shape)).all(axis=2).sum(axis=0)
    return ItemScores(
        models=found.models,
        items=found.items,
        scores={name: found.scores[:, j].copy() for j, name in enumerate(found.models)},
        groups=found.attributes["group"],
        sample_weight=found.attributes["weight"],
        task=found.attributes["task"],
        n_missing=dict(zip(found.models, missing.tolist(), strict=True)),
    )
