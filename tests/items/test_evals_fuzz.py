"""Pairs of logs with shuffled, dropped, doubled and exchanged rows are aligned or refused."""

import random

import pytest

from scripts import fuzz_evals


@pytest.mark.slow
def test_no_pair_of_logs_is_misaligned():
    outcomes, wrong = fuzz_evals.trials(first=10**6, count=400)
    assert wrong == []
    assert min(outcomes["aligned"], outcomes["refused"]) > 100


@pytest.mark.parametrize("write", [fuzz_evals.lm_eval, fuzz_evals.inspect_zip, fuzz_evals.helm])
def test_the_order_of_rows_and_of_logs_is_of_no_matter(tmp_path, write):
    rows = [fuzz_evals.Answer(f"q{i}", i, i * i) for i in range(12)]
    first = fuzz_evals.fc.read_evals(write(tmp_path, "a", rows))
    random.Random(1).shuffle(rows)
    second = fuzz_evals.fc.read_evals(write(tmp_path, "a", rows))
    assert second.items.tolist() == first.items.tolist() == [f"q{i}" for i in range(12)]
    assert second.scores.tolist() == first.scores.tolist() == [[[i * i]] for i in range(12)]
