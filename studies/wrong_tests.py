"""Simulate how often the tests that people take by mistake reject a true null hypothesis.

    python -m studies.wrong_tests [--trials 10000] [--jobs 2] [--write]

The designs are those of `fastcompare.advice`, which `recommend(measure=True)` simulates at the
user's own size.
"""

import fastcompare as fc
from fastcompare.advice.rule import WRONG
from fastcompare.simulate.null_designs import NULL_DESIGNS
from studies.tables import markdown, percent, run

CELLS = tuple(NULL_DESIGNS)


def rates(cell, trials):
    """Return the type I errors of the right and of the wrong test, then their power, if asked."""
    world = NULL_DESIGNS[cell]
    tests = {"right": world.right, "wrong": world.wrong}
    draw = world.at(world.n, world.k)
    effects = (0.0, world.effect) if world.better else (0.0,)
    options = {"n_trials": trials, "rng": 1}
    return [
        rate
        for effect in effects
        for rate in fc.simulate_error_rates(tests, draw, effect=effect, **options).rate
    ]


def show(cells, found):
    """Return a table with a row a design."""
    named = {wrong.world: wrong.test for wrong in reversed(WRONG.values())}
    head = ("data", "n", "models", "right test", "wrong test", "power", "the wrong test")
    rows = []
    for cell, (right, wrong, *power) in zip(cells, found, strict=True):
        world = NULL_DESIGNS[cell]
        both = " / ".join(map(percent, power))
        rows.append((cell, world.n, world.k, percent(right), percent(wrong), both, named[cell]))
    return markdown(head, rows)


if __name__ == "__main__":
    run("wrong_tests", "concepts/choosing.md", CELLS, rates, show, trials=10_000)
