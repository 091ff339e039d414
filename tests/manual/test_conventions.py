"""What docs/conventions.md says of options is what the functions take."""

import inspect
import re
from pathlib import Path

import pytest

import fastcompare as fc

PAGE = Path(__file__).parents[2] / "docs" / "conventions.md"
OPTIONS = {"weights": "sample_weight", "groups": "groups", "margin": "margin"}
OPTIONS |= {"nan_policy": "nan_policy"}
WITHOUT_CASES = {  # they take no table that could miss a value
    *("adjust_pvalues", "auc_power", "auc_sample_size", "compact_letters", "critical_difference"),
    *(
        "from_long",
        "load_dataset_scores",
        "load_fold_scores",
        "load_predictions",
        "read_evals",
        "show_config",
    ),
    *("mean_detectable_difference", "mean_power", "mean_sample_size", "simulate_error_rates"),
    *("pool", "report", "warmup"),
}


def rows():
    """The functions of each row of the table, and what it says of each option."""
    table = PAGE.read_text().partition("| functions |")[2].splitlines()
    heads = [head.strip() for head in table[0].strip(" |").split("|")]
    for line in table[2:]:
        cells = [cell.strip() for cell in line.strip().removeprefix("|").split("|")]
        for name in re.findall(r"`(\w+)`", cells[0]):
            yield name, dict(zip(heads, cells[1:], strict=False))


@pytest.mark.parametrize(("name", "said"), list(rows()), ids=lambda value: str(value)[:40])
def test_a_function_takes_the_options_that_the_table_says(name, said):
    parameters = inspect.signature(getattr(fc, name)).parameters
    taken = {head: option in parameters for head, option in OPTIONS.items()}
    assert taken == {head: said[head] == "yes" for head in OPTIONS}


def test_every_function_of_data_that_lacks_an_option_is_in_the_table_once():
    names = [name for name, _ in rows()]
    functions = {name for name in fc.__all__ if inspect.isfunction(getattr(fc, name))}
    parameters = {name: inspect.signature(getattr(fc, name)).parameters for name in functions}
    complete = {name for name in functions if {*OPTIONS.values()} <= {*parameters[name]}}
    assert sorted(names) == sorted(functions - WITHOUT_CASES - complete)
