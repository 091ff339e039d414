"""Rules for scores by round: several iterations of training and testing.

Rules for scores of rounds that share no cases, or that differ by model.
"""

from ..rule import MANY, SHARED, SPLITS, Rule

NADEAU = "Nadeau, Bengio (2003), doi:10.1023/A:1024068626366"
KIND = ("folds",)
SEVERAL = (3, MANY)
INDEPENDENT = ("independent",)
HALVES = ("5x2cv",)
SAME = "all models were trained and tested on the same splits"
APART = "no two rounds share cases, in training or in testing"
NORMAL = "the differences of the rounds are normal, which means of many cases nearly are"
OVERLAP = (
    "rounds correlate by n_test / (n_train + n_test), which is a guess: nearest neighbours "
    "correlate more, and the test errs in 10% (docs/folds.md)"
)
HALVED = (
    "the two halves of a round are independent: of nearest neighbours they are not, where the F "
    "test errs in 12.7% and the t-test in 10.9% (docs/folds.md)"
)
HINT = "rounds are independent; of those that share cases its p-value is no more than a hint"
SIZES = "n_train=n_train, n_test=n_test"

FOLDS = (
    *(
        Rule(
            kinds=KIND,
            designs=designs,
            test="ttest_corrected",
            call=f"fastcompare.ttest_corrected(scores_a, scores_b, {SIZES})",
            role="test",
            reason=f"{what} Nadeau and Bengio's correction of the paired t-test allows for that. "
            "Ranks and signs are no cure: they need independent rounds, too.",
            assumes=(SAME, OVERLAP, NORMAL),
            reference=NADEAU,
            parametric=True,
            wrong=wrong,
        )
        for designs, what, wrong in (
            (
                ("resampled",),
                "Random splits of one data set share cases, so scores depend.",
                "splits",
            ),
            (
                ("repeated-kfold",),
                "Folds of repeated cross-validations share cases, so scores depend.",
                "repeats",
            ),
            (
                ("kfold",),
                "The folds of one cross-validation share training cases, so scores depend.",
                "kfold",
            ),
        )
    ),
    Rule(
        kinds=KIND,
        designs=HALVES,
        test="ftest_5x2cv",
        call="fastcompare.ftest_5x2cv(scores_a, scores_b)",
        role="test",
        reason="Two models in five two-fold cross-validations: Alpaydin's F takes all ten "
        "differences, and training sets of a round do not overlap. It errs in 5.4% for nearest "
        "centroids, and in 12.7% for nearest neighbours (docs/folds.md).",
        assumes=(SAME, NORMAL, HALVED),
        reference="Alpaydin (1999), doi:10.1162/089976699300016007",
        parametric=True,
        wrong="halves",
    ),
    Rule(
        kinds=KIND,
        designs=HALVES,
        test="ttest_5x2cv",
        call="fastcompare.ttest_5x2cv(scores_a, scores_b)",
        role="instead",
        reason="Dietterich's t-test, which has a direction and an interval, with less power.",
        assumes=(SAME, NORMAL, HALVED),
        reference="Dietterich (1998), doi:10.1162/089976698300017197",
        parametric=True,
        wrong="halves",
    ),
    Rule(
        kinds=KIND,
        designs=("kfold",),
        test="ttest_kfold",
        call='fastcompare.ttest_kfold(scores_a, scores_b, design="kfold")',
        role="instead",
        reason="Of one cross-validation it has more power, and errs in 6 to 15% (docs/folds.md).",
        assumes=(SAME, NORMAL, "folds that share training cases are independent, nearly"),
        reference="Dietterich (1998), doi:10.1162/089976698300017197",
        parametric=True,
        wrong="kfold",
    ),
    Rule(
        kinds=KIND,
        designs=SHARED,
        test="bayes_correlated_ttest",
        call=f"fastcompare.bayes_correlated_ttest(scores_a, scores_b, {SIZES})",
        role="question",
        reason="How probable it is that either model is better, or neither by more than a margin.",
        assumes=(SAME, OVERLAP, NORMAL),
        reference="Corani, Benavoli (2015), doi:10.1007/s10994-015-5486-z",
        parametric=True,
        wrong="signed ranks",
    ),
    Rule(
        kinds=KIND,
        designs=("batch",),
        test="ttest_corrected_batch",
        call=f"fastcompare.ttest_corrected_batch(scores_a, scores_b, {SIZES})",
        role="test",
        reason="Many comparisons of as many rounds, a simulation say, in one compiled call.",
        assumes=(SAME, OVERLAP, NORMAL),
        reference=NADEAU,
        parametric=True,
        wrong="signed ranks",
    ),
    Rule(
        kinds=KIND,
        designs=("search",),
        models=(2, MANY),
        test="from_cv_results",
        call=f"fastcompare.from_cv_results(search.cv_results_, {SIZES})",
        role="test",
        reason="A fitted search scored all candidates on the same splits; the winner's lead is "
        "too large, since these scores chose it.",
        assumes=(SAME, OVERLAP, NORMAL),
        reference=NADEAU,
        parametric=True,
        wrong="splits",
    ),
    Rule(
        kinds=KIND,
        designs=(*SHARED, *INDEPENDENT, *HALVES),
        models=(2, MANY),
        test="normality_report",
        call="fastcompare.normality_report(scores)",
        role="check",
        reason="Whether differences are normal: look, but do not choose the test by it.",
        assumes=(SAME, HINT),
        reference="Shapiro, Wilk (1965), doi:10.1093/biomet/52.3-4.591",
    ),
    Rule(
        kinds=KIND,
        designs=(*SHARED, *HALVES),
        models=SEVERAL,
        test="rm_anova_test",
        call=f"fastcompare.rm_anova_test(scores, {SIZES})",
        role="omnibus",
        reason="Three models and more are tested together, by repeated-measures ANOVA whose "
        "F has Nadeau and Bengio's correction for rounds that share cases (F is t squared).",
        assumes=(SAME, OVERLAP, NORMAL, "models vary alike, or sphericity is corrected for"),
        reference=NADEAU,
        parametric=True,
        wrong="anova",
    ),
    Rule(
        kinds=KIND,
        designs=(*SHARED, *HALVES),
        models=SEVERAL,
        test="ttest_corrected_pairwise_test",
        call=f"fastcompare.ttest_corrected_pairwise_test(scores, {SIZES})",
        role="post-hoc",
        reason="All pairs by corrected t-tests, with Shaffer's correction for their number.",
        assumes=(SAME, OVERLAP, NORMAL),
        reference="Shaffer (1986), doi:10.1080/01621459.1986.10478341",
        parametric=True,
        wrong="friedman of rounds",
    ),
    Rule(
        kinds=KIND,
        designs=("batch",),
        models=SEVERAL,
        test="rm_anova_batch",
        call=f"fastcompare.rm_anova_batch(scores, {SIZES})",
        role="test",
        reason="Many tables of one shape in one compiled call.",
        assumes=(SAME, OVERLAP, NORMAL),
        reference=NADEAU,
        parametric=True,
        wrong="anova",
    ),
    Rule(
        kinds=KIND,
        designs=(*SPLITS, "kfold", *INDEPENDENT, *HALVES),
        models=SEVERAL,
        test="mauchly_test",
        call="fastcompare.mauchly_test(scores)",
        role="check",
        reason="Whether differences of models vary alike (sphericity); rm_anova_test corrects for "
        "that by itself. It takes heavy tails for unequal variances.",
        assumes=(SAME, HINT, NORMAL),
        reference="Mauchly (1940), doi:10.1214/aoms/1177731915",
        parametric=True,
    ),
)


OWN_ROUNDS = (
    Rule(
        kinds=KIND,
        designs=INDEPENDENT,
        test="ttest_resampled",
        call='fastcompare.ttest_resampled(scores_a, scores_b, design="independent")',
        role="test",
        reason="Rounds without common cases, new training data or seeds say, are independent: "
        "Student's paired t-test has the most power where differences are normal.",
        assumes=(SAME, APART, NORMAL),
        reference="Dietterich (1998), doi:10.1162/089976698300017197",
        parametric=True,
        wrong="rows",
    ),
    Rule(
        kinds=KIND,
        designs=INDEPENDENT,
        test="wilcoxon_test",
        call="fastcompare.wilcoxon_test(scores_a, scores_b)",
        role="instead",
        reason="Where differences are not normal: ranks of their sizes.",
        assumes=(SAME, APART, "the differences are symmetric around their median"),
        reference="Wilcoxon (1945), doi:10.2307/3001968",
        wrong="rows",
    ),
    Rule(
        kinds=KIND,
        designs=INDEPENDENT,
        test="sign_test",
        call="fastcompare.sign_test(scores_a, scores_b)",
        role="instead",
        reason="Where only who wins a round can be trusted.",
        assumes=(SAME, APART),
        reference="Demšar (2006), https://www.jmlr.org/papers/v7/demsar06a.html",
        wrong="rows",
    ),
    Rule(
        kinds=KIND,
        designs=INDEPENDENT,
        models=SEVERAL,
        test="rm_anova_test",
        call="fastcompare.rm_anova_test(scores)",
        role="omnibus",
        reason="Three models and more in independent rounds are tested together.",
        assumes=(SAME, APART, NORMAL, "models vary alike, or sphericity is corrected for"),
        reference="Greenhouse, Geisser (1959), doi:10.1007/BF02289823",
        parametric=True,
        wrong="uneven",
    ),
    Rule(
        kinds=KIND,
        designs=INDEPENDENT,
        models=SEVERAL,
        test="mean_pairwise_test",
        call="fastcompare.mean_pairwise_test(scores)",
        role="post-hoc",
        reason="All pairs by paired t-tests, with a correction for their number.",
        assumes=(SAME, APART, NORMAL),
        reference="Shaffer (1986), doi:10.1080/01621459.1986.10478341",
        parametric=True,
        wrong="several items",
    ),
    Rule(
        kinds=KIND,
        designs=INDEPENDENT,
        models=SEVERAL,
        test="friedman_test",
        call="fastcompare.friedman_test(scores)",
        role="instead",
        reason="Where differences are not normal: ranks within rounds, then "
        "wilcoxon_pairwise_test.",
        assumes=(SAME, APART),
        reference="Friedman (1937), doi:10.1080/01621459.1937.10503522",
        wrong="several rows",
    ),
    Rule(
        kinds=KIND,
        designs=INDEPENDENT,
        paired=False,
        test="ttest_unpaired",
        call="fastcompare.ttest_unpaired(scores_1, scores_2)",
        role="test",
        reason="Each model has rounds of its own: Welch's t-test, which lets variances differ.",
        assumes=("no two rounds share cases", "means of scores are nearly normal"),
        reference="Welch (1947), doi:10.1093/biomet/34.1-2.28",
        parametric=True,
        wrong="own rows",
    ),
    Rule(
        kinds=KIND,
        designs=INDEPENDENT,
        paired=False,
        test="folds_unpaired_test",
        call='fastcompare.folds_unpaired_test([scores_1, scores_2], method="mann-whitney")',
        role="instead",
        reason="Where scores are not normal: ranks of all scores together.",
        assumes=("no two rounds share cases", "without a difference scores are distributed alike"),
        reference="Mann, Whitney (1947), doi:10.1214/aoms/1177730491",
        wrong="own rows",
    ),
    *(
        Rule(
            kinds=KIND,
            designs=INDEPENDENT,
            paired=False,
            models=SEVERAL,
            test="folds_unpaired_test",
            call=f'fastcompare.folds_unpaired_test(scores, method="{method}")',
            role=role,
            reason=reason,
            assumes=("no two rounds share cases", "models vary alike"),
            reference="Kruskal, Wallis (1952), doi:10.1080/01621459.1952.10483441",
            parametric=method == "anova",
            wrong="unpaired anova",
        )
        for method, role, reason in (
            ("kruskal-wallis", "omnibus", "Models with rounds of their own, together, by ranks."),
            ("anova", "instead", "One-way ANOVA, where scores are normal and vary alike."),
        )
    ),
    Rule(
        kinds=KIND,
        designs=INDEPENDENT,
        paired=False,
        models=SEVERAL,
        test="ttest_unpaired",
        call="fastcompare.ttest_unpaired(scores_1, scores_2)",
        role="post-hoc",
        reason="Test the pairs, and adjust their p-values by adjust_pvalues.",
        assumes=("no two rounds share cases", "means of scores are nearly normal"),
        reference="Welch (1947), doi:10.1093/biomet/34.1-2.28",
        parametric=True,
        wrong="several items",
    ),
)
