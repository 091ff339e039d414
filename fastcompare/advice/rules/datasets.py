"""Rules for one score of each model on many data sets."""

from ..rule import MANY, Rule

DEMSAR = "Demšar (2006), https://www.jmlr.org/papers/v7/demsar06a.html"
GARCIA = "García et al. (2010), doi:10.1016/j.ins.2009.12.010"
KIND = ("datasets",)
SEVERAL = (3, MANY)
COMPLETE = ("complete",)
APART = "the data sets are independent: none is a part or a variant of another"

DATASETS = (
    Rule(
        kinds=KIND,
        test="wilcoxon_test",
        call="fastcompare.wilcoxon_test(scores_a, scores_b)",
        role="test",
        reason="Two models on many data sets: Wilcoxon's signed rank test takes the sizes of the "
        "differences, and no single data set decides. It needs 6 data sets to reach 5%.",
        assumes=(APART, "the differences are symmetric around their median"),
        reference=DEMSAR,
        wrong="rows",
    ),
    Rule(
        kinds=KIND,
        test="sign_test",
        call="fastcompare.sign_test(scores_a, scores_b)",
        role="instead",
        reason="Where differences of different data sets cannot be compared in size: wins alone.",
        assumes=(APART,),
        reference=DEMSAR,
        wrong="rows",
    ),
    Rule(
        kinds=KIND,
        test="ttest_resampled",
        call='fastcompare.ttest_resampled(scores_a, scores_b, design="independent")',
        role="instead",
        reason="Student's paired t-test, where differences of all data sets are normal.",
        assumes=(APART, "the differences are normal, of one scale"),
        reference=DEMSAR,
        parametric=True,
        wrong="rows",
    ),
    *(
        Rule(
            kinds=KIND,
            test=test,
            call=f"fastcompare.{test}(scores_a, scores_b, rope=0.01)",
            role="question",
            reason=reason,
            assumes=(APART,),
            reference="Benavoli et al. (2017), https://www.jmlr.org/papers/v18/16-305.html",
            wrong="rows",
        )
        for test, reason in (
            (
                "bayes_signed_rank",
                "How probable it is that either model is better, or neither by more than `rope`.",
            ),
            ("bayes_sign", "The same by wins alone."),
        )
    ),
    Rule(
        kinds=KIND,
        designs=COMPLETE,
        models=SEVERAL,
        test="friedman_test",
        call="fastcompare.friedman_test(scores)",
        role="omnibus",
        reason="Scores on different data sets are rarely commensurable, so models are compared by "
        "their ranks on each, all together: Friedman's test, by Iman and Davenport's F. "
        "compare_datasets runs the whole sequence, and compares pairs only if this test rejects.",
        assumes=(APART,),
        reference=DEMSAR,
        wrong="several rows",
    ),
    Rule(
        kinds=KIND,
        designs=COMPLETE,
        models=SEVERAL,
        test="nemenyi_test",
        call="fastcompare.nemenyi_test(scores)",
        role="post-hoc",
        reason="All pairs by average ranks, by one critical difference that a diagram can show.",
        assumes=(APART,),
        reference=DEMSAR,
        wrong="several rows",
    ),
    *(
        Rule(
            kinds=KIND,
            designs=COMPLETE,
            models=SEVERAL,
            test=test,
            call=f"fastcompare.{test}(scores{option})",
            role="instead",
            reason=reason,
            assumes=(APART,),
            reference=reference,
            wrong="several rows",
        )
        for test, option, reason, reference in (
            (
                "friedman_pairwise_test",
                ', correction="shaffer"',
                "In place of Nemenyi's, for more power: average ranks with Shaffer's correction.",
                GARCIA,
            ),
            (
                "conover_test",
                "",
                "In place of Nemenyi's, where data sets agree on the order of the models.",
                "Conover (1999), Practical Nonparametric Statistics, ISBN 978-0-471-16068-7",
            ),
            (
                "friedman_exact_pairs_test",
                "",
                "In place of Nemenyi's, for few data sets: exact p-values of rank sums.",
                "Eisinga et al. (2017), doi:10.1186/s12859-017-1486-2",
            ),
            (
                "wilcoxon_pairwise_test",
                "",
                "In place of Nemenyi's, if a pair shall not depend on the other models in the "
                "table.",
                "Benavoli et al. (2016), https://www.jmlr.org/papers/v17/benavoli16a.html",
            ),
            (
                "sign_pairwise_test",
                "",
                "The same by wins alone.",
                DEMSAR,
            ),
            (
                "friedman_aligned_ranks_test",
                "",
                "In place of Friedman's, for up to four models: ranks of all data sets together.",
                GARCIA,
            ),
            (
                "quade_test",
                "",
                "In place of Friedman's, for up to four models: data sets on which models differ "
                "more weigh more.",
                GARCIA,
            ),
        )
    ),
    Rule(
        kinds=KIND,
        designs=COMPLETE,
        models=SEVERAL,
        test="rm_anova_test",
        call="fastcompare.rm_anova_test(scores)",
        role="instead",
        reason="In place of Friedman's, where differences are normal and of one scale.",
        assumes=(APART, "the differences are normal, of one scale"),
        reference=DEMSAR,
        parametric=True,
        wrong="uneven",
    ),
    Rule(
        kinds=KIND,
        designs=COMPLETE,
        models=SEVERAL,
        test="control_test",
        call='fastcompare.control_test(scores, "the control")',
        role="question",
        reason="Where only differences from one model matter, fewer tests leave more power.",
        assumes=(APART, "the control was chosen before the data were seen"),
        reference=DEMSAR,
        wrong="several rows",
    ),
    *(
        Rule(
            kinds=KIND,
            designs=designs,
            models=SEVERAL,
            test=test,
            call=f"fastcompare.{test}(scores)",
            role="omnibus",
            reason=reason,
            assumes=(APART, "which scores are missing does not depend on their values"),
            reference=reference,
            wrong="several rows",
        )
        for test, designs, reason, reference in (
            (
                "skillings_mack_test",
                ("incomplete",),
                "Friedman's test where some models lack a score on some data sets.",
                "Skillings, Mack (1981), doi:10.1080/00401706.1981.10486261",
            ),
            (
                "durbin_test",
                ("balanced-incomplete",),
                "Friedman's test where every data set has as many models, and every pair of "
                "models as many data sets in common.",
                "Durbin (1951), doi:10.1111/j.2044-8317.1951.tb00310.x",
            ),
        )
    ),
    Rule(
        kinds=KIND,
        designs=("incomplete", "balanced-incomplete"),
        models=SEVERAL,
        test="wilcoxon_test",
        call='fastcompare.wilcoxon_test(scores_a, scores_b, nan_policy="omit")',
        role="post-hoc",
        reason="Test the pairs on the data sets that both have, and adjust their p-values by "
        "adjust_pvalues.",
        assumes=(
            APART,
            "the differences are symmetric around their median",
            "which scores are missing does not depend on their values",
        ),
        reference="Benavoli et al. (2016), https://www.jmlr.org/papers/v17/benavoli16a.html",
        wrong="several rows",
    ),
    Rule(
        kinds=KIND,
        designs=COMPLETE,
        paired=False,
        models=(2, MANY),
        test="folds_unpaired_test",
        call="fastcompare.folds_unpaired_test(scores)",
        role="test",
        reason="Each model has data sets of its own: the Kruskal-Wallis test, by the ranks of all "
        "scores. How hard the data sets are counts as noise: compare the models on the same ones, "
        "if you can.",
        assumes=(APART, "without a difference scores are distributed alike"),
        reference="Kruskal, Wallis (1952), doi:10.1080/01621459.1952.10483441",
        wrong="rows",
    ),
)
