"""Names of corrections as other programs and papers have them.

A hint for a misspelt name never points to a correction for another error rate: of discoveries, or
familywise.
"""

import re
from collections.abc import Iterable

from ..._base.exceptions import InvalidTypeError, InvalidValueError, suggestion

SYNONYMS = {  # in small letters, with hyphens
    "benjamini-hochberg": "bh",
    "fdr": "bh",
    "fdr-bh": "bh",
    "benjamini-yekutieli": "by",
    "fdr-by": "by",
    "holm-bonferroni": "holm",
    "holm-sidak": "holland",
    "simes-hochberg": "hochberg",
    "bergmann": "bergmann-hommel",
}
DISCOVERY = ("bh", "by")  # which bound the false discovery rate
SOUNDS_LIKE = re.compile(r"fdr|disc|benj|yek|^b[hy]\b")


def as_correction(name: str, value: object, choices: Iterable[str]) -> str:
    """Return the name that a correction has here, or raise."""
    legal = tuple(choices)
    if not isinstance(value, str):
        listed = ", ".join(map(repr, legal))
        raise InvalidTypeError(f"`{name}` must be one of {listed}, got {value!r}.")
    if value in legal:
        return value
    plain = re.sub(r"[\s_-]+", "-", value.strip().lower()).replace("š", "s").replace("á", "a")
    found = SYNONYMS.get(plain, plain)
    if found in legal:
        return found
    discovery = SOUNDS_LIKE.search(plain) is not None
    same = [word for word in legal if (word in DISCOVERY) == discovery]
    other = [word for word, meant in SYNONYMS.items() if meant in same]
    hint = suggestion(plain, [*same, *other])
    if discovery and not hint and same:
        hint = f" For the false discovery rate there are {' and '.join(map(repr, same))}."
    listed = ", ".join(map(repr, legal))
    raise InvalidValueError(f"`{name}` must be one of {listed}, got {value!r}.{hint}")
