"""A row of the table of rules: which test is right for data and a claim, and why.

Wrong tests are those that people take in place of the right one; their rates, in per cent at the 5%
level, say how often they reject a true null hypothesis. Those of docs/concepts/choosing.md are made
by `python -m studies.wrong_tests`, the others by the study that their page names.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

CHOOSING = "docs/concepts/choosing.md"
ALL_PAIRS = "unadjusted tests of all pairs at 5% each"


@dataclass(frozen=True)
class Wrong:
    """A wrong test, with its type I error in percent in a setting, and the source of both.

    `world` is the key of the design that simulates it; `found` are the powers of the right and of
    the wrong test, in percent.
    """

    test: str
    rate: float
    setting: str
    source: str = CHOOSING
    world: str = ""
    found: tuple[float, float] | None = None

    def __str__(self) -> str:
        """Return the sentence with the test's type I error, its setting, and its power if known."""
        where = f"{self.setting}; {self.source}"
        sentence = f"{self.test}, a type I error of {self.rate:g}% instead of 5% ({where})"
        if self.found is None:
            return sentence
        right, wrong = self.found
        return f"{sentence}; its power is {wrong:g}% where the recommended test has {right:g}%"


WRONG_TESTS = {
    "scores": Wrong(
        "delong_unpaired_test, as if the models had scored different cases",
        0.8,
        "100 cases a class",
        found=(79.3, 57.0),
    ),
    "scores of few cases": Wrong(
        "the normal reference in delong_test, as in pROC and most other code",
        7.3,
        "5 positives, 45 negatives",
    ),
    "scores in clusters": Wrong(
        "the test without `groups`, as if all cases were independent",
        21.0,
        "50 clusters of ten cases",
    ),
    "scores of several models": Wrong(ALL_PAIRS, 29.0, "five models, 100 cases a class"),
    "bootstrap": Wrong(
        "the percentile bootstrap, used because cases are few",
        11.2,
        "5 positives, AUCs of .6 and .8",
        "docs/evidence/auc_levels.md",
    ),
    "labels": Wrong(
        "a test of two proportions, as if the models had labelled different cases",
        2.0,
        "300 cases",
        found=(85.6, 79.0),
    ),
    "labels in clusters": Wrong(
        "the test without `groups`, as if all cases were independent",
        19.6,
        "50 clusters of ten cases",
    ),
    "labels of several models": Wrong(ALL_PAIRS, 29.9, "five models, 300 cases"),
    "probabilities": Wrong(
        "Welch's t-test of the losses, as if they were of different cases",
        0.0,
        "300 cases",
        found=(82.6, 22.7),
    ),
    "clustered losses": Wrong(
        "cluster-robust standard errors with the normal distribution",
        8.0,
        "10 equal clusters, Brier scores",
        "docs/evidence/clusters.md",
    ),
    "probabilities of several models": Wrong(ALL_PAIRS, 28.1, "five models, 300 cases"),
    "splits": Wrong(
        "Student's t-test of the splits (ttest_resampled)",
        59.5,
        "30 splits 2:1, nearest centroids",
        "docs/evidence/folds.md",
        world="rounds, t-test",
    ),
    "rounds": Wrong(
        "Wilcoxon's signed-rank test of the splits, which ignores their dependence",
        55.5,
        "100 splits 9:1",
    ),
    "repeats": Wrong(
        "Student's t-test of all folds of all repeats (ttest_kfold)",
        56.2,
        "10 times 10 folds, nearest centroids",
        "docs/evidence/folds.md",
        world="rounds, t-test",
    ),
    "kfold": Wrong(
        "Student's t-test of the folds (ttest_kfold)",
        12.1,
        "10 folds, nearest neighbours",
        "docs/evidence/folds.md",
        world="rounds, t-test",
    ),
    "halves": Wrong(
        "Student's t-test of the ten halves",
        44.6,
        "5x2cv, nearest centroids",
        "docs/evidence/folds.md",
    ),
    "anova": Wrong(
        "repeated-measures ANOVA without the correction for overlapping rounds",
        80.3,
        "three models, 30 splits 2:1, nearest centroids",
        "docs/evidence/folds.md",
    ),
    "rounds of several models": Wrong(
        "Friedman's test of the splits, as if they were data sets",
        71.7,
        "three models, 100 splits 9:1",
    ),
    "uneven": Wrong(
        "ANOVA without a sphericity correction",
        8.0,
        "30 rows, one model varies 5 times as much",
        "docs/evidence/folds.md",
    ),
    "rows": Wrong(
        "Welch's t-test, as if each model had rows of its own",
        0.6,
        "20 data sets",
        found=(80.1, 57.6),
    ),
    "rows of several models": Wrong(
        "unadjusted Wilcoxon tests of all pairs at 5% each",
        30.7,
        "five models, 20 data sets",
    ),
    "items": Wrong(
        "Welch's t-test, or overlap of two intervals, as if the items were different",
        0.5,
        "200 items",
        found=(79.5, 52.4),
    ),
    "items in clusters": Wrong(
        "the test without `groups`, as if all items were independent",
        32.7,
        "50 clusters of ten items",
    ),
    "items of several models": Wrong(ALL_PAIRS, 28.6, "five models, 200 items"),
    "battles": Wrong(
        "a comparison of win rates that ignores the opponents",
        50.9,
        "400 battles, one model meets the weaker opponents in 70% of its own",
    ),
    "readers": Wrong(
        'a test of these readers alone (random="cases"), as if there were no others',
        13.3,
        "3 readers, 50 + 50 cases, AUCs of .85",
        "docs/evidence/readers.md",
    ),
    "seeds": Wrong(
        'a paired t-test of the seeds\' AUCs (random="readers"), as if there were no other cases',
        19.8,
        "10 seeds, 50 + 50 cases, AUCs of .85",
        "docs/evidence/readers.md",
    ),
    "times": Wrong(
        'the infinitesimal jackknife with the normal distribution (reference="normal")',
        8.8,
        "5 events, C of .6 to .97",
        "docs/evidence/survival.md",
    ),
    "censored": Wrong(
        "Harrell's C, whose limit depends on censoring",
        60.2,
        "1,000 cases, 40% censored, models that err at different times",
        "docs/evidence/survival.md",
    ),
    "scores of own cases": Wrong(
        "overlap of the two models' 95% intervals",
        0.7,
        "100 cases a class",
        found=(79.5, 50.9),
    ),
    "labels of own cases": Wrong(
        'Wald\'s test of two proportions (variance="unpooled")',
        36.6,
        "20 + 200 cases, both models right on 95%",
    ),
    "own rows": Wrong(
        "Student's t-test for equal variances, or one-way ANOVA",
        17.6,
        "10 + 40 rows, the fewer vary twice as much",
    ),
    "unpaired anova": Wrong(
        "one-way ANOVA with unequal variances",
        8.1,
        "30 rows, one model varies 5 times as much",
        "docs/evidence/folds.md",
    ),
}
WRONG = {
    name: replace(wrong, world=name) if wrong.source == CHOOSING else wrong
    for name, wrong in WRONG_TESTS.items()
}


ROLES = {
    "test": "the test to report",
    "omnibus": "omnibus test: are there any differences?",
    "post-hoc": "pairwise comparisons: which models differ?",
    "instead": "an alternative",
    "question": "for another question",
    "check": "to check an assumption",
    "collect": "for that claim, collect other data",
}
FEW_CASES_OF_CLASS = 30  # below which DeLong's normal approximation is called rough
UNLIMITED = 1 << 62
TWO_OR_MORE = (2, UNLIMITED)  # models
SEVERAL = (3, UNLIMITED)  # models, for omnibus tests and tests of all pairs
SAMPLED_CASES = "the cases are a random sample of the population the claim is about"
HELD_OUT = "each model was fitted once, on other cases"
SAMPLED_ITEMS = "the items are a random sample of those the claim is about"
IN_CLUSTERS = {  # the same assumptions, about clusters
    SAMPLED_CASES: SAMPLED_CASES.replace("the cases", "the clusters"),
    SAMPLED_ITEMS: SAMPLED_ITEMS.replace("the items", "the clusters"),
}


@dataclass(frozen=True, kw_only=True)
class Rule:
    """When a test is right, how to call it, why, its assumptions, and tests mistaken for it."""

    test: str
    call: str
    role: str
    reason: str
    assumes: tuple[str, ...]
    reference: str
    parametric: bool = False
    wrong: str = ""  # a key of `WRONG`
    kinds: tuple[str, ...]
    designs: tuple[str, ...] = ()  # () is all of the kind
    models: tuple[int, int] = (2, 2)
    rows: tuple[int, int] = (0, UNLIMITED)
    unknown: bool = True  # whether the rule is for an unknown number of rows, too
    paired: bool = True
    claims: tuple[str, ...] = ()  # () is the claim that data of the kind can support

    def assumed(self, design: str) -> tuple[str, ...]:
        """Return the assumptions; for clustered rows those about cases are about clusters."""
        if design != "clusters":
            return self.assumes
        return tuple(IN_CLUSTERS.get(text, text) for text in self.assumes)

    @property
    def instead(self) -> Wrong | None:
        """The test that people take by mistake, and how often it errs; None if none is known."""
        return WRONG[self.wrong] if self.wrong else None


def rule(call: str, *, role: str = "test", kinds: tuple[str, ...] = (), **fields: Any) -> Rule:
    """Return the rule of a test, whose name is taken from its call."""
    test = call.removeprefix("fastcompare.").partition("(")[0]
    return Rule(test=test, call=call, role=role, kinds=kinds, **fields)


of_cases = partial(rule, assumes=(SAMPLED_CASES, HELD_OUT))
