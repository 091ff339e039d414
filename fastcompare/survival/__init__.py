"""Times to an event, with censoring: concordance, AUC and Brier score at a horizon."""

from .. import _open_family

CALLS = {  # what a reader wants, and how to get it: the table of docs/functions.md
    "one concordance (C-index), Harrell's or Uno's, with an interval; those of k models": (
        "`concordance`, `concordance_interval`, `concordance_covariance`"
    ),
    "two models, same cases ([levels](evidence/survival.md))": "`concordance_test`",
    "two models, few events: concordance, AUC or Brier score at a horizon": (
        "`permutation_survival_test`"
    ),
    "k models, same cases": "`concordance_omnibus_test`, `concordance_pairwise_test`",
    "the AUC at a horizon: who has an event by then ([levels](evidence/survival_horizons.md))": (
        "`auc_at_interval`, `auc_at_test`, `auc_at_pairwise_test`"
    ),
    "the Brier score of predicted probabilities of an event by a horizon": (
        "`survival_brier_interval`, `survival_brier_test`, `survival_brier_pairwise_test`"
    ),
    ("calibration at a horizon: observed rates by predicted probability, observed over expected"): (
        "`survival_calibration`, `plots.reliability` of it"
    ),
    "several horizons at once: bands, adjusted p-values": (
        "a list as `horizon=`, `confidence_interval(simultaneous=True)`"
    ),
}

__all__, __getattr__, __dir__ = _open_family(__name__)
