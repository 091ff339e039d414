"""Data for the sentences of *Which test?*: what each recommended call names, on real or drawn data.

Scores, labels, probabilities, folds and data sets are those that ship with the package, where the
question is about such data; clusters, items, battles and rarer designs are drawn.
"""

from types import SimpleNamespace

import numpy as np
import pandas as pd

import fastcompare as fc

NAMES = ("forest", "boosting", "tree")
ITEMS, CLUSTERS = 400, 40


def example(kind, design, n_models, paired, few=False):
    """Return the names that calls for such data use, with `fc`."""
    rng = np.random.default_rng(7)
    make = {
        "folds": rounds,
        "datasets": data_sets,
        "items": items,
        "battles": battles,
        "readers": readers,
        "times": times,
    }.get(kind, cases)
    return {"fastcompare": fc, "fc": fc, **make(rng, kind, design, n_models, paired, few)}


def cases(rng, kind, design, n_models, paired, few):
    """Return true labels and what models said of the cases."""
    y, scores = multiclass(rng, n_models) if design == "multiclass" else binary(rng, design, few)
    if n_models == 1 and kind == "probabilities" and design == "independent":
        scores = {"logistic_regression": scores["logistic_regression"]}  # none is 0 or 1
    scores = dict(list(scores.items())[:n_models])
    if design == "multiclass":
        labels = {name: table.argmax(axis=1) for name, table in scores.items()}
    else:
        labels = {name: (column > 0.5).astype(int) for name, column in scores.items()}
    first, *_, last = [*scores, *scores]
    names = {
        "y_true": y,
        "y_score": scores[first],
        "y_prob": scores[first],
        "y_pred": labels[first],
        "scores": scores,
        "predictions": labels,
        "probabilities": np.column_stack(list(scores.values())) if y.max() == 1 else scores,
        "groups": np.arange(y.size) * CLUSTERS // y.size,
        "weights": rng.choice([1.0, 2.0, 4.0], y.size),
    }
    if kind == "probabilities" and design != "multiclass" and n_models > 2:
        names["probabilities"] = np.column_stack(list(scores.values()))
    halves = (np.arange(y.size) % 2 == 0, np.arange(y.size) % 2 == 1)
    for mark, name in zip("ab", (first, last), strict=True):
        names |= {f"y_score_{mark}": named(scores[name], name)}
        names |= {f"y_prob_{mark}": names[f"y_score_{mark}"]}
        names |= {f"y_pred_{mark}": named(labels[name], name)}
    for mark, name, half in zip("12", (first, last), halves, strict=True):
        names |= {f"y_true_{mark}": y[half], f"y_score_{mark}": scores[name][half]}
        names |= {f"y_prob_{mark}": scores[name][half], f"y_pred_{mark}": labels[name][half]}
    if design == "batch":
        y = np.tile(np.arange(100) % 2, (1000, 1))
        for mark in "ab":
            names[f"scores_{mark}"] = rng.normal(size=y.shape) + y
        names["y_true"] = y
    return names


def binary(rng, design, few):
    """Return the cases that ship with the package, or drawn ones in clusters."""
    if design == "clusters":
        return clustered(rng)
    data = fc.load_predictions()
    y, scores = np.asarray(data.y_true), {n: np.asarray(s) for n, s in data.scores.items()}
    order = ["random_forest", "decision_tree", "naive_bayes"]
    order += [name for name in scores if name not in order]
    chosen = few_cases(y) if few else slice(None)
    return y[chosen], {name: scores[name][chosen] for name in order}


def few_cases(y):
    """Return where a few cases of both classes are."""
    return np.sort(np.concatenate([np.flatnonzero(y == 0)[:60], np.flatnonzero(y == 1)[:12]]))


def clustered(rng):
    """Return cases in clusters that are alike, scored by three models."""
    n = 10 * CLUSTERS
    shared = np.repeat(rng.normal(size=CLUSTERS), 10)
    truth = (rng.normal(size=n) + shared > 0).astype(int)
    logits = {
        name: 1.5 * (2 * truth - 1) * skill + shared + rng.normal(size=n)
        for name, skill in zip(NAMES, (0.8, 0.6, 0.5), strict=True)
    }
    return truth, {name: 1 / (1 + np.exp(-value)) for name, value in logits.items()}


def multiclass(rng, n_models):
    """Return labels of three classes, and probabilities of each."""
    y = rng.integers(0, 3, 300)
    scores = {}
    for name, skill in list(zip(NAMES, (1.6, 1.2, 1.0), strict=True)):
        logits = rng.normal(size=(300, 3)) + skill * np.eye(3)[y]
        scores[name] = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    return y, scores


def named(values, name):
    """Return a column with its model's name; tables of several classes stay arrays."""
    return pd.Series(values, name=name) if np.ndim(values) == 1 else values


def rounds(rng, kind, design, n_models, paired, few):
    """Return scores of rounds of training."""
    data = fc.load_fold_scores()
    table = pd.DataFrame(dict(data.scores))
    n_train, n_test = data.n_train, data.n_test
    if design in ("kfold", "search"):
        table = table.iloc[:10]
    if design in ("resampled", "independent", "5x2cv"):
        n = {"resampled": 30, "independent": 12, "5x2cv": 10}[design]
        common = rng.normal(size=(n, 1))
        drawn = 0.9 + 0.02 * (common + rng.normal(size=(n, 3))) + [0.02, 0.01, 0.0]
        table = pd.DataFrame(drawn, columns=list(NAMES))
    table = table.iloc[:, : max(n_models, 2)]
    names = {"scores": table, "n_train": n_train, "n_test": n_test}
    columns = [table.iloc[:, 0], table.iloc[:, 1]]
    if design == "5x2cv":
        columns = [column.to_numpy().reshape(5, 2) for column in columns]
    if design == "batch":
        names["scores"] = rng.normal(0.9, 0.02, size=(1000, 10, n_models))
        columns = list(np.moveaxis(names["scores"], 2, 0))[:2]
    for j, column in enumerate(columns):
        names |= {f"scores_{'ab'[j]}": column, f"scores_{j + 1}": column}
    splits = {f"split{j}_test_score": table.iloc[j].to_numpy() for j in range(10)}
    found = {"params": [{"model": name} for name in table], **splits}
    found["mean_test_score"] = table.iloc[:10].mean().to_numpy()
    return names | {"search": SimpleNamespace(cv_results_=found)}


def data_sets(rng, kind, design, n_models, paired, few):
    """Return scores of classifiers on data sets, some of them missing."""
    table = pd.DataFrame(dict(fc.load_dataset_scores().scores)).iloc[:, : max(n_models, 2)]
    table = table.iloc[: len(table) // n_models * n_models]
    if design == "incomplete":
        table = table.mask((np.arange(len(table))[:, None] == 0) & (np.arange(table.shape[1]) == 0))
    if design == "balanced-incomplete" and n_models > 2:
        table = table.mask(np.arange(len(table))[:, None] % n_models == np.arange(n_models))
    return {"scores": table, "scores_a": table.iloc[:, 0], "scores_b": table.iloc[:, 1]}


def items(rng, kind, design, n_models, paired, few):
    """Return right and wrong answers to questions of unequal difficulty."""
    cluster = np.repeat(rng.normal(size=CLUSTERS), ITEMS // CLUSTERS)
    hard = rng.normal(size=ITEMS) + (cluster if design == "clusters" else 0.0)
    skills = np.array([1.0, 0.7, 0.6])
    right = (rng.logistic(size=(ITEMS, 3)) + skills - hard[:, None] > 0).astype(int)
    table = pd.DataFrame(right, columns=["new", "old", "small"]).iloc[:, : max(n_models, 2)]
    names = {
        "scores": table if n_models > 1 else table["new"],
        "groups": np.arange(ITEMS) * CLUSTERS // ITEMS,
        "weights": rng.choice([1.0, 2.0], ITEMS),
    }
    for j, column in enumerate((table["new"], table["old"])):
        names |= {f"scores_{'ab'[j]}": column, f"right_{'ab'[j]}": column}
        names |= {f"scores_{j + 1}": column.iloc[j::2]}
    return names


def battles(rng, kind, design, n_models, paired, few):
    """Return who met whom, and who won."""
    strengths = np.array([0.8, 0.3, 0.0])[: max(n_models, 2)]
    k = strengths.size
    first = rng.integers(0, k, ITEMS)
    second = (first + rng.integers(1, k, ITEMS)) % k
    won = rng.logistic(size=ITEMS) + strengths[first] - strengths[second] > 0
    models = np.array(["new", "old", "small"])
    return {
        "model_a": models[first],
        "model_b": models[second],
        "outcome": won.astype(int),
        "groups": np.arange(ITEMS) * CLUSTERS // ITEMS,
        "weights": rng.choice([1.0, 2.0], ITEMS),
    }


def readers(rng, kind, design, n_models, paired, few):
    """Return ratings of six readers under treatments, and the scores of an algorithm."""
    n, truth = 120, np.arange(120) % 2
    case = rng.normal(size=n)
    gains = np.array([1.6, 1.2, 1.1])[:n_models]
    shape = (n_models, 6, n)
    skill = gains[:, None, None] + 0.2 * rng.normal(size=(n_models, 6, 1))
    ratings = np.rint(2.0 * (skill * truth + 0.7 * case + 0.7 * rng.normal(size=shape)) + 4.0)
    i, j, k = (place.ravel() for place in np.indices(shape))
    treatments = np.array(["aided", "alone", "film"]) if n_models > 1 else np.array(["unaided"])
    columns = {"treatment": treatments[i], "reader": np.array(list("ABCDEF"))[j], "case": k}
    study = pd.DataFrame(columns | {"score": ratings.ravel(), "truth": truth[k]})
    standalone = dict(enumerate(1.9 * truth + 0.7 * case + 0.7 * rng.normal(size=n)))
    return {"study": study, "standalone": standalone}


def times(rng, kind, design, n_models, paired, few):
    """Return times to an event, whether it was seen, and what models predicted."""
    n = 240
    known = rng.normal(size=n)
    death = rng.exponential(12.0 * np.exp(-known))
    left = rng.exponential(24.0 if design != "uncensored" else 400.0, n)
    names = ["new", "old", "small"][: max(n_models, 2)]
    risks = {name: known + (0.5 + j) * rng.normal(size=n) for j, name in enumerate(names)}
    chances = {name: 1.0 - np.exp(-0.5 * np.exp(0.7 * risk)) for name, risk in risks.items()}
    pairs = zip("ab", list(risks.values())[:2], list(chances.values())[:2], strict=True)
    both = {
        f"{word}_{letter}": value
        for letter, risk, chance in pairs
        for word, value in (("risk", risk), ("score", risk), ("probability", chance))
    }
    return both | {
        "time": np.minimum(death, left),
        "event": death <= left,
        "scores": risks,
        "probabilities": chances,
        "tau": 24.0,
        "horizon": 6.0,
        "groups": np.arange(n) // 4,
        "weights": rng.choice([1.0, 2.0], n),
    }
