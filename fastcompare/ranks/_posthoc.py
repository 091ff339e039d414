"""The post-hoc tests of models on many data sets by name, and what each is for."""

from collections.abc import Callable
from functools import partial
from typing import Any

from .._base.lazy import public_function

PostHocTest = Callable[..., Any]

POSTHOC: dict[str, tuple[PostHocTest, str]] = {
    "nemenyi": (
        public_function("nemenyi_test"),
        "Nemenyi's test compares all pairs by the distribution of the largest difference, with one "
        "critical difference for all.",
    ),
    "shaffer": (
        partial(public_function("friedman_pairwise_test"), correction="shaffer"),
        "Shaffer's correction for all pairs uses the logical relations between their hypotheses.",
    ),
    "bergmann-hommel": (
        partial(public_function("friedman_pairwise_test"), correction="bergmann-hommel"),
        "Bergmann and Hommel's correction for all pairs is the most powerful one here; it "
        "enumerates all sets of hypotheses that can be true together.",
    ),
    "holm": (
        partial(public_function("friedman_pairwise_test"), correction="holm"),
        "Holm's correction of the tests of all pairs needs no assumption about their dependence.",
    ),
    "conover": (
        partial(public_function("conover_test"), correction="holm"),
        "Conover's test of all pairs has more power if data sets agree; the preceding Friedman "
        "test protects its level.",
    ),
    "wilcoxon": (
        partial(public_function("wilcoxon_pairwise_test"), correction="holm"),
        "Wilcoxon's test of each pair, with Holm's correction, does not depend on which other "
        "models are in the table.",
    ),
    "sign": (
        partial(public_function("sign_pairwise_test"), correction="holm"),
        "The sign test of each pair, with Holm's correction, counts on how many data sets each "
        "model is better, whatever the sizes of the differences.",
    ),
}
CONTROL_REASON = (
    "Only pairs with the control are tested, which has more power than to test all pairs: "
)
AGAINST_CONTROL: dict[str, tuple[PostHocTest, str]] = {
    "holm": (
        partial(public_function("control_test"), correction="holm"),
        CONTROL_REASON + "z tests of their average ranks, with Holm's correction.",
    ),
    "bonferroni-dunn": (
        partial(public_function("control_test"), correction="bonferroni-dunn"),
        CONTROL_REASON + "Bonferroni and Dunn's test, which has one critical difference for all.",
    ),
    "wilcoxon": (
        partial(public_function("wilcoxon_pairwise_test"), correction="holm"),
        CONTROL_REASON
        + "Wilcoxon's test of each, with Holm's correction, does not depend on which other "
        "models are in the table.",
    ),
    "sign": (
        partial(public_function("sign_pairwise_test"), correction="holm"),
        CONTROL_REASON
        + "the sign test of each, with Holm's correction, counts on how many data sets the "
        "control is better.",
    ),
}
