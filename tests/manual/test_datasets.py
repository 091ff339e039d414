import importlib.util
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fastcompare as fc

SCRIPTS = Path(__file__).parents[2] / "scripts"


def script(name):
    """Return a script as a module."""
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_script_reproduces_the_shipped_file():
    predictions = script("make_predictions").predictions()
    data = fc.load_predictions()
    assert list(predictions) == ["y_true", *data.scores]
    assert predictions["y_true"].tolist() == data.y_true.tolist()
    for name, scores in data.scores.items():
        assert_allclose(predictions[name], scores, atol=1e-6, err_msg=name)


def test_predictions_are_several_models_on_a_large_test_part():
    data = fc.load_predictions()
    assert len(data.scores) == 5
    assert data.y_true.size == 399
    assert {scores.shape for scores in data.scores.values()} == {(399,)}
    assert {scores.dtype for scores in data.scores.values()} == {np.dtype(np.float64)}
    assert "fitted models" in data.description


@pytest.mark.slow
def test_script_reproduces_the_shipped_fold_scores():
    fold_scores = script("make_fold_scores").fold_scores("1x10cv")  # the first of the ten repeats
    data = fc.load_fold_scores()
    assert list(fold_scores) == list(data.scores)
    for name, scores in data.scores.items():
        assert_allclose(fold_scores[name], scores[:10], atol=1e-6, err_msg=name)


def test_fold_scores_are_shares_of_the_cases_of_a_fold():
    data = fc.load_fold_scores()
    assert len(data.scores) == 5
    assert data.n_train + data.n_test == pytest.approx(569)
    for scores in data.scores.values():
        assert scores.shape == (100,)
        off = [abs(scores * size - np.round(scores * size)) for size in (56, 57)]
        assert (np.minimum(*off) < 1e-4).all()
    assert "not independent" in data.description


def test_bundled_arrays_cannot_be_changed_by_accident():
    data = fc.load_predictions()
    for array in (data.y_true, *data.scores.values(), *fc.load_fold_scores().scores.values()):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
        assert array.flags.owndata


@pytest.fixture(scope="module")
def table():
    return fc.load_dataset_scores()


@pytest.mark.slow
def test_script_reproduces_the_accuracies(table):
    script_module = script("make_dataset_scores")
    tasks = script_module.tasks()
    assert tuple(tasks) == table.datasets
    assert tuple(script_module.MODELS) == table.names == tuple(table.scores)
    quick = ("linear_discriminant", "naive_bayes", "nearest_neighbours", "decision_tree")
    for row, task in enumerate(table.datasets):
        if task in ("iris", "wine_first_six"):
            for name in quick:
                case = 1.0 / len(tasks[task].labels)
                found = script_module.accuracy(script_module.MODELS[name], tasks[task])
                assert_allclose(found, table.scores[name][row], atol=2.5 * case, err_msg=name)


def test_accuracies_are_shares_of_the_cases(table):
    sizes = {name: len(task.labels) for name, task in script("make_dataset_scores").tasks().items()}
    for scores in table.scores.values():
        right = scores * [sizes[name] for name in table.datasets]
        assert_allclose(right, right.round(), atol=1e-3)
        assert scores.shape == (16,)
        assert 0.5 < scores.min() <= scores.max() <= 1.0


def test_the_description_tells_which_tasks_share_cases(table):
    tasks = script("make_dataset_scores").tasks()
    cases = {name: {row.tobytes() for row in task.features} for name, task in tasks.items()}
    digits = [name for name in cases if name.startswith("digits_") and name != "digits_even_odd"]
    for i, name in enumerate(digits):
        assert cases[name] <= cases["digits"]
        assert not any(cases[name] & cases[other] for other in digits[i + 1 :])
    for word in ("iris_sepals", "wine_first_six", "digits_even_odd", "independent"):
        assert word in table.description


def test_accuracies_cannot_be_changed_by_accident(table):
    for scores in table.scores.values():
        with pytest.raises(ValueError, match="read-only"):
            scores[0] = 1
