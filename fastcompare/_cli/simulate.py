"""The command that simulates how often tests reject."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import fastcompare as fc

from .._base.exceptions import InvalidValueError
from .._inputs.options import check_choice
from .delivery import check_delivery, deliver
from .groups import DELIVERY, SETTING, Delivery, Setting
from .kind_options import (
    Effects,
    Seed,
    SimulatedKind,
    SimulatedTests,
    Sizes,
    TrialCount,
)
from .options import (
    Alpha,
    Jobs,
)

DESIGNS = {  # by the kinds of the other commands
    "scores": "BinormalScores",
    "labels": "DietterichClassifiers",
    "folds": "CorrelatedFolds",
    "datasets": "ModelsByDatasets",
}


def simulate(
    kind: SimulatedKind = "scores",
    test: SimulatedTests = None,
    n: Sizes = None,
    effect: Effects = None,
    setting: Setting = SETTING,
    alpha: Alpha = 0.05,
    n_trials: TrialCount = 2000,
    seed: Seed = 0,
    n_jobs: Jobs = 1,
    delivery: Delivery = DELIVERY,
) -> None:
    """Simulate how often tests reject: their type I error, or with --effect their power.

    Prints each test's rate of rejection with its interval. Several effects, or several sizes, give
    a row for each.
    """
    check_delivery(delivery)
    check_choice("--kind", kind, DESIGNS)
    design = design_of(kind, setting)
    common: Mapping[str, Any] = {
        "alpha": alpha,
        "n_trials": n_trials,
        "rng": seed,
        "n_jobs": n_jobs,
        "progress": True,
    }
    effects, sizes = effect or [0.0], n or []
    if len(sizes) == 1:
        design = design.at(sizes[0])
    if len(effects) == 1 and len(sizes) < 2:
        result: Any = fc.simulate_error_rates(test, design, effect=effects[0], **common)
    else:
        varied = sizes if len(sizes) > 1 else None
        result = fc.simulate.simulate_power(test, design, effects=effects, sizes=varied, **common)
    deliver(result, delivery)


def design_of(kind: str, setting: Setting) -> Any:
    """Return the design of a kind with what was told of it, or raise for what it does not have."""
    made = getattr(fc.simulate, DESIGNS[kind])
    known = {field.name for field in fields(made)}
    told = {name: value for name, value in setting._asdict().items() if value is not None}
    for name in (name for name in told if name not in known):
        raise InvalidValueError(
            f"`--{name.replace('_', '-')}` has no meaning for `--kind {kind}`: leave it out."
        )
    return made(**{name: whole(value) for name, value in told.items()})


def whole(value: float) -> float:
    """Return a number as an integer if it is one, as counts must be."""
    return int(value) if float(value).is_integer() else value
