"""The public face: names, signatures, docstrings; nothing becomes public by accident."""

import ast
import copy
import difflib
import importlib
import inspect
import pickle
import pkgutil
import re
import subprocess
import sys
import typing

import pytest
from numpydoc.docscrape import FunctionDoc

import fastcompare as fc
from scripts import write_api

FUNCTIONS = [name for name in fc.__all__ if inspect.isfunction(getattr(fc, name))]
RESULTS = [name for name in fc.results.__all__ if name.endswith(("Result", "Covariance"))]
MODULES = {"advice", "datasets", "kernels", "plots", "results", "simulate", *write_api.FAMILIES}
FIXED = {  # spellings that other people's programs rely on
    "roc_auc": ["y_true", "y_score"],
    "roc_auc_interval": ["y_true", "y_score", "method", "confidence_level"],
    "delong_test": [
        "y_true",
        "y_score_a",
        "y_score_b",
        "alternative",
        "margin",
        "n_jobs",
        "pos_label",
        "nan_policy",
    ],
    "delong_unpaired_test": ["y_true_1", "y_score_1", "y_true_2", "y_score_2"],
    "concordance": ["time", "event", "scores", "tau", "predicts", "method", "sample_weight"],
    "concordance_covariance": ["time", "event", "scores", "tau", "predicts", "method"],
    "concordance_interval": ["time", "event", "risk", "interval", "tau", "predicts", "method"],
    "concordance_omnibus_test": ["time", "event", "scores", "contrast", "tau", "predicts"],
    "concordance_pairwise_test": ["time", "event", "scores", "tau", "predicts", "correction"],
    "concordance_test": [
        *("time", "event", "risk_a", "risk_b", "tau", "predicts", "method", "reference"),
        *("sample_weight", "groups", "alternative", "margin"),
    ],
    "delong_covariance": ["y_true", "scores"],
    "delong_omnibus_test": ["y_true", "scores", "contrast"],
    "delong_batch": ["y_true", "scores_a", "scores_b"],
    "multiclass_auc": ["y_true", "y_score", "classes", "average"],
    "multiclass_auc_test": ["y_true", "y_score_a", "y_score_b", "classes", "average"],
    "auc_power": ["auc", "n_positive", "n_negative", "alpha"],
    "auc_sample_size": ["auc", "power", "ratio", "alpha"],
    "partial_auc": ["y_true", "y_score", "fpr", "tpr", "standardized"],
    "partial_auc_test": ["y_true", "y_score_a", "y_score_b", "fpr", "tpr", "standardized"],
    "sensitivity_at_specificity": ["y_true", "y_score", "specificity"],
    "specificity_at_sensitivity": ["y_true", "y_score", "sensitivity"],
    "average_precision": ["y_true", "y_score"],
    "roc_curve_band": ["y_true", "y_score", "fpr", "simultaneous", "confidence_level"],
    "adjust_pvalues": ["pvalues", "method"],
    "bradley_terry": [
        *("model_a", "model_b", "outcome", "ties", "order_effect"),
        *("sample_weight", "groups"),
    ],
    "pass_at_k": ["n_samples", "n_correct", "k"],
    "pass_all_k": ["n_samples", "n_correct", "k"],
    "mean_power": ["difference", "n", "variance", "alternative", "alpha"],
    "mean_sample_size": ["difference", "power", "variance", "alternative", "alpha"],
    "contingency_table": ["y_true", "y_pred_a", "y_pred_b"],
    "mcnemar_test": [
        "y_true",
        "y_pred_a",
        "y_pred_b",
        "interval",
        "method",
        "continuity",
        "groups",
        "alternative",
        "margin",
    ],
    "mcnemar_pairwise_test": ["y_true", "predictions", "correction"],
    "cochran_q_test": ["y_true", "predictions", "method"],
    "two_proportions_test": ["y_true", "y_pred_a", "y_pred_b"],
    "two_proportions_unpaired_test": ["y_true_1", "y_pred_1", "y_true_2", "y_pred_2"],
    "accuracy_interval": ["y_true", "y_pred", "correct", "n", "method"],
    "bowker_test": ["labels_a", "labels_b"],
    "stuart_maxwell_test": ["labels_a", "labels_b"],
    "brier_score": ["y_true", "y_prob"],
    "log_loss": ["y_true", "y_prob", "clip"],
    "scoring_test": [
        "y_true",
        "y_prob_a",
        "y_prob_b",
        "rule",
        "method",
        "alternative",
        "n_resamples",
        "rng",
    ],
    "mean_interval": ["scores", "lags", "sample_weight", "groups", "strata", "confidence_level"],
    "paired_mean_test": [
        *("scores_a", "scores_b", "lags", "method", "sample_weight", "groups", "strata"),
        *("alternative", "margin", "n_resamples", "rng", "nan_policy"),
    ],
    "mean_pairwise_test": [
        *("scores", "method", "sample_weight", "groups", "strata", "alternative", "correction"),
        *("alpha", "nan_policy"),
    ],
    "from_long": ["frame", "model", "item", "score", "sample", "group", "weight", "task"],
    "leaderboard": [
        *("scores", "task", "task_weight", "method", "sample_weight", "groups", "alternative"),
        *("alpha", "higher_is_better", "n_resamples", "rng", "nan_policy"),
    ],
    "mean_covariance": ["scores", "sample_weight", "groups", "strata", "nan_policy"],
    "mean_omnibus_test": ["scores", "sample_weight", "groups", "strata", "nan_policy"],
    "ttest_5x2cv": ["scores_a", "scores_b", "alternative"],
    "ftest_5x2cv": ["scores_a", "scores_b"],
    "ttest_kfold": ["scores_a", "scores_b", "alternative"],
    "ttest_resampled": ["scores_a", "scores_b", "alternative"],
    "ttest_corrected": ["scores_a", "scores_b", "n_train", "n_test", "alternative"],
    "ttest_corrected_batch": ["scores_a", "scores_b", "n_train", "n_test", "alternative"],
    "rm_anova_test": ["scores", "n_train", "n_test", "sphericity"],
    "rm_anova_batch": ["scores", "n_train", "n_test", "sphericity"],
    "mauchly_test": ["scores"],
    "bayes_correlated_ttest": ["scores_a", "scores_b", "n_train", "n_test", "rope"],
    "bayes_sign": ["scores_a", "scores_b", "rope"],
    "bayes_signed_rank": ["scores_a", "scores_b", "rope", "n_resamples", "rng", "n_jobs"],
    "wilcoxon_test": ["scores_a", "scores_b", "zeros", "method", "alternative", "nan_policy"],
    "sign_test": ["scores_a", "scores_b", "zeros", "alternative", "nan_policy"],
    "compare_estimators": [
        "estimators",
        "X",
        "y",
        "scheme",
        "scoring",
        "rng",
        "n_jobs",
        "progress",
    ],
    "from_cv_results": ["cv_results", "n_train", "n_test"],
    "disagreement": ["y_true", "y_pred_a", "y_pred_b"],
    "double_fault": ["y_true", "y_pred_a", "y_pred_b"],
    "yule_q": ["y_true", "y_pred_a", "y_pred_b"],
    "cohen_kappa_test": ["y_true", "y_pred_a", "y_pred_b", "weights", "classes"],
    "cohen_kappa": ["y_true", "y_pred_a", "y_pred_b", "on", "weights"],
    "agreement": ["y_true", "y_pred_a", "y_pred_b"],
    "agreement_matrix": ["y_true", "predictions"],
    "friedman_test": ["scores", "ties", "method", "higher_is_better", "nan_policy"],
    "friedman_aligned_ranks_test": ["scores"],
    "quade_test": ["scores"],
    "skillings_mack_test": ["scores"],
    "nemenyi_test": ["scores", "alpha", "higher_is_better", "nan_policy"],
    "critical_difference": ["k", "n", "test", "alpha"],
    "friedman_pairwise_test": ["scores", "correction"],
    "conover_test": ["scores", "correction"],
    "friedman_exact_pairs_test": ["scores", "correction"],
    "control_test": ["scores", "control", "correction"],
    "delong_control_test": ["y_true", "scores", "control", "correction"],
    "compare_datasets": ["scores", "alpha"],
    "durbin_test": ["scores"],
    "simulate_error_rates": ["tests", "design", "n_trials", "effect", "alpha", "rng", "n_jobs"],
}


def test_all_is_sorted_and_is_what_dir_shows():
    for module in (fc, fc.results):
        assert module.__all__ == sorted(module.__all__) == dir(module)
    assert set(fc.__all__) == {*fc._HOME, *fc._MODULES}


def test_the_face_holds_functions_modules_and_exceptions():
    others = [name for name in fc.__all__ if name not in {*FUNCTIONS, *fc._MODULES}]
    assert all(issubclass(getattr(fc, name), Exception) for name in others)
    assert all(inspect.isclass(getattr(fc.results, name)) for name in fc.results.__all__)


@pytest.mark.parametrize(
    ("owner", "name", "meant"),
    [
        (fc, "delong", "delong_test"),
        (fc, "DeLongResult", "results.DeLongResult"),
        (fc.results, "DelongResult", "DeLongResult"),
        (
            fc.roc_auc_interval([0, 0, 1, 1], [1, 3, 2, 4]),
            "confidence_intervals",
            "confidence_interval",
        ),
        (fc.mcnemar_test([0, 1, 1], [0, 1, 0], [0, 0, 1]), "p_value", "pvalue"),
    ],
)
def test_a_misspelt_attribute_suggests_the_right_one(owner, name, meant):
    with pytest.raises(AttributeError, match=f"no attribute '{name}'. Did you mean '{meant}'"):
        getattr(owner, name)


def test_an_attribute_like_no_other_suggests_nothing():
    with pytest.raises(AttributeError, match=r"module 'fastcompare' has no attribute 'xyzzy'$"):
        fc.xyzzy  # noqa: B018


def test_results_are_pickled_and_copied_by_their_public_class():
    result = fc.mcnemar_test([0, 1, 1], [0, 1, 0], [0, 0, 1])
    assert b"fastcompare.results" in pickle.dumps(result)
    for copied in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result)):
        assert copied.to_dict() == result.to_dict()


def test_public_modules_are_the_ones_without_underscore():
    found = {m.name for m in pkgutil.iter_modules(fc.__path__) if not m.name.startswith("_")}
    assert found == MODULES


def test_the_snapshot_has_every_name_signature_field_and_option():
    """A change that this finds is one for users: CONTRIBUTING says what is allowed when."""
    kept, found = write_api.SNAPSHOT.read_text("utf-8"), write_api.snapshot_text()
    changes = [
        line for line in difflib.ndiff(kept.split("\n"), found.split("\n")) if line[0] != " "
    ]
    refresh = (
        "if that is meant, run `python scripts/write_api.py` and add a fragment to changelog.d/"
    )
    assert kept == found, "\n".join(["the public face changed:", *changes, refresh])


def test_the_table_of_results_has_all_that_functions_return():
    assert write_api.STUB.read_text("utf-8") == write_api.stub(), (
        "run `python scripts/write_api.py`"
    )


@pytest.mark.parametrize("path", write_api.generated(), ids=lambda p: f"{p.parent.name}/{p.name}")
def test_stubs_and_tables_of_functions_are_generated(path):
    assert path.read_text("utf-8") == write_api.generated()[path], (
        "run `python scripts/write_api.py`"
    )


@pytest.mark.parametrize(
    "path",
    sorted((write_api.ROOT / "fastcompare").rglob("*.pyi")),
    ids=lambda p: f"{p.parent.name}/{p.name}",
)
def test_editors_show_the_docstring_of_the_module_and_not_of_its_stub(path):
    assert ast.get_docstring(ast.parse(path.read_text())) is None
    assert ast.get_docstring(ast.parse(path.with_suffix(".py").read_text()))


@pytest.mark.parametrize("name", write_api.FAMILIES)
def test_a_family_has_the_functions_of_its_kind_of_data(name):
    family = getattr(fc, name)
    assert family.__all__ == dir(family)
    assert [getattr(family, function) for function in family.__all__] == [
        getattr(fc, function) for function in family.__all__
    ]
    named = " ".join([*family.CALLS, *family.CALLS.values()])
    missing = {f for f in family.__all__ if re.sub(r"_(interval|test)$", "", f) not in named}
    assert not missing, f"enter them in CALLS of fastcompare/{name}/__init__.py"
    with pytest.raises(AttributeError, match=f"module 'fastcompare.{name}' has no attribute"):
        family.xyzzy  # noqa: B018


def test_families_share_no_function():
    names = [function for name in write_api.FAMILIES for function in getattr(fc, name).__all__]
    assert len(names) == len(set(names)) > 130


@pytest.mark.parametrize("name", sorted([*fc._HOME, *fc._RESULTS]))
def test_names_report_the_public_module(name):
    place = fc.results if name in fc.results.__all__ else fc
    assert getattr(place, name).__module__ == place.__name__


@pytest.mark.parametrize("name", FUNCTIONS)
def test_docstrings_are_complete_numpydoc(name):
    function = getattr(fc, name)
    doc = FunctionDoc(function)
    parameters = set(inspect.signature(function).parameters)
    documented = {p.lstrip("*") for entry in doc["Parameters"] for p in entry.name.split(", ")}
    assert documented == parameters
    assert doc["Summary"]
    assert doc["Returns"]
    assert doc["Examples"]
    if parameters:
        assert doc["References"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_help_begins_with_a_signature_that_people_can_read(name):
    signature = inspect.signature(getattr(fc, name))
    types = [p.annotation for p in signature.parameters.values()]
    assert all(isinstance(written, str) for written in [*types, signature.return_annotation])
    quotes = 2 * len(types)  # of the types; Python 3.14 leaves them away
    most = {"compare": 1100, "recommend": 800, "leaderboard": 700}.get(name, 600)  # of any table
    assert len(f"{name}{signature}") - quotes < most


@pytest.mark.parametrize("name", sorted([*fc._HOME, *fc._RESULTS]))
def test_types_can_be_asked_for_at_run_time(name):
    found = getattr(fc.results if name in fc.results.__all__ else fc, name)
    assert typing.get_type_hints(found).keys() >= getattr(found, "__annotations__", {}).keys()


@pytest.mark.parametrize("name", FIXED)
def test_fixed_spellings(name):
    parameters = inspect.signature(getattr(fc, name)).parameters
    assert [p for p in parameters if p in FIXED[name]] == FIXED[name]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_at_most_four_positional_parameters(name):
    kinds = [p.kind for p in inspect.signature(getattr(fc, name)).parameters.values()]
    assert kinds.count(inspect.Parameter.POSITIONAL_OR_KEYWORD) <= 4


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_frozen_records_that_print(name):
    result_type = getattr(fc.results, name)
    assert result_type.__dataclass_params__.frozen
    for method in ("summary", "to_dict", "_repr_html_", "__str__"):
        assert callable(getattr(result_type, method))


def test_every_module_imports_alone():
    for module in pkgutil.walk_packages(fc.__path__, "fastcompare."):
        if not module.name.endswith(("__main__", "hook-fastcompare")):  # that is PyInstaller's
            importlib.import_module(module.name)


@pytest.mark.slow
def test_importing_loads_numpy_at_most():
    code = "import sys, fastcompare; print(*sorted({m.partition('.')[0] for m in sys.modules}))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not {"numba", "scipy", "pandas", "typer", "rich"} & set(loaded.stdout.split())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("call", "unused"),
    [
        ("delong_test([0, 0, 1, 1], [1, 2, 3, 4], [2, 1, 3, 4])", {"scipy.stats", "scipy.special"}),
        ("compare(fc.load_fold_scores().scores, design='kfold')", {"scipy.stats"}),
    ],
)
def test_a_comparison_does_not_load_scipy_stats(call, unused):
    code = (
        "import sys, warnings, fastcompare as fc\n"
        f"warnings.simplefilter('ignore')\nfc.{call}\nprint(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not unused & {*loaded.stdout.split()}


def test_configuration():
    config = fc.show_config()
    assert config["fastcompare"] == fc.__version__
    assert all(isinstance(value, str) for value in config.values())


QUICK = {"agreement", "bayes_signed_rank", "friedman_test"}  # their resampling takes 0.1 s at most


def test_what_resamples_or_simulates_shows_progress():
    repeated = {
        name
        for name in filter(lambda name: inspect.isfunction(getattr(fc, name)), fc.__all__)
        if {"n_resamples", "n_trials"} & inspect.signature(getattr(fc, name)).parameters.keys()
    }
    silent = {n for n in repeated if "progress" not in inspect.signature(getattr(fc, n)).parameters}
    assert silent == QUICK
    assert "progress" in inspect.signature(fc.results.Comparison.trust).parameters
