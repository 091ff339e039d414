"""The right tests for scores by round, by the number of models and the scheme of the rounds."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

from ..._base.types import Direction, Undefined, Vector
from ..._inference.corrections.adjust import as_pair_claims
from ..._inference.corrections.pairs import check_models
from ..._inputs.options import check_undefined, has_direction
from ..._results.records import Record
from .anova import rm_anova_test
from .corrected import ttest_corrected
from .five_by_two import TTest5x2cvResult, ftest_5x2cv, ttest_5x2cv
from .pairwise import ttest_corrected_pairwise_test

HALVES = (
    "Two models in five two-fold cross-validations: Alpaydin's combined F-test, which takes all "
    "ten differences and has more power than Dietterich's t-test, which takes the first."
)
DIRECTED_HALVES = (
    "Two models in five two-fold cross-validations, and a direction: Dietterich's t-test, since "
    "the combined F-test has none."
)
TWO = (
    "Two models in {n} rounds that share training cases: the t-test with Nadeau and Bengio's "
    "correction, without which p would be too small."
)
MANY = (
    "{k} models in {n} rounds that share training cases: repeated-measures ANOVA asks whether any "
    "differ and t-tests of all pairs ask which, both with Nadeau and Bengio's correction, without "
    "which p would be too small."
)
INCOMPLETE = " The tests for 5x2cv need all ten rounds, and {n} are complete."


@dataclass(frozen=True, eq=False, kw_only=True)
class FoldComparisonResult(Record):
    """Scores of models in the same rounds, with the tests that are right for them.

    `tests` has the results by the names of their functions, first the one to report.
    """

    names: tuple[str, ...]
    means: Vector
    scores: Vector
    scoring: str
    n: int
    n_dropped: int
    n_train: float
    n_test: float
    tests: Mapping[str, Any]
    reason: str
    status: str
    title: ClassVar[str] = "Models compared by their scores in the same rounds"

    def _summary(self) -> str:
        """Return the sentences of the tests, fit for a paper."""
        tests = list(self.tests.values())
        if "ftest_5x2cv" in self.tests:  # the t-test answers the same question
            tests = tests[:1]
        return " ".join(test.summary() for test in tests)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values."""
        tests = {name: test.to_dict() for name, test in self.tests.items()}
        return {**super().to_dict(), "tests": tests}


class Choices(NamedTuple):
    """What a user chooses of the tests."""

    alternative: Direction
    correction: str
    on_undefined: Undefined

    def checked(self, models: int = 2) -> "Choices":
        """Return the choices, or raise before any model is fitted if no test can follow them."""
        check_undefined(self.on_undefined)
        claims = as_pair_claims(self.alternative, self.correction)
        check_models(models, claims.correction)
        return self


class Sizes(NamedTuple):
    """How many cases a round trains and tests on, or their means."""

    n_train: float
    n_test: float


class Tests(NamedTuple):
    """Results by the names of their functions, first the one to report, and why these."""

    results: dict[str, Record]
    reason: str


def right_tests(
    columns: Mapping[str, Vector], sizes: Sizes, choices: Choices, *, scheme: str = ""
) -> Tests:
    """Return the tests of at least two complete rounds of each model."""
    k, n = len(columns), next(iter(columns.values())).size
    if k > 2:
        return Tests(tests_of_many(columns, sizes, choices), MANY.format(k=k, n=n))
    if scheme == "5x2cv" and n == 10:
        return tests_of_halves(columns, choices)
    test = ttest_corrected(
        columns,
        n_train=sizes.n_train,
        n_test=sizes.n_test,
        alternative=choices.alternative,
        on_undefined=choices.on_undefined,
    )
    reason = TWO.format(n=n) + (INCOMPLETE.format(n=n) if scheme == "5x2cv" else "")
    return Tests({"ttest_corrected": test}, reason)


def tests_of_many(
    columns: Mapping[str, Vector], sizes: Sizes, choices: Choices
) -> dict[str, Record]:
    """Return the omnibus test and the tests of all pairs."""
    omnibus = rm_anova_test(columns, **sizes._asdict(), on_undefined=choices.on_undefined)
    pairs = ttest_corrected_pairwise_test(columns, **sizes._asdict(), **choices._asdict())
    return {"rm_anova_test": omnibus, "ttest_corrected_pairwise_test": pairs}


def tests_of_halves(columns: Mapping[str, Vector], choices: Choices) -> Tests:
    """Return the tests of two models in five two-fold cross-validations."""
    a, b = (column.reshape(5, 2) for column in columns.values())
    undefined = choices.on_undefined
    if has_direction(choices.alternative):
        test = ttest_5x2cv(a, b, alternative=choices.alternative, on_undefined=undefined)
        return Tests({"ttest_5x2cv": named(test, columns)}, DIRECTED_HALVES)
    test = ttest_5x2cv(a, b, on_undefined="ignore")  # undefined where F is
    tests: dict[str, Record] = {
        "ftest_5x2cv": ftest_5x2cv(a, b, on_undefined=undefined),
        "ttest_5x2cv": named(test, columns),
    }
    return Tests(tests, HALVES)


def named(test: TTest5x2cvResult, columns: Mapping[str, Vector]) -> TTest5x2cvResult:
    """Return a test of two models with their names, which arrays of halves do not have."""
    first, second = columns
    return replace(test, names=(str(first), str(second)))
