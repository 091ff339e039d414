"""Scores and parameters that cannot mean anything are refused; the order of scores is all."""

from datetime import date
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import fastcompare as fc

Y = np.array([0, 1, 0, 1, 1, 0])
A = np.array([0.1, 0.9, 0.3, 0.2, 0.8, 0.5])
B = np.array([0.2, 0.1, 0.5, 0.6, 0.7, 0.8])
GAP = np.where(np.arange(6) == 3, np.nan, B)
CLOSE = 1 + np.arange(6) * np.longdouble(1e-18)
HUGE = np.array(["1e400"] * 6, np.longdouble)
wide = pytest.mark.skipif(np.longdouble is np.float64, reason="longdouble is float64 here")

REFUSED = [
    ("NaN", GAP, ValueError, "`y_score_b` has 1 missing .*first at index 3.*omit"),
    ("all NaN", np.full(6, np.nan), ValueError, "6 missing .*first at index 0"),
    ("None", [0.1, None, 0.2, None, 0.4, 0.5], ValueError, "2 missing .*first at index 1"),
    ("all None", [None] * 6, ValueError, "6 missing"),
    ("complex, even with zero imaginary part", B + 0j, TypeError, "complex128"),
    ("Decimal", [Decimal("0.1")] * 6, TypeError, "Decimal"),
    ("Fraction", [Fraction(1, 3)] * 6, TypeError, "Fraction"),
    ("objects of several kinds", np.array([0.1, "0.2", 0, 1, 2, 3], object), TypeError, "str"),
    ("a list of several kinds", [0.1, "0.2", 0, 1, 2, 3], TypeError, "str"),
    ("dates", [date(2020, 1, 1)] * 6, TypeError, "date"),
    ("datetime64", np.arange(6).astype("M8[D]"), TypeError, "datetime64"),
    ("timedelta64", np.arange(6).astype("m8[s]"), TypeError, "timedelta64"),
    ("structured", np.zeros(6, [("a", "f8")]), TypeError, "dtype"),
    ("record array", np.rec.array([(0.5,)] * 6), TypeError, "dtype"),
    ("str", B.astype(str), TypeError, "real numbers"),
    ("StringDType", B.astype(np.dtypes.StringDType()), TypeError, "real numbers"),
    ("bytes", B.astype("S"), TypeError, "real numbers"),
    ("void", np.zeros(6, "V8"), TypeError, "real numbers"),
    ("masked", np.ma.masked_less(B, 0.4), ValueError, "2 masked values, the first at index 0"),
    ("masked column", np.ma.masked_less(B[:, None], 0.4), ValueError, "2 masked values"),
    pytest.param("longdouble 1 and 1+1e-18", CLOSE, ValueError, "float64 cannot", marks=wide),
    pytest.param("longdouble objects", list(CLOSE), ValueError, "float64 cannot", marks=wide),
    pytest.param("longdouble 1e400", HUGE, ValueError, "float64 cannot", marks=wide),
    ("integers beyond 64 bits", [1, 2, 3, 4, 5, 2**70], TypeError, "dtype object"),
    ("wide integers among floats", [2**53, 2**53 + 1, 0.5, 1, 2, 3], ValueError, "beyond 2"),
    ("wide ones below 0", [-(2**53), -(2**53) - 1, 0.5, 1, 2, 3], ValueError, "beyond 2"),
    ("wide integers of both signs", [2**63, 2**63 + 1, -1, 0, 1, 2], ValueError, "beyond 2"),
    ("predict_proba form", np.c_[A, B], ValueError, r"shape \(6, 2\)\. Pass column 1"),
    ("three columns", np.c_[A, B, B], ValueError, r"1-d, got shape \(6, 3\)"),
    ("lengths differ", B[:5], ValueError, "each of the 6 labels in `y_true`, got 5"),
    ("empty", [], ValueError, "6 labels in `y_true`, got 0"),
    ("scalar", 0.5, ValueError, r"1-d, got shape \(\)"),
    ("0-d", np.array(0.5), ValueError, r"1-d, got shape \(\)"),
    ("None for all", None, TypeError, "must be specified, unless `y_score_a` is a data frame"),
    ("(1,n) with n>1", B[None], ValueError, r"1-d, got shape \(1, 6\)"),
    ("3-d", np.zeros((6, 1, 1)), ValueError, r"shape \(6, 1, 1\)"),
    ("ragged lists", [[1], [1, 2]] * 3, ValueError, "cannot be converted to an array"),
]

PARAMETERS = [
    ("two-tailed", {"alternative": "two-tailed"}, ValueError, "'two-sided', 'less', 'greater'"),
    ("nearest one", {"alternative": "two-tailed"}, ValueError, "Did you mean 'two-sided'"),
    ("no word", {"alternative": ["less"]}, TypeError, "`alternative`"),
    ("margin below 0", {"margin": -0.1, "alternative": "less"}, ValueError, "at least 0"),
    ("margin 1", {"margin": 1, "alternative": "less"}, ValueError, "below 1"),
    ("margin NaN", {"margin": np.nan, "alternative": "less"}, ValueError, "got nan"),
    ("margin '0.05'", {"margin": "0.05", "alternative": "less"}, TypeError, "a number"),
    ("margin None", {"margin": None}, TypeError, "a number"),
    ("margin without direction", {"margin": 0.1}, ValueError, "non-inferiority"),
    ("equivalence without margin", {"alternative": "equivalence"}, ValueError, "`margin` above 0"),
    ("method", {"method": "fast"}, ValueError, "'auto', 'midrank', 'heaviside'"),
    ("method in a list", {"method": ["auto"]}, TypeError, "`method`"),
    ("nan_policy", {"nan_policy": "propagate"}, ValueError, "'raise', 'omit'"),
    ("on_undefined", {"on_undefined": "error"}, ValueError, "'warn', 'raise', 'ignore'"),
    ("n_jobs 0", {"n_jobs": 0}, ValueError, "at least 1, got 0"),
    ("n_jobs -2", {"n_jobs": -2}, ValueError, "-1 .all cores."),
    ("n_jobs 1.5", {"n_jobs": 1.5}, TypeError, "integer"),
    ("n_jobs True", {"n_jobs": True}, TypeError, "integer"),
    ("n_jobs None", {"n_jobs": None}, TypeError, "integer"),
]

LEVELS = [
    (0, ValueError, "between 0 and 1"),
    (1, ValueError, "between 0 and 1"),
    (95, ValueError, "Did you mean 0.95"),
    (float("nan"), ValueError, "got nan"),
    ("0.95", TypeError, "a number"),
    (True, TypeError, "a number"),
    (None, TypeError, "a number"),
]


def ids(table):
    return [getattr(row, "values", row)[0] for row in table]


@pytest.mark.parametrize(("_", "scores", "error", "message"), REFUSED, ids=ids(REFUSED))
def test_scores_that_cannot_mean_anything_are_refused_by_name(_, scores, error, message):
    with pytest.raises(error, match=message) as caught:
        fc.delong_test(Y, A, scores)
    assert isinstance(caught.value, fc.FastCompareError)
    assert "`y_score_b`" in str(caught.value)


@pytest.mark.parametrize(("_", "words", "error", "message"), PARAMETERS, ids=ids(PARAMETERS))
def test_parameters_that_cannot_mean_anything_are_refused(_, words, error, message):
    with pytest.raises(error, match=message) as caught:
        fc.delong_test(Y, A, B, **words)
    assert isinstance(caught.value, fc.FastCompareError)


def test_an_unknown_keyword_is_a_type_error():
    with pytest.raises(TypeError, match="unexpected keyword argument 'alfa'"):
        fc.delong_test(Y, A, B, alfa=0.05)


@pytest.mark.parametrize(("level", "error", "message"), LEVELS, ids=[str(row[0]) for row in LEVELS])
def test_confidence_levels_lie_strictly_between_0_and_1(level, error, message):
    with pytest.raises(error, match=message):
        fc.delong_test(Y, A, B).confidence_interval(level)
    with pytest.raises(error, match=message):
        fc.roc_auc_interval(Y, A, confidence_level=level)


@pytest.mark.parametrize("function", [fc.delong_covariance, fc.delong_pairwise_test])
@pytest.mark.parametrize("table", [np.c_[A, GAP], [[a, None] for a in A], {"x": A, "model 2": GAP}])
def test_nan_in_a_table_names_the_model(function, table):
    with pytest.raises(fc.InvalidValueError, match=r"`model 2` has . missing .*index"):
        function(Y, table)
    with pytest.raises(fc.InvalidValueError, match=r"`model 2` has . missing .*index"):
        fc.delong_control_test(Y, table, 0)


def test_nan_in_a_batch_names_problem_and_case():
    with pytest.raises(fc.InvalidValueError, match=r"1 missing .*first in problem 1, case 3"):
        fc.delong_batch(Y, [A, GAP], [A, A])


def test_nan_policy_omit_drops_rows_listwise_over_all_compared_models():
    other = np.where(np.arange(6) == 5, np.nan, A)
    kept = [0, 1, 2, 4]
    with pytest.warns(fc.DroppedCasesWarning, match="^2 of 6 cases") as caught:
        result = fc.delong_test(Y, other, GAP, nan_policy="omit")
    (warning,) = (w for w in caught if w.category is fc.DroppedCasesWarning)
    assert warning.filename == __file__
    clean = fc.delong_test(Y[kept], A[kept], B[kept])
    assert result.to_dict() == clean.to_dict() | {"n_dropped": 2}


def test_a_missing_value_in_a_table_of_objects_is_not_a_zero():
    table = [[a, None if i == 3 else b] for i, (a, b) in enumerate(zip(A, B, strict=True))]
    with pytest.warns(fc.DroppedCasesWarning, match="^1 of 6 cases"):
        result = fc.delong_covariance(Y, table, nan_policy="omit")
    kept = np.arange(6) != 3
    clean = fc.delong_covariance(Y[kept], np.c_[A, B][kept])
    assert result.auc.tolist() == clean.auc.tolist()


def test_infinities_are_legal_and_equal_infs_tie():
    scores = np.array([-np.inf, np.inf, np.inf, 0, np.inf, -np.inf])
    assert fc.roc_auc(Y, scores) == fc.roc_auc(Y, [0, 2, 2, 1, 2, 0])


def test_scores_outside_0_and_1_are_accepted():
    assert fc.delong_test(Y, A * 1e6 - 3, B).to_dict() == fc.delong_test(Y, A, B).to_dict()


def test_logits_and_probabilities_give_the_same_bits():
    logits = np.random.default_rng(0).normal(size=(2, 400))
    a, b = 1 / (1 + np.exp(-logits))
    y = np.arange(400) % 2
    assert fc.delong_test(y, *logits).to_dict() == fc.delong_test(y, a, b).to_dict()


def test_a_saturated_sigmoid_is_not_undone_nor_are_scores_transformed():
    logits = np.array([40.0, 50.0, 39.0, 60.0])  # a sigmoid makes all of them 1.0
    assert fc.roc_auc([0, 1, 0, 1], logits) == 1.0
    assert fc.roc_auc([0, 1, 0, 1], 1 / (1 + np.exp(-logits))) == 0.5


def test_a_reversed_direction_is_never_flipped():
    assert fc.roc_auc(Y, -A) == pytest.approx(1 - fc.roc_auc(Y, A))
    assert fc.roc_auc(Y, -A) < 0.5


@pytest.mark.parametrize(
    "function", [fc.delong_pairwise_test, fc.delong_omnibus_test, fc.delong_control_test]
)
def test_one_model_given_to_a_comparison_is_refused(function):
    options = {"control": 0} if function is fc.delong_control_test else {}
    with pytest.raises(fc.InvalidValueError, match="at least two models, got one"):
        function(Y, A, **options)
