"""Tables that summarize cases: points of curves, bins, counts of errors, means of each model.

They are refused, since a difference can be tested only by the cases. Counts of the right and wrong
answers of two models are as good as the cases, and are compared.
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from ...._base.exceptions import InvalidValueError
from ...names import CUTS, LOSSES, OF_MEANS, RATES, RIGHT, WRONG
from ..column import Column, cell_texts, right_answer, row_name_column
from ..reading import Reading, quote_names, refuse_metrics
from ..words import (
    AT_K,
    BESIDE_METRICS,
    ROLES,
    is_clear_truth,
    is_index,
    is_summary_name,
    name_suggests,
    split_words,
    words_and_joined,
)

FALSE_POSITIVE_RATES = {
    "fpr",
    "falsepositiverate",
    "fallout",
    "specificity",
    "spec",
}  # axes of ROC curves
OBSERVED = {"observed", "fraction", "frac", "actual", "true", "empirical", "proportion"}
PREDICTED = {
    "predicted",
    "pred",
    "prediction",
    "confidence",
    "conf",
    "prob",
    "forecast",
    "expected",
}
TRUE_OR_NOT = {"true", "actual", "truth", "label", "labels", "pred", "predicted", "prediction"}
TRUE_OR_NOT |= {"predicts", "reference", "class", "is", "gold", "observed", "as"}
ROLES_OF_ROWS = ("dataset", "fold", "item", "id")  # of the names of rows that are no models
VAGUE = {"value", "metric", "mean", "result", "results", "performance", "correct"}  # of any table
TOTALS = {"total", "all", "sum"}  # names of rows or columns that sum the others
COUNTS = {"n", "count", "counts", "times", "freq", "frequency", "number"}  # cases of a row
ROLES_OF_NO_MODELS = ("truth", "outcome", "rater")
INTERVALS, PLACES = {"ci", "interval", "konfidenzintervall"}, {"rank", "place", "position", "rang"}
MOST_BINS, BINS = 100, {"bin", "bins", "bucket", "decile"}
CURVE = {"prob_true", "prob_pred"}  # as scikit-learn's calibration_curve returns them
LEAST_POINTS, MANY_POINTS = 3, 6
SPREAD_AT_END = re.compile(r"[\W_](std|stdv|stdev|sd|se|stderr)$", re.I)
REPEATED = ("dataset", "fold", "item", "model")  # of names of what several rows may be of
MEASURED = {"prec", "aucpr", "auprc", "prauc", "ap", "tt", "size", "params", "parameters", "flops"}
MEASURED |= {"logloss", "deviance", "gini", "gmean", "ks", "lift", "comet", "rmsle", "memory"}
VAGUE_WORDS = {"mean", "value", "t", "day", "days", "year", "years", "month", "months", "week"}
BESIDE_MEASURED = {
    *("mean", "avg", "average", "median", "std", "sd", "min", "max", "total", "per", "class", "mb"),
    *("macro", "micro", "weighted", "balanced", "test", "val", "valid", "validation", "train", "m"),
    *("training", "cv", "oof", "holdout", "fit", "pred", "predict", "prediction", "inference", "s"),
    *("marginal", "sec", "secs", "ms", "squared", "absolute", "root", "log", "cross", "entropy"),
    *("roc", "pr", "area", "under", "curve", "eval", "top", "rate", "at", "of", "the", "neg", "b"),
    *("binary", "multi"),
}
TWO_MODELS = "classes of two models"  # as pandas counts them, with an empty row that names one
THE_CASES = (
    " Pass the cases: a row for each, with its true label and the score of each model in a column."
)


def refuse_summaries(columns: Mapping[str, Column]) -> None:
    """Raise for a table that summarizes cases, by which no difference can be tested."""
    usable = {n: c for n, c in columns.items() if c.present.size}
    refuse_leaderboard(usable)
    refuse_metrics_in_rows(usable)
    refuse_mean_curves(usable)
    refuse_rows_of_metrics(usable)
    refuse_points(usable)
    refuse_bins(usable)
    refuse_confusion(usable)
    refuse_error_counts(usable)


def refuse_leaderboard(columns: Mapping[str, Column]) -> None:
    """Raise for a table with a row for each model, and only metrics and times among its decimals.

    Whole numbers, such as the order of fitting, and texts may stand beside them. Not where another
    column names data sets, rounds or architectures, of which rows may be repetitions.
    """
    texts = [c for c in columns.values() if c.texts is not None]
    models = [c for c in texts if name_suggests(c.name, "model") and not is_metric_phrase(c.name)]
    decimals = [n for n, c in columns.items() if c.is_decimal and not is_index(n)]
    if len(models) != 1 or not models[0].all_differ or models[0].missing.any():
        return
    others = [c for c in columns.values() if not c.is_decimal and not c.is_constant]
    rows_repeat = [
        c for c in others if c is not models[0] and any(name_suggests(c.name, r) for r in REPEATED)
    ]
    are_cases = any(c.has_two and is_clear_truth(c.name) for c in columns.values())
    if len(decimals) < 2 or rows_repeat or are_cases:
        return
    if all(map(is_metric_phrase, decimals)):
        refuse_metrics(models[0].name, decimals)


def refuse_metrics_in_rows(columns: Mapping[str, Column]) -> None:
    """Raise for a table with a row for each metric: numbers of a row are of no case or data set."""
    names = row_name_column(columns)
    if names is None or names.n < 2 or not all(map(is_metric_phrase, names.label_texts)):
        return
    are_tasks = any(name_suggests(names.name, role) for role in ("dataset", "item"))
    if are_tasks or differ_by_numbers(names.label_texts):
        return
    columns_of_numbers = [n for n, c in columns.items() if c.is_number and not is_index(n)]
    if len(columns_of_numbers) == len(columns) - 1:
        raise InvalidValueError(
            f"each row is a metric ({quote_names(names.label_texts)}): a difference can be tested "
            "only by values of one metric in several cases, data sets or rounds, a row for each "
            "with a column for each model.",
            parameter="data",
        )


def refuse_mean_curves(columns: Mapping[str, Column]) -> None:
    """Raise for means and spreads of one model's metrics over folds, by steps of its training.

    Each column of means, such as test-logloss-mean, has one of spreads, and nothing names the rows.
    """
    numbers = {n: c for n, c in columns.items() if not is_index(n) and not c.is_row_number}
    if not numbers or any(not c.is_decimal for c in numbers.values()):
        return
    means = {OF_MEANS.sub("", n) for n in numbers if OF_MEANS.search(n)}
    deviations = {SPREAD_AT_END.sub("", n) for n in numbers if SPREAD_AT_END.search(n)}
    if any(name_suggests(n, role) for n in columns for role in (*ROLES_OF_ROWS, "unit", "model")):
        return
    if means == deviations and 2 * len(means) == len(numbers) and all(map(is_metric_phrase, means)):
        raise InvalidValueError(
            f"the rows are steps of a training of one model, with means over folds "
            f"({quote_names(numbers)}), each of which follows from the one before: compare the "
            "scores at the end of several runs (a row for each seed or fold), or on the cases of a "
            "test set.",
            parameter=next(iter(numbers)),
        )


def differ_by_numbers(texts: Sequence[str]) -> bool:
    """Return whether texts are one word with different numbers, as HD-001: ids, no metrics.

    Ranks of metrics are none: hits@1 and hits@10.
    """
    words = {tuple(x for x in split_words(text) if not x.isdigit()) for text in texts}
    at_ranks = all("@" in text or AT_K.fullmatch(text) for text in texts)
    return len(words) == 1 and not at_ranks


def is_metric_phrase(name: str) -> bool:
    """Return whether a name is that of a metric or a time, perhaps with words such as mean or test.

    So is mean_per_class_error, or fit_time; not a metric of something, such as MMLU - EM.
    """
    metrics = MEASURED | ROLES["metric"] | ROLES["time"] | LOSSES
    words: set[str] = set()
    for part in re.findall(r"[^\W_]+", name):  # f1 is a word, rouge2 another
        words |= {part.lower()} if part.lower() in metrics else {*split_words(part)}
    words = {word for word in words if not word.isdigit()}
    return bool(words & metrics - VAGUE_WORDS) and words <= metrics | BESIDE_MEASURED


def refuse_rows_of_metrics(columns: Mapping[str, Column]) -> None:
    """Raise for a table with a row for each model and one number for each metric."""
    columns = {n: c for n, c in columns.items() if not is_beside_ratings(c)}
    names = row_name_column(columns)
    if names is None:
        return
    numbers = [n for n, c in columns.items() if c.is_number and not is_index(n)]
    are_no_models = any(name_suggests(names.name, role) for role in ROLES_OF_ROWS)
    has_others = len(columns) > 1 + len(numbers)
    if are_no_models or len(numbers) < 2 or has_others:
        return
    doubtful = [n for n in numbers if {*split_words(n)} & (BESIDE_METRICS | VAGUE)]
    if all(map(is_summary_name, numbers)) and doubtful != numbers:
        are_models = is_index(names.name) or name_suggests(names.name, "model")
        refuse_metrics(names.name, numbers, or_models=not are_models)


def is_beside_ratings(column: Column) -> bool:
    """Return whether a column has intervals as texts, or the places of models, by its name.

    Both stand beside ratings in a table of models, and are no metrics.
    """
    words = {*split_words(column.name)}
    if column.texts is not None:
        return bool(words & INTERVALS)
    return bool(words & PLACES) and (column.is_row_number or column.is_ranking)


def refuse_points(columns: Mapping[str, Column]) -> None:
    """Raise for points of ROC or precision-recall curves: rates that rise or fall together.

    They do so along the thresholds, if a column has these, else along the first rate.
    """
    numbers = {n: c for n, c in columns.items() if c.is_number and not is_index(n)}
    rates = [n for n in numbers if words_and_joined(n) & RATES]
    if not rates:
        return
    cuts = [n for n, c in numbers.items() if {*split_words(n)} & CUTS and not c.is_constant]
    kinds = [words_and_joined(n) & RATES for n in rates]
    if len({*kinds}) < 2 or not (cuts or any(FALSE_POSITIVE_RATES & k for k in kinds)):
        return
    along = cuts[0] if cuts else rates[0]
    curve_names = [
        c for c in columns.values() if c.texts is not None and c.has_few_values and not c.all_differ
    ]
    others = [n for n in rates if n != along]
    monotone = [n for n in others if is_monotone(numbers[along], numbers[n], curve_names)]
    least = LEAST_POINTS if cuts else MANY_POINTS
    if not monotone or (not cuts and len(monotone) < len(others)) or numbers[along].n < least:
        return
    where = f" by {cuts[0]!r}" if cuts else ""
    raise InvalidValueError(
        f"the rows are points of a curve ({quote_names(rates)}{where}), and show neither how many "
        f"cases there were nor which: areas under curves cannot be compared by them.{THE_CASES}",
        parameter=rates[0],
    )


def is_monotone(along: Column, column: Column, blocks: Sequence[Column]) -> bool:
    """Return whether a column never falls, or never rises, as the numbers `along` it rise.

    If there is one column of `blocks`, this is so in each block: the rows with the same value.
    """
    codes = blocks[0].codes if len(blocks) == 1 else np.zeros(along.n, int)
    never_falls, never_rises = [], []
    for code in np.unique(codes):
        rows = (codes == code) & ~along.missing & ~column.missing
        x, y = np.asarray(along.numbers)[rows], np.asarray(column.numbers)[rows]
        rising, falling = np.lexsort((y, x)), np.lexsort((-y, x))  # ties of x contradict neither
        never_falls.append(bool((np.diff(y[rising]) >= 0).all()))
        never_rises.append(bool((np.diff(y[falling]) <= 0).all()))
    return all(never_falls) or all(never_rises)


def refuse_bins(columns: Mapping[str, Column]) -> None:
    """Raise for bins of a reliability diagram: mean predictions beside shares of events."""
    shares = {n: c for n, c in columns.items() if c.is_decimal and c.is_share}
    observed = [n for n in shares if {*split_words(n)} & OBSERVED]
    if not observed:
        return
    predicted = [n for n in shares if {*split_words(n)} & PREDICTED and n not in observed]
    if not predicted or not LEAST_POINTS <= shares[predicted[0]].n <= MOST_BINS:
        return
    if not (has_bins(columns) or {*columns} >= CURVE):
        return
    if not all(bool((np.diff(shares[n].present) > 0).all()) for n in predicted):
        return  # bins are in the order of their predictions
    raise InvalidValueError(
        f"the rows are bins of predictions ({predicted[0]!r} beside {observed[0]!r}), as of a "
        f"reliability diagram: calibration can be tested only by the cases.{THE_CASES}",
        parameter=observed[0],
    )


def has_bins(columns: Mapping[str, Column]) -> bool:
    """Return whether a column is called bin, or counts cases by its name and values."""
    are_named = any({*split_words(n)} & BINS for n in columns)
    counts = [c for n, c in columns.items() if {*split_words(n)} & COUNTS]
    return are_named or any(c.is_count and not c.is_row_number for c in counts)


def refuse_confusion(columns: Mapping[str, Column]) -> None:
    """Raise for a confusion matrix: counts of true classes in rows by predicted ones in columns."""
    classes = row_name_column(columns)
    if classes is None:
        return
    counts = {n: c for n, c in columns.items() if c.is_count and not c.is_row_number}
    if len(columns) != len(counts) + 1 or len(counts) < 2:
        return
    rows = np.flatnonzero(~np.all([c.missing for c in counts.values()], axis=0))
    whose = "true and predicted classes of one model" if rows.size == classes.n else TWO_MODELS
    classes, counts = classes.take(rows), {n: c.take(rows) for n, c in counts.items()}
    true_classes, predicted_classes = (
        [words for words in map(bare_words, names) if not {*words} & TOTALS]
        for names in (classes.label_texts, counts)
    )
    if sorted(true_classes) != sorted(predicted_classes):
        return
    if len(true_classes) < 2 or not all(true_classes):
        return
    column_of = dict(zip(map(bare_words, counts), counts.values(), strict=True))
    names = [bare_words(str(name)) for name in classes.values()]
    diagonal = [np.asarray(column_of[x].numbers)[i] for i, x in enumerate(names) if x in column_of]
    if not any(number > 0 for number in diagonal):
        return  # a table of distances, 0 from each to itself
    raise InvalidValueError(
        f"the table has the counts of {whose} ({quote_names(counts)}), which do not show the cases "
        f"that models share.{THE_CASES}",
        parameter=next(iter(counts)),
    )


def refuse_error_counts(columns: Mapping[str, Column]) -> None:
    """Raise for columns of true positives, false positives and false negatives of two models."""
    models: dict[str, dict[str, str]] = {}
    for name, column in columns.items():
        kind = next((word for word in split_words(name) if word in ("tp", "fp", "fn")), None)
        if kind is not None and column.is_count:
            stem = re.sub(rf"(?i)(?<![^\W_]){kind}(?![^\W_])", "", name).strip(" _-.")
            models.setdefault(stem, {})[kind] = name
    complete = [names for names in models.values() if len(names) == 3]
    if len(complete) < 2 or columns[complete[0]["tp"]].n < 2:
        return
    ratios = []
    for names in complete[:2]:
        tp, fp, fn = (f"data[{names[kind]!r}]" for kind in ("tp", "fp", "fn"))
        ratios.append(f"2 * {tp}, 2 * {tp} + {fp} + {fn}")
    raise InvalidValueError(
        f"each row counts true and false positives and false negatives of models "
        f"({quote_names(models)}), which are no scores. The F1 scores of all rows together are "
        f"compared in Python by `fastcompare.ratio_test({', '.join(ratios)})`, where `data` is "
        "the table as a data frame.",
        parameter=complete[0]["tp"],
    )


def refuse_error_counts_of_rows(
    columns: Mapping[str, Column], model: str, row: str, scores: Sequence[str]
) -> None:
    """Raise for a row for each model and round, document or study with its counts of errors.

    With the way to their F1, or to the sensitivity and specificity where true negatives are counted
    """
    kinds = {name.lower(): name for name in scores}
    if not {"tp", "fp", "fn"} <= {*kinds} or not all(columns[n].is_count for n in scores):
        return
    tp, fp, fn = (f"data[{kinds[kind]!r}]" for kind in ("tp", "fp", "fn"))
    name, ratio, more = "f1", f"2 * {tp} / (2 * {tp} + {fp} + {fn})", ""
    if "tn" in kinds:
        name, ratio = "sensitivity", f"{tp} / ({tp} + {fn})"
        more = f" The specificity is `data[{kinds['tn']!r}] / (data[{kinds['tn']!r}] + {fp})`."
    raise InvalidValueError(
        f"each row counts true and false positives and false negatives ({quote_names(scores)}) of "
        f"a {model!r}, which are no scores: add their {name} in Python, `data[{name!r}] = {ratio}`,"
        f" and compare that of each {row!r}: `fastcompare.compare(data, long=({model!r}, {row!r}, "
        f'{name!r}), kind="items")`, where `data` is the table as a data frame.{more}',
        parameter=kinds["tp"],
    )


def bare_words(name: str) -> tuple[str, ...]:
    """Return the words of a class's name, but for true and predicted: (cat,) of 'true cat'."""
    return tuple(word for word in split_words(name) if word not in TRUE_OR_NOT)


def right_and_wrong(columns: Mapping[str, Column]) -> Reading | None:
    """Return the reading of a 2 x 2 table that counts right and wrong answers of two models.

    None for any other table. The answers of the reading are 1 and 0, written out item by item.
    """
    columns = without_margins(columns)
    names = row_name_column(columns)
    counts = {n: c for n, c in columns.items() if c.is_count}
    if names is None or names.n != 2 or len(counts) != 2 or len(columns) != 3:
        return None
    row_names, column_names = [*map(str, names.values())], [*counts]
    right_rows, right_columns, wrong_rows, wrong_columns = (
        [bool({*split_words(name)} & words) for name in sides]
        for words in (RIGHT, WRONG)
        for sides in (row_names, column_names)
    )
    flags = (right_rows, right_columns, wrong_rows, wrong_columns)
    if any(sorted(pair) != [False, True] for pair in flags) or right_rows == wrong_rows:
        return None
    first = model_of(row_names, names.name or "rows")
    second = model_of(column_names, "columns")
    table = np.stack([np.asarray(c.numbers, int) for c in counts.values()], axis=1)
    if first == second or not table.sum():
        return None
    times = table.ravel()  # both columns of the first row, then of the second
    answers = {
        first: np.repeat(np.array(right_rows, float), 2),
        second: np.tile(np.array(right_columns, float), 2),
    }
    models = {name: np.repeat(values, times) for name, values in answers.items()}
    line = f"Counts of right and wrong answers: of {first!r} in rows, of {second!r} in columns."
    return Reading(kind="items", models=models, lines=(line, "Rows: items (with answers)."))


def without_margins(columns: Mapping[str, Column]) -> Mapping[str, Column]:
    """Return a table of counts without the last row, or column, that has the sums of two others."""
    names = row_name_column(columns)
    counts = {n: c for n, c in columns.items() if c.is_count and not c.missing.any()}
    if names is None or len(columns) != len(counts) + 1 or not {len(counts), names.n} <= {2, 3}:
        return columns
    table = np.stack([np.asarray(c.numbers) for c in counts.values()])
    if names.n == 3 and bool((table[:, :2].sum(axis=1) == table[:, 2]).all()):
        columns = {n: c.take(np.arange(2)) for n, c in columns.items()}
    if len(counts) == 3 and bool((table[:2].sum(axis=0) == table[2]).all()):
        columns = {n: c for n, c in columns.items() if n != [*counts][2]}
    return columns


def counted_answers(columns: Mapping[str, Column]) -> Reading | None:
    """Return the reading of a table that counts each combination of two models' answers.

    None for any other table: its three columns are the answers of both models and the counts.
    """
    marks = {n: right_answer(c) for n, c in columns.items() if c.has_two}
    answers = {n: text for n, text in marks.items() if text and text.casefold() in RIGHT}
    if any(name_suggests(n, role) for n in answers for role in ROLES_OF_NO_MODELS):
        return None
    counts = [c for n, c in columns.items() if n not in answers and c.is_count]
    if len(answers) != 2 or len(counts) != 1 or len(columns) != 3:
        return None
    pairs = {*zip(*(columns[n].codes.tolist() for n in answers), strict=True)}
    (count,) = counts
    named_so = {*split_words(count.name)} & COUNTS
    if not named_so or len(pairs) < count.n or count.n > 4 or count.missing.any():
        return None  # such as cases one by one
    times = np.asarray(count.numbers, int)
    models = {
        n: np.repeat(np.array(cell_texts(columns[n])) == right, times).astype(float)
        for n, right in answers.items()
    }
    line = f"Counts of right and wrong answers of {quote_names(models)}: {count.name!r}."
    return Reading(kind="items", models=models, lines=(line, "Rows: items (with answers)."))


def model_of(names: Sequence[str], otherwise: str) -> str:
    """Return the model in names with right and wrong: forest of 'forest right', 'forest wrong'.

    `otherwise` if they name none, or several.
    """
    mark = rf"(?i)(?<![^\W_])({'|'.join(RIGHT | WRONG)})(?![^\W_])"
    models = {re.sub(mark, "", name).strip(" _-.:") for name in names}
    return models.pop() if len(models) == 1 and models != {""} else otherwise
