import importlib.util
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fastcompare as fc

SCRIPTS = Path(__file__).parents[1] / "scripts"


def script(name):
    """Return a script as a module."""
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_script_reproduces_the_shipped_file():
    made = script("make_predictions").predictions()
    data = fc.load_predictions()
    assert list(made) == ["y_true", *data.scores]
    assert made["y_true"].tolist() == data.y_true.tolist()
    for name, scores in data.scores.items():
        assert_allclose(made[name], scores, atol=1e-6, err_msg=name)


def test_predictions_are_several_models_on_a_large_test_part():
    data = fc.load_predictions()
    assert len(data.scores) == 5
    assert data.y_true.size == 399
    assert {scores.shape for scores in data.scores.values()} == {(399,)}
    assert {scores.dtype for scores in data.scores.values()} == {np.dtype(np.float64)}
    assert "fitted models" in data.description


def test_script_reproduces_the_shipped_fold_scores():
    made = script("make_fold_scores").fold_scores("1x10cv")  # the first of the ten repeats
    data = fc.load_fold_scores()
    assert list(made) == list(data.scores)
    for name, scores in data.scores.items():
        assert_allclose(made[name], scores[:10], atol=1e-6, err_msg=name)


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
