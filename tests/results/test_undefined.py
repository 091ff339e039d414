"""No sentence and no table says nan: what is undefined is called so, whatever the data are."""

import re

import pytest

from tests.shared.degenerate_calls import CALLS, results_of

pytestmark = pytest.mark.slow

BAD = re.compile(r"\b(nan|NaN|None(?! of the \d)|array|inf(?= |,|;|\)|\.))\b")
SINGULAR = re.compile(
    r"(?<!model )(?<![\d.])\b1 (?!is\b|has\b|class\b|as\b|less\b|loss\b)[a-z]+s\b"
)
DECIDED = ("does not reject", "do not reject", "not significant", "no pair is tested")


def sentence_of(result):
    """The summary of a result, or of what returns no record nothing."""
    return result.summary() if hasattr(result, "summary") else ""


@pytest.mark.parametrize("name", CALLS)
def test_sentences_and_tables_say_undefined_and_one_of_one(name):
    for word, result in results_of(name):
        told = sentence_of(result)
        assert not BAD.search(told), (word, told)
        assert not SINGULAR.search(told), (word, told)
        if told:
            shown = str(result)
            assert not re.search(r"\bnan\b", shown), (word, shown)
        pvalue = getattr(result, "pvalue", 0.0)
        if isinstance(pvalue, float) and pvalue != pvalue:
            assert "undefined" in told.lower() or "cannot be told" in told, (word, told)
            assert not any(said in told for said in DECIDED), (word, told)
