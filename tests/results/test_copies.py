"""Every result has its fields after pickle, copy, deepcopy and dataclasses.replace."""

import copy
import dataclasses
import pickle

import pytest

import fastcompare as fc
from tests.shared.every_call import CALLS, TABLE, A, B, Y, called, given

WAYS = {
    "pickle": lambda result: pickle.loads(pickle.dumps(result)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "replace": dataclasses.replace,
}
FURTHER = {  # results of methods, and of functions that take no data
    "gate": lambda: fc.delong_test(Y, A, B).gate("worse", margin=0.1),
    "gate of compare": lambda: fc.compare(Y, A, B, kind="scores").gate("worse", model="a"),
    "compare of pairs": lambda: fc.compare(Y, TABLE, kind="scores"),
    "trust": lambda: fc.compare(Y, A, B, kind="scores").trust(n_trials=2, rng=0),
    "recommend": lambda: fc.recommend(kind="labels", n_models=2),
    "pool": lambda: fc.pool([fc.delong_test(Y, A, B), fc.delong_test(Y, B, A)]),
}


def assert_same_copies(result):
    """Assert that copies, made before a field is computed that waits, have the same fields."""
    if not dataclasses.is_dataclass(result):
        return
    copies = {way: copied_by(result) for way, copied_by in WAYS.items()}  # replace reads, the last
    want = repr(result.to_dict())
    for way, copied in copies.items():
        assert type(copied) is type(result), way
        assert repr(copied.to_dict()) == want, way


@pytest.mark.parametrize("name", CALLS)
def test_copies_have_the_fields_of_every_result(name):
    for form in given(name):
        assert_same_copies(called(name, **form))


@pytest.mark.parametrize("name", FURTHER)
def test_copies_have_the_fields_of_other_results(name):
    assert_same_copies(FURTHER[name]())
