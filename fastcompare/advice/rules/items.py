"""Rules for scores of items, as of evaluations of language models, and for battles."""

from ..rule import SAMPLED_ITEMS, SEVERAL, TWO_OR_MORE, rule
from .scores import FREEDOM

MILLER = "Miller (2024), doi:10.48550/arXiv.2411.00640"
PLAIN = ("independent", "weights")
NORMAL = "enough items for an approximately normal mean difference"

ITEMS = (
    rule(
        designs=PLAIN,
        call="fastcompare.paired_mean_test(scores_a, scores_b)",
        reason="Two models on the same items: paired differences remove the variation between "
        "items. Repeated samples of an item are averaged and never count as items.",
        assumes=(SAMPLED_ITEMS, NORMAL),
        reference=MILLER,
        parametric=True,
        wrong="items",
    ),
    rule(
        designs=PLAIN,
        call='fastcompare.paired_mean_test(scores_a, scores_b, method="sign-flip", rng=0)',
        role="instead",
        reason="For few items: a distribution-free sign-flip test.",
        assumes=(SAMPLED_ITEMS, "under the null hypothesis the differences are symmetric around 0"),
        reference="Phipson, Smyth (2010), doi:10.2202/1544-6115.1585",
        wrong="items",
    ),
    rule(
        designs=("independent",),
        call="fastcompare.paired_mean_test(scores_a, scores_b, lags=1)",
        role="question",
        reason=(
            "Diebold-Mariano: for forecasts in time order, pass the losses of each forecast (their "
            "squared errors, say). The errors of forecasts h steps ahead correlate up to h - 1 "
            "places apart, which are the lags."
        ),
        assumes=(
            "the loss differences are stationary, and uncorrelated beyond the lags",
            "enough forecasts for an approximately normal mean difference",
        ),
        reference="Harvey, Leybourne, Newbold (1997), doi:10.1016/S0169-2070(96)00719-4",
        parametric=True,
    ),
    rule(
        designs=("independent", "clusters", "weights"),
        call="fastcompare.ratio_test(numerators_a, denominators_a, numerators_b, denominators_b)",
        role="question",
        reason="Ratios of sums over items: micro-averaged F1, precision and recall from counts of "
        "each document, pooled overlap (IoU), word error rates.",
        assumes=(SAMPLED_ITEMS, "no item has much of the denominators"),
        reference="Pustejovsky, Tipton (2018), doi:10.1080/07350015.2016.1247004",
        parametric=True,
    ),
    rule(
        designs=("independent", "clusters", "weights"),
        models=SEVERAL,
        call="fastcompare.ratio_pairwise_test(numerators, denominators)",
        role="question",
        reason="Ratios of sums over items, such as micro-averaged F1 or word error rates.",
        assumes=(SAMPLED_ITEMS, "no item has much of the denominators"),
        reference="Pustejovsky, Tipton (2018), doi:10.1080/07350015.2016.1247004",
        parametric=True,
    ),
    rule(
        designs=("independent",),
        call="fastcompare.mcnemar_test(correct_a=right_a, correct_b=right_b)",
        role="instead",
        reason="If each item is correct or wrong: exact for few discordant items.",
        assumes=(SAMPLED_ITEMS,),
        reference="McNemar (1947), doi:10.1007/BF02295996",
        wrong="items",
    ),
    rule(
        designs=("clusters",),
        call="fastcompare.paired_mean_test(scores_a, scores_b, groups=groups)",
        reason="Items in a cluster (questions on one passage) are correlated: the effective "
        "sample size is the number of clusters.",
        assumes=("the clusters are independent", FREEDOM),
        reference="Pustejovsky, Tipton (2018), doi:10.1080/07350015.2016.1247004",
        parametric=True,
        wrong="items in clusters",
    ),
    rule(
        designs=("independent", "clusters", "weights"),
        models=SEVERAL,
        call="fastcompare.mean_omnibus_test(scores)",
        role="omnibus",
        reason="Omnibus test of three or more models: whether any means differ. The pairwise "
        "tests control the family-wise error rate without it.",
        assumes=(SAMPLED_ITEMS, NORMAL, "more items (or clusters) than models"),
        reference="Huynh, Feldt (1976), doi:10.3102/10769986001001069",
        parametric=True,
        wrong="items of several models",
    ),
    rule(
        designs=("independent", "clusters", "weights"),
        models=SEVERAL,
        call="fastcompare.mean_pairwise_test(scores)",
        role="post-hoc",
        reason="All pairwise comparisons by paired t-tests with the max-t adjustment, or "
        "Shaffer's or Holm's if items or clusters are few.",
        assumes=(SAMPLED_ITEMS, NORMAL),
        reference="Hasler, Hothorn (2008), doi:10.1002/bimj.200710466",
        parametric=True,
        wrong="items of several models",
    ),
    rule(
        designs=("independent", "clusters", "weights"),
        models=TWO_OR_MORE,
        call="fastcompare.leaderboard(scores)",
        role="question",
        reason="Confidence sets of the models' ranks.",
        assumes=(SAMPLED_ITEMS, NORMAL),
        reference="Mogstad et al. (2024), doi:10.1093/restud/rdad006",
        wrong="items of several models",
    ),
    rule(
        designs=("independent",),
        paired=False,
        models=TWO_OR_MORE,
        call="fastcompare.ttest_unpaired(scores_1, scores_2)",
        reason="Each model has its own items: Welch's t-test; for several models test each pair "
        "and use adjust_pvalues. Variation between items counts as noise, so evaluate "
        "all models on the same items if you can.",
        assumes=(SAMPLED_ITEMS, "mean scores are approximately normal"),
        reference="Welch (1947), doi:10.1093/biomet/34.1-2.28",
        parametric=True,
        wrong="own rows",
    ),
    rule(
        designs=("independent", "clusters", "weights"),
        models=(1, 1),
        call="fastcompare.mean_interval(scores)",
        reason="One model: its mean score with a confidence interval.",
        assumes=(SAMPLED_ITEMS, "enough items for an approximately normal mean"),
        reference=MILLER,
        parametric=True,
    ),
)


BRADLEY = "Bradley, Terry (1952), doi:10.2307/2334029"
ONE_STRENGTH = "each model has one strength, whatever the opponent"

BATTLES = (
    rule(
        designs=("independent", "weights"),
        models=TWO_OR_MORE,
        call="fastcompare.bradley_terry(model_a, model_b, outcome)",
        reason="Bradley-Terry strengths account for the opponents. `pairwise()` of the result "
        "tests all pairs with the max-t adjustment; no omnibus test has to come first.",
        assumes=("battles are independent", ONE_STRENGTH),
        reference=BRADLEY,
        parametric=True,
        wrong="battles",
    ),
    rule(
        designs=("clusters",),
        models=TWO_OR_MORE,
        call="fastcompare.bradley_terry(model_a, model_b, outcome, groups=groups)",
        reason="Battles by one judge, or on one prompt, are correlated: the effective sample "
        "size is the number of clusters. `pairwise()` of the result tests all pairs, "
        "adjusted for multiplicity.",
        assumes=(
            "the clusters are independent",
            "at least 5 clusters, none with half of the battles",
            ONE_STRENGTH,
        ),
        reference="Liang, Zeger (1986), doi:10.1093/biomet/73.1.13",
        parametric=True,
        wrong="battles",
    ),
)
