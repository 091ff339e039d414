"""Options of `fastcompare compare` are those of the functions; former commands name its call."""

import csv
import io
import json
import re
import shlex

import numpy as np
import pytest
import typer

import fastcompare as fc
from fastcompare._cli.app import app
from fastcompare._cli.flags import SECTIONS
from tests.shared.commandline import TOY, as_json, failure, ok, run

RNG = np.random.default_rng(0)
N = 120
Y = np.arange(N) % 3 == 0
SCORES = {m: np.round((RNG.random(N) + 0.4 * Y) / 1.4, 3) for m in "abc"}
PAIR = {m: SCORES[m] for m in "ab"}
SITE = np.repeat(np.arange(30), 4)
WEIGHT = 1 + np.arange(N) % 2
CALLED = {m: s >= 0.5 for m, s in PAIR.items()}
LOWER = ("--alternative", "less", "--margin", 0.1)
TWO = ("--alternative", "greater", "--margin", 0.1)
EQUAL = ("--alternative", "equivalence", "--margin", 0.2)
DRAWN = {"n_resamples": 499, "rng": 3}
DRAWS = ("--n-resamples", 499, "--seed", 3)
SIZES = {"n_train": 90, "n_test": 10}
ROUNDS = {m: s[:10] for m, s in SCORES.items()}
TWO_ROUNDS = {m: ROUNDS[m] for m in "ab"}
BY_SITE = {"groups": SITE}
GREATER = {"alternative": "greater", "margin": 0.1}
EQUIVALENT = {"alternative": "equivalence", "margin": 0.2}
LABELS = ("--threshold", 0.5)
LOSSES = ("--kind", "probabilities")
FOLDS = ("--kind", "folds", "--n-train", 90, "--n-test", 10)
CASES = {
    "margin": ([*TWO], fc.delong_test, (Y, PAIR), GREATER),
    "margin alone": (["--margin", 0.1], fc.delong_test, (Y, PAIR), GREATER),
    "equivalence": ([*EQUAL], fc.delong_test, (Y, PAIR), EQUIVALENT),
    "clusters": (["--cluster", "site"], fc.delong_test, (Y, PAIR), BY_SITE),
    "weights": (["--weights", "w"], fc.delong_test, (Y, PAIR), {"sample_weight": WEIGHT}),
    "bootstrap": (
        ["--test", "bootstrap", *TWO, *DRAWS, "--cluster", "site"],
        fc.bootstrap_auc_test,
        (Y, PAIR),
        GREATER | DRAWN | BY_SITE,
    ),
    "permutation": (
        ["--test", "permutation", *DRAWS],
        fc.permutation_auc_test,
        (Y, PAIR),
        DRAWN,
    ),
    "labels": (
        [*LABELS, *TWO, "--cluster", "site"],
        fc.mcnemar_test,
        (Y, CALLED),
        GREATER | BY_SITE,
    ),
    "exact labels": (
        [*LABELS, "--method", "exact"],
        fc.mcnemar_test,
        (Y, CALLED),
        {"method": "exact"},
    ),
    "probabilities": (
        [*LOSSES, "--method", "bootstrap", *LOWER, *DRAWS],
        fc.scoring_test,
        (Y, PAIR),
        {"method": "bootstrap", "alternative": "less", "margin": 0.1} | DRAWN,
    ),
    "ranks of losses": (
        [*LOSSES, "--method", "wilcoxon"],
        fc.scoring_test,
        (Y, PAIR),
        {"method": "wilcoxon"},
    ),
    "log loss": (
        ["--rule", "log", "--clip", 0.01],
        fc.scoring_test,
        (Y, PAIR),
        {"rule": "log", "clip": 0.01},
    ),
    "losses of clusters": ([*LOSSES, "--cluster", "site"], fc.scoring_test, (Y, PAIR), BY_SITE),
    "folds": ([*FOLDS, *EQUAL], fc.ttest_corrected, (TWO_ROUNDS,), SIZES | EQUIVALENT),
    "rank test": (
        ["--kind", "datasets", "--test", "sign"],
        fc.sign_test,
        (TWO_ROUNDS,),
        {},
    ),
}


@pytest.fixture
def path(tmp_path):
    """A folder with cases that have clusters and weights, and with rounds."""
    columns = {"site": SITE, "w": WEIGHT, "y": Y * 1, **SCORES}
    rows = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    (tmp_path / "cases.csv").write_text("\n".join([",".join(columns), *rows]))
    rounds = [",".join(map(str, row)) for row in zip(*ROUNDS.values(), strict=True)]
    (tmp_path / "rounds.csv").write_text("\n".join(["a,b,c", *rounds]))
    return tmp_path


def source(path, of_rounds, models="ab"):
    chosen = [word for model in models for word in ("--model", model)]
    return (
        [path / "rounds.csv", *chosen]
        if of_rounds
        else [path / "cases.csv", "--label", "y", *chosen]
    )


@pytest.mark.parametrize(("given", "test", "data", "options"), CASES.values(), ids=CASES)
def test_options_are_those_of_the_functions(path, given, test, data, options):
    found = as_json("compare", *source(path, len(data) == 1), *given)
    want = test(*data, **options)
    assert list(found["tests"]) == [test.__name__]
    result = found["result"]
    assert (result["pvalue"], result["estimate"]) == pytest.approx((want.pvalue, want.estimate))
    (pair,) = found["pairs"]
    assert (pair["model_a"], pair["model_b"]) == ("a", "b")
    if test is not fc.permutation_auc_test:
        low, high = want.confidence_interval()
        assert (pair["low"], pair["high"]) == pytest.approx((low, high))


MANY = {
    "delong": (["--correction", "holm"], fc.delong_pairwise_test, {"correction": "holm"}),
    "mcnemar": ([*LABELS], fc.mcnemar_pairwise_test, {}),
    "scoring": ([*LOSSES, "--alpha", 0.1], fc.scoring_pairwise_test, {}),
    "ttest": ([*FOLDS], fc.ttest_corrected_pairwise_test, SIZES),
    "nemenyi": (["--kind", "datasets", "--alpha", 0.9], fc.nemenyi_test, {"alpha": 0.9}),
    "conover": (["--test", "conover"], fc.conover_test, {}),
    "shaffer": (["--test", "shaffer"], fc.friedman_pairwise_test, {"correction": "shaffer"}),
    "mean": (["--kind", "items"], fc.mean_pairwise_test, {}),
}


@pytest.mark.parametrize(("given", "test", "options"), MANY.values(), ids=MANY)
def test_all_pairs_are_those_of_the_functions(path, given, test, options):
    of_cases = test in (fc.delong_pairwise_test, fc.mcnemar_pairwise_test, fc.scoring_pairwise_test)
    called = {m: s >= 0.5 for m, s in SCORES.items()}
    table = called if test is fc.mcnemar_pairwise_test else SCORES if of_cases else ROUNDS
    found = as_json("compare", *source(path, not of_cases, "abc"), *given)["result"]
    want = test(*([Y, table] if of_cases else [table]), **options)
    for name in ("pvalue", "adjusted_pvalue", "estimate"):
        assert found[name] == pytest.approx(getattr(want, name).tolist())


@pytest.mark.slow
@pytest.mark.parametrize("test", ["holm", "wilcoxon", "sign", "bonferroni-dunn"])
def test_a_control_is_compared_by_the_test_that_is_named(path, test):
    found = as_json(
        "compare",
        *source(path, True, "abc"),
        "--control",
        "b",
        "--test",
        test,
        "--kind",
        "datasets",
    )
    functions = {"wilcoxon": fc.wilcoxon_pairwise_test, "sign": fc.sign_pairwise_test}
    known = {"control": "b"} if test in functions else {"control": "b", "correction": test}
    want = functions.get(test, fc.control_test)(ROUNDS, **known)
    assert found["result"]["adjusted_pvalue"] == pytest.approx(want.adjusted_pvalue.tolist())
    assert [pair["model_a"] for pair in found["pairs"]] == ["b", "b"]


def test_the_level_is_that_of_tables_and_sentences(path):
    options = [*source(path, False), *EQUAL, "--confidence-level", 0.9]
    text = ok("compare", *options)
    assert text.count("80% CI") == 2  # the table and the sentence
    for form in ("csv", "markdown", "latex"):
        assert "0." in ok("compare", *options, "--format", form)


def test_one_model_has_its_measure(path):
    found = as_json("compare", path / "cases.csv", "--label", "y", "--model", "a")
    want = fc.roc_auc_interval(Y, SCORES["a"])
    assert found["models"] == [{"name": "a", "value": pytest.approx(want.estimate)}]
    assert found["pairs"] == []
    assert "0." in ok("compare", path / "cases.csv", "--label", "y", "--model", "a", *LABELS)


def test_several_outputs_are_written_in_one_run(path):
    files = [path / name for name in ("t.txt", "t.json", "t.tex", "t.csv")]
    outputs = [word for file in files for word in ("-o", file)]
    assert ok("compare", *source(path, False), *outputs) == ""
    assert json.loads(files[1].read_text())["kind"] == "scores"
    assert files[0].read_text() == ok("compare", *source(path, False))
    assert "toprule" in files[2].read_text()
    assert len(list(csv.DictReader(io.StringIO(files[3].read_text())))) >= 1
    assert "--force" in failure("compare", *source(path, False), *outputs)
    twice = ["-o", path / "u.txt", "-o", path / "u.txt"]
    assert "names a file twice" in failure("compare", *source(path, False), *twice)
    assert "-o page.html" in failure("compare", "--title", "Verdict")


@pytest.mark.slow
def test_a_page_has_the_title_that_is_given(path):
    pytest.importorskip("jinja2")
    ok("compare", *source(path, False), "--title", "A <title>", "-o", path / "p.html")
    assert "A &lt;title&gt;" in (path / "p.html").read_text()
    ok("report", *source(path, False), "--title", "Another", "-o", path / "q.html")
    assert "Another" in (path / "q.html").read_text()


GATES = [("worse", ()), ("not-better", ()), ("not-noninferior", ("--margin", 0.3))]


@pytest.mark.parametrize("models", ["ab", "abc"])
@pytest.mark.parametrize(("gate", "margin"), GATES)
def test_a_gate_for_predictions_has_the_exit_status_of_one_for_logs(path, gate, margin, models):
    of_two = {"margin": 0.3} if margin and models == "ab" else {}
    result = fc.compare(Y, {m: SCORES[m] for m in models}, kind="scores", **of_two)
    want = result.gate(gate, margin=margin[1] if margin else 0.0)
    done = run("compare", *source(path, False, models), *margin, "--fail-if", gate)
    assert done.exit_code == (0 if want.passed else 3)
    said = "passed" if want.passed else "failed"
    assert f"fastcompare: {said}: {want.summary()}\n" in done.stderr
    assert done.stdout


def test_a_candidate_is_judged_by_name():
    done = run("compare", "--fail-if", "worse", "--candidate", "decision_tree")
    assert done.exit_code == 3
    assert "failed: 'decision_tree' is worse than 'logistic_regression'" in done.stderr


ERRORS = {
    "margin of three": (["--margin", 0.1], "`--margin` is about two models, not 3"),
    "no margin": (EQUAL[:2], "`--alternative equivalence` is about two models, not 3"),
    "a cluster": (["--cluster", "sit"], "`--groups` must be one of"),
    "weights": (["--weights", "x"], "`--weights` must be one of"),
    "test": (["--test", "delogn"], "`--test` must be one of 'delong'.*Did you mean 'delong'"),
    "another kind": (["--test", "nemenyi"], "`--test` must be one of|datasets"),
    "draws": (["--n-resamples", 9], "`--n-resamples` has no meaning"),
    "gate": (["--fail-if", "not-noninferior"], "needs `--margin`"),
    "gate of one": (["--fail-if", "worse", "--model", "a"], "confidence intervals of differences"),
}


@pytest.mark.parametrize(("options", "message"), ERRORS.values(), ids=ERRORS)
def test_what_does_not_go_together_is_refused(path, options, message):
    models = [] if "--model" in options else ["--model", "a", "--model", "b", "--model", "c"]
    said = run("compare", path / "cases.csv", "--label", "y", "--kind", "scores", *models, *options)
    assert said.exit_code == 2
    assert re.search(message, said.stderr), said.stderr


FORMER = {
    "auc": "auc {cases} --label y --score a --score b --method delong --cluster site",
    "labels": "labels {cases} --label=y --prediction a --prediction b --threshold .5",
    "probabilities": "probabilities {cases} --label y --probability a --probability b --rule log",
    "folds": "folds {rounds} --model a --model c --n-train 90 --n-test 10",
    "datasets": "datasets {rounds} --score a --score b --score c --posthoc shaffer",
    "bundled": "labels",
}


@pytest.mark.parametrize("line", FORMER.values(), ids=FORMER)
def test_a_former_command_prints_the_call_that_replaces_it(path, line):
    files = {"cases": path / "cases.csv", "rounds": path / "rounds.csv"}
    message = failure(*shlex.split(line.format(**files)))
    command, *arguments = shlex.split(message.partition(" now: ")[2])
    assert command == "fastcompare"
    assert arguments[0] == "compare"
    assert ok(*arguments)  # what is pasted answers


def test_help_lists_the_commonest_options_first_and_the_others_in_groups():
    shown = ok("compare", "--help")
    places = [shown.index(f"{title}:\n") for title in SECTIONS]
    assert places == sorted(places)
    assert next(iter(SECTIONS)) == "Common options"
    assert len(SECTIONS["Common options"]) == 8
    command = typer.main.get_command(app).commands["compare"]
    listed = [name for names in SECTIONS.values() for name in names]
    assert {p.name for p in command.params} <= {*listed}
    assert len({*listed}) == len(listed)


@pytest.mark.parametrize("command", ["compare", "evals"])
def test_more_pairs_than_are_allowed_are_refused_with_their_cost(tmp_path, command):
    (tmp_path / "toy.csv").write_text(TOY.replace("y,", "y_true,", 1))
    if command == "evals":
        rows = [f"{model},{i},{i % 2}" for model in "abc" for i in range(9)]
        (tmp_path / "toy.csv").write_text("\n".join(["model,item,score", *rows]))
    kind = ["--kind", "scores"] if command == "compare" else []
    message = failure(command, tmp_path / "toy.csv", *kind, "--max-pairs", 2)
    assert re.search("3 models are 3 pairs, which take some 0 s and 0 MB", message)
    (allowed,) = re.findall("`--max-pairs (.)`", message)
    found = as_json(command, tmp_path / "toy.csv", *kind, "--max-pairs", allowed)
    assert len(found["pairs"]) == int(allowed)


@pytest.mark.slow
def test_options_mean_the_same_in_every_command():
    told = {}
    for command in typer.main.get_command(app).commands.values():
        for parameter in command.params:
            for name in parameter.opts:
                if name.startswith("--"):
                    told.setdefault(name, set()).add(parameter.help)
    several = {name: sorted(helps) for name, helps in told.items() if len(helps) > 1}
    assert several.keys() <= OWN_WORDS, several


OWN_WORDS = {  # what they choose depends on the command
    *("--model", "--correction", "--alternative", "--margin", "--test", "--candidate"),
    *("--id", "--kind", "--n", "--output", "--score", "--label", "--lower-is-better"),
}
