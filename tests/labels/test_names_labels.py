"""Names of two models that predict labels: where they come from, and sentences that use them."""

import pandas as pd
import pytest

import fastcompare as fc

Y = [1, 1, 1, 0, 0, 0, 1, 0, 0, 0]
FOREST = [1, 1, 0, 0, 0, 1, 1, 0, 1, 0]
TREE = [1, 0, 1, 1, 0, 0, 0, 0, 1, 0]
COLUMNS = {"forest": FOREST, "tree": TREE}
TESTS = {
    "contingency_table": "only forest 3, only tree 2",
    "mcnemar_test": "are right by forest only",
    "two_proportions_test": "0.7000 (forest) and 0.6000 (tree)",
    "bootstrap_metric_test": "0.7000 (forest) and 0.6000 (tree)",
    "permutation_metric_test": "0.7000 (forest) and 0.6000 (tree)",
    "cohen_kappa_test": " (forest) and ",
    "agreement": "0.7000 (forest) and 0.6000 (tree)",
    "disagreement": "Disagreement of forest and tree is",
    "cohen_kappa": "Cohen's kappa of forest and tree is",
    "yule_q": "Yule's Q of forest and tree is",
    "error_correlation": "Correlation of errors of forest and tree is",
    "double_fault": "Double fault of forest and tree is",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TESTS)
def test_a_table_of_two_columns_stands_for_two_vectors_and_names_them(name):
    function = getattr(fc, name)
    options = {"rng": 0, "n_resamples": 1999} if name == "bootstrap_metric_test" else {}
    named = function(Y, COLUMNS, **options)
    assert named.names == ("forest", "tree")
    assert TESTS[name] in named.summary()
    plain = function(Y, FOREST, TREE, **options)
    assert plain.names == ("a", "b")
    assert "forest" not in plain.summary()
    values, want = named.to_dict(), plain.to_dict()
    for measure in (values, want):
        measure.pop("names")
    if name != "agreement":
        assert values == want
    series = [pd.Series(column, name=model) for model, column in COLUMNS.items()]
    for result in (function(Y, pd.DataFrame(COLUMNS), **options), function(Y, *series, **options)):
        assert result.to_dict() == named.to_dict()


def test_a_contingency_table_hands_the_names_on():
    table = fc.contingency_table(Y, COLUMNS)
    assert fc.mcnemar_test(table).names == ("forest", "tree")
    assert fc.cohen_kappa(table).names == ("forest", "tree")


@pytest.mark.parametrize("test", [fc.bowker_test, fc.stuart_maxwell_test])
def test_two_raters_are_called_by_the_names_of_their_series(test):
    result = test(pd.Series(FOREST, name="Ada"), pd.Series(TREE, name="Bo"))
    assert result.names == ("Ada", "Bo")
    assert result.summary().startswith("Ada and Bo agree on 5 of 10 cases")
    assert test(FOREST, TREE).summary().startswith("The two labels agree on 5 of 10 cases")


def test_a_table_must_hold_two_models():
    with pytest.raises(fc.InvalidValueError, match="`y_pred_a` must contain two models"):
        fc.mcnemar_test(Y, COLUMNS | {"third": TREE})
    with pytest.raises(fc.InvalidTypeError, match="must come with both"):
        fc.mcnemar_test(Y, FOREST)
    with pytest.raises(fc.InvalidTypeError, match="`y_pred_b` must be specified"):
        fc.contingency_table(Y, FOREST)
