"""Rules for scores of the same cases, which are compared by their order."""

from ..rule import FEW, MANY, Rule

DELONG = "DeLong, DeLong, Clarke-Pearson (1988), doi:10.2307/2531595"
CASES = "the cases are independent draws from the population that the claim is about"
HELD_OUT = "each model was fitted once, on other cases than these"
FREEDOM = "clusters carry 4 degrees of freedom or more: the result says how many"
KIND = ("scores",)
SEVERAL = (3, MANY)
PLAIN = ("independent", "weights")

SCORES = (
    Rule(
        kinds=KIND,
        designs=PLAIN,
        rows=(FEW, MANY),
        test="delong_test",
        call="fastcompare.delong_test(y_true, y_score_a, y_score_b)",
        role="test",
        reason="Two models that scored the same cases are compared by their AUCs. DeLong's test "
        "takes the covariance of both, so cases that are hard for both are no noise, and assumes "
        "no distribution of the scores.",
        assumes=(CASES, HELD_OUT, "30 cases of each class or more, for the normal distribution"),
        reference=DELONG,
        wrong="scores",
    ),
    Rule(
        kinds=KIND,
        designs=PLAIN,
        rows=(0, FEW - 1),
        unknown=False,
        test="delong_test",
        call="fastcompare.delong_test(y_true, y_score_a, y_score_b)",
        role="test",
        reason="Of fewer than 30 cases of a class DeLong's z rejects too often; Student's t with "
        "Satterthwaite's degrees of freedom does not from 3 on (docs/levels.md).",
        assumes=(CASES, HELD_OUT, "3 cases of each class or more"),
        reference=DELONG,
        parametric=True,
        wrong="few scores",
    ),
    Rule(
        kinds=KIND,
        designs=("independent",),
        test="permutation_auc_test",
        call="fastcompare.permutation_auc_test(y_true, y_score_a, y_score_b, rng=0)",
        role="instead",
        reason="Exact where both models could be exchanged: for few cases, 4 of a class or more. "
        "Where the scores of one vary more than those of the other it rejects in up to 10% "
        "(docs/levels.md).",
        assumes=(CASES, HELD_OUT, "without a difference the models' ranks are exchangeable"),
        reference="Bandos, Rockette, Gur (2005), doi:10.1002/sim.2149",
        wrong="bootstrap",
    ),
    Rule(
        kinds=KIND,
        designs=("independent", "clusters"),
        test="bootstrap_auc_test",
        call="fastcompare.bootstrap_auc_test(y_true, y_score_a, y_score_b, rng=0)",
        role="instead",
        reason="It shows the distribution of the difference itself, and is no cure for few cases.",
        assumes=(CASES, HELD_OUT, "30 cases of each class or more"),
        reference="Efron, Tibshirani (1993), doi:10.1201/9780429246593",
        wrong="bootstrap",
    ),
    Rule(
        kinds=KIND,
        designs=("clusters",),
        test="delong_test",
        call="fastcompare.delong_test(y_true, y_score_a, y_score_b, groups=groups)",
        role="test",
        reason="Cases of one cluster, as lesions of a patient, are alike: clusters count, cases do "
        "not.",
        assumes=("the clusters are independent", HELD_OUT, FREEDOM),
        reference="Obuchowski (1997), doi:10.2307/2533958",
        wrong="clustered scores",
    ),
    Rule(
        kinds=KIND,
        designs=("chunks",),
        models=(2, MANY),
        test="delong_test",
        call='fastcompare.delong_test(fastcompare.scan_parquet("cases/", label="y", '
        'scores=["a", "b"]))',
        role="test",
        reason="Cases beyond memory are read in chunks; the AUCs are those in memory, to the bit.",
        assumes=(CASES, HELD_OUT),
        reference=DELONG,
        wrong="scores",
    ),
    Rule(
        kinds=KIND,
        designs=("batch",),
        test="delong_batch",
        call="fastcompare.delong_batch(y_true, scores_a, scores_b)",
        role="test",
        reason="Many problems of one size, a simulation say, are tested in one compiled call.",
        assumes=(CASES, HELD_OUT),
        reference=DELONG,
        wrong="scores",
    ),
    Rule(
        kinds=KIND,
        designs=("multiclass",),
        test="multiclass_auc_test",
        call="fastcompare.multiclass_auc_test(y_true, y_score_a, y_score_b)",
        role="test",
        reason="Of three classes and more, the AUCs of all pairs of classes (or of each against "
        "the rest) are averaged.",
        assumes=(CASES, HELD_OUT),
        reference="Hand, Till (2001), doi:10.1023/A:1010920819831",
        wrong="scores",
    ),
    Rule(
        kinds=KIND,
        designs=("independent", "clusters"),
        models=SEVERAL,
        test="delong_omnibus_test",
        call="fastcompare.delong_omnibus_test(y_true, scores)",
        role="omnibus",
        reason="Three models and more are tested together, which tells whether any AUCs differ; "
        "the tests of pairs keep their level without it.",
        assumes=(CASES, HELD_OUT),
        reference=DELONG,
        wrong="several scores",
    ),
    Rule(
        kinds=KIND,
        designs=("independent", "clusters", "weights"),
        models=SEVERAL,
        test="delong_pairwise_test",
        call="fastcompare.delong_pairwise_test(y_true, scores)",
        role="post-hoc",
        reason="All pairs by DeLong's test, with Shaffer's correction for their number: two models "
        "that equal a third are equal.",
        assumes=(CASES, HELD_OUT, "30 cases of each class or more"),
        reference="Shaffer (1986), doi:10.1080/01621459.1986.10478341",
        wrong="several scores",
    ),
    Rule(
        kinds=KIND,
        designs=("independent", "clusters", "weights"),
        models=SEVERAL,
        test="delong_control_test",
        call='fastcompare.delong_control_test(y_true, scores, "the control")',
        role="question",
        reason="Where only differences from one model matter, fewer tests leave more power.",
        assumes=(CASES, HELD_OUT, "the control was chosen before the data were seen"),
        reference="Dunnett, Tamhane (1991), doi:10.1002/sim.4780100614",
        wrong="several scores",
    ),
    Rule(
        kinds=KIND,
        models=SEVERAL,
        designs=("multiclass",),
        test="multiclass_auc_test",
        call="fastcompare.multiclass_auc_test(y_true, y_score_a, y_score_b)",
        role="post-hoc",
        reason="No test of all models together is known here: test the pairs, and adjust their "
        "p-values by adjust_pvalues.",
        assumes=(CASES, HELD_OUT),
        reference="Hand, Till (2001), doi:10.1023/A:1010920819831",
        wrong="several scores",
    ),
    *(
        Rule(
            kinds=KIND,
            designs=("independent",),
            models=models,
            paired=False,
            test="delong_unpaired_test",
            call="fastcompare.delong_unpaired_test(y_true_1, y_score_1, y_true_2, y_score_2)",
            role=role,
            reason="Each model has cases of its own, so the variances of both AUCs add up" + more,
            assumes=(CASES, HELD_OUT, "no case is in both samples"),
            reference=DELONG,
            wrong=wrong,
        )
        for models, role, more, wrong in (
            ((2, 2), "test", ".", "scores"),
            (
                SEVERAL,
                "post-hoc",
                "; test the pairs, and adjust their p-values by adjust_pvalues.",
                "several scores",
            ),
        )
    ),
    *(
        Rule(
            kinds=KIND,
            designs=("independent", "clusters"),
            test=test,
            call=f"fastcompare.{test}(y_true, y_score_a, y_score_b{option}, rng=0)",
            role="question",
            reason=reason,
            assumes=(CASES, HELD_OUT, "30 cases of each class or more"),
            reference=reference,
        )
        for test, option, reason, reference in (
            (
                "average_precision_test",
                "",
                "Where positives are rare and the first places of the ranking matter.",
                "Davis, Goadrich (2006), doi:10.1145/1143844.1143874",
            ),
            (
                "partial_auc_test",
                ", fpr=(0.0, 0.1)",
                "Where only low false positive rates matter.",
                "McClish (1989), doi:10.1177/0272989X8900900307",
            ),
            (
                "sensitivity_at_specificity_test",
                ", specificity=0.9",
                "Where the models will work at one specificity.",
                "Robin et al. (2011), doi:10.1186/1471-2105-12-77",
            ),
            (
                "specificity_at_sensitivity_test",
                ", sensitivity=0.9",
                "Where the models will work at one sensitivity.",
                "Robin et al. (2011), doi:10.1186/1471-2105-12-77",
            ),
        )
    ),
    Rule(
        kinds=KIND,
        designs=("independent", "clusters", "weights"),
        models=(1, 1),
        test="roc_auc_test",
        call="fastcompare.roc_auc_test(y_true, y_score, null=0.5)",
        role="test",
        reason="One model against a value that was fixed before, such as chance.",
        assumes=(CASES, HELD_OUT),
        reference="Newcombe (2006), doi:10.1002/sim.2324",
    ),
)
