"""AUC(t) and Brier(t) of R's riskRegression: its values, and where its standard errors differ."""

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fastcompare as fc
from fastcompare.survival._pairs import THREADS_FROM

GOLDEN = Path(__file__).parents[1] / "golden" / "survival"
SCORES = json.loads((GOLDEN / "score_riskregression.json").read_text())["cases"]
DATA = json.loads((GOLDEN / "concordance_survival.json").read_text())["cases"]
TESTS = {"auc": fc.auc_at_test, "brier": fc.survival_brier_test}
CASES = [pytest.param(case, kind, id=f"{case['name']} {kind}") for case in SCORES for kind in TESTS]


def result_of(case, kind):
    """The test of the first two scores of a data set, as if they were chances of an event."""
    data = next(own for own in DATA if own["name"] == case["name"])
    scores = [np.array(own, float) for own in [*data["scores"].values()][:2]]
    chances = [1.0 / (1.0 + np.exp((s.mean() - s) / s.std())) for s in scores]
    options = {"horizon": case["horizon"], "reference": "normal", "on_undefined": "ignore"}
    return TESTS[kind](data["time"], data["event"], *chances, **options)


def errors_of(result):
    """The standard errors of both models and of their difference."""
    return [*result.value_standard_error, result.standard_error]


def errors_of_many(self, coefficients):
    """The influence of the weights by the number at risk, events of the same time included."""
    at_risk = self.at_risk + np.add.reduceat(self.weights * self.event_observed, self.starts)
    sums = np.add.reduceat(coefficients, self.starts)
    beyond = np.cumsum(sums[::-1])[::-1] - sums
    less = np.where(self.censored_weight > 0.0, beyond / at_risk, 0.0)
    total = np.cumsum(less * self.censored_weight / at_risk)
    return self.weights * (total[self.number] - (self.event_observed == 0) * less[self.number])


@pytest.mark.parametrize(("case", "kind"), CASES)
def test_values_and_differences_are_those_of_riskregression(case, kind):
    result, want = result_of(case, kind), case[kind]
    assert_allclose(result.values, want["values"], rtol=1e-13)
    assert_allclose(-result.estimate, want["difference"], rtol=1e-11)
    wanted = [*want["standard_error"], want["standard_error_difference"]]
    assert_allclose(errors_of(result), wanted, rtol=2e-2)


@pytest.mark.parametrize(("case", "kind"), CASES)
def test_standard_errors_of_riskregression_are_by_the_number_at_risk(case, kind, monkeypatch):
    monkeypatch.setattr("fastcompare.survival._pairs.Censoring.components", errors_of_many)
    want = case[kind]
    wanted = [*want["standard_error"], want["standard_error_difference"]]
    assert_allclose(errors_of(result_of(case, kind)), wanted, rtol=1e-12)


def test_equivalence_at_several_horizons_has_bonferroni_s_allowance_however_alike_they_are():
    rng = np.random.default_rng(5)
    hazard, own, other = rng.normal(size=(3, 150))
    data = np.exp(-hazard), np.arange(150) % 4 > 0, hazard + own, hazard + other
    at = float(np.median(data[0])) + np.arange(4) * 1e-9  # no event is between these
    many = fc.auc_at_test(*data, horizon=at, alternative="equivalence", margin=0.15)
    assert many.pvalue.max() < 0.2
    assert_allclose(many.adjusted_pvalue, 4 * many.pvalue, rtol=1e-12)
    joint = fc.auc_at_test(*data, horizon=at)
    assert_allclose(joint.adjusted_pvalue, joint.pvalue, rtol=1e-9)  # they are one


def test_jobs_change_no_value_at_a_horizon_of_auc_at_test(requires_jit):
    n = THREADS_FROM
    rng = np.random.default_rng(1)
    time, event, *scores = rng.exponential(size=n), rng.random(n) < 0.5, *rng.random((3, n))
    table = dict(zip("abc", scores, strict=True))
    calls = [
        partial(fc.auc_at_test, time, event, *scores[:2], horizon=0.7),
        partial(fc.auc_at_test, time, event, *scores[:2], horizon=[0.5, 1.0]),
        partial(fc.auc_at_pairwise_test, time, event, table, horizon=0.7),
    ]
    for call in calls:
        assert call(n_jobs=1).to_dict() == call(n_jobs=2).to_dict()


@pytest.mark.parametrize("alternative", ["two-sided", "less", "equivalence"])
@pytest.mark.parametrize("kind", TESTS)
def test_several_horizons_may_all_be_undefined(kind, alternative):
    time, event = [5, 6, 7, 8], [1, 1, 0, 1]
    models = np.array([[0.9, 0.7, 0.2, 0.3], [0.5, 0.6, 0.7, 0.1]])
    models = models if kind == "auc" else np.stack([models, models], axis=2)  # each horizon's
    margin = {"margin": 0.1} if alternative == "equivalence" else {}
    options = margin | {"alternative": alternative, "on_undefined": "ignore"}
    result = TESTS[kind](time, event, *models, horizon=[1.0, 2.0], **options)
    assert np.isnan([result.adjusted_pvalue, *result.confidence_interval(simultaneous=True)]).all()
