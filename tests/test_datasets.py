import importlib.util
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fastcompare as fc

SCRIPT = Path(__file__).parents[1] / "scripts" / "make_predictions.py"


@pytest.fixture(scope="module")
def made():
    """What the script makes today."""
    spec = importlib.util.spec_from_file_location("make_predictions", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.predictions()


def test_script_reproduces_the_shipped_file(made):
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


def test_predictions_cannot_be_changed_by_accident():
    data = fc.load_predictions()
    for array in (data.y_true, *data.scores.values()):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
        assert array.flags.owndata
