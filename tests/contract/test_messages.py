"""Messages name what the caller passed, and point to where to go on; spellings tell nothing."""

import datetime
import inspect
import re

import numpy as np
import pytest

import fastcompare as fc
from tests.shared.every_call import CALLS, SIZES, TABLE, Y3, A, B, Y, called

WITH_NAN = np.where(np.arange(A.size) == 3, np.nan, A)
TWO = {"forest": WITH_NAN, "tree": B}


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: fc.delong_test(Y, WITH_NAN, B), "y_score_a"),
        (lambda: fc.delong_test(Y, B, WITH_NAN), "y_score_b"),
        (lambda: fc.delong_test(Y, TWO), r"y_score_a\['forest'\]"),
        (lambda: fc.permutation_auc_test(Y, {"tree": B, "forest": WITH_NAN}), r".*\['forest'\]"),
        (lambda: fc.delong_pairwise_test(Y, TWO), "forest"),
        (lambda: fc.paired_mean_test(TWO), r"scores_a\['forest'\]"),
        (lambda: fc.wilcoxon_test(TWO), r"scores_a\['forest'\]"),
        (lambda: fc.wilcoxon_test(A, WITH_NAN), "scores_b"),
        (lambda: fc.ttest_corrected(A, WITH_NAN, **SIZES), "scores_b"),
        (lambda: fc.compare(Y, WITH_NAN, B, kind="scores"), "a"),
        (lambda: fc.compare(Y, A, WITH_NAN, kind="scores"), "b"),
        (lambda: fc.compare(Y, TWO, kind="scores"), r"a\['forest'\]"),
        (lambda: fc.compare(Y, TWO | {"bush": A}, kind="scores"), r"a\['forest'\]"),
        (lambda: fc.compare(TWO, kind="items"), r"data\['forest'\]"),
        (lambda: fc.compare(TWO | {"bush": A}, kind="items"), r"data\['forest'\]"),
    ],
)
def test_a_missing_value_is_told_under_the_name_that_was_passed(call, name):
    with pytest.raises(fc.InvalidValueError, match=f"`{name}` has 1 missing value .* index 3") as e:
        call()
    assert re.fullmatch(name, e.value.parameter)
    assert e.value.row == 3


def pair_of(name):
    """The parameters of two models of a function that takes both in one table; or none."""
    parameters = inspect.signature(getattr(fc, name)).parameters.values()
    optional = [p.name for p in parameters if p.default is None and p.kind is not p.KEYWORD_ONLY]
    pairs = [(f"{b[:-2]}_a", b) for b in optional if b.endswith("_b")]
    return next((pair for pair in pairs if {*pair} <= {*CALLS[name]}), None)


OTHER_TABLES = ("bowker_test", "stuart_maxwell_test", "compare")  # of counts, or called `data`
PAIRS = {name: both for name in CALLS if name not in OTHER_TABLES and (both := pair_of(name))}


@pytest.mark.parametrize("name", PAIRS)
def test_a_missing_value_in_a_table_of_two_is_in_the_column_that_the_error_names(name):
    first, second = PAIRS[name]
    models = {"forest": CALLS[name][first], "tree": np.array(CALLS[name][second], float)}
    models["tree"][3] = np.nan
    assert called(name, **{first: {**models, "tree": CALLS[name][second]}, second: None})
    with pytest.raises(fc.InvalidValueError, match="missing") as e:
        called(name, **{first: models, second: None})
    assert e.value.parameter.startswith(f"{first}['tree']")


def test_compare_names_the_argument_that_holds_a_column_with_a_name_of_its_own():
    pd = pytest.importorskip("pandas")
    bad, good = pd.Series(WITH_NAN, name="forest"), pd.Series(B, name="tree")
    for letter, models in {"a": (bad, good), "b": (good, bad)}.items():
        with pytest.raises(fc.InvalidValueError, match=rf"^`{letter}` \('forest'\) has 1 missing"):
            fc.compare(Y, *models, kind="scores")


@pytest.mark.parametrize("kind", ["datasets", "folds"])
def test_a_table_is_told_under_the_name_that_was_passed_to_compare(kind):
    sizes = SIZES if kind == "folds" else {}
    for models in (TWO, TWO | {"bush": A}):
        with pytest.raises(
            fc.InvalidValueError, match=r"^`data` has 1 missing .*'forest' in row 3"
        ):
            fc.compare(models, kind=kind, **sizes)


def test_compare_names_its_own_labels_and_a_test_names_those_of_the_test():
    with pytest.raises(fc.InvalidValueError, match="for each of the 20 labels in `data`, got 24"):
        fc.compare(Y[:20], A, B, kind="scores")
    with pytest.raises(fc.InvalidValueError, match="for each of the 20 labels in `y_true`, got"):
        fc.delong_test(Y[:20], A, B)


HINTS = {  # of pROC, scikit-learn and statsmodels
    "Did you mean 'groups'": lambda: fc.delong_test(Y, A, B, cluster=Y),
    "Did you mean 'confidence_level'": lambda: fc.roc_auc_interval(Y, A, conf_level=0.9),
    "Did you mean 'fpr'": lambda: fc.partial_auc(Y, A, specificity=0.9),
    "Did you mean 'specificity'": lambda: fc.sensitivity_at_specificity(Y, A, threshold=0.9),
    "passed by name: specificity=": lambda: fc.sensitivity_at_specificity(Y, A, 0.9),
    "passed by name: auc=..., power=": lambda: fc.auc_sample_size(0.8, 0.75),
    "`scores` is a dictionary from names to columns": lambda: fc.friedman_test(A, B, A),
    "`predictions` is a dictionary": lambda: fc.cochran_q_test(Y, Y, Y),
    "passed by name: ties=": lambda: fc.friedman_test(TWO, "average"),
    "alternative='greater' with a `margin`": lambda: fc.delong_test(
        Y, A, B, alternative="non-inferiority"
    ),
    "Did you mean 'less'": lambda: fc.delong_test(Y, A, B, alternative="smaller"),
    "functions for one model's are called `..._interval`": lambda: fc.roc_auc(Y, A, conf_level=0.9),
    "AUCs of several classes: multiclass_auc": lambda: fc.log_loss(Y, A, num_classes=3),
}


@pytest.mark.parametrize("words", HINTS)
def test_what_users_of_other_packages_type_gets_a_hint(words):
    with pytest.raises((TypeError, fc.InvalidValueError), match=re.escape(words)):
        HINTS[words]()


@pytest.mark.parametrize("name", ["delong_test", "delong_unpaired_test", "ttest_unpaired"])
def test_a_hint_of_pairing_is_true_of_paired_and_of_unpaired_cases(name):
    with pytest.raises(TypeError, match="on different cases have `unpaired` in their names"):
        called(name, paired=True)


def test_only_what_is_close_is_guessed():
    close = {"two_sided": "two-sided", "Two-Sided": "two-sided", "equiv": "equivalence"}
    for given, meant in (close | {"grater": "greater"}).items():
        with pytest.raises(
            fc.InvalidValueError, match=rf"got '{given}'\. Did you mean '{meant}'\?"
        ):
            fc.delong_test(Y, A, B, alternative=given)
    for option, given in (("alternative", "bigger"), ("method", "slow"), ("reference", "x")):
        with pytest.raises(fc.InvalidValueError, match=rf"got '{given}'\.$"):
            fc.delong_test(Y, A, B, **{option: given})
    with pytest.raises(fc.InvalidValueError, match=r"got 'banana'\.$"):
        called("delong_pairwise_test", correction="banana")


@pytest.mark.parametrize("name", ["delong_test", "roc_auc", "bootstrap_auc", "partial_auc"])
def test_labels_of_three_classes_point_to_the_test_of_several(name):
    with pytest.raises(fc.InvalidValueError, match=r"found 3: 0, 1, 2.*multiclass_auc_test"):
        called(name, y_true=Y3)
    with pytest.raises(fc.InvalidValueError, match=r"'u', 'v', 'w'.*multiclass_auc_test"):
        called(name, y_true=np.array(["u", "v", "w"])[Y3], pos_label="u")


@pytest.mark.parametrize(
    ("name", "spelt", "meant"),
    [
        ("mcnemar_test", "mid-p", "midp"),
        ("mcnemar_pairwise_test", "MidP", "midp"),
        ("accuracy_interval", "Clopper Pearson", "clopper-pearson"),
        ("bootstrap_auc_test", "BCa", "bca"),
        ("friedman_test", "Iman_Davenport", "iman-davenport"),
        ("paired_mean_test", "sign flip", "sign-flip"),
        ("permutation_auc_test", "Venkatraman", "venkatraman"),
        ("scoring_test", "Wilcoxon", "wilcoxon"),
        ("wilcoxon_test", "EXACT", "exact"),
        ("delong_test", "Heaviside", "heaviside"),
    ],
)
def test_a_method_may_be_spelt_in_any_way(name, spelt, meant):
    found, want = (called(name, method=word).to_dict() for word in (spelt, meant))
    np.testing.assert_equal(found, want)
    with pytest.raises(fc.InvalidValueError, match="`method` must be one of"):
        called(name, method=f"{spelt}x")


def test_clusters_by_day_say_how_to_go_on():
    days = np.datetime64("2026-01-01") + np.arange(Y.size) // 2
    listed = [datetime.date(2026, 1, 1 + i // 2) for i in range(Y.size)]
    for groups, hint in ((days, r"\.astype\(str\)"), (listed, r"\[str\(value\) for value in")):
        with pytest.raises(fc.InvalidTypeError, match=f"`groups` .*{hint}"):
            fc.delong_test(Y, A, B, groups=groups)
    by_text = fc.delong_test(Y, A, B, groups=days.astype(str))
    assert by_text.pvalue == fc.delong_test(Y, A, B, groups=list(map(str, listed))).pvalue


def test_a_weight_that_is_missing_is_called_so():
    frame = {"m": list("ab") * 3, "i": [1, 1, 2, 2, 3, 3], "s": [1.0, 0, 1, 1, 0, 0]}
    frame["w"] = [1, 1, np.nan, np.nan, 1, 1]
    pandas = pytest.importorskip("pandas")
    with pytest.raises(
        fc.InvalidValueError, match=r"weight in each .*; it is missing in 2, .* row 2"
    ):
        fc.from_long(pandas.DataFrame(frame), model="m", item="i", score="s", weight="w")


def test_one_number_of_samples_is_for_all_items_but_a_list_of_one_is_not():
    assert fc.pass_at_k(5, [1, 2, 3], 2).size == fc.pass_at_k([5, 5, 5], 1, 2).size == 3
    assert fc.pass_at_k(5, 1, 2).shape == (1,)
    for counts in (([5], [1, 2, 3]), ([5, 5, 5], [1])):
        with pytest.raises(fc.InvalidValueError, match="`n_correct` must have a number for each"):
            fc.pass_at_k(*counts, 2)


def test_long_messages_lose_their_middle():
    with pytest.raises(fc.InvalidTypeError) as caught:
        fc.delong_test(Y, A, B, reference=[10**400] * 50)
    assert str(caught.value).startswith("`reference` must be one of 'auto'")
    assert len(str(caught.value)) < 2010


def test_results_of_one_problem_are_shown():
    assert "ANOVA" in str(fc.rm_anova_batch(TABLE[None], **SIZES, on_undefined="ignore"))
    with pytest.raises(fc.InvalidTypeError, match="`models` must be a list"):
        called("bradley_terry", models=np.array(0.5))
