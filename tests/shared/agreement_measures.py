"""The functions of two models' agreement, and the example of the documents."""

import fastcompare as fc

T = [[150, 25], [15, 10]]  # FORMULAS.md
SINGLE = {
    "disagreement": fc.disagreement,
    "cohen_kappa": fc.cohen_kappa,
    "yule_q": fc.yule_q,
    "correlation": fc.error_correlation,
    "double_fault": fc.double_fault,
}


def quiet(measure, *arguments, **options):
    """One measure, without warnings."""
    return SINGLE[measure](*arguments, on_undefined="ignore", **options)
