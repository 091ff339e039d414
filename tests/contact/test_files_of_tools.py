"""Several files as tools write them: each is a model's, and they are joined by the cases."""

import json

import numpy as np
import pandas as pd
import pytest

from .doors import by_command, ways_of_command

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(21)
N = 40
CASES = [f"What is {i} + {i}?" for i in range(N)]
RIGHT = {name: RNG.integers(0, 2, N) for name in ("gpt", "haiku")}
TIME = RNG.uniform(1, 3, N).round(3)


def runs(**more):
    """Return a table of each model's run, with ids of its own and these columns by model."""
    return {
        name: pd.DataFrame({"input": CASES})
        .assign(id=[f"{name}-{i:03d}" for i in range(N)], **{n: x[name] for n, x in more.items()})
        .iloc[:: 1 if name == "gpt" else -1]
        for name in RIGHT
    }


def written(folder, tables, suffix=".csv"):
    """Return the paths of tables that are written to files."""
    paths = [folder / f"{name}{suffix}" for name in tables]
    for path, table in zip(paths, tables.values(), strict=True):
        table.to_csv(path, index=False)
    return paths


def test_runs_are_joined_by_the_cases_and_not_stacked(tmp_path):
    shares = {name: RNG.random(N).round(3) for name in RIGHT}
    times = {name: TIME * (1 + (name == "gpt")) for name in RIGHT}
    paths = written(tmp_path, runs(factuality=shares, latency=times))
    found, said = by_command(paths, "--kind", "items")
    assert found is not None, said
    assert [name.partition(":")[0] for name in found["names"]] == ["gpt", "haiku"]
    assert found["values"]["gpt"] == pytest.approx(shares["gpt"].mean())


def test_several_scores_of_each_file_are_asked_about(tmp_path):
    tables = runs(**{name: dict(zip(RIGHT, RNG.random((2, N)), strict=True)) for name in "ab"})
    paths = written(tmp_path, tables)
    found, said = by_command(paths)
    assert found is None
    assert "which column has the scores? Each file has 'a' and 'b' of its own" in said
    assert all(by_command(paths, *way)[0] is not None for way in ways_of_command(said))


def test_answers_that_differ_between_files_are_no_true_labels(tmp_path):
    tables = runs(correctness=RIGHT, execution_time=dict.fromkeys(RIGHT, TIME))
    found, said = by_command(written(tmp_path, tables), "--kind", "items")
    assert found is not None, said
    assert found["values"]["haiku"] == pytest.approx(RIGHT["haiku"].mean())


def test_true_labels_that_differ_between_files_are_an_error(tmp_path):
    found, said = by_command(
        written(tmp_path, runs(outcome=RIGHT, y_proba=dict.fromkeys(RIGHT, TIME / 4)))
    )
    assert found is None
    assert "files contradict each other" in said


def test_objects_by_instance_are_rows(tmp_path):
    paths = [tmp_path / f"{name}.json" for name in RIGHT]
    for path, right in zip(paths, RIGHT.values(), strict=True):
        rows = {f"repo-{i}": {"applied": True, "resolved": bool(x)} for i, x in enumerate(right)}
        path.write_text(json.dumps(rows))
    found, said = by_command(paths)
    assert found is not None, said
    assert found["names"] == ["gpt", "haiku"]


def test_objects_of_columns_stay_columns(tmp_path):
    path = tmp_path / "table.json"
    table = pd.DataFrame({"y": RIGHT["gpt"], "a": RNG.random(N), "b": RNG.random(N)})
    path.write_text(table.to_json())
    found, said = by_command([path])
    assert found is not None, said
    assert found["names"] == ["a", "b"]


def eval_lines(run, metrics=("map", "P_10")):
    """Return what trec_eval prints by query and for all queries."""
    rows = [(m, q, x) for q in range(301, 331) for m, x in zip(metrics, RNG.random(2), strict=True)]
    rows += [("runid", "all", run), *((m, "all", 0.5) for m in metrics)]
    return "".join(f"{m:<22}\t{q}\t{x if isinstance(x, str) else f'{x:.4f}'}\n" for m, q, x in rows)


def test_runs_of_trec_eval_are_compared_by_the_chosen_metric(tmp_path):
    paths = [tmp_path / f"{run}.eval" for run in ("bm25", "splade")]
    for path in paths:
        path.write_text(eval_lines(path.stem))
    found, said = by_command(paths)
    assert found is None
    assert "--metric map" in said
    found, said = by_command(paths, "--metric", "map")
    assert found is not None, said
    assert found["names"] == ["bm25", "splade"]
    assert "Rows: items" in " ".join(found["decisions"])


@pytest.mark.parametrize("metric", ["accuracy", "height"])
def test_three_columns_between_tabs_are_no_runs_of_trec_eval(tmp_path, metric):
    path = tmp_path / "table.tsv"
    lines = [f"{metric}\t{i}\t{x:.3f}" for i, x in enumerate(RNG.random(N))]
    path.write_text("\n".join(lines))
    assert "'system'" not in by_command([path])[1]


def test_a_line_of_trec_eval_without_a_number_is_named(tmp_path):
    path = tmp_path / "run.eval"
    path.write_text(eval_lines("run") * 60 + "map\tq\t-\n")
    assert "must have a metric, a query and a number" in by_command([path])[1]


def test_latex_in_a_cell_is_no_table_in_latex(tmp_path):
    path = tmp_path / "answers.csv"
    rows = [f"{i},\\begin{{tabular}},{i % 2},{(i * 7) % 2}" for i in range(30)]
    path.write_text("\n".join(["id,answer,gpt,llama", *rows]))
    assert "LaTeX" not in by_command([path])[1]
