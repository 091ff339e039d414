"""Printed results: what a person wants first, in few columns, however long the names are."""

import functools
import re
import sys

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._base.text import show_pvalue
from fastcompare._report.families import result_sheets
from fastcompare._report.formats import width
from fastcompare._report.screen import cut_name, cut_names

N, RNG = 120, np.random.default_rng(5)
Y = np.arange(N) % 2
HOSTILE = ("<script>alert(1)</script>", "a & b_c%", "x|y\n\\z", '=cmd("x")')
LONG = [f"resnet-50-imagenet-pretrained-lr-0.0{j}-seed-{j}"[:43] for j in range(4)]


def scored(names):
    """Scores of models, each better than the one before it."""
    rng = np.random.default_rng(1)
    return {name: 0.6 * j * Y + rng.normal(size=N) for j, name in enumerate(names, 1)}


def labelled(names):
    return {name: (score > 0.9).astype(int) for name, score in scored(names).items()}


def probabilities(names):
    return {name: 1.0 / (1.0 + np.exp(1.0 - score)) for name, score in scored(names).items()}


def rounds(names):
    return {name: score[Y == 1][:12] for name, score in scored(names).items()}


SIZES = {"n_train": 90, "n_test": 10}
RESULTS = {
    "two": lambda names: fc.delong_test(Y, scored(names[:2])),
    "labels": lambda names: fc.mcnemar_test(Y, labelled(names[:2])),
    "losses": lambda names: fc.scoring_test(Y, probabilities(names[:2]), rng=0),
    "order": lambda names: fc.wilcoxon_test(rounds(names[:2])),
    "posterior": lambda names: fc.bayes_sign(rounds(names[:2])),
    "exchange": lambda names: fc.permutation_metric_test(Y, labelled(names[:2]), rng=0),
    "alike": lambda names: fc.agreement(Y, labelled(names[:2])),
    "counts": lambda names: fc.contingency_table(Y, labelled(names[:2])),
    "pairs": lambda names: fc.delong_pairwise_test(Y, scored(names)),
    "one pair": lambda names: fc.mcnemar_pairwise_test(Y, labelled(names[:2])),
    "control": lambda names: fc.delong_control_test(Y, scored(names), names[0]),
    "ranks": lambda names: fc.nemenyi_test(rounds(names)),
    "gated": lambda names: fc.ttest_corrected_pairwise_test(rounds(names), **SIZES, gate=True),
    "items": lambda names: fc.mean_pairwise_test(labelled(names)),
    "omnibus": lambda names: fc.cochran_q_test(Y, labelled(names)),
    "datasets": lambda names: fc.compare_datasets(rounds(names)),
    "leaderboard": lambda names: fc.leaderboard(labelled(names)),
    "covariance": lambda names: fc.delong_covariance(Y, scored(names)),
    "matrix": lambda names: fc.agreement_matrix(Y, labelled(names)),
    "normality": lambda names: fc.normality_report(rounds(names)),
    "battles": lambda names: fc.bradley_terry(
        np.tile(names, 30), np.tile(np.roll(names, 1), 30), np.arange(120) % 7 % 2
    ),
    "interval": lambda names: fc.roc_auc_interval(Y, scored(names)[names[0]]),
    "calibration": lambda names: fc.calibration_test(Y, probabilities(names)[names[0]]),
    "band": lambda names: fc.roc_curve_band(Y, scored(names)[names[0]], n_resamples=99, rng=0),
    "size": lambda names: fc.mean_sample_size(difference=0.05, variance=0.3, power=0.8),
    "problems": lambda names: fc.delong_batch(
        np.tile(Y, (30, 1)), *RNG.normal(size=(2, 30, N)), on_undefined="ignore"
    ),
}
quiet = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::RuntimeWarning")
every = pytest.mark.parametrize("kind", RESULTS)


@functools.cache
def result_of(kind, names):
    """A result, with names that came as they are."""
    return RESULTS[kind](list(names))


@every
@quiet
@pytest.mark.parametrize("names", [tuple("abcd"), HOSTILE, tuple(LONG)], ids=str)
def test_results_fit_80_columns_without_arrays_and_internal_names(kind, names):
    result = result_of(kind, names)
    text = str(result)
    lines = text.split("\n")
    assert repr(result) == text
    assert max(map(width, lines)) <= 80
    assert lines[0] == result.title
    told = text.replace("to_frame(", "")
    assert not any(word in told for word in ("[", "array(", "_", "None")) or names == HOSTILE
    assert len(lines) < 60
    words = " ".join(text.split()).replace(" ", "")
    summary = result.summary().replace(HOSTILE[2], r"x|y\x0a\z")
    assert words.endswith("".join(summary.split()))


def test_two_models_take_a_line_each_and_their_difference_one():
    lines = str(result_of("two", ("first model", "b", "c", "d"))).split("\n")
    assert lines[2].split() == ["model", "AUC", "95%", "CI", "statistic", "p"]
    assert [line.split()[0] for line in lines[4:7]] == ["first", "b", "difference"]
    auc = [float(line.split()[-4]) for line in lines[4:6]]  # before the interval
    assert float(lines[6].split()[1]) == pytest.approx(auc[0] - auc[1], abs=1.01e-4)


def test_models_come_best_first_and_pairs_by_p_with_marks():
    result = result_of("pairs", tuple("abcd"))
    models, pairs = result_sheets(result)
    assert [row["model"] for row in models.rows(models.order)] == list("dcba")
    p = [row["adjusted_pvalue"] for row in pairs.rows(pairs.order)]
    assert p == sorted(result.adjusted_pvalue)
    assert str(result).count("  *\n") == sum(result.adjusted_pvalue <= 0.05) > 0
    assert "* significant at the 5% level (Shaffer-adjusted)" in str(result)


@pytest.mark.parametrize("show", [str, lambda result: result._repr_html_()])
def test_only_pairs_that_are_shown_have_their_intervals_computed(monkeypatch, show):
    result = fc.wilcoxon_pairwise_test(np.random.default_rng(3).normal(size=(12, 20)))
    computed, ends_of_pair = set(), type(result)._pair_ends

    def counted(self, p):
        computed.add(p)
        return ends_of_pair(self, p)

    monkeypatch.setattr(type(result), "_pair_ends", counted)
    show(result)
    assert computed == set(np.lexsort((result.pvalue, result.adjusted_pvalue))[:20].tolist())


ROWS = np.arange(12)
ALIKE = {name: (ROWS + j) % 3 for j, name in enumerate("abc")}
MARKED = {
    "stars": {**ALIKE, "a": ROWS % 3 + 3},
    "no star": ALIKE,
    "no p": {name: [1] for name in "abc"},
}


@pytest.mark.parametrize("face", ["__str__", "to_markdown", "to_latex", "to_html", "_repr_html_"])
@pytest.mark.parametrize("kind", MARKED)
def test_the_star_is_explained_where_there_is_one(kind, face):
    result = fc.mean_pairwise_test(MARKED[kind], on_undefined="ignore")
    text = getattr(result, face)().replace("\\", "")
    rule = "significant at the 5% level (Shaffer-adjusted)"
    assert (f"* {rule}" in text) == (kind == "stars")
    assert (f"no difference is {rule}" in text) == (kind == "no star")


def test_tables_say_that_an_interval_is_one_sided():
    result = fc.mean_pairwise_test(ALIKE, alternative="less")
    assert "one-sided 95% CI" in str(result)
    assert "and below" in str(result)
    assert "\u221e to" in result.to_markdown("pairs")


def test_a_column_that_repeats_another_is_left_out():
    assert "adjusted" not in str(result_of("one pair", tuple("abcd")))
    assert "adjusted" not in str(result_of("ranks", tuple("abcd")))


def test_wide_terminals_show_more(monkeypatch):
    result = result_of("pairs", tuple(LONG))
    narrow = str(result)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "120")
    wide = str(result)
    assert all(f": {name}\n" in narrow for name in LONG if name not in narrow.split("\n\n")[1])
    assert " statistic " not in narrow
    assert " statistic " in wide
    assert all(name in wide for name in LONG)


@pytest.mark.parametrize("size", [20, 30, 40, 60])
def test_every_name_stands_whole_in_80_columns(size):
    """In its table where a column can be spared, in a row of its own or in a legend."""
    rng = np.random.default_rng(0)
    names = [(letter * 9 + "_elastic_net_balanced_" * 3)[: size - 1] + letter for letter in "abc"]
    shown = str(fc.delong_pairwise_test(Y, {name: rng.normal(size=N) for name in names}))
    models, pairs = shown.split("\n\n")[1:3]
    assert max(map(len, shown.split("\n"))) <= 80
    assert all(name in pairs for name in names)
    if size <= 40:
        assert all(name in models for name in names)
        assert ": " not in models


def test_long_lists_are_cut_and_say_so():
    rng = np.random.default_rng(0)
    many = fc.delong_pairwise_test(Y, {f"m{j}": rng.normal(size=N) for j in range(30)})
    assert '415 more pairs are not shown: to_frame(of="pairs") has all' in str(many)
    assert len(str(many).split("\n")) < 70
    problems = str(result_of("problems", tuple("abcd")))
    assert '20 more problems are not shown: to_frame(of="problems") has all' in problems
    assert " of 30 tests have p < 0.05" in problems


def test_cut_names_stay_apart():
    names = ["model-" + "x" * 40 + str(j) for j in range(3)] + ["short"]
    short, notes = cut_names(names, 16)
    assert notes == [f"{short[name]}: {name}" for name in names[:3]]
    assert sorted(short[name] for name in names) == [
        "model-...xxxxxx0",
        "model-...xxxxxx1",
        "model-...xxxxxx2",
        "short",
    ]
    _, notes = cut_names([f"{'x' * 40}{j}" for j in range(7)], 16)  # more than a legend has
    assert notes == ["Long names are shortened in the middle (...)."]
    middle, legend = cut_names([f"{'x' * 20}{j}{'y' * 20}" for j in range(12)], 12)
    assert {f"#{j}" for j in range(1, 13)} <= set(middle.values())
    assert f"#1: {'x' * 20}0{'y' * 20}" in legend
    assert width(cut_name("日本語" * 9, 11, 0.5)) <= 11


def test_undefined_fields_are_no_names_with_organisations():
    result = fc.bradley_terry(list("aabc"), list("bcca"), [1, 0.5, 0, 1], on_undefined="ignore")
    rows = dict(re.findall(r"^(log [a-z]+) {2,}(\S+)$", str(result), re.MULTILINE))
    assert rows == {"log tie": "n/a", "log likelihood": "n/a"}
    assert "organisations" not in str(result)
    assert cut_names(["n/a", "one/model-of-many", "two/another-model"], 14)[0]["n/a"] == "n/a"


def test_names_lose_first_what_all_share():
    forests = [f"RandomForest(max_depth={depth}, seed=7)" for depth in (3, 10)]
    short, notes = cut_names(forests, 14)
    assert [short[name] for name in forests] == ["max_depth=3", "max_depth=10"]
    assert notes == ["Shared parts of names, and organisations, are omitted."]
    models = ["meta-llama/Llama-3", "mistral/Mixtral"]
    assert [cut_names(models, 10)[0][name] for name in models] == ["Llama-3", "Mixtral"]
    alike = ["one/model", "one/model/2", "two/model"]
    assert len({cut_names(alike, 9)[0][name] for name in alike}) == 3


@pytest.mark.parametrize("kind", ["pairs", "two", "leaderboard", "problems"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_notebooks_show_the_same_tables(kind):
    html = result_of(kind, HOSTILE)._repr_html_()
    assert "<script>" not in html
    assert "\n\\z" not in html
    assert html.count("<table>") == html.count("</table>") >= 1
    if kind != "problems":
        assert "&lt;script&gt;" in html


def test_sentences_say_who_is_best_and_who_cannot_be_told_from_it():
    rng = np.random.default_rng(3)
    base = rng.normal(size=60)
    table = {"poor": base, "good": base + 2.0 + 0.1 * rng.normal(size=60), "fair": base + 0.0}
    table["fine"] = table["good"] - 0.001 + rng.permutation(np.tile([-0.1, 0.1], 30))
    text = fc.mean_pairwise_test(table).summary()
    assert ": good scores higher than " in text
    assert "; it does not differ significantly from fine; fine scores higher than " in text
    same = {"a": base, "b": base + 0.0, "c": base - 1.0 + 0.3 * rng.normal(size=60)}
    assert (
        "it does not differ significantly from b; b scores higher than c by "
        in fc.mean_pairwise_test(same).summary()
    )


@quiet
def test_undefined_results_say_why_and_never_nan_to_nan():
    one_class = np.zeros(40, int), np.arange(40.0)
    undefined = {
        "only one class is present": fc.roc_auc_interval(*one_class),
        "estimated variance is 0 although": fc.ttest_unpaired(np.ones(9), np.zeros(9)),
        "Undefined: only one class is present": fc.delong_test(*one_class, one_class[1][::-1]),
        "Undefined for 1 of 3: ": fc.mean_pairwise_test(
            {"a": np.ones(9), "b": np.zeros(9), "c": np.arange(9.0)}
        ),
    }
    for why, result in undefined.items():
        assert why in result.summary()
        assert "nan" not in result.summary()
        assert result.summary().count("Undefined") == 1
    assert "Undefined" not in result_of("pairs", tuple("abcd")).summary()


def test_one_case_takes_no_plural_and_p_is_never_rounded_to_1():
    assert "1 of 1 case," in fc.accuracy_interval([1], [1]).summary()
    assert show_pvalue(0.99999983) == "> 0.9999"
    assert show_pvalue(1.0) == "1.0000"
    assert show_pvalue(0.9999) == "0.9999"


def test_values_of_two_models_have_their_own_intervals():
    scores, answers = scored("ab"), labelled("ab")
    auc = [fc.roc_auc_interval(Y, score).confidence_interval() for score in scores.values()]
    right = [fc.accuracy_interval(Y, label).confidence_interval() for label in answers.values()]
    own = [column for score in scores.values() for column in (Y, score)]
    for result, want in (
        (fc.delong_test(Y, scores), auc),
        (fc.delong_test(Y, scores, reference="t"), auc),
        (fc.delong_unpaired_test(*own), auc),
        (fc.mcnemar_test(Y, answers), right),
        (fc.two_proportions_test(Y, answers), right),
    ):
        models = result.to_frame(of="models")
        np.testing.assert_allclose(models[["ci_low", "ci_high"]].to_numpy(), want, rtol=1e-9)
        for (low, high), line in zip(want, str(result).splitlines()[4:6], strict=True):
            assert f" {low:.4f} to {high:.4f}" in line


def test_a_comparison_shows_the_model_of_the_least_loss_first():
    given = {"two": 0.2 + 0.6 * Y, "worst": 0.5 + 0.0 * Y, "best": 0.1 + 0.8 * Y}
    noisy = {name: np.clip(p + 0.05 * RNG.normal(size=N), 0, 1) for name, p in given.items()}
    for gate in (True, False):
        lines = str(fc.compare(Y, noisy, kind="probabilities", gate=gate)).splitlines()
        start = next(j for j, line in enumerate(lines) if line.startswith("model "))
        assert "Brier score" in lines[start]
        assert [line.split()[0] for line in lines[start + 2 : start + 5]] == [
            "best",
            "two",
            "worst",
        ]


@pytest.mark.parametrize(
    ("test", "name"),
    [
        (lambda table: fc.cochran_q_test(Y[:40], table > 0), "Cochran's Q test, asymptotic"),
        (lambda table: fc.friedman_test(table), "Friedman's test, Iman-Davenport"),
        (lambda table: fc.skillings_mack_test(table), "Skillings-Mack test, chi-squared"),
    ],
)
def test_tables_name_the_test_not_only_its_method(test, name):
    assert f"\n{name} " in str(test(np.random.default_rng(2).normal(size=(40, 4))))
