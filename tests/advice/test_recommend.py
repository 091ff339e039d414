"""Which test: the table of rules, and what is said of each."""

import ast
import inspect
import itertools
import json
import pickle
import re
from pathlib import Path

import numba
import pytest

import fastcompare as fc
from fastcompare.advice import RULES, WRONG
from fastcompare.advice.kinds import CLAIMS, KINDS
from fastcompare.advice.rule import ROLES
from fastcompare.simulate.null_designs import NULL_DESIGNS

DOCS = Path(__file__).parents[2]
TESTS = {
    name
    for name in fc.__all__
    if inspect.isfunction(getattr(fc, name))
    and (
        name.endswith(("_test", "_batch"))
        or name.startswith(("ttest_", "ftest_", "bayes_", "compare_"))
        or name in ("agreement", "agreement_matrix", "leaderboard", "bradley_terry")
    )
}
COMBINED = [
    (kind, design, models, paired)
    for kind in KINDS
    for design in KINDS[kind].designs
    for models in (2, 3, 10)
    for paired in (True, False)
]


def question(rule):
    """A way to ask for a rule."""
    kind = rule.kinds[0]
    return {
        "kind": kind,
        "n_models": rule.models[0],
        "n": max(rule.rows[0], 1) if not rule.unknown else None,
        "paired": rule.paired,
        "design": (rule.designs or KINDS[kind].designs)[0],
        "claim": (rule.claims or (KINDS[kind].claim,))[0],
    }


def no_test_fits(kind, design, models, paired):
    """Whether a question has no answer: without pairs rows have to be independent."""
    if (kind, design, models > 2) == ("scores", "batch", True) or (kind, paired) == (
        "battles",
        False,
    ):
        return True
    fits = ("independent", "complete", "multiclass" if kind == "labels" else "")
    return not paired and design not in fits


def test_every_call_is_one_that_its_function_takes():
    for rule in RULES:
        calls = [node for node in ast.walk(ast.parse(rule.call)) if isinstance(node, ast.Call)]
        call = next(c for c in calls if c.func.attr == rule.test)
        places = dict.fromkeys(keyword.arg for keyword in call.keywords)
        inspect.signature(getattr(fc, rule.test)).bind(*call.args, **places)
        assert rule.role in ROLES
        assert set(rule.kinds) <= set(KINDS)
        assert set(rule.claims) <= set(CLAIMS)
        assert all(word in KINDS[kind].designs for kind in rule.kinds for word in rule.designs)
        assert "doi:" in rule.reference or "http" in rule.reference or "ISBN" in rule.reference


def test_every_rule_is_reached():
    for rule in RULES:
        found = fc.recommend(**question(rule)).tests
        assert (rule.test, rule.call, rule.reason) in [(t.test, t.call, t.reason) for t in found]


def test_every_test_of_models_is_named_by_a_rule():
    missing = TESTS - {rule.test for rule in RULES}
    assert not missing, "enter a rule in the file of its kind of data in fastcompare/advice/rules/"


def test_every_question_has_an_answer_that_knows_the_wrong_test():
    for kind, design, models, paired in COMBINED:
        if no_test_fits(kind, design, models, paired):
            with pytest.raises(ValueError, match="no test here fits"):
                fc.recommend(kind=kind, design=design, n_models=models, paired=paired)
            continue
        found = fc.recommend(kind=kind, design=design, n_models=models, paired=paired)
        first = found.tests[0]
        assert first.role in ("test", "omnibus", "post-hoc")
        assert first.wrong is not None
        assert max(map(len, str(found).splitlines())) <= 80
        if models > 2 and any(test.role == "omnibus" for test in found.tests):
            assert first.role == "omnibus"


def test_rates_of_wrong_tests_are_those_of_the_manual():
    for wrong in WRONG.values():
        page = (DOCS / wrong.source).read_text()
        assert f"{wrong.rate:.1f}" in page or f"{100 - wrong.rate:.1f}" in page
        if wrong.source == "docs/concepts/choosing.md":
            row = next(line for line in page.splitlines() if line.startswith(f"| {wrong.world} "))
            assert f" {wrong.rate:.1f} " in row
            assert wrong.test in row
            assert wrong.found is None or f" {wrong.found[0]:.1f} / {wrong.found[1]:.1f} " in row
        assert not wrong.world or wrong.world in NULL_DESIGNS


def test_the_documents_decisions_are_in_the_table():
    def first(**asked):
        return fc.recommend(**asked).tests[0].test

    assert first(kind="labels") == "mcnemar_test"
    assert first(kind="scores") == "delong_test"
    assert first(kind="folds", design="5x2cv", parametric=True) == "ftest_5x2cv"
    assert first(kind="folds", design="resampled") == "ttest_corrected"
    assert first(kind="folds", design="independent", parametric=False) == "wilcoxon_test"
    assert first(kind="folds", n_models=3) == "rm_anova_test"
    assert first(kind="datasets", n_models=5) == "friedman_test"
    assert fc.recommend(kind="datasets", n_models=5).tests[1].test == "nemenyi_test"
    assert first(kind="probabilities", parametric=False) == "scoring_test"
    assert first(kind="scores", paired=False) == "delong_unpaired_test"
    assert "Student's t" in fc.recommend(kind="scores", n=12).tests[0].reason
    assert first(kind="battles", n_models=6) == "bradley_terry"
    assert first(kind="times") == "concordance_test"
    assert 'method="uno"' in fc.recommend(kind="times").tests[0].call
    assert "uno" not in fc.recommend(kind="times", design="uncensored").tests[0].call
    assert first(kind="times", n_models=3) == "concordance_omnibus_test"
    assert first(kind="readers") == first(kind="readers", n_models=3) == "reader_study_test"


def test_diebold_and_marianos_test_is_found_by_its_name():
    found = [t.call for t in fc.recommend(kind="items").tests if "Diebold-Mariano" in t.reason]
    assert found == ["fastcompare.paired_mean_test(scores_a, scores_b, lags=1)"]
    for page in ("functions.md", "items.md"):
        assert "Diebold" in (DOCS / "docs" / page).read_text()


def test_errors_of_folds_that_reasons_tell_are_those_of_the_manual():
    page = (DOCS / "docs" / "evidence/folds.md").read_text().splitlines()
    row = next(line for line in page if line.startswith("| nearest neighbour | 5x2cv"))
    assert row.rstrip(" |").endswith("12.7")
    first = fc.recommend(kind="folds", design="5x2cv").tests[0]
    assert "12.7% for nearest neighbours" in first.reason
    assert "12.7%" in str(first.assumptions)


def test_rows_in_clusters_are_not_assumed_to_be_independent():
    for kind in ("scores", "labels", "probabilities", "items"):
        for models in (2, 3):
            for test in fc.recommend(kind=kind, n_models=models, design="clusters").tests:
                assert "the cases are independent" not in str(test.assumptions)
                assert "the items are independent" not in str(test.assumptions)


def test_beside_the_paired_test_stands_what_the_unpaired_one_costs():
    wrong = fc.recommend(kind="scores").tests[0].wrong
    assert wrong.found == (79.3, 57.0)
    assert "its power is 57% where the recommended test has 79.3%" in str(wrong)


@pytest.mark.parametrize(("kind", "claim"), [*itertools.product(KINDS, CLAIMS)])
def test_a_claim_that_the_data_cannot_carry_is_answered_by_what_to_collect(kind, claim):
    found = fc.recommend(kind=kind, claim=claim)
    carried = claim == KINDS[kind].claim
    assert (found.tests[0].role == "collect") != carried
    assert ("cannot support" in found.decisions[0]) != carried


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="thousands of tests")
@pytest.mark.parametrize("world", NULL_DESIGNS)
def test_the_right_test_holds_its_level_and_the_wrong_one_does_not(world):
    drawn = NULL_DESIGNS[world]
    tests = {"right": drawn.right, "wrong": drawn.wrong}
    found = fc.simulate_error_rates(tests, drawn.at(drawn.n, drawn.k), n_trials=60, rng=3)
    assert found.n_undefined.sum() == 0
    assert found.rate[0] <= 0.15


def test_both_tests_are_measured_at_the_size_that_is_told():
    found = fc.recommend(kind="folds", n=30, measure=True, n_trials=200, rng=0)
    right, wrong = found.error_rates.rate
    assert right < 0.12 < 0.2 < wrong
    assert found.error_rates.tests[0] == "ttest_corrected"
    assert "in 200 trials" in str(found).replace("\n", " ")
    assert "in 200 trials" in found.summary()


def test_an_answer_is_pickled_and_written_as_json():
    found = fc.recommend(kind="items", n_models=3, measure=True, n_trials=10, rng=0, n=40)
    again = pickle.loads(pickle.dumps(found))
    assert json.loads(json.dumps(found.to_dict())) == again.to_dict()
    assert again.tests == found.tests
    assert "leaderboard" in found._repr_html_()
    assert found.tests[0].summary().startswith("fastcompare.mean_omnibus_test(scores): ")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, "`kind` must be specified without data: one of"),
        ({"kind": "fold"}, "`kind` must be one of .* Did you mean 'folds'"),
        ({"kind": "scores", "design": "kfold"}, "`design` 'kfold' is for kind='folds'"),
        ({"kind": "scores", "design": "cluster"}, "Did you mean 'clusters'"),
        ({"kind": "scores", "claim": "these"}, "`claim` must be one of"),
        ({"kind": "scores", "n": 2.5}, "`n` must be a whole number, got 2.5"),
        ({"kind": "scores", "n": 0}, "`n` must be at least 1, got 0"),
        ({"kind": "scores", "n_models": 0}, "`n_models` must be at least 1"),
        ({"kind": "scores", "paired": "no"}, "`paired` must be True or False"),
        ({"kind": "scores", "n_models": 3, "design": "batch"}, "no test here fits"),
        ({"kind": "folds", "n_models": 1}, "no test here fits kind='folds', 1 models"),
        (
            {"kind": "folds", "design": "5x2cv", "measure": True},
            "`measure` has no simulation for kind='folds'",
        ),
    ],
)
def test_what_cannot_be_answered_is_refused_with_the_way_on(asked, said):
    with pytest.raises(fc.FastCompareError, match=said):
        fc.recommend(**asked)


@pytest.mark.parametrize("kind", ["scores", "probabilities", "items"])
def test_of_clusters_these_are_the_random_sample(kind):
    found = fc.recommend(kind=kind, n_models=3, n=200, design="clusters")
    assumed = {text for test in found.tests for text in test.assumptions}
    assert any(text.startswith("the clusters are a random sample of") for text in assumed)
    assert not any(re.match("the (cases|items) are a random sample", text) for text in assumed)


@pytest.mark.parametrize(("n", "least"), [(20, 8), (200, 30)])
def test_tests_of_scores_assume_no_more_cases_than_there_are(n, least):
    advice = fc.recommend(kind="scores", n=n, n_models=3)
    assumed = [text for test in advice.tests for text in test.assumptions]
    counts = [int(x) for text in assumed for x in re.findall(r"at least (\d+) cases", text)]
    assert max(counts) == least <= n
    calls = [test.call for test in advice.tests]
    assert sum("delong_pairwise_test" in call for call in calls) == 1
