"""What columns are to each other: labels by a threshold, classes that sum to one, nested units."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import permutations, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...arrays import FIRST
from ...names import NO, SUMMARIES, WRONG, YES
from ...tables import Numbers
from ..column import Column, written_decimals
from ..words import ERRORS, MOST, ROLES, SUCCESSES, name_suggests, split_words

HORIZON = re.compile(
    r"(?<!\d)(\d+)[\W_]?(years?|yrs?|y|months?|mo|m|weeks?|wks?|w|days?|d|hours?|hrs?|h)(?![^\W_])",
    re.I,
)
LEAST_SHARE_OF_SUCCESSES = 0.5  # of trials, in some row
NO_SUCCESSES = ERRORS | WRONG | ROLES["step"] | {"fp", "fn", "failures", "fails", "mistakes"}
NO_SUCCESSES |= {"miss", "misses", "missed", "retries", "turns", "edits", "rating", "ratings"}
CLEAR_AGREEMENT = 0.4  # kappa of labels that models predicted
FIRST_ROWS = 1000  # which settle most questions about all rows
FEWEST_ROWS_OF_CASE = 1.5  # on average, in a table with a row for each model and case
DERIVED: Mapping[str, Any] = {"mean": np.mean, "largest": np.max, "smallest": np.min}
WORDS_OF_DERIVED = SUMMARIES | {  # else numbers near the best of others are the best model's
    *("diff", "difference", "differences", "delta", "gap", "gain", "improvement", "minus", "lift"),
    *("best", "worst", "max", "maximum", "min", "minimum", "top"),
    *("largest", "smallest", "highest", "lowest", "range", "spread", "both"),
}
MOST_RELATED, FEWEST_RELATED = 20, 5  # columns and rows in which relations are looked for
LEAST_SEPARATED = 0.75  # an AUC of scores that may predict a trait of cases
SHARE_OF_DISTANCE = 0.1  # of medians of two labels, from the threshold between them
FEWEST_NEAR, SMALLEST_SHARE_NEAR = 3, 0.03  # cases near it, and their share of all
SMALLEST_SHARE_OF_PAIRS = 0.5  # of all pairs of values, in a crossed table


def is_thresholded(labels: Column, scores: Column) -> bool:
    """Return whether scores of one label are all at most, or all at least, those of the other."""
    if scores.is_constant or scores.numbers is None:
        return False
    codes, values = labels.codes, scores.numbers
    complete = ~(labels.missing | scores.missing)
    first_code = codes[complete].min(initial=0)
    for rows in (slice(FIRST_ROWS), slice(None)):  # all rows only where the first are separated
        is_first = codes[rows][complete[rows]] == first_code
        complete_values = values[rows][complete[rows]]
        first, second = complete_values[is_first], complete_values[~is_first]
        if first.size and second.size and not are_separated(first, second):
            return False
    return bool(first.size and second.size)


def are_separated(a: NDArray[Any], b: NDArray[Any]) -> bool:
    """Return whether all numbers of one group are at most the least of the other's."""
    return bool(a.max() <= b.min() or b.max() <= a.min())


def auc(scores: Column, labels: Column) -> float:
    """Return the share of pairs of cases, one of each label, whose scores are in the labels' order.

    Pairs of equal scores count half; 0.5 if a label has no cases.
    """
    first, second = scores_of_labels(scores, labels)
    if not first.size or not second.size:
        return 0.5
    first = np.sort(first)
    below = np.searchsorted(first, second, "left") + np.searchsorted(first, second, "right")
    return float(below.mean() / (2 * first.size))


def correlation(x: NDArray[Any], y: NDArray[Any]) -> float:
    """Return Pearson's correlation of two arrays of numbers; 0 where one does not vary."""
    if x.size < 2 or np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        return 0.0
    return float(np.corrcoef(x, y)[0, 1])


def column_correlation(a: Column, b: Column) -> float:
    """Return the correlation of two columns of numbers in the rows where both have one."""
    complete = ~(a.missing | b.missing)
    x, y = (np.asarray(column.numbers, float)[complete] for column in (a, b))
    return correlation(x, y)


def is_separated(column: Column, scores: Sequence[Column]) -> bool:
    """Return whether a score tells the two values of a column apart: by an AUC of 0.75, say."""
    aucs = [auc(score, column) for score in scores]
    return any(max(value, 1.0 - value) >= LEAST_SEPARATED for value in aucs)


def is_dense_at_threshold(scores: Column, labels: Column) -> bool:
    """Return whether many scores are near the threshold that separates the labels.

    As where labels were made of a measurement; models that tell labels apart have few scores there.
    In simulations of 100 cases or more all thresholds of a normal variable have so many.
    """
    lower, upper = sorted(scores_of_labels(scores, labels), key=np.median)
    threshold = (lower.max() + upper.min()) / 2
    width = SHARE_OF_DISTANCE * (np.median(upper) - np.median(lower))
    n = lower.size + upper.size
    near = sum(np.count_nonzero(np.abs(x - threshold) <= width) for x in (lower, upper))
    return bool(near >= max(FEWEST_NEAR, SMALLEST_SHARE_NEAR * n))


def scores_of_labels(scores: Column, labels: Column) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the scores of the cases of each of two labels, where both are there."""
    complete = ~(labels.missing | scores.missing)
    values = np.asarray(scores.numbers, float)[complete]
    is_first = labels.codes[complete] == labels.codes.max(initial=0)
    return values[~is_first], values[is_first]


def is_nested(inner: Column, outer: Column) -> bool:
    """Return whether rows of one `inner` value have one `outer` value: lesions in patients.

    And there are more inner values than outer ones.
    """
    n_inner, n_outer = inner.distinct.size, outer.distinct.size
    if n_inner < 2 or n_outer >= n_inner:
        return False
    pairs = np.stack([inner.codes, outer.codes], axis=1)
    return len(np.unique(pairs, axis=0)) == n_inner


def is_crossed(models: Column, rows: Column) -> bool:
    """Return whether each row value occurs at most once with each model, and with half of them."""
    k, m, n = models.distinct.size, rows.distinct.size, models.n
    if not 2 <= k <= n // 2 or m < 2 or models.missing.any() or rows.missing.any():
        return False
    fewest = max(SMALLEST_SHARE_OF_PAIRS * k, FEWEST_ROWS_OF_CASE) * m
    if not fewest <= n <= k * m:
        return False
    pairs = models.codes * m + rows.codes
    return bool(np.unique(pairs).size == n)


def is_constant_within(values: Column, rows: Column) -> bool:
    """Return whether all rows with the same value of `rows` have the same value of `values`."""
    first = np.full(rows.distinct.size, -2)
    first[rows.codes[::-1]] = values.codes[::-1]  # backwards, so that the first row stays
    return bool((first[rows.codes] == values.codes).all())


def have_decimals(columns: Sequence[Column]) -> bool:
    """Return whether at least two of some columns have decimals."""
    return sum(column.is_decimal for column in columns) > 1


def sum_to_one(columns: Sequence[Column]) -> bool:
    """Return whether numbers from 0 to 1 sum to 1 in every row, but for rounding.

    A number may be off by half a unit of its last digit as written, and the mean of the sums by a
    third of what one sum may be.
    """
    if len(columns) < 2 or not all(column.is_share and column.is_number for column in columns):
        return False
    table = np.stack([np.asarray(column.numbers, float) for column in columns], axis=1)
    tolerance = len(columns) * 0.5 * 10.0 ** -written_decimals(columns) + 1e-6
    parts = table[:FIRST], table  # the first rows decide most tables at once
    if not all(bool((np.abs(part.sum(axis=1) - 1.0) <= tolerance).all()) for part in parts):
        return False
    return bool(abs(table.sum(axis=1).mean() - 1.0) <= tolerance / 3)


MARKED = re.compile(r"\W*([^_\W]+)[_\W]+(.+)")  # a word, marks, and another text
PROBABILITY = "(?:p|pr|pred|prob|proba|probability|score)"
OF_PROBABILITY = re.compile(rf"[\W_]{{1,9}}{PROBABILITY}$", re.I)
AT_ENDS = re.compile(rf"^(?:{PROBABILITY}(?![^\W_]))?[\W_]+|[\W_]+$", re.I)
OF_CLASS = "(?:class|cls|klasse|label|c|p|prob|proba)?"  # before a class that is a number
NUMBERED = re.compile(r"(\d+)([^\W\d_].*)")


class ClassName(NamedTuple):
    """A name of a column of probabilities in two parts."""

    model: str
    label: str


def class_blocks(
    columns: Mapping[str, Column], labels: Sequence[str] = ()
) -> dict[str, dict[str, str]]:
    """Return for each model its columns of probabilities by class, which sum to 1; {} without any.

    A name is a model and a class in either order, with a mark between: `a_0`, `p_cat`, `cat.old`.
    The `labels` of the truth decide where a name of several words is divided.
    """
    shares = [name for name, column in columns.items() if column.is_number and column.is_share]
    if len(shares) < 2:
        return {}
    at_labels = [
        blocks_by(partial(split_at_label, labels=labels, place=place), columns, shares)
        for place in (-1, 0)  # the last word that is a label, else the first: P(y=1) of model 1
    ]
    further = (blocks_by(split, columns, shares) for split in SPLITS)
    blocks = max(at_labels, key=len) or next(filter(None, further), {})
    if blocks:
        return shorten_model_names(blocks)
    all_shares = [columns[name] for name in shares]
    if len(shares) > 2 and have_decimals(all_shares) and sum_to_one(all_shares):
        return {"": {name: name for name in shares}}  # one model, whose name is in no column
    return {}


def blocks_by(
    split: Callable[[str], ClassName | None], columns: Mapping[str, Column], shares: Sequence[str]
) -> dict[str, dict[str, str]]:
    """Return for each model its columns by class, as names are split; {} if classes differ."""
    groups: dict[str, dict[str, str]] = {}
    for name in shares:
        if (class_name := split(name)) is not None:
            groups.setdefault(class_name.model, {})[class_name.label] = name
    summing = {
        model: names
        for model, names in groups.items()
        if sum_to_one([columns[name] for name in names.values()])
    }
    classes = {
        frozenset(names)
        for names in summing.values()
        if have_decimals([columns[name] for name in names.values()])
    }
    # probabilities that are all 0 and 1, as those of trees, have classes of another model
    return {m: n for m, n in summing.items() if classes == {frozenset(n)}}


def shorten_model_names(blocks: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """Return blocks whose models lost a last word for probability: `lr` of `lr_prob_0`."""
    names = [OF_PROBABILITY.sub("", model) for model in blocks]
    if not all(names) or len({*names}) < len(names):
        return blocks
    return dict(zip(names, blocks.values(), strict=True))


def split_at_label(name: str, labels: Sequence[str], place: int = -1) -> ClassName | None:
    """Return a name as its model and the last of `labels` that is a word of it; else None.

    With `place` 0 it is the first. A label within a longer one does not count.
    """
    matches: list[tuple[re.Match[str], str]] = []
    for label in sorted(labels, key=len, reverse=True):
        of_class = OF_CLASS if label.isdigit() else ""
        pattern = rf"(?<![^\W_]){of_class}{re.escape(label)}(?![^\W_])"
        spans = [match.span() for match, _ in matches]
        for match in re.finditer(pattern, name, re.I):
            if not any(start < match.end() and match.start() < end for start, end in spans):
                matches.append((match, label))
    if not matches:
        return None
    match, label = sorted(matches, key=lambda pair: pair[0].start())[place]
    around = (name[: match.start()], name[match.end() :])
    model = " ".join(filter(None, (AT_ENDS.sub("", part) for part in around)))
    return ClassName(model, label) if model else None


def split_off_last_word(name: str) -> ClassName | None:
    """Return a name such as `svm_cat` as the model svm and the class cat, the last word.

    None for a name of one word, unless a number ends it: svm1.
    """
    backwards = name[::-1]  # the last word is then found in linear time
    match = MARKED.fullmatch(backwards) or NUMBERED.fullmatch(backwards)
    return match and ClassName(model=match[2][::-1], label=match[1][::-1])


def split_off_first_word(name: str) -> ClassName | None:
    """Return a name such as `cat_svm` as the model svm and the class cat; None for one word."""
    match = re.fullmatch(r"([^_\W]+)[_\W]+(.+)", name)
    return match and ClassName(model=match[2], label=match[1])


SPLITS = (split_off_last_word, split_off_first_word)


def coarsest_unit(units: Sequence[Column], fewest_values: int) -> Column:
    """Return the unit of fewest values among those with at least `fewest_values`.

    If none has so many, the unit of most values.
    """
    by_size = sorted(units, key=lambda column: column.distinct.size)
    large = [column for column in by_size if column.distinct.size >= fewest_values]
    return large[0] if large else by_size[-1]


def row_indices(models: Column, rows: Column) -> NDArray[np.int64]:
    """Return the index (n, k) of the row of each case and model, -1 where there is none."""
    places = np.full((rows.distinct.size, models.distinct.size), -1)
    places[rows.codes, models.codes] = np.arange(models.n)
    return places


def derived_scores(columns: Mapping[str, Column]) -> dict[str, str]:
    """Return by name why columns of decimals are no scores: they are computed from the others.

    They are means, largest or smallest values or differences of these, by their values and by a
    word of their names. {} if fewer than two scores would be left.
    """
    numbers = {n: c for n, c in columns.items() if c.is_decimal and not c.missing.any()}
    if not 3 <= len(numbers) <= MOST_RELATED or next(iter(numbers.values())).n < FEWEST_RELATED:
        return {}
    values = {n: np.asarray(c.numbers, float) for n, c in numbers.items()}
    tolerance = 2.0 * 10.0 ** -written_decimals([*numbers.values()]) + 1e-9
    sizes = {n: np.abs(v).mean() for n, v in values.items()}
    reasons = {}
    for name in [n for n in values if {*split_words(n)} & WORDS_OF_DERIVED]:
        x = values[name]
        others = {n: v for n, v in values.items() if n != name}
        table = np.stack([*others.values()])
        if any(is_near(x, other, tolerance) for other in table):
            continue  # the same model twice
        for reason, function in DERIVED.items():
            if is_near(x, function(table, axis=0), tolerance):
                reasons[name] = f"the {reason} of the others"
        larger = [n for n in others if sizes[name] < sizes[n]]
        for first, second in permutations(larger, 2):
            if is_near(x, values[first] - values[second], tolerance):
                reasons[name] = f"the difference of {first!r} and {second!r}"
    return reasons if len(numbers) - len(reasons) > 1 else {}


def confidences(columns: Mapping[str, Column]) -> dict[str, str]:
    """Return by name why shares are no scores: each is the larger of a score s and 1 - s."""
    shares = {n: c for n, c in columns.items() if c.is_decimal and c.is_share}
    values = {n: np.asarray(c.numbers, float) for n, c in shares.items() if not c.missing.any()}
    if not 2 <= len(values) <= MOST_RELATED:
        return {}
    tolerance = 2.0 * 10.0 ** -written_decimals([shares[n] for n in values]) + 1e-9
    reasons = {}
    below = [n for n, s in values.items() if s.min(initial=1.0) < 0.5]
    for name, other in product([n for n in values if n not in below], below):
        s = values[other]
        if is_near(values[name], np.maximum(s, 1.0 - s), tolerance):
            reasons[name] = f"the larger of {other!r} and 1 - {other!r}"
    return reasons


def is_near(x: Any, other: Any, tolerance: float) -> bool:
    """Return whether no two numbers of two arrays differ by more than a tolerance."""
    return bool((np.abs(x - other) <= tolerance).all())


def are_ranks(columns: Numbers) -> bool:
    """Return whether each row may have the ranks from 1 to k of its k >= 3 columns, or midranks.

    That is, all numbers are from 1 to k, and each row has the sum of these ranks.
    """
    k = len(columns)
    if k < 3 or any(x.size < 2 or x.least < 1 or x.most > k for x in columns.values()):
        return False
    if len({x.size for x in columns.values()}) > 1:
        return False
    sums = np.sum([x.values for x in columns.values()], axis=0)
    return bool((sums == k * (k + 1) / 2).all())


def kappa(column: Column, label: Column) -> float:
    """Return Cohen's kappa of a column and the true labels, by their values; 1 if undefined."""
    texts = [*dict.fromkeys(comparable_texts(column) + comparable_texts(label))]
    predicted, true = indices_of_texts(column, texts), indices_of_texts(label, texts)
    present = (predicted >= 0) & (true >= 0)
    predicted, true = predicted[present], true[present]
    n = max(predicted.size, 1)
    k = len(texts)
    counts_predicted, counts_true = (np.bincount(x, minlength=k) for x in (predicted, true))
    expected = float(counts_predicted @ counts_true) / n**2
    observed = float((predicted == true).sum()) / n
    return 1.0 if expected >= 1.0 else (observed - expected) / (1.0 - expected)


def indices_of_texts(column: Column, texts: Sequence[str]) -> NDArray[np.int64]:
    """Return for each row the index of its comparable text in `texts`, -1 where missing."""
    indices = np.array([*map(texts.index, comparable_texts(column)), -1])
    values = column.codes if column.numbers is None else column.numbers
    place = np.searchsorted(column.distinct, values)
    return np.asarray(indices[np.where(column.missing, -1, place)], np.int64)


def comparable_texts(column: Column) -> list[str]:
    """Return the distinct values as texts in lower case; "0" and "1" for two that are ordered.

    These are two numbers, in their order, and words for no and yes.
    """
    texts = [text.casefold() for text in column.label_texts]
    if not column.has_two:
        return texts
    if column.numbers is not None:
        return ["0", "1"]
    truths = ["1" if text in YES else "0" if text in NO else text for text in texts]
    return truths if {*truths} == {"0", "1"} else texts


def is_label_of_score(
    labels: Column, scores: Sequence[Column], others: Sequence[Column] = ()
) -> bool:
    """Return whether labels are a score cut at a threshold, and have its name: pred_svm of svm.

    So have svm_label and svm_prob, if other scores are not called svm, or if some of the `others`
    agrees with these labels and is no such label: a truth that a score separates is rare.
    """
    words = {*split_words(labels.name)}
    for score in scores:
        words_of_score = {*split_words(score.name)}
        models = words_of_score - ROLES["prediction"]
        if not labels.has_two or not models <= words or not is_thresholded(labels, score):
            continue
        is_of_all = all(models <= {*split_words(s.name)} for s in scores)
        agree = [c for c in others if c is not labels and kappa(c, labels) >= CLEAR_AGREEMENT]
        agree = [c for c in agree if not any(is_thresholded(c, s) for s in scores)]
        if words_of_score <= words or (models and (not is_of_all or agree)):
            return True
    return False


def is_predicted(truth: Column, predictions: Iterable[Column]) -> bool:
    """Return whether some prediction's mean squared error is below the variance of the truth."""
    y = np.asarray(truth.numbers, float)
    if np.isnan(y).all():
        return False
    errors = [np.square(np.asarray(column.numbers, float) - y) for column in predictions]
    variance = np.nanvar(y)
    return any(np.nanmean(error) < variance for error in errors if not np.isnan(error).all())


def is_on_scale_of(truth: Column, predictions: Sequence[Column]) -> bool:
    """Return whether the median of the truth is within the range of each column of predictions."""
    middle = float(np.median(truth.present))
    return all(float(c.present.min()) <= middle <= float(c.present.max()) for c in predictions)


def resembles(column: Column, model: Column) -> bool:
    """Return whether a column has numbers of the size of a model's, which may predict them.

    The model's median is in their range, and its range is at least that of their upper half.
    """
    kinds = [None if c.numbers is None else c.numbers.dtype.kind for c in (column, model)]
    if not {*kinds} <= {*"iuf"} or column.has_few_values:
        return False
    if column.all_differ and column.is_whole and name_suggests(column.name, "id"):
        return False
    if not column.present.size or not model.present.size:
        return False
    low, middle, high = np.quantile(column.present, (0.0, 0.5, 1.0))
    return bool(low <= np.median(model.present) <= high and np.ptp(model.present) >= high - middle)


def scores_by_label(labels: Sequence[str], scores: Sequence[str]) -> dict[str, list[str]]:
    """Return for each column of labels the scores whose names have its words; {} if unclear.

    It is clear where each score is of one column of labels: edema_svm of edema_true.
    """
    words = {name: {*split_words(name)} for name in (*labels, *scores)}
    horizons = {name: horizons_in(name) for name in words}
    for tokens in (words, horizons):
        shared = set.intersection(*(tokens[name] for name in labels))
        distinctive_words = {
            label: {x for x in tokens[label] - shared if x.isalpha() or tokens is horizons}
            for label in labels
        }
        if all(max(map(len, only), default=0) > 1 for only in distinctive_words.values()):
            break
    else:
        return {}  # single letters and numbers are as often of models
    by_label = {
        label: [s for s in scores if only <= tokens[s]] for label, only in distinctive_words.items()
    }
    used = [score for of_label in by_label.values() for score in of_label]
    return by_label if all(by_label.values()) and sorted(used) == sorted(scores) else {}


def horizons_in(name: str) -> set[str]:
    """Return the times within which a name predicts, a number and its unit: 5y of QRISK_5yr."""
    return {f"{number}{unit[0]}".lower() for number, unit in HORIZON.findall(name)}


def is_in_names(label: Column, shares: Mapping[str, Column]) -> bool:
    """Return whether the probabilities of classes are called by the label: P (Churn=1) by Churn."""
    blocks = class_blocks(shares, label.label_texts)
    words = {*split_words(label.name)}
    names = [name for block in blocks.values() for name in block.values()]
    return bool(words) and all(words <= {*split_words(name)} for name in names)


def scores_of_label(label: str, rivals: Sequence[str], scores: list[str]) -> list[str]:
    """Return the scores that names say are of this label, not of another; all if unclear."""
    rivals = [name for name in rivals if {*split_words(name)} & {*split_words(label)}]
    return scores_by_label([label, *rivals], scores).get(label, scores) if rivals else scores


def are_successes(
    counts: Mapping[str, NDArray[np.float64]], trials: Column, columns: Mapping[str, Column]
) -> bool:
    """Return whether counts of models are of successes among trials: by their names, or values.

    By values some are 0 and some near the number of trials, which is the same in all rows, or in
    a quarter of the rows of items below the largest count. Ratings beside a length are not, and
    sizes of data sets are far above other numbers.
    """
    n = np.asarray(trials.numbers, float)
    if any((x > n).any() for x in counts.values()):
        return False
    words_of_models = [{*split_words(name)} for name in counts]
    if all(words & SUCCESSES for words in words_of_models):
        return True
    if MOST & {*split_words(trials.name)}:  # a total, or a model called max
        return False
    if any(words & NO_SUCCESSES for words in words_of_models):
        return False
    is_constant = bool((n == n[0]).all())
    largest = max(float(x.max()) for x in counts.values())
    of_items = any(name_suggests(name, "item") for name in columns)
    follow = of_items and float(np.quantile(n, 0.25)) < largest
    some_none = any((x == 0).any() for x in counts.values())
    most = max(float((x / n).max()) for x in counts.values())
    return (is_constant or follow) and some_none and most >= LEAST_SHARE_OF_SUCCESSES
