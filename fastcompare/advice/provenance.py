"""The assumptions and references of a result, by the table of rules, and the call that made it."""

import inspect
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import fastcompare as fc

from .._base.documented import call_that_made
from .._base.text import as_builtin
from .._results.copies import tests_in
from .compare import Comparison
from .kinds import KINDS
from .question import Description
from .recommend import ROLES_TO_RUN, Recommendation
from .rule import Rule
from .rules import RULES

MOST_DATA = 3  # parameters by position, which are the data


class Provenance(NamedTuple):
    """What tests assume, where they come from, and the call of the function, as far as known."""

    assumptions: tuple[str, ...]
    references: tuple[str, ...]
    call: str


def provenance_of(result: Any) -> Provenance:
    """Return the provenance of a result; without assumptions if no rule has its test."""
    if isinstance(result, Recommendation):
        tests = [test for test in result.tests if test.role in ROLES_TO_RUN]
        assumptions = [text for test in tests for text in test.assumptions]
        references = [test.reference for test in tests]
    else:
        rules_by_test = [rules for rules in rules_in(result) if rules]
        assumptions = [text for rules in rules_by_test for text in common_assumptions(rules)]
        references = [rules[0].reference for rules in rules_by_test]
    return Provenance(
        tuple(dict.fromkeys(assumptions)), tuple(dict.fromkeys(references)), call_of(result)
    )


def rules_in(result: Any) -> Iterator[list[Rule]]:
    """Yield a list of rules for a result and each nested test; of a comparison for these only.

    A list is empty if no rule has the test.
    """
    if not isinstance(result, Comparison):
        yield rules_of_result(result)
    for name, test in tests_in(result).items():
        if isinstance(result, Comparison):
            rules = [rule for rule in rules_of_test(test, name) if result.kind in rule.kinds]
            fits = [rule for rule in rules if not rule.designs or result.design in rule.designs]
            yield fits or rules
        else:
            yield rules_of_result(test, name)


def rules_of_result(result: Any, name: str = "") -> list[Rule]:
    """Return the rules of the test of a result: those for clusters if it had any, else the usual.

    The kind of data is not known from a result: of rules for several kinds, which differ in words
    only, those of the first kind are returned.
    """
    clusters = has_clusters(result)
    rules = rules_of_test(result, name)
    fitting = [rule for rule in rules if suits_design(rule, clusters)] or rules
    if not fitting:
        return []
    first_kind = fitting[0].kinds[0]
    return [rule for rule in fitting if first_kind in rule.kinds]


def has_clusters(result: Any) -> bool:
    """Return whether the cases of a result were clustered, by its fields or by its call."""
    count = getattr(result, "n_clusters", None)
    if count is not None:
        return bool(count != getattr(result, "n", None))
    groups = call_that_made(result).options.get("groups")
    return groups is not None or "clusters" in getattr(result, "design", "")


def suits_design(rule: Rule, clusters: bool) -> bool:
    """Return whether a rule is for clusters, or for the usual design of its kind."""
    wanted = {"clusters"} if clusters else {KINDS[kind].designs[0] for kind in rule.kinds}
    return not rule.designs or bool(wanted & set(rule.designs))


def rules_of_test(result: Any, name: str = "") -> list[Rule]:
    """Return the rules of the function that made a result, those for the main question first."""
    function = function_of(result) or name
    rules = [rule for rule in RULES if rule.test == function and rule.role != "collect"]
    return [rule for rule in rules if rule.role != "question"] or rules


def common_assumptions(rules: list[Rule]) -> list[str]:
    """Return the assumptions that all of the rules share, since any of them may apply."""
    first = rules[0].assumes if rules else ()
    return [text for text in first if all(text in rule.assumes for rule in rules)]


def function_of(result: Any) -> str:
    """Return the name of the public function that made a result, '' if none did."""
    function = call_that_made(result).function
    return function if function in dir(fc) else ""


def call_of(result: Any) -> str:
    """Return the call that made a result, '' if no public function did.

    The names of parameters are in place of the data.
    """
    name = function_of(result)
    if not name:
        return ""
    parameters = inspect.signature(getattr(fc, name)).parameters
    if isinstance(result, Comparison):
        arguments = [*data_compared(result), *fields_text(result, ("kind", "design", "alpha"))]
        arguments += [f"{option}={value!r}" for option, value in result._options.items()]
    elif isinstance(result, Recommendation):  # described by options even if it was of data
        arguments = [*fields_text(result, Description._fields)]
    else:
        arguments = [*data_tested(parameters, result), *options_given(parameters, result)]
    return f"fastcompare.{name}({', '.join(arguments)})"


def data_compared(result: Comparison) -> Iterator[str]:
    """Yield the arguments of `compare` that are data: ``y_true``, ``scores``, sizes, groups."""
    data = result._data
    yield from [data.kind] if data.y_true is None else ["y_true", data.kind]
    if data.sizes is not None:
        sizes = zip(("n_train", "n_test"), map(float, data.sizes), strict=True)
        yield from (f"{name}={n:.0f}" if n.is_integer() else f"{name}={n!r}" for name, n in sizes)
    for name, value in data.options.items():
        yield f"{name}={value!r}" if isinstance(value, str) else f"{name}={name}"


def fields_text(result: Any, names: tuple[str, ...]) -> Iterator[str]:
    """Yield ``name=value`` for fields of a result that are options and not the default."""
    usual = {"design": KINDS[result.kind].designs[0], "paired": True, "alpha": 0.05, "n": None}
    for name in names:
        value = as_builtin(getattr(result, name))
        if name not in usual or value != usual[name]:
            yield f"{name}={value!r}"


Parameters = Mapping[str, inspect.Parameter]


def data_tested(parameters: Parameters, result: Any) -> Iterator[str]:
    """Yield the names of the parameters that are data, as many as the first rule's call has."""
    rules = rules_of_result(result)
    n_data = MOST_DATA
    if rules:
        _, _, arguments = rules[0].call.partition("(")
        n_data = sum("=" not in text for text in arguments.split(", "))
    for place, p in enumerate(parameters.values()):
        if p.kind is not p.KEYWORD_ONLY and (p.default is p.empty or place < n_data):
            yield p.name


def options_given(parameters: Parameters, result: Any) -> Iterator[str]:
    """Yield ``name=value`` for options that are not the default, and for the seed."""
    options = call_that_made(result).options
    seed = getattr(result, "seed", None)
    for p in parameters.values():
        value = options.get(p.name, p.default)
        if p.name == "rng" and isinstance(seed, int) and value in (None, ...):
            yield f"rng={seed}"
        elif p.kind is p.KEYWORD_ONLY and value != p.default:
            text = (
                p.name if value is ... else repr(value)
            )  # ... is recorded for arrays and the like
            yield f"{p.name}={text}"
