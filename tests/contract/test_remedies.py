"""What a message advises works on the input that raised it.

`FAILING` has calls that raise or warn; the advice is read from the message, by what stands in
quotation marks of calls (``np.full(...)``), options (``name='value'``, ``top=2``) and names of
functions, and followed: it must lead neither to an error nor to the same warning.
"""

import re
import warnings

import numpy as np
import pytest

import fastcompare as fc

RNG = np.random.default_rng(0)
Y = np.arange(24) % 2
A = np.round(np.sin(np.arange(24.0) * 1.7) + 1.2 * Y, 2)
B = np.round(np.cos(np.arange(24.0) * 2.3) + 0.8 * Y, 2)
GAPS = np.where(np.arange(24) == 3, np.nan, A)
ROUNDS = RNG.normal(0.8, 0.03, (10, 3))
SIZES = {"n_train": 80, "n_test": 20}
FAILED = {f"split{j}_test_score": np.array([0.7, 0.6 + j / 100, np.nan]) for j in range(6)}
SEARCH = {"params": [{"C": c} for c in (1, 2, -1)], "mean_test_score": np.full(3, 0.6), **FAILED}
SAME_ORDER = np.array([[5, 4, 3]] * 4)

SCORES = Y, {"a": A, "b": B}

FAILING = {  # function, data, options
    "two sets of few cases": ("delong_unpaired_test", (Y, A, Y, B), {}),
    "two sets, Student's t": ("delong_unpaired_test", (Y, A, Y, B), {"reference": "t"}),
    "a failed candidate": ("from_cv_results", (SEARCH,), SIZES),
    "one order everywhere": ("conover_test", (SAME_ORDER,), {}),
    "a number for a model": ("ttest_corrected", ([0.6, 0.7, 0.65], 0.5), SIZES),
    "a number for a model, plain": ("ttest_resampled", ([0.6, 0.7, 0.65], 0.5), {}),
    "a number for a model, Wilcoxon": ("wilcoxon_test", ([0.6, 0.7, 0.65], 0.5), {}),
    "missing scores": ("delong_test", (Y, GAPS, B), {}),
    "missing scores of models": ("delong_pairwise_test", (Y, {"a": GAPS, "b": B, "c": A}), {}),
    "missing rounds": ("rm_anova_test", (np.where(ROUNDS > 0.83, np.nan, ROUNDS),), {}),
    "missing data sets": ("friedman_test", (np.where(ROUNDS > 0.83, np.nan, ROUNDS),), {}),
    "a table without a kind": ("compare", (ROUNDS,), {}),
    "clusters without groups": ("compare", SCORES, {"kind": "scores", "design": "clusters"}),
    "few cases, normal": ("delong_test", (Y, A, B), {"reference": "normal"}),
}
OPTION = re.compile(r"\b(\w+)=('[^']*'|\d+(?:\.\d+)?)")
OTHER = re.compile(r"(?:use|or|:) (?:use )?(\w+_test)\b")
CALLED = re.compile(r"(compare\(data\[.*?\]\]?\))")
REPEATED = re.compile(r"np\.full\(n, ([\d.]+)\)")


def messages_of(name, data, options):
    """The error or the warnings of a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            getattr(fc, name)(*data, **options)
        except fc.FastCompareError as error:
            return "error", [str(error)]
    return "warning", [str(warning.message) for warning in caught]


def followed(name, data, options, message):
    """Yield every advice in a message as a call."""
    for option, value in OPTION.findall(re.sub(r"`\w+=[^`]*`", "", message)):  # the cause
        if option == "kind" and "n_train=" in message and value == "'folds'":
            yield name, data, options | SIZES | {"kind": "folds"}
        else:
            yield name, data, options | {option: eval(value)}
    for other in OTHER.findall(message):
        yield other, data, {}
    for option in re.findall(r"omit `(\w+)`", message):
        yield name, data, {key: value for key, value in options.items() if key != option}
    for value in REPEATED.findall(message):
        yield name, (data[0], np.full(len(data[0]), float(value))), options
    for call in CALLED.findall(message):
        frame = data[0]
        yield name, eval(call.removeprefix("compare"), {"data": frame}), options
    if "needs `groups`" in message:
        yield name, data, options | {"groups": np.arange(24) // 3}


@pytest.mark.parametrize("case", FAILING)
def test_what_a_message_advises_works_on_the_input_that_raised_it(case):
    name, data, options = FAILING[case]
    _, messages = messages_of(name, data, options)
    assert messages, "nothing is wrong with this call"
    advised = 0
    for message in messages:
        for call in followed(name, data, options, message):
            then, others = messages_of(*call)
            advised += 1
            assert then != "error", (message, call[0], others)
            assert message not in others, (message, call[0], call[2])
    assert advised, messages
