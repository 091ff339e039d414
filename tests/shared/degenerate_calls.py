"""Valid calls of every public function with data that leave a part of its result undefined."""

import inspect
import warnings

import numpy as np

import fastcompare as fc
from tests.shared.every_call import CALLS, EXTRAS, N, options_of

TRUTHS = ("y_true", "y_true_1", "y_true_2")


def is_column(values):
    """Whether values have one a case."""
    return isinstance(values, np.ndarray) and values.ndim and values.shape[0] == N


def rows(count):
    """A function that keeps the first cases."""
    return lambda name, values, data: values[:count] if is_column(values) else values


def constant(name, values, data):
    """Columns of models that never vary; the truth stays."""
    if not is_column(values) or name in TRUTHS:
        return values
    flat = np.full_like(values, 1 if values.dtype.kind in "iu" else 0.5)
    return flat / values.shape[1] if name.startswith("y_score") and values.ndim == 2 else flat


def alike(name, values, data):
    """All models answer as the first one."""
    if not is_column(values) or name in TRUTHS:
        return values
    if values.ndim == 2 and name in ("scores", "predictions", "probabilities"):
        return np.repeat(values[:, :1], values.shape[1], axis=1)
    return next(
        (data[key] for key in data if key not in TRUTHS and np.shape(data[key]) == values.shape),
        values,
    )


def one_class(name, values, data):
    """All cases are positive."""
    return np.ones_like(values) if name in TRUTHS else values


def perfect(name, values, data):
    """All models know the truth."""
    if name in TRUTHS or not is_column(values):
        return values
    truth = next((data[key] for key in TRUTHS if key in data), np.arange(N) % 2)
    if values.ndim == 2 and values.shape[1] == len(set(truth.tolist())) > 2:
        return np.eye(values.shape[1])[truth]
    return (truth if values.ndim == 1 else np.repeat(truth[:, None], values.shape[1], 1)).astype(
        values.dtype
    )


def apart(name, values, data):
    """The first model knows the truth, the others answer alike on all cases."""
    found = perfect(name, values, data)
    if found is values:
        return values
    models = [key for key in data if key not in TRUTHS and is_column(data[key])]
    if found.ndim == 2 and name in ("scores", "predictions", "probabilities"):
        return np.column_stack([found[:, 0], *[np.ones_like(found[:, 0])] * (found.shape[1] - 1)])
    return found if name == models[0] else constant(name, values, data)


SPOILED = {
    "one case": rows(1),
    "two cases": rows(2),
    "three cases": rows(3),
    "constant": constant,
    "alike": alike,
    "one class": one_class,
    "perfect": perfect,
    "apart": apart,
}


def spoiled_calls(name):
    """The ways to call a function with such data, and with one cluster, by name."""
    data = CALLS[name]
    for word, spoil in SPOILED.items():
        yield word, {key: spoil(key, values, data) for key, values in data.items()}
    for option in ("groups", "sample_weight"):
        if option in inspect.signature(getattr(fc, name)).parameters:
            extra = np.zeros(N, int) if option == "groups" else EXTRAS[option]
            yield f"one {option}", data | {option: extra}
            yield (
                f"{option}, alike",
                {key: alike(key, values, data) for key, values in data.items()}
                | {option: EXTRAS[option]},
            )


def results_of(name):
    """What a function returns of such data, by the word for them; what it refuses is left out."""
    for word, data in spoiled_calls(name):
        with warnings.catch_warnings(action="ignore"):
            try:
                yield word, getattr(fc, name)(**options_of(name) | data)
            except fc.FastCompareError:
                continue
