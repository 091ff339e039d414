"""Numbers of models that are usually codes for missing values: -1, or nines far from all others."""

import re
from collections import Counter
from typing import Any

from numpy.typing import NDArray

from .._base.text import amount
from .._inputs.tables import FiniteNumbers, Numbers

MANY = 20_000  # rows
CHANGES = re.compile(r"delta|change|diff|gain|improvement|minus|lift", re.IGNORECASE)  # of -1, too
FEWEST_POINTS = 10  # of a scale on which -1 is no value


def codes_for_missing(columns: Numbers, kind: str) -> list[str]:
    """Return a sentence for each column with a number that is usually a code for a missing value.

    Whole numbers that are labels (`kind`) have none, since 99 may be a class.
    """
    checked = {n: x for n, x in columns.items() if x.size and not (x.is_whole and kind == "labels")}
    possible = [(n, x, code) for n, x in checked.items() for code in possible_codes(x)]
    n_columns = Counter(code for _, _, code in possible)
    sentences = []
    for name, numbers, code in possible:
        others = numbers.values[numbers.values != code]
        n_coded = numbers.size - others.size
        is_repeated = n_coded > 1 or n_columns[code] > 1
        if code == -1 and numbers.is_whole:
            is_repeated = n_columns[code] > 1 and CHANGES.search(name) is None
        if others.size and is_code_among(others, code, is_repeated, numbers.is_whole):
            sentences.append(
                f"{name!r} is {code:.0f} in {amount(n_coded, 'row')}, otherwise "
                f"from {others.min():.4g} to {others.max():.4g}: if this is a code for missing "
                "values, replace it by NaN, in a file by an empty cell."
            )
    return sentences


def possible_codes(numbers: FiniteNumbers) -> list[float]:
    """Return the least and the largest number that are -1 or have only nines.

    Of many whole numbers the first ones settle whether there is one: codes are frequent.
    """
    if numbers.is_whole and numbers.size > MANY:
        first = FiniteNumbers(numbers.values[:MANY])
        if not possible_codes(first):
            return []
    return [x for x in (float(numbers.least), float(numbers.most)) if x == -1 or has_only_nines(x)]


def has_only_nines(number: float) -> bool:
    """Return whether a whole number, below 0 or above, is written with nines alone."""
    return number % 1 == 0 and {*f"{abs(number):.0f}"} == {"9"}


def is_code_among(
    others: NDArray[Any], code: float, is_repeated: bool, are_whole_numbers: bool
) -> bool:
    """Return whether -1 or nines are far from the other numbers, which are between 0 and 1 for -1.

    Nines below 0 are so where no other number is. Among whole numbers nines must be repeated, since
    counts have outliers; a single 9 may be a grade, and -1 must be below ten points or more.
    """
    least, most = float(others.min()), float(others.max())
    is_only_negative = is_repeated and code < 0.0 <= least
    if code == -1:
        is_scale = are_whole_numbers and most - least >= FEWEST_POINTS
        return (is_only_negative and is_scale) or (
            not are_whole_numbers and 0.0 <= least <= most <= 1.0
        )
    distance = code - most if code > most else least - code
    if are_whole_numbers and (not is_repeated or code == 9):
        return False
    return is_only_negative or distance >= most - least
