"""Rules for probabilities of the same cases."""

from ..rule import HELD_OUT, SAMPLED_CASES, SEVERAL, TWO_OR_MORE, of_cases, rule
from .scores import FREEDOM

GNEITING = "Gneiting, Raftery (2007), doi:10.1198/016214506000001437"
ANY = ("independent", "multiclass")

PROBABILITIES = (
    rule(
        designs=ANY,
        call='fastcompare.scoring_test(y_true, y_prob_a, y_prob_b, rule="brier")',
        reason="A proper rule turns each probability into a loss, and Student's paired t-test "
        "compares the losses case by case.",
        assumes=(
            SAMPLED_CASES,
            HELD_OUT,
            "enough cases for an approximately normal mean difference",
        ),
        reference=GNEITING,
        parametric=True,
        wrong="probabilities",
    ),
    rule(
        designs=ANY,
        call='fastcompare.scoring_test(y_true, y_prob_a, y_prob_b, method="permutation", rng=0)',
        role="instead",
        reason="For few cases: it exchanges the losses of both models and assumes no distribution.",
        assumes=(
            SAMPLED_CASES,
            HELD_OUT,
            "under the null hypothesis the models' losses are exchangeable",
        ),
        reference="Phipson, Smyth (2010), doi:10.2202/1544-6115.1585",
        wrong="probabilities",
    ),
    rule(
        designs=ANY,
        call='fastcompare.scoring_test(y_true, y_prob_a, y_prob_b, method="wilcoxon")',
        role="instead",
        reason="By ranks, where a few great losses should not decide: it asks about the "
        "pseudomedian, not about the mean loss.",
        assumes=(SAMPLED_CASES, HELD_OUT, "the differences in loss are symmetric"),
        reference="Wilcoxon (1945), doi:10.2307/3001968",
        wrong="probabilities",
    ),
    rule(
        designs=("clusters",),
        call="fastcompare.scoring_test(y_true, y_prob_a, y_prob_b, groups=groups)",
        reason="Cases of a cluster are correlated: the effective size is the number of clusters.",
        assumes=("the clusters are independent", HELD_OUT, FREEDOM),
        reference="Pustejovsky, Tipton (2018), doi:10.1080/07350015.2016.1247004",
        parametric=True,
        wrong="clustered losses",
    ),
    of_cases(
        designs=("independent",),
        call="fastcompare.net_benefit_test(y_true, y_prob_a, y_prob_b, thresholds=0.2)",
        role="question",
        reason="Where the probabilities decide on a treatment at one threshold.",
        reference="Vickers, Elkin (2006), doi:10.1177/0272989X06295361",
    ),
    of_cases(
        designs=("independent", "clusters"),
        call="fastcompare.delong_test(y_true, y_prob_a, y_prob_b)",
        role="question",
        reason="Where only the order of the cases matters, not how likely each is: compare AUCs.",
        reference="DeLong, DeLong, Clarke-Pearson (1988), doi:10.2307/2531595",
    ),
    rule(
        designs=("independent", "clusters"),
        models=SEVERAL,
        call="fastcompare.mean_omnibus_test((probabilities - y_true[:, None]) ** 2)",
        role="omnibus",
        reason="Three models and more are tested together, by the losses of all cases; the tests "
        "of pairs keep their level without it.",
        assumes=(SAMPLED_CASES, HELD_OUT, "enough cases for approximately normal mean differences"),
        reference="Pustejovsky, Tipton (2018), doi:10.1080/07350015.2016.1247004",
        parametric=True,
        wrong="probabilities of several models",
    ),
    of_cases(
        models=SEVERAL,
        call='fastcompare.scoring_pairwise_test(y_true, probabilities, rule="brier")',
        role="post-hoc",
        reason="All pairs by their losses, with Shaffer's correction for their number.",
        reference="Shaffer (1986), doi:10.1080/01621459.1986.10478341",
        parametric=True,
        wrong="probabilities of several models",
    ),
    rule(
        designs=("independent",),
        models=TWO_OR_MORE,
        paired=False,
        call="fastcompare.ttest_unpaired((y_prob_1 - y_true_1) ** 2, (y_prob_2 - y_true_2) ** 2)",
        reason="Each model has its own cases: Welch's t-test of the losses; for several models "
        "test each pair and use adjust_pvalues.",
        assumes=(SAMPLED_CASES, HELD_OUT, "no case is in both samples"),
        reference="Welch (1947), doi:10.1093/biomet/34.1-2.28",
        parametric=True,
        wrong="own rows",
    ),
    *(
        of_cases(
            designs=designs,
            models=(1, 1),
            call=f"fastcompare.{test}(y_true, y_prob)",
            reason=reason,
            reference=reference,
        )
        for test, designs, reason, reference in (
            (
                "calibration_test",
                ("independent", "clusters"),
                "Whether one model is calibrated: intercept 0 and slope 1.",
                "Van Calster et al. (2019), doi:10.1186/s12916-019-1466-7",
            ),
            (
                "spiegelhalter_test",
                ("independent",),
                "Whether one model's Brier score is consistent with calibration.",
                "Spiegelhalter (1986), doi:10.1002/sim.4780050506",
            ),
        )
    ),
)
