"""Probabilities that models give to the same cases: proper losses, calibration, net benefit.

A rule turns the probabilities of a case and its class into a loss: the lower, the better. With S_a
and S_b the losses of two models, the differences S_a - S_b of the cases are tested.
"""

from .. import _open_family

CALLS = {  # what a reader wants, and how to get it: the table of docs/functions.md
    "two models' probabilities, or k": (
        "`scoring_test`, `scoring_pairwise_test`, `net_benefit_test`"
    ),
    "one model's probabilities": (
        "`brier_score`, `log_loss`, `brier_skill_score`, `brier_decomposition`, "
        "`calibration_error`, `calibration_test`, `spiegelhalter_test`, `net_benefit`, "
        "`scoring_interval`"
    ),
}

__all__, __getattr__, __dir__ = _open_family(__name__)
