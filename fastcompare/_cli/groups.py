"""Groups of options that commands share: a command takes the group, its users each option."""

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, NamedTuple, get_type_hints

from .kind_options import (
    AucLevel,
    ClusterColumn,
    Correlation,
    Design,
    ErrorRate,
    EveryPair,
    Gate,
    Kind,
    ModelCount,
    NegativeCount,
    OwnCorrection,
    PositiveCount,
    RowNames,
    Seed,
)
from .options import (
    Alpha,
    ClaimKind,
    Correction,
    Direction,
    Encoding,
    EvalTask,
    Force,
    Format,
    ItemMetric,
    Label,
    Level,
    LowerIsBetter,
    Margin,
    MaxPairs,
    Missing,
    Model,
    Output,
    PosLabel,
    Resamples,
    Separator,
    Simultaneous,
    TestSize,
    TrainSize,
)

MOST_PAIRS = 100_000  # of 447 models


class Claim(NamedTuple):
    """What is claimed of all pairs, or of two models with a margin, and at which level."""

    alternative: ClaimKind = "two-sided"
    margin: Margin = 0.0
    correction: Correction = "auto"
    confidence_level: Level = 0.95
    simultaneous: Simultaneous = False
    max_pairs: MaxPairs = MOST_PAIRS

    @property
    def intervals(self) -> tuple[float, bool]:
        """The level of the intervals, and whether it holds for all together."""
        return self.confidence_level, self.simultaneous


class Drawing(NamedTuple):
    """What is drawn at random."""

    n_resamples: Resamples = 9999
    seed: Seed = 0

    @property
    def options(self) -> Mapping[str, Any]:
        """The options of tests that draw."""
        return {"n_resamples": self.n_resamples, "rng": self.seed}


class Delivery(NamedTuple):
    """How and where to write what was found."""

    format: Format = None
    output: Output = None
    force: Force = False


class FileForm(NamedTuple):
    """How the file is written that is read."""

    sep: Separator = ","
    encoding: Encoding = "utf-8"


class Contents(NamedTuple):
    """What files hold, where their columns do not say it."""

    kind: Kind = None
    label: Label = "y_true"
    model: Model = None
    pos_label: PosLabel = None
    id: RowNames = None
    cluster: ClusterColumn = None
    n_train: TrainSize = None
    n_test: TestSize = None
    design: Design = None


class LogChoice(NamedTuple):
    """Which scores of logs of evaluations count."""

    task: EvalTask = None
    metric: ItemMetric = None
    missing: Missing = "raise"


class Wishes(NamedTuple):
    """What is asked of a comparison, whatever files hold."""

    alternative: Direction = "two-sided"
    correction: OwnCorrection = None
    alpha: Alpha = 0.05
    confidence_level: Level = 0.95
    lower_is_better: LowerIsBetter = False
    gate: Gate = False
    every_pair: EveryPair = False
    max_pairs: MaxPairs = MOST_PAIRS

    @property
    def options(self) -> Mapping[str, Any]:
        """The options of `compare`."""
        return {
            "alternative": self.alternative,
            "correction": self.correction,
            "alpha": self.alpha,
            "higher_is_better": not self.lower_is_better,
            "gate": self.gate,
        }


class Setting(NamedTuple):
    """What a simulated design is like, by the names of its fields."""

    n_models: ModelCount = None
    n_train: TrainSize = None
    n_test: TestSize = None
    auc: AucLevel = None
    correlation: Correlation = None
    n_positive: PositiveCount = None
    n_negative: NegativeCount = None
    epsilon: ErrorRate = None


CLAIM, DRAWING, DELIVERY, FORM = Claim(), Drawing(), Delivery(), FileForm()
CONTENTS, LOGS, WISHES, SETTING = Contents(), LogChoice(), Wishes(), Setting()
GROUPS: tuple[type[Any], ...] = (
    *(Claim, Drawing, Delivery, FileForm),
    *(Contents, LogChoice, Wishes, Setting),
)


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command whose groups of options are options of its own, as typer reads them."""
    hints = get_type_hints(command, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if hint in GROUPS}
    parameters = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name in groups:
            parameters += fields_of(groups[name])
        else:
            parameters.append(parameter.replace(annotation=hints[name]))

    @wraps(command)
    def spread_command(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field: given.pop(field) for field in group._fields})
        command(**given)

    spread_command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    spread_command.__annotations__ = {p.name: p.annotation for p in parameters}
    return spread_command


def fields_of(group: type[Any]) -> list[inspect.Parameter]:
    """Return the parameters that the fields of a group are."""
    hints = get_type_hints(group, include_extras=True)
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return [
        inspect.Parameter(
            field, kind, default=group._field_defaults[field], annotation=hints[field]
        )
        for field in group._fields
    ]
