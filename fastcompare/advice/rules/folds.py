"""Rules for scores by round: of rounds that share cases, of others, and of rounds by model."""

from functools import partial

from ..data import SHARED, SPLITS
from ..rule import SEVERAL, TWO_OR_MORE, rule

NADEAU = "Nadeau, Bengio (2003), doi:10.1023/A:1024068626366"
INDEPENDENT = ("independent",)
HALVES = ("5x2cv",)
SAME = "all models were trained and tested on the same splits"
DISJOINT_ROUNDS = "no two rounds share cases, in training or in testing"
NORMAL = "the differences per round are approximately normal, as means of many cases are"
OVERLAP = (
    "rounds have correlation n_test / (n_train + n_test), an approximation: for nearest "
    "neighbours the correlation is higher and the type I error 10% (docs/evidence/folds.md)"
)
HALVED = (
    "the two halves of a round are independent: for nearest neighbours they are not, "
    "and the type I error is 12.7% (F) and 10.9% (t; docs/evidence/folds.md)"
)
HINT = "rounds are independent; if they share cases, its p-value is only indicative"
SIZES = "n_train=n_train, n_test=n_test"

of_splits = partial(rule, assumes=(SAME, OVERLAP, NORMAL), parametric=True)
independent = partial(rule, designs=INDEPENDENT)
unpaired = partial(independent, paired=False)
FOLDS = (
    *(
        of_splits(
            designs=designs,
            call=f"fastcompare.ttest_corrected(scores_a, scores_b, {SIZES})",
            reason=f"{what} Nadeau and Bengio's correction of the paired t-test allows for that. "
            "Tests by ranks or signs do not help: they need independent rounds, too.",
            reference=NADEAU,
            wrong=wrong,
        )
        for designs, what, wrong in (
            (
                ("resampled",),
                "Random splits of one data set share cases, so scores are correlated.",
                "splits",
            ),
            (
                ("repeated-kfold",),
                "Folds of repeated cross-validation share cases, so scores are correlated.",
                "repeats",
            ),
            (
                ("kfold",),
                "The folds of a cross-validation share training cases, so scores are correlated.",
                "kfold",
            ),
        )
    ),
    rule(
        designs=HALVES,
        call="fastcompare.ftest_5x2cv(scores_a, scores_b)",
        reason="Two models, 5x2 cross-validation: Alpaydin's F test uses all ten differences, "
        "and the training sets of a round do not overlap. Its type I error is 5.4% for "
        "nearest centroids and 12.7% for nearest neighbours (docs/evidence/folds.md).",
        assumes=(SAME, NORMAL, HALVED),
        reference="Alpaydin (1999), doi:10.1162/089976699300016007",
        parametric=True,
        wrong="halves",
    ),
    rule(
        designs=HALVES,
        call="fastcompare.ttest_5x2cv(scores_a, scores_b)",
        role="instead",
        reason="Dietterich's t-test, which has a direction and an interval but less power.",
        assumes=(SAME, NORMAL, HALVED),
        reference="Dietterich (1998), doi:10.1162/089976698300017197",
        parametric=True,
        wrong="halves",
    ),
    rule(
        designs=("kfold",),
        call='fastcompare.ttest_kfold(scores_a, scores_b, design="kfold")',
        role="question",
        reason="To repeat papers that used it: for a single cross-validation it has more power, "
        "but a type I error of 6 to 15% (docs/evidence/folds.md).",
        assumes=(SAME, NORMAL, "folds that share training cases are nearly independent"),
        reference="Dietterich (1998), doi:10.1162/089976698300017197",
        parametric=True,
    ),
    of_splits(
        designs=SHARED,
        call=f"fastcompare.bayes_correlated_ttest(scores_a, scores_b, {SIZES})",
        role="question",
        reason="The posterior probability that either model is better, or that they are "
        "practically equivalent.",
        reference="Corani, Benavoli (2015), doi:10.1007/s10994-015-5486-z",
        wrong="rounds",
    ),
    of_splits(
        designs=("batch",),
        call=f"fastcompare.ttest_corrected_batch(scores_a, scores_b, {SIZES})",
        reason="Many comparisons with the same number of rounds (a simulation, say) in one "
        "compiled call.",
        reference=NADEAU,
        wrong="rounds",
    ),
    of_splits(
        designs=("search",),
        models=TWO_OR_MORE,
        call=f"fastcompare.from_cv_results(search.cv_results_, {SIZES})",
        reason="A fitted search scored all candidates on the same splits; the winner's "
        "advantage is overestimated because it was selected on these scores.",
        reference=NADEAU,
        wrong="splits",
    ),
    rule(
        designs=(*SHARED, *INDEPENDENT, *HALVES),
        models=TWO_OR_MORE,
        call="fastcompare.normality_report(scores)",
        role="check",
        reason="Checks normality of the differences: informative, but do not choose the test "
        "by it.",
        assumes=(SAME, HINT),
        reference="Shapiro, Wilk (1965), doi:10.1093/biomet/52.3-4.591",
    ),
    rule(
        designs=(*SHARED, *HALVES),
        models=SEVERAL,
        call=f"fastcompare.rm_anova_test(scores, {SIZES})",
        role="omnibus",
        reason="Omnibus test of three or more models: repeated-measures ANOVA with Nadeau and "
        "Bengio's correction for overlapping rounds (F = t squared).",
        assumes=(SAME, OVERLAP, NORMAL, "sphericity, or a correction for its violation"),
        reference=NADEAU,
        parametric=True,
        wrong="anova",
    ),
    of_splits(
        designs=(*SHARED, *HALVES),
        models=SEVERAL,
        call=f"fastcompare.ttest_corrected_pairwise_test(scores, {SIZES})",
        role="post-hoc",
        reason="All pairwise comparisons by corrected t-tests with Shaffer's adjustment.",
        reference="Shaffer (1986), doi:10.1080/01621459.1986.10478341",
        wrong="rounds of several models",
    ),
    of_splits(
        designs=("batch",),
        models=SEVERAL,
        call=f"fastcompare.rm_anova_batch(scores, {SIZES})",
        reason="Many tables of the same shape in one compiled call.",
        reference=NADEAU,
        wrong="anova",
    ),
    rule(
        designs=(*SPLITS, "kfold", *INDEPENDENT, *HALVES),
        models=SEVERAL,
        call="fastcompare.mauchly_test(scores)",
        role="check",
        reason="Checks sphericity (equal variances of the differences), for which rm_anova_test "
        "already corrects. It is sensitive to heavy tails.",
        assumes=(SAME, HINT, NORMAL),
        reference="Mauchly (1940), doi:10.1214/aoms/1177731915",
        parametric=True,
    ),
    independent(
        call='fastcompare.ttest_resampled(scores_a, scores_b, design="independent")',
        reason="Rounds without shared cases (new training data, or seeds) are independent: "
        "Student's paired t-test has the most power if differences are normal.",
        assumes=(SAME, DISJOINT_ROUNDS, NORMAL),
        reference="Dietterich (1998), doi:10.1162/089976698300017197",
        parametric=True,
        wrong="rows",
    ),
    independent(
        call="fastcompare.wilcoxon_test(scores_a, scores_b)",
        role="instead",
        reason="If differences are not normal: based on the ranks of their sizes.",
        assumes=(SAME, DISJOINT_ROUNDS, "the differences are symmetric around their median"),
        reference="Wilcoxon (1945), doi:10.2307/3001968",
        wrong="rows",
    ),
    independent(
        call="fastcompare.sign_test(scores_a, scores_b)",
        role="instead",
        reason="If only the winner of each round is meaningful.",
        assumes=(SAME, DISJOINT_ROUNDS),
        reference="Demšar (2006), https://www.jmlr.org/papers/v7/demsar06a.html",
        wrong="rows",
    ),
    independent(
        models=SEVERAL,
        call="fastcompare.rm_anova_test(scores)",
        role="omnibus",
        reason="Omnibus test of three or more models in independent rounds.",
        assumes=(SAME, DISJOINT_ROUNDS, NORMAL, "sphericity, or a correction for its violation"),
        reference="Greenhouse, Geisser (1959), doi:10.1007/BF02289823",
        parametric=True,
        wrong="uneven",
    ),
    independent(
        models=SEVERAL,
        call="fastcompare.mean_pairwise_test(scores)",
        role="post-hoc",
        reason="All pairwise comparisons by paired t-tests, adjusted for multiplicity.",
        assumes=(SAME, DISJOINT_ROUNDS, NORMAL),
        reference="Shaffer (1986), doi:10.1080/01621459.1986.10478341",
        parametric=True,
        wrong="items of several models",
    ),
    independent(
        models=SEVERAL,
        call="fastcompare.friedman_test(scores)",
        role="instead",
        reason="If differences are not normal: ranks within rounds, then wilcoxon_pairwise_test.",
        assumes=(SAME, DISJOINT_ROUNDS),
        reference="Friedman (1937), doi:10.1080/01621459.1937.10503522",
        wrong="rows of several models",
    ),
    unpaired(
        call="fastcompare.ttest_unpaired(scores_1, scores_2)",
        reason="Each model has its own rounds: Welch's t-test, which allows unequal variances.",
        assumes=("no two rounds share cases", "mean scores are approximately normal"),
        reference="Welch (1947), doi:10.1093/biomet/34.1-2.28",
        parametric=True,
        wrong="own rows",
    ),
    unpaired(
        call='fastcompare.folds_unpaired_test([scores_1, scores_2], method="mann-whitney")',
        role="instead",
        reason="If scores are not normal: based on pooled ranks.",
        assumes=(
            "no two rounds share cases",
            "under the null hypothesis the scores have the same distribution",
        ),
        reference="Mann, Whitney (1947), doi:10.1214/aoms/1177730491",
        wrong="own rows",
    ),
    *(
        unpaired(
            models=SEVERAL,
            call=f'fastcompare.folds_unpaired_test(scores, method="{method}")',
            role=role,
            reason=reason,
            assumes=("no two rounds share cases", "models have equal variances"),
            reference="Kruskal, Wallis (1952), doi:10.1080/01621459.1952.10483441",
            parametric=method == "anova",
            wrong="" if method == "anova" else "unpaired anova",
        )
        for method, role, reason in (
            (
                "kruskal-wallis",
                "omnibus",
                "Omnibus test for models with their own rounds, based on ranks.",
            ),
            ("anova", "question", "If scores are normal with equal variances: one-way ANOVA."),
        )
    ),
    unpaired(
        models=SEVERAL,
        call="fastcompare.ttest_unpaired(scores_1, scores_2)",
        role="post-hoc",
        reason="Test each pair, and adjust the p-values with adjust_pvalues.",
        assumes=("no two rounds share cases", "mean scores are approximately normal"),
        reference="Welch (1947), doi:10.1093/biomet/34.1-2.28",
        parametric=True,
        wrong="items of several models",
    ),
)
