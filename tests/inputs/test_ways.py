"""Ways that a question names work as they are typed, in Python and at a shell."""

import csv
import re
import shlex

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._inputs.roles.question import QuestionError
from tests.shared.commandline import failure, ok

RNG = np.random.default_rng(3)
N = 40
WORDS = RNG.choice(["cat", "dog", "bird"], N)
SAME = np.where(RNG.random(N) < 0.7, WORDS, RNG.choice(["cat", "dog", "bird"], N))
ERRORS = RNG.integers(0, 5, (2, N))
LENGTHS = RNG.integers(8, 30, N)


def search(metrics, n=4):
    """What scikit-learn's search returns of n candidates, by several metrics."""
    splits = {f"split{i}_test_{m}": RNG.random(n) for m in metrics for i in range(5)}
    return {"param_C": [f"{10**i}" for i in range(n)], **splits}


TABLES = {
    "annotators": {"anna": WORDS, "ben": SAME},
    "raters of two labels": {"rater1": (WORDS == "cat") * 1, "rater2": (SAME == "cat") * 1},
    "word errors": {"utt": [f"u{i}" for i in range(N)], "n_ref_words": LENGTHS}
    | {f"errors_{x}": e for x, e in zip("ab", ERRORS, strict=True)},
    "lengths alone": {"ref_len": LENGTHS, "whisper": ERRORS[0], "wav2vec": ERRORS[1]},
    "metrics of a search": search(["accuracy", "roc_auc"]),
}
BESIDE = {"metrics of a search": {"n_train": 90, "n_test": 10}}


@pytest.mark.parametrize("name", TABLES)
def test_every_way_of_a_question_is_an_answer(name, tmp_path):
    table, beside = TABLES[name], BESIDE.get(name, {})
    with pytest.raises(QuestionError) as asked:
        fc.compare(table, **beside)
    for way in asked.value.ways:
        assert len(fc.compare(table, **way, **beside, on_undefined="ignore").names) > 0

    path = tmp_path / "table.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([table, *zip(*table.values(), strict=True)])
    sizes = [f"--{key.replace('_', '-')}={value}" for key, value in beside.items()]
    message = failure("compare", path, *sizes)
    ways = re.findall(r"`(--[^`]*)`", message)
    assert len(ways) == len(asked.value.ways)
    for way in ways:
        ok("compare", path, *shlex.split(way), *sizes)


def test_two_annotators_are_offered_the_kappa_of_their_labels():
    with pytest.raises(QuestionError, match="two annotators") as asked:
        fc.compare(TABLES["annotators"])
    way = next(way for way in asked.value.ways if way.get("test") == "kappa")
    comparison = fc.compare(TABLES["annotators"], **way)
    want = fc.cohen_kappa(WORDS, WORDS, SAME, on="labels")
    assert comparison.result.estimate == want.estimate
    assert comparison.result.confidence_interval() == want.confidence_interval()
    assert comparison.result.names == ("anna", "ben")
    three = TABLES["annotators"] | {"carl": SAME[::-1]}
    with pytest.raises(QuestionError) as asked:
        fc.compare(three)
    assert all("test" not in way for way in asked.value.ways)


def test_errors_beside_lengths_of_references_are_offered_their_rates():
    data = TABLES["word errors"]
    with pytest.raises(QuestionError, match="error rates") as asked:
        fc.compare(data)
    call = re.search(r"`(fastcompare\.ratio_test\(.*?\))`", str(asked.value))[1]
    result = eval(call, {"fastcompare": fc, "data": data})
    rates = ERRORS.sum(axis=1) / LENGTHS.sum()
    assert result.estimate == pytest.approx(rates[0] - rates[1], rel=1e-12)
    three = data | {"errors_c": ERRORS[0][::-1]}
    with pytest.raises(QuestionError) as asked:
        fc.compare(three)
    call = re.search(r"`(fastcompare\.ratio_pairwise_test\(.*?\))`", str(asked.value))[1]
    pairs = eval(call, {"fastcompare": fc, "data": three})
    assert pairs.names == ("errors_a", "errors_b", "errors_c")
    assert pairs.estimate[0] == pytest.approx(result.estimate, rel=1e-12)
    right = {"total_tokens": LENGTHS, "a": ERRORS[0] > 1, "b": ERRORS[1] > 1}
    assert set(fc.compare(right, kind="items").names) == {"a", "b"}


def test_the_metric_of_a_search_is_chosen_by_name():
    table = search(["accuracy", "roc_auc"])
    chosen = fc.compare(table, scoring="roc_auc", n_train=90, n_test=10)
    alone = {n: x for n, x in table.items() if "accuracy" not in n}
    assert chosen.values == fc.compare(alone, n_train=90, n_test=10).values
    with pytest.raises(fc.InvalidValueError, match="Did you mean 'accuracy'"):
        fc.compare(table, scoring="acuracy", n_train=90, n_test=10)
