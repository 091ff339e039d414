"""What `compare` runs for studies of readers, and why."""

from dataclasses import replace
from functools import partial
from typing import Any

from ..._base.exceptions import invalid_value
from ..._inputs.evals.studies import Table, default_study
from ..._inputs.roles.question import option
from ..._results.remarks import status_remarks
from ...readers._study import reader_study
from ...readers._testing import reader_study_pairwise_test, reader_study_test
from ..data import Analysis, Data, Query, Tests
from .cases import after_omnibus, by_model_name, by_one_test

STUDY_REASON = "{t} treatments, {r} readers who score all cases under each: {how}"
TWO_TREATMENTS = "Obuchowski and Rockette's test with readers and cases random."
SEVERAL_TREATMENTS = (
    "Obuchowski and Rockette's omnibus and pairwise tests with readers and cases random."
)


def metric_of(data: Data, study: Table, query: Query) -> str:
    """Return the metric: as specified, else AUCs where cases have true labels, or means.

    Raise for AUCs of which lower ones are better.
    """
    higher = bool(query.options["higher_is_better"])
    metric = data.options.get("scoring") or ("mean" if study.truth is None else "auc")
    if metric == "auc" and not higher:
        raise invalid_value(
            "higher_is_better",
            "has no meaning for AUCs of readers",
            end=f": `{option(scoring='loss')}` compares mean losses, and scores that are low for "
            "positive cases take a minus sign.",
        )
    return "loss" if metric == "mean" and not higher else str(metric)


def analyse_readers(data: Data, query: Query, tests: Tests | None = None) -> Analysis:
    """Return the tests of treatments, under each of which several readers scored the cases."""
    assert data.study is not None
    readings, truth, treatments = data.study
    metric = metric_of(data, default_study(readings, truth), query)
    study_options = {"truth": truth, "treatments": treatments, "metric": metric}
    study = query.run(reader_study, readings, **study_options, on_undefined="ignore")
    t, r = study.figures.shape
    no_label: Any = {"pos_label": None}  # the study was read with it
    if t > 2:
        omnibus = query.run(reader_study_test, study, alternative="two-sided", **no_label)
        pairs = partial(query.run, reader_study_pairwise_test, study, **no_label)
        tested = after_omnibus(omnibus, pairs, query)
        how = SEVERAL_TREATMENTS
    else:
        tested = by_one_test("reader_study_test", query.run(reader_study_test, study, **no_label))
        how = TWO_TREATMENTS
    return replace(
        tested,
        reasons=(STUDY_REASON.format(t=t, r=r, how=how), *tested.reasons),
        values=by_model_name(dict.fromkeys(study.treatments), study.values),
        quantity=study._quantity,
        higher_is_better=study.higher_is_better,
        checks=status_remarks(*tested.tests.values()),
    )
