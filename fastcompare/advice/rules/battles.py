"""Rules for battles: which of two models won, in arenas and tournaments."""

from ..rule import MANY, Rule

BRADLEY = "Bradley, Terry (1952), doi:10.2307/2334029"
ONE_STRENGTH = "one strength a model, whoever it meets"

BATTLES = (
    Rule(
        kinds=("battles",),
        designs=("independent", "weights"),
        models=(2, MANY),
        test="bradley_terry",
        call="fastcompare.bradley_terry(model_a, model_b, outcome)",
        role="test",
        reason="Battles tell who won against whom, so strengths account for the opponents. "
        "`pairwise()` of the result tests all pairs, corrected by the distribution of the largest "
        "difference: no test of all together has to come first.",
        assumes=("battles are independent", ONE_STRENGTH),
        reference=BRADLEY,
        parametric=True,
        wrong="battles",
    ),
    Rule(
        kinds=("battles",),
        designs=("clusters",),
        models=(2, MANY),
        test="bradley_terry",
        call="fastcompare.bradley_terry(model_a, model_b, outcome, groups=groups)",
        role="test",
        reason="Battles of one judge, or on one prompt, are alike: clusters count, battles do not. "
        "`pairwise()` of the result tests all pairs with a correction for their number.",
        assumes=(
            "the clusters are independent",
            "5 clusters or more, none of which holds half the battles",
            ONE_STRENGTH,
        ),
        reference="Liang, Zeger (1986), doi:10.1093/biomet/73.1.13",
        parametric=True,
        wrong="battles",
    ),
)
