"""Columns that are no models, or several ones of each: attributes, measurements, other metrics.

By name or by their values; where neither is clear, it is asked which columns are the models.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ..._base.exceptions import InvalidValueError
from ..names import HELD_OUT, TRAINING
from .column import Column
from .question import ask
from .reading import Named, quote_names
from .relations import (
    CLEAR_AGREEMENT,
    auc,
    is_dense_at_threshold,
    is_on_scale_of,
    is_thresholded,
    kappa,
)
from .relations.chance import FEWEST_CASES, MODEL, NAMES_OF_MODELS
from .truths import is_rank
from .words import (
    MOST,
    PROBABILITIES,
    ROLES,
    axis_names,
    first_metric,
    is_attribute,
    is_clear_truth,
    is_of_trials,
    is_outcome,
    last_metric,
    metric_in,
    name_suggests,
    name_words,
    names_sets,
    split_words,
)

NAMES_OF_PROBABILITIES = PROBABILITIES | {"pop"}
NO_AGREEMENT = 0.1
MOST_SHOWN = 4  # columns with their values, in a message
MOST_FAR = 0.98  # an AUC of models that are far from deciding the labels
SMALLEST_SHARE_WITHIN = 0.9  # of probabilities from 0 to 1; others may be codes or mistakes
SMALLEST_SHARE_OF_FRACTIONS = 0.5  # of the numbers of a column with decimals throughout
COSTS = {"params", "parameters", "param", "flops", "gflops", "macs", "gmacs", "latency", "vram"}
COSTS |= {"throughput", "fps", "downloads", "likes", "stars"}
SIZES = "a whole number of each data set, beside scores with decimals"
OTHER_NUMBERS = {  # by the role that their names suggest, unless they are between 0 and 1
    "weight": "weights, by its name",
    "measure": "another measurement, by its name",
    "time": "a time, by its name",
}
IN_HUNDREDS = "amounts, all in hundreds"
ROUND, SMALLEST_MEDIAN = 100, 1000  # of amounts in hundreds
MEDIA = {"image", "images", "img", "utt", "utterance", "audio", "clip", "video", "frame", "slice"}
MEDIA |= {"scan", "volume", "photo", "picture", "recording", "page", "doc", "document", "text"}
IDS = {"id", "ids", "uid", "file", "filename", "name", "path"}


def other_role(column: Column) -> str:
    """Return why numbers are no scores, by their name: weights, a measurement; "" if nothing says.

    Numbers from 0 to 1 may be scores in spite of their name, unless they are weights.
    """
    name = column.name
    role = next((role for role in OTHER_NUMBERS if name_suggests(name, role)), "")
    if name_suggests(name, "prediction"):
        return ""
    may_be_scores = role != "weight" and column.is_decimal and column.is_share
    return "" if may_be_scores else OTHER_NUMBERS.get(role, "")


def amount(column: Column) -> str:
    """Return why numbers are an amount or a stay: by name, or all in hundreds; "" for others."""
    name = column.name
    if column.present.min() < 0 or (column.is_decimal and column.is_share):
        return ""
    if name_suggests(name, "prediction") or MODEL & {*split_words(name)}:
        return ""
    if name_suggests(name, "amount"):
        return "an amount or a duration, by its name"
    if not column.is_whole or column.has_few_values or (column.present % ROUND).any():
        return ""
    return IN_HUNDREDS if np.median(column.present) >= SMALLEST_MEDIAN else ""


def without_coordinates(
    columns: dict[str, Column], named: Named
) -> tuple[dict[str, Column], tuple[str, ...]]:
    """Return the columns that are no coordinates on a map, and a line on these.

    They are two columns of numbers called X_UTM and Y_UTM, or lon and lat, that no option names.
    """
    names = {" ".join(split_words(n)): n for n in columns}
    roles = (named.label, *named.auxiliary, *(named.models or ()), *(named.long or ()))
    for name in columns:
        axes = axis_names(name)
        second = names.get(axes[1]) if axes else None
        if axes is None or second is None or {name, second} & {*roles}:
            continue
        others = {n: c for n, c in columns.items() if n not in (name, second)}
        if are_coordinates(columns[name], columns[second], others):
            return others, (f"Not used: {quote_names([name, second])} (coordinates).",)
    return columns, ()


def are_coordinates(x: Column, y: Column, others: Mapping[str, Column]) -> bool:
    """Return whether numbers of columns that are called axes of a map are no truth or scores.

    Under such names no others are predictions; of x and y, these are on another scale, and there
    are three columns or more that may be the truth and models.
    """
    if not all(c.is_number and not c.has_few_values for c in (x, y)) or (x.is_share and y.is_share):
        return False
    axes = {*split_words(x.name), *split_words(y.name)}
    if any(axes & {*split_words(name)} for name in others):
        return False
    if axes != {"x", "y"}:  # nor errors of lon, lat and alt
        on_scale_of_both = [
            c for c in others.values() if c.is_number and all(share_scale(c, d) for d in (x, y))
        ]
        return len(others) > 1 and not on_scale_of_both
    values = [c for c in others.values() if c.has_few_values or (c.is_decimal and c.is_number)]
    values = [c for c in values if not c.is_trait and not name_suggests(c.name, "measure")]
    numbers = [c for c in values if c.is_number]
    return len(values) > 2 and not any(is_on_scale_of(y, [c]) for c in numbers)


def share_scale(a: Column, b: Column) -> bool:
    """Return whether the median of each of two columns of numbers is within the other's range."""
    return is_on_scale_of(a, [b]) and is_on_scale_of(b, [a])


def predicted_labels(
    names: Sequence[str], others: Mapping[str, Column], label: Column, why: dict[str, str]
) -> list[str]:
    """Return the columns of labels that models may have predicted; write to `why` the others.

    The others are attributes by name, such as smoker, that agree little with the true labels, and
    numbers beside predicted words, unless they may be codes of these. All, if none were left.
    """
    attributes = [n for n in names if is_attribute(n)]
    reasons = {
        n: "an attribute, by its name"
        for n in attributes
        if kappa(others[n], label) < CLEAR_AGREEMENT
    }
    words = [n for n in names if others[n].texts is not None]
    if words and label.texts is not None:
        numbers = [n for n in names if n not in words]
        no_codes = [n for n in numbers if others[n].distinct.size != label.distinct.size]
        reasons |= dict.fromkeys(no_codes, "numbers beside predicted words")
    predicted = [n for n in names if n not in reasons]
    if not predicted:
        return [*names]
    why |= reasons
    return predicted


def is_set_of_cases(column: Column, label: Column) -> bool:
    """Return whether a column has a few sets of cases, such as prompts: named so, and no labels.

    Labels agree with the truth.
    """
    is_few = column.is_constant or column.has_few_values
    return is_few and names_sets(column.name) and kappa(column, label) < CLEAR_AGREEMENT


def ask_unrelated(models: Mapping[str, Column], label: Column) -> None:
    """Raise for labels that agree with the truth no more than by chance, where two others do.

    They may be attributes of the cases. Agreement is Cohen's kappa.
    """
    if label.n < FEWEST_CASES:
        return
    varying = {name: column for name, column in models.items() if not column.is_constant}
    kappas = {name: kappa(column, label) for name, column in varying.items()}
    related = [name for name, value in kappas.items() if value >= CLEAR_AGREEMENT]
    unrelated = [
        name
        for name, value in kappas.items()
        if value < NO_AGREEMENT and not any(name_suggests(name, r) for r in ("prediction", "rater"))
    ]
    if len(related) > 1 and unrelated:
        plausible = [name for name in models if name not in unrelated]
        ask(
            f"{quote_names(unrelated)} may be no predictions: the values agree with the true "
            f"labels no more than by chance, those of {quote_names(plausible)} do. Which are the "
            "models?",
            [{"models": plausible}, {"models": [*models]}],
        )


def labels_beside_numbers(
    scores: Sequence[str], labels: Sequence[str], others: Mapping[str, Column], label: Column
) -> list[str]:
    """Return the columns of labels that are the models where numbers are measurements; else [].

    They have the two values of the truth, and two agree with it. A single number beside words is no
    model. Raise where numbers that are no probabilities or predictions by name may be models; in
    the words of the truth also where labels agree little with it.
    """
    is_text = label.texts is not None
    coded = [n for n in labels if (others[n].texts is not None) == is_text]
    if len(coded) < 2 or not scores:
        return []
    kappas = [kappa(others[n], label) for n in coded]
    related = sum(value >= CLEAR_AGREEMENT for value in kappas)
    if is_text and related > 1 and len(scores) == 1:
        return coded
    predictions = [n for n in scores if others[n].is_share or NAMES_OF_MODELS & {*split_words(n)}]
    is_single = len(scores) == 1
    is_unclear = (related > 1 and (is_text or is_single)) or (
        is_text and is_single and max(kappas) >= NO_AGREEMENT
    )
    all_of_numbers = [] if is_text else [{"models": [*coded, *scores]}]
    if is_unclear and not predictions:
        ask(
            f"{quote_names(coded)} have the values of {label.name!r}, and {quote_names(scores)} "
            "other numbers: which are the models?",
            [{"models": coded}, {"models": [*scores]}, *all_of_numbers],
        )
    return []


def ask_outcomes(chosen: list[str], scores: list[str]) -> None:
    """Raise for chosen columns that are called as outcomes are, and are not among the scores."""
    outcomes = [n for n in chosen if n not in scores and is_outcome(n)]
    if outcomes:
        plausible = [n for n in chosen if n not in outcomes]
        ask(
            f"{quote_names(outcomes)} may be another outcome of the cases, or a test of them: "
            "which are the models?",
            [{"models": plausible}, {"models": chosen}],
        )


def ask_other_scales(numbers: Mapping[str, Column], chosen: list[str]) -> None:
    """Raise for numbers on another scale than predictions, which may be measurements: creatinine.

    Predictions are two columns or more of probabilities, or that are called predictions or models.
    """
    named_so = [n for n in numbers if name_suggests(n, "prediction") or MODEL & {*split_words(n)}]
    shares = [name for name, column in numbers.items() if mostly_shares(column)]
    if len({*shares, *named_so}) < 2:
        return
    doubtful = [name for name in numbers if name not in (*shares, *named_so)]
    if len(shares) < 2:
        predictions = [numbers[name] for name in named_so]
        doubtful = [name for name in doubtful if not is_on_scale_of(numbers[name], predictions)]
    if doubtful:
        plausible = [name for name in chosen if name not in doubtful]
        ask(
            f"{quote_names(doubtful)} may be measurements: the values are on another scale than "
            f"those of {quote_names(plausible)}. Which are the models?",
            [{"models": plausible}, {"models": chosen}],
        )


def ask_source(numbers: Mapping[str, Column], label: Column, chosen: list[str]) -> None:
    """Raise for the only numbers that a threshold turns into the labels: a measurement, perhaps.

    Labels were made of it, or a model is never wrong. It is not called as models, predictions and
    readers are, its values are dense at the threshold, and others are far from deciding labels.
    """
    deciding = [name for name, column in numbers.items() if is_thresholded(label, column)]
    if len(deciding) != 1:
        return
    (name,) = deciding
    column = numbers[name]
    named_so = bool(name_words(name) & NAMES_OF_MODELS) or name_suggests(name, "rater")
    if named_so or column.has_few_values or is_rank(column):
        return
    if not is_dense_at_threshold(column, label):
        return
    others = [c for n, c in numbers.items() if n != name]
    aucs = [auc(c, label) for c in others]
    if any(max(value, 1.0 - value) >= MOST_FAR for value in aucs):
        return
    plausible = [n for n in chosen if n != name]
    ask(
        f"{label.name!r} follows from a threshold of {name!r} in all rows: were the labels made of "
        "this measurement, or is it a model that is never wrong? Which are the models?",
        [{"models": plausible}] * bool(plausible) + [{"models": chosen}],
    )


def mostly_shares(column: Column) -> bool:
    """Return whether nine of ten numbers are from 0 to 1: others may be codes or mistakes."""
    within = (column.present >= 0) & (column.present <= 1)
    return bool(np.count_nonzero(within) >= SMALLEST_SHARE_WITHIN * column.present.size)


def ask_metric(models: Sequence[str]) -> None:
    """Raise for columns of several metrics, or of training and test, of each model: a_auc, a_f1."""
    for part_of_name in (last_metric, first_metric, last_split, first_split):
        columns: dict[str, list[str]] = {}  # by metric, or part of the data
        for name in models:
            columns.setdefault(part_of_name(name) or "", []).append(name)
        others = columns.pop("", [])
        have_several = all(len(names) > 1 for names in columns.values())
        are_metrics = part_of_name in (last_metric, first_metric)
        if len(columns) > 1 and (have_several or (are_metrics and not others)):
            what = "metrics" if are_metrics else "parts of the data"
            parts = sorted(columns, key=lambda part: part in TRAINING)  # held-out parts first
            listed = quote_names(columns)
            ask(
                f"columns have {len(columns)} {what} of each model ({listed}): which one?",
                [{"models": columns[part]} for part in parts],
            )


def last_split(name: str) -> str | None:
    """Return the part of the data that a name ends in: test of svm_test; None if none."""
    *model, last = split_words(name) or ("",)
    return last if model and last in TRAINING | HELD_OUT else None


def first_split(name: str) -> str | None:
    """Return the part of the data that a name begins with: test of test_svm; None if none."""
    first, *model = split_words(name) or ("",)
    return first if model and first in TRAINING | HELD_OUT else None


def sizes_of_data_sets(columns: Mapping[str, Column]) -> dict[str, str]:
    """Return by name why columns of a table of data sets are no models: d, the number of features.

    They have whole numbers beside two columns or more of decimals, and names of numbers of cases,
    features or classes, which the columns of decimals have not.
    """
    decimals = [name for name, column in columns.items() if has_fractions(column)]
    integers = [name for name, c in columns.items() if is_whole_above_1(c)]
    if len(decimals) < 2 or any(is_size(name) for name in decimals):
        return {}
    if any(len(name) == 1 for name in decimals):  # A, B and D are models
        integers = [name for name in integers if len(name) > 1]
    return {name: SIZES for name in integers if is_size(name)}


def ask_whole_numbers(columns: Mapping[str, Column], models: Sequence[str]) -> None:
    """Raise for whole numbers in a table of data sets that may be no scores, as all others are.

    All others have decimals, and follow the whole numbers, or have a word for one metric that these
    have not.
    """
    integers = [name for name in models if is_whole_above_1(columns[name])]
    decimals = [name for name in models if name not in integers]
    if not integers or len(decimals) < 2 or not all(has_fractions(columns[x]) for x in decimals):
        return
    metrics = {metric_in(name) for name in decimals}
    have_metric = len(metrics) == 1 and None not in metrics
    are_first = [*columns].index(integers[-1]) < [*columns].index(decimals[0])
    if are_first or (have_metric and not metrics & {metric_in(name) for name in integers}):
        has_or_have = "have" if len(integers) > 1 else "has"
        ask(
            f"{quote_names(integers)} {has_or_have} whole numbers, and {quote_names(decimals)} "
            "have decimals: which are the models?",
            [{"models": decimals}, {"models": [*models]}],
        )


def is_whole_above_1(column: Column) -> bool:
    """Return whether a column has whole numbers that vary, some of them above 1."""
    return column.is_number and column.is_whole and not (column.is_constant or column.is_share)


def has_fractions(column: Column) -> bool:
    """Return whether at least half of the numbers of a column have decimals."""
    if not column.is_decimal:
        return False
    return bool(np.mean(column.present % 1.0 != 0.0) >= SMALLEST_SHARE_OF_FRACTIONS)


def is_size(name: str) -> bool:
    """Return whether all words of a name are of numbers of cases, features or classes: n_attr."""
    words = [word for word in split_words(name) if not word.isdigit()]
    return bool(words) and ROLES["size"].issuperset(words)


def column_of_models(columns: Mapping[str, Column], beside_rounds: bool) -> str | None:
    """Return the column that names a model in each row; None without, or where rows are cases.

    It is called model, or is the only one of texts that all differ `beside_rounds`.
    """
    if any(c.has_two and is_clear_truth(n) for n, c in columns.items()):
        return None
    texts = [n for n, c in columns.items() if c.texts is not None and c.all_differ]
    named_so = [n for n in texts if name_suggests(n, "model")]
    if len(named_so) == 1:
        return named_so[0]
    return texts[0] if beside_rounds and not named_so and len(texts) == 1 else None


def are_data_sets(columns: Sequence[Column]) -> bool:
    """Return whether three columns or more have shares or percentages, and none is a metric."""
    names = [column.name for column in columns]
    are_measured = any(name_suggests(n, "metric") or name_suggests(n, "measure") for n in names)
    if len(columns) < 3 or are_measured or not all(c.is_decimal for c in columns):
        return False
    ranges = [(c.present.min(), c.present.max()) for c in columns]
    are_percentages = all(low >= 0.0 and 1.0 < high <= 100.0 for low, high in ranges)
    return are_percentages or all(c.is_share for c in columns)


def training_scores(columns: Mapping[str, Column]) -> dict[str, str]:
    """Return by name why columns are no models: scores on training data beside held-out ones.

    So is rf_train_score beside rf_test_score, if all scores are of parts of the data, of two models
    at least: train_aug and test_aug may be two models.
    """
    numbers = {n: c for n, c in columns.items() if c.is_number}
    measured = [n for n in numbers if name_suggests(n, "time") or name_suggests(n, "measure")]
    words = {n: split_words(n) for n in numbers if n not in measured}
    parts = {n: [w for w in words[n] if w in TRAINING | HELD_OUT] for n in words}
    scores = [n for n in words if parts[n] or columns[n].is_decimal]
    if any(len(parts[n]) != 1 or not names_part(n, parts[n][0]) for n in scores):
        return {}
    models = {n: tuple(w for w in words[n] if w != parts[n][0]) for n in scores}
    training = [n for n in scores if parts[n][0] in TRAINING]
    held_out = {models[n] for n in scores if n not in training}
    if len(held_out) < 2 or not {models[n] for n in training} <= held_out or () in held_out:
        return {}
    return dict.fromkeys(training, "scores on training data")


def names_part(name: str, part: str) -> bool:
    """Return whether a name begins or ends in the part of the data, perhaps before metrics.

    Between others, as in unet_test_aug, the word may be of the model.
    """
    words = split_words(name)
    after = re.findall(r"[^\W_]+", name.casefold().rpartition(part)[2])  # f1 is a word
    return part in (words[0], words[-1]) or ROLES["metric"].issuperset(after)


def is_most(name: str, numbers: Mapping[str, Column]) -> bool:
    """Return whether a column has the most points of each row, by its name and all values."""
    most = numbers[name]
    if not (is_of_trials(name) and most.is_count and len(numbers) > 2) or most.missing.any():
        return False
    points = np.asarray(most.numbers)
    return all(bool((points >= c.numbers)[~c.missing].all()) for c in numbers.values())


def ask_most(others: Mapping[str, Column], chosen: Sequence[str]) -> None:
    """Raise for a column called just max or total that is no model, if its values differ."""
    numbers = {n: c for n, c in others.items() if c.texts is None}
    for name in numbers:
        if name in chosen or not {*split_words(name)} <= MOST or numbers[name].is_constant:
            continue
        if is_most(name, numbers):
            ask(
                f"column {name!r} is at least as large as every other in each row, as a model may "
                "be, or the most points that are possible: which are the models?",
                [{"models": [*chosen]}] * (len(chosen) > 1) + [{"models": [*chosen, name]}],
            )


def parallel_measurements(numbers: Mapping[str, Column]) -> list[str]:
    """Return the columns whose names share a word for a measurement: old_ms and new_ms."""
    words = {n: name_words(n) & ROLES["measure"] for n, c in numbers.items() if not c.is_row_number}
    return [n for n in words if any(words[n] & words[other] for other in words if other != n)]


def traits_of_models(columns: Mapping[str, Column]) -> dict[str, str]:
    """Return by name why numbers of each model are no data sets: its size, how often it is liked.

    They stand beside two columns or more with decimals, and are called as costs of a model are; or
    they are whole numbers that are called sizes or other measurements, or above all decimals.
    """
    costs = [n for n in columns if {*split_words(n)} & COSTS]
    decimals = {n: c for n, c in columns.items() if has_fractions(c) and n not in costs}
    if len(decimals) < 2:
        return {}
    most = max(float(c.present.max()) for c in decimals.values())
    integers = {n: c for n, c in columns.items() if is_whole_above_1(c) and n not in costs}
    counts = [
        name
        for name, c in integers.items()
        if name_suggests(name, "measure") or is_size(name) or float(c.present.min()) > most
    ]
    why = "a number of each model, beside scores with decimals"
    return {name: why for name in columns if name in (*costs, *counts)}


def require_models(
    chosen: list[str], others: Mapping[str, Column], label: Column | None = None
) -> list[str]:
    """Return the names of the chosen models, or raise where there are none.

    Columns may have other words for the classes than the true labels, which the message then says.
    """
    if chosen:
        return chosen
    text = "at least two models are needed, and no column is left that could be one"
    words = columns_of_words(others.values())
    if label is not None and words:
        raise InvalidValueError(
            f"{text}: the true labels are {quote_names(label.label_texts)}, and "
            f"{values_of_columns(words)}. Write predictions in the words of the true labels.",
            parameter=words[0].name,
        )
    raise InvalidValueError(
        f"{text}, besides labels and names of rows: the others are {quote_names(others)}.",
        parameter="models",
    )


def columns_of_words(columns: Iterable[Column]) -> list[Column]:
    """Return the columns of a few texts that may be predicted labels: no attributes, units, models.

    Texts are two, or repeat in columns of which none names what has several rows.
    """
    roles = ("trait", "unit", "model", "fold", "dataset")
    return [
        c
        for c in columns
        if c.texts is not None and (c.has_two or (c.has_few_values and not c.is_unit))
        if name_suggests(c.name, "rater") or not any(name_suggests(c.name, r) for r in roles)
        if not c.is_fold
    ]


def values_of_columns(columns: Sequence[Column]) -> str:
    """Return words for the values of columns: "'ai' has 'no' and 'yes', 'reader' has ..."."""
    return ", ".join(f"{c.name!r} has {quote_names(c.label_texts)}" for c in columns[:MOST_SHOWN])


def refuse_quantity(columns: Mapping[str, Column], models: Sequence[str]) -> None:
    """Raise for probabilities of an event by name, beside one quantity of which it is a part."""
    shares = [
        n for n in models if columns[n].is_share and NAMES_OF_PROBABILITIES & {*split_words(n)}
    ]
    others = [n for n in models if n not in shares]
    if len(shares) < 2 or len(others) != 1 or columns[others[0]].is_share:
        return
    raise InvalidValueError(
        f"{quote_names(shares)} are probabilities, and no column has the true labels of two "
        f"values: add one, such as whether {others[0]!r} is above a threshold.",
        parameter=others[0],
    )


def refuse_repeated_rows(row: Column) -> None:
    """Raise where two rows have the same name of a data set."""
    counts = np.bincount(row.codes[row.codes >= 0])
    twice = row.label_texts[int(np.argmax(counts > 1))]
    raise InvalidValueError(
        f"column {row.name!r} has several rows {twice!r}: each data set must be one row. Average "
        "its scores over folds or rounds first.",
        parameter=row.name,
        value=twice,
    )


def has_metrics_of_media(row: Column, models: Sequence[str]) -> bool:
    """Return whether the rows are of images, say, by their ids, and all columns called metrics."""
    words = {*split_words(row.name)}
    return row.all_differ and bool(words & MEDIA and words & IDS) and all(map(metric_in, models))
