"""Rules for reader studies: several readers, or training runs, score the same cases."""

from ..rule import CASES, MANY, Rule

KIND = ("readers",)
HILLIS = "Hillis (2007), doi:10.1002/sim.2532"
FIRST = "Obuchowski, Rockette (1995), doi:10.1080/03610919508813243"
SAMPLED = (
    "the readers, or seeds, are a random sample of those the claim is about",
    CASES,
    "every reader scores every case under every treatment",
)

READERS = (
    Rule(
        kinds=KIND,
        test="reader_study_test",
        call="fastcompare.reader_study_test(study)",
        role="test",
        reason=(
            "Two treatments under the same readers and on the same cases: both are samples, and "
            "the difference must hold for other readers and cases."
        ),
        assumes=SAMPLED,
        reference=HILLIS,
        parametric=True,
        wrong="readers",
    ),
    Rule(
        kinds=KIND,
        models=(3, MANY),
        test="reader_study_test",
        call="fastcompare.reader_study_test(study)",
        role="omnibus",
        reason="One test of all treatments, with readers and cases random.",
        assumes=SAMPLED,
        reference=HILLIS,
        parametric=True,
        wrong="readers",
    ),
    Rule(
        kinds=KIND,
        models=(3, MANY),
        test="reader_study_pairwise_test",
        call="fastcompare.reader_study_pairwise_test(study)",
        role="post-hoc",
        reason="All pairs of treatments, adjusted for multiplicity.",
        assumes=SAMPLED,
        reference=HILLIS,
        parametric=True,
        wrong="readers",
    ),
    Rule(
        kinds=KIND,
        models=(1, 1),
        test="reader_study_vs_standalone",
        call="fastcompare.reader_study_vs_standalone(study, standalone)",
        role="test",
        reason="Readers under one treatment against an algorithm alone, on the same cases.",
        assumes=SAMPLED,
        reference=HILLIS,
        parametric=True,
    ),
    Rule(
        kinds=KIND,
        models=(2, MANY),
        claims=("these models",),
        test="reader_study_test",
        call='fastcompare.reader_study_test(study, random="cases")',
        role="collect",
        reason=(
            "For a claim about these readers, or these training runs, alone: readers count as "
            "fixed, and more of them do not widen the claim."
        ),
        assumes=(CASES,),
        reference=FIRST,
        parametric=True,
        wrong="readers",
    ),
    Rule(
        kinds=KIND,
        models=(2, MANY),
        claims=("this way of training",),
        test="reader_study_test",
        call="fastcompare.reader_study_test(study)",
        role="collect",
        reason=(
            "Let the readers be training runs with different seeds: the claim is then about ways "
            "of training on these training cases."
        ),
        assumes=SAMPLED,
        reference=HILLIS,
        parametric=True,
        wrong="seeds",
    ),
)
