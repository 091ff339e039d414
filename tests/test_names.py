"""Names of two models: where they come from, and the sentences that call them so."""

import numpy as np
import pytest

import fastcompare as fc

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

Y = [0, 0, 0, 0, 1, 1, 1, 1]
FOREST = [0.1, 0.4, 0.2, 0.6, 0.5, 0.9, 0.7, 0.8]
TREE = [0.3, 0.1, 0.5, 0.2, 0.4, 0.6, 0.35, 0.7]
COLUMNS = {"forest": FOREST, "tree": TREE}


@pytest.mark.parametrize("table", [COLUMNS, pd.DataFrame(COLUMNS), pl.DataFrame(COLUMNS)])
def test_one_table_of_two_columns_stands_for_two_vectors(table):
    result, plain = fc.delong_test(Y, table), fc.delong_test(Y, FOREST, TREE)
    assert result.names == ("forest", "tree")
    assert plain.names == ("a", "b")
    assert result.pvalue == plain.pvalue
    assert result.estimate == plain.estimate


@pytest.mark.parametrize("series", [pd.Series, lambda values, name: pl.Series(name, values)])
def test_two_series_bring_their_names(series):
    result = fc.delong_test(Y, series(FOREST, name="forest"), series(TREE, name="tree"))
    assert result.names == ("forest", "tree")
    assert fc.delong_test(Y, series(FOREST, name="forest"), TREE).names == ("forest", "b")


def test_series_of_the_same_name_are_unnamed():
    scores = [pd.Series(values, name="score") for values in (FOREST, TREE)]
    assert fc.delong_test(Y, *scores).names == ("a", "b")


def test_sentences_call_models_by_their_names():
    said = fc.delong_test(Y, COLUMNS, alternative="greater").summary()
    assert "(forest) and" in said
    assert "forest does not have a significantly higher AUC than tree." in said
    said = fc.delong_test(Y, FOREST, TREE, alternative="greater").summary()
    assert "The first model does not have a significantly higher AUC" in said


@pytest.mark.parametrize("table", [COLUMNS, pd.DataFrame(COLUMNS)])
@pytest.mark.parametrize("method", ["t", "wilcoxon"])
def test_losses_of_two_columns_are_called_by_their_names(table, method):
    result, plain = (fc.scoring_test(Y, *pair, method=method) for pair in ([table], [FOREST, TREE]))
    assert result.names == ("forest", "tree")
    assert result.pvalue == plain.pvalue
    assert f"{result.losses[0]:.4g} (forest) and" in result.summary()
    assert "forest and tree do not differ significantly" in result.summary()
    assert "Lower is better." in plain.summary()


def test_tables_of_classes_have_no_names_of_models():
    p = np.array([[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.1, 0.1, 0.8]])
    y = ["a", "b", "c"]
    assert fc.scoring_test(y, p, p[::-1]).names == ("a", "b")
    frame = pd.DataFrame(p, columns=y)
    assert fc.scoring_test(y, frame, frame.iloc[::-1].reset_index(drop=True)).names == ("a", "b")
    assert fc.scoring_test(y, {"one": p, "two": p[::-1]}).names == ("one", "two")


def test_a_table_must_hold_two_models():
    with pytest.raises(fc.InvalidValueError, match="`y_score_a` must contain two models"):
        fc.delong_test(Y, COLUMNS | {"third": TREE})
    with pytest.raises(fc.InvalidTypeError, match="`y_score_b` must be specified"):
        fc.delong_test(Y, np.transpose([FOREST, TREE]))


def test_a_model_alone_has_no_pair_of_names():
    result = fc.spiegelhalter_test(Y, FOREST)
    assert "names" not in result.to_dict()


@pytest.mark.parametrize(
    ("test", "options"),
    [
        (fc.bootstrap_auc_test, {"n_resamples": 99, "rng": 0}),
        (fc.permutation_auc_test, {}),
        (fc.average_precision_test, {"n_resamples": 99, "rng": 0}),
        (fc.partial_auc_test, {"n_resamples": 99, "rng": 0, "fpr": (0, 1)}),
    ],
)
def test_every_test_of_two_columns_of_scores_takes_one_table(test, options):
    result, plain = test(Y, COLUMNS, **options), test(Y, FOREST, TREE, **options)
    assert result.names == ("forest", "tree")
    assert plain.names == ("a", "b")
    assert result.pvalue == plain.pvalue
    assert "forest" in result.summary()
    assert "forest" not in plain.summary()


def test_several_classes_come_by_model():
    y = [0, 1, 2] * 4
    forest, tree = np.random.default_rng(0).dirichlet([1, 1, 1], (2, 12))
    result = fc.multiclass_auc_test(y, {"forest": forest, "tree": tree})
    assert result.names == ("forest", "tree")
    assert result.pvalue == fc.multiclass_auc_test(y, forest, tree).pvalue


def test_series_of_different_cases_bring_their_names_too():
    forest, tree = pd.Series(FOREST, name="forest"), pd.Series(TREE[:5], name="tree")
    found = fc.ttest_unpaired(forest, tree)
    assert found.names == ("forest", "tree")
    assert "over 8 scores (forest) and" in found.summary()
    labels = [pd.Series(Y, name="forest"), pd.Series([0, 1, 1, 0, 1, 1, 1, 0], name="tree")]
    found = fc.two_proportions_unpaired_test(Y, labels[0], Y, labels[1])
    assert found.names == ("forest", "tree")
