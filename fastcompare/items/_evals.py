"""Logs of evaluation harnesses and long tables of answers, as scores per item."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from .._base.memory import without_collector
from .._base.types import AnyArray, Vector
from .._inputs.evals.reading import Run, read_runs
from .._inputs.items import mean_of_samples
from .._inputs.options import check_choice
from .._inputs.tables import as_long_table
from .._results.records import Record
from ._mean import MeanIntervalResult, mean_interval

METRICS = {  # of harnesses, as sentences name them; any other is a score
    **dict.fromkeys(("acc", "accuracy"), "accuracy"),
    "acc_norm": "normalized accuracy",
    **dict.fromkeys(("em", "exact_match"), "exact match"),
    "f1": "F1 score",
}
REPORT_COLUMNS = {  # of the report, and the field of a run
    "model": "model",
    "items": "n_items",
    "samples": "n_samples",
    "missing": "n_missing",
    "errors": "n_errors",
    "unscored": "n_unscored",
    "limits": "n_limited",
    "status": "status",
    "format": "format",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class EvalRuns(Record):
    """Scores of models on items, as read from logs by `read_evals`.

    Attributes
    ----------
    models : tuple of str
        The names of the models, in the order of the logs.
    items : ndarray of shape (n,)
        The ids of the items, sorted; ``task:id`` if there are several tasks.
    tasks : ndarray of shape (n,)
        The task of each item.
    scores : ndarray of shape (n, k, K)
        The score of each item, model and sample; NaN if missing.
    groups : ndarray of shape (n,) or None
        The cluster of each item.
    weights : ndarray of shape (n,) or None
        The weight of each item, if a table has a column of weights.
    metadata : dict
        ``metric``, ``higher_is_better`` (None if no log specifies it), ``n_dropped``, ``notes``,
        ``left_out`` (models without this task and metric), ``skipped`` (files in folders, and why),
        and ``runs`` (what was read for each model).
    """

    models: tuple[str, ...]
    items: AnyArray
    tasks: AnyArray
    scores: NDArray[np.float64]
    groups: AnyArray | None
    weights: AnyArray | None
    metadata: dict[str, Any] = field(repr=False)
    title: ClassVar[str] = "Scores per item"

    @property
    def means(self) -> Vector:
        """The mean of each model's item means."""
        item_means = mean_of_samples(self.scores)
        observed = ~np.isnan(item_means)
        with np.errstate(invalid="ignore"):
            return np.asarray(
                np.where(observed, item_means, 0.0).sum(axis=0) / observed.sum(axis=0)
            )

    def by_model(self) -> dict[str, AnyArray]:
        """Return the scores of each model, in the form that tests of mean scores accept.

        Returns
        -------
        dict of ndarray
            By name, of shape (n,), or (n, K) if there are several samples.
        """
        tables = np.moveaxis(self.scores, 1, 0)
        if self.scores.shape[2] == 1:  # one sample an item
            tables = tables[:, :, 0]
        return dict(zip(self.models, tables, strict=True))

    @property
    def _metric(self) -> str:
        """The name of the metric, as sentences have it."""
        name, *_ = str(self.metadata["metric"]).split(",")  # without the filter of lm-eval
        return METRICS.get(name, "score")

    def interval(
        self, model: str, *, task: str | None = None, confidence_level: float = 0.95
    ) -> MeanIntervalResult:
        """Return one model's mean with its interval, over all items or those of one task.

        Parameters
        ----------
        model : str
            One of ``models``.
        task : str, optional
            One of ``tasks``; by default all, as strata.
        confidence_level : float, default=0.95
            The level of the interval.

        Returns
        -------
        MeanIntervalResult
            As of `mean_interval`, with the clusters and weights of the logs.
        """
        check_choice("model", model, self.models)
        tasks = np.unique(self.tasks).tolist()
        if task is not None:
            check_choice("task", task, tasks)
        chosen = np.ones(len(self.tasks), bool) if task is None else self.tasks == task
        return mean_interval(
            self.by_model()[model][chosen],
            groups=None if self.groups is None else self.groups[chosen],
            sample_weight=None if self.weights is None else self.weights[chosen],
            strata=self.tasks if task is None and len(tasks) > 1 else None,
            confidence_level=confidence_level,
            on_undefined="ignore",
        )

    def _items(self, task: Any, groups: Any, weights: Any) -> tuple[Any, Any, Any, Any]:
        """Return scores, tasks, clusters and weights: those specified, else those of the logs."""
        several = len({*self.tasks.tolist()}) > 1
        return (
            self.by_model(),
            self.tasks if task is None and several else task,
            self.groups if groups is None else groups,
            self.weights if weights is None else weights,
        )

    def _summary(self) -> str:
        """Return the content of the logs in a sentence fit for a paper."""
        n, k, samples = self.scores.shape
        tasks = [str(task) for task in np.unique(self.tasks)]
        task = tasks[0] if len(tasks) == 1 else f"{len(tasks)} tasks"
        parts = [f"{k} models", f"{n} items of {task}" if task else f"{n} items"]
        if samples > 1:
            parts.append(f"up to {samples} samples an item")
        if self.groups is not None:
            parts.append(f"{len({*zip(self.tasks, self.groups, strict=True)})} clusters")
        missing = sum(run.n_missing for run in self.metadata["runs"])
        n_dropped = self.metadata["n_dropped"]
        n_missing = f" {missing} scores were missing" if missing else " No score was missing"
        dropped = f", {n_dropped} items were left out for that" if n_dropped else ""
        models = self.metadata["left_out"]
        left_out = f" Left out, without this metric: {', '.join(models)}." if models else ""
        metric = self.metadata["metric"]
        return f"{', '.join(parts)}, metric {metric}.{n_missing}{dropped}.{left_out}"

    def report(self) -> str:
        """Return a text report of what was read and what is missing, one line per model.

        Returns
        -------
        str
            A table in plain text, followed by notes.
        """
        runs: Sequence[Run] = self.metadata["runs"]
        rows = [
            [*REPORT_COLUMNS],
            *([str(getattr(run, f)) for f in REPORT_COLUMNS.values()] for run in runs),
        ]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        unfinished = [
            f"{run.model!r} did not finish: its status is {run.status!r}"
            for run in runs
            if run.status != "success"
        ]
        notes = [f"- {note}." for note in (*unfinished, *self.metadata["notes"])]
        return "\n".join([self.summary(), "", *lines, *([""] if notes else []), *notes]) + "\n"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values; missing scores are NaN."""
        runs = [run._asdict() for run in self.metadata["runs"]]
        return {**super().to_dict(), "metadata": {**self.metadata, "runs": runs}}


def read_evals(
    *paths: str | os.PathLike[str],
    task: str | Sequence[str] | None = None,
    metric: str | None = None,
    missing: Literal["raise", "drop", "zero", "keep"] = "raise",
    join: Literal["id", "hash"] = "id",
    cluster: str | None = None,
) -> EvalRuns:
    r"""Read scores per item from logs of LLM evaluation harnesses, joined by the items' ids.

    Reads sample logs of lm-evaluation-harness, Inspect (``.eval`` and ``.json``), HELM's
    ``per_instance_stats.json``, samples of Every Eval Ever, details of lighteval, event logs of
    openai/evals, results of promptfoo, and tables with the columns model, item and score (task,
    metric, sample, group, weight) in JSON lines, CSV or Parquet. The format of a file is recognized
    by its content, not its name.

    Answers are never joined by position. It is an error if a model answers an item twice, if two
    logs have different questions or targets under the same id (compared by hashes, which are
    computed if a log has none), if a metric is not a single number, if a path contains no score of
    the task and metric, or if a file in a folder is named like a log but cannot be read.

    Parameters
    ----------
    paths : str or path-like
        Logs, or folders of logs.
    task : str or list of str, optional
        The task. A list pools several, 'all' every task, as strata; needed if the logs contain more
        than one.
    metric : str, optional
        The metric or scorer; for lm-evaluation-harness with its filter
        (``exact_match,strict-match``), which is optional if there is only one. Optional if the logs
        contain only one metric.
    missing : {'raise', 'drop', 'zero', 'keep'}, default='raise'
        If a model has no score for an item: raise an error; drop the item for all models; count it
        as 0; or keep it as NaN.
    join : {'id', 'hash'}, default='id'
        Match items by their ids, or by the hash of the question.
    cluster : str, optional
        The field with the cluster of each item: a dotted path (``metadata.passage``), or a column
        of a table. A column named ``group`` is used by default.

    Returns
    -------
    EvalRuns
        ``models``, ``items``, ``tasks``, ``scores`` (items, models, samples), ``groups``,
        ``weights``, ``metadata`` and a ``report()`` of what is missing.

    References
    ----------
    Miller, E. (2024). Adding error bars to evals. https://doi.org/10.48550/arXiv.2411.00640

    Examples
    --------
    >>> import fastcompare as fc, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.csv").write_text("item,score\n7,1\n8,0\n9,1\n")
    >>> _ = (folder / "b.csv").write_text("item,score\n9,1\n7,0\n8,0\n")
    >>> runs = fc.read_evals(folder / "a.csv", folder / "b.csv")
    >>> runs.models, runs.items.tolist()
    (('a', 'b'), [7, 8, 9])
    >>> runs.scores[:, :, 0].tolist()
    [[1.0, 0.0], [0.0, 0.0], [1.0, 1.0]]
    """
    with without_collector():
        fields = read_runs(paths, task, metric, missing=missing, join=join, cluster=cluster)
    return EvalRuns(**fields)


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
    def given(self) -> Mapping[str, Any]:
        """The options that belong to ``scores``: `groups` and `sample_weight`, if any."""
        options = {"groups": self.groups, "sample_weight": self.sample_weight}
        return {name: values for name, values in options.items() if values is not None}

    def _summary(self) -> str:
        """Return in a sentence how many answers there are."""
        missing = sum(self.n_missing.values())
        samples = next(iter(self.scores.values())).reshape(len(self.items), -1).shape[1]
        of_samples = f", up to {samples} samples of each" if samples > 1 else ""
        of_missing = f"; {missing} answers are missing" if missing else ""
        return f"{len(self.models)} models on {len(self.items)} items{of_samples}{of_missing}."


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
    """Convert a long table, one row per answer, to scores per item.

    Rows may be in any order: answers are joined by the labels of their items, never by position.
    Items and models are in the order of their first appearance.

    Parameters
    ----------
    frame : data frame or mapping from names to columns
        Of pandas, Polars, Arrow and others.
    model, item, score : str
        The columns with the name of the model, the label of the item and the score of the answer.
    sample : str, optional
        The column that identifies several answers of a model to an item. Without it, two answers
        are an error.
    group, weight, task : str, optional
        The columns with the cluster, the weight and the task of the item, equal in all rows of an
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
        As ValueError or TypeError, for duplicate answers, rows without a label, and items whose
        group, weight or task differs between rows.

    See Also
    --------
    leaderboard, mean_pairwise_test : Functions that accept such scores.

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
    table = as_long_table(
        frame,
        model=model,
        item=item,
        score=score,
        sample=sample,
        group=group,
        weight=weight,
        task=task,
    )
    shape = len(table.items), len(table.models), -1
    missing = np.isnan(table.scores.reshape(shape)).all(axis=2).sum(axis=0)
    return ItemScores(
        models=table.models,
        items=table.items,
        scores={name: table.scores[:, j].copy() for j, name in enumerate(table.models)},
        groups=table.attributes["group"],
        sample_weight=table.attributes["weight"],
        task=table.attributes["task"],
        n_missing=dict(zip(table.models, missing.tolist(), strict=True)),
    )
