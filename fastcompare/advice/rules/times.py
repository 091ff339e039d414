"""Rules for times to an event, some of which are censored."""

from ..rule import HELD_OUT, SAMPLED_CASES, SEVERAL, rule

ASSUMED = (SAMPLED_CASES, HELD_OUT, "censoring does not depend on the time to the event")
WHY = (
    "Models are compared by concordance, the probability that the case with the earlier event has "
    "the higher risk. "
)
UNO = "Uno, Cai, Pencina, D'Agostino, Wei (2011), doi:10.1002/sim.4154"
HARRELL = "Harrell, Califf, Pryor, Lee, Rosati (1982), doi:10.1001/jama.1982.03320430047030"
BY_RISK = "If the models will be used to say who has an event by a given time."
BY_CHANCE = "If they predict probabilities of an event by a given time, 1 - S(t)."
BLANCHE = "Blanche, Dartigues, Jacqmin-Gadda (2013), doi:10.1002/sim.5958"
GERDS = "Gerds, Schumacher (2006), doi:10.1002/bimj.200610301"

TIMES = (
    *(
        rule(
            designs=designs,
            models=models,
            call=f"fastcompare.{test}(time, event, {arguments}{end})",
            role=role,
            reason=WHY + why,
            assumes=(*ASSUMED, *more),
            reference=reference,
            parametric=True,
            wrong=wrong,
        )
        for designs, end, why, more, reference, wrong in (
            (
                ("censored", "clusters", "weights"),
                ', method="uno", tau=tau',
                "Where 10% of the cases or more are censored before `tau`, what Harrell's C "
                "estimates depends on censoring; Uno's does not.",
                (),
                *(UNO, "censored"),
            ),
            (
                ("uncensored",),
                "",
                "With so few censored cases Harrell's C, which gives all pairs the same weight, is "
                "close to Uno's.",
                ("fewer than 10% of the cases are censored before the last event",),
                *(HARRELL, "times"),
            ),
        )
        for test, role, models, arguments in (
            ("concordance_test", "test", (2, 2), "risk_a, risk_b"),
            ("concordance_omnibus_test", "omnibus", SEVERAL, "scores"),
            ("concordance_pairwise_test", "post-hoc", SEVERAL, "scores"),
        )
    ),
    *(
        rule(
            models=models,
            call=f"fastcompare.{test}(time, event, {arguments}, horizon=horizon)",
            role="question",
            reason=reason,
            assumes=ASSUMED,
            reference=reference,
            parametric=True,
        )
        for test, models, arguments, reason, reference in (
            ("auc_at_test", (2, 2), "score_a, score_b", BY_RISK, BLANCHE),
            ("auc_at_pairwise_test", SEVERAL, "scores", BY_RISK, BLANCHE),
            ("survival_brier_test", (2, 2), "probability_a, probability_b", BY_CHANCE, GERDS),
            ("survival_brier_pairwise_test", SEVERAL, "probabilities", BY_CHANCE, GERDS),
        )
    ),
    rule(
        designs=("censored", "uncensored", "clusters"),
        models=(2, 2),
        call="fastcompare.permutation_survival_test(time, event, risk_a, risk_b, rng=0)",
        role="instead",
        reason="Exact for any number of events if the models are exchangeable, so for few events "
        "(docs/evidence/survival.md). It has no interval.",
        assumes=(*ASSUMED, "under the null hypothesis the models' ranks are exchangeable"),
        reference="Bandos, Rockette, Gur (2005), doi:10.1002/sim.2149",
    ),
)
