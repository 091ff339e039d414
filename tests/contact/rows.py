"""Tables of scores a data set, round, item or battle, wide and long, with what they must give."""

import numpy as np

import fastcompare as fc

from .drawn import N
from .names import MODELS, OUTCOMES, SETS, THIRD
from .wanted import Answer, Question


def benchmark(draw, k=3, rows=12):
    """Return the names of models, of data sets, and their scores."""
    models = [*draw.pick(MODELS), draw.pick(THIRD), draw.pick(THIRD, 1)][:k]
    return models, SETS[:rows], draw.rates(rows, k)


def of_sets(models, rates):
    """Return the answer to scores on data sets."""
    return Answer((fc.compare_datasets(rates).omnibus.pvalue,), tuple(models))


def datasets(draw):
    models, names, rates = benchmark(draw, draw.pick((2, 3, 4)))
    column = draw.pick(
        ("dataset", "Dataset", "data set", "task", "Datensatz", "benchmark", "Problem")
    )
    return {column: names, **dict(zip(models, rates.T, strict=True))}, of_sets(models, rates)


def unnamed_sets(draw):
    """Return a benchmark whose first column has no telling name."""
    models, names, rates = benchmark(draw)
    column = draw.pick(("name", "Unnamed: 0", "what", "set"))
    want = Question("--kind datasets", of_sets(models, rates))
    return {column: names, **dict(zip(models, rates.T, strict=True))}, want


def summary_row(draw):
    models, names, rates = benchmark(draw)
    table = np.vstack([rates, rates.mean(axis=0).round(4)])
    rows = [*names, draw.pick(("Average", "mean", "Avg."))]
    return {"dataset": rows, **dict(zip(models, table.T, strict=True))}, of_sets(models, rates)


def turned(draw):
    models, names, rates = benchmark(draw)
    column = draw.pick(("model", "Method", "algorithm", "classifier"))
    return {column: models, **dict(zip(names, rates, strict=True))}, of_sets(models, rates)


def long(draw):
    """Return a row for each model and data set."""
    models, names, rates = benchmark(draw)
    called = draw.pick(
        (
            ("model", "dataset", "accuracy"),
            ("algorithm", "task", "acc"),
            ("Classifier", "Data", "AUC"),
            ("method", "benchmark", "value"),
            ("Verfahren", "Datensatz", "Genauigkeit"),
            ("clf", "ds", "f1"),
            ("learner", "problem", "balanced_acc"),
        )
    )
    found = [(m, s, rates[i, j]) for i, s in enumerate(names) for j, m in enumerate(models)]
    order = draw.rng.permutation(len(found))
    columns = zip(*(found[j] for j in order), strict=True)
    return {n: list(c) for n, c in zip(called, columns, strict=True)}, of_sets(models, rates)


def long_unknown(draw):
    """Return a row for each of two things whose names tell nothing."""
    table, want = long(draw)
    names = draw.pick((("who", "where", "how much"), ("V1", "V2", "V3"), ("wer", "was", "wert")))
    return dict(zip(names, table.values(), strict=True)), Question("--kind datasets", want)


def long_repeated(draw):
    """Return a row for each model, data set and seed."""
    models, names, _rates = benchmark(draw, 3, 8)
    seeds = draw.rates(8, 9).reshape(8, 3, 3)
    found = [
        (m, s, r, seeds[i, j, r])
        for i, s in enumerate(names)
        for j, m in enumerate(models)
        for r in range(3)
    ]
    called = ("model", "dataset", draw.pick(("seed", "fold", "run")), "score")
    means = seeds.mean(axis=2)
    columns = zip(*found, strict=True)
    return {n: list(c) for n, c in zip(called, columns, strict=True)}, of_sets(models, means)


def rounds(draw):
    """Return ten rounds of two or three models."""
    k = draw.pick((2, 3))
    models, _, rates = benchmark(draw, k, 10)
    column = draw.pick(("fold", "run", "seed", "CV_split", "split", "Repeat"))
    start = draw.number % 2
    if k == 2:
        number = fc.ttest_corrected(*rates.T, n_train=9, n_test=1).pvalue
    else:
        number = fc.rm_anova_test(rates).pvalue
    table = {column: np.arange(start, 10 + start), **dict(zip(models, rates.T, strict=True))}
    want = Answer((number,) if k == 2 else (), tuple(models))
    return table, Question("--design kfold", want)


def long_rounds(draw):
    """Return a row for each model and fold."""
    models, _, rates = benchmark(draw, 2, 10)
    found = [(m, r, rates[r, j]) for j, m in enumerate(models) for r in range(10)]
    called = (draw.pick(("model", "clf", "estimator")), draw.pick(("fold", "split")), "roc_auc")
    number = fc.ttest_corrected(*rates.T, n_train=9, n_test=1).pvalue
    columns = zip(*found, strict=True)
    table = {n: list(c) for n, c in zip(called, columns, strict=True)}
    return table, Question("--design kfold", Answer((number,), tuple(models)))


def answers(draw, k=2):
    """Return the names of models, and whether each answered each item rightly."""
    models = [*draw.pick((("gpt-4o", "claude-3"), ("llama", "qwen"), ("A", "B"))), "phi"][:k]
    return models, (draw.rng.random((N, k)) < [0.5, 0.7, 0.6][:k]).astype(int)


def items(draw):
    """Return a column of 0 and 1 for each model."""
    models, right = answers(draw)
    number = fc.paired_mean_test(*right.T).pvalue
    column = draw.pick(("question_id", "item", "item_id", "prompt_id", "question", "example_id"))
    table = {column: draw.ids(), **dict(zip(models, right.T, strict=True))}
    return table, Answer((number,), tuple(models))


def log(draw):
    """Return a row for each model and item, whether right or wrong."""
    models, right = answers(draw)
    ids = draw.ids()
    called = draw.pick(
        (
            ("model", "id", "correct"),
            ("model", "question_id", "is_correct"),
            ("system", "item", "score"),
            ("llm", "doc_id", "acc"),
            ("model_name", "example", "passed"),
        )
    )
    found = [(m, i, right[r, j]) for j, m in enumerate(models) for r, i in enumerate(ids)]
    columns = zip(*found, strict=True)
    table = {n: list(c) for n, c in zip(called, columns, strict=True)}
    return table, Answer((fc.paired_mean_test(*right.T).pvalue,), tuple(models))


def long_cases(draw):
    """Return a row for each model and case, with the true label in each."""
    y = draw.labels()
    models, ids = draw.pick(MODELS), draw.ids()
    scores = draw.two(y)
    called = draw.pick(
        (("model", "id", "prob"), ("classifier", "case", "score"), ("algo", "img", "p"))
    )
    found = [(m, i, y[r], scores[j][r]) for j, m in enumerate(models) for r, i in enumerate(ids)]
    names = (*called[:2], draw.pick(OUTCOMES), called[2])
    columns = zip(*found, strict=True)
    table = {n: list(c) for n, c in zip(names, columns, strict=True)}
    return table, Answer((fc.delong_test(y, *scores).pvalue,), models)


def battles(draw):
    """Return an arena: two models and who won."""
    names = ("gpt", "claude", "llama")
    a = draw.rng.integers(0, 3, 2 * N)
    b = (a + 1 + draw.rng.integers(0, 2, 2 * N)) % 3
    sides = draw.rng.integers(0, 3, 2 * N)
    played = [[names[j] for j in codes] for codes in (a, b)]
    winner = [("model_a", "model_b", "tie")[s] for s in sides]
    found = fc.bradley_terry(*played, winner).pairwise()
    table = {"model_a": played[0], "model_b": played[1], "winner": winner}
    if draw.number % 2:
        table = {"question_id": list(range(2 * N)), **table, "judge": ["gpt-4"] * (2 * N)}
    return table, Answer((float(found.pvalue[0]),), tuple(sorted(names)))


def readers(draw):
    """Return ratings of cases by readers under two modalities."""
    cases, k = 30, 4
    y = np.arange(cases) % 2
    table = {name: [] for name in ("reader", "case", "modality", "truth", "rating")}
    for j in range(k):
        for m, effect in (("old", 0.8), ("new", 1.6)):
            values = (draw.rng.normal(size=cases) + effect * y).round(2)
            table["reader"] += [f"R{j}"] * cases
            table["case"] += list(range(cases))
            table["modality"] += [m] * cases
            table["truth"] += y.tolist()
            table["rating"] += values.tolist()
    return table, Answer((), ("new", "old"), "reader study")


SHAPES = {
    shape.__name__: shape
    for shape in (
        datasets,
        unnamed_sets,
        summary_row,
        turned,
        long,
        long_unknown,
        long_repeated,
        rounds,
        long_rounds,
        items,
        log,
        long_cases,
        battles,
        readers,
    )
}
