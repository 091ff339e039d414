"""Options that functions share: shown by each of them, with entries written once."""

import inspect

import pytest

from fastcompare._base.documented import documented, with_engine_options


def engine(first, *, rng: "int" = 3, nan_policy="raise", level=0.5):
    """Return an engine's answer.

    Parameters
    ----------
    level : float, default=0.5
        The engine's words.

    Returns
    -------
    tuple
        All of it.
    """
    return first, rng, nan_policy, level


@with_engine_options(engine)
def shown(first, *, n_jobs=1, own=2, nan_policy="omit", **options):
    """Return what the engine answers.

    Parameters
    ----------
    first, own : object
        The function's words.
    """
    return n_jobs, own, engine(first, nan_policy=nan_policy, **options)


def test_options_are_shown_in_the_one_order_and_the_functions_own_ones_win():
    parameters = inspect.signature(shown).parameters
    assert list(parameters) == ["first", "own", "level", "rng", "n_jobs", "nan_policy"]
    assert parameters["nan_policy"].default == "omit"
    assert shown(1, rng=4) == (1, 2, (1, 4, "omit", 0.5))


def test_each_option_is_described_once():
    doc = inspect.getdoc(shown)
    lines = doc.splitlines()
    assert lines[0] == "Return what the engine answers."
    heads = [line.partition(" :")[0] for line in lines if " : " in line]
    assert heads == ["first, own", "level", "rng", "n_jobs", "nan_policy"]
    assert "n_jobs : int, default=1" in lines
    assert "nan_policy : {'raise', 'omit'}, default='omit'" in lines
    assert doc.index("All of it.") > doc.index("The engine's words.")


def test_an_unknown_option_is_answered_with_the_functions_name_and_the_nearest_option():
    with pytest.raises(TypeError, match=r"^shown\(\) got .* 'njobs'. Did you mean 'n_jobs'\?$"):
        shown(1, njobs=2)


def test_where_docstrings_are_stripped_nothing_is_added():
    def bare(*, n_jobs=1):
        return n_jobs

    assert documented(bare).__doc__ is None
    assert with_engine_options(bare)(bare).__doc__ is None
