"""What would take hours is refused at once, with its cost, and beyond bounds that can be raised."""

import inspect

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._adapters.files import decompress
from fastcompare._inputs.options import BOUNDS, duration
from tests.shared.every_call import CALLS, called

MANY = np.random.default_rng(0).normal(size=(40, 15))
LABELS = np.arange(40) % 2
PAIRS = {  # functions of all pairs of models, with data of 15 models
    "bootstrap_auc": {"y_true": LABELS, "scores": MANY},
    "conover_test": {"scores": MANY},
    "delong_pairwise_test": {"y_true": LABELS, "scores": MANY},
    "friedman_pairwise_test": {"scores": MANY},
    "mcnemar_pairwise_test": {"y_true": LABELS, "predictions": (MANY > 0).astype(int)},
    "mean_pairwise_test": {"scores": MANY},
    "scoring_pairwise_test": {"y_true": LABELS, "probabilities": 1 / (1 + np.exp(-MANY))},
    "sign_pairwise_test": {"scores": MANY},
    "ttest_corrected_pairwise_test": {"scores": MANY, "n_train": 90, "n_test": 10},
    "wilcoxon_pairwise_test": {"scores": MANY},
}


@pytest.mark.parametrize(
    "name", [n for n in CALLS if "n_resamples" in inspect.signature(getattr(fc, n)).parameters]
)
def test_replicates_without_end_are_refused_at_once(name, monkeypatch):
    more = {"test": "bootstrap"} if name == "compare" else {}  # the usual ones draw nothing
    with pytest.raises(fc.InvalidValueError, match=r"`n_resamples` of 10{12} takes 12 days"):
        called(name, n_resamples=10**12, **more)
    monkeypatch.setenv("FASTCOMPARE_MOST_REPLICATES", "50")
    with pytest.raises(fc.InvalidValueError, match="set FASTCOMPARE_MOST_REPLICATES=99 in"):
        called(name, n_resamples=99, **more)
    monkeypatch.setenv("FASTCOMPARE_MOST_REPLICATES", "99")
    called(name, n_resamples=99, **more)


def test_trials_without_end_are_refused_at_once():
    design = fc.simulate.BinormalScores(auc=0.8, n_positive=20, n_negative=20)
    for simulate, more in (
        (fc.simulate_error_rates, {}),
        (fc.simulate.simulate_power, {"effects": [0.1]}),
        (fc.simulate.required_sample_size, {"effect": 0.1}),
    ):
        with pytest.raises(fc.InvalidValueError, match=r"`n_trials` of 10{9} takes 17 minutes"):
            simulate("delong", design, n_trials=10**9, **more)
    with pytest.raises(fc.InvalidValueError, match="from 1 to"):
        fc.simulate_error_rates("delong", design, n_trials=10**12)


def test_rom_of_a_large_family_is_refused_with_its_cost(monkeypatch):
    p = np.linspace(0.001, 0.01, 499_500)
    with pytest.raises(
        fc.InvalidValueError, match=r"'rom' of 499500 p-values takes 10 seconds and 1.5 GB"
    ):
        fc.adjust_pvalues(p, method="rom")
    scores = np.random.default_rng(0).normal(size=(3, 600))
    with pytest.raises(fc.InvalidValueError, match=r"`correction`: 'rom' of 179700 p-values"):
        fc.friedman_pairwise_test(scores, correction="rom")
    monkeypatch.setenv("FASTCOMPARE_MOST_ROM", "100")
    with pytest.raises(fc.InvalidValueError, match="FASTCOMPARE_MOST_ROM=101"):
        fc.adjust_pvalues(p[:101], method="rom")


@pytest.mark.parametrize("name", PAIRS)
def test_partitions_of_too_many_models_are_refused_before_any_work(name, monkeypatch):
    def work(*args, **options):
        raise AssertionError("p-values were adjusted")

    monkeypatch.setattr("fastcompare._inference.corrections.pairs.bergmann", work)
    with pytest.raises(fc.InvalidValueError, match="`correction='bergmann-hommel'` takes at most"):
        getattr(fc, name)(**PAIRS[name], correction="bergmann-hommel")


def test_no_model_is_fitted_for_a_correction_that_takes_fewer():
    dummy = pytest.importorskip("sklearn.dummy")
    models = {f"m{i}": dummy.DummyClassifier() for i in range(15)}
    with pytest.raises(fc.InvalidValueError, match="`correction='bergmann-hommel'` takes at most"):
        fc.compare_estimators(models, MANY, LABELS, correction="bergmann-hommel")


DOCUMENTS = {"FASTCOMPARE_MOST_ROWS": 8 + 28, "FASTCOMPARE_MOST_DRAWN": 60 * 8}  # of 8 models
DOCUMENTED = {
    "to_html": "FASTCOMPARE_MOST_ROWS",
    "to_markdown": "FASTCOMPARE_MOST_ROWS",
    "to_latex": "FASTCOMPARE_MOST_ROWS",
    "plot": "FASTCOMPARE_MOST_DRAWN",
}


@pytest.mark.parametrize("way", DOCUMENTED)
def test_documents_and_pictures_that_nobody_reads_are_refused(way, monkeypatch):
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib import pyplot

    result, variable = fc.nemenyi_test(MANY[:, :8]), DOCUMENTED[way]
    most = DOCUMENTS[variable]
    monkeypatch.setenv(variable, str(most - 1))
    with pytest.raises(fc.InvalidValueError, match=f"`result` has .* set {variable}={most} in"):
        getattr(result, way)()
    monkeypatch.setenv(variable, str(most))
    assert getattr(result, way)()
    pyplot.close("all")


def test_many_pairs_are_drawn_up_to_a_number_of_squares_and_left_out_of_pages(
    monkeypatch, tmp_path
):
    result = fc.delong_pairwise_test(LABELS, MANY)
    monkeypatch.setenv("FASTCOMPARE_MOST_DRAWN", "104")
    with pytest.raises(
        fc.InvalidValueError, match="`result` has 105 marks to draw, in 105 squares"
    ):
        result.plot()
    assert "<svg" not in fc.report(result, tmp_path / "few.html").read_text("utf-8")
    monkeypatch.setenv("FASTCOMPARE_MOST_DRAWN", "105")
    assert "<svg" in fc.report(result, tmp_path / "all.html").read_text("utf-8")


@pytest.mark.parametrize("given", ["many", "1e9", "-5", "10**9", "1_000", "9" * 5000])
def test_a_bound_that_is_no_number_is_refused_with_its_name(given, monkeypatch):
    calls = {
        "FASTCOMPARE_MOST_REPLICATES": lambda: called("bayes_signed_rank"),
        "FASTCOMPARE_MOST_ROM": lambda: fc.adjust_pvalues([0.1, 0.2], method="rom"),
        "FASTCOMPARE_MOST_ROWS": lambda: fc.nemenyi_test(MANY).to_html(),
        "FASTCOMPARE_MOST_DRAWN": lambda: fc.nemenyi_test(MANY).plot(),
        "FASTCOMPARE_MOST_UNPACKED": lambda: decompress("x.gz", b"\x1f\x8b"),
    }
    for variable, call in calls.items():
        monkeypatch.setenv(variable, given)
        with pytest.raises(fc.InvalidValueError, match=f"`{variable}` .* must be a whole number"):
            call()


@pytest.mark.parametrize("given", ["", " ", " 100 "])
def test_a_bound_may_be_empty_or_stand_between_spaces(given, monkeypatch):
    monkeypatch.setenv("FASTCOMPARE_MOST_REPLICATES", given)
    assert fc.bayes_signed_rank([0.1, 0.2], [0.3, 0.1], n_resamples=99).n_resamples == 99


def test_times_are_told_in_the_largest_unit():
    assert set(BOUNDS) == {*DOCUMENTS, "FASTCOMPARE_MOST_REPLICATES", "FASTCOMPARE_MOST_ROM"}
    assert [duration(s) for s in (5, 90, 7200, 90_000, 1e9)] == [
        *("5 seconds", "1.5 minutes", "2 hours", "1 days", "31 years")
    ]
