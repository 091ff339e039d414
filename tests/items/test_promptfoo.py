"""Results of promptfoo are read: providers are models, tests are items."""

import json

import numpy as np
import pytest

import fastcompare as fc
from tests.shared.commandline import run

RNG = np.random.default_rng(3)
RIGHT = {"openai:mini": RNG.integers(0, 2, 30), "local:tiny": RNG.integers(0, 2, 30)}


def results(right=RIGHT, **more):
    """Return what promptfoo writes, tests in another order for each provider."""
    rows = [
        {
            "testIdx": int(test),
            "promptIdx": 0,
            "provider": {"id": provider, "label": ""},
            "prompt": {"raw": f"Is {test} odd?", "label": "Is {{x}} odd?"},
            "vars": {"x": int(test)},
            "success": bool(values[test]),
            "score": int(values[test]),
            "failureReason": 0,
            **more,
        }
        for provider, values in right.items()
        for test in RNG.permutation(len(values))
    ]
    return {"evalId": "eval-1", "results": {"version": 3, "results": rows}, "config": {}}


def written(folder, document):
    """Return the path of a file with a document."""
    path = folder / "results.json"
    path.write_text(json.dumps(document))
    return path


def test_read_evals_joins_providers_by_the_tests_of_promptfoo(tmp_path):
    runs = fc.read_evals(str(written(tmp_path, results())))
    assert [*runs.by_model()] == [*RIGHT]
    order = np.argsort(np.asarray(runs.items, int))
    for name, values in runs.by_model().items():
        assert np.ravel(values)[order].tolist() == RIGHT[name].tolist()


def test_compare_reads_results_of_promptfoo_and_folders_of_them(tmp_path):
    path = written(tmp_path, results())
    found = [json.loads(run("compare", x, "--format", "json").stdout) for x in (path, tmp_path)]
    wanted = fc.paired_mean_test(*RIGHT.values()).pvalue
    assert all(str(wanted) in json.dumps(one) for one in found)


def test_prompts_of_promptfoo_are_models(tmp_path):
    document = results()
    for row in results(promptIdx=1, prompt={"raw": "Odd?", "label": "short"})["results"]["results"]:
        document["results"]["results"].append(row)
    names = [*fc.read_evals(str(written(tmp_path, document))).by_model()]
    assert names == [f"{p}, {label}" for label in ("Is {{x}} odd?", "short") for p in RIGHT]


@pytest.mark.parametrize("provider", [None, {"id": ""}, 3])
def test_promptfoo_without_a_provider_is_refused(tmp_path, provider):
    path = written(tmp_path, results(provider=provider))
    with pytest.raises(ValueError, match="result 1 has no provider"):
        fc.read_evals(str(path))


def test_a_metric_is_asked_for_where_promptfoo_scores_in_parts(tmp_path):
    path = written(tmp_path, results(score=0.25))
    with pytest.raises(ValueError, match=r"'score'.*'success'"):
        fc.read_evals(str(path))
    assert np.ravel(fc.read_evals(str(path), metric="score").scores).tolist() == [0.25] * 60


@pytest.mark.parametrize("keys", [("results",), ("evalId", "config")])
def test_other_documents_with_results_are_no_results_of_promptfoo(tmp_path, keys):
    other = {key: {"results": [{"model": "a", "acc": 1.0}]} for key in keys}
    with pytest.raises(ValueError, match="format"):
        fc.read_evals(str(written(tmp_path, other)))
