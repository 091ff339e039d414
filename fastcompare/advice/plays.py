"""The tests that `compare` runs for each kind of data, and why."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._base.types import NanPolicy, Undefined
from .._compare.auc.delong.omnibus import delong_omnibus_test
from .._compare.auc.delong.paired import delong_test
from .._compare.auc.delong.pairwise import delong_pairwise_test
from .._compare.items.covariance import MeanOmnibusResult, mean_omnibus_test
from .._compare.items.paired import paired_mean_test
from .._compare.items.pairwise import mean_pairwise_test
from .._compare.labels.cochran import cochran_q_test
from .._compare.labels.mcnemar import mcnemar_test
from .._compare.labels.mcnemar_pairwise import mcnemar_pairwise_test
from .._compare.probabilities.losses import forecast_losses
from .._compare.probabilities.scoring import scoring_test
from .._compare.probabilities.scoring_pairwise import scoring_pairwise_test
from .._inference.corrections.words import DISCOVERY
from .._inference.status import FEW_CASES, STATUSES
from .._inputs.probabilities import as_probability_table
from .._results.records import Record
from .._results.restated import changed
from .held import Held, Played, Wishes, parameters_of

REJECTED = "The test of all together rejects that the models are equal, so pairs are compared."
KEPT = (
    "The test of all together does not reject that the models are equal, so no pairs are "
    "compared, as gate=True asks: their differences may be chance."
)
UNKNOWN = "The test of all together is undefined, so no pairs are compared, as gate=True asks."
UNGATED = (
    "All pairs are compared, whatever the test of all together says: the correction for their "
    "number keeps the level alone."
)
UNADJUSTED = "All pairs are compared, whatever the test of all together says."
NO_PAIR = (
    "The test of all together rejects that the models are equal, yet no single pair does: some "
    "models differ, but the data do not tell which."
)
ONLY_PAIRS = (
    "The test of all together does not reject that the models are equal, yet {found} of {pairs} "
    "pairs do: {why}."
)
OWN_LEVEL = (
    "it looks for differences of any kind at once, which costs power where few models differ, and "
    "the correction of the pairs keeps the level without it"
)
NO_LEVEL = "these p-values have no correction that keeps the level for all pairs together"
ALONE = (
    "No test of all together takes weights, so pairs are compared at once: the correction for "
    "their number keeps the level alone."
)
SMALL = (
    f"Of fewer than {FEW_CASES} cases of a class Student's t is taken, as DeLong's z rejects too "
    "often."
)


def losses_omnibus(
    y_true: ArrayLike,
    table: Mapping[str, Any],
    *,
    groups: ArrayLike | None = None,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> MeanOmnibusResult:
    """Return the test that all models have equal mean Brier scores on the same cases."""
    reading: Any = {"pos_label": pos_label, "nan_policy": nan_policy}
    cases, names = as_probability_table(y_true, table, groups, **reading)
    losses = forecast_losses("brier", cases, None)
    columns = losses if len(losses) == len(names) else losses.T
    found = mean_omnibus_test(
        dict(zip(names, map(np.ascontiguousarray, columns), strict=True)),
        groups=cases.groups,
        on_undefined=on_undefined,
    )
    told: MeanOmnibusResult = changed(found, {"quantity": "Brier score", "unit": "case"})
    return told


class Case(NamedTuple):
    """The tests of two models, of all and of all pairs; the field that a model's value is in."""

    two: Callable[..., Any]
    together: Callable[..., Any]
    pairs: Callable[..., Any]
    field: str
    quantity: str
    named: tuple[str, str]
    higher_is_better: bool = True


CASES = {
    "scores": Case(
        delong_test,
        delong_omnibus_test,
        delong_pairwise_test,
        "auc",
        "AUC",
        ("DeLong's test of their AUCs", "DeLong's tests of their AUCs"),
    ),
    "labels": Case(
        mcnemar_test,
        cochran_q_test,
        mcnemar_pairwise_test,
        "accuracy",
        "accuracy",
        ("McNemar's test", "Cochran's Q and McNemar's tests"),
    ),
    "probabilities": Case(
        scoring_test,
        losses_omnibus,
        scoring_pairwise_test,
        "losses",
        "Brier score",
        ("a paired t-test of their Brier scores", "paired t-tests of their Brier scores"),
        higher_is_better=False,
    ),
    "items": Case(
        paired_mean_test,
        mean_omnibus_test,
        mean_pairwise_test,
        "means",
        "mean score",
        ("a paired t-test of their mean scores", "paired t-tests of their mean scores"),
    ),
}


def play_cases(held: Held, wishes: Wishes) -> Played:
    """Return the tests of models on the same cases or items."""
    case, columns = CASES[held.kind], dict(held.columns)
    data = (columns,) if held.y_true is None else (held.y_true, columns)
    what = "items" if held.kind == "items" else "cases"
    paired = f"{len(columns)} models on the same {what}, which are paired"
    clusters = ", in clusters" if "groups" in held.options else ""
    higher = case.higher_is_better
    if held.kind == "items":
        told = held.higher_is_better
        higher = bool(wishes.options["higher_is_better"] if told is None else told)
    if len(columns) > 2:
        omnibus, result, tests, more = several_models(held, wishes, case, data)
    else:
        result, more = wishes.run(case.two, *data, **held.options), ()
        omnibus, tests = None, {case.two.__name__: result}
    if held.kind == "scores" and not held.options and few_cases(result):
        more = (SMALL, *more)
    named = case.named[len(columns) > 2]
    together = "" if omnibus is None else " all together and in pairs,"
    reasons = (f"{paired}{clusters}:{together} {named}.", *more)
    return Played(
        omnibus=omnibus,
        result=result,
        tests=tests,
        reasons=reasons,
        values=along(columns, value_of(tests, case.field)),
        quantity=case.quantity,
        higher_is_better=higher,
        checks=checked(*tests.values()),
    )


def few_cases(result: Any) -> bool:
    """Return whether DeLong's tests go by Student's t, as they do where a class is small."""
    return bool(min(result.n_positive, result.n_negative) < FEW_CASES)


def several_models(
    held: Held, wishes: Wishes, case: Case, data: tuple[Any, ...]
) -> tuple[Any, Any, dict[str, Record], tuple[str, ...]]:
    """Return the tests of all models, then of pairs; at once, where the former lacks an option."""
    if not set(held.options) <= parameters_of(case.together):
        pairs = wishes.run(case.pairs, *data, **held.options)
        return None, pairs, {"pairs": pairs}, (ALONE,)
    omnibus = wishes.run(case.together, *data, **held.options)
    pairs, told = beside(omnibus, lambda: wishes.run(case.pairs, *data, **held.options), wishes)
    return omnibus, *reported(omnibus, pairs), (told,)


def beside(omnibus: Any, pairs: Callable[[], Any], wishes: Wishes) -> tuple[Any, str]:
    """Return the tests of pairs, or None where the gate stays shut, and why."""
    if wishes.gate and not omnibus.pvalue <= wishes.alpha:
        return None, UNKNOWN if np.isnan(omnibus.pvalue) else KEPT
    found = pairs()
    if wishes.gate:
        return found, REJECTED
    return found, UNGATED if keeps_level(found) else UNADJUSTED


def keeps_level(pairs: Any) -> bool:
    """Return whether the correction of pairs bounds the chance of any wrong one."""
    joint = hasattr(pairs, "critical_difference")  # Nemenyi's p-values are of all pairs
    return joint or pairs.correction not in ("none", *DISCOVERY)


def reported(omnibus: Record, pairs: Record | None) -> tuple[Record, dict[str, Record]]:
    """Return the result to report, and all tests."""
    if pairs is None:
        return omnibus, {"omnibus": omnibus}
    return pairs, {"omnibus": omnibus, "pairs": pairs}


def discord(omnibus: Any, result: Any, alpha: float) -> str:
    """Return a sentence where the omnibus test and the pairs tell different things, or none."""
    if omnibus is None or result is omnibus or np.isnan(omnibus.pvalue):
        return ""
    found = int(np.count_nonzero(result.adjusted_pvalue <= alpha))
    if omnibus.pvalue <= alpha:
        return "" if found else NO_PAIR
    if not found:
        return ""
    why = OWN_LEVEL if keeps_level(result) else NO_LEVEL
    return ONLY_PAIRS.format(found=found, pairs=len(result.pairs), why=why)


def value_of(tests: Mapping[str, Any], field: str) -> Any:
    """Return the models' values from the first test that has them; losses are means, too."""
    first = next(iter(tests.values()))
    return getattr(first, field) if hasattr(first, field) else first.means


def along(columns: Mapping[str, Any], values: Any) -> dict[str, float]:
    """Return a number a model by name."""
    return dict(zip(columns, np.asarray(values, dtype=float).tolist(), strict=True))


def checked(*tests: Any) -> tuple[str, ...]:
    """Return the sentences on what the results themselves call rough or undefined."""
    words = {word for test in tests for word in np.atleast_1d(test.status).tolist()}
    told = [STATUSES[word].meaning for word in sorted(words) if word in STATUSES]
    return tuple(f"{meaning[0].upper()}{meaning[1:]}." for meaning in told if meaning)
