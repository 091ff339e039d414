"""Scores by data set: SciPy, scikit-posthocs, autorank, baycomp and R's stats."""

import autorank
import baycomp
import numpy as np
import pandas as pd
import scikit_posthocs as posthocs
from scipy import stats

import fastcompare as fc

from .check import Check, in_r

TIES = (
    "where differences tie, R takes the normal distribution with a correction for continuity, and "
    'SciPy without; the default here counts exactly, `method="normal"` gives SciPy\'s number'
)


def checks():
    """Yield what is compared of data sets."""
    table = pd.DataFrame(dict(fc.load_dataset_scores().scores))
    yield from ranks(table)
    yield from pairs_of_ranks(table)
    names = ("random_forest", "decision_tree", "logistic_regression")
    forest, tree, logistic = (table[name].to_numpy() for name in names)
    yield from two(forest, tree)
    yield from posteriors(forest, logistic)


def ranks(table):
    """Yield tests of all models together."""
    own = fc.friedman_test(table)
    chi2 = fc.friedman_test(table, method="chi2")
    numbers = [chi2.statistic, chi2.pvalue]
    yield Check(
        "friedman_test",
        "SciPy",
        "friedmanchisquare",
        numbers,
        list(stats.friedmanchisquare(*table.to_numpy().T)),
    )
    yield Check(
        "friedman_test",
        "R",
        "friedman.test",
        numbers,
        in_r("{t <- friedman.test(x); c(t$statistic, t$p.value)}", x=table),
    )
    theirs = autorank.autorank(table, force_mode="nonparametric")
    yield Check(
        "friedman_test",
        "autorank",
        "autorank(force_mode=…).pvalue",
        own.pvalue,
        theirs.pvalue,
        "autorank uses chi-squared; the default here is F (Iman and Davenport 1980), which keeps "
        'its level better; `method="chi2"` gives its number',
    )
    yield Check(
        "nemenyi_test",
        "autorank",
        "autorank(force_mode=…).cd",
        fc.nemenyi_test(table).critical_difference,
        theirs.cd,
        "autorank uses statsmodels' approximation of the studentized range; here it is integrated",
    )
    own = fc.quade_test(table)
    yield Check(
        "quade_test",
        "R",
        "quade.test",
        [own.statistic, own.pvalue],
        in_r("{t <- quade.test(x); c(t$statistic, t$p.value)}", x=table),
    )


def upper(square):
    """Return what stands above the diagonal, pair by pair."""
    square = np.asarray(square)
    return square[np.triu_indices(len(square), 1)]


def pairs_of_ranks(table):
    """Yield tests of all pairs, without a correction where there is a choice."""
    yield Check(
        "nemenyi_test",
        "scikit-posthocs",
        "posthoc_nemenyi_friedman",
        fc.nemenyi_test(table).adjusted_pvalue,
        upper(posthocs.posthoc_nemenyi_friedman(table.to_numpy())),
    )
    yield Check(
        "conover_test",
        "scikit-posthocs",
        "posthoc_conover_friedman",
        fc.conover_test(table, correction="none").pvalue,
        upper(posthocs.posthoc_conover_friedman(table.to_numpy())),
    )
    yield Check(
        "friedman_pairwise_test",
        "scikit-posthocs",
        "posthoc_siegel_friedman",
        fc.friedman_pairwise_test(table, correction="none").pvalue,
        upper(posthocs.posthoc_siegel_friedman(table.to_numpy())),
    )


def two(a, b):
    """Yield tests of two columns."""
    theirs = stats.wilcoxon(a, b).pvalue
    own = fc.wilcoxon_test(a, b, method="normal").pvalue
    yield Check("wilcoxon_test", "SciPy", "wilcoxon", own, theirs)
    own = fc.wilcoxon_test(a, b).pvalue
    in_words = "wilcox.test(a, b, paired=TRUE)"
    theirs = in_r(f"suppressWarnings({in_words}$p.value)", a=a, b=b)
    yield Check("wilcoxon_test", "R", in_words, own, theirs, TIES)
    wins, losses = int((a > b).sum()), int((a < b).sum())
    yield Check(
        "sign_test",
        "SciPy",
        "binomtest",
        fc.sign_test(a, b).pvalue,
        stats.binomtest(wins, wins + losses).pvalue,
    )


def posteriors(a, b):
    """Yield how probable it is that a model is better."""
    for function, test in (("bayes_sign", "SignTest"), ("bayes_signed_rank", "SignedRankTest")):
        own = getattr(fc, function)(a, b, rope=0.01)
        np.random.seed(1)  # noqa: NPY002, baycomp draws from there
        yield Check(
            function,
            "baycomp",
            f"{test}.probs",
            [own.probability_a, own.probability_rope, own.probability_b],
            getattr(baycomp, test).probs(a, b, rope=0.01),
            "baycomp draws 50,000 samples of the posterior, which limits the digits",
        )
