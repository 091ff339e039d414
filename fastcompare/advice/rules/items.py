"""Rules for scores of items, as of evaluations of language models.

Rules for battles: which of two models won, in arenas and tournaments.
"""

from ..rule import MANY, Rule
from .scores import FREEDOM

MILLER = "Miller (2024), doi:10.48550/arXiv.2411.00640"
KIND = ("items",)
SEVERAL = (3, MANY)
PLAIN = ("independent", "weights")
APART = "the items are independent draws from those that the claim is about"
NORMAL = "so many items that the mean difference is nearly normal"

ITEMS = (
    Rule(
        kinds=KIND,
        designs=PLAIN,
        test="paired_mean_test",
        call="fastcompare.paired_mean_test(scores_a, scores_b)",
        role="test",
        reason="Two models on the same items: differences item by item, so that hard items are no "
        "noise. Samples of an item are averaged, and never count as items.",
        assumes=(APART, NORMAL),
        reference=MILLER,
        parametric=True,
        wrong="items",
    ),
    Rule(
        kinds=KIND,
        designs=PLAIN,
        test="paired_mean_test",
        call='fastcompare.paired_mean_test(scores_a, scores_b, method="sign-flip", rng=0)',
        role="instead",
        reason="For few items: it flips the signs of the differences and assumes no distribution.",
        assumes=(APART, "without a difference the differences are symmetric around 0"),
        reference="Phipson, Smyth (2010), doi:10.2202/1544-6115.1585",
        wrong="items",
    ),
    Rule(
        kinds=KIND,
        designs=("independent",),
        test="mcnemar_test",
        call="fastcompare.mcnemar_test(correct_a=right_a, correct_b=right_b)",
        role="instead",
        reason="Where each item is right or wrong: exact for few discordant items.",
        assumes=(APART,),
        reference="McNemar (1947), doi:10.1007/BF02295996",
        wrong="items",
    ),
    Rule(
        kinds=KIND,
        designs=("clusters",),
        test="paired_mean_test",
        call="fastcompare.paired_mean_test(scores_a, scores_b, groups=groups)",
        role="test",
        reason="Items of one cluster, as questions on one passage, are alike: clusters count, "
        "items do not.",
        assumes=("the clusters are independent", FREEDOM),
        reference="Pustejovsky, Tipton (2018), doi:10.1080/07350015.2016.1247004",
        parametric=True,
        wrong="clustered items",
    ),
    Rule(
        kinds=KIND,
        designs=("independent", "clusters", "weights"),
        models=SEVERAL,
        test="mean_omnibus_test",
        call="fastcompare.mean_omnibus_test(scores)",
        role="omnibus",
        reason="Three models and more are tested together, which tells whether any means differ; "
        "the tests of pairs keep their level without it.",
        assumes=(APART, NORMAL, "more items, or clusters, than models"),
        reference="Huynh, Feldt (1976), doi:10.3102/10769986001001069",
        parametric=True,
        wrong="several items",
    ),
    Rule(
        kinds=KIND,
        designs=("independent", "clusters", "weights"),
        models=SEVERAL,
        test="mean_pairwise_test",
        call="fastcompare.mean_pairwise_test(scores)",
        role="post-hoc",
        reason="All pairs by paired t-tests, corrected by the distribution of the largest, or by "
        "Shaffer's or Holm's correction where items or clusters are few.",
        assumes=(APART, NORMAL),
        reference="Hasler, Hothorn (2008), doi:10.1002/bimj.200710466",
        parametric=True,
        wrong="several items",
    ),
    Rule(
        kinds=KIND,
        designs=("independent", "clusters", "weights"),
        models=(2, MANY),
        test="leaderboard",
        call="fastcompare.leaderboard(scores)",
        role="question",
        reason="Which ranks each model may have: a ranking with its uncertainty.",
        assumes=(APART, NORMAL),
        reference="Mogstad et al. (2024), doi:10.1093/restud/rdad006",
        wrong="several items",
    ),
    Rule(
        kinds=KIND,
        designs=("independent",),
        paired=False,
        models=(2, MANY),
        test="ttest_unpaired",
        call="fastcompare.ttest_unpaired(scores_1, scores_2)",
        role="test",
        reason="Each model answered items of its own: Welch's t-test; of several models the pairs, "
        "with adjust_pvalues. How hard the items are counts as noise: ask all models the same.",
        assumes=(APART, "means of scores are nearly normal"),
        reference="Welch (1947), doi:10.1093/biomet/34.1-2.28",
        parametric=True,
        wrong="own rows",
    ),
    Rule(
        kinds=KIND,
        designs=("independent", "clusters", "weights"),
        models=(1, 1),
        test="mean_interval",
        call="fastcompare.mean_interval(scores)",
        role="test",
        reason="One model: its mean score with an interval.",
        assumes=(APART, "so many items that the mean is nearly normal"),
        reference=MILLER,
        parametric=True,
    ),
)


BRADLEY = "Bradley, Terry (1952), doi:10.2307/2334029"
ONE_STRENGTH = "one strength a model, whoever it meets"

BATTLES = (
    Rule(
        kinds=("battles",),
        designs=("independent", "weights"),
        models=(2, MANY),
        test="bradley_terry",
        call="fastcompare.bradley_terry(model_a, model_b, outcome)",
        role="test",
        reason="Battles tell who won against whom, so strengths account for the opponents. "
        "`pairwise()` of the result tests all pairs, corrected by the distribution of the largest "
        "difference: no test of all together has to come first.",
        assumes=("battles are independent", ONE_STRENGTH),
        reference=BRADLEY,
        parametric=True,
        wrong="battles",
    ),
    Rule(
        kinds=("battles",),
        designs=("clusters",),
        models=(2, MANY),
        test="bradley_terry",
        call="fastcompare.bradley_terry(model_a, model_b, outcome, groups=groups)",
        role="test",
        reason="Battles of one judge, or on one prompt, are alike: clusters count, battles do not. "
        "`pairwise()` of the result tests all pairs with a correction for their number.",
        assumes=(
            "the clusters are independent",
            "5 clusters or more, none of which holds half the battles",
            ONE_STRENGTH,
        ),
        reference="Liang, Zeger (1986), doi:10.1093/biomet/73.1.13",
        parametric=True,
        wrong="battles",
    ),
)
