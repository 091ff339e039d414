"""Valid data for which a part of the result is not defined: conventions and status words."""

import math
import warnings

import numpy as np
import pytest

import fastcompare as fc

RNG = np.random.default_rng(20)
Y = np.arange(60) % 2
A, B = RNG.normal(size=(2, 60)) + Y
PERFECT = Y + 0.1 * RNG.random(60)
CONSTANT = np.zeros(60)
NAN = math.nan

# words of the row, labels, scores, (estimate, standard error, statistic, pvalue, status), AUCs
PAIRS = [
    ("identical models", Y, (A, A), (0, 0, 0, 1, "identical"), None),
    ("monotone transforms", Y, (A, np.exp(A)), (0, 0, 0, 1, "identical"), None),
    ("both constant", Y, (CONSTANT, CONSTANT + 1), (0, 0, 0, 1, "identical"), (0.5, 0.5)),
    ("both AUC = 1", Y, (PERFECT, Y), (0, 0, 0, 1, "perfect_separation"), (1, 1)),
    ("both AUC = 0", Y, (-PERFECT, -Y), (0, 0, 0, 1, "perfect_separation"), (0, 0)),
    ("perfect, constant", Y, (Y, CONSTANT), (0.5, 0, math.inf, NAN, "zero_variance"), (1, 0.5)),
    ("constant, perfect", Y, (CONSTANT, Y), (-0.5, 0, -math.inf, NAN, "zero_variance"), (0.5, 1)),
    ("one class only", 0 * Y, (A, B), (NAN, NAN, NAN, NAN, "one_class"), (NAN, NAN)),
    ("one case", [1], ([0.5], [0.5]), (NAN, NAN, NAN, NAN, "one_class"), (NAN, NAN)),
    ("m=1", [1, 0, 0], ([2, 1, 3], [3, 1, 2]), (-0.5, NAN, NAN, NAN, "too_few"), (0.5, 1)),
    ("one negative", [0, 1, 1], ([2, 1, 3], [3, 1, 2]), (0.5, NAN, NAN, NAN, "too_few"), (0.5, 0)),
]

SINGLES = [
    ("all scores equal", Y, CONSTANT, 0.5, 0, "constant_scores", (NAN, NAN)),
    ("AUC = 1, CI wanted", Y, PERFECT, 1, 0, "perfect_separation", (NAN, NAN)),
    ("one class only", Y >= 0, A, NAN, NAN, "one_class", (NAN, NAN)),
    ("m=1", [1, 0, 0], [2, 1, 3], 0.5, NAN, "too_few", (NAN, NAN)),
]

SILENT = {"identical"}


def each_of(names, rows):
    return pytest.mark.parametrize(names, [pytest.param(*row[1:], id=row[0]) for row in rows])


def caught(function, *args, **words):
    """The result, and the warnings of undefined results on the way; others are errors."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always", fc.UndefinedResultWarning)
        result = function(*args, **words)
    return result, seen


@each_of(["labels", "scores", "want", "auc"], PAIRS)
def test_a_degenerate_pair_follows_the_convention(labels, scores, want, auc):
    result = fc.delong_test(labels, *scores, on_undefined="ignore")
    got = (result.estimate, result.standard_error, result.statistic, result.pvalue)
    np.testing.assert_array_equal(got, want[:4])
    assert result.status == want[4]
    if auc is not None:
        np.testing.assert_array_equal(result.auc, auc)


@each_of(["labels", "scores", "want", "auc"], PAIRS)
def test_a_degenerate_pair_gives_one_warning_that_points_to_the_call(labels, scores, want, auc):
    _, seen = caught(fc.delong_test, labels, *scores)
    assert [w.category for w in seen] == [fc.UndefinedResultWarning] * (want[4] not in SILENT)
    assert all(w.filename == __file__ and want[4] in str(w.message) for w in seen)


@each_of(["labels", "scores", "want", "auc"], [row for row in PAIRS if row[3][4] not in SILENT])
def test_on_undefined_raise_turns_it_into_an_exception(labels, scores, want, auc):
    with pytest.raises(fc.UndefinedResultError, match=f"^{want[4]}: ") as error:
        fc.delong_test(labels, *scores, on_undefined="raise")
    assert isinstance(error.value, ValueError)


@each_of(["labels", "scores", "want", "auc"], PAIRS)
def test_pairs_in_a_table_and_in_a_batch_follow_the_same_convention(labels, scores, want, auc):
    table = dict(zip("ab", scores, strict=True))
    pairwise = fc.delong_pairwise_test(labels, table, on_undefined="ignore")
    batch = fc.delong_batch(labels, scores[:1], scores[1:], on_undefined="ignore")
    for result in (pairwise, batch):
        got = (result.estimate, result.standard_error, result.statistic, result.pvalue)
        np.testing.assert_array_equal(np.ravel(got), want[:4])
    assert pairwise.status.tolist() == [want[4]]


@each_of(["labels", "scores", "auc", "error", "status", "ends"], SINGLES)
def test_a_degenerate_auc_has_a_status_and_one_warning(labels, scores, auc, error, status, ends):
    result, seen = caught(fc.roc_auc_interval, labels, scores, method="delong")
    got = (result.estimate, result.standard_error, *result.confidence_interval())
    np.testing.assert_array_equal(got, (auc, error, *ends))
    assert result.status == status
    assert [w.category for w in seen] == [fc.UndefinedResultWarning]


def test_perfect_separation_names_the_score_interval_which_does_not_collapse():
    _, seen = caught(fc.roc_auc_interval, Y, PERFECT, method="delong")
    assert "method='score'" in str(seen[0].message)
    result = fc.roc_auc_interval(Y, PERFECT, method="score")
    low, high = result.confidence_interval()
    assert 0.8 < low < high == 1


def test_zero_variance_with_a_difference_hints_at_a_permutation_test():
    result, seen = caught(fc.delong_test, Y, Y, CONSTANT)
    assert "permutation test" in str(seen[0].message)
    assert np.isnan(result.confidence_interval()).all()


@pytest.mark.parametrize("cases", [2, 9, 29])
def test_few_cases_are_computed_as_small_sample_with_a_warning(cases):
    y, (a, b) = (np.arange(60) < cases).astype(int), RNG.normal(size=(2, 60))
    with pytest.warns(fc.SmallSampleWarning, match="small_sample"):
        result = fc.delong_test(y, a, b, reference="normal", on_undefined="raise")
    assert result.status == "small_sample"
    assert result.n_positive == cases
    assert 0 < result.pvalue < 1


@pytest.mark.slow
def test_rare_positives_are_exact():
    y, a = np.zeros(100_000), np.arange(100_000)
    y[::10_000] = 1
    result = fc.roc_auc_interval(y, a)
    assert result.status == "ok"
    assert result.estimate == sum(range(0, 9 * 9_999 + 1, 9_999)) / (10 * 99_990)


@pytest.mark.slow
def test_the_variance_of_one_swapped_pair_is_never_negative_and_exact():
    y, a = np.arange(20_000) % 2, np.arange(20_000.0)
    b = a.copy()
    b[[500, 501]] = b[[501, 500]]
    result = fc.delong_test(y, a, b)
    assert result.standard_error == pytest.approx(math.sqrt(2) / 10_000**2, rel=1e-14)
    assert abs(result.statistic) == pytest.approx(1 / math.sqrt(2), rel=1e-14)


def test_interval_ends_outside_the_parameter_space_are_clipped_and_say_so():
    y, a = [0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6]
    interval = fc.roc_auc_interval(y, a, method="delong").confidence_interval()
    assert interval.high == 1
    assert interval.clipped
    assert not fc.roc_auc_interval(y, a, method="logit").confidence_interval().clipped


@pytest.mark.slow
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_beyond_z_40_the_log_pvalue_is_finite_and_p_is_printed_as_a_bound(alternative):
    y = np.arange(40_000) % 2
    a, b = np.random.default_rng(0).normal(size=(2, y.size)) + np.outer((3, 0), y)
    result = fc.delong_test(y, a, b, alternative=alternative)
    assert result.statistic > 40
    assert -math.inf < result.log_pvalue < math.log(1e-300)
    assert "p < 1e-300" in result.summary()
    assert "< 1e-300" in str(result)


@pytest.mark.parametrize(("labels", "status"), [(0 * Y, "one_class"), (Y, "identical")])
def test_models_that_cannot_be_told_apart_have_no_omnibus_statistic(labels, status):
    result, seen = caught(fc.delong_omnibus_test, labels, {"a": A, "b": np.exp(A), "c": 2 * A})
    assert result.status == status
    np.testing.assert_array_equal(result.pvalue, NAN if status == "one_class" else 1)
    assert len(seen) == (status == "one_class")


@pytest.mark.parametrize(("models", "reference"), [(40, "f"), (40, "chi2"), (61, "auto")])
def test_more_contrasts_than_cases_have_no_pvalue(models, reference):
    table = RNG.normal(size=(60, models))
    result, seen = caught(fc.delong_omnibus_test, Y, table, reference=reference)
    assert result.status == "too_many_models"
    assert math.isnan(result.pvalue)
    assert [w.category for w in seen] == [fc.UndefinedResultWarning]


def test_one_class_has_nan_for_its_auc_and_components_with_one_warning_each():
    auc, seen = caught(fc.roc_auc, 0 * Y, A)
    (v10, v01), more = caught(fc.structural_components, 0 * Y, A)
    assert math.isnan(auc)
    assert v10.shape == (0,)
    assert v01.shape == (60,)
    assert np.isnan(v01).all()
    assert [w.category for w in seen + more] == [fc.UndefinedResultWarning] * 2


UNPAIRED = [
    ("both AUC = 1", PERFECT, Y, 0, 1, "perfect_separation"),
    ("both constant", CONSTANT, CONSTANT, 0, 1, "constant_scores"),
    ("one perfect, one constant", Y, CONSTANT, math.inf, NAN, "zero_variance"),
]


@each_of(["first", "second", "statistic", "pvalue", "status"], UNPAIRED)
def test_unpaired_samples_follow_the_same_convention(first, second, statistic, pvalue, status):
    result, seen = caught(fc.delong_unpaired_test, Y, first, Y, second)
    np.testing.assert_array_equal((result.statistic, result.pvalue), (statistic, pvalue))
    assert result.status == status
    assert [w.category for w in seen] == [fc.UndefinedResultWarning]
