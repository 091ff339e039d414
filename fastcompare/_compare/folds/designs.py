"""Designs of rounds, and warnings where a test is not valid for the one it is told of."""

from typing import Literal, NamedTuple

from ..._base.exceptions import DesignWarning, warn
from ..._inputs.options import check_choice

DesignName = Literal["independent", "kfold", "repeated-kfold", "resampled", "5x2cv"]
MOST_FOLDS = 20  # of one cross-validation, before it is asked whether they are several
SPLITS = ("resampled", "repeated-kfold", "kfold")  # designs whose rounds share cases


class Design(NamedTuple):
    """What a design is, and which function is valid for it."""

    meaning: str
    instead: str


DESIGNS = {
    "independent": Design("rounds that share no cases", "ttest_resampled"),
    "kfold": Design("one k-fold cross-validation", "ttest_corrected"),
    "repeated-kfold": Design("several k-fold cross-validations of one data set", "ttest_corrected"),
    "resampled": Design("random splits of one data set", "ttest_corrected"),
    "5x2cv": Design("five two-fold cross-validations", "ftest_5x2cv"),
}


def heed_design(
    test: str,
    design: str | None,
    valid: tuple[str, ...],
    *,
    instead: str | None = None,
) -> None:
    """Warn if `test` is not valid for the design, where one is told."""
    if design is None:
        return
    check_choice("design", design, DESIGNS)
    if design not in valid:
        told, fit = DESIGNS[design], " or ".join(DESIGNS[word].meaning for word in valid)
        warn(
            f"{test} is for {fit}, not for {told.meaning} (design={design!r}): its p-value does "
            f"not hold what it says. {instead or f'Use {told.instead}'}.",
            DesignWarning,
        )


def heed_many_folds(rounds: int) -> None:
    """Warn of more rounds than one cross-validation usually has folds."""
    if rounds <= MOST_FOLDS:
        return
    warn(
        f"ttest_kfold is for one k-fold cross-validation, and {rounds} rounds are many for that. "
        "If they are repeated folds or random splits of one data set, their p-value is far too "
        "small: use ttest_corrected with `n_train` and `n_test`. If not, say design='kfold' or "
        "design='independent'.",
        DesignWarning,
    )


def heed_splits(test: str, design: str | None, rounds: int, n_train: float, n_test: float) -> None:
    """Warn if the design contradicts a corrected test or the sizes."""
    heed_design(test, design, SPLITS)
    heed_folds(design, rounds, n_train, n_test)


def heed_swapped(n_train: float, n_test: float) -> None:
    """Warn of rounds that test on more cases than they train on."""
    if n_test > n_train:
        warn(
            f"`n_test` ({n_test:g}) is larger than `n_train` ({n_train:g}): are they swapped? The "
            "correction takes a round to train on `n_train` cases and to test on `n_test`.",
            DesignWarning,
        )


def heed_folds(design: str | None, rounds: int, n_train: float, n_test: float) -> None:
    """Warn if the sizes contradict a k-fold cross-validation, or look swapped."""
    if design is None:
        heed_swapped(n_train, n_test)
    if design not in ("kfold", "repeated-kfold"):
        return
    n = n_train + n_test
    k = max(2, round(n / n_test))
    fits = abs(n_test - n / k) < 1.0  # folds of n cases differ by one case at most
    fits &= rounds == k if design == "kfold" else rounds % k == 0
    if not fits:
        warn(
            f"design={design!r} contradicts {rounds} rounds with `n_train` {n_train:g} and "
            f"`n_test` {n_test:g}: k folds have n_test / (n_train + n_test) = 1 / k, and "
            + ("k rounds." if design == "kfold" else "a multiple of k rounds."),
            DesignWarning,
        )
