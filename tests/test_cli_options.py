"""Margins, clusters, weights and draws of the command line are those of the functions."""

import re

import numpy as np
import pytest
import typer

import fastcompare as fc
from fastcompare._cli.app import app

from .commandline import TOY, as_json, failure, ok

RNG = np.random.default_rng(0)
N = 120
Y = np.arange(N) % 3 == 0
SCORES = {m: np.round((RNG.random(N) + 0.4 * Y) / 1.4, 3) for m in "ab"}
SITE = np.repeat(np.arange(30), 4)
WEIGHT = 1 + np.arange(N) % 2
CALLED = {m: s >= 0.5 for m, s in SCORES.items()}
PAIR = ("--label", "y", "--score", "a", "--score", "b")
TWO = ("--alternative", "greater", "--margin", 0.1)
LOWER = ("--alternative", "less", "--margin", 0.1)
EQUAL = ("--alternative", "equivalence", "--margin", 0.2)
DRAWN = {"n_resamples": 499, "rng": 3}
DRAWS = ("--n-resamples", 499, "--seed", 3)
SIZES = {"n_train": 90, "n_test": 10}
ROUNDS = {m: s[:10] for m, s in SCORES.items()}
BY_SITE = {"groups": SITE}
GREATER = {"alternative": "greater", "margin": 0.1}
EQUIVALENT = {"alternative": "equivalence", "margin": 0.2}
CASES = {
    "margin": (["auc", *TWO], fc.delong_test, (Y, SCORES), GREATER),
    "equivalence": (["auc", *EQUAL], fc.delong_test, (Y, SCORES), EQUIVALENT),
    "clusters": (["auc", "--cluster", "site"], fc.delong_test, (Y, SCORES), BY_SITE),
    "weights": (["auc", "--weights", "w"], fc.delong_test, (Y, SCORES), {"sample_weight": WEIGHT}),
    "bootstrap": (
        ["auc", "--method", "bootstrap", *TWO, *DRAWS, "--cluster", "site"],
        fc.bootstrap_auc_test,
        (Y, SCORES),
        GREATER | DRAWN | BY_SITE,
    ),
    "permutation": (
        ["auc", "--method", "permutation", *DRAWS],
        fc.permutation_auc_test,
        (Y, SCORES),
        DRAWN,
    ),
    "labels": (
        ["labels", "--threshold", 0.5, *TWO, "--cluster", "site"],
        fc.mcnemar_test,
        (Y, CALLED),
        GREATER | BY_SITE,
    ),
    "labels of clusters": (
        ["labels", "--threshold", 0.5, "--cluster", "site"],
        fc.mcnemar_test,
        (Y, CALLED),
        BY_SITE,
    ),
    "probabilities": (
        ["probabilities", "--method", "bootstrap", *LOWER, *DRAWS],
        fc.scoring_test,
        (Y, SCORES),
        {"method": "bootstrap", "alternative": "less", "margin": 0.1} | DRAWN,
    ),
    "ranks of losses": (
        ["probabilities", "--method", "wilcoxon"],
        fc.scoring_test,
        (Y, SCORES),
        {"method": "wilcoxon"},
    ),
    "losses of clusters": (
        ["probabilities", "--cluster", "site"],
        fc.scoring_test,
        (Y, SCORES),
        BY_SITE,
    ),
    "folds": (
        ["folds", "--n-train", 90, "--n-test", 10, *EQUAL],
        fc.ttest_corrected,
        (ROUNDS,),
        SIZES | EQUIVALENT,
    ),
}


@pytest.fixture
def path(tmp_path):
    """A file with the cases, with clusters and weights, and one with rounds."""
    columns = {"site": SITE, "w": WEIGHT, "y": Y * 1, **SCORES}
    rows = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    (tmp_path / "cases.csv").write_text("\n".join([",".join(columns), *rows]))
    rounds = [f"{a},{b}" for a, b in zip(*ROUNDS.values(), strict=True)]
    (tmp_path / "rounds.csv").write_text("\n".join(["a,b", *rounds]))
    return tmp_path


@pytest.mark.parametrize(("arguments", "test", "data", "options"), CASES.values(), ids=CASES)
def test_options_are_those_of_the_functions(path, arguments, test, data, options):
    command, *given = arguments
    option = {"labels": "--prediction", "probabilities": "--probability"}.get(command, "--score")
    chosen = ["--label", "y", option, "a", option, "b"]
    source = [path / "rounds.csv"] if command == "folds" else [path / "cases.csv", *chosen]
    found = as_json(command, *source, *given)
    want = test(*data, **options)
    (pair,) = found["pairs"]
    assert (pair["first"], pair["second"]) == ("a", "b")
    assert (pair["pvalue"], pair["difference"]) == pytest.approx((want.pvalue, want.estimate))
    if test is not fc.permutation_auc_test:
        level = {} if found["confidence_level"] == 0.95 else {"confidence_level": 0.9}
        low, high = want.confidence_interval(**level)
        assert (pair["ci_low"], pair["ci_high"]) == pytest.approx((low, high))


@pytest.mark.slow
def test_the_interval_of_a_margin_has_the_level_that_is_told(path):
    options = [path / "cases.csv", *PAIR, *EQUAL]
    text = ok("auc", *options, "--confidence-level", 0.9)
    assert text.count("80% CI") == 2  # the table and the sentence
    (pair,) = as_json("auc", *options, "--confidence-level", 0.9)["pairs"]
    low, high = fc.delong_test(Y, SCORES, **EQUIVALENT).confidence_interval(0.9)
    assert (pair["ci_low"], pair["ci_high"]) == (low, high)
    for form in ("csv", "markdown", "latex", "html"):
        assert "0." in ok("auc", *options, "--format", form)


def test_accuracies_of_clusters_have_their_intervals(path):
    options = ("--label", "y", "--prediction", "a", "--prediction", "b", "--threshold", 0.5)
    found = as_json("labels", path / "cases.csv", *options, "--cluster", "site")
    right = CALLED["a"] == Y
    want = fc.accuracy_interval(correct=right, groups=SITE).confidence_interval()
    assert (found["models"][0]["ci_low"], found["models"][0]["ci_high"]) == pytest.approx(want)


ERRORS = {
    "three models": (
        ["auc", "--label", "y", *TWO],
        "`--margin` is about two models, not 3: .*score",
    ),
    "no direction": (
        ["auc", *PAIR, "--margin", 0.1],
        "`--margin` needs a direction: choose `--alternative` 'greater'",
    ),
    "no margin": (["auc", "--label", "y", *EQUAL[:2]], "`--alternative equivalence` is about two"),
    "three labels": (
        ["labels", "--label", "y", "--threshold", 0.5, *EQUAL],
        "`--margin` is about two models, not 3: .* `--prediction`",
    ),
    "a cluster": (["auc", "--label", "y", "--cluster", "sit"], "`--groups` must be one of"),
    "weights": (["auc", "--label", "y", "--weights", "x"], "`--weights` must be one of"),
    "method": (["auc", "--label", "y", "--method", "delogn"], "Did you mean 'delong'"),
    "weighted draws": (
        [
            "auc",
            "--label",
            "y",
            "--score",
            "a",
            "--score",
            "b",
            "--weights",
            "c",
            "--method",
            "bootstrap",
        ],
        "`--weights` needs `--method delong`",
    ),
    "exchanges": (
        ["auc", *PAIR, "--method", "permutation", *TWO],
        "`--margin` cannot be combined with `--method permutation`",
    ),
}


@pytest.mark.parametrize(("arguments", "message"), ERRORS.values(), ids=ERRORS)
def test_what_does_not_go_together_is_refused(tmp_path, arguments, message):
    (tmp_path / "toy.csv").write_text(TOY)
    command, *options = arguments
    assert re.search(message, failure(command, tmp_path / "toy.csv", *options))


MODELS = ("--model", "a", "--model", "b", "--model", "c")


@pytest.mark.parametrize(
    "command", ["auc", "labels", "probabilities", "folds", "datasets", "compare", "evals"]
)
def test_more_pairs_than_are_allowed_are_refused_with_their_cost(tmp_path, command):
    head, *rows = TOY.splitlines()
    (tmp_path / "toy.csv").write_text("\n".join([head, *rows]).replace("y,", "y_true,", 1))
    own = {
        "labels": ("--threshold", 0.5),
        "folds": (
            "--n-train",
            90,
            "--n-test",
            10,
            *(["--model", "a", "--model", "b", "--model", "c"]),
        ),
        "datasets": ("--alpha", 0.99, "--id", "row"),
        "compare": ("--kind", "scores"),
    }
    if command == "datasets":
        rows = [f"{i},{row}" for i, row in enumerate(rows)]
        (tmp_path / "toy.csv").write_text("\n".join([f"row,{head}", *rows]))
    if command == "evals":
        rows = [f"{model},{i},{i % 2}" for model in "abc" for i in range(9)]
        (tmp_path / "toy.csv").write_text("\n".join(["model,item,score", *rows]))
    options = [tmp_path / "toy.csv", *own.get(command, ())]
    message = failure(command, *options, "--max-pairs", 2)
    assert re.search("[34] models are [36] pairs, which take some 0 s and 0 MB", message)
    (allowed,) = re.findall("`--max-pairs (.)`", message)
    assert len(as_json(command, *options, "--max-pairs", allowed)["pairs"]) == int(allowed)


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


OWN_WORDS = {  # what they choose depends on the command: say, --method the ways of its own test
    *(
        "--model",
        "--method",
        "--correction",
        "--alternative",
        "--id",
        "--kind",
        "--n",
        "--nan-policy",
        "--output",
        "--score",
    ),
}
