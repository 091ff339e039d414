"""Scores per item of models that answered the same items: means, differences, ranks; battles."""

from .. import _open_family

CALLS = {  # what a reader wants, and how to get it: the table of docs/functions.md
    "two models' scores, or one's ([levels](evidence/items.md))": (
        "`paired_mean_test`, `mean_interval`"
    ),
    (
        "two forecasts in time order: Diebold and Mariano's test, [what it "
        "computes](items.md#forecasts-in-time-order-diebold-and-mariano)"
    ): ("`paired_mean_test(lags=)` of their losses"),
    (
        "ratios of sums over items: micro-F1, precision, recall, pooled IoU, word error rates "
        "([levels](evidence/ratios.md))"
    ): ("`ratio_test`, `ratio_interval`, `ratio_pairwise_test`"),
    (
        "k models' scores: ranks with joint confidence, pairwise and omnibus tests; from "
        "long tables"
    ): (
        "`leaderboard` ([error rates](evidence/leaderboards.md)), `from_long`, "
        "`mean_pairwise_test`, `mean_omnibus_test`, `mean_covariance`"
    ),
    "the scores in logs of evaluation harnesses": "`read_evals`",
    "how many items to collect": ("`mean_power`, `mean_sample_size`, `mean_detectable_difference`"),
    "the probability that one of k samples is right, or all": "`pass_at_k`, `pass_all_k`",
    (
        "strengths from battles (arenas, tournaments), with ties, an order effect, and "
        "judges or prompts as clusters"
    ): ("`bradley_terry`"),
}

__all__, __getattr__, __dir__ = _open_family(__name__)
