"""What a result rests on, by the table of rules, and the call that made it."""

import inspect
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

import fastcompare as fc

from .._base.text import plain
from .._results.records import Record
from .compare import Comparison
from .kinds import KINDS
from .recommend import RUN, AdvisedTest, Recommendation
from .rule import Rule
from .rules import RULES

MOST_DATA = 3  # parameters by position, which are the data


class Provenance(NamedTuple):
    """What tests assume, where they come from, and the call of the function, as far as known."""

    assumptions: tuple[str, ...]
    references: tuple[str, ...]
    call: str


def provenance_of(result: Any) -> Provenance:
    """Return the provenance of a result; none where no rule has its test."""
    if isinstance(result, Recommendation):
        return provenance_of_advice(result)
    if isinstance(result, Comparison):
        data = [rules_of_comparison(result, test) for test in result.tests.values()]
    else:
        data = [rules_of_result(part) for part in (result, *tests_in(result))]
    assumptions = [text for rules in data for text in common(rules)]
    references = [rule.reference for rules in data for rule in rules[:1]]
    return Provenance(
        tuple(dict.fromkeys(assumptions)), tuple(dict.fromkeys(references)), call_of(result)
    )


def provenance_of_advice(result: Recommendation) -> Provenance:
    """Return the provenance of the tests that a recommendation says to run."""
    assumptions = [text for test in run(result) for text in test.assumptions]
    sources = [test.reference for test in run(result)]
    return Provenance(
        tuple(dict.fromkeys(assumptions)), tuple(dict.fromkeys(sources)), call_of(result)
    )


def run(result: Recommendation) -> list[AdvisedTest]:
    """Return the tests that a recommendation says to run."""
    return [test for test in result.tests if test.role in RUN]


def tests_in(result: Any) -> list[Any]:
    """Return the results of the tests that a sequence of tests ran."""
    data = getattr(result, "tests", None)
    parts = data.values() if isinstance(data, Mapping) else ()
    both = (getattr(result, name, None) for name in ("omnibus", "posthoc"))
    return [part for part in (*parts, *both) if isinstance(part, Record)]


def rules_of_comparison(result: Comparison, test: Any) -> list[Rule]:
    """Return the rules of a test in a comparison, whose kind and design are known."""
    known = [rule for rule in rules_of_test(test) if result.kind in rule.kinds]
    return [rule for rule in known if not rule.designs or result.design in rule.designs] or known


def rules_of_result(result: Any) -> list[Rule]:
    """Return the rules of the test of a result: of clusters, or of what is taken for granted.

    Of a test for several kinds of data those of the first, which differ from others in words.
    """
    clusters, known = in_clusters(result), rules_of_test(result)
    fitting = [rule for rule in known if suits(rule, clusters)] or known
    return [rule for rule in fitting if fitting[0].kinds[0] in rule.kinds]


def in_clusters(result: Any) -> bool:
    """Return whether the cases of a result were in clusters, as far as it tells."""
    count = getattr(result, "n_clusters", None)
    if count is not None:
        return bool(count != getattr(result, "n", None))
    text = " ".join([*np.unique(getattr(result, "method", "")).tolist(), result.summary()])
    for name in (*getattr(result, "names", ()), getattr(result, "metric", "")):
        text = text.replace(str(name), "")
    return "cluster" in text


def suits(rule: Rule, clusters: bool) -> bool:
    """Return whether a rule is for clusters, or for the usual design of its kind."""
    wanted = {"clusters"} if clusters else {KINDS[kind].designs[0] for kind in rule.kinds}
    return not rule.designs or bool(wanted & set(rule.designs))


def rules_of_test(result: Any) -> list[Rule]:
    """Return the rules of the function that made a result; other questions' if no more."""
    name = function_of(result)
    known = [rule for rule in RULES if rule.test == name and rule.role != "collect"]
    return [rule for rule in known if rule.role != "question"] or known


def common(rules: list[Rule]) -> list[str]:
    """Return the assumptions of all of the rules: which of them holds may not be known."""
    first = rules[0].assumes if rules else ()
    return [text for text in first if all(text in rule.assumes for rule in rules)]


def function_of(result: Any) -> str:
    """Return the name of the one public function that returns a result of this class, if it is one.

    It lies in the file of the class.
    """
    name = type(result).__name__
    home = fc._RESULTS.get(name)
    beside = [public for public, its in fc._HOME.items() if its == home and public.islower()]
    functions = [f for f in beside if getattr(fc, f).__annotations__.get("return") == name]
    return functions[0] if len(functions) == 1 else ""


def call_of(result: Any) -> str:
    """Return the call with the options that the result holds; data go by their parameters."""
    name = function_of(result)
    if not name:
        return ""
    function = getattr(fc, name)
    if isinstance(result, Comparison):
        parts = [*data_compared(result), *options_held(function, result)]
        parts += [f"{option}={value!r}" for option, value in result._options.items()]
    elif isinstance(result, Recommendation):  # of data, too, words repeat it
        parts = [*options_held(function, result)]
    else:
        parts = [*data_tested(function, result), *options_asked(function, result)]
    return f"fastcompare.{name}({', '.join(parts)})"


def data_compared(result: Comparison) -> Iterator[str]:
    """Yield what stands for the data of a comparison, and what belongs to them."""
    data = result._data
    yield from [data.kind] if data.y_true is None else ["y_true", data.kind]
    if data.sizes is not None:
        yield from (f"n_{of}={n:g}" for of, n in zip(("train", "test"), data.sizes, strict=True))
    yield from (f"{name}={name}" for name in data.options)


def data_tested(function: Any, result: Any) -> Iterator[str]:
    """Yield what stands for the data: as many parameters as a rule writes, or all that may."""
    called = [rule.call.partition("(")[2].split(", ") for rule in rules_of_result(result)]
    usual = sum("=" not in text for text in called[0]) if called else MOST_DATA
    for place, p in enumerate(inspect.signature(function).parameters.values()):
        if p.kind is not p.KEYWORD_ONLY and (p.default is p.empty or place < usual):
            yield p.name


def options_asked(function: Any, result: Any) -> Iterator[str]:
    """Yield the options that the function was given but for defaults, and the seed of its draws."""
    given: Mapping[str, Any] | None = vars(result).get("_asked")
    if given is None:  # a result that a test made for another one
        yield from options_held(function, result)
        return
    seed = getattr(result, "seed", None)
    for p in inspect.signature(function).parameters.values():
        value = given.get(p.name, p.default)
        if p.name == "rng" and isinstance(seed, int) and value in (None, ...):
            yield f"rng={seed}"
        elif p.kind is p.KEYWORD_ONLY and value != p.default:
            yield f"{p.name}={p.name if value is ... else repr(value)}"


def options_held(function: Any, result: Any) -> Iterator[str]:
    """Yield the options of a function that a result holds but for defaults, and what must be told.

    The usual design of a kind is not told, nor replicates that were not drawn, nor what is better:
    results tell it of their own numbers, ranks say, and not of the data.
    """
    known = KINDS.get(getattr(result, "kind", ""))
    usual = "" if known is None else known.designs[0]
    defaults = {"design": usual, "n_resamples": 0, "paired": True}
    clusters = in_clusters(result)
    for p in inspect.signature(function).parameters.values():
        value: Any = plain(getattr(result, "seed" if p.name == "rng" else p.name, None))
        if p.kind is not p.KEYWORD_ONLY or p.name == "higher_is_better":
            continue
        if p.name == "nan_policy" and np.any(getattr(result, "n_dropped", 0)):
            value = "omit"
        if p.default is p.empty and not isinstance(value, int | float):
            yield f"{p.name}={p.name}"
        elif p.name == "groups":
            yield from ["groups=groups"] * clusters
        elif value in (p.default, defaults.get(p.name, p.default)):
            continue
        elif isinstance(value, bool | int | float) or is_choice(function, p.name, value):
            yield f"{p.name}={value!r}"


def is_choice(function: Any, name: str, value: object) -> bool:
    """Return whether the documented choices of a parameter have a value: some fields tell more."""
    if not isinstance(value, str):
        return False
    found = re.search(rf"^\s*{name} : (.*)$", function.__doc__ or "", re.MULTILINE)
    return found is not None and (name in ("correction", "design") or f"'{value}'" in found[1])
