"""Rules for one score of each model on many data sets."""

from functools import partial

from ..rule import SEVERAL, TWO_OR_MORE, rule

DEMSAR = "Demšar (2006), https://www.jmlr.org/papers/v7/demsar06a.html"
GARCIA = "García et al. (2010), doi:10.1016/j.ins.2009.12.010"
COMPLETE = ("complete",)
INDEPENDENT_DATASETS = "the data sets are independent: none is a subset or variant of another"

of_two = partial(rule, assumes=(INDEPENDENT_DATASETS,), wrong="rows")
several = partial(
    rule,
    designs=COMPLETE,
    models=SEVERAL,
    assumes=(INDEPENDENT_DATASETS,),
    wrong="rows of several models",
)
DATASETS = (
    of_two(
        call="fastcompare.wilcoxon_test(scores_a, scores_b)",
        reason="Two models on several data sets: Wilcoxon's signed-rank test uses the sizes of "
        "the differences without letting a single data set dominate. It needs 6 data "
        "sets to reach 5%.",
        assumes=(INDEPENDENT_DATASETS, "the differences are symmetric around their median"),
        reference=DEMSAR,
    ),
    of_two(
        call="fastcompare.sign_test(scores_a, scores_b)",
        role="instead",
        reason="If differences on different data sets are not commensurable: counts wins only.",
        reference=DEMSAR,
    ),
    of_two(
        call='fastcompare.ttest_resampled(scores_a, scores_b, design="independent")',
        role="instead",
        reason="Student's paired t-test, if the differences are normally distributed.",
        assumes=(
            INDEPENDENT_DATASETS,
            "the differences are normally distributed on a common scale",
        ),
        reference=DEMSAR,
        parametric=True,
    ),
    *(
        of_two(
            call=f"fastcompare.{test}(scores_a, scores_b, rope=0.01)",
            role="question",
            reason=reason,
            reference="Benavoli et al. (2017), https://www.jmlr.org/papers/v18/16-305.html",
        )
        for test, reason in (
            (
                "bayes_signed_rank",
                (
                    "The posterior probability that either model is better, or that they are "
                    "practically equivalent (within `rope`)."
                ),
            ),
            ("bayes_sign", "The same based on wins only."),
        )
    ),
    several(
        call="fastcompare.friedman_test(scores)",
        role="omnibus",
        reason="Scores on different data sets are rarely commensurable, so models are compared by "
        "their ranks: Friedman's omnibus test with Iman and Davenport's F. compare_datasets "
        "runs the whole sequence and compares pairs only if this test rejects.",
        reference=DEMSAR,
    ),
    several(
        call="fastcompare.nemenyi_test(scores)",
        role="post-hoc",
        reason="All pairwise comparisons of average ranks, with one critical difference that a "
        "diagram can show.",
        reference=DEMSAR,
    ),
    *(
        several(
            call=f"fastcompare.{test}(scores{option})",
            role="instead",
            reason=reason,
            reference=reference,
        )
        for test, option, reason, reference in (
            (
                "friedman_pairwise_test",
                ', correction="shaffer"',
                (
                    "Instead of Nemenyi's test, for more power: average ranks with Shaffer's "
                    "adjustment."
                ),
                GARCIA,
            ),
            (
                "conover_test",
                "",
                "Instead of Nemenyi's test, if data sets agree on the order of the models.",
                "Conover (1999), Practical Nonparametric Statistics, ISBN 978-0-471-16068-7",
            ),
            (
                "friedman_exact_pairs_test",
                "",
                "Instead of Nemenyi's test, for few data sets: exact p-values of rank sums.",
                "Eisinga et al. (2017), doi:10.1186/s12859-017-1486-2",
            ),
            (
                "wilcoxon_pairwise_test",
                "",
                (
                    "Instead of Nemenyi's test, if a pairwise result must not depend on the other "
                    "models."
                ),
                "Benavoli et al. (2016), https://www.jmlr.org/papers/v17/benavoli16a.html",
            ),
            ("sign_pairwise_test", "", "The same based on wins only.", DEMSAR),
            (
                "friedman_aligned_ranks_test",
                "",
                "Instead of Friedman's test, for up to four models: ranks pooled over data sets.",
                GARCIA,
            ),
            (
                "quade_test",
                "",
                (
                    "Instead of Friedman's test, for up to four models: data sets with larger "
                    "differences get more weight."
                ),
                GARCIA,
            ),
        )
    ),
    several(
        call="fastcompare.rm_anova_test(scores)",
        role="instead",
        reason="Instead of Friedman's test, if differences are normally "
        "distributed on a common scale.",
        assumes=(
            INDEPENDENT_DATASETS,
            "the differences are normally distributed on a common scale",
        ),
        reference=DEMSAR,
        parametric=True,
        wrong="uneven",
    ),
    several(
        call='fastcompare.control_test(scores, "the control")',
        role="question",
        reason="If only differences from one control model matter: fewer tests, more power.",
        assumes=(INDEPENDENT_DATASETS, "the control was chosen before the data were seen"),
        reference=DEMSAR,
    ),
    *(
        rule(
            designs=designs,
            models=SEVERAL,
            call=f"fastcompare.{test}(scores)",
            role="omnibus",
            reason=reason,
            assumes=(INDEPENDENT_DATASETS, "scores are missing at random"),
            reference=reference,
            wrong="rows of several models",
        )
        for test, designs, reason, reference in (
            (
                "skillings_mack_test",
                ("incomplete",),
                "Friedman's test generalized to missing scores.",
                "Skillings, Mack (1981), doi:10.1080/00401706.1981.10486261",
            ),
            (
                "durbin_test",
                ("balanced-incomplete",),
                "Friedman's test for balanced incomplete block designs.",
                "Durbin (1951), doi:10.1111/j.2044-8317.1951.tb00310.x",
            ),
        )
    ),
    rule(
        designs=("incomplete", "balanced-incomplete"),
        models=SEVERAL,
        call='fastcompare.wilcoxon_test(scores_a, scores_b, nan_policy="omit")',
        role="post-hoc",
        reason="Test each pair on the data sets that both have, and adjust the p-values with "
        "adjust_pvalues.",
        assumes=(
            INDEPENDENT_DATASETS,
            "the differences are symmetric around their median",
            "scores are missing at random",
        ),
        reference="Benavoli et al. (2016), https://www.jmlr.org/papers/v17/benavoli16a.html",
        wrong="rows of several models",
    ),
    rule(
        designs=COMPLETE,
        paired=False,
        models=TWO_OR_MORE,
        call="fastcompare.folds_unpaired_test(scores)",
        reason="Each model has its own data sets: the Kruskal-Wallis test on the pooled ranks. "
        "Variation between data sets counts as noise, so compare models on the same data "
        "sets if you can.",
        assumes=(
            INDEPENDENT_DATASETS,
            "under the null hypothesis the scores have the same distribution",
        ),
        reference="Kruskal, Wallis (1952), doi:10.1080/01621459.1952.10483441",
        wrong="own rows",
    ),
)
