"""Calls that replace those of other packages: each one of the page runs."""

import inspect
import re
from pathlib import Path

import pytest

import fastcompare as fc
from fastcompare._base.neighbours import ATTRIBUTES, FUNCTIONS, PARAMETERS, letters_and_digits
from tests.shared.every_call import FUNCTIONS as PUBLIC
from tests.shared.every_call import A, B, Y

PAGE = (Path(__file__).parents[2] / "docs" / "concepts/coming_from.md").read_text("utf-8")
NAMES = re.search(r"```python\n(.*?)```", PAGE, re.S)[1]
ROWS = re.findall(r"^\| (`.*) \| (`.*) \|$", PAGE, re.M)
CALL = re.compile(r"`(fc\..*?)`")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::RuntimeWarning")
def test_every_call_of_the_page_runs(requires_jit):
    pytest.importorskip("matplotlib").use("agg")
    names = {}
    exec(NAMES, names)
    calls = dict.fromkeys(CALL.findall(PAGE))
    assert len(calls) >= 60
    for call in calls:
        assert eval(call, names) is not None, call


def test_every_row_says_what_to_type():
    assert len(ROWS) >= 70
    for typed, call in ROWS:
        assert not typed.startswith("`fc.")
        assert CALL.search(call), typed


def test_names_in_the_text_are_public():
    text = re.sub(r"^\|.*$|```.*?```", "", PAGE, flags=re.M | re.S)
    named = re.findall(r"`(?:fc\.)?([a-z_0-9]+)\(?", text)
    known = {"y", "result", "correction", "direction", "order", "higher_is_better"}
    assert {n for n in named if "_" in n} - known - {"cross_val_score"} <= set(fc.__all__)


OWN = {"score", "bootstrap", "permutation_test", *dir(fc)}  # they mean several things, or one here
TYPED = {}  # by the name that is typed elsewhere: the functions that the page names
for typed, answer in ROWS:
    for word in re.findall(r"`(?:\w+::)?([A-Za-z][\w.]*)\(", typed)[:1]:
        TYPED.setdefault(word, set()).update(re.findall(r"fc\.([\w.]+)\(", answer))


@pytest.mark.parametrize("word", [word for word in TYPED if word.lower() not in OWN])
def test_a_name_of_another_package_leads_to_what_the_page_says(word):
    with pytest.raises(AttributeError) as e:
        getattr(fc, word)
    assert re.search(r"Did you mean '(.*)'\?", str(e.value))[1] in TYPED[word]


def test_names_of_other_packages_lead_to_public_ones():
    words = [letters_and_digits(word) for text in FUNCTIONS.values() for word in text.split()]
    assert len(words) == len({*words})
    assert not {word for text in FUNCTIONS.values() for word in text.split()} & {*fc.__all__}
    for name in FUNCTIONS:
        room, _, inner = name.rpartition(".")
        assert hasattr(getattr(fc, room) if room else fc, inner), name
    parameters = {p for name in PUBLIC for p in inspect.signature(getattr(fc, name)).parameters}
    assert {*PARAMETERS} <= parameters


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda: fc.roc_auc(Y, A, average="macro"), "multiclass_auc"),
        (lambda: fc.roc_auc(Y, A, max_fpr=0.1), "partial_auc"),
        (lambda: fc.roc_auc(target=Y, preds=A), "'y_true'"),
        (lambda: fc.delong_test(Y, A, B, paired=False), "unpaired"),
        (lambda: fc.delong_test(Y, A, B, labels=[0, 1]), "'pos_label'"),
        (lambda: fc.delong_test(Y, A, B, method="delong"), "'midrank'"),
        (lambda: fc.delong_test(Y, A, B, conf_level=0.9), r"confidence_interval\(level\)"),
        (lambda: fc.delong_test(Y, A, B, alternative="two.sided"), "'two-sided'"),
        (lambda: fc.bootstrap_auc_test(Y, A, B, **{"boot.n": 99}), "'n_resamples'"),
        (lambda: fc.bootstrap_auc_test(Y, A, B, B=99), "'n_resamples'"),
        (lambda: fc.roc_auc_interval(Y, A, conf_level=0.9), "'confidence_level'"),
        (lambda: fc.roc_auc_interval(Y, A, method="bca"), "'bootstrap'"),
        (lambda: fc.accuracy_interval(Y, Y, method="beta"), "'clopper-pearson'"),
        (lambda: fc.mcnemar_test(Y, Y, Y, corrected=False), "'continuity'"),
        (lambda: fc.conover_test({"a": A, "b": B}, p_adjust="holm"), "'correction'"),
        (lambda: fc.wilcoxon_test(A, B, zero_method="pratt"), "'zeros'"),
        (lambda: fc.bootstrap_metric_test(Y, Y, Y, metric="f1_score"), "'f1'"),
        (lambda: fc.bootstrap_metric_test(Y, Y, Y, metric="roc_auc"), "bootstrap_auc_test"),
    ],
)
def test_an_option_of_another_package_leads_to_the_one_here(call, hint):
    with pytest.raises((TypeError, ValueError), match=hint):
        call()


@pytest.mark.parametrize(
    ("word", "name"),
    [(word, name) for name, words in ATTRIBUTES.items() for word in words.split()],
)
def test_a_result_names_the_attribute_that_others_call_otherwise(word, name):
    result = fc.delong_pairwise_test(Y, {"a": A, "b": B, "c": A + B}, on_undefined="ignore")
    assert hasattr(result, name)
    with pytest.raises(AttributeError, match=f"Did you mean '{name}'"):
        getattr(result, word)
