"""Labels of the same ids in several files agree or contradict each other, by a plain definition."""

import numpy as np
import pytest

from fastcompare._inputs.roles.column import parse_columns
from fastcompare._inputs.roles.files import SMALLEST_SHARE_DIFFERENT, contradicts

RNG = np.random.default_rng(11)


def contradicts_by_rows(files):
    """Return what `contradicts` does, by the labels of each id in each file."""
    of_files = [dict(zip(f["id"], f["pred"], strict=True)) for f in files]
    shared = [x for x in of_files[0] if all(x in labels for labels in of_files)]
    different = [x for x in shared if len({labels[x] for labels in of_files}) > 1]
    return len(different) > SMALLEST_SHARE_DIFFERENT * len(shared)


def drawn_file(words, n=30):
    ids = RNG.permutation(n + 3)[:n].tolist()
    ids[-1] = ids[int(RNG.integers(n))]  # one may be there twice, and has its last label
    labels = [None if RNG.random() < 0.05 else 1 + i % 2 for i in ids]
    if words:
        return {
            "id": [f"c{i}" for i in ids],
            "pred": [x and {1: "yes", 2: "no"}[x] for x in labels],
        }
    return {"id": ids, "pred": labels}


@pytest.mark.parametrize("words", [False, True])
def test_contradicts_agrees_with_its_definition(words):
    seen = set()
    for _ in range(60):
        files = [drawn_file(words) for _ in range(int(RNG.integers(2, 4)))]
        found = contradicts([parse_columns(f) for f in files], "id", "pred")
        assert found is contradicts_by_rows(files)
        seen.add(found)
    assert seen == {False, True}
    assert not contradicts([parse_columns(drawn_file(words))], "id", "pred")
