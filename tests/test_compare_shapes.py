"""What newcomers hand over: each shape gets an answer, or an error that says how to go on."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import fastcompare as fc

RNG = np.random.default_rng(11)
X, Y = load_iris(return_X_y=True)
TABLE = pd.DataFrame(RNG.random((30, 3)), columns=["a", "b", "c"])
RESULTS = [
    cross_validate(model, X, Y, cv=5, return_indices=True)
    for model in (GaussianNB(), KNeighborsClassifier(60))
]


def test_results_without_names_are_numbered():
    found = fc.compare(RESULTS)
    assert found.names == ("model 1", "model 2")
    named = fc.compare(dict(zip(found.names, RESULTS, strict=True)))
    assert found.to_dict() == named.to_dict()


def test_estimators_without_names_are_called_by_their_classes():
    models = [GaussianNB(), KNeighborsClassifier(1), KNeighborsClassifier(60)]
    found = fc.compare(models, X, Y, cv=4, gate=False)
    names = ("GaussianNB", "KNeighborsClassifier 1", "KNeighborsClassifier 2")
    assert found.names == names
    again = fc.compare(dict(zip(names, models, strict=True)), X, Y, cv=4, gate=False)
    assert found.to_dict() == again.to_dict()


@pytest.mark.parametrize(
    ("column", "kind", "more"),
    [
        ("item", "items", {}),
        ("Data set", "datasets", {}),
        ("fold", "folds", {"n_train": 9, "n_test": 1}),
        ("Unnamed: 0", "items", {"kind": "items"}),
    ],
)
def test_a_column_that_names_the_rows_is_no_model_and_tells_the_kind(column, kind, more):
    found = fc.compare(TABLE.assign(**{column: range(30)}), **more)
    assert found.kind == kind
    assert found.names == ("a", "b", "c")
    assert f"{column!r} names the rows, and is no model" in " ".join(found.decisions)
    assert found.values == fc.compare(TABLE, **({"kind": kind} | more)).values


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((RESULTS[0],), "one result of cross_validate is of one model: pass a list of them"),
        ((GaussianNB(), X, Y), "one estimator is one model: pass a list of them"),
        (([GaussianNB, KNeighborsClassifier], X, Y), "got the class GaussianNB: call it"),
        ((TABLE.assign(label="ill"),), r"'label' holds words.*compare\(data\['label'\], data"),
        (("scores.csv",), "got a path or a name, 'scores.csv'. Read the file first"),
        ((TABLE[["a"]].assign(item=range(30)),), "`data` must hold at least two models"),
    ],
)
def test_what_lacks_something_is_refused_with_the_way_on(given, said):
    with pytest.raises(fc.FastCompareError, match=said):
        fc.compare(*given)
