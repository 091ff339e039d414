"""Rules for predicted labels of the same cases: one iteration of training."""

from ..rule import HELD_OUT, SAMPLED_CASES, SEVERAL, of_cases, rule

MCNEMAR = "McNemar (1947), doi:10.1007/BF02295996"
BOTH = ("independent", "clusters")

LABELS = (
    of_cases(
        designs=("independent", "multiclass"),
        call="fastcompare.mcnemar_test(y_true, y_pred_a, y_pred_b)",
        reason="Two models that labelled the same cases: McNemar's test compares the numbers of "
        "discordant cases, which one model gets right and the other wrong. It is exact "
        "when they are few.",
        reference=MCNEMAR,
        wrong="labels",
    ),
    rule(
        designs=("clusters",),
        call="fastcompare.mcnemar_test(y_true, y_pred_a, y_pred_b, groups=groups)",
        reason="Cases in a cluster (images of one patient) are correlated: the effective sample "
        "size is the number of clusters.",
        assumes=("the clusters are independent", HELD_OUT),
        reference="Pustejovsky, Tipton (2018), doi:10.1080/07350015.2016.1247004",
        wrong="labels in clusters",
    ),
    rule(
        designs=BOTH,
        call="fastcompare.two_proportions_test(y_true, y_pred_a, y_pred_b)",
        role="question",
        reason="To repeat papers that used it: Dietterich's normal-theory test of two proportions.",
        assumes=(
            SAMPLED_CASES,
            HELD_OUT,
            "the errors of the models are independent, which they rarely are",
        ),
        reference="Dietterich (1998), doi:10.1162/089976698300017197",
        parametric=True,
    ),
    *(
        rule(
            designs=designs,
            call=f"fastcompare.{test}(y_true, y_pred_a, y_pred_b, {metric}, rng=0)",
            role="question",
            reason=reason,
            assumes=(SAMPLED_CASES, HELD_OUT, *more),
            reference=reference,
        )
        for designs, metric in (
            (BOTH, 'metric="f1"'),
            (("multiclass",), 'metric="f1", average="macro"'),
        )
        for test, reason, more, reference in (
            (
                "bootstrap_metric_test",
                "Where a metric that is not accuracy matters: F1, recall, balanced accuracy, MCC.",
                (),
                "Efron, Tibshirani (1993), doi:10.1201/9780429246593",
            ),
            (
                "permutation_metric_test",
                "The same for few cases, by exchanging the answers of both models.",
                ("without a difference the models' answers are exchangeable",),
                "Phipson, Smyth (2010), doi:10.2202/1544-6115.1585",
            ),
        )
    ),
    of_cases(
        designs=("multiclass",),
        call="fastcompare.stuart_maxwell_test(y_pred_a, y_pred_b)",
        role="question",
        reason="Whether the models have the same marginal distribution of labels, right or wrong.",
        reference="Maxwell (1970), doi:10.1192/bjp.116.535.651",
    ),
    of_cases(
        designs=("multiclass",),
        call="fastcompare.bowker_test(y_pred_a, y_pred_b)",
        role="question",
        reason="Whether the table of labels is symmetric.",
        reference="Bowker (1948), doi:10.1080/01621459.1948.10483284",
    ),
    of_cases(
        designs=("independent", "multiclass"),
        call="fastcompare.cohen_kappa_test(y_true, y_pred_a, y_pred_b)",
        role="question",
        reason="If chance-corrected agreement with the true labels is what matters.",
        reference="Cohen (1960), doi:10.1177/001316446002000104",
        parametric=True,
    ),
    of_cases(
        designs=("independent", "multiclass"),
        call="fastcompare.agreement(y_true, y_pred_a, y_pred_b)",
        role="question",
        reason="How similar the models' errors are: disagreement, kappa, Yule's Q, correlation "
        "of errors, double fault.",
        reference="Kuncheva, Whitaker (2003), doi:10.1023/A:1022859003006",
    ),
    of_cases(
        models=SEVERAL,
        call="fastcompare.cochran_q_test(y_true, predictions)",
        role="omnibus",
        reason="Omnibus test of three or more models: whether any accuracies differ. The "
        "pairwise tests control the family-wise error rate without it.",
        reference="Cochran (1950), doi:10.1093/biomet/37.3-4.256",
        wrong="labels of several models",
    ),
    of_cases(
        models=SEVERAL,
        call="fastcompare.mcnemar_pairwise_test(y_true, predictions)",
        role="post-hoc",
        reason="All pairwise comparisons by McNemar's test with Shaffer's adjustment.",
        reference="Shaffer (1986), doi:10.1080/01621459.1986.10478341",
        wrong="labels of several models",
    ),
    of_cases(
        models=SEVERAL,
        designs=("independent", "multiclass"),
        call="fastcompare.agreement_matrix(y_true, predictions)",
        role="question",
        reason="How similar the models' errors are, pair by pair.",
        reference="Kuncheva, Whitaker (2003), doi:10.1023/A:1022859003006",
    ),
    rule(
        designs=("independent", "multiclass"),
        paired=False,
        call="fastcompare.two_proportions_unpaired_test(y_true_1, y_pred_1, y_true_2, y_pred_2)",
        reason="Each model has its own cases, so two independent accuracies are compared; "
        'method="boschloo" is exact for few cases, '
        "compare((y_true_1, y_pred_1), (y_true_2, y_pred_2)) runs it.",
        assumes=(SAMPLED_CASES, HELD_OUT, "no case is in both samples"),
        reference="Mee (1984), doi:10.2307/2531173",
        wrong="labels of own cases",
    ),
    rule(
        designs=("independent", "multiclass"),
        paired=False,
        models=SEVERAL,
        call="fastcompare.two_proportions_unpaired_test(y_true_1, y_pred_1, y_true_2, y_pred_2)",
        role="post-hoc",
        reason="Test each pair, and adjust the p-values with adjust_pvalues.",
        assumes=(SAMPLED_CASES, HELD_OUT, "no case is in two samples"),
        reference="Mee (1984), doi:10.2307/2531173",
        wrong="labels of several models",
    ),
    of_cases(
        models=(1, 1),
        call="fastcompare.accuracy_interval(y_true, y_pred)",
        reason="One model: its accuracy with Wilson's confidence interval.",
        reference="Wilson (1927), doi:10.1080/01621459.1927.10502953",
    ),
)
