"""Data of a known kind, with their options checked and the sizes of rounds."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._base.text import show_count
from .._inputs.roles.kinds import check_design, refuse_groups, refuse_options, refuse_unspecified
from .._inputs.roles.question import EXAMPLE_OF_SIZES
from .data import Arguments, Data
from .kinds import DESIGN_MEANINGS, DESIGNS, KINDS

DESIGN_OF = {"groups": "clusters", "sample_weight": "weights"}  # the design that an option implies


def check_data(
    arguments: Arguments, kind: str, columns: Mapping[str, Any], why: Sequence[str], **more: Any
) -> Data:
    """Return data of a known kind with checked options; `more` are further fields of the data."""
    refuse_options(kind, arguments.passed, KINDS[kind].options)
    options = {name: arguments.options[name] for name in DESIGN_OF if name in arguments.options}
    implied = (DESIGN_OF[name] for name in options if DESIGN_OF[name] in DESIGNS[kind])
    specified = arguments.options.get("design", next(implied, None))
    design = check_design(specified, kind, DESIGNS)
    if design == "independent" and "groups" in options:
        refuse_groups(design)
    for option, needs in DESIGN_OF.items():
        if design == needs and option not in options and not arguments.advice:
            refuse_unspecified(design, option)
    default = " (the default)" if specified is None else ""
    meaning = DESIGN_MEANINGS.get(design, "")
    how = f"Design: {design!r}{default}{': ' if meaning else ''}{meaning}."
    return Data(
        kind=kind,
        design=design,
        columns=columns,
        decisions=(*why, how),
        **{"options": options, **more},
    )


def rounds_data(arguments: Arguments, columns: Mapping[str, Any], why: Sequence[str]) -> Data:
    """Return scores by round with their sizes.

    Without sizes if rounds are independent, or for advice on rounds whose sizes are not specified.
    """
    sized = {"n_train", "n_test", "cv"} & set(arguments.options)
    if arguments.options.get("design") == "independent" or (arguments.advice and not sized):
        return check_data(arguments, "folds", columns, why)
    if arguments.options.get("design") == "kfold" and not sized:
        return one_cross_validation(arguments, columns, why)
    from .._inputs.rounds import as_sizes  # which no other data need

    sizes = as_sizes(*map(arguments.options.get, ("n_train", "n_test", "cv", "design")))
    units = "cases" if "cv" not in arguments.options else "parts (by `cv`)"
    n_train, n_test = map(show_count, (sizes.n_train, sizes.n_test))
    ratio = f"Each round has {n_train} training and {n_test} test {units}."
    if "cv" not in arguments.options and may_be_ratio(sizes.n_train, sizes.n_test):
        ratio = f"The training and test sets of each round are in the ratio {n_train} : {n_test}."
    with_sizes = arguments.with_options(design=sizes.design)
    return check_data(
        with_sizes, "folds", columns, (*why, ratio), sizes=(sizes.n_train, sizes.n_test)
    )


def may_be_ratio(n_train: float, n_test: float) -> bool:
    """Return whether sizes are those that questions about rounds offer, for their ratio alone."""
    return n_test == 1 or {"n_train": n_train, "n_test": n_test} == EXAMPLE_OF_SIZES


def one_cross_validation(
    arguments: Arguments, columns: Mapping[str, Any], why: Sequence[str]
) -> Data:
    """Return the scores of the k folds of one cross-validation, whose ratio of sizes is 1/(k-1)."""
    k = len(np.asarray(next(iter(columns.values()))))
    ratio = f"The rows are the {k} folds of one cross-validation: the ratio of sizes is 1/{k - 1}."
    return check_data(arguments, "folds", columns, (*why, ratio), sizes=(float(max(k - 1, 1)), 1.0))
