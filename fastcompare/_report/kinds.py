"""The sheets of tests of all pairs of models, by the kind of data."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidValueError
from .._base.text import plain
from .._results.pairs import compact_letters, measure_of
from .comparison import ShownPairs
from .differences import difference_sheets, omnibus_sheets
from .formats import MEASURED, TESTED, Column, Row, Sheet, Table, measure_head, picked, table_of

if TYPE_CHECKING:
    from .._compare.datasets.sequence import DatasetsComparisonResult, PostHoc
    from ..results import (
        DeLongPairwiseResult,
        McNemarPairwiseResult,
        ScoringPairwiseResult,
        TTestCorrectedPairwiseResult,
    )


@dataclass(frozen=True)
class AUCComparison(ShownPairs):
    """All pairs of models by their AUCs."""

    result: "DeLongPairwiseResult"
    quantity: ClassVar[str] = "AUC"
    heads: ClassVar[Mapping[str, Column]] = {
        "auc": Column("AUC", "number"),
        "standard_error": Column("standard error", "number", 1),
    }
    interval: ClassVar[bool] = True
    value: ClassVar[tuple[str, str]] = ("auc", "auc")
    columns: ClassVar[Mapping[str, str]] = {
        **MEASURED,
        "z": "statistic",
        **TESTED,
        "method": "method",
    }
    evidence: ClassVar[Mapping[str, Column]] = {"z": Column("statistic", "statistic", 2)}

    def counts(self) -> Mapping[str, int]:
        """Return how many cases there are of each class."""
        return {"n_positive": self.result.n_positive, "n_negative": self.result.n_negative}

    def cases(self) -> str:
        """Return how many cases there are, for people."""
        return f"{self.result.n_positive} positive and {self.result.n_negative} negative cases"

    def models(self) -> Iterator[Row]:
        """Yield what is known of each model."""
        result = self.result
        low, high = map(np.asarray, result.auc_interval(self.confidence_level))
        for j, name in enumerate(result.names):
            yield {
                "model": name,
                "auc": float(result.auc[j]),
                "standard_error": float(result.auc_standard_error[j]),
                "ci_low": float(low[j]),
                "ci_high": float(high[j]),
            }


@dataclass(frozen=True)
class LabelComparison(ShownPairs):
    """All pairs of models by their accuracies, which have Wilson's intervals."""

    result: "McNemarPairwiseResult"
    quantity: ClassVar[str] = "accuracy"
    heads: ClassVar[Mapping[str, Column]] = {
        "n_correct": Column("right", "count", 1),
        "accuracy": Column("accuracy", "number"),
    }
    interval: ClassVar[bool] = True
    value: ClassVar[tuple[str, str]] = ("accuracy", "accuracy")
    columns: ClassVar[Mapping[str, str]] = {
        "n10": "n10",
        "n01": "n01",
        **MEASURED,
        "method": "method",
        "statistic": "statistic",
        **TESTED,
    }
    evidence: ClassVar[Mapping[str, Column]] = {
        "n10": Column("n10", "count", 2),
        "n01": Column("n01", "count", 2),
    }

    @property
    def test(self) -> str:
        """The name of the tests, with their methods."""
        return f"{self.result.title} ({self.method})"

    def counts(self) -> Mapping[str, int]:
        """Return how many cases there are."""
        return {"n": self.result.n}

    def cases(self) -> str:
        """Return how many cases there are, for people."""
        return f"{self.result.n} cases"

    def models(self) -> Iterator[Row]:
        """Yield what is known of each model."""
        result = self.result
        ends = result._own_ends(self.confidence_level)
        known = np.full((len(result.names), 2), np.nan) if ends is None else np.transpose(ends)
        rows = zip(result.names, result.accuracy.tolist(), known.tolist(), strict=True)
        for name, accuracy, (low, high) in rows:
            yield {
                "model": name,
                "n_correct": round(accuracy * result.n),
                "accuracy": accuracy,
                "ci_low": low,
                "ci_high": high,
            }


@dataclass(frozen=True)
class ProbabilityComparison(ShownPairs):
    """All pairs of models by the losses of their probabilities."""

    result: "ScoringPairwiseResult"
    labels: NDArray[np.bool_] = field(kw_only=True)
    scores: Mapping[str, Row] = field(kw_only=True)
    heads: ClassVar[Mapping[str, Column]] = {
        "brier_score": Column("Brier score", "number"),
        "log_loss": Column("log loss", "number"),
        "calibration_error": Column("calibration error", "number"),
    }
    value: ClassVar[tuple[str, str]] = ("loss", "losses")
    columns: ClassVar[Mapping[str, str]] = {**MEASURED, "t": "statistic", **TESTED}
    evidence: ClassVar[Mapping[str, Column]] = {"t": Column("t", "statistic", 2)}

    @property
    def what(self) -> str:
        """The loss that is tested."""
        return self.result.quantity

    def counts(self) -> dict[str, int]:
        """Return how many cases there are of each class."""
        positive = int(np.count_nonzero(self.labels))
        return {"n_positive": positive, "n_negative": self.labels.size - positive}

    def cases(self) -> str:
        """Return how many cases there are, for people."""
        positive, negative = self.counts().values()
        return f"{positive} positive and {negative} negative cases"

    def models(self) -> Iterator[Row]:
        """Yield what is known of each model."""
        for name, model in self.scores.items():
            yield {"model": name, **model}

    def to_dict(self) -> Row:
        """Return everything, for programs."""
        return {"rule": self.result.rule, **super().to_dict()}


@dataclass(frozen=True)
class FoldComparison(ShownPairs):
    """All pairs of models by their mean scores in the same rounds."""

    result: "TTestCorrectedPairwiseResult"
    deviations: tuple[float, ...] = ()  # of the models' scores
    value: ClassVar[tuple[str, str]] = ("mean", "means")
    columns: ClassVar[Mapping[str, str]] = {
        **MEASURED,
        "effect_size": "effect_size",
        "t": "statistic",
        "df": "df",
        **TESTED,
    }
    evidence: ClassVar[Mapping[str, Column]] = {"t": Column("t", "statistic", 2)}

    @property
    def quantity(self) -> str:  # type: ignore[override]
        """The mean of the metric of the rounds."""
        return str(self.result.quantity)

    @property
    def heads(self) -> Mapping[str, Column]:  # type: ignore[override]
        """The columns of the table of models."""
        deviation = Column("standard deviation", "number", 1)
        return {"mean": Column(self.quantity, "number"), "standard_deviation": deviation}

    def counts(self) -> Mapping[str, int]:
        """Return how many rounds there are."""
        return {"n": self.result.n}

    def cases(self) -> str:
        """Return how many rounds there are, and of which sizes, for people."""
        result = self.result
        sizes = f"{result.n_train:g} cases to train and {result.n_test:g} to test"
        return f"{result.n} rounds with {sizes}"

    def models(self) -> Iterator[Row]:
        """Yield what is known of each model."""
        deviations = self.deviations or (None,) * len(self.result.names)
        columns = (self.result.names, self.result.means.tolist(), deviations)
        for name, mean, deviation in zip(*columns, strict=True):
            yield {"model": name, "mean": mean, "standard_deviation": deviation}

    def sheets(self) -> list[Sheet]:
        """Return the sheets of the models, of the test of all if there was one, of the pairs."""
        found, omnibus = super().sheets(), self.result.omnibus
        if omnibus is not None:
            found.insert(1, omnibus_sheets(omnibus)[-1])
        return found

    def to_dict(self) -> Row:
        """Return everything, for programs."""
        result = self.result
        omnibus = None if result.omnibus is None else result.omnibus.to_dict()
        sizes = {"n_train": result.n_train, "n_test": result.n_test}
        return {**super().to_dict(), **sizes, "omnibus": omnibus}


STATISTICS = {"statistic": Column("statistic", "statistic", 2)}


@dataclass(frozen=True)
class PlainComparison(ShownPairs):
    """All pairs of models by what the result has a value of for each model."""

    evidence = STATISTICS

    @cached_property
    def field(self) -> str:
        """The field with a value a model."""
        return measure_of(self.result)

    @property
    def value(self) -> tuple[str, str]:  # type: ignore[override]
        """What rows call the value of a model, and its field."""
        words = {"means": "mean", "losses": "loss", "strengths": "strength"}
        return words.get(self.field, self.field.removesuffix("s")), self.field

    @property
    def heads(self) -> Mapping[str, Column]:  # type: ignore[override]
        """The columns of the table of models."""
        return {self.value[0]: Column(measure_head(self.result, self.field), "number")}

    @cached_property
    def own(self) -> list[dict[str, float]]:
        """The ends of the models' own intervals, where these are known."""
        ends = self.result._own_ends(self.confidence_level)
        if ends is None:
            return [{} for _ in self.result.names]
        return [{"ci_low": float(a), "ci_high": float(b)} for a, b in zip(*ends, strict=True)]

    @property
    def interval(self) -> bool:  # type: ignore[override]
        """Whether models have intervals of their own."""
        return any(self.own)

    @cached_property
    def columns(self) -> Mapping[str, str]:  # type: ignore[override]
        """The fields of pairs that this result has."""
        every = {**MEASURED, "statistic": "statistic", "effect_size": "effect_size", **TESTED}
        return {key: name for key, name in every.items() if has_field(self.result, name)}

    @property
    def what(self) -> str:
        """What of the first model less what of the second is tested."""
        return measure_head(self.result, self.field)

    @property
    def pair_title(self) -> str:
        """The title of the table of pairs."""
        if not self.result._stated_difference:
            return super().pair_title
        return f"{self.test}: {self.result._stated_difference}, {self.result.alternative}"

    def models(self) -> Iterator[Row]:
        """Yield what is known of each model."""
        values = getattr(self.result, self.field).tolist()
        for name, value, ends in zip(self.result.names, values, self.own, strict=True):
            yield {"model": name, self.value[0]: value, **ends}

    def counts(self) -> Mapping[str, int]:
        """Return how many cases there are."""
        return {"n": self.result.n}

    def cases(self) -> str:
        """Return how many cases there are, for people."""
        return ""


def has_field(result: Any, name: str) -> bool:
    """Return whether a result of pairs has a field; estimates, which may take long, all have."""
    return name in ("estimate", "low", "high") or getattr(result, name, None) is not None


SHOWN: Mapping[str, type[ShownPairs]] = {
    "auc": AUCComparison,
    "labels": LabelComparison,
    "folds": FoldComparison,
    "plain": PlainComparison,
}


def shown_pairs(result: Any) -> ShownPairs:
    """Return all pairs of a result as people see them."""
    return SHOWN[result._presented](result, result._level)


def pairs_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of the models and of the pairs."""
    return shown_pairs(result).sheets()


MOST_GROUPS = 20  # letters that help: among more a reader is lost
PAIR_FORMS: Mapping[str, str] = {
    "first": "text",
    "second": "text",
    "average_rank_first": "number",
    "average_rank_second": "number",
    "difference": "number",
    "statistic": "statistic",
    "pvalue": "pvalue",
    "adjusted_pvalue": "pvalue",
}


def dataset_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of the models, with letters, of the test of all and of tested pairs."""
    omnibus, posthoc = result.omnibus, result.posthoc
    if not hasattr(omnibus, "average_ranks"):  # of two models
        return difference_sheets(omnibus)
    models, test = omnibus_sheets(omnibus)
    if groups := letters_of(posthoc):
        rows = [{**row, "group": groups[row["model"]]} for row in models.rows()]
        heads = {**models.heads, "group": Column("group", spare=1)}
        models = replace(models, heads=heads, cells=picked(rows))
    pairs = [] if posthoc is None else [shown_pairs(posthoc).pair_sheet()]
    return [models, test, *pairs]


def cliques_found(posthoc: Any) -> tuple[tuple[str, ...], ...] | None:
    """Return the groups of models that do not differ, by name; None where they are too many."""
    try:
        return () if posthoc is None else posthoc.cliques
    except InvalidValueError:
        return None


def letters_of(posthoc: Any) -> Mapping[str, str]:
    """Return the letters of the models: those that share one do not differ significantly."""
    if not 0 < len(cliques_found(posthoc) or ()) <= MOST_GROUPS:
        return {}
    return compact_letters(posthoc)


@dataclass(frozen=True)
class DatasetComparison(ShownPairs):
    """The test of all models together, and those of pairs if it rejects."""

    result: "DatasetsComparisonResult"
    datasets: Sequence[str] = ()

    @property
    def posthoc(self) -> "PostHoc | None":
        """The tests of pairs, if there are any."""
        return self.result.posthoc

    @property
    def average_ranks(self) -> Mapping[str, float]:
        """The average ranks by model, the best first; empty for two models, which have none."""
        ranks = getattr(self.result.omnibus, "average_ranks", np.empty(0))
        order = np.argsort(ranks, kind="stable").tolist()
        return {self.result.names[j]: float(ranks[j]) for j in order}

    @property
    def cliques(self) -> tuple[tuple[str, ...], ...] | None:
        """The groups of models that do not differ, by name; None where they are too many."""
        return cliques_found(self.posthoc)

    @property
    def method(self) -> str:
        """The methods of the tests."""
        tests = (self.result.omnibus, self.result.posthoc)
        names = (np.unique(test.method).tolist() for test in tests if test is not None)
        return ", ".join(chain(*names))

    def counts(self) -> Mapping[str, int]:
        """Return how many data sets there are."""
        return {"n": self.result.n}

    def cases(self) -> str:
        """Return how many data sets there are, for people."""
        return f"{self.result.n} data sets"

    def sheets(self) -> list[Sheet]:
        """Return the sheets of the models, of all together and of the pairs that are tested."""
        models, *others = dataset_sheets(self.result)
        return [replace(models, title=self.about or models.title), *others]

    def models(self) -> Iterator[Row]:
        """Yield what is known of each model, the best first."""
        ranks, groups = self.average_ranks, letters_of(self.posthoc)
        for name in ranks or self.result.names:
            yield {"model": name, "average_rank": ranks.get(name), "group": groups.get(name)}

    def pairs(self, chosen: Sequence[int] | None = None) -> Iterator[Row]:
        """Yield what is known of each pair that is tested; there are few, and all come."""
        tests, ranks = self.posthoc, self.average_ranks
        if tests is None:
            return
        columns = (tests.estimate, tests.statistic, tests.pvalue, tests.adjusted_pvalue)
        for (first, second), *numbers in zip(tests.pairs, *map(plain, columns), strict=True):
            cells = (first, second, ranks[first], ranks[second], *numbers)
            yield dict(zip(PAIR_FORMS, cells, strict=True))

    def tidy_table(self) -> Table:
        """Return a table of the pairs that are tested, for programs."""
        heads = {key: Column(key, form) for key, form in PAIR_FORMS.items()}
        return table_of(self.title, heads, self.pairs())

    def to_dict(self) -> Row:
        """Return everything, for programs."""
        result, tests = self.result, self.posthoc
        return {
            "source": self.source,
            **self.counts(),
            "n_dropped": result.n_dropped,
            "datasets": self.datasets,
            "method": self.method,
            "alpha": result.alpha,
            "omnibus": result.omnibus.to_dict(),
            "correction": None if tests is None else tests.correction,
            "critical_difference": None if tests is None else tests.critical_difference,
            "cliques": self.cliques and plain(self.cliques),
            "models": list(self.models()),
            "pairs": list(self.pairs()),
            "reasons": result.reasons,
            "summary": self.summary(),
        }
