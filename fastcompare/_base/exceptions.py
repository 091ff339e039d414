"""What fastcompare raises and warns.

FastCompareError
├── InvalidTypeError    also a TypeError: a wrong kind of thing
├── InvalidValueError   also a ValueError: a right kind with a wrong value
├── UndefinedResultError  also a ValueError: only with ``on_undefined="raise"``
└── EstimatorError      also a RuntimeError: a model failed in a round of `compare_estimators`

UndefinedResultWarning  a RuntimeWarning: valid data for which a result is not defined
SmallSampleWarning      a UserWarning: a result whose approximation is poor for so few cases
DroppedCasesWarning     a UserWarning: cases with missing values were dropped, as specified
DesignWarning           a UserWarning: a test that is not valid for the specified design
EvalWarning             a UserWarning: logs whose scores are likely not what they seem
CacheWarning            a RuntimeWarning: compiled code is damaged or not kept, results are right
"""

import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from functools import partial
from operator import index
from types import MappingProxyType
from typing import Final, SupportsIndex, TypeVar

from .neighbours import ATTRIBUTES, FUNCTIONS, name_in_this_package
from .text import clean

LONGEST = 2000  # characters of a message, of which the last 500 say how to go on
MARKS = re.compile(  # what messages mark: `parameter`, option=value, the row of a value
    r"`(?P<name>[^`]+)`|(?<![\w'\"])(?P<option>\w+)=(?:'(?P<text>[^']*)'|(?P<word>[\w.]+))"
    r"|(?P<place>\b(?:at index|in row) (?P<row>\d+)\b(?!, \d))"
)
OF_MODEL = re.compile(r"\w+\[(['\"])(.*)\1\]")
Mark = Mapping[str, str | None]  # the groups of MARKS in a match; `whole` is all of it


def translate_marks(message: str, replacements: Mapping[str, Callable[[Mark], str]]) -> str:
    """Return a message with its marks replaced by functions for 'name', 'option' and 'place'.

    For example {"name": lambda mark: "--labels"} turns "`y_true` must be 1-d" into "--labels must
    be 1-d". Marks without a function stay.
    """

    def replacement(match: re.Match[str]) -> str:
        """Return the text for a mark, which stays if there is no function for its kind."""
        kind = next(kind for kind in ("name", "option", "place") if match[kind] is not None)
        if kind not in replacements:
            return match[0]
        return replacements[kind]({"whole": match[0], **match.groupdict()})

    return MARKS.sub(replacement, message)


def model_named(parameter: str) -> str:
    """Return the model in a parameter such as ``scores['forest']``; "" if there is none."""
    match = OF_MODEL.fullmatch(parameter)
    return "" if match is None else match[2]


HINTS: ContextVar[Mapping[str, str]] = ContextVar("hints", default=MappingProxyType({}))


def hint(remedy: str, **parts: str) -> str:
    """Return a remedy in Python's terms, or its translation by HINTS (for the command line).

    `parts` fill in the fields in braces.
    """
    text = HINTS.get().get(remedy, remedy)
    return text.format(**parts) if parts else text


class FastCompareError(Exception):
    """Base of all exceptions that fastcompare raises on purpose.

    Its ``parameter`` is what the message is about, as ``y_true`` or ``scores['forest']``, or a
    column or the path of a file; its ``rule`` is what that must be, its ``value`` what it is
    instead, its ``row`` the first row, from 0, with what is wrong; each is None where there is
    none.
    """

    parameter: str | None = None
    rule: str | None = None
    value: object = None
    row: int | None = None

    def __init__(
        self,
        *args: object,
        parameter: str | None = None,
        rule: str | None = None,
        value: object = None,
        row: SupportsIndex | None = None,
    ) -> None:
        super().__init__(*map(readable, args))
        self.parameter, self.rule, self.value = parameter, rule, value
        self.row = None if row is None else index(row)


class InvalidTypeError(FastCompareError, TypeError):
    """An argument has an invalid type."""


class InvalidValueError(FastCompareError, ValueError):
    """An argument has a valid type but an invalid value."""


class UndefinedResultError(FastCompareError, ValueError):
    """The data are valid, but the result is not defined for them."""


class EstimatorError(FastCompareError, RuntimeError):
    """A model could not be fitted or scored, or could not predict; its own error is the cause."""


E = TypeVar("E", bound=FastCompareError)
NOTHING: Final = object()  # the value of an error that names none


def broken_rule(
    kind: type[E],
    parameter: str,
    rule: str,
    value: object = NOTHING,
    end: str = ".",
    *,
    show: str = ", got {!r}",
    row: SupportsIndex | None = None,
    subject: str = "",
) -> E:
    """Return the error of a parameter that breaks a rule: "`alpha` must be in (0, 1), got 2.".

    `show` formats the value, if there is one; `end` is the end of the message, with the remedy. The
    message begins with the `subject`, such as a column of a file, or else with the parameter.
    """
    is_known = value is not NOTHING
    got = show.format(value) if is_known else ""
    return kind(
        f"{subject or f'`{parameter}`'} {rule}{got}{end}",
        parameter=parameter if subject else parameter.partition("=")[0],  # of method='exact'
        rule=rule,
        value=value if is_known else None,
        row=row,
    )


invalid_type = partial(broken_rule, InvalidTypeError)
invalid_value = partial(broken_rule, InvalidValueError)


def with_message(error: E, message: str) -> E:
    """Return a copy of an error with another message."""
    copy = type(error).__new__(type(error))
    vars(copy).update(vars(error))
    copy.args = (readable(message),)
    return copy


def rename_parameters(error: FastCompareError, called: Callable[[str], str]) -> None:
    """Rename parameters in an error and its message: `called` returns the new name of each."""
    renamed = {"name": lambda mark: f"`{called(str(mark['name']))}`"}
    error.args = tuple(translate_marks(x, renamed) if isinstance(x, str) else x for x in error.args)
    error.parameter = None if error.parameter is None else called(error.parameter)


class UndefinedResultWarning(RuntimeWarning):
    """Parts of a result are not defined for these data; its `status` says why."""


class DroppedCasesWarning(UserWarning):
    """Cases with missing values were dropped, as specified by ``nan_policy="omit"``."""


class CacheWarning(RuntimeWarning):
    """Compiled code is damaged or cannot be kept; it is compiled again, and results are correct."""


class SmallSampleWarning(UserWarning):
    """The result is defined, but its approximation is known to be poor for so few cases."""


class DesignWarning(UserWarning):
    """The result is not valid for the design of the rounds, or of the battles."""


class EvalWarning(UserWarning):
    """Scores in evaluation logs may not mean what their name suggests."""


def warn(message: str, category: type[Warning]) -> None:
    """Warn with the location of the caller: the innermost line outside of this package."""
    package = __name__.partition(".")[0]
    frame = sys._getframe()
    level = 1
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        frame, level = frame.f_back, level + 1
    warnings.warn(visible(message), category, stacklevel=level)


def readable(message: object) -> object:
    """Return a message with control characters escaped, and the middle of a long one cut out.

    It may show a value of any size, and names from the data.
    """
    if not isinstance(message, str):
        return message
    if len(message) > LONGEST:
        message = f"{message[: LONGEST - 500]} … {message[-500:]}"
    return visible(message)


def visible(message: str) -> str:
    """Return a message of one or several lines with other control characters escaped."""
    return "\n".join(map(clean, message.split("\n")))


def suggestion(given: str, known: Iterable[str], stop: str = "") -> str:
    """Return "`stop` Did you mean 'x'?" for the known name closest to `given`; "" for none.

    Close are names that difflib matches with its default cutoff of 0.6, or that begin with `given`.
    """
    import difflib  # here, since only errors need it: 2 ms of an import

    names = list(known)
    text = given.strip().lower()
    near = difflib.get_close_matches(given, names, n=1)
    near = near or difflib.get_close_matches(text, names, n=1)
    near = near or [name for name in names if len(text) > 2 and name.lower().startswith(text)]
    return f"{stop} Did you mean {near[0]!r}?" if near else ""


PARTS = ("result.", "omnibus.")  # of a comparison, which have attributes of their own


class MissingAttributeError(AttributeError):
    """An attribute that does not exist; a similar name is sought only when the error is shown."""

    def __str__(self) -> str:
        """Return the message, with the public name of the same use or of similar letters."""
        owner, attribute, public = self.args  # Python would add a suggestion if `name` were set
        names = [name for name in public if name[0] != "_"]
        nested_names = [name for name in names if name.startswith(PARTS)]
        nested = {name.rpartition(".")[2]: name for name in reversed(nested_names)}
        direct = [name for name in names if not name.startswith(PARTS)]
        meant = name_in_this_package(attribute, FUNCTIONS | ATTRIBUTES, direct)
        of_nested = attribute if attribute in nested else ""
        of_nested = of_nested or name_in_this_package(attribute, ATTRIBUTES, nested)
        if not meant and of_nested:
            return f"{owner} has no attribute {attribute!r}: use `.{nested[of_nested]}`."
        hint = f". Did you mean {meant!r}?" if meant else suggestion(attribute, direct, ".")
        return f"{owner} has no attribute {attribute!r}{hint}"
