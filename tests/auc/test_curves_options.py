"""Options of the family of bootstraps of two models and of curves: written once, shown by all."""

import inspect
import typing

import pytest

import fastcompare as fc
from fastcompare.auc import _curve_engines as engines
from fastcompare.auc._bootstrap import paired_bootstrap

MEASURES = (
    "average_precision",
    "partial_auc",
    "sensitivity_at_specificity",
    "specificity_at_sensitivity",
)
ENGINES = {
    "": engines.curve_value,
    "_interval": engines.curve_interval,
    "_test": paired_bootstrap,
}
CASES = [(name + end, engine) for name in MEASURES for end, engine in ENGINES.items()]
CASES.append(("bootstrap_auc_test", paired_bootstrap))


def options_of(function):
    """The keyword-only parameters of a function with their defaults."""
    every = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in every if p.kind is p.KEYWORD_ONLY}


def types_of(function):
    """The types of a function's parameters, also of those that it takes as a TypedDict."""
    hints = typing.get_type_hints(function)
    told = [d for hint in hints.values() for d in typing.get_args(hint) if typing.is_typeddict(d)]
    return hints | {name: hint for d in told for name, hint in typing.get_type_hints(d).items()}


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_signatures_show_the_options_of_the_engine(name, engine):
    shown = inspect.signature(getattr(fc, name))
    assert all(p.kind is not p.VAR_KEYWORD for p in shown.parameters.values())
    assert options_of(getattr(fc, name)).items() >= options_of(engine).items()


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_type_checkers_are_told_the_options_that_the_engine_takes(name, engine):
    (told,) = typing.get_args(typing.get_type_hints(getattr(fc, name))["options"])
    assert told.__annotations__.keys() == options_of(engine).keys()
    hints = types_of(engine)
    assert typing.get_type_hints(told) == {option: hints[option] for option in options_of(engine)}


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_an_option_that_nobody_takes_is_refused(name, engine):
    scores = [[0.1, 0.4, 0.35, 0.8]] * (2 if engine is paired_bootstrap else 1)
    own = {option: 0.5 for option in options_of(getattr(fc, name)) if "ity" in option}
    with pytest.raises(TypeError, match=rf"{name}\(\) got an unexpected .* 'weights'"):
        getattr(fc, name)([0, 0, 1, 1], *scores, weights=1, **own)
