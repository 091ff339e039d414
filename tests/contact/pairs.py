"""Several files of the same cases, or of others, with what they must give."""

import numpy as np

import fastcompare as fc

from .cases import delong
from .drawn import N
from .names import IDS, OUTCOMES
from .wanted import Answer, Fault, Question

NAMES = ("old", "new")


def drawn(draw):
    """Return the labels, ids and scores of two models, and what columns are called."""
    y = draw.labels()
    key, truth = draw.pick(IDS), draw.pick(OUTCOMES)
    score = draw.pick(("score", "prob", "y_proba", "p", "prediction", "risk"))
    return y, np.array(draw.ids()), draw.two(y), (key, truth, score)


def two_files(draw):
    """Return a file a model, in other orders."""
    y, ids, scores, (key, truth, score) = drawn(draw)
    tables = {}
    for name, values in zip(NAMES, scores, strict=True):
        order = draw.rng.permutation(N)
        tables[name] = {key: ids[order], truth: y[order], score: values[order]}
    return tables, delong(y, *scores, NAMES)


def hard_labels_beside(draw):
    tables, want = two_files(draw)
    for table in tables.values():
        values = [*table.values()][-1]
        table["y_pred"] = (values >= 0.5).astype(int)
    return tables, want


def truth_in_one(draw):
    """Return the truth in a file, and the scores of each model in one of its own."""
    y, ids, scores, (key, truth, score) = drawn(draw)
    tables = {"truth": {key: ids, truth: y}}
    for name, values in zip(NAMES, scores, strict=True):
        order = draw.rng.permutation(N)
        tables[name] = {key: ids[order], score: values[order]}
    return tables, delong(y, *scores, NAMES)


def other_names(draw):
    """Return files whose columns of scores have names of their own."""
    tables, want = two_files(draw)
    for name, table in tables.items():
        table[f"{name}_prob"] = table.pop([*table][-1])
    return tables, want._replace(models=())


def unmatched(draw):
    """Return files that share most of their cases."""
    y, ids, scores, (key, truth, score) = drawn(draw)
    parts = dict(zip(NAMES, (np.arange(N - 4), np.arange(4, N)), strict=True))
    tables = {
        name: {key: ids[rows], truth: y[rows], score: values[rows]}
        for (name, rows), values in zip(parts.items(), scores, strict=True)
    }
    kept = np.arange(4, N - 4)
    a, b = (values[kept] for values in scores)
    return tables, Question("--missing drop", delong(y[kept], a, b, NAMES))


def conflicting(draw):
    """Return files that disagree about the label of two cases."""
    y, ids, scores, (key, truth, score) = drawn(draw)
    other = y.copy()
    other[[3, 9]] = 1 - other[[3, 9]]
    tables = {
        name: {key: ids, truth: labels, score: values}
        for name, labels, values in zip(NAMES, (y, other), scores, strict=True)
    }
    kept = np.delete(np.arange(N), [3, 9])
    a, b = (values[kept] for values in scores)
    return tables, Question("--missing drop", delong(y[kept], a, b, NAMES))


def duplicates(draw):
    """Return files one of which has a case twice."""
    tables, _ = two_files(draw)
    for column in tables["new"].values():
        column[1] = column[0]
    return tables, Fault("there twice")


def unpaired(draw):
    """Return files of different cases."""
    y, ids, scores, (key, truth, score) = drawn(draw)
    parts = dict(zip(NAMES, (np.arange(0, N, 2), np.arange(1, N, 2)), strict=True))
    tables = {
        name: {key: ids[rows], truth: y[rows], score: values[rows]}
        for (name, rows), values in zip(parts.items(), scores, strict=True)
    }
    (i, j), (a, b) = parts.values(), scores
    number = fc.delong_unpaired_test(y[i], a[i], y[j], b[j]).pvalue
    return tables, Answer((number,), NAMES)


def class_files(draw):
    """Return the probabilities of several classes, a file a model."""
    names = ("cat", "dog", "fox", "hen")
    y = draw.rng.permutation(np.arange(N) % 4)
    ids, values = np.array(draw.ids()), np.array(names)
    tables, found = {}, []
    for name in NAMES:
        p, order = draw.classes(y, 4), draw.rng.permutation(N)
        columns = {f"p_{c}": p[order, j] for j, c in enumerate(names)}
        own = {"pred": values[p.argmax(axis=1)][order]} if draw.number % 2 else {}
        tables[name] = {"id": ids[order], "label": values[y][order], **own, **columns}
        found.append(p)
    return tables, Answer((fc.multiclass_auc_test(values[y], *found).pvalue,), NAMES)


def logs(draw):
    """Return a log of items a model."""
    right = draw.rng.random((N, 2)) < [0.5, 0.75]
    ids = [f"q{j}" for j in range(N)]
    called = draw.pick((("id", "correct"), ("question_id", "score"), ("item", "acc")))
    tables = {
        name: {"model": [name] * N, called[0]: ids, called[1]: right[:, j].astype(int)}
        for j, name in enumerate(NAMES)
    }
    return tables, Answer((fc.paired_mean_test(*right.T.astype(float)).pvalue,), NAMES)


SHAPES = {
    shape.__name__: shape
    for shape in (
        two_files,
        hard_labels_beside,
        truth_in_one,
        other_names,
        unmatched,
        conflicting,
        duplicates,
        unpaired,
        class_files,
        logs,
    )
}
