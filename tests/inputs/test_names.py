"""Names of two models: where they come from, and the sentences that call them so."""

import re

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


TABLES = {  # columns that are called as something else than a model
    "fold": lambda t: fc.friedman_test(t),
    "Unnamed: 0": lambda t: fc.ttest_corrected_pairwise_test(t, n_train=90, n_test=10),
    "patient_id": lambda t: fc.delong_pairwise_test([0, 1] * 6, t),
    "weight": lambda t: fc.scoring_pairwise_test([0, 1] * 6, t),
    "label": lambda t: fc.mcnemar_pairwise_test([0, 1] * 6, t.round()),
    "seed": lambda t: fc.mean_pairwise_test(t),
    "a_std": lambda t: fc.bootstrap_auc([0, 1] * 6, t, n_resamples=99, rng=0),
}


@pytest.mark.filterwarnings("ignore::fastcompare.SmallSampleWarning")
@pytest.mark.parametrize("name", TABLES)
def test_a_column_of_a_frame_that_is_called_otherwise_is_no_model(name):
    frame = pd.DataFrame(np.random.default_rng(3).random((12, 3)), columns=["a", "b", name])
    message = re.escape(f"column {name!r} has a name like ")
    with pytest.raises(fc.InvalidValueError, match=f"{message}.* pass a dict of columns"):
        TABLES[name](frame)
    assert TABLES[name](frame[["a", "b"]].assign(c=frame[name])).names == ("a", "b", "c")


def test_a_column_of_a_mapping_is_a_model_whatever_it_is_called():
    columns = dict(pd.DataFrame(np.random.default_rng(3).random((12, 2)), columns=["a", "fold"]))
    assert fc.friedman_test(columns | {"seed": columns["a"]}).names == ("a", "fold", "seed")
