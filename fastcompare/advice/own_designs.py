"""Designs that simulate data like the user's, in which no model is better, or one by an effect.

Cases, items and data sets (whole clusters of them) are drawn with replacement. Scores of items and
losses are moved so that all models have one mean, which leaves their skewness and their correlation
as they are; so are scores of cases, to one AUC. Right and wrong answers, and scores whose AUCs no
shift makes equal, are exchanged between models at random, as are those of data sets: the null
hypothesis of ranks is symmetry, and answers that are as often right differ symmetrically anyway.
Rounds that share cases can be neither: they are normal, and correlate as Nadeau and Bengio assume.
Battles are those that were fought, between models of one strength.

What a sample lacks, no design made of it has. Where two units make up most of a model's variance,
or it does not vary, such units are rarer than the three in a sample that would be known of, and the
type I error is not known; nor is it where strength and order of battles cannot be separated, or
where samples drawn from the user's give type I errors that differ by several points.
"""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from .._base.types import Integers, Matrix, Vector
from .._inputs.labels import as_label_column
from .._inputs.roles.kinds import refuse_trust
from ..auc._delong.omnibus import delong_omnibus_test
from ..auc._delong.paired import delong_test
from ..folds._anova import rm_anova_test
from ..folds._student import ttest_corrected, ttest_resampled
from ..items._bradley_terry import bradley_terry
from ..items._covariance import mean_omnibus_test
from ..items._paired import paired_mean_test
from ..labels._cochran import cochran_q_test
from ..labels._mcnemar import mcnemar_test
from ..paired._wilcoxon import wilcoxon_test
from ..ranks._friedman import friedman_test
from ..simulate.designs import (
    ROUNDING,
    DataDesign,
    Units,
    auc_gain_by_shift,
    centre_columns,
    draw_outcomes,
    exchange_models,
    exchanged_standard_error,
    largest_standard_error,
    normal_ranks,
    with_common_auc,
)
from ..simulate.null_designs import correlated_rounds
from .data import Data

NO_WARNINGS: Any = {"on_undefined": "ignore"}
MOST_TRIALS_OF_BATTLES = 200  # a fit takes milliseconds
UNCHANGED = (
    "Pairings and the proportion of ties are kept; outcomes are drawn from the Bradley-Terry model."
)
MOST_STRENGTH_DIFFERENCE = 12.0  # in log odds: 160,000 to 1


def battles_design(data: Data) -> DataDesign:
    """Return the design of battles between equal models; the effect shifts the first's strength.

    The pairings are those of the data, and so is the share of ties between equal models.
    """
    assert data.battles is not None
    first_names, second_names, _ = data.battles
    first, second = as_label_column("data", first_names), as_label_column("data", second_names)
    if data.options or first.missing is not None or second.missing is not None:
        refuse_trust("battles in clusters, with weights or with missing names")
    fit = bradley_terry(*data.battles, **NO_WARNINGS)
    if np.isnan(fit.standard_error).any():
        refuse_trust("battles that do not lead from every model to every other one")
    names = (first.values, second.values)
    sides = [1.0 * (column.astype(str) == fit.names[0]) for column in names]
    nu = 2.0 * fit.n_ties / (fit.n - fit.n_ties)  # between equals, the odds of a tie are nu to 2

    def draw(rng: np.random.Generator, effect: float) -> tuple[Any, ...]:
        return *names, draw_outcomes(effect * (sides[0] - sides[1]), nu, rng)

    several = " with Bonferroni correction" if len(fit.names) > 2 else ""
    return DataDesign(
        draw=draw,
        test=smallest_pvalue,
        name=f"bradley_terry{several}",
        n=first.values.size,
        units="battles",
        scale=float(fit.pairwise(correction="none").standard_error.max()),
        most=MOST_STRENGTH_DIFFERENCE,
        quantity="strength",
        conditions=UNCHANGED,
        most_trials=MOST_TRIALS_OF_BATTLES,
        unknown=ONE_ORDER if in_one_order(*names) else "",
    )


def in_one_order(first: NDArray[Any], second: NDArray[Any]) -> bool:
    """Return whether most battles are of pairs shown less than three times in the other order."""
    orders = Counter(zip(first.tolist(), second.tolist(), strict=True))
    one_sided = sum(n for (a, b), n in orders.items() if orders[b, a] <= MOST_DOMINANT_UNITS)
    return 2 * one_sided > first.size


def smallest_pvalue(first: NDArray[Any], second: NDArray[Any], first_wins: Vector) -> float:
    """Return Bonferroni's p-value of all pairs; max-t takes 20 times longer."""
    pairs = bradley_terry(first, second, first_wins, **NO_WARNINGS).pairwise(correction="none")
    return min(1.0, float(pairs.pvalue.min()) * len(pairs.pairs))


def readers_design(data: Data) -> NoReturn:
    """Refuse: studies of readers have no simulation like the user's."""
    refuse_trust("reader studies, whose levels are in docs/evidence/readers.md")


def times_design(data: Data) -> NoReturn:
    """Refuse: times to an event have no simulation like the user's."""
    refuse_trust("times to an event, whose levels are in docs/evidence/survival.md")


CENTRED = (
    "{Units} are resampled from yours after shifting each model to a common mean, "
    "which keeps skewness and correlations but not rare values absent from your data."
)
EXCHANGED = (
    "{Units} are resampled from yours and the models' values exchanged at random within each, so "
    "differences are symmetric whatever their distribution in your data."
)
SHIFTED = (
    "{Units} are resampled from yours after shifting each model's positives to a common AUC, "
    "which keeps the shapes of curves and correlations but not rare values absent from your data."
)
CORRELATED_ROUNDS = "correlated as Nadeau and Bengio assume"
NORMAL_ROUNDS = (
    "Rounds are drawn from a normal distribution, {how}, whatever the distribution of yours."
)
MEANS = (paired_mean_test, mean_omnibus_test)  # of two models, and of several
RANKS = (wilcoxon_test, friedman_test)


MOST_DOMINANT_UNITS = 2  # units, one less than those that tell how often there are such
DOMINANT_SHARE = 0.75  # of the variance: two of ten normal units have more in 2% of samples
UNKNOWN = (
    "This type I error is uncertain itself: {reason}, and a feature of fewer than three in {n} "
    "{units} ({share:.2g}%) may be missing from a sample, or too frequent in it. The true rate may "
    "be several times higher."
)
ONE_ORDER = (
    "This type I error is unknown: most pairs of models were shown in one order, so a "
    "preference for the first one shown cannot be separated from strength. It may be up to 100%."
)


def unknown_level_note(table: Matrix, names: tuple[str, ...], groups: Any, units: str) -> str:
    """Return a sentence on why the type I error is unknown, '' if it is known.

    It is unknown if two units (items, or clusters by `groups`) make up most of the variance of a
    model's values, `table` (n, k), or if these do not vary. Right and wrong answers without
    clusters are tested exactly.
    """
    if groups is None and np.isin(table, (0.0, 1.0)).all():
        return ""
    rows = table
    if groups is not None:
        _, cluster_numbers = np.unique(np.asarray(groups), return_inverse=True)
        centred = table - table.mean(axis=0)
        sums = [np.bincount(cluster_numbers.ravel(), column) for column in centred.T]
        rows = np.stack(sums, axis=1)
    squares = np.sort((rows - rows.mean(axis=0)) ** 2, axis=0)
    total = squares.sum(axis=0)
    is_constant = total <= ROUNDING * float(np.abs(rows).max(initial=0.0)) ** 2 * len(rows)
    shares = np.divide(  # of the variance; 1 of a model that does not vary
        squares[-MOST_DOMINANT_UNITS:].sum(axis=0),
        total,
        out=np.ones_like(total),
        where=~is_constant,
    )
    most = int(np.argmax(shares))
    if len(rows) <= MOST_DOMINANT_UNITS or shares[most] <= DOMINANT_SHARE:
        return ""
    part = f"{100.0 * shares[most]:.0f}% of the variance of {names[most]}"
    reason = f"{MOST_DOMINANT_UNITS} {units} account for {part}"
    reason = f"{names[most]} does not vary" if is_constant[most] else reason
    return UNKNOWN.format(reason=reason, n=len(rows), units=units, share=300.0 / len(rows))


def mean_of_samples(scores: Matrix) -> Vector:
    """Return the means (n,) of the samples (n, s) of each row without NaN; NaN if all are NaN."""
    if scores.ndim == 1:
        return scores
    with np.errstate(invalid="ignore"):
        means: Vector = np.nansum(scores, axis=1) / np.count_nonzero(~np.isnan(scores), axis=1)
    return means


def table_of(data: Data) -> Matrix:
    """Return the rows without missing values as a table (n, k); samples of a row are averaged."""
    columns = [np.asarray(column, dtype=float) for column in data.columns.values()]
    table = np.column_stack([mean_of_samples(column) for column in columns])
    complete = ~np.isnan(table).any(axis=1)
    if "groups" in data.options and not complete.all():
        refuse_trust("clusters of which some rows miss a value")
    rows: Matrix = table[complete]
    return rows


def rows_design(
    data: Data,
    rows: Matrix,
    tests: tuple[Callable[..., Any], ...],
    units: str,
    quantity: str,
    *,
    ranks: bool = False,
) -> DataDesign:
    """Return the design of rows of scores (items, losses, data sets); the first model is shifted.

    `tests` are those of two models and of more. Values are exchanged between models if `ranks` are
    tested, or if all are 0 or 1; else models are shifted to one mean.
    """
    groups = data.options.get("groups")
    exchanges = ranks or bool(np.isin(rows, (0.0, 1.0)).all())  # a shift would not leave them so
    sample = Units.of(rows if exchanges else centre_columns(rows), groups)
    test_of_two, test_of_more = tests
    test = test_of_more if rows.shape[1] > 2 else test_of_two

    def draw(rng: np.random.Generator, effect: float) -> tuple[Any, ...]:
        """Return a resample of rows in which model 1 is better by `effect`, and each row's unit."""
        resampled, unit = sample.resample_rows(rng)
        table = sample.rows[resampled]
        if exchanges:
            table = exchange_models(table, unit, rng)
        table[:, 0] += effect
        return table, unit

    def pvalue(table: Matrix, unit: Integers) -> float:
        clusters = {} if groups is None else {"groups": unit}
        columns = (table[:, 0].copy(), table[:, 1].copy()) if rows.shape[1] == 2 else (table,)
        return float(test(*columns, **clusters, **NO_WARNINGS).pvalue)

    name = units if groups is None else "clusters"
    return DataDesign(
        draw=draw,
        test=pvalue,
        name=test.__name__,
        n=len(rows) if sample.members is None else len(sample.members),
        units=name,
        scale=exchanged_standard_error(rows) if exchanges else largest_standard_error(rows),
        most=math.inf,
        quantity=quantity,
        conditions=(EXCHANGED if exchanges else CENTRED).format(Units=name.capitalize()),
        unknown="" if ranks else unknown_level_note(rows, tuple(data.columns), groups, name),
    )


def resampled_design(
    builder: Callable[[Data], DataDesign], data: Data, rng: np.random.Generator
) -> DataDesign:
    """Return the design that `builder` makes of a sample of the rows, drawn with replacement.

    Clusters are drawn whole; cases without clusters as many of each class as there are.
    """
    groups = data.options.get("groups")
    columns = {name: np.asarray(column) for name, column in data.columns.items()}
    y = None if data.y_true is None else np.asarray(data.y_true)
    if groups is None and y is not None:
        classes = [np.flatnonzero(y == label) for label in np.unique(y)]
        rows = np.concatenate([rng.choice(of_class, of_class.size) for of_class in classes])
        unit = rows
    else:
        n = len(next(iter(columns.values())))
        no_values = np.empty((n, 0))  # the numbers of rows are drawn, and no values of them
        rows, unit = Units.of(no_values, groups).resample_rows(rng)
    fields: Any = {
        "columns": {name: column[rows] for name, column in columns.items()},
        "y_true": None if y is None else y[rows],
        "options": data.options if groups is None else {**data.options, "groups": unit},
    }
    return builder(replace(data, **fields))


def items_design(data: Data) -> DataDesign:
    """Return the design of scores of items."""
    if "sample_weight" in data.options:
        refuse_trust("weighted items")
    design = rows_design(data, table_of(data), MEANS, "items", "mean score")
    return replace(design, resample=partial(resampled_design, items_design, data))


def datasets_design(data: Data) -> DataDesign:
    """Return the design of scores of data sets."""
    quantity = "score of each data set"
    return rows_design(data, table_of(data), RANKS, "data sets", quantity, ranks=True)


def losses_design(data: Data) -> DataDesign:
    """Return the design of Brier scores; the effect is added to those of the first model."""
    y = positive_labels(data)
    rows = (table_of(data) - y[:, None]) ** 2
    design = rows_design(data, rows, MEANS, "cases", "mean Brier score")
    return replace(design, resample=partial(resampled_design, losses_design, data))


def positive_labels(data: Data) -> Vector:
    """Return 1 for cases of the larger label, 0 for the others; raise unless there are two."""
    labels = np.unique(np.asarray(data.y_true))
    if labels.size != 2 or len(data.y_true) != len(table_of(data)):
        refuse_trust("labels of more than two classes, or missing values")
    return np.asarray(np.asarray(data.y_true) == labels[1], dtype=float)


def labels_design(data: Data) -> DataDesign:
    """Return the design of right and wrong answers; the effect is the first's gain in accuracy."""
    y = np.asarray(data.y_true)
    rows = np.column_stack([np.asarray(column) == y for column in data.columns.values()])
    rows = rows.astype(float)
    groups = data.options.get("groups")
    units = Units.of(rows, groups)
    wrong = 1.0 - float(rows.mean())
    test = cochran_q_test if rows.shape[1] > 2 else mcnemar_test

    def draw(rng: np.random.Generator, effect: float) -> tuple[Any, ...]:
        """Return resampled answers, model 1 corrected to gain `effect`, and each row's unit."""
        resampled, unit = units.resample_rows(rng)
        table = exchange_models(rows[resampled], unit, rng)
        corrected = rng.random(len(table)) < effect / max(wrong, 1e-300)
        table[:, 0] = np.maximum(table[:, 0], corrected)
        return table.astype(bool), unit

    def pvalue(table: Matrix, unit: Integers) -> float:
        """Return McNemar's p-value for two models' answers, or Cochran's Q p-value for more."""
        more: Any = {} if groups is None else {"groups": unit}
        if table.shape[1] == 2:
            a, b = table.T.copy()
            return float(mcnemar_test(correct_a=a, correct_b=b, **more, **NO_WARNINGS).pvalue)
        return float(cochran_q_test(correct=table, **more, **NO_WARNINGS).pvalue)

    name = "cases" if groups is None else "clusters"
    n = len(rows) if units.members is None else len(units.members)
    size: Any = {"n": n, "units": name, "scale": exchanged_standard_error(rows), "most": wrong}
    meaning: Any = {"quantity": "accuracy", "conditions": EXCHANGED.format(Units=name.capitalize())}
    unknown = unknown_level_note(rows, tuple(data.columns), groups, name)
    resample = partial(resampled_design, labels_design, data) if groups is not None else None
    tested = DataDesign(draw, pvalue, test.__name__, **size, **meaning)
    return replace(tested, unknown=unknown, resample=resample)


def scores_design(data: Data) -> DataDesign:
    """Return the design of scores of cases, with a function for designs of resampled data."""
    return replace(ranks_design(data), resample=partial(resampled_design, scores_design, data))


def ranks_design(data: Data) -> DataDesign:
    """Return the design of normal scores of ranks; the first model's positives are shifted."""
    y = positive_labels(data).astype(np.int64)
    if "sample_weight" in data.options:
        refuse_trust("weighted cases")
    table, groups = table_of(data), data.options.get("groups")
    rows, is_equalised = with_equal_aucs(normal_ranks(table), y)
    units = Units.of(rows, groups)
    shifts, gains = auc_gain_by_shift(rows[:, :1] if is_equalised else rows, y)
    classes = [np.flatnonzero(y == label) for label in (1, 0)]
    fewest = min(of_class.size for of_class in classes)

    def draw(rng: np.random.Generator, effect: float) -> tuple[Any, ...]:
        """Return resampled labels, scores with model 1's AUC greater by `effect`, and units."""
        resampled, unit = units.resample_rows(rng)
        if groups is None:  # as many of each class as there are
            resampled = np.concatenate([rng.choice(cases, cases.size) for cases in classes])
        scores, labels = units.rows[resampled], y[resampled]
        scores = scores.copy() if is_equalised else exchange_models(scores, unit, rng)
        scores[:, 0] += np.interp(effect, gains, shifts) * labels
        return labels, scores, unit

    test = delong_omnibus_test if rows.shape[1] > 2 else delong_test
    return DataDesign(
        draw=draw,
        test=partial(scores_pvalue, clustered=groups is not None),
        name=test.__name__,
        n=fewest,
        units="cases of the rarer class",
        scale=auc_scale(rows, y, groups, fewest),
        most=float(gains[-1]),
        quantity="AUC",
        conditions=scores_explanation(is_equalised, clustered=groups is not None),
        unknown=unknown_auc_level_note(table, y, tuple(data.columns)),
    )


def scores_explanation(is_equalised: bool, *, clustered: bool) -> str:
    """Return the sentence on how the simulation changes scores."""
    units = "Clusters" if clustered else "Cases"
    return (SHIFTED if is_equalised else EXCHANGED).format(Units=units)


def auc_scale(rows: Matrix, y: Integers, groups: Any, fewest: int) -> float:
    """Return DeLong's standard error of the difference in AUC of the first two models.

    0 if no model differs from the first. If DeLong's is 0 or undefined though one does, half of the
    weight of one case of the rarer class, of which there are `fewest`.
    """
    if not exchanged_standard_error(rows):
        return 0.0
    error = delong_test(y, *rows[:, :2].T.copy(), groups=groups, **NO_WARNINGS).standard_error
    return float(np.nan_to_num(error)) or 0.5 / fewest


def with_equal_aucs(rows: Matrix, y: Integers) -> tuple[Matrix, bool]:
    """Return scores (n, k) shifted to a common AUC, and True.

    If no shift makes the AUCs equal, the scores as they are, and False.
    """
    shifted = with_common_auc(rows, y)
    if np.isnan(shifted).any():
        return rows, False
    return shifted, True


def unknown_auc_level_note(table: Matrix, y: Integers, names: tuple[str, ...]) -> str:
    """Return a sentence on why the type I error of AUCs is unknown, '' if it is known.

    The units are the cases of each class, their values the placements among the cases of the other
    class, whose variances make up that of the AUC; see `unknown_level_note`.
    """
    for label, name in ((1, "positives"), (0, "negatives")):
        of_class = table[y == label]
        other = np.sort(table[y != label], axis=0)
        placements = [  # twice the placements, in which ties count half
            np.searchsorted(others, scores, "left") + np.searchsorted(others, scores, "right")
            for others, scores in zip(other.T, of_class.T, strict=True)
        ]
        values = np.stack(placements, axis=1).astype(float)
        note = unknown_level_note(values, names, groups=None, units=name)
        if note:
            return note
    return ""


def scores_pvalue(labels: Integers, table: Matrix, unit: Integers, *, clustered: bool) -> float:
    """Return the p-value of DeLong's test of two models, or of the omnibus test of more."""
    more: Any = {"groups": unit} if clustered else {}
    if table.shape[1] > 2:
        columns = dict(zip(map(str, range(table.shape[1])), table.T.copy(), strict=True))
        return float(delong_omnibus_test(labels, columns, **more, **NO_WARNINGS).pvalue)
    a, b = table.T.copy()
    return float(delong_test(labels, a, b, **more, **NO_WARNINGS).pvalue)


def folds_design(data: Data) -> DataDesign:
    """Return the design of rounds: normal, and correlated as their sizes say if they share cases.

    Differences of two models have the standard deviation between rounds that the user's have.
    """
    rows = table_of(data)
    rounds, k = rows.shape
    if data.design == "5x2cv":
        refuse_trust("five two-fold cross-validations")
    shared = data.design != "independent"
    n_train, n_test = data.sizes or (1.0, 0.0)
    correlation = n_test / (n_train + n_test) if shared else 0.0  # between rounds
    deviation = float(np.mean((rows[:, :1] - rows[:, 1:]).std(axis=0, ddof=1)))
    if deviation <= ROUNDING * float(np.abs(rows).max()):
        deviation = 0.0
    error = deviation / math.sqrt(2.0 * (1.0 - correlation))  # of one model
    sizes: Any = {"n_train": n_train, "n_test": n_test} if shared else {}
    test_of_two: Any = ttest_corrected if shared else ttest_resampled

    def draw(rng: np.random.Generator, effect: float) -> tuple[Any, ...]:
        table = error * correlated_rounds(rng, rounds, k, correlation)
        table[:, 0] += effect
        return (table,)

    def pvalue(table: Matrix) -> float:
        if k > 2:
            return float(rm_anova_test(table, **sizes, **NO_WARNINGS).pvalue)
        return float(test_of_two(*table.T.copy(), **sizes, **NO_WARNINGS).pvalue)

    name = "rm_anova_test" if k > 2 else test_of_two.__name__
    scale = deviation * math.sqrt(1.0 / rounds + (n_test / n_train if shared else 0.0))
    size: Any = {"n": rounds, "units": "rounds", "scale": scale, "most": math.inf}
    how = CORRELATED_ROUNDS if shared else "independent of each other"
    meaning: Any = {"quantity": "mean score", "conditions": NORMAL_ROUNDS.format(how=how)}
    return DataDesign(draw, pvalue, name, **size, **meaning)
