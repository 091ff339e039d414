"""Tables that summarize cases: points of curves, bins, counts of errors, means of each model.

They are refused, since a difference can be tested only by the cases. Counts of the right and wrong
answers of two models are as good as the cases, and are compared.
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from ...._base.exceptions import InvalidValueError
from ..column import Column, cell_texts, right_answer, row_name_column
from ..reading import Reading, quote_names, refuse_metrics
from ..words import (
    BESIDE_METRICS,
    RIGHT,
    WRONG,
    is_index,
    is_summary_name,
    name_suggests,
    split_words,
    words_and_joined,
)

RATES = {"tpr", "fpr", "tnr", "fnr", "sensitivity", "specificity", "recall", "precision", "fallout"}
RATES |= {"sens", "spec", "truepositiverate", "falsepositiverate", "ppv", "npv"}
FALSE_POSITIVE_RATES = {
    "fpr",
    "falsepositiverate",
    "fallout",
    "specificity",
    "spec",
}  # axes of ROC curves
CUTS = {"threshold", "thresholds", "cutoff", "cutoffs", "cut", "thresh", "thr", "cutpoint"}
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
OF_SEVERAL = ("dataset", "fold", "item", "id")  # rows whose values are of one metric or another
VAGUE = {"value", "metric", "mean", "result", "results", "performance", "correct"}  # of any table
ALL = {"total", "all", "sum"}
COUNTS = {"n", "count", "counts", "times", "freq", "frequency", "number"}  # cases of a row
NO_MODELS = ("truth", "outcome", "rater")
INTERVALS, PLACES = {"ci", "interval", "konfidenzintervall"}, {"rank", "place", "position", "rang"}
MOST_BINS, BINS = 100, {"bin", "bins", "bucket", "decile"}
CURVE = {"prob_true", "prob_pred"}  # as scikit-learn's calibration_curve returns them
LEAST_POINTS, MANY_POINTS = 3, 6
THE_CASES = (
    " Pass the cases: a row for each, with its true label and the score of each model in a column."
)


def refuse_summaries(columns: Mapping[str, Column]) -> None:
    """Raise for a table that summarizes cases, by which no difference can be tested."""
    usable = {n: c for n, c in columns.items() if c.present.size}
    refuse_rows_of_metrics(usable)
    refuse_points(usable)
    refuse_bins(usable)
    refuse_confusion(usable)
    refuse_error_counts(usable)


def refuse_rows_of_metrics(columns: Mapping[str, Column]) -> None:
    """Raise for a table with a row for each model and one number for each metric."""
    columns = {n: c for n, c in columns.items() if not is_beside_ratings(c)}
    names = row_name_column(columns)
    if names is None:
        return
    numbers = [n for n, c in columns.items() if c.is_number and not is_index(n)]
    several = any(name_suggests(names.name, role) for role in OF_SEVERAL) or is_index(names.name)
    if several or len(numbers) < 2 or 1 + len(numbers) < len(columns):
        return
    unsure = [n for n in numbers if {*split_words(n)} & (BESIDE_METRICS | VAGUE)]
    if all(map(is_summary_name, numbers)) and unsure != numbers:
        by_model = name_suggests(names.name, "model")
        refuse_metrics(names.name, numbers, or_models=not by_model)


def is_beside_ratings(column: Column) -> bool:
    """Return whether a column has intervals of another in words, or places from 1 on."""
    words = {*split_words(column.name)}
    if column.texts is not None:
        return bool(words & INTERVALS)
    return bool(words & PLACES) and (column.is_row_number or column.is_ranking)


def refuse_points(columns: Mapping[str, Column]) -> None:
    """Raise for points of ROC or precision-recall curves."""
    numbers = {n: c for n, c in columns.items() if c.is_number and not is_index(n)}
    rates = [n for n in numbers if words_and_joined(n) & RATES]
    if not rates:
        return
    cuts = [n for n, c in numbers.items() if {*split_words(n)} & CUTS and not c.is_constant]
    kinds = [words_and_joined(n) & RATES for n in rates]
    if len({*kinds}) < 2 or not (cuts or any(FALSE_POSITIVE_RATES & k for k in kinds)):
        return
    along = cuts[:1] or rates[:1]
    texts = [
        c for c in columns.values() if c.texts is not None and c.has_few_values and not c.all_differ
    ]
    others = [n for n in rates if n not in along]
    monotone = [n for n in others if is_monotone(numbers[along[0]], numbers[n], texts)]
    least = LEAST_POINTS if cuts else MANY_POINTS
    if not monotone or (not cuts and len(monotone) < len(others)) or numbers[along[0]].n < least:
        return
    where = f" by {cuts[0]!r}" if cuts else ""
    raise InvalidValueError(
        f"the rows are points of a curve ({quote_names(rates)}{where}), and show neither how many "
        f"cases there were nor which: areas under curves cannot be compared by them.{THE_CASES}",
        parameter=rates[0],
    )


def is_monotone(along: Column, column: Column, blocks: Sequence[Column]) -> bool:
    """Return whether one column never falls, or never rises, as another rises in each block."""
    codes = blocks[0].codes if len(blocks) == 1 else np.zeros(along.n, int)
    directions = set()
    for code in np.unique(codes):
        rows = (codes == code) & ~along.missing & ~column.missing
        x, y = np.asarray(along.numbers)[rows], np.asarray(column.numbers)[rows]
        steps = np.diff(y[np.lexsort((y, x))]), np.diff(y[np.lexsort((-y, x))])
        directions.add((bool((steps[0] >= 0).all()), bool((steps[1] <= 0).all())))
    return all(up for up, _ in directions) or all(down for _, down in directions)


def refuse_bins(columns: Mapping[str, Column]) -> None:
    """Raise for bins of a reliability diagram: mean predictions beside shares of events."""
    shares = {n: c for n, c in columns.items() if c.is_decimal and c.is_share}
    observed = [n for n in shares if {*split_words(n)} & OBSERVED]
    if not observed:
        return
    meant = [n for n in shares if {*split_words(n)} & PREDICTED and n not in observed]
    if not meant or shares[meant[0]].n < LEAST_POINTS:
        return
    if shares[meant[0]].n > MOST_BINS or not (has_bins(columns) or {*columns} >= CURVE):
        return
    if not all(bool((np.diff(shares[n].present) > 0).all()) for n in meant):
        return
    raise InvalidValueError(
        f"the rows are bins of predictions ({meant[0]!r} beside {observed[0]!r}), as of a "
        f"reliability diagram: calibration can be tested only by the cases.{THE_CASES}",
        parameter=observed[0],
    )


def has_bins(columns: Mapping[str, Column]) -> bool:
    """Return whether a column is called bin, or counts cases by its name and values."""
    called = any({*split_words(n)} & BINS for n in columns)
    counts = [c for n, c in columns.items() if {*split_words(n)} & COUNTS]
    return called or any(c.is_count and not c.is_row_number for c in counts)


def refuse_confusion(columns: Mapping[str, Column]) -> None:
    """Raise for a confusion matrix: counts of true classes in rows by predicted ones in columns."""
    classes = row_name_column(columns)
    if classes is None:
        return
    counts = {n: c for n, c in columns.items() if c.is_count and not c.is_row_number}
    if len(columns) != len(counts) + 1 or len(counts) < 2:
        return
    rows = [bare_words(name) for name in classes.label_texts]
    named = [bare_words(name) for name in counts]
    rows, named = ([one for one in ones if not {*one} & ALL] for ones in (rows, named))
    if sorted(rows) != sorted(named) or len(rows) < 2 or not all(rows):
        return
    places = dict(zip(map(bare_words, counts), counts.values(), strict=True))
    names = [bare_words(str(name)) for name in classes.values()]
    diagonal = [np.asarray(places[x].numbers)[i] for i, x in enumerate(names) if x in places]
    if not any(number > 0 for number in diagonal):
        return  # distances
    raise InvalidValueError(
        f"the table has the counts of true and predicted classes ({quote_names(counts)}) of one "
        f"model, which do not show the cases that it shares with another.{THE_CASES}",
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
    full = [names for names in models.values() if len(names) == 3]
    if len(full) < 2 or columns[full[0]["tp"]].n < 2:
        return
    ratios = []
    for names in full[:2]:
        tp, fp, fn = (f"data[{names[kind]!r}]" for kind in ("tp", "fp", "fn"))
        ratios.append(f"2 * {tp}, 2 * {tp} + {fp} + {fn}")
    raise InvalidValueError(
        f"each row counts true and false positives and false negatives of models "
        f"({quote_names(models)}), which are no scores. The F1 scores of all rows together are "
        f"compared in Python by `fastcompare.ratio_test({', '.join(ratios)})`, where `data` is "
        "the table as a data frame.",
        parameter=full[0]["tp"],
    )


def refuse_error_counts_of_rows(
    columns: Mapping[str, Column], model: str, row: str, scores: Sequence[str]
) -> None:
    """Raise for a row for each model and round, document or image with its counts of errors."""
    kinds = {name.lower(): name for name in scores}
    if not {"tp", "fp", "fn"} <= {*kinds} or not all(columns[n].is_count for n in scores):
        return
    tp, fp, fn = (f"data[{kinds[kind]!r}]" for kind in ("tp", "fp", "fn"))
    raise InvalidValueError(
        f"each row counts true and false positives and false negatives ({quote_names(scores)}) of "
        f"a {model!r}, which are no scores: add their F1 in Python, `data['f1'] = 2 * {tp} / (2 * "
        f"{tp} + {fp} + {fn})`, and compare that of each {row!r}: "
        f"`fastcompare.compare(data, long=({model!r}, {row!r}, 'f1'))`, where `data` is the table "
        "as a data frame.",
        parameter=kinds["tp"],
    )


def bare_words(name: str) -> tuple[str, ...]:
    """Return the words of a class's name, but for true and predicted: (cat,) of 'true cat'."""
    return tuple(word for word in split_words(name) if word not in TRUE_OR_NOT)


def right_and_wrong(columns: Mapping[str, Column]) -> Reading | None:
    """Return the reading of a 2 x 2 table that counts right and wrong answers of two models."""
    names = row_name_column(columns)
    counts = {n: c for n, c in columns.items() if c.is_count}
    if names is None or names.n != 2 or len(counts) != 2 or len(columns) != 3:
        return None
    rows, across = [*map(str, names.values())], [*counts]
    right = [[bool({*split_words(name)} & RIGHT) for name in called] for called in (rows, across)]
    wrong = [[bool({*split_words(name)} & WRONG) for name in called] for called in (rows, across)]
    if any(sorted(one) != [False, True] for one in (*right, *wrong)) or right[0] == wrong[0]:
        return None
    first, second = model_of(rows, names.name or "rows"), model_of(across, "columns")
    table = np.stack([np.asarray(c.numbers, int) for c in counts.values()], axis=1)
    if first == second or not table.sum():
        return None
    cells = [(right[0][i], right[1][j], int(table[i, j])) for i, j in np.ndindex(2, 2)]
    models = {
        name: np.repeat([float(cell[at]) for cell in cells], [cell[2] for cell in cells])
        for at, name in enumerate((first, second))
    }
    return Reading(
        kind="items",
        models=models,
        lines=(
            f"Counts of right and wrong answers: of {first!r} in rows, of {second!r} in columns.",
            "Rows: items (with answers).",
        ),
    )


def counted_answers(columns: Mapping[str, Column]) -> Reading | None:
    """Return the reading of a table that counts each combination of two models' answers."""
    marks = {n: right_answer(c) for n, c in columns.items() if c.has_two}
    answers = {n: text for n, text in marks.items() if text and text.casefold() in RIGHT}
    if any(name_suggests(n, role) for n in answers for role in NO_MODELS):
        return None
    counts = [c for n, c in columns.items() if n not in answers and c.is_count]
    if len(answers) != 2 or len(counts) != 1 or len(columns) != 3:
        return None
    pairs = {*zip(*(columns[n].codes.tolist() for n in answers), strict=True)}
    (number,) = counts
    called = {*split_words(number.name)} & COUNTS
    if not called or len(pairs) < number.n or number.n > 4 or number.missing.any():
        return None
    times = np.asarray(number.numbers, int)
    models = {
        n: np.repeat(np.array(cell_texts(columns[n])) == right, times).astype(float)
        for n, right in answers.items()
    }
    line = f"Counts of right and wrong answers of {quote_names(models)}: {number.name!r}."
    return Reading(kind="items", models=models, lines=(line, "Rows: items (with answers)."))


def model_of(names: Sequence[str], otherwise: str) -> str:
    """Return the common rest of names without right and wrong: forest of 'forest right'."""
    bare = {re.sub(rf"(?i)(?<![^\W_])({'|'.join(RIGHT | WRONG)})(?![^\W_])", "", n) for n in names}
    words = {one.strip(" _-.:") for one in bare}
    return words.pop() if len(words) == 1 and words != {""} else otherwise
