"""`compare` and `report` say of any file what it is, and what the library says of it."""

import csv
import html
import io
import json
import math
import re
import shlex

import numpy as np
import pytest

import fastcompare as fc
from tests.shared.commandline import as_json, failure, ok, run
from tests.shared.evaluation_logs import LOGS

DATA = fc.load_predictions()

N, RNG = 60, np.random.default_rng(3)
Y = np.arange(N) % 2
MODELS = {name: 0.7 * j * Y + RNG.normal(size=N) for j, name in enumerate("abc")}
ROUNDS = {
    name: np.round(0.8 + 0.02 * j + 0.01 * RNG.normal(size=10), 3) for j, name in enumerate("abc")
}
FORMATS = ("text", "json", "csv", "markdown", "latex", "html")
READING = [LOGS / "inspect" / f"reading_{name}" for name in ("alpha.eval", "beta.eval")]


def write(path, columns):
    """Write a table and return its path."""
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([[*columns], *zip(*columns.values(), strict=True)])
    return path


def strict(result):
    """Return what JSON makes of a result."""
    return json.loads(result.to_json())


def long(columns, row):
    """Return a table with a row for each model and whatever rows are."""
    cells = [(name, i, value) for name, column in columns.items() for i, value in enumerate(column)]
    return dict(zip(("model", row, "score"), zip(*cells, strict=True), strict=True))


@pytest.fixture
def cases(tmp_path):
    return write(tmp_path / "cases.csv", {"y_true": Y, **MODELS})


@pytest.fixture
def rounds(tmp_path):
    return write(tmp_path / "rounds.csv", {"fold": range(10), **ROUNDS})


SIZES = ("--n-train", 90, "--n-test", 10)


@pytest.mark.slow
def test_json_is_what_compare_returns(cases, rounds):
    plain = strict(fc.compare(Y, MODELS, kind="scores"))
    assert but_decisions(as_json("compare", cases, "--kind", "scores")) == but_decisions(plain)
    want = fc.compare({"fold": np.arange(10), **ROUNDS}, n_train=90, n_test=10)
    found = as_json("compare", rounds, *SIZES)
    assert but_decisions(found) == but_decisions(strict(want))
    options = ["--alternative", "greater", "--alpha", 0.1, "--correction", "holm", "--gate"]
    want = fc.compare(
        *(Y, MODELS),
        **{"kind": "scores", "alternative": "greater", "alpha": 0.1},
        **{"correction": "holm", "gate": True},
    )
    found = as_json("compare", cases, "--kind", "scores", *options)
    assert but_decisions(found) == but_decisions(strict(want))


def but_decisions(found):
    """Return all of a result but how its columns were read, which begins differently for a file."""
    return {name: value for name, value in found.items() if name != "decisions"}


def test_text_is_what_print_shows(cases):
    want = fc.compare({"y_true": Y, **MODELS}, kind="scores")
    text = ok("compare", cases, "--kind", "scores")
    assert text.split("Design", 1)[1] == f"{want}\n".split("Design", 1)[1]
    assert text.startswith("- True labels: 'y_true' (the only column with two values; --label")


def test_text_names_options_of_the_command_line(tmp_path):
    rng = np.random.default_rng(0)
    noise = {name: rng.normal(size=N) for name in "abc"}
    file = write(tmp_path / "noise.csv", {"y_true": Y, **noise})
    text = ok("compare", file, "--kind", "scores", "--gate")
    assert "--model chooses" in text
    assert "pairs are not compared (--gate)" in " ".join(text.split())
    assert "=" not in text.replace(" = ", "")


def kinds(folder):
    """Yield files, options, and the kind that must be found."""
    items = {name: (score > 0.5).astype(int) for name, score in MODELS.items()}
    words = {name: np.where(score > 0.3, "yes", "no") for name, score in MODELS.items()}
    yield write(folder / "0.csv", {"y_true": Y, **MODELS}), [], "scores"
    yield write(folder / "1.csv", {"y_true": np.where(Y, "yes", "no"), **words}), [], "labels"
    yield write(folder / "2.csv", {"dataset": range(10), **ROUNDS}), [], "datasets"
    yield write(folder / "3.csv", {"Item": range(N), **items}), [], "items"
    yield write(folder / "4.csv", {"fold": range(10), **ROUNDS}), SIZES, "folds"
    yield write(folder / "5.csv", long(items, "item")), [], "items"
    yield write(folder / "6.csv", long(ROUNDS, "round")), SIZES, "folds"
    yield write(folder / "7.csv", long(ROUNDS, "dataset")), [], "datasets"
    sides = {"model_a": ["x", "y"] * 20, "model_b": ["y", "x"] * 20, "winner": ["model_a"] * 40}
    yield write(folder / "8.csv", sides), [], "battles"
    yield READING[0].parent, ["--task", "reading", "--missing", "drop"], "items"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_files_tell_what_they_hold(tmp_path):
    for path, options, kind in kinds(tmp_path):
        found = run("compare", path, *options, "--format", "json")
        assert found.exit_code in (0, 2), found.exception
        if path.is_file() or found.exit_code == 0:
            assert json.loads(found.stdout)["kind"] == kind, (path, found.stderr)


def test_models_of_battles_are_counted_and_not_the_columns(tmp_path):
    sides = {"model_a": ["x", "y"] * 20, "model_b": ["y", "x"] * 20, "winner": ["model_a"] * 40}
    path = write(tmp_path / "battles.csv", sides)
    assert as_json("compare", path, "--max-pairs", 1)["kind"] == "battles"
    assert "2 models are 1 pairs" in failure("compare", path, "--max-pairs", 0)


def test_logs_are_read_as_by_read_evals():
    runs = fc.read_evals(*READING, cluster="metadata.passage")
    found = as_json("compare", *READING, "--cluster", "metadata.passage")
    assert found == strict(fc.compare(runs))


def test_columns_may_be_chosen_and_name_rows_and_clusters(tmp_path):
    groups = [f"g{i}" for i in np.arange(N) // 3]
    path = write(tmp_path / "more.csv", {"id": range(N), "who": groups, "truth": Y, **MODELS})
    options = ["--label", "truth", "--model", "b", "--model", "a", "--cluster", "who"]
    found = as_json("compare", path, *options, "--kind", "scores")
    chosen = {name: MODELS[name] for name in "ba"}
    want = strict(fc.compare(Y, chosen, kind="scores", groups=groups))
    ways = [each["reasons"].pop() for each in (found, want)]  # in a shell, and in Python
    assert ["--test within-auc" in ways[0], "within_auc_test(" in ways[1]] == [True, True]
    assert but_decisions(found) == but_decisions(want)
    rounds = write(tmp_path / "rows.csv", {"name": range(10), **ROUNDS})
    found = as_json("compare", rounds, "--id", "name", "--kind", "datasets")
    assert found["names"] == list("abc")


@pytest.mark.slow
def test_intervals_and_what_may_be_clusters_of_items(tmp_path):
    right = {name: (score > 0).astype(int) for name, score in MODELS.items()}
    path = write(tmp_path / "items.csv", {"item": range(N), **right, "passage": np.arange(N) // 5})
    warned = as_json("compare", path)
    assert warned["names"] == list("abc")
    assert "12 values of 'passage' in 60 rows" in warned["checks"][0]
    assert "--groups passage" in warned["checks"][0]
    empty = {"item": range(N), **right, "none": [math.nan] * N}
    gaps = write(tmp_path / "gaps.csv", empty)
    assert "Not used: 'none' (empty)." in as_json("compare", gaps)["decisions"]
    level = ["--confidence-level", "0.8"]
    told = ok("compare", path, "--cluster", "passage", *level)
    assert "80% CI" in told
    want = fc.compare(right, kind="items", groups=np.arange(N) // 5)
    assert "".join(want.summary(confidence_level=0.8).split()) in "".join(told.split())
    turned = {name: np.roll([0.1, 0.2, 0.3], j) for j, name in enumerate("abc")}
    alike = write(tmp_path / "d.csv", {"dataset": range(3), **turned})
    assert "no interval" in run("compare", alike, "--gate", *level).stderr
    assert "must be between 0 and 1" in failure("compare", path, "--confidence-level", "2")


@pytest.mark.slow
def test_what_ships_is_compared_without_a_file():
    assert as_json("compare")["kind"] == "scores"
    found = as_json("compare", "--kind", "folds")
    assert found == strict(fc.compare(fc.load_fold_scores()))


ERRORS = {
    "rows": (["rounds.csv", "--id", "a"], "no column contains true labels"),
    "quantity": (["houses.csv"], "models predict, such as 'price'. .*`--label price`"),
    "label": (["cases", "--label", "y_treu"], "Did you mean 'y_true'"),
    "kind": (["cases", "--kind", "score"], "Did you mean 'scores'"),
    "model": (["cases", "--model", "d"], "`--model`"),
    "sizes": (["rounds"], "look like 10 rounds.*`--design kfold`, .*example `--n-train 90 --n-"),
    "cluster": (["cases", "--cluster", "who"], "`--groups`"),
    "missing": ([READING[0], "--missing", "omit"], "`--missing`"),
}


@pytest.mark.parametrize(("arguments", "message"), ERRORS.values(), ids=ERRORS)
def test_errors_are_one_line_and_name_the_choices(arguments, message, tmp_path):
    shares = {name: 1 / (1 + np.exp(-score)) for name, score in MODELS.items()}
    files = {
        "cases": write(tmp_path / "cases.csv", {"y_true": Y, **shares}),
        "rounds": write(tmp_path / "rounds.csv", {"fold": range(10), **ROUNDS}),
        "rounds.csv": write(tmp_path / "rows.csv", ROUNDS),
        "houses.csv": write(tmp_path / "houses.csv", {"price": MODELS["a"] + 0.1, **MODELS}),
    }
    first, *rest = arguments
    assert re.search(message, failure("compare", files.get(first, first), *rest))


def test_one_model_has_its_measure(tmp_path):
    path = write(tmp_path / "one.csv", {"y_true": Y, "a": MODELS["a"]})
    assert as_json("compare", path)["names"] == ["a"]


@pytest.mark.slow
def test_trust_adds_level_and_detectable_difference(rounds, requires_jit):
    found = as_json("compare", rounds, *SIZES, "--trust", "--difference", 0.02)
    result = fc.compare({"fold": np.arange(10), **ROUNDS}, n_train=90, n_test=10)
    want = result.trust(difference=0.02, rng=0)
    whole = {**strict(result), "trust": strict(want)}
    assert but_decisions(found) == but_decisions(whole)
    text = ok("compare", rounds, *SIZES, "--trust")
    after = f"{result}\n\nType I error and power of this comparison\n".split("Design", 1)[1]
    assert text.split("Design", 1)[1].startswith(after)


@pytest.mark.slow
@pytest.mark.parametrize("format", FORMATS)
def test_every_format_holds_models_pairs_and_the_sentence(rounds, format):
    text = ok("compare", rounds, *SIZES, "--format", format)
    if format == "csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        assert [(row["first"], row["second"]) for row in rows] == [
            ("a", "b"),
            ("a", "c"),
            ("b", "c"),
        ]
    elif format == "json":
        assert len(json.loads(text)["pairs"]) == 3
    else:
        assert "mean score" in text
        assert "The 3 models" in " ".join(text.split())


@pytest.mark.slow
def test_report_writes_the_page_of_the_comparison(cases, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("report", cases, "--kind", "scores")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.startswith("fastcompare: note: the page is 'report.html'.\n")
    want = fc.report(fc.compare(Y, MODELS, kind="scores"), tmp_path / "want.html").read_text()
    page = (tmp_path / "report.html").read_text()
    parts = [text.partition("What the answer rests on")[0] for text in (page, want)]
    assert parts[0] == parts[1]
    command = f"fastcompare compare {shlex.quote(str(cases))} --kind scores"
    assert f"<pre><code>{html.escape(command)}</code></pre>" in page
    assert "--model chooses" in page
    assert "--force" in failure("report", cases, "--kind", "scores")
    assert "must end in .html or .htm" in failure("report", cases, "-o", "page.pdf")
    ok("compare", cases, "--kind", "scores", "-o", "same.html")
    assert (tmp_path / "same.html").read_text() == page


def predictions_of(path, rows, scores, label=True):
    """Write the scores of a model's rows of the bundled cases, with an id each."""
    head = "case,score,y_true" if label else "case,score"
    lines = [f"c{j},{scores[j]!r}" + f",{int(DATA.y_true[j])}" * label for j in rows]
    path.write_text("\n".join([head, *lines]) + "\n")
    return path


def test_files_of_one_model_each_are_joined_by_id(tmp_path):
    forest, tree = (DATA.scores[name] for name in ("random_forest", "decision_tree"))
    n = len(forest)
    first = predictions_of(tmp_path / "forest.csv", range(n), forest.tolist())
    shuffled = np.random.default_rng(0).permutation(n).tolist()
    second = predictions_of(tmp_path / "tree.csv", shuffled, tree.tolist(), label=False)
    found = as_json("compare", first, second, "--id", "case", "--kind", "scores")
    assert found["values"] == {
        name: pytest.approx(auc)
        for name, auc in fc.compare(DATA.y_true, {"forest": forest, "tree": tree}).values.items()
    }
    short = predictions_of(tmp_path / "short.csv", shuffled[:-5], tree.tolist())
    said = failure("compare", first, short, "--id", "case")
    assert "5 values of 'case' are not in all files" in said
    kept = run("compare", first, short, "--id", "case", "--missing", "drop")
    rows = " ".join(kept.stdout.split())
    assert f"Rows: {n - 5}, joined by 'case' from 2 files, 5 dropped" in rows
    assert as_json("compare", first, second)["values"] == found["values"]


def test_files_that_disagree_are_not_joined(tmp_path):
    forest = DATA.scores["random_forest"].tolist()
    first = predictions_of(tmp_path / "a.csv", range(9), forest)
    twice = predictions_of(tmp_path / "b.csv", [*range(9), 3], forest)
    assert "line 11: 'case': 'c3' is there twice" in failure(
        "compare", first, twice, "--id", "case"
    )
    other = tmp_path / "c.csv"
    lines = first.read_text().splitlines()
    flipped = [line[:-1] + str(1 - int(line[-1])) for line in lines[1:]]
    other.write_text("\n".join([lines[0], *flipped]))
    said = failure("compare", first, other, "--id", "case")
    assert "'y_true' of case 'c0' is 0 in line 2" in said
    assert "`--id` must be one of" in failure("compare", first, other, "--id", "name")


@pytest.mark.parametrize(
    ("kind", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
@pytest.mark.usefixtures("requires_jit")
def test_pictures_are_written_by_the_extension(kind, begins, tmp_path):
    path = tmp_path / f"x.{kind}"
    assert ok("compare", "--kind", "scores", "--output", path) == ""
    assert path.read_bytes().startswith(begins)
    assert "has no plot" in failure("recommend", "--kind", "scores", "-o", tmp_path / f"y.{kind}")


def test_models_of_the_bundled_data_are_chosen_too():
    chosen = ["--model", "decision_tree", "--model", "random_forest"]
    assert {*as_json("compare", *chosen)["values"]} == {"random_forest", "decision_tree"}
    assert "`--model` must be one of" in failure("compare", "--model", "nobody")
