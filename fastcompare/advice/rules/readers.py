"""Rules for reader studies: several readers, or training runs, score the same cases."""

from functools import partial

from ..rule import SAMPLED_CASES, SEVERAL, TWO_OR_MORE, rule

HILLIS = "Hillis (2007), doi:10.1002/sim.2532"
FIRST = "Obuchowski, Rockette (1995), doi:10.1080/03610919508813243"
SAMPLED = (
    "the readers, or seeds, are a random sample of those the claim is about",
    SAMPLED_CASES,
    "every reader scores every case under every treatment",
)

of_sample = partial(rule, assumes=SAMPLED, reference=HILLIS, parametric=True)
READERS = (
    of_sample(
        call="fastcompare.reader_study_test(study)",
        reason=(
            "Two treatments under the same readers and on the same cases: both are samples, and "
            "the difference must hold for other readers and cases."
        ),
        wrong="readers",
    ),
    of_sample(
        models=SEVERAL,
        call="fastcompare.reader_study_test(study)",
        role="omnibus",
        reason="One test of all treatments, with readers and cases random.",
        wrong="readers",
    ),
    of_sample(
        models=SEVERAL,
        call="fastcompare.reader_study_pairwise_test(study)",
        role="post-hoc",
        reason="All pairs of treatments, adjusted for multiplicity.",
        wrong="readers",
    ),
    of_sample(
        models=(1, 1),
        call="fastcompare.reader_study_vs_standalone(study, standalone)",
        reason="Readers under one treatment against an algorithm alone, on the same cases.",
    ),
    rule(
        models=TWO_OR_MORE,
        claims=("these models",),
        call='fastcompare.reader_study_test(study, random="cases")',
        role="collect",
        reason=(
            "For a claim about these readers, or these training runs, alone: readers count as "
            "fixed, and more of them do not widen the claim."
        ),
        assumes=(SAMPLED_CASES,),
        reference=FIRST,
        parametric=True,
    ),
    of_sample(
        models=TWO_OR_MORE,
        claims=("this way of training",),
        call="fastcompare.reader_study_test(study)",
        role="collect",
        reason=(
            "Let the readers be training runs with different seeds: the claim is then about ways "
            "of training on these training cases."
        ),
        wrong="seeds",
    ),
)
