"""What `compare` says of a test is what the function of that test says, for every kind of data."""

import csv
import json
import warnings

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._results.samples import sample_sentence
from fastcompare.advice.data import with_names
from tests.shared.commandline import ok

N, RNG = 60, np.random.default_rng(11)
Y = np.arange(N) % 2
NAMES = ("old", "new", "third")
SCORES = dict(zip(NAMES, np.round(0.5 * Y + RNG.normal(size=(3, N)), 3), strict=True))
LABELS = {name: (x > 0.5).astype(int) for name, x in SCORES.items()}
PROBABILITIES = {name: np.round(1.0 / (1.0 + np.exp(-x)), 4) for name, x in SCORES.items()}
ROUNDS = {name: np.round(0.8 + 0.02 * RNG.normal(size=10), 3) for name in NAMES}
TIME, EVENT = np.round(1.0 + np.exp(-RNG.normal(size=N)), 3), np.arange(N) % 30 > 0
TIMES = np.array([*zip(EVENT, TIME, strict=True)], dtype=[("event", bool), ("time", float)])
CLASS = np.arange(N) % 3
CLASSES = {x: RNG.dirichlet(np.ones(3), N) * 0.7 + 0.3 * np.eye(3)[CLASS] for x in ("old", "new")}
STUDY = RNG.normal(size=(3, 4, N)) + Y * np.array([0.5, 1.0, 0.8])[:, None, None]
READ = fc.reader_study(STUDY, truth=Y, on_undefined="ignore")
APART = {"old": (Y, SCORES["old"]), "new": (Y[:40], SCORES["new"][:40])}
BATTLES = [
    ("p", "q", "model_a"),
    ("q", "r", "model_b"),
    ("r", "p", "tie"),
    ("q", "p", "model_b"),
] * 9
SIZES = {"n_train": 90, "n_test": 10}
DRAWN = {"n_resamples": 99, "rng": 0}
ITEMS, SETS = {"kind": "items"}, {"kind": "datasets"}


def two(columns):
    return {name: columns[name] for name in ("old", "new")}


def one(columns):
    return {"old": columns["old"]}


# the arguments of `compare`, those of the function, and options of both
TESTS = {
    "delong_omnibus_test": ((Y, SCORES), (Y, SCORES), {}),
    "delong_pairwise_test": ((Y, SCORES), (Y, SCORES), {}),
    "delong_control_test": ((Y, SCORES), (Y, SCORES), {"control": "old"}),
    "roc_auc_interval": ((Y, one(SCORES)), (Y, SCORES["old"]), {}),
    "bootstrap_auc_test": ((Y, two(SCORES)), (Y, two(SCORES)), DRAWN),
    "permutation_auc_test": ((Y, two(SCORES)), (Y, two(SCORES)), DRAWN),
    "partial_auc_test": ((Y, two(SCORES)), (Y, two(SCORES)), DRAWN),
    "cochran_q_test": ((Y, LABELS), (Y, LABELS), {}),
    "mcnemar_pairwise_test": ((Y, LABELS), (Y, LABELS), {}),
    "accuracy_interval": ((Y, one(LABELS)), (Y, LABELS["old"]), {}),
    "cohen_kappa_test": ((Y, two(LABELS)), (Y, two(LABELS)), {}),
    "bowker_test": ((Y, two(LABELS)), [*two(LABELS).values()], {}),
    "stuart_maxwell_test": ((Y, two(LABELS)), [*two(LABELS).values()], {}),
    "two_proportions_test": ((Y, two(LABELS)), (Y, two(LABELS)), {}),
    "scoring_pairwise_test": ((Y, PROBABILITIES), (Y, PROBABILITIES), {}),
    "scoring_interval": ((Y, one(PROBABILITIES)), (Y, PROBABILITIES["old"]), {}),
    "ttest_corrected_pairwise_test": ((ROUNDS,), (ROUNDS,), SIZES),
    "bayes_correlated_ttest": ((two(ROUNDS),), (two(ROUNDS),), SIZES),
    "nemenyi_test": ((ROUNDS,), (ROUNDS,), {}),
    "control_test": ((ROUNDS,), (ROUNDS,), {"control": "old"}),
    "quade_test": ((ROUNDS,), (ROUNDS,), {}),
    "wilcoxon_pairwise_test": ((ROUNDS,), (ROUNDS,), {}),
    "bayes_sign": ((two(ROUNDS),), (two(ROUNDS),), {}),
    "mean_omnibus_test": ((SCORES,), (SCORES,), {}),
    "mean_pairwise_test": ((SCORES,), (SCORES,), {}),
    "mean_interval": ((one(SCORES),), (one(SCORES),), {}),
    "concordance_omnibus_test": ((TIMES, SCORES), (TIME, EVENT, SCORES), {}),
    "concordance_pairwise_test": ((TIMES, SCORES), (TIME, EVENT, SCORES), {}),
    "concordance_interval": ((TIMES, one(SCORES)), (TIME, EVENT, SCORES["old"]), {}),
    "permutation_survival_test": ((TIMES, two(SCORES)), (TIME, EVENT, two(SCORES)), DRAWN),
    "multiclass_auc_test": ((CLASS, CLASSES), (CLASS, CLASSES), {}),
    "multiclass_auc": ((CLASS, one(CLASSES)), (CLASS, CLASSES["old"]), {}),
    "delong_unpaired_test": ((APART,), [*APART["old"], *APART["new"]], {}),
    "reader_study_test": ((STUDY, Y), (READ,), {}),
    "reader_study_pairwise_test": ((STUDY, Y), (READ,), {}),
    "bradley_terry": ((BATTLES,), [*zip(*BATTLES, strict=True)], {}),
}
KINDS = {  # where values do not tell it, or another test than the usual one is wanted
    **dict.fromkeys([*TESTS][:7], "scores"),
    **dict.fromkeys([*TESTS][7:14], "labels"),
    **dict.fromkeys([*TESTS][14:16], "probabilities"),
    **dict.fromkeys([*TESTS][16:18], "folds"),
    **dict.fromkeys([*TESTS][18:23], "datasets"),
    **dict.fromkeys([*TESTS][23:26], "items"),
    **dict.fromkeys(("reader_study_test", "reader_study_pairwise_test"), "readers"),
}
CHOSEN = ("bootstrap_auc_test", "permutation_auc_test", "partial_auc_test", "cohen_kappa_test")
CHOSEN += ("bowker_test", "stuart_maxwell_test", "two_proportions_test", "bayes_correlated_ttest")
CHOSEN += ("quade_test", "wilcoxon_pairwise_test", "bayes_sign", "permutation_survival_test")


@pytest.mark.parametrize("name", TESTS)
def test_compare_says_what_the_function_of_the_test_says(name):
    compared, direct, options = TESTS[name]
    asked = {"test": name} if name in CHOSEN else {}
    with warnings.catch_warnings(action="ignore"):
        comparison = fc.compare(*compared, kind=KINDS.get(name), **options, **asked)
        known = options if name != "multiclass_auc_test" else {"classes": [0, 1, 2]}
        result = getattr(fc, name)(*direct, **known)
        result = result.pairwise() if name == "bradley_terry" else result
    if np.size(getattr(result, "names", ())) == len(comparison.names) < 3:
        result = with_names(result, comparison.names)  # which arrays do not have
    sample = sample_sentence(result)
    sample = getattr(result, "_sample_sentence", sample)  # which the omnibus test has, too
    sentence = result.summary().removesuffix(sample).strip()
    assert sentence
    assert sentence in comparison.summary()
    if sample in result.summary() and name != "wilcoxon_pairwise_test":  # which counts rows
        counted = [word for word in sample.split() if word.isdigit()]
        assert {*counted} <= {*comparison.summary().replace(",", " ").split()}


def write(path, columns):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([[*columns], *zip(*columns.values(), strict=True)])
    return path


def study_file(folder):
    cells = [(t, r, c, Y[c], STUDY[t, r, c]) for t, r, c in np.ndindex(STUDY.shape)]
    columns = dict(
        zip(
            ("treatment", "reader", "case", "truth", "score"), zip(*cells, strict=True), strict=True
        )
    )
    return [write(folder / "study.csv", columns)]


def classes_file(folder):
    columns = {f"{name}_{k}": p[:, k] for name, p in CLASSES.items() for k in range(3)}
    return [write(folder / "classes.csv", {"label": CLASS, **columns})]


def unpaired_files(folder):
    files = {name: {"y": y, "score": x} for name, (y, x) in APART.items()}
    return [write(folder / f"{name}.csv", columns) for name, columns in files.items()] + [
        "--unpaired"
    ]


def log_files(folder):
    paths = []
    for name, answers in two(LABELS).items():
        rows = [{"model": name, "item": i, "score": int(x)} for i, x in enumerate(answers)]
        paths.append(folder / f"{name}.jsonl")
        paths[-1].write_text("\n".join(map(json.dumps, rows)))
    return paths


FILES = {
    "reader_study_pairwise_test": (study_file, lambda: fc.reader_study_pairwise_test(READ)),
    "multiclass_auc_test": (classes_file, lambda: fc.multiclass_auc_test(CLASS, CLASSES)),
    "delong_unpaired_test": (
        unpaired_files,
        lambda: with_names(fc.delong_unpaired_test(*APART["old"], *APART["new"]), APART),
    ),
    "paired_mean_test": (log_files, lambda: fc.paired_mean_test(two(LABELS))),
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", FILES)
def test_the_command_says_of_files_what_the_function_says(name, tmp_path):
    files, direct = FILES[name]
    sentence = " ".join(direct().summary().split())
    assert sentence in " ".join(ok("compare", *files(tmp_path)).split())
