"""Rules for claims that the data at hand cannot carry: what to collect in their place."""

from functools import partial

from ..rule import HELD_OUT, TWO_OR_MORE, rule

ONE_TEST_SET = ("scores", "labels", "probabilities")
TRAINING, NEW = "this way of training", "on new data sets"

to_collect = partial(rule, models=TWO_OR_MORE, role="collect")
OTHER_CLAIMS = (
    to_collect(
        kinds=(*ONE_TEST_SET, "folds", "datasets", "items", "battles", "times"),
        claims=("other readers and cases",),
        call="fastcompare.reader_study_test(study)",
        reason="Readers, or seeds, that the claim is to extend to must vary in the data: let "
        "several score the same cases under every treatment.",
        assumes=("every reader scores every case under every treatment",),
        reference="Hillis (2007), doi:10.1002/sim.2532",
        parametric=True,
        wrong="readers",
    ),
    to_collect(
        kinds=ONE_TEST_SET,
        claims=(TRAINING,),
        call='fastcompare.compare_estimators(estimators, X, y, scheme="10x10cv", rng=0)',
        reason="One test set says how these fitted models differ, and nothing of what training "
        "again would give: train them in several rounds.",
        assumes=("all models are trained and tested on the same splits",),
        reference="Dietterich (1998), doi:10.1162/089976698300017197",
        parametric=True,
        wrong="splits",
    ),
    to_collect(
        kinds=("times",),
        claims=(TRAINING,),
        call="fastcompare.ttest_unpaired(means_1, means_2)",
        reason="One test set shows how these fitted models differ, not what training again would "
        "give: train each with several seeds, and compare the concordances of the runs, which are "
        "not paired.",
        assumes=("the runs are independent, and their concordances normal",),
        reference="Welch (1947), doi:10.1093/biomet/34.1-2.28",
        parametric=True,
        wrong="own rows",
    ),
    to_collect(
        kinds=("items", "battles"),
        claims=(TRAINING,),
        call="fastcompare.ttest_unpaired(means_1, means_2)",
        reason="Items and battles say how these models differ, not what training again would give: "
        "train each with several seeds, and compare the means of the runs, which are not paired.",
        assumes=(
            "the runs are independent, and their means normal",
            "the claim is about training, on just these items or against just these opponents",
        ),
        reference="Welch (1947), doi:10.1093/biomet/34.1-2.28",
        parametric=True,
        wrong="own rows",
    ),
    to_collect(
        kinds=(*ONE_TEST_SET, "folds", "items", "battles", "readers", "times"),
        claims=(NEW,),
        call="fastcompare.compare_datasets(scores)",
        reason="One data set, however often it is split, is one: take a score on each of many.",
        assumes=("the data sets are independent draws from those that the claim is about",),
        reference="Demšar (2006), https://www.jmlr.org/papers/v7/demsar06a.html",
        wrong="rounds",
    ),
    to_collect(
        kinds=("folds",),
        claims=("these models",),
        call="fastcompare.delong_test(y_true, y_score_a, y_score_b)",
        reason="Each round trains models of its own, so rounds say nothing of two fitted models: "
        "let these score, or label (mcnemar_test), one held-out test set.",
        assumes=(HELD_OUT,),
        reference="Dietterich (1998), doi:10.1162/089976698300017197",
        wrong="splits",
    ),
    to_collect(
        kinds=("datasets",),
        claims=(TRAINING,),
        call="fastcompare.ttest_corrected(scores_a, scores_b, n_train=n_train, n_test=n_test)",
        reason="A score a data set averages what rounds on one of them tell: for a claim about one "
        "data set compare the scores of its rounds.",
        assumes=("all models are trained and tested on the same splits",),
        reference="Nadeau, Bengio (2003), doi:10.1023/A:1024068626366",
        parametric=True,
        wrong="splits",
    ),
    to_collect(
        kinds=("datasets",),
        claims=("these models",),
        call="fastcompare.delong_test(y_true, y_score_a, y_score_b)",
        reason="Fitted models are compared case by case on one held-out test set, by their scores "
        "or labels (mcnemar_test).",
        assumes=(HELD_OUT,),
        reference="DeLong, DeLong, Clarke-Pearson (1988), doi:10.2307/2531595",
        wrong="rows",
    ),
)
