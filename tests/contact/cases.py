"""Tables of cases: scores, labels, classes, quantities and times, with what they must give."""

import numpy as np

import fastcompare as fc

from .drawn import N
from .names import CLASSES, FOLDS, IDS, MODELS, OUTCOMES, PAIRS, THIRD, UNITS, UNKNOWN
from .wanted import Answer, Question


def delong(y, a, b, names, says=""):
    return Answer((fc.delong_test(y, a, b).pvalue,), names, says)


def plain(draw):
    """Return the outcome and two models."""
    y, names = draw.labels(), draw.pick(MODELS)
    a, b = draw.two(y)
    return {draw.pick(OUTCOMES): y, names[0]: a, names[1]: b}, delong(y, a, b, names)


def with_id(draw):
    table, want = plain(draw)
    return {draw.pick(IDS): draw.ids(), **table}, want


def outcome_last(draw):
    table, want = with_id(draw)
    return dict(reversed(table.items())), want


def three_models(draw):
    table, _ = with_id(draw)
    y = table[draw.pick(OUTCOMES)]
    third = draw.pick(THIRD)
    scores = dict(
        zip([*draw.pick(MODELS), third], [*draw.two(y), draw.scores(y, 0.4)], strict=True)
    )
    want = Answer((fc.delong_omnibus_test(y, scores).pvalue,), (*scores,))
    return {**table, **scores}, want


def logits(draw):
    y, names = draw.labels(), draw.pick(MODELS)
    a, b = ((draw.rng.normal(size=N) * 2 + k * y).round(3) for k in (1, 2))
    return {draw.pick(OUTCOMES): y, names[0]: a, names[1]: b}, delong(y, a, b, names)


def ratings(draw):
    y = draw.labels()
    names = draw.pick((("reader1", "reader2"), ("Dr. A", "Dr. B"), ("score_a", "score_b")))
    a, b = (np.clip(draw.rng.integers(1, 5, N) + k * y, 1, 6) for k in (1, 2))
    return {draw.pick(OUTCOMES): y, names[0]: a, names[1]: b}, delong(y, a, b, names)


def thresholds(draw):
    table, want = with_id(draw)
    for name in want.models:
        cut = np.median(table[name])
        table[f"{name}_{draw.pick(('label', 'pred', 'class', 'binary'))}"] = (
            table[name] > cut
        ).astype(int)
    return table, want._replace(says="above or below a threshold")


def folds(draw):
    table, want = plain(draw)
    column = {draw.pick(FOLDS): (np.arange(N) % 5 + draw.number % 2).tolist()}
    return {**column, **table}, want._replace(says="kind folds|kind='folds'")


def units(draw):
    table, want = plain(draw)
    which = np.repeat(np.arange(N // 2), 2)
    values = which + 100 if draw.number % 2 else [f"P{j:03d}" for j in which]
    return {draw.pick(UNITS): values, **table}, want._replace(says="not independent")


def covariates(draw):
    table, want = with_id(draw)
    more = {
        draw.pick(("age", "Age", "Alter")): draw.rng.integers(30, 90, N),
        draw.pick(("sex", "gender", "Sex")): np.array(["F", "M"])[draw.rng.integers(0, 2, N)],
    }
    key, *rest = table
    return {key: table[key], **more, **{name: table[name] for name in rest}}, want


def split(draw):
    table, _ = with_id(draw)
    names = draw.pick(MODELS)
    y, a, b = (np.asarray(table[n]) for n in (draw.pick(OUTCOMES), *names))
    parts = np.array(["train", "test"])[(np.arange(N) % 4 > 0).astype(int)]
    kept = parts == "test"
    return {**table, "split": parts}, delong(y[kept], a[kept], b[kept], names)


def constants(draw):
    table, want = with_id(draw)
    return {**table, "threshold": [0.5] * N, "dataset": ["test"] * N}, want


def weights(draw):
    table, want = plain(draw)
    return {
        **table,
        draw.pick(("weight", "sample_weight")): draw.rng.uniform(1, 3, N).round(2),
    }, want


def words(draw):
    table, want = with_id(draw)
    name = draw.pick(OUTCOMES)
    return {**table, name: np.array(draw.pick(PAIRS))[table[name]]}, want


def words_predicted(draw):
    """Return labels in words, and predicted ones."""
    y, pair, names = draw.labels(), np.array(draw.pick(PAIRS)), draw.pick(MODELS)
    a, b = (np.where(draw.rng.random(N) < p, y, 1 - y) for p in (0.6, 0.85))
    want = Answer((fc.mcnemar_test(y, a, b).pvalue,), names)
    truth = draw.pick(("label", "truth", "y_true", "diagnosis", "outcome", "gold"))
    return {"id": draw.ids(), truth: pair[y], names[0]: pair[a], names[1]: pair[b]}, want


def unknown_words(draw):
    table, want = with_id(draw)
    name, pair = draw.pick(OUTCOMES), draw.pick(UNKNOWN)
    way = f"--pos-label '{pair[1]}'" if " " in pair[1] else f"--pos-label {pair[1]}"
    return {**table, name: np.array(pair)[table[name]]}, Question(way, want)


def hard_labels(draw):
    """Return 0 and 1 of the truth and of models."""
    y, names = draw.labels(), draw.pick(MODELS)
    found = {
        n: np.where(draw.rng.random(N) < p, y, 1 - y)
        for n, p in zip(names, (0.6, 0.85), strict=True)
    }
    truth = draw.pick(("y_true", "label", "diseased", "truth", "died", "target", "gold", "fraud"))
    if draw.number % 2:
        found[draw.pick(THIRD)] = np.where(draw.rng.random(N) < 0.7, y, 1 - y)
        number = fc.cochran_q_test(y, found).pvalue
    else:
        number = fc.mcnemar_test(y, *found.values()).pvalue
    return {draw.pick(IDS): draw.ids(), truth: y, **found}, Answer((number,), (*found,))


def doubtful_labels(draw):
    """Return columns of 0 and 1 of which no name says which is the truth."""
    y = draw.labels()
    names = draw.pick((("aa", "bb", "cc"), ("col1", "col2", "col3"), ("X", "Q", "Z")))
    a, b = (np.where(draw.rng.random(N) < p, y, 1 - y) for p in (0.6, 0.85))
    want = Answer((fc.mcnemar_test(y, a, b).pvalue,), names[1:])
    return dict(zip(names, (y, a, b), strict=True)), Question(f"--label {names[0]}", want)


def classes(draw):
    """Return probabilities of several classes of two models."""
    names = draw.pick(CLASSES)
    k = len(names)
    y = draw.rng.permutation(np.arange(N) % k)
    models = draw.pick((("a", "b"), ("old", "new"), ("resnet", "vit"), ("m1", "m2")))
    values = np.array([int(n) for n in names]) if names[0].isdigit() else np.array(names)
    tables = [draw.classes(y, k, draw.pick((3, 4, 6))) for _ in models]
    form = draw.pick(("{m}_{c}", "{m}.{c}", "{m}_p_{c}", "{c}_{m}", "{m} {c}", "{m}_prob_{c}"))
    table = {"image": draw.ids(), draw.pick(("label", "class", "y_true", "finding")): values[y]}
    for model, found in zip(models, tables, strict=True):
        table |= {form.format(m=model, c=c): found[:, j] for j, c in enumerate(names)}
    number = fc.multiclass_auc_test(values[y], *tables, classes=values).pvalue
    return table, Answer((number,), models)


def classes_of_one(draw):
    """Return probabilities of several classes and the predicted class of one model."""
    names = draw.pick(CLASSES)
    y = draw.rng.permutation(np.arange(N) % len(names))
    found = draw.classes(y, len(names))
    values = np.array([int(n) for n in names]) if names[0].isdigit() else np.array(names)
    table = {"id": draw.ids(), "label": values[y], "pred": values[found.argmax(axis=1)]}
    table |= {f"{draw.pick(('p', 'prob', 'proba'))}_{c}": found[:, j] for j, c in enumerate(names)}
    return table, Answer((fc.multiclass_auc(values[y], found, classes=values).estimate,))


def two_classes(draw):
    """Return the probabilities of both of two classes of two models."""
    y, pair = draw.labels(), draw.pick(PAIRS)
    a, b = draw.two(y)
    table = {"id": draw.ids(), draw.pick(OUTCOMES): np.array(pair)[y]}
    for model, p in (("m1", a), ("m2", b)):
        table |= {f"{model}_{pair[0]}": (1 - p).round(4), f"{model}_{pair[1]}": p}
    return table, delong(y, a, b, ("m1", "m2"))


def class_labels(draw):
    """Return the classes that models predict."""
    names = draw.pick(CLASSES)
    values = np.array([int(n) for n in names]) if names[0].isdigit() else np.array(names)
    y = draw.rng.permutation(np.arange(N) % len(names))
    other = draw.rng.integers(0, len(names), (2, N))
    a, b = (np.where(draw.rng.random(N) < p, y, o) for p, o in zip((0.5, 0.8), other, strict=True))
    models = draw.pick(MODELS)
    truth = draw.pick(("label", "true_class", "target", "y", "gold", "class"))
    want = Answer((fc.mcnemar_test(values[y], values[a], values[b]).pvalue,), models)
    return {"file": draw.ids(), truth: values[y], models[0]: values[a], models[1]: values[b]}, want


def doubtful_classes(draw):
    """Return classes in three columns of which no name says which is the truth."""
    table, want = class_labels(draw)
    key, truth, a, b = table.values()
    names = draw.pick((("species", "Anna", "Ben"), ("c1", "c2", "c3"), ("Art", "alt", "neu")))
    columns = {"file": key, **dict(zip(names, (truth, a, b), strict=True))}
    return columns, Question(f"--label {names[0]}", want._replace(models=names[1:]))


def quantity(draw):
    """Return a quantity and predictions of it."""
    y = draw.rng.normal(50, 10, N).round(2)
    a, b = ((y + draw.rng.normal(0, s, N)).round(2) for s in (6, 3))
    names = draw.pick(MODELS)
    truth = draw.pick(("y_true", "actual", "target", "observed", "truth"))
    number = fc.paired_mean_test((a - y) ** 2, (b - y) ** 2).pvalue
    return {"id": draw.ids(), truth: y, names[0]: a, names[1]: b}, Answer((number,), names)


def one_model(draw):
    y = draw.labels()
    a = draw.scores(y, 1.5)
    name = draw.pick(("score", "prob", "y_score", "y_prob", "model", "prediction", "risk"))
    want = Answer((fc.roc_auc_interval(y, a).estimate,))
    return {draw.pick(IDS): draw.ids(), draw.pick(OUTCOMES): y, name: a}, want


def constant_model(draw):
    """Return a model that scores all cases alike, beside another."""
    y = draw.labels()
    a = draw.scores(y, 1.5)
    names = draw.pick((("dummy", "real"), ("majority", "lr"), ("baseline", "ours")))
    want = Answer((fc.roc_auc_interval(y, a).estimate,))
    return {draw.pick(OUTCOMES): y, names[0]: [0.5] * N, names[1]: a}, want


def missing(draw):
    """Return scores some of which are missing."""
    table, want = with_id(draw)
    names = want.models
    gaps = [draw.rng.integers(0, N, 3) for _ in names]
    y = np.asarray(table[draw.pick(OUTCOMES)])
    kept = np.ones(N, bool)
    for name, rows in zip(names, gaps, strict=True):
        table[name] = [None if j in rows else float(x) for j, x in enumerate(table[name])]
        kept[rows] = False
    a, b = (np.array(table[name], float)[kept] for name in names)
    return table, Question("--nan-policy omit", delong(y[kept], a, b, names))


def times(draw):
    """Return times to an event, and scores of risk."""
    risk = draw.rng.normal(size=N)
    time = (draw.rng.exponential(20 * np.exp(-risk))).round(1) + 0.1
    event = (np.arange(N) % 15 > 0).astype(int)  # so few censored that Harrell's C is asked for
    a, b = ((risk + draw.rng.normal(0, s, N)).round(3) for s in (1.5, 0.5))
    names = draw.pick(MODELS)
    called = draw.pick((("months", "death"), ("time", "event"), ("os_days", "status")))
    called = draw.pick((called, ("futime", "fustat"), ("follow_up", "relapse"), called), 1)
    number = fc.concordance_test(time, event, a, b).pvalue
    table = {"id": draw.ids(), called[0]: time, called[1]: event, names[0]: a, names[1]: b}
    way = f"--time {called[0]} --event {called[1]}"
    return table, Question(way, Answer((number,), names))


SHAPES = {
    shape.__name__: shape
    for shape in (
        plain,
        with_id,
        outcome_last,
        three_models,
        logits,
        ratings,
        thresholds,
        folds,
        units,
        covariates,
        split,
        constants,
        weights,
        words,
        words_predicted,
        unknown_words,
        hard_labels,
        doubtful_labels,
        classes,
        classes_of_one,
        two_classes,
        class_labels,
        doubtful_classes,
        quantity,
        one_model,
        constant_model,
        missing,
        times,
    )
}
