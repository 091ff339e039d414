"""What scikit-learn's shapes, logs with tasks and undefined results say of themselves."""

import inspect

import numpy as np
import pytest
from numpy.testing import assert_equal
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

import fastcompare as fc

RNG = np.random.default_rng(0)
Y = np.arange(60) % 2
X = RNG.normal(size=(60, 3)) + Y[:, None]


def test_a_number_of_folds_is_called_what_scikit_learn_makes_of_it():
    models = {"lr": LogisticRegression(), "tree": DecisionTreeClassifier(random_state=0)}
    told = " ".join(fc.compare(models, X, Y, cv=5).decisions)
    assert "`cv` is StratifiedKFold: 5 rounds" in told


@pytest.mark.slow
def test_a_search_of_several_metrics_is_compared_by_the_one_it_refits():
    search = GridSearchCV(
        LogisticRegression(),
        {"C": [0.1, 1.0, 10.0]},
        scoring=["accuracy", "roc_auc"],
        refit="roc_auc",
        cv=5,
    ).fit(X, Y)
    found = fc.compare(search, X, Y)
    assert max(found.values.values()) == pytest.approx(search.best_score_)
    search.refit = False
    with pytest.raises((TypeError, ValueError), match=r"`scoring` must be one of .*'roc_auc'"):
        fc.compare(search, X, Y)


def test_logs_with_tasks_are_compared_by_strata_as_the_command_does(tmp_path):
    path = tmp_path / "t.csv"
    rows = [
        f"{m},{i},{int(RNG.random() < 0.5 + 0.2 * (m == 'a'))},{'xy'[i % 3 == 0]}"
        for i in range(120)
        for m in "ab"
    ]
    path.write_text("\n".join(["model,item,score,task", *rows]))
    runs = fc.read_evals(path, task=["x", "y"])
    found = fc.compare(runs).result
    own = fc.paired_mean_test(runs.by_model(), strata=runs.tasks)
    assert (found.pvalue, found.df, found.n_strata) == (own.pvalue, own.df, 2)


UNDEFINED = {
    "one class": lambda: fc.delong_test([0, 0, 0], [1, 2, 3], [1, 3, 2]),
    "one AUC": lambda: fc.roc_auc_interval([0, 0], [1, 2]),
    "infinite": lambda: fc.scoring_test([0, 1], [0.0, 0.0], [0.0, 0.0], rule="log"),
}


@pytest.mark.parametrize("call", UNDEFINED.values(), ids=UNDEFINED)
@pytest.mark.filterwarnings("ignore::fastcompare.UndefinedResultWarning")
def test_undefined_results_have_a_picture_that_says_so(call):
    ax = call().plot()
    ax.figure.canvas.draw()
    texts = [text.get_text() for text in (*ax.texts, *ax.figure.texts)]
    assert any("n/a" in text for text in texts), texts


def test_numbers_that_round_to_0_have_no_sign():
    from fastcompare._base.text import stated_ends
    from fastcompare._report.formats import show_numbers

    assert stated_ends((-1e-9, 1e-9)) == "0.0000 to 0.0000"
    assert show_numbers([-1e-9, 0.5]) == ["0.0000", "0.5000"]


WORDS = np.where(Y, "yes", "no")
SCORES = X + RNG.normal(size=X.shape)
GIVEN = 1.0 / (1.0 + np.exp(-SCORES))
DATA = {"y_true": WORDS, "y_true_1": WORDS, "y_true_2": WORDS, "scores": SCORES}
DATA |= {"y_score": SCORES[:, 0], "y_score_a": SCORES[:, 0], "y_score_b": SCORES[:, 1]}
DATA |= {"y_score_1": SCORES[:, 0], "y_score_2": SCORES[:, 1], "control": 1}
DATA |= {"probabilities": GIVEN, "y_prob": GIVEN[:, 0]}
DATA |= {"y_prob_a": GIVEN[:, 0], "y_prob_b": GIVEN[:, 1], "groups": np.arange(60) // 3}
ASKED = {
    "delong_test": ({"alternative": "greater", "margin": 0.02}, {"reference": "normal"}),
    "delong_pairwise_test": ({"correction": "holm"}, {"reference": "t"}),
    "delong_omnibus_test": ({}, {"reference": "f"}),
    "delong_unpaired_test": ({"alternative": "less"}, {"reference": "t"}),
    "delong_control_test": ({"correction": "holm"}, {"alternative": "greater"}),
    "roc_auc_test": ({"null": 0.6}, {"method": "asymptotic"}),
    "roc_auc_interval": ({"confidence_level": 0.9}, {"method": "logit"}),
    "permutation_auc_test": ({"n_resamples": 99, "rng": 3}, {"alternative": "greater", "rng": 1}),
    "bootstrap_auc_test": ({"n_resamples": 99, "rng": 3}, {"stratified": False, "rng": 1}),
    "scoring_test": ({"rule": "log"}, {"alternative": "less"}),
    "scoring_pairwise_test": ({"correction": "holm"}, {"rule": "log"}),
    "scoring_interval": ({"rule": "log"}, {"confidence_level": 0.9}),
    "calibration_test": ({}, {"nan_policy": "omit"}),
    "spiegelhalter_test": ({}, {}),
    "brier_decomposition": ({}, {"n_bins": 5}),
}


@pytest.mark.parametrize(("name", "place"), [(name, i) for name in ASKED for i in (0, 1)])
@pytest.mark.filterwarnings("ignore")
def test_the_call_on_a_page_gives_its_numbers(name, place):
    from fastcompare.advice.provenance import call_of

    function, options = getattr(fc, name), ASKED[name][place]
    needed = [
        DATA[p.name]
        for p in inspect.signature(function).parameters.values()
        if p.kind is not p.KEYWORD_ONLY and p.name in DATA
    ]
    result = function(*needed, **options, pos_label="yes")
    again = eval(call_of(result), {"fastcompare": fc, **DATA})
    assert_equal(again.to_dict(), result.to_dict())
