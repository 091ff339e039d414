"""The roles of columns: what a table holds, by its values, names and relations."""

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc
from tests.shared.commandline import as_json

RNG = np.random.default_rng(45)
N = 80
Y = RNG.integers(0, 2, N)
OLD, NEW = ((1 / (1 + np.exp(-RNG.normal(size=N) - k * Y))).round(4) for k in (1, 2))
SCORES = {"old": OLD, "new": NEW}
NAMES = [
    "diseased",
    "churned",
    "toxic",
    "relapse",
    "outcome",
    "fraud",
    "y",
    "xyz",
    "clicked",
    "sepsis",
]


def as_file(path, frame):
    path.write_text(pd.DataFrame(frame).to_csv(index=False))
    return path


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "words", [(0, 1), ("no", "yes"), ("benign", "malignant"), ("control", "AD")]
)
def test_the_only_column_of_two_values_is_the_truth_through_both_doors(tmp_path, name, words):
    frame = pd.DataFrame({"case": [f"c{j}" for j in range(N)], name: np.array(words)[Y], **SCORES})
    assert fc.compare(frame).result.pvalue == fc.delong_test(Y, OLD, NEW).pvalue
    found = as_json("compare", as_file(tmp_path / "a.csv", frame))
    assert found["result"]["pvalue"] == fc.delong_test(Y, OLD, NEW).pvalue
    assert found["decisions"][0].startswith(f"True labels: {name!r} (the only column")


def test_files_without_common_ids_are_unpaired(tmp_path):
    first = {"id": range(50), "ill": Y[:50], "score": OLD[:50]}
    second = {"id": range(100, 130), "ill": Y[50:], "score": NEW[50:]}
    paths = [as_file(tmp_path / f"{n}.csv", x) for n, x in (("one", first), ("two", second))]
    found = as_json("compare", *paths)
    want = fc.delong_unpaired_test(Y[:50], OLD[:50], Y[50:], NEW[50:])
    assert found["names"] == ["one", "two"]
    assert found["result"]["pvalue"] == want.pvalue


@pytest.mark.parametrize("digits", [2, 3, 5])
def test_columns_that_sum_to_one_are_probabilities_of_classes(tmp_path, digits):
    classes = np.array(["cat", "dog", "owl"])
    y = RNG.integers(0, 3, N)
    p, q = (RNG.dirichlet([1, 1, 1], N).round(digits) for _ in "pq")
    frame = {"label": classes[y]}
    for model, table in (("a", p), ("b", q)):
        frame |= {f"{model}_{c}": table[:, j] for j, c in enumerate(classes)}
    want = fc.multiclass_auc_test(classes[y], p, q)
    assert fc.compare(pd.DataFrame(frame)).result.pvalue == want.pvalue
    found = as_json("compare", as_file(tmp_path / "a.csv", frame))
    assert found["result"]["pvalue"] == want.pvalue


def test_a_quantity_as_the_truth_compares_squared_errors():
    y = RNG.normal(size=N)
    a, b = y + RNG.normal(size=N), y + 0.5 * RNG.normal(size=N)
    found = fc.compare(pd.DataFrame({"y_true": y, "a": a, "b": b}))
    assert found.result.pvalue == fc.paired_mean_test((a - y) ** 2, (b - y) ** 2).pvalue
    assert found.models[0].name == "b"


@pytest.mark.parametrize("form", ["arrays", "table", "two"])
def test_arrays_of_a_quantity_compare_squared_errors(form):
    y = RNG.normal(size=N)
    a, b = y + RNG.normal(size=N), y + 0.5 * RNG.normal(size=N)
    models = {"arrays": ({"a": a, "b": b},), "table": (np.stack([a, b], axis=1),), "two": (a, b)}
    found = fc.compare(y, *models[form])
    assert found.result.pvalue == fc.paired_mean_test((a - y) ** 2, (b - y) ** 2).pvalue
    assert found.quantity == "mean squared error"
    assert not found.higher_is_better


def test_a_quantity_and_its_predictions_have_the_same_index():
    y = pd.Series(RNG.normal(size=N))
    models = pd.DataFrame({"a": y + 1.0, "b": y - RNG.normal(size=N)})
    with pytest.raises(ValueError, match="different indexes"):
        fc.compare(y, models[::-1])


@pytest.mark.parametrize("truth", [np.arange(N) % 3 / 2, np.arange(N) % 7 * 1.0])
def test_few_fractions_or_whole_numbers_are_no_quantity(truth):
    with pytest.raises(ValueError, match="`kind` must be specified"):
        fc.compare(truth, {"a": RNG.normal(size=N), "b": RNG.normal(size=N)})


def test_repeated_units_are_a_warning_in_the_result():
    frame = pd.DataFrame({"patient_id": np.arange(N) // 2, "ill": Y, **SCORES})
    found = fc.compare(frame)
    assert "groups='patient_id'" in found.checks[0]
    assert "groups='patient_id'" in found.summary()
    assert fc.compare(frame, groups="patient_id").design == "clusters"


def test_a_fold_column_warns_and_its_option_compares_aucs_of_folds():
    frame = pd.DataFrame({"ill": Y, "fold": np.arange(N) % 5, **SCORES})
    assert "kind='folds'" in fc.compare(frame).checks[0]
    assert fc.compare(frame, kind="folds").quantity == "mean AUC"


def test_compare_says_which_claim_several_runs_of_each_model_support():
    """The fitted models alone are compared, not what another seed would train."""
    scores = {f"{model}_seed{j}": RNG.normal(size=N) for model in ("cnn", "vit") for j in range(2)}
    runs_of_both = fc.compare(pd.DataFrame({"ill": Y, **scores}))
    assert runs_of_both.checks[0].startswith("'cnn' and 'vit' have several runs each")
    one_each = {name: scores[name] for name in ("cnn_seed0", "vit_seed1")}
    assert "seeds.md" not in str(fc.compare(pd.DataFrame({"ill": Y, **one_each})).checks)
