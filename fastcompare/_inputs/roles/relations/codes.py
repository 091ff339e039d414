"""Numbers of cases that are no scores of models: codes of groups, vital signs, laboratory values.

Also whole numbers beside scores with decimals, which may be scores that were rounded. Scores follow
the labels: their AUC is far from 0.5; that of codes without an order seldom is.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from ..column import Column
from ..question import ask
from ..reading import quote_names
from ..words import is_stratum, name_suggests, name_words, split_words
from . import auc, is_on_scale_of, scores_of_labels
from .chance import BASELINES, FEWEST_CASES, NAMES_OF_MODELS

WHOLE_NUMBERS = "whole numbers beside scores with decimals"
CODES = """
    zip zipcode postcode postal postleitzahl plz cep mcc naics sic naf icd fips branch filiale
    sucursal agence agencia agência succursale comune county municipality gemeinde landkreis
    département"""
KINDS = """
    category categories kategorie catégorie categoría categoria type typ tipo segment channel kanal
    canal canale product produit producto produto prodotto department abteilung tarif tariff"""
MEASURED = """
    sbp dbp hr rr spo2 sao2 pulse pouls pulso bp rbc creatinine kreatinin créatinine creatinina
    urea harnstoff urée bun sodium natrium potassium kalium glucose glukose glucosa haemoglobin
    hemoglobin hämoglobin hémoglobine emoglobina hgb wbc platelets plt albumin bilirubin bilirubina
    hematocrit hct inr cholesterol cholesterin ldl hdl triglycerides leukocytes egfr pregnancies
    bloodpressure insulin heartrate systolic diastolic"""
OF_CODES, OF_KINDS, OF_MEASURED = (frozenset(x.split()) for x in (CODES, KINDS, MEASURED))
UNITS = {"pg", "ng", "ug", "µg", "μg", "mg", "ml", "dl", "mmol", "umol", "µmol", "μmol", "nmol"}
UNITS |= {"pmol", "iu", "miu", "mmhg", "kg", "hz", "pgml", "ngml", "mgdl", "mmoll"}
LAST_NUMBER = re.compile(r"[\W_]{0,9}(\d{1,20}|[A-Za-z])$")  # of reader1 and reader2
BY_CHANCE, CLEAR = 2.0, 3.0  # standard errors of an AUC from 0.5
NEAR_HALF = 0.1  # how far from 0.5 an AUC of codes is, at most
LARGEST_ERROR = 0.06  # of an AUC that shows that it is near 0.5
WIDEST_GAPS = 10  # between codes, in units of their common divisor, on average
FEWEST_ROWS_OF_CODE = 5
MOST_GRADES = 10  # different ones


def distance_by_error(column: Column, label: Column) -> float:
    """Return how far an AUC is from 0.5, in standard errors of scores that labels do not change."""
    first, second = map(len, scores_of_labels(column, label))
    if not first or not second:
        return 0.0
    return abs(auc(column, label) - 0.5) / standard_error(first, second)


def standard_error(n_first: int, n_second: int) -> float:
    """Return the standard error of an AUC whose scores do not depend on the labels."""
    return math.sqrt((n_first + n_second + 1) / (12.0 * n_first * n_second))


def is_called_model(name: str) -> bool:
    """Return whether a word of a name is that of a model, a prediction, a reader or a baseline."""
    words = name_words(name)
    return bool(words & (NAMES_OF_MODELS | BASELINES)) or name_suggests(name, "rater")


def are_scores_of_units(column: Column, others: Mapping[str, Column], label: Column) -> bool:
    """Return whether whole numbers called units are scores of several: VendorA and VendorB.

    One of them follows the labels.
    """
    stem = LAST_NUMBER.sub("", column.name)
    of_same_stem = [c for n, c in others.items() if c.is_count and LAST_NUMBER.sub("", n) == stem]
    if len(of_same_stem) < 2 or not label.has_two or label.n < FEWEST_CASES:
        return False
    return any(distance_by_error(c, label) >= CLEAR for c in of_same_stem)


def unit_of_numbers(column: Column, others: Mapping[str, Column]) -> str | None:
    """Return the unit within which whole numbers differ, such as visits of a patient; else None."""
    is_model = any(name_suggests(column.name, role) for role in ("prediction", "rater"))
    if not column.is_whole or column.is_bool or is_model:
        return None
    for name, unit in others.items():
        if name == column.name or not unit.is_unit:
            continue
        pairs = {*zip(unit.codes.tolist(), column.codes.tolist(), strict=True)}
        if len(pairs) == unit.n:
            return unit.name
    return None


def without_codes(scores: Mapping[str, Column], label: Column, why: dict[str, str]) -> list[str]:
    """Return the names of the columns that are no codes; write to `why` why the others are."""
    why |= codes_among(scores, label)
    return [name for name in scores if name not in why]


def codes_among(scores: Mapping[str, Column], label: Column) -> dict[str, str]:
    """Return by name why whole numbers are no scores: codes, which follow two labels by chance.

    They are called codes, or a trait such as a scanner; or they have few values with wide gaps, as
    codes of trades have. {} where no other score follows the labels.
    """
    if not label.has_two or label.n < FEWEST_CASES:
        return {}
    reasons = {n: reason for n, c in scores.items() if (reason := code(c))}
    distances = {n: distance_by_error(c, label) for n, c in scores.items() if reasons}
    if not any(distances[n] >= CLEAR for n in distances if n not in reasons):
        return {}
    reasons = {n: reason for n, reason in reasons.items() if distances[n] < BY_CHANCE}
    return {
        n: reason
        for n, reason in reasons.items()
        if is_called_code(scores[n]) or abs(auc(scores[n], label) - 0.5) < NEAR_HALF
    }


def code(column: Column) -> str:
    """Return why whole numbers may be codes of groups: by name, or by values; "" for others."""
    if not column.is_count or not column.is_number or is_called_model(column.name):
        return ""
    if is_called_code(column):
        return "codes of groups, by its name"
    if column.has_few_values and OF_KINDS & {*split_words(column.name)}:
        return "codes of groups, by its name"
    return "codes of groups, by its values" if has_gaps(column) else ""


def is_called_code(column: Column) -> bool:
    """Return whether whole numbers are called codes, such as postcode, or a trait with few values.

    Scanner is such a trait.
    """
    words = {*split_words(column.name)}
    return bool(words & OF_CODES) or (column.has_few_values and is_stratum(column.name))


def has_gaps(column: Column) -> bool:
    """Return whether a few whole numbers have wide gaps without an order: 4829, 5411, 5812.

    Points of a score begin at 0 or have a common divisor.
    """
    if not column.has_few_values or column.distinct.size < 3 or column.present.min() <= 0:
        return False
    values = column.distinct.astype(np.int64)
    if column.present.size < FEWEST_ROWS_OF_CODE * values.size:
        return False
    divisor = int(np.gcd.reduce(np.diff(values)))
    return bool(np.ptp(values) / divisor >= WIDEST_GAPS * values.size)


def ask_codes(chosen: Mapping[str, Column], label: Column) -> None:
    """Raise for numbers that may be codes or measurements of cases, beside two scores or more.

    Codes may follow the labels; measurements are called so, beside points, probabilities or
    predictions; and other whole numbers do not follow the labels and are unlike all scores.
    """
    numbers = {n: c for n, c in chosen.items() if not c.has_two and c.numbers is not None}
    if not label.has_two or label.n < FEWEST_CASES:
        return
    codes = [n for n, c in numbers.items() if code(c) and (is_called_code(c) or has_gaps(c))]
    measured = [n for n in numbers if OF_MEASURED & name_words(n) and not is_called_model(n)]
    scores = {n: c for n, c in numbers.items() if n not in (*codes, *measured)}
    if not all(is_score_by_form(c) for c in scores.values()):
        measured = []  # of biomarkers one may be creatinine
    unlike = unlike_scores(scores, label)
    doubtful = [n for n in chosen if n in (*codes, *measured, *unlike)]
    plausible = [n for n in chosen if n not in doubtful]
    if doubtful and len(plausible) > 1:
        ask(
            f"{quote_names(doubtful)} may be codes or measurements of the cases, and no scores as "
            f"{quote_names(plausible)}: which are the models?",
            [{"models": plausible}, {"models": [*chosen]}],
        )


def is_score_by_form(column: Column) -> bool:
    """Return whether numbers look like scores: points, probabilities, or by their name."""
    return column.has_few_values or column.is_share or is_called_model(column.name)


def unlike_scores(scores: Mapping[str, Column], label: Column) -> list[str]:
    """Return whole numbers that do not follow the labels, as two others do, and are unlike these.

    These are called models or predictions. Names share no word with others, and values no scale.
    Points that begin at 0 stay.
    """
    possible = [n for n, c in scores.items() if c.is_count and not is_called_model(n)]
    possible = [
        n for n in possible if not (scores[n].has_few_values and scores[n].present.min() == 0)
    ]
    error = standard_error(*np.bincount(label.codes[label.codes >= 0]).tolist())
    models = [n for n in scores if is_called_model(n)]
    if not possible or len(models) < 2 or error > LARGEST_ERROR:
        return []
    clear = [n for n, c in scores.items() if distance_by_error(c, label) >= CLEAR]
    if len({*clear} & {*models}) < 2:
        return []
    possible = [n for n in possible if abs(auc(scores[n], label) - 0.5) < NEAR_HALF]
    possible = [n for n in possible if distance_by_error(scores[n], label) < BY_CHANCE]
    return [n for n in possible if not any(are_alike(scores[n], scores[x]) for x in clear)]


def are_alike(a: Column, b: Column) -> bool:
    """Return whether two columns may have scores of the same kind: by a word of names, or a scale.

    A few values must be those of the other column; m1 and m2 share their first word.
    """
    words_a, words_b = ({w for w in split_words(c.name) if w.isalpha()} for c in (a, b))
    if words_a & words_b:
        return True
    if a.has_few_values or b.has_few_values:
        return bool(np.isin(a.distinct, b.distinct).all() and np.isin(b.distinct, a.distinct).all())
    return is_on_scale_of(a, [b]) and is_on_scale_of(b, [a])


def integers_alone(numbers: Mapping[str, Column]) -> list[str]:
    """Return whole numbers beside two columns of decimals that are no scores of a row of such.

    reader1 and reader2 may be ratings, a single one is no score, unless it is called a prediction,
    or has a unit of the decimals: pg/ml.
    """
    decimals = [name for name, column in numbers.items() if not column.is_whole]
    shares = [name for name in decimals if numbers[name].is_share]
    if len(shares or decimals) < 2:
        return []
    integers = [name for name in numbers if name not in decimals]
    stems = Counter(LAST_NUMBER.sub("", name) for name in integers)
    units = [units_in(name) for name in decimals]
    return [
        name
        for name in integers
        if stems[LAST_NUMBER.sub("", name)] == 1 and not name_suggests(name, "prediction")
        if not units_in(name) or units_in(name) not in units
    ]


def units_in(name: str) -> frozenset[str]:
    """Return the units of measurements in a name: pg and ml of tTau (pg/ml)."""
    return frozenset(UNITS.intersection(split_words(name)))


def ask_rounded(
    others: Mapping[str, Column], label: Column, chosen: Sequence[str], why: Mapping[str, str]
) -> None:
    """Raise for whole numbers that follow the labels, beside scores that are no probabilities.

    They may be scores that are written without decimals, if they have more values than grades have.
    """
    shares = [name for name in chosen if others[name].is_share]
    left_out = [name for name, reason in why.items() if reason == WHOLE_NUMBERS]
    if not label.has_two or label.n < FEWEST_CASES or len(shares) > 1:
        return
    if all(is_called_model(name) or others[name].is_share for name in chosen):
        left_out = [name for name in left_out if not OF_MEASURED & name_words(name)]
    left_out = [name for name in left_out if others[name].distinct.size > MOST_GRADES]
    doubtful = [n for n in left_out if distance_by_error(others[n], label) >= CLEAR]
    if doubtful:
        all_names = [name for name in others if name in (*doubtful, *chosen)]
        ask(
            f"{quote_names(doubtful)} {'has' if len(doubtful) == 1 else 'have'} whole numbers, and "
            f"{quote_names(chosen)} decimals: which are the models?",
            [{"models": all_names}, {"models": [*chosen]}],
        )
