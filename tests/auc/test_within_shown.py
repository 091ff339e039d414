"""AUCs within groups on the command line, in `compare`, on pages and in pictures."""

import re
import shlex

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

import fastcompare as fc
from fastcompare import plots
from tests.shared.commandline import as_json, failure, ok
from tests.shared.pictures import closed_figures  # noqa: F401

RNG = np.random.default_rng(12)
USERS = np.arange(400) % 40
TABLE = pd.DataFrame({"click": RNG.integers(0, 2, 400), "user": USERS})
for name, shift in zip("xyz", (0.4, 0.8, 1.2), strict=True):
    TABLE[name] = (shift * TABLE["click"] + RNG.normal(size=400)).round(4)
Y = TABLE["click"]


@pytest.fixture
def clicks(tmp_path):
    path = tmp_path / "clicks.csv"
    TABLE.to_csv(path, index=False)
    return str(path)


@pytest.mark.parametrize("models", ["x", "xy", "xyz"])
@pytest.mark.parametrize("test", ["within_auc_test", "within-auc"])
def test_the_command_line_runs_tests_of_auc_within_groups(models, test, clicks):
    chosen = [part for name in models for part in ("--model", name)]
    found = as_json(
        *("compare", clicks, "--label", "click", "--groups", "user", "--test", test), *chosen
    )
    scores = {name: TABLE[name] for name in models}
    if len(models) == 1:
        want = fc.within_auc_interval(Y, TABLE["x"], USERS)
        assert found["result"]["estimate"] == want.estimate
    elif len(models) == 2:
        want = fc.within_auc_test(Y, scores, None, USERS)
        assert found["result"]["pvalue"] == want.pvalue
    else:
        want = fc.within_auc_pairwise_test(Y, scores, USERS)
        assert found["result"]["adjusted_pvalue"] == want.adjusted_pvalue.tolist()
        omnibus = fc.within_auc_omnibus_test(Y, scores, USERS)
        assert found["omnibus"]["pvalue"] == omnibus.pvalue
    assert list(found["values"]) == list(models)


@pytest.mark.parametrize("models", [["x", "y"], ["x", "y", "z"]])
def test_compare_offers_a_command_within_groups_that_runs_as_it_is_printed(models, clicks):
    chosen = [part for name in models for part in ("--model", name)]
    call = ["compare", clicks, "--label", "click", "--kind", "scores", "--groups", "user", *chosen]
    (command,) = re.findall("`fastcompare ([^`\n]*)`", ok(*call))
    printed = ok(*shlex.split(command))
    assert "AUC within groups" in printed
    assert "contain both labels" not in printed


def test_compare_within_groups_asks_for_groups(clicks):
    message = failure("compare", clicks, "--label", "click", "--test", "within-auc", "--model", "x")
    assert "`--groups` must be specified" in message


def test_recommend_names_tests_within_groups(clicks):
    found = ok("recommend", clicks, "--label", "click", "--kind", "scores", "--groups", "user")
    assert "within_auc_omnibus_test(y_true, scores, groups=groups)" in found


@pytest.mark.usefixtures("requires_jit")
def test_a_page_of_auc_within_groups_has_a_picture_of_the_groups(clicks, tmp_path):
    page = tmp_path / "page.html"
    options = ("--label", "click", "--groups", "user", "--test", "within-auc", "--model", "x")
    ok("compare", clicks, *options, "--model", "y", "-o", page)
    assert "group by group" in page.read_text("utf-8")


def texts_in(ax):
    return " ".join(text.get_text() for text in ax.texts)


@pytest.mark.parametrize("design", ["random", "fixed"])
def test_few_groups_are_a_forest_with_all_groups_last_in_within_auc_test(design):
    groups = USERS % 7
    result = fc.within_auc_test(Y, TABLE["x"], TABLE["y"], groups, design=design)
    ax = plots.within_groups(result)
    assert "all groups" in texts_in(ax)
    low, high = result.group_interval()
    lead = result.group_auc[:, 0] - result.group_auc[:, 1]
    rows = plots._within.group_estimates(result, 0.95)
    assert [names[0] for names in rows.names] == [*map(str, range(7)), "all groups"]
    assert_allclose(rows.intervals[1], [*lead, result.estimate])
    assert_allclose(rows.intervals[0][:-1], low)
    assert_allclose(rows.intervals[2][:-1], high)


def test_many_groups_are_a_histogram():
    result = fc.within_auc_test(Y, TABLE["x"], TABLE["y"], USERS)
    ax = plots.within_groups(result)
    (bars,) = [patch for patch in ax.patches if hasattr(patch, "get_data")]
    assert bars.get_data().values.sum() == result.n_groups
    assert ax.lines[0].get_xdata()[0] == result.estimate
    several = fc.within_auc_pairwise_test(Y, {name: TABLE[name] for name in "xyz"}, USERS)
    ax = plots.within_groups(several)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["x", "y", "z"]
    assert [patch.get_data().values.sum() for patch in ax.patches] == [several.n_groups] * 3


def test_within_groups_refuses_other_results_in_roc_auc_interval():
    with pytest.raises(fc.InvalidTypeError, match="within_auc_test"):
        plots.within_groups(fc.roc_auc_interval(Y, TABLE["x"]))


def test_rows_of_models_are_intervals_of_one_model_in_within_auc_test():
    rng = np.random.default_rng(0)
    y, group = np.array([0, 1] * 20), np.arange(40) // 4
    scores = {"right": y * 1.0, "wrong": -1.0 * y, "noisy": y + rng.normal(size=40)}
    for names in (("right", "wrong"), ("right", "noisy"), tuple(scores)):
        test = fc.within_auc_test if len(names) == 2 else fc.within_auc_pairwise_test
        table = {name: scores[name] for name in names}
        result = test(y, table, groups=group, on_undefined="ignore")
        rows = result.to_frame("pandas", of="models").set_index("model")
        for name in names:
            one = fc.within_auc_interval(y, scores[name], group, on_undefined="ignore")
            ends = rows.loc[name, ["ci_low", "ci_high"]].astype(float)
            assert_allclose(ends, one.confidence_interval())
    assert_allclose(rows.loc["right", "ci_low"], 10 / (10 + 1.959964**2), rtol=1e-6)  # Wilson
