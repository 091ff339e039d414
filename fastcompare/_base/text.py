"""Values and names as people read them: numbers, p-values, intervals, hypotheses, lists of names.

Text that comes from users is shown without control characters (`clean`). `plain_sum` adds a few
numbers with the same bits in every version of Python.
"""

import math
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from operator import add
from typing import Any

import numpy as np

ALPHA, LEVEL = 0.05, 0.95  # of tests and intervals in sentences
ALTERNATIVES = {  # hypotheses on the difference, first minus second; the sign of the margin
    "two-sided": ("", 1.0),
    "greater": (", H1: difference > {}", -1.0),
    "less": (", H1: difference < {}", 1.0),
    "equivalence": (", H1: |difference| < {}", 1.0),
}
UPWARD = {"greater": True, "less": False}  # which one-sided claims are of a higher first model
VERDICTS = {  # where the test rejects, and where it does not
    "two-sided": (
        "{better} has a significantly {more} {quantity} than {worse}",
        "{both} do not differ significantly in {quantity}",
    ),
    "one-sided": (
        "{first} has a significantly {more} {quantity} than {second}",
        "{first} does not have a significantly {more} {quantity} than {second}",
    ),
    "margin": (
        "{better} is non-inferior to {worse} in {quantity} at a margin of {margin:g}",
        "{better} is not shown to be non-inferior to {worse} in {quantity} at a margin of "
        "{margin:g}",
    ),
    "equivalence": (
        "{both} are equivalent in {quantity} at a margin of {margin:g}",
        "{both} are not shown to be equivalent in {quantity} at a margin of {margin:g}",
    ),
    "any": (
        "{both} differ significantly in {quantity}",
        "{both} do not differ significantly in {quantity}",
    ),
}
CORRECTION_TITLES = {  # the others take a capital
    "bh": "BH",
    "by": "BY",
    "sidak": "Šidák",
    "bergmann-hommel": "Bergmann-Hommel",
    "bonferroni-dunn": "Bonferroni-Dunn",
    "dunnett-stepdown": "step-down Dunnett",
    "max-t": "max-t",
    "step-down": "Romano-Wolf step-down",
}


DIFFERENCE = "difference"  # heads of estimates; this one if of the values that tables show
PSEUDOMEDIAN = "pseudomedian difference"
SIMPLE = (str, float, int, bool, type(None))  # types that need no conversion
USUAL_LEVELS = (0.01, 0.05, 0.1)
ROUNDING = 1e-9  # of the largest number: differences that are less may be due to rounding


def as_builtin(value: Any) -> Any:
    """Return a value as Python's own numbers, strings, lists and dictionaries, for `to_dict`."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, tuple | list):
        return [item if type(item) in SIMPLE else as_builtin(item) for item in value]
    if isinstance(value, Mapping):
        return {key: as_builtin(item) for key, item in value.items()}
    return value.to_dict() if hasattr(value, "_summary") else value


def show_pvalue(p: float) -> str:
    """Return a p-value as text: .01234 -> "0.0123"; never 0, and never 1.0000 if it is less.

    One that is just above a usual level has more than four decimals: it is not significant.
    """
    if math.isnan(p):
        return "nan"
    if p < 1e-300:
        return "< 1e-300"
    if 0.99995 <= p < 1.0:
        return "> 0.9999"
    rounded = f"{p:.4f}" if p >= 1e-3 else f"{p:.3g}"
    excess = p - float(rounded)
    if excess > ROUNDING and float(rounded) in USUAL_LEVELS:
        return f"{p:.{-math.floor(math.log10(excess))}f}"
    return rounded


def show_count(count: float) -> str:
    """Return a number of cases, or a mean of such: ``1234567``, ``341.333``, ``1234567.9``."""
    if float(count).is_integer():
        return f"{count:.0f}"
    return f"{count:.1f}" if abs(count) >= 1e5 else f"{count:.6g}"


def rejection_sentence(pvalues: Any, method: str) -> str:
    """Return how many of an array of p-values are below 5%, in a sentence."""
    count = np.count_nonzero(pvalues < 0.05)
    tests = "test has" if pvalues.size == 1 else "tests have"
    return f"{count} of {pvalues.size} {tests} p < 0.05 ({method}, unadjusted)."


FEWEST, MOST = 4, 7  # decimals
SMALLEST_END = 1e-7  # of an interval: smaller ones are shown as 0


def decimals_for(size: float) -> int:
    """Return the number of decimals, 4 to 7, that shows two digits of a number of this size."""
    if size == 0.0 or not math.isfinite(size):
        return FEWEST
    return min(max(FEWEST, 1 - math.floor(math.log10(abs(size)))), MOST)


MOST_DIGITS = 9  # significant ones


def differing_form(values: Iterable[float], kind: str = "f") -> str:
    """Return a format such as ".4f" in which numbers differ visibly: two digits of their range.

    With 'f' four decimals or more, with 'g' four significant digits or more.
    """
    numbers = [float(value) for value in values if math.isfinite(value)]
    extent = max(numbers, default=0.0) - min(numbers, default=0.0)
    if kind == "f":
        return f".{decimals_for(extent)}f"
    largest = max(map(abs, numbers), default=0.0)
    if extent <= ROUNDING * largest:
        return ".4g"
    digits = 2 + math.floor(math.log10(largest)) - math.floor(math.log10(extent))
    return f".{min(max(FEWEST, digits), MOST_DIGITS)}g"


def ends_of_range(values: Iterable[float], kind: str = "f") -> str:
    """Return "least to largest" of some numbers, with digits in which they differ."""
    numbers = [float(value) for value in values]
    form = differing_form(numbers, kind)
    return f"{min(numbers):{form}} to {max(numbers):{form}}"


def show_number(value: float, form: str = ".4f") -> str:
    """Return a number as text for a sentence: "0.8125", "undefined" for NaN, "infinite"."""
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "infinite" if value > 0.0 else "minus infinite"
    return f"{value:{form}}"


def stated_ends(limits: tuple[float, float], form: str = ".4f") -> str:
    """Return an interval as text: "0.1 to 0.3", or "0.1 and above" if it has no upper end.

    There are as many decimals as show on which side of 0 a limit is.
    """
    low, high = map(float, limits)
    nearest = min(abs(low), abs(high))
    if nearest >= SMALLEST_END and float(f"{nearest:{form}}") == 0.0:
        form = f".{decimals_for(nearest)}f"
    form = f"z{form}"  # what rounds to 0 has no sign
    if math.isnan(low) or math.isnan(high):
        return "undefined"
    if math.isinf(low):
        return "unbounded" if math.isinf(high) else f"{high:{form}} and below"
    return f"{low:{form}} and above" if math.isinf(high) else f"{low:{form}} to {high:{form}}"


def equation(name: str, text: str) -> str:
    """Return ``name = text``, or ``name < bound`` where the text brings its own sign."""
    if text in ("nan", "undefined"):
        return f"{name} undefined"
    if text.endswith("infinite"):
        return f"{name} {text}"
    return f"{name} {text}" if text[:1] in ("<", ">") else f"{name} = {text}"


def amount(count: int, noun: str, many: str = "") -> str:
    """Return a number and its noun: "1 case", "3 cases"; `many` is an irregular plural."""
    return f"{count} {noun if count == 1 else many or noun + 's'}"


def plural(noun: str) -> str:
    """Return the plural of the name of a metric."""
    if noun.endswith("y"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "ch")) else f"{noun}s"


def join_names(names: list[str], most: int) -> str:
    """Return "a, b and c"; of more than `most` + 1 names the first `most` "and 7 more"."""
    if len(names) > most + 1:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


INTERVALS = {  # names by alternative; {0} is the level in percent, {1} that of both one-sided tests
    "two-sided": "{0:.10g}% CI",
    "less": "one-sided {0:.10g}% CI",
    "greater": "one-sided {0:.10g}% CI",
    "equivalence": "{1:.10g}% CI",
}


def interval_title(alternative: str, level: float) -> str:
    """Return the name of the interval of a test at this level."""
    return INTERVALS[alternative].format(100.0 * level, 200.0 * level - 100.0)


def hypothesis_text(alternative: str, margin: float) -> str:
    """Return the alternative hypothesis, to follow the name of a test; none if two-sided."""
    text, sign = ALTERNATIVES[alternative]
    return text.format(f"{sign * margin:zg}" if margin else "0")


def verdict(
    sentences: tuple[str, str], pvalue: float, levels: tuple[float, float], **parts: Any
) -> str:
    """Return the sentence for a significant or another p-value, "" if it is NaN.

    `sentences` (significant, not significant) is an entry of `VERDICTS`, whose fields `parts` fill
    in; `levels` are the significance level and the confidence level: unless they are .05 and .95
    the sentence says so.
    """
    if math.isnan(pvalue):
        return ""
    alpha, _ = levels
    significant, not_significant = sentences
    sentence = (not_significant if pvalue > alpha else significant).format(**parts)
    if sentence.startswith("the "):  # and no name of a model
        sentence = f"T{sentence[1:]}"
    usual = levels == (ALPHA, LEVEL)
    return f"{sentence}." if usual else f"{sentence} at the {100.0 * alpha:.10g}% level."


def direction_note(auc: Any, several_classes: bool = False) -> str:
    """Return a note if an AUC is below .5: scores, or the columns of classes, may be reversed."""
    if not (np.asarray(auc) < 0.5).any():
        return ""
    if several_classes:
        return " An AUC below 0.5 may mean that columns of scores are not in the order of classes."
    return " An AUC below 0.5 may mean that higher scores indicate the negative class."


def correction_title(correction: str) -> str:
    """Return the name of a correction as papers write it."""
    return CORRECTION_TITLES.get(correction, correction.capitalize())


def clean(text: str) -> str:
    r"""Return text with control characters escaped, so that it is safe in one line of a terminal.

    Control characters and marks of writing direction become text such as ``\x1b``, lone surrogates
    the replacement character.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(VISIBLE.get(unicodedata.category(c), str)(c) for c in text)


def escape_code(character: str) -> str:
    r"""Return a character's escape as in Python, such as ``\x1b``; joiners of letters stay."""
    if character in "\u200c\u200d":
        return character
    code = ord(character)
    if code < 256:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


VISIBLE: dict[str, Callable[[str], str]] = {
    "Cc": escape_code,
    "Cf": escape_code,
    "Zl": escape_code,
    "Zp": escape_code,
    "Cs": lambda _: "\ufffd",
}


def plain_sum(values: Iterable[float]) -> float:
    """Return the sum of the values from left to right, each partial sum rounded.

    `sum` compensates what was rounded since Python 3.12, and the last digits differ.
    """
    total: float = reduce(add, values, 0.0)
    return total
