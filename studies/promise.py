"""How often `compare` errs, as its users meet it: a black box with its defaults.

    python -m studies.promise [--trials 2000] [--jobs 2] [--store FILE] [--write]

Every cell is a shape of data, a size and a number of models. Of its data sets one half has equal
models ("level": any difference that is claimed is wrong); in the other half the first half of the
models is better, which leaves the pairs within each half equal ("partial": any of these that is
claimed), and of two models the interval has a truth to hold ("coverage"). "Power" is the share of
the true differences that are found, "silent power" of those that are found without a warning.
"Standard" is the level of Student's t-test (of AUCs DeLong's z) of all pairs with Holm's
correction, and "its power"; "oracle" is the power of its largest statistic at the critical value
that cuts 5% of the same shape's equal models: no test that is bought knows that value. "Warned" is
the share of the data sets with equal models where a warning came. "Expected" is how often a sample
has the rare feature of its shape, where it has one: the promise is made from 3 on, and below it is
that a warning comes. Margins are those of tests of two models that differ by exactly the margin.
"""

import math
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import norm
from scipy.stats import t as student

import fastcompare as fc

from .rare_shapes import (
    coded_at_margin,
    constant,
    draw_against,
    draw_costs,
    draw_failing,
    draw_failing_clusters,
    draw_one_long_tail,
    draw_one_order,
    draw_ratings,
    draw_sure,
    draw_weighted_answers,
    draw_weighted_by_score,
    leaves,
    rule,
    zeros,
)
from .shapes import (
    Drawn,
    alike,
    answers_at_margin,
    better,
    clustered_answers_at_margin,
    draw_answers,
    draw_battles,
    draw_clusters,
    draw_forecasts,
    draw_items,
    draw_rare_events,
    draw_rounds,
    draw_scores,
    draw_tasks,
    draw_weighted,
    heavy,
    lognormals,
    means_at_margin,
    rare,
    rounds_at_margin,
    scores_at_margin,
    skewed,
    two_wide,
)
from .tables import markdown, percent, run

ALPHA = 0.05
GAIN = {2: 2.8, 3: 3.2, 5: 3.6, 10: 4.0}  # standard errors of a difference, by models
MODELS = (2, 3, 5, 10)


class World(NamedTuple):
    """A shape of data: how it is drawn, and at which sizes; the share that has a rare feature."""

    kind: str
    shape: str
    draw: Callable[..., Drawn]
    sizes: tuple[Any, ...]
    models: tuple[int, ...] = MODELS
    share: float = math.nan


class Cell(NamedTuple):
    """A world at one size and number of models."""

    world: World
    n: Any
    k: int

    @property
    def expected(self):
        """How often a sample has the rare feature; NaN where there is none."""
        fewest = min(self.n) if isinstance(self.n, tuple) else self.n
        return math.nan if math.isnan(self.world.share) else self.world.share * fewest


class Level(NamedTuple):
    """Shares of data sets, NaN where a question has no answer."""

    level: float
    silent: float
    warned: float
    partial: float = math.nan
    coverage: float = math.nan
    power: float = math.nan
    silent_power: float = math.nan
    standard: float = math.nan
    its_power: float = math.nan
    oracle: float = math.nan
    trials: float = math.nan


COUNTS = ((5, 95), (10, 190), (50, 50))
UNEQUAL = (20, 50, "60 + 20 × 3")
WORLDS = (
    World("items", "normal", partial(draw_items, shape=alike), (10, 20, 50)),
    World(
        *("items", "one lognormal, others normal"),
        *(partial(draw_items, shape=skewed), (10, 12, 20, 50, 200)),
    ),
    World("items", "lognormal", partial(draw_items, shape=lognormals), (20, 50), (2, 5)),
    World("items", "5% vary ten times as much", partial(draw_items, shape=heavy), (20, 50), (2, 5)),
    World("items", "one model 10 sd higher in 5%", partial(draw_items, shape=rare), (50,), (2, 5)),
    World(
        "items", "right or wrong, .9", partial(draw_answers, right=0.9), (20, 50, 200), (2, 5, 10)
    ),
    World("items", "right or wrong, .98", partial(draw_answers, right=0.98), (50, 200), (2, 5, 10)),
    World("items", "unequal clusters", draw_clusters, UNEQUAL),
    World(
        *("items", "one lognormal, unequal clusters"),
        *(partial(draw_clusters, shape=skewed), (20, 50, 200), (2, 5)),
    ),
    World("items", "lognormal weights", draw_weighted, (20, 200), (2, 5, 10)),
    *(
        World(
            "labels", f"accuracy {p:g}", partial(draw_answers, right=p, kind="labels"), sizes, few
        )
        for p, sizes, few in ((0.8, (20, 50, 200), MODELS), (0.95, (50, 200), (2, 5)))
    ),
    World(
        *("labels", "accuracy 0.8, unequal clusters"),
        *(partial(draw_clusters, kind="labels", right=0.8), UNEQUAL, (2, 5)),
    ),
    World(
        *("labels", "one model fails on 8% of the clusters"),
        *(draw_failing_clusters, (25, 50, 100), (2,), 0.08),
    ),
    World("items", "ratings of 1 (4%) or 5, and 4 or 5", draw_ratings, (30, 50, 100), (2,), 0.04),
    World("items", "costs, 98% of which are 0", draw_costs, (20, 50, 200), (2,), 0.02),
    World("items", "one lognormal of sd 1.5", draw_one_long_tail, (20, 50), (5,)),
    World("items", "weights by the score", draw_weighted_by_score, (50, 200), (2,)),
    World("items", "99% right, weights of 1 and 16", draw_weighted_answers, (300,), (2,), 0.01),
    World("scores", "AUC .5", partial(draw_scores, auc=0.5), COUNTS),
    World("scores", "AUC .8", draw_scores, ((10, 190), (15, 85), (60, 140))),
    World("scores", "AUC .99", partial(draw_scores, auc=0.99), ((10, 190), (50, 150)), (2, 5)),
    World(
        *("scores", "AUC .95, better ones .99"),
        *(partial(draw_scores, auc=0.95, best=0.99), ((60, 140), (50, 950), (120, 800)), (2,)),
    ),
    World(
        *("scores", "AUC .75, better ones .85"),
        *(partial(draw_scores, auc=0.75, best=0.85), ((40, 60),), (2,)),
    ),
    *(
        World("scores", f"AUC .85 against {said}", partial(draw_against, comparator=against), n, k)
        for said, against, n, k in (
            ("a constant", constant, ((20, 20), (30, 270)), (2,)),
            ("rules that fire in 3%", partial(rule, fires=0.03), ((20, 20), (30, 270)), (2, 5)),
            ("rules that fire in 10%", partial(rule, fires=0.1), ((20, 20),), (2,)),
            ("scores 90% of which are 0", zeros, ((20, 20), (30, 270)), (2, 5)),
            ("trees of three leaves", leaves, ((20, 20), (30, 270)), (2, 5)),
        )
    ),
    *(
        World(
            *("scores", f"AUC {auc:g}, {100 * share:g}% of one model's positives last"),
            *(partial(draw_failing, auc=auc, share=share, best=best), sizes, (2,), share),
        )
        for auc, share, best, sizes in (
            (0.97, 0.03, 0.995, ((30, 300), (120, 800))),
            (0.95, 0.04, 0.99, ((30, 300), (100, 900))),
            (0.9, 0.08, 0.97, ((20, 20), (50, 150), (100, 900))),
        )
    ),
    World(
        *("scores", "AUC .97, sd 1 and 3"),
        *(partial(draw_scores, auc=0.97, spread=3.0), ((50, 150), (30, 300)), (2, 5)),
    ),
    World(
        "scores",
        "AUC .8, sd 1 and 2",
        partial(draw_scores, spread=2.0),
        ((10, 40), (50, 50)),
        (2, 5),
    ),
    World("scores", "AUC .8, five values", partial(draw_scores, ordinal=True), ((20, 80),), (2, 5)),
    World("probabilities", "half of all positive", draw_forecasts, (20, 50, 200), (2, 5, 10)),
    World(
        "probabilities",
        "5% positive, 1.8 times the risk",
        draw_rare_events,
        (50, 200, 1000),
        (2, 5),
    ),
    World(
        *("probabilities", "5% positive, unequal clusters"),
        *(partial(draw_rare_events, clustered=True), (20, 50, 200), (2, 5)),
    ),
    World(
        "probabilities",
        "sure and rarely wrong, or moderate",
        draw_sure,
        (50, 100, 250),
        (2,),
        0.014,
    ),
    World("folds", "splits of 90 + 10", draw_rounds, (10, 50)),
    World("datasets", "normal", partial(draw_tasks, shape=alike), (6, 10, 20)),
    World("datasets", "lognormal", partial(draw_tasks, shape=lognormals), (10, 20), (2, 5)),
    World(
        "datasets", "two models vary 5 times as much", partial(draw_tasks, shape=two_wide), (20,)
    ),
    World("battles", "independent", draw_battles, (100, 300), (2, 3, 5, 10)),
    World(
        "battles",
        "judges of unequal diligence",
        partial(draw_battles, judges=True),
        (8, 30),
        (2, 5, 10),
    ),
    World("battles", "one order, preferred by .8", draw_one_order, (100,), (2, 5)),
)
CLAIMS = (
    World("margins", "`paired_mean_test`, normal", partial(means_at_margin, shape=alike), (10, 50)),
    World(
        "margins",
        "`paired_mean_test`, one lognormal",
        partial(means_at_margin, shape=skewed),
        (10, 20, 50, 200),
    ),
    World(
        "margins",
        "`paired_mean_test`, right or wrong",
        partial(answers_at_margin, test=fc.paired_mean_test),
        (10, 20, 50, 200),
    ),
    World(
        "margins",
        "`paired_mean_test`, right or wrong in unequal clusters",
        clustered_answers_at_margin,
        (20, 50, 200),
    ),
    World(
        "margins", "`mcnemar_test`", partial(answers_at_margin, test=fc.mcnemar_test), (20, 50, 200)
    ),
    World("margins", "`delong_test`, correlated by .5", scores_at_margin, ((10, 90), (50, 50))),
    World(
        "margins",
        "`delong_test`, correlated by .9",
        partial(scores_at_margin, rho=0.9),
        ((10, 90), (50, 50)),
    ),
    World(
        *("margins", "`delong_test`, correlated by .9, AUCs .93 and .98"),
        *(partial(scores_at_margin, rho=0.9, auc=0.93), ((20, 180), (50, 50))),
    ),
    World("margins", "`ttest_corrected`", rounds_at_margin, (10,)),
    *(
        World(
            *("margins", f"`paired_mean_test`, 3% wrong, coded {least}/{most}"),
            *(partial(coded_at_margin, least=least, most=most), (20, 100, 200), (2,), 0.03),
        )
        for least, most in ((0, 1), (1, 5), (0, 100))
    ),
)
CELLS = [
    *(Cell(world, n, k) for world in WORLDS for n in world.sizes for k in world.models),
    *(Cell(world, n, 2) for world in CLAIMS for n in world.sizes),
]


BY_NAME = {(cell.world.kind, cell.world.shape, cell.n, cell.k): cell for cell in CELLS}


class Answer(NamedTuple):
    """What a comparison says of each pair, whether it warned, and Student's t of each by hand."""

    claimed: Any
    warned: bool
    covered: float
    by_hand: Any
    df: float


def warned_of(call):
    """Return the result of a call, and whether a warning came."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        return call(), bool(heard)


def answer(drawn, k):
    """Return what `compare` says of a data set."""
    found, warned = warned_of(partial(fc.compare, *drawn.args, **drawn.options))
    if k > 2:
        named_pairs = zip(found.result.pairs, found.result.adjusted_pvalue.tolist(), strict=True)
        claims = {frozenset(pair): p <= ALPHA for pair, p in named_pairs}
        first, second = np.triu_indices(k, 1)
        order = [frozenset((f"m{a}", f"m{b}")) for a, b in zip(first, second, strict=True)]
        claimed = np.array([claims[pair] for pair in order])
        return Answer(claimed, warned, math.nan, largest(drawn.parts, k), df_of(drawn.parts))
    pair, value = found.pairs[0], dict(zip(("m0", "m1"), drawn.values.tolist(), strict=True))
    truth = value[pair.model_a] - value[pair.model_b]
    known = not math.isnan(truth + pair.low)
    covered = float(pair.low <= truth <= pair.high) if known else math.nan
    by_hand = largest(drawn.parts, k)
    return Answer(np.array([pair.differ]), warned, covered, by_hand, df_of(drawn.parts))


def largest(parts, k):
    """Return Student's t, without its sign, of the differences of all pairs."""
    first, second = np.triu_indices(k, 1)
    if not parts:
        return np.full(first.size, np.nan)
    apart = [part[:, first] - part[:, second] for part in parts]
    variance = sum(d.var(axis=0, ddof=1) / len(d) for d in apart)
    mean = np.abs(apart[0].mean(axis=0))
    return np.divide(mean, np.sqrt(variance), out=np.zeros(first.size), where=variance > 1e-20)


def df_of(parts):
    """Return the degrees of freedom of Student's t; of AUCs, in two parts, it is normal."""
    return len(parts[0]) - 1.0 if len(parts) == 1 else math.inf


def by_standard_test(answers):
    """Return which pairs Student's t-tests with Holm's correction claim, a row per data set."""
    t = np.array([one.by_hand for one in answers])
    df = np.array([one.df for one in answers])[:, None]
    p = 2.0 * np.where(np.isinf(df), norm.sf(t), student.sf(t, np.where(np.isinf(df), 1.0, df)))
    order, k = np.argsort(p, axis=1), p.shape[1]
    steps = np.take_along_axis(p, order, axis=1) * np.arange(k, 0, -1)
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, np.maximum.accumulate(steps, axis=1), axis=1)
    return adjusted <= ALPHA


def measure(cell, *, trials):
    """Return the shares of one cell."""
    world, n, k = cell
    rng = np.random.default_rng([*map(ord, f"{world.kind}{world.shape}{n}{k}")])
    if world.kind == "margins":
        return at_margin(world, n, rng, trials)
    equal, half = (
        [answer(world.draw(rng, n, k, gain), k) for _ in range(trials)] for gain in (0.0, GAIN[k])
    )
    wrong, warned = np.array([a.claimed.any() for a in equal]), np.array([a.warned for a in equal])
    claimed, t = np.array([a.claimed for a in half]), np.array([a.by_hand for a in half])
    silently = claimed & ~np.array([a.warned for a in half])[:, None]
    cut = np.quantile([a.by_hand.max() for a in equal], 1.0 - ALPHA)
    gains = better(k, 1.0)
    first, second = np.triu_indices(k, 1)
    true, known = gains[first] != gains[second], not math.isnan(cut)
    return Level(
        level=wrong.mean(),
        silent=(wrong & ~warned).mean(),
        warned=warned.mean(),
        partial=claimed[:, ~true].any(axis=1).mean() if k > 2 else math.nan,
        coverage=mean_of([a.covered for a in half if not math.isnan(a.covered)]),
        power=claimed[:, true].mean(),
        silent_power=silently[:, true].mean(),
        standard=by_standard_test(equal).any(axis=1).mean() if known else math.nan,
        its_power=by_standard_test(half)[:, true].mean() if known else math.nan,
        oracle=(t[:, true] > cut).mean() if known else math.nan,
        trials=trials,
    )


def mean_of(shares):
    """Return the mean of shares, NaN of none."""
    return sum(shares) / len(shares) if shares else math.nan


def at_margin(world, n, rng, trials):
    """Return how often it is claimed that a model is not worse by the margin, by which it is."""
    calls = (partial(world.draw(rng, n), alternative="greater") for _ in range(trials))
    found = [(result.pvalue <= ALPHA, warned) for result, warned in map(warned_of, calls)]
    wrong, warned = np.array(found, dtype=bool).T
    return Level(wrong.mean(), (wrong & ~warned).mean(), warned.mean(), trials=trials)


SHARES = Level._fields[:-1]
HEADS = ("data", "n", "models", "expected", *(name.replace("_", " ") for name in SHARES))


def show(cells, found):
    """Return a table for each kind of data, in per cent, with the data sets of rows that differ."""
    tables, many = [], len({level.trials for level in found}) > 1
    for kind in dict.fromkeys(cell.world.kind for cell in cells):
        own = [pair for pair in zip(cells, found, strict=True) if pair[0].world.kind == kind]
        kept = [j for j, _ in enumerate(SHARES) if any(row[j] == row[j] for _, row in own)]
        rare = any(cell.expected == cell.expected for cell, _ in own)
        heads = (*HEADS[: 3 + rare], *(HEADS[4 + j] for j in kept), *("data sets",) * many)
        rows = [
            (
                *(cell.world.shape, size_of(cell.n), cell.k, often(cell.expected))[: 3 + rare],
                *(shown(level[j]) for j in kept),
                *(f"{level.trials:.0f}",) * many,
            )
            for cell, level in own
        ]
        tables.append(f"**{kind.capitalize()}**\n\n{markdown(heads, rows)}")
    return "\n\n".join(tables)


def shown(share):
    """Return a share in per cent, and nothing where there is none."""
    return "" if math.isnan(share) else percent(share)


def often(expected):
    """Return how often a rare feature is expected, and nothing where there is none."""
    return "" if math.isnan(expected) else f"{expected:.2g}"


def label(cell):
    """Return the name of a cell, by which its result is stored."""
    return f"{cell.world.kind}, {cell.world.shape}, {size_of(cell.n)}, {cell.k}"


def size_of(n):
    """Return a size for people."""
    return " + ".join(map(str, n)) if isinstance(n, tuple) else f"{n}"


if __name__ == "__main__":
    run("promise", "evidence/promise.md", CELLS, measure, show, trials=2_000, stored=(label, Level))
