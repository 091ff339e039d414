"""Rules for scores of the same cases, which are compared by their order."""

from ..rule import (
    FEW_CASES_OF_CLASS,
    HELD_OUT,
    SAMPLED_CASES,
    SEVERAL,
    TWO_OR_MORE,
    UNLIMITED,
    of_cases,
    rule,
)

DELONG = "DeLong, DeLong, Clarke-Pearson (1988), doi:10.2307/2531595"
FREEDOM = "the clusters give at least 4 degrees of freedom (reported in the result)"
FEW_FOR_PAIRS = 8  # cases of a class for all pairs by Student's t (docs/evidence/auc_levels.md)
PLAIN = ("independent", "weights")
PAIRS = "compare((y_true_1, y_score_1), (y_true_2, y_score_2))"

SCORES = (
    rule(
        designs=PLAIN,
        rows=(FEW_CASES_OF_CLASS, UNLIMITED),
        call="fastcompare.delong_test(y_true, y_score_a, y_score_b)",
        reason="Two models that scored the same cases are compared by their AUCs. DeLong's test "
        "accounts for the correlation of the two AUCs and makes no assumption about the "
        "distribution of scores.",
        assumes=(
            SAMPLED_CASES,
            HELD_OUT,
            "at least 30 cases per class, for the normal approximation",
        ),
        reference=DELONG,
        wrong="scores",
    ),
    rule(
        designs=PLAIN,
        rows=(0, FEW_CASES_OF_CLASS - 1),
        unknown=False,
        call="fastcompare.delong_test(y_true, y_score_a, y_score_b)",
        reason="With fewer than 30 cases of a class DeLong's z rejects too often; Student's t with "
        "Satterthwaite's degrees of freedom does not, down to 3 cases "
        "(docs/evidence/auc_levels.md).",
        assumes=(SAMPLED_CASES, HELD_OUT, "at least 3 cases per class"),
        reference=DELONG,
        parametric=True,
        wrong="scores of few cases",
    ),
    rule(
        designs=("independent",),
        call="fastcompare.permutation_auc_test(y_true, y_score_a, y_score_b, rng=0)",
        role="instead",
        reason="Exact if the models are exchangeable: for few cases, at least 4 per class. If "
        "the scores of one model vary more than those of the other, its type I error "
        "reaches 10% (docs/evidence/auc_levels.md).",
        assumes=(
            SAMPLED_CASES,
            HELD_OUT,
            "under the null hypothesis the models' ranks are exchangeable",
        ),
        reference="Bandos, Rockette, Gur (2005), doi:10.1002/sim.2149",
        wrong="bootstrap",
    ),
    rule(
        designs=("independent", "clusters"),
        rows=(FEW_CASES_OF_CLASS, UNLIMITED),
        call="fastcompare.bootstrap_auc_test(y_true, y_score_a, y_score_b, rng=0)",
        role="instead",
        reason="Shows the bootstrap distribution of the difference; it does not help "
        "with few cases.",
        assumes=(SAMPLED_CASES, HELD_OUT, "at least 30 cases per class"),
        reference="Efron, Tibshirani (1993), doi:10.1201/9780429246593",
        wrong="bootstrap",
    ),
    rule(
        designs=("clusters",),
        call="fastcompare.delong_test(y_true, y_score_a, y_score_b, groups=groups)",
        reason="Cases in a cluster (lesions of one patient) are correlated: the effective "
        "sample size is the number of clusters.",
        assumes=("the clusters are independent", HELD_OUT, FREEDOM),
        reference="Obuchowski (1997), doi:10.2307/2533958",
        wrong="scores in clusters",
    ),
    of_cases(
        designs=("chunks",),
        models=TWO_OR_MORE,
        call='fastcompare.delong_test(fastcompare.scan_parquet("cases/", label="y", '
        'scores=["a", "b"]))',
        reason="Data larger than memory are read in chunks; the AUCs are identical to those "
        "computed in memory.",
        reference=DELONG,
        wrong="scores",
    ),
    of_cases(
        designs=("batch",),
        call="fastcompare.delong_batch(y_true, scores_a, scores_b)",
        reason="Many problems of the same size (a simulation, say) in one compiled call.",
        reference=DELONG,
        wrong="scores",
    ),
    of_cases(
        designs=("multiclass",),
        call="fastcompare.multiclass_auc_test(y_true, y_score_a, y_score_b)",
        reason="For three or more classes, the AUCs of all pairs of classes (or of each class "
        "against the rest) are averaged.",
        reference="Hand, Till (2001), doi:10.1023/A:1010920819831",
        wrong="scores",
    ),
    of_cases(
        designs=("independent", "clusters"),
        models=SEVERAL,
        call="fastcompare.delong_omnibus_test(y_true, scores)",
        role="omnibus",
        reason="Omnibus test of three or more models: whether any AUCs differ. The pairwise "
        "tests control the family-wise error rate without it.",
        reference=DELONG,
        wrong="scores of several models",
    ),
    *(
        rule(
            designs=("independent", "clusters", "weights"),
            models=SEVERAL,
            rows=rows,
            unknown=rows[1] == UNLIMITED,
            call="fastcompare.delong_pairwise_test(y_true, scores)",
            role="post-hoc",
            reason=f"All pairwise comparisons by DeLong's test {reason} Shaffer's adjustment.",
            assumes=(SAMPLED_CASES, HELD_OUT, f"at least {least} cases per class"),
            reference="Shaffer (1986), doi:10.1080/01621459.1986.10478341",
            wrong="scores of several models",
        )
        for rows, reason, least in (
            ((FEW_CASES_OF_CLASS, UNLIMITED), "with", FEW_CASES_OF_CLASS),
            ((0, FEW_CASES_OF_CLASS - 1), "by Student's t, with", FEW_FOR_PAIRS),
        )
    ),
    rule(
        designs=("independent", "clusters", "weights"),
        models=SEVERAL,
        call='fastcompare.delong_control_test(y_true, scores, "the control")',
        role="question",
        reason="If only differences from one control model matter: fewer tests, more power.",
        assumes=(SAMPLED_CASES, HELD_OUT, "the control was chosen before the data were seen"),
        reference="Dunnett, Tamhane (1991), doi:10.1002/sim.4780100614",
        wrong="scores of several models",
    ),
    of_cases(
        models=SEVERAL,
        designs=("multiclass",),
        call="fastcompare.multiclass_auc_test(y_true, y_score_a, y_score_b)",
        role="post-hoc",
        reason="There is no omnibus test for this design: test each pair, and adjust the "
        "p-values with adjust_pvalues.",
        reference="Hand, Till (2001), doi:10.1023/A:1010920819831",
        wrong="scores of several models",
    ),
    *(
        rule(
            designs=("independent",),
            models=models,
            paired=False,
            call="fastcompare.delong_unpaired_test(y_true_1, y_score_1, y_true_2, y_score_2)",
            role=role,
            reason="Each model has its own cases, so the variances of the two AUCs add up" + more,
            assumes=(SAMPLED_CASES, HELD_OUT, "no case is in both samples"),
            reference=DELONG,
            wrong=wrong,
        )
        for models, role, more, wrong in (
            ((2, 2), "test", f"; {PAIRS} runs it.", "scores of own cases"),
            (
                SEVERAL,
                "post-hoc",
                "; test each pair, and adjust the p-values with adjust_pvalues.",
                "scores of several models",
            ),
        )
    ),
    *(
        rule(
            designs=("independent", "clusters"),
            rows=(FEW_CASES_OF_CLASS, UNLIMITED),
            call=f"fastcompare.{test}(y_true, y_score_a, y_score_b{option}, rng=0)",
            role="question",
            reason=reason,
            assumes=(SAMPLED_CASES, HELD_OUT, "at least 30 cases per class"),
            reference=reference,
        )
        for test, option, reason, reference in (
            (
                "average_precision_test",
                "",
                "If positives are rare and the top of the ranking matters.",
                "Davis, Goadrich (2006), doi:10.1145/1143844.1143874",
            ),
            (
                "partial_auc_test",
                ", fpr=(0.0, 0.1)",
                "If only low false positive rates matter.",
                "McClish (1989), doi:10.1177/0272989X8900900307",
            ),
            (
                "sensitivity_at_specificity_test",
                ", specificity=0.9",
                "If the models will be used at a fixed specificity.",
                "Robin et al. (2011), doi:10.1186/1471-2105-12-77",
            ),
            (
                "specificity_at_sensitivity_test",
                ", sensitivity=0.9",
                "If the models will be used at a fixed sensitivity.",
                "Robin et al. (2011), doi:10.1186/1471-2105-12-77",
            ),
        )
    ),
    rule(
        designs=("independent", "clusters", "weights"),
        call="fastcompare.delong_interaction_test(y_true, y_score_a, y_score_b, subgroup)",
        role="question",
        reason=(
            "If the question is whether the difference of the models differs between subgroups "
            "(sex, hospital): one significant difference and one that is not do not show that."
        ),
        assumes=(SAMPLED_CASES, HELD_OUT, "no case or cluster is in two subgroups"),
        reference="Altman, Bland (2003), doi:10.1136/bmj.326.7382.219",
    ),
    *(
        rule(
            designs=("clusters",),
            models=models,
            call=f"fastcompare.{call}",
            role="question",
            reason=reason,
            assumes=(SAMPLED_CASES, HELD_OUT, "the groups are a sample, or design='fixed'"),
            reference="Janes, Pepe (2009), doi:10.1093/biomet/asp002",
        )
        for models, call, reason in (
            (
                (2, 2),
                "within_auc_test(y_true, y_score_a, y_score_b, groups=groups)",
                "If the models rank the cases of each user, query or centre, and cases of "
                "different ones are never compared: an AUC over all cases also rewards knowing "
                "which users have more positives, and may prefer the other model.",
            ),
            (
                SEVERAL,
                "within_auc_omnibus_test(y_true, scores, groups=groups)",
                "If the models rank the cases of each user, query or centre.",
            ),
            (
                SEVERAL,
                "within_auc_pairwise_test(y_true, scores, groups=groups)",
                "The same for every pair, with Shaffer's adjustment.",
            ),
        )
    ),
    rule(
        designs=("independent", "clusters", "weights"),
        models=(1, 1),
        call="fastcompare.subgroup_auc(y_true, y_score, subgroup)",
        role="question",
        reason=(
            "If the question is whether one model's AUC differs between subgroups (sex, hospital): "
            "every pair, each against the rest, and the largest difference with its interval."
        ),
        assumes=(SAMPLED_CASES, HELD_OUT, "no case or cluster is in two subgroups"),
        reference="Zou, Donner (2008), doi:10.1002/sim.3095",
    ),
    of_cases(
        designs=("independent", "clusters", "weights"),
        models=(1, 1),
        call="fastcompare.roc_auc_test(y_true, y_score, null=0.5)",
        reason="One model against a value specified in advance, such as chance.",
        reference="Newcombe (2006), doi:10.1002/sim.2324",
    ),
)
