"""Rows that depend on each other: cases of one patient, folds, runs with several seeds.

Rows of one unit are no independent cases. That is a warning in the result, with the option that
takes it, never an error: the answer itself is that of the rows.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NoReturn

import numpy as np

from ..._adapters.delimited import Coded
from ..._base.exceptions import InvalidValueError, hint
from ..._base.types import Fields
from ..names import TRAINING
from ..options import check_choice
from .column import SEED_OR_SUBJECT, Column, cell_texts
from .question import EXAMPLE_OF_SIZES, ask, option
from .reading import Clusters, Named, option_name, quote_names
from .relations import coarsest_unit, is_crossed, is_nested
from .words import is_index, is_metric, name_suggests, split_words

FEWEST_CLUSTERS = 10  # values of a unit; fewer are categories
MOST_TEXTS = 0.9  # of the rows, above which distinct texts are no clusters
WORDS_OF_SENTENCES = 4
NUMBERED_UNITS = {"subject", "subjects", "session", "sessions"}  # topics have no numbers
TOPICS = {"subject", "topic", "category", "domain", "discipline", "chapter", "dataset", "benchmark"}
QUESTIONS = {"question", "item", "id", "index", "idx", "row", "q", "number", "no", "nr"}
WORDS_OF_SETS = {"matched", "match", "matching", "set", "sets", "stratum", "strata", "risk", "id"}
MOST_ROWS_OF_SET = 11  # cases and controls that are matched, by their values alone
LONGEST_ABBREVIATION = 3  # letters of a name that may be no word, such as pat
RUNS = {"seed", "run", "rep", "repeat", "trial", "init", "fold"}
WITHIN = {"fold", "folds", "split", "cv", "partition"}  # parts of one cross-validation
WORDS_OF_SIZES = {"n", "number", "num", "size", "count", "instances", "samples", "cases", "rows"}
TEST = {"test", "testing"}
REPLICATES = {"bootstrap", "bootstraps", "boot", "replicate", "replicates", "resample", "resamples"}
SEEDS = {"seed", "seeds"}
ON_ONE_SPLIT = (
    " The first is for runs on one split of the cases, which differ in their seed alone; the second"
    " for cases that each seed splits anew."
)
OF_ONE_CROSS_VALIDATION = " The first is for the folds of one cross-validation: the ratio is 1/{}."
OF_ONE_TEST_SET = (
    " Bootstrap replicates of one test set, without training again, are not rounds: their number "
    "is a choice. Pass the scores of its cases."
)
SPLIT_SCORE = re.compile(r"split\d+_test_(.+)")  # of scikit-learn
FOLD_AND_REPETITION = re.compile(
    r"([A-Za-z]+)[\W_]*(\d+)[\W_]+([A-Za-z]+)[\W_]*(\d+)"
)  # Fold03.Rep2


def are_clusters(column: Column) -> bool:
    """Return whether values of a unit are clusters: ten or more, or numbers of people or ids.

    Fewer without numbers may be categories, such as sites. Texts of which few repeat are none.
    """
    if column.distinct.size > MOST_TEXTS * column.present.size and are_plain_texts(column):
        return False
    if column.distinct.size >= FEWEST_CLUSTERS:
        return True
    if column.texts is not None and all(map(SEED_OR_SUBJECT.fullmatch, column.label_texts)):
        return True
    is_named_so = name_suggests(column.name, "person") or name_suggests(column.name, "id")
    is_named_so = is_named_so or bool({*split_words(column.name)} & NUMBERED_UNITS)
    return is_named_so and all(re.search(r"\d", text) for text in column.label_texts)


def are_plain_texts(column: Column) -> bool:
    """Return whether texts are sentences, whatever their column is called, or called no ids."""
    if column.texts is None:
        return False
    named_so = name_suggests(column.name, "unit") or name_suggests(column.name, "id")
    lengths = [len(text.split()) for text in column.label_texts]
    return not named_so or float(np.median(lengths)) >= WORDS_OF_SENTENCES


def numbers_each_topic(column: Column, others: Iterable[Column]) -> bool:
    """Return whether a column numbers the questions of each topic anew, so that none has two rows.

    The numbers of each topic are 0, 1, 2, ... or 1, 2, 3, ... in any order, and topics are of
    different sizes: else each may have the same questions, as people who rate the same items have.
    """
    if not (column.is_whole and {*split_words(column.name)} <= QUESTIONS) or column.missing.any():
        return False
    for topic in others:
        if topic.texts is None or not {*split_words(topic.name)} & TOPICS or topic.missing.any():
            continue
        sizes = np.bincount(topic.codes)
        if sizes.min() == sizes.max():
            continue
        if begins_anew(column, topic):
            return True
    return False


def begins_anew(column: Column, outer: Column) -> bool:
    """Return whether numbers are 0, 1, 2, ... or 1, 2, 3, ... in each value of another column."""
    if not column.is_whole or column.missing.any() or outer.missing.any():
        return False
    numbers, sizes = np.asarray(column.numbers), np.bincount(outer.codes)
    places = np.arange(numbers.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    ordered = numbers[np.lexsort((numbers, outer.codes))]
    return ordered[0] in (0, 1) and np.array_equal(ordered, places + ordered[0])


def numbers_in_units(columns: Mapping[str, Column]) -> dict[str, str]:
    """Return by name why columns that are 1, 2, 3, ... in each unit, as visits, are no scores."""
    units = [c for c in columns.values() if c.is_unit and are_clusters(c)]
    return {
        name: f"a number within {unit.name!r}"
        for name, column in columns.items()
        for unit in units
        if column is not unit and column.has_few_values and begins_anew(column, unit)
    }


def is_shared_date(column: Column, others: Iterable[Column]) -> bool:
    """Return whether a column has dates that are crossed with places or people."""
    if not column.is_date or not FEWEST_CLUSTERS <= column.distinct.size < column.present.size:
        return False
    places = (c for c in others if not (c.is_date or c.is_decimal or c.is_constant))
    return any(is_crossed(place, column) for place in places)


def are_matched_sets(column: Column, label: Column) -> bool:
    """Return whether a column has ten or more matched sets of cases and controls.

    Each set has as many cases, or controls, and some of both; or it is called stratum, say.
    """
    size = column.distinct.size
    if column.is_decimal or column.is_date or not FEWEST_CLUSTERS <= size <= column.n / 2:
        return False
    if label.missing.any() or column.missing.any() or not label.has_two:
        return False
    if {*split_words(column.name)} <= WORDS_OF_SETS:
        return True
    if column.n > MOST_ROWS_OF_SET * size:
        return False
    has_label = label.codes == label.codes.max()
    counts = [np.bincount(column.codes[x], minlength=size) for x in (has_label, ~has_label)]
    have_both = all(count.min() > 0 for count in counts)
    return have_both and any(bool((count == count[0]).all()) for count in counts)


def dependence(
    columns: Mapping[str, Column], taken: Iterable[str], named: Named, truth: str | None = None
) -> Fields:
    """Return the fields of a reading that say which rows depend on each other.

    They are ``warnings`` of folds, of units with several rows, and of several runs of each model,
    and ``clusters``, the rows of one unit.
    """
    free = [c for name, c in columns.items() if name not in {*taken} and not is_index(name)]
    free = [c for c in free if c.name not in named.auxiliary or c.name == named.id]
    folds = [c for c in free if c.is_fold]
    units = [c for c in free if (c.is_unit and are_clusters(c)) or is_shared_date(c, free)]
    if truth is not None:
        units += [c for c in free if c not in units and are_matched_sets(c, columns[truth])]
    units = [c for c in units if c not in folds and not numbers_each_topic(c, free)]
    warnings = [fold_warning(folds[0], truth)] if folds else []
    clusters = clusters_of(units) if named.groups is None and units else None
    if clusters is not None:
        warnings.append(unit_warning(clusters))
    return {"warnings": (*warnings, *run_warnings(taken)), "clusters": clusters}


def model_of_run(name: str) -> str:
    """Return the model of a name such as cnn_seed1, here cnn; "" for names of no run."""
    words = split_words(name)
    if len(words) < 3 or words[-2] not in RUNS or not words[-1].isdigit():
        return ""
    return name[: name.lower().rindex(words[-2])].rstrip("_-. ")


def run_warnings(models: Iterable[str]) -> list[str]:
    """Return a warning of columns that are several runs of two models or more; [] without any."""
    runs = Counter(filter(None, map(model_of_run, models)))
    names = [model for model, count in runs.items() if count > 1]
    if len(names) < 2:
        return []
    return [
        f"{quote_names(names)} have several runs each, by the names of their columns: the claim is "
        "about these fitted models. For one about their training, runs are readers: write a row "
        "for each model, run and case (docs/howto/seeds.md)."
    ]


def unit_warning(clusters: Clusters) -> str:
    """Return the warning that rows of one unit are not independent, with the option for it."""
    return (
        f"{clusters.why}, so these intervals are too narrow and these p-values too small, unless "
        f"{option(groups=clusters.name)} is specified."
    )


def clusters_of(units: list[Column]) -> Clusters:
    """Return the rows of the outermost unit with enough values to be clusters."""
    not_nested_in_another = [
        unit for unit in units if not any(is_nested(unit, other) for other in units)
    ]
    large = [unit for unit in not_nested_in_another if unit.distinct.size >= FEWEST_CLUSTERS]
    # patients in three hospitals: three are too few clusters, so the patient is chosen
    chosen = coarsest_unit(large or units, FEWEST_CLUSTERS)
    size, n = chosen.distinct.size, chosen.present.size
    inner = [unit.name for unit in units if unit is not chosen and is_nested(unit, chosen)]
    inner_note = f" ({', '.join(inner)} within it)" if inner else ""
    why = (
        f"{size} values of {chosen.name!r}{inner_note} in {n} rows: rows of one "
        f"{unit_noun(chosen.name)} are not independent"
    )
    return Clusters(chosen.name, chosen.values(), why)


def unit_noun(name: str) -> str:
    """Return how a sentence calls a unit: patient for `patient_id`, the name itself if short."""
    words = [word for word in split_words(name) if word not in ("id", "ids", "no", "nr", "number")]
    noun = " ".join(words)
    return noun if len(noun) > LONGEST_ABBREVIATION else repr(name)


def fold_warning(folds: Column, truth: str | None) -> str:
    """Return the warning that rows of several folds come from different models.

    Rows are cases if there is a column `truth` of true labels, else rounds, say.
    """
    values = f"{folds.distinct.size} values of {folds.name!r}"
    if truth is None:
        return (
            f"{values}: rows of different rounds come from models trained on "
            "partly the same cases, which these tests take to be independent."
        )
    return (
        f"{values}: scores pooled over folds come from different models, whose "
        f"scales may differ. {option(kind='folds')} compares the AUC of each fold."
    )


def ask_rounds(
    row: str, n: int, columns: Mapping[str, Column], further_ways: Sequence[Fields] = ()
) -> NoReturn:
    """Raise with the question how the rounds were made, or what else the rows are.

    The rows are named by the column `row`, from which folds and repetitions are read if they are
    not in two columns of their own.
    """
    folds = [c for c in columns.values() if c.is_fold]
    if row in columns and len(folds) < 2:
        folds = parts_of_rounds(columns[row])
    if len(folds) == 2 and folds[0].distinct.size * folds[1].distinct.size == n:
        ask_repeated(folds, n, sizes_of_rounds(columns))
    words = {*split_words(row)}
    one_split = {"kind": "folds", "design": "independent"}  # of runs that differ in their seed
    kfold = {"design": "kfold"}
    is_seed = bool(words & SEEDS)
    ask(
        f"the rows look like {n} rounds ({row!r}), whose tests depend on the ratio of test to "
        "training cases: how were they made?",
        [
            *[one_split] * is_seed,
            *[kfold] * (not is_seed),
            sizes_of_rounds(columns) or EXAMPLE_OF_SIZES,
            *[kfold] * (is_seed and columns[row].is_row_number),
            {"kind": "datasets"},
            *further_ways,
        ],
        (ON_ONE_SPLIT if is_seed else OF_ONE_CROSS_VALIDATION.format(max(n - 1, 1)))
        + OF_ONE_TEST_SET * bool(words & REPLICATES),
    )


def refuse_rounds(columns: Mapping[str, Column], models: Sequence[str]) -> None:
    """Raise where folds, rounds or seeds name the rows of what must be independent items.

    Rows with a name of their own, such as a question, are items, whose folds are warned of.
    """
    free = [c for n, c in columns.items() if n not in models and not is_index(n)]
    numbered = [c for c in free if c.all_differ and not c.is_decimal]
    rounds = [c for c in numbered if name_suggests(c.name, "fold")]
    names = [c for c in numbered if c.texts is not None or name_suggests(c.name, "item")]
    rounds = rounds or [c for c in free if c.is_fold]
    if not rounds or any(all(c is not r for r in rounds) for c in names):
        return
    cells = np.stack([c.codes for c in rounds], axis=1)
    if len(np.unique(cells, axis=0)) < len(cells):
        return
    raise InvalidValueError(
        f"the rows look like {len(cells)} rounds ({quote_names(c.name for c in rounds)}), whose "
        f"models share training cases, and a leaderboard is of independent items. "
        f"{hint('Call compare(data), which asks how the rounds were made')}. If the rows are "
        f"independent items, {hint('pass a mapping of the columns of the models')}.",
        parameter=rounds[0].name,
    )


def refuse_rounds_of_one_model(columns: Mapping[str, Column], row: str, named: Named) -> None:
    """Raise where rows are folds, by their names or texts, and one model alone has scores.

    That is the only one that is chosen, or columns are called as metrics are.
    """
    column = columns[row]
    are_folds = column.names_folds or bool({*split_words(row)} & (WITHIN | {"resample"}))
    scores = list(named.models or (n for n, c in columns.items() if c.is_decimal))
    is_one_model = len(named.models or ()) == 1
    is_one_model |= named.models is None and bool(scores) and all(map(is_metric, scores))
    if are_folds and column.all_differ and is_one_model and named.kind is None:
        raise InvalidValueError(
            f"the rounds ({row!r}) of one model alone ({quote_names(scores)}) share training "
            "cases, so that the usual interval of their mean is too narrow: write its scores "
            "beside those of another model in the same rounds, a column for each model.",
            parameter="models",
        )


def parts_of_rounds(row: Column) -> list[Column]:
    """Return the columns of folds and repetitions in names of rounds such as Fold03.Rep2, or [].

    Each has the number of its part in each round: 03 of fold, and 2 of rep.
    """
    matches = [FOLD_AND_REPETITION.fullmatch(text) for text in row.label_texts]
    if row.texts is None or not all(matches) or not row.all_differ:
        return []
    rounds = [{m[1].casefold(): m[2], m[3].casefold(): m[4]} for m in matches if m is not None]
    parts = [*rounds[0]]
    if len(parts) < 2 or any([*numbers] != parts for numbers in rounds):
        return []
    labels = [sorted({numbers[part] for numbers in rounds}) for part in parts]
    if min(map(len, labels)) < 2:
        return []
    return [
        Column(part, texts=Coded(texts, np.array([texts.index(one[part]) for one in rounds])))
        for part, texts in zip(parts, labels, strict=True)
    ]


def sizes_of_rounds(columns: Mapping[str, Column]) -> Fields:
    """Return options of the mean sizes of training and test, {} unless two columns count these."""
    counts = [c for n, c in columns.items() if {*split_words(n)} & WORDS_OF_SIZES and c.is_count]
    counts = [c for c in counts if not c.missing.any() and c.present.min() > 0]
    training = [c for c in counts if {*split_words(c.name)} & TRAINING]
    test = [c for c in counts if {*split_words(c.name)} & TEST]
    if len(training) != 1 or len(test) != 1 or training == test:
        return {}
    n_train, n_test = (round(float(column[0].present.mean()), 4) for column in (training, test))
    return {"n_train": n_train, "n_test": n_test}


def ask_repeated(folds: Sequence[Column], n: int, sizes: Fields) -> NoReturn:
    """Raise with the designs that n rounds of a repeated cross-validation may be of.

    `folds` are the columns of folds and of repetitions, in either order; `sizes` are options of the
    sizes of training and test, {} if these are unknown.
    """
    within_repetitions = [c for c in folds if names_parts(c)]
    if len(within_repetitions) != 1:
        within_repetitions = [c for c in folds if {*split_words(c.name)} & WITHIN]
    k = (within_repetitions or folds)[0].distinct.size
    ask(
        f"the rows look like {n // k} repetitions of a cross-validation of {k} folds: were all "
        "cases split anew for each?",
        [
            {"design": "repeated-kfold", **(sizes or {"n_train": k - 1, "n_test": 1})},
            {"design": "resampled", **(sizes or EXAMPLE_OF_SIZES)},
        ],
        f" The first is that: the ratio of test to training cases is 1/{max(k - 1, 1)}.",
    )


def names_parts(column: Column) -> bool:
    """Return whether all texts are called as parts of one cross-validation are, such as Fold01."""
    words = [{*split_words(text)} for text in column.label_texts]
    return column.texts is not None and all(of_text & WITHIN for of_text in words)


def refuse_steps(columns: Mapping[str, Column], models: Sequence[str]) -> None:
    """Raise for a table of learning curves, whose rows are epochs or steps of a training."""
    for name, column in columns.items():
        if not name_suggests(name, "step") or name in models or not column.is_whole:
            continue
        if column.all_differ and bool((np.diff(column.present) > 0).all()) and models:
            raise InvalidValueError(
                f"the rows are steps of a training ({name!r}), each of which follows from the one "
                "before: compare the scores at the end of several runs (a row for each seed or "
                "fold), or on the cases of a test set.",
                parameter=name,
            )


def splits_of_search(columns: Mapping[str, Column], metric: str | None) -> dict[str, Column] | None:
    """Return the columns of a search's candidates and of their scores in each split; else None.

    The table is scikit-learn's `cv_results_`; candidates are called by their parameters.
    """
    splits = {n: match[1] for n in columns if (match := SPLIT_SCORE.fullmatch(n))}
    if len(splits) < 2:
        return None
    metrics = [*dict.fromkeys(splits.values())]
    if metric is not None:
        check_choice(option_name("scoring"), metric, metrics)
    elif len(metrics) > 1:
        ways = [{"scoring": name} for name in metrics]
        ask(f"which metric? The splits of a search have several: {quote_names(metrics)}.", ways)
    splits = {n: name for n, name in splits.items() if metric in (None, name)}
    names = [n for n in columns if n.startswith("param_")]
    settings = [[f"{n.removeprefix('param_')}={x}" for x in cell_texts(columns[n])] for n in names]
    labels = [", ".join(of_candidate) for of_candidate in zip(*settings, strict=True)]
    if len({*labels}) < 2:
        return None
    candidates = Column("candidate model", texts=Coded(labels, np.arange(len(labels))))
    return {candidates.name: candidates, **{n: columns[n] for n in splits}}


def refuse_one_model(columns: Mapping[str, Column]) -> None:
    """Raise for what scikit-learn's `cross_validate` returns for one model."""
    metrics = [n for n in columns if n.startswith("test_")]
    others = (n for n in columns if n not in metrics and not is_index(n))
    one_model = all(n == "test_score" or is_metric(n.removeprefix("test_")) for n in metrics)
    if metrics and one_model and all(n.endswith("_time") for n in others):
        raise InvalidValueError(
            f"the rounds of one model alone ({quote_names(metrics)}, of cross_validate): write its "
            "scores beside those of another model in the same rounds, a column for each model.",
            parameter="models",
        )
