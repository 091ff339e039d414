"""Sentences of results: the same by every door, and with all that a paper needs."""

import csv
import re

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._base.text import decimals_for
from fastcompare._inference.infer import ZeroVarianceBound
from fastcompare._report.formats import latex_sentence
from fastcompare._results.samples import sample_sentence
from tests.shared.commandline import ok
from tests.shared.every_call import CALLS, called

N, RNG = 60, np.random.default_rng(11)
Y = np.arange(N) % 2
OLD, NEW = np.round(0.7 * Y + RNG.normal(size=(2, N)), 3)
P, Q = (np.round(1.0 / (1.0 + np.exp(-x)), 4) for x in (OLD, NEW))
ROUNDS = np.round(0.8 + 0.02 * RNG.normal(size=(2, 10)), 3)
SIZES = {"n_train": 90, "n_test": 10}
TIMES = {"time": np.round(1.0 + np.exp(-OLD), 3), "event": np.arange(N) % 30 > 0}


def two(first, second):
    return {"old": first, "new": second}


# the data as a file, the options of the command, and what the function of the test itself returns
DOORS = {
    "delong_test": (
        {"y": Y, **two(OLD, NEW)},
        ["--label", "y"],
        lambda: fc.delong_test(Y, two(OLD, NEW)),
    ),
    "mcnemar_test": (
        {"y": Y, **two(OLD > 0.5, NEW > 0.5)},
        ["--label", "y", "--kind", "labels"],
        lambda: fc.mcnemar_test(Y, two(OLD > 0.5, NEW > 0.5)),
    ),
    "scoring_test": (
        {"y": Y, **two(P, Q)},
        ["--label", "y", "--kind", "probabilities"],
        lambda: fc.scoring_test(Y, two(P, Q)),
    ),
    "average_precision_test": (
        {"y": Y, **two(OLD, NEW)},
        ["--label", "y"],
        lambda: fc.average_precision_test(Y, two(OLD, NEW), n_resamples=99, rng=0),
    ),
    "ttest_corrected": (
        {"fold": range(10), **two(*ROUNDS)},
        ["--n-train", 90, "--n-test", 10],
        lambda: fc.ttest_corrected(two(*ROUNDS), **SIZES),
    ),
    "wilcoxon_test": (
        {"dataset": range(10), **two(*ROUNDS)},
        ["--kind", "datasets"],
        lambda: fc.wilcoxon_test(two(*ROUNDS)),
    ),
    "paired_mean_test": (
        {"item": range(N), **two(OLD, NEW)},
        ["--kind", "items"],
        lambda: fc.paired_mean_test(two(OLD, NEW)),
    ),
    "concordance_test": (
        {**TIMES, **two(OLD, NEW)},
        ["--time", "time", "--event", "event"],
        lambda: fc.concordance_test(TIMES["time"], TIMES["event"], two(OLD, NEW)),
    ),
}


UNUSUAL = ("average_precision_test", "concordance_test")  # by default there is another test


def words(text):
    return " ".join(text.split())


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("test", DOORS)
def test_one_sentence_a_result_whatever_door(test, tmp_path):
    columns, options, direct = DOORS[test]
    path = tmp_path / "table.csv"
    with path.open("w", newline="") as file:
        cells = ([str(x).lower() if x in (True, False) else x for x in c] for c in columns.values())
        csv.writer(file).writerows([[*columns], *zip(*map(list, cells), strict=True)])
    sentence = words(direct().summary())
    assert "old" in sentence
    assert "new" in sentence
    drawn = ["--n-resamples", 99] if test == "average_precision_test" else []
    named = ok("compare", path, *options, "--test", test, *drawn)
    assert sentence in words(named)
    if test not in UNUSUAL:
        assert sentence in words(ok("compare", path, *options))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", sorted(CALLS))
def test_sentences_on_cases_say_how_many_there_were(name):
    result = called(name)
    numbers = [getattr(result, field, None) for field in ("n_positive", "n_negative", "n")]
    known = [n for number in numbers for n in np.ravel(number) if isinstance(number, int | tuple)]
    if not hasattr(result, "summary") or name.endswith("_batch") or name == "sign_test":
        return  # batches count tests, and signs are those of differences
    for number in known:
        assert re.search(rf"\b{number}\b", result.summary()), result.summary()


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_sample_is_counted_by_class_model_and_cluster():
    groups = np.arange(N) // 4
    clustered = fc.delong_test(Y, OLD, NEW, groups=groups)
    assert "There were 30 positive and 30 negative cases in 15 clusters." in clustered.summary()
    unpaired = fc.delong_unpaired_test(Y, OLD, Y[:40], NEW[:40])
    told = "There were 30 positive and 30 negative cases of the first model and 20 positive and 20 "
    assert f"{told}negative cases of the second model." in unpaired.summary()
    missing = np.where(np.arange(N) < 2, np.nan, OLD)
    dropped = fc.delong_test(Y, missing, NEW, nan_policy="omit").summary()
    assert dropped.endswith("29 negative cases. 2 cases with missing values were dropped.")
    assert sample_sentence(fc.mcnemar_test(Y[:1], [1], [0])) == "There was 1 case."


def test_sentences_name_the_statistic_and_the_test():
    right = fc.mcnemar_test(Y, OLD > 0.5, NEW > 0.5, method="asymptotic")
    assert f"McNemar's asymptotic test, chi2(1) = {right.statistic:.4g}, p = " in right.summary()
    clustered = fc.mcnemar_test(Y, OLD > 0.5, NEW > 0.5, groups=np.arange(N) // 3)
    assert f"F(1, {clustered.df:.4g}) = {clustered.statistic:.4g}, p" in clustered.summary()
    table = RNG.normal(size=(12, 4)) + np.arange(4)
    ranked = fc.nemenyi_test(table)
    assert "at the 5% level (Nemenyi's test, critical difference " in ranked.summary()
    assert "(Conover's test, Holm-adjusted)" in fc.conover_test(table).summary()


def test_powers_of_ten_are_mathematics_in_latex():
    told = latex_sentence("a_1 is better (z = 9, p = 2.3e-65), p < 1e-300; 1e-5 stays.")
    assert told == (
        r"a\_1 is better (z = 9, $p = 2.3 \times 10^{-65}$), $p < 1 \times 10^{-300}$; 1e-5 stays."
    )


def test_digits_show_the_difference():
    assert [decimals_for(x) for x in (0.0, 0.2, 0.0036, 0.0008, 4e-6, 1e-30, np.nan)] == [
        *(4, 4, 4, 5, 7, 7, 4)
    ]
    p = np.full(4000, 0.1)
    q = np.where(np.arange(4000) % 20 == 0, 0.11, 0.1)
    found = fc.delong_test(np.arange(4000) % 2, p, q + 1e-9 * np.arange(4000))
    values = re.search(r"AUCs are (\S+) and (\S+), a difference of (\S+) \(", found.summary())
    first, second, difference = map(float, values.groups())
    assert first != second or found.estimate == 0.0
    assert difference == pytest.approx(first - second, abs=2e-5)


@pytest.mark.usefixtures("requires_jit")
def test_a_sentence_for_print_names_all_of_twelve_models():
    rng = np.random.default_rng(4)
    names = [f"method_{letter}" for letter in "abcdefghijkl"]
    scores = dict(zip(names, (rng.normal(size=(30, 12)) + 0.2 * np.arange(12)).T, strict=True))
    for result in (fc.nemenyi_test(scores), fc.mean_pairwise_test(scores), fc.leaderboard(scores)):
        told = result.summary()
        assert " more" not in told
        assert all(re.search(rf"\b{name}\b", told) for name in names)
    many = rng.normal(size=(30, 30)) + 0.001 * np.arange(30)
    assert " more" in fc.leaderboard(many).summary()  # of thirty it does not


def test_reasons_beside_numbers_are_cautions_and_name_conventions():
    y = np.array([0, 1] * 20)
    classes = np.arange(30) % 3
    quiet = {"on_undefined": "ignore"}
    bounded = (
        fc.delong_test(y, y, 2 * y, **quiet),
        fc.roc_auc_test(y, 0 * y, **quiet),
        fc.multiclass_auc(classes, np.eye(3)[classes], **quiet),
        fc.delong_pairwise_test(y, {"a": y, "b": 2 * y, "c": np.arange(40)}, **quiet),
    )
    for result in bounded:
        assert "Undefined" not in result.summary()
        assert "Caution" in result.summary()
    for result in bounded[:1] + bounded[3:]:
        assert "p-value is 1 by convention, any interval an exact bound" in result.summary()
    undefined = fc.delong_test(y, y, 0 * y, **quiet)
    assert np.isnan(undefined.pvalue)
    assert "Undefined: the estimated variance is 0" in undefined.summary()


def test_reasons_name_no_remedy_that_a_test_lacks():
    folds = {name: np.full(10, mean) for name, mean in (("a", 0.8), ("b", 0.7), ("c", 0.6))}
    a, b = folds["a"], folds["b"]
    sizes = {"n_train": 90, "n_test": 10}
    results = (
        fc.bayes_correlated_ttest(a, b, on_undefined="ignore", **sizes),
        fc.rm_anova_test(folds, on_undefined="ignore"),
        fc.mean_omnibus_test(folds, on_undefined="ignore"),
        fc.mean_pairwise_test(folds, on_undefined="ignore"),
    )
    for result in results:
        text = result.summary()
        assert "the estimated variance is 0" in text
        assert not re.search(r"\bmargin\b|\bpermutation\b|\bnan\b", text), text
    with pytest.warns(fc.UndefinedResultWarning, match="a claim with a margin"):
        fc.paired_mean_test(a, b)


def test_several_classes_have_no_negative_class_in_sentences():
    classes = np.arange(30) % 3
    scores = np.random.default_rng(0).random((30, 3)) - np.eye(3)[classes]
    one = fc.multiclass_auc(classes, scores, on_undefined="ignore")
    two = fc.multiclass_auc_test(classes, scores, scores[::-1], on_undefined="ignore")
    for result in (one, two):
        assert "columns of scores are not in the order of classes" in result.summary()
        assert "negative class" not in result.summary()


def test_one_round_is_singular_in_sentences():
    bound = ZeroVarianceBound(1.0, name="pairs of cases")
    assert str(bound) == "by an exact bound of 1 pair of cases that does not vary"
    two = fc.bayes_signed_rank([0.8], [0.7], rng=0, on_undefined="ignore")
    assert "1 data set)" in two.summary()
