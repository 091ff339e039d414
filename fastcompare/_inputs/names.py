"""What columns and rows of a table are, by their names.

A comparison of the wrong columns looks like an answer. So a column of a frame or file that may be
no model is an error; docs/concepts/conventions.md lists the rules.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

import numpy as np

from .._adapters.frames import frame_names, is_frame
from .._base.exceptions import InvalidValueError
from .arrays import as_column

NAMES = {  # what columns are that are called so
    "an index": r"|Unnamed: \d+|__index_level_\d+__",  # as pandas and R write their row names
    "an id": r"(.+_)?(id|uuid)|id_.+|index|idx|row(_number)?",
    "a date or a time": r"timestamp|date|datetime|time|(.+_)(time|date|timestamp)",
    "weights": r"((sample|frequency|case|survey)_?)?weights?",
    "a seed": r"seed|random_state",
    "rounds": r"folds?|rounds?|splits?|repeats?|iterations?",
    "clusters": r"groups?|clusters?|subjects?|patients?",
    "true labels": r"y_?true|y_test|labels?|targets?|(ground_?)?truth|gold",
    "sizes": r"n_(train|test|samples|cases|items)|count|support",
    "a summary of others": r"(mean|std|rank)_(test|train|fit|score)_.+",
}
CALLED = {what: re.compile(pattern, re.IGNORECASE) for what, pattern in NAMES.items()}
INDEX = CALLED["an index"]
CASES = {"question", "item", "prompt", "example", "case", "patient", "subject"}
# names of columns beside their model
DISPERSIONS = {"std", "sd", "stdev", "se", "sem", "stderr", "var", "ci", "rank"}
LOWER_LIMITS = {"lower", "low", "ll", "lcl"}  # of an interval
UPPER_LIMITS = {"upper", "high", "ul", "ucl"}
LIMITS = LOWER_LIMITS | UPPER_LIMITS
OF_MEANS = re.compile(r"[\W_](mean|average|avg)$", re.IGNORECASE)
WORD = re.compile(r"[^\W_]+")
SUMMARIES = {"mean", "average", "avg", "total", "sum", "std", "sd", "overall", "macro", "median"}
SUMMARIES |= {"rank", "ranks", "mittelwert", "mittel", "durchschnitt", "gesamt", "insgesamt"}
SUMMARIES |= {"summe", "standardabweichung", "stdabw", "moyenne", "moy", "écart", "médiane"}
SUMMARIES |= {"promedio", "mediana", "desviación", "totale", "desvio"}
MAY_SUMMARIZE = {"m", "mw", "ø", "x̄", "σ", "media", "média", "pooled", "combined", "weighted"}
MAY_SUMMARIZE |= {"all", "alle", "todos", "todas", "tous", "toutes", "tutti", "sites", "centres"}
MAY_SUMMARIZE |= {"centers", "folds", "type", "estándar", "padrão", "sa", "et", "ds", "de", "dp"}
MAY_SUMMARIZE |= {"ci", "ki", "ic", "95"}  # names of summaries that others may have, too
OF_SUMMARIES = {"win", "rate", "winrate", "score", "scores", "accuracy", "acc", "micro"}
LOSSES = {"error", "err", "loss", "logloss", "rmse", "mse", "mae", "mape", "brier", "nll", "wer"}
LOSSES |= {"cer", "perplexity", "ppl", "time", "latency", "regret", "cost", "seconds", "secs", "ms"}
LOSSES |= {"milliseconds", "minutes", "runtime", "duration", "smape", "wape", "mase", "rmsse"}
LOSSES |= {"crps", "ece", "eer", "der", "fid", "hd95", "hausdorff", "assd", "errors", "losses"}
LOSSES |= {"ce", "bbrier", "mbrier", "rmsle", "msle", "nmse", "nrmse", "medae", "deviance", "ter"}
LOSSES |= {"incorrect", "misclassification", "misclassified", "lpips", "bpb", "bpc", "fpr", "fnr"}
LOSSES |= {"fehler", "fehlerrate", "verlust", "laufzeit", "dauer", "erreur", "perte", "durée"}
LOSSES |= {"errore", "perdita", "durata", "pérdida", "duración", "erro", "perda", "duração"}
GAINS = {"neg", "minus", "inverse", "reduction", "saved", "saving", "savings", "improvement"}
GAINS |= {"free", "no", "explained", "skill", "speedup", "survival", "accuracy", "recall"}
GAINS |= {
    "series",
    "sensitive",
    "aware",
    "tolerant",
    "corrected",
    "correcting",
    "real",
}  # of models
OF_ERRORS = {"error", "errors", "err", "fehler", "erreur", "errore", "erro"}
OF_MODELS = OF_ERRORS | {"loss", "losses", "cost", "time", "ms", "mae", "mse", "ce", "der", "nll"}
OF_MODELS |= {"crps", "verlust", "perte", "perdita", "pérdida", "perda"}
OF_TIME_SERIES = {"llm", "mixer", "moe", "net", "former"}  # models called Time-LLM, Time-MoE
MAY_BE_GAINS = {"detected", "found", "fixed", "watch", "page", "failure", "weight", "session"}
MAY_BE_GAINS |= {"played", "caught", "listening", "dwell", "relapse"}
TRAINED_BY = {"ce", "bce", "dice", "focal", "tversky", "hinge", "huber", "triplet", "contrastive"}
TRAINED_BY |= {"mse", "mae", "l1", "l2", "quantile", "pinball", "arcface", "weighted", "entropy"}
TRAINED_BY |= {"cross", "softmax", "infonce", "kl", "gan", "iou", "giou", "smooth", "jaccard"}
BUT_HIGHER = " suggest that lower is better, but higher is treated as better: "
HIGHER_LOSS = f"The names{BUT_HIGHER}pass higher_is_better=False if lower is."
LOWER_BY_NAMES = "Lower is better, as the names say "
# of scores cut in two
RATES = {"tpr", "fpr", "tnr", "fnr", "sensitivity", "specificity", "recall", "precision", "fallout"}
RATES |= {"sens", "spec", "truepositiverate", "falsepositiverate", "ppv", "npv"}
CUTS = {"threshold", "thresholds", "cutoff", "cutoffs", "cut", "thresh", "thr", "cutpoint"}
# values of answers
RIGHT_IN_ENGLISH = frozenset(
    ["correct", "right", "pass", "passed", "success", "successful", "solved", "ok"]
)
RIGHT_IN_ENGLISH |= {"✓", "✔", "✅"}
RIGHT = RIGHT_IN_ENGLISH | {"richtig", "korrekt", "gelöst", "bestanden", "juste", "réussi"}
RIGHT |= {"correcto", "correcta", "acierto", "acertado", "giusto", "giusta", "corretto"}
RIGHT |= {"corretta", "esatto", "esatta", "certo", "certa", "correto", "correta", "goed", "juist"}
RIGHT |= {"dobrze", "poprawnie", "poprawna", "poprawne", "poprawny", "prawidłowa", "prawidłowo"}
WRONG = frozenset(["incorrect", "wrong", "fail", "failed", "failure", "unsuccessful", "unsolved"])
WRONG |= {"✗", "✘", "❌", "falsch", "inkorrekt", "ungelöst", "faux", "échoué", "incorrecto"}
WRONG |= {"incorrecta", "sbagliato", "sbagliata", "errato", "errata", "scorretto", "errado"}
WRONG |= {"errada", "incorreto", "incorreta", "fout", "onjuist", "źle", "błędnie", "błędna"}
WRONG |= {"błędne", "błędny", "niepoprawna", "nieprawidłowa", "niepoprawnie", "nieprawidłowo"}
YES = frozenset(["yes", "y", "true", "t", "ja", "oui", "sí", "sì", "si", "sim", "tak", "wahr"])
YES |= {"vrai", "vero", "vera", "verdadero", "verdadera", "verdadeiro", "waar", "prawda"}
NO = frozenset(["no", "n", "false", "f", "nein", "non", "nee", "não", "nie", "falsch", "faux"])
NO |= {"falso", "falsa", "onwaar", "fałsz", "unwahr"}
TRAINING = {"train", "training", "trained", "in-sample"}
VALIDATION = {"val", "valid", "validation", "dev"}  # by which models may have been chosen
HELD_OUT = VALIDATION | {"test", "testing", "holdout", "hold-out", "eval"}

STUDY_ROLES: Mapping[str, tuple[str, ...]] = {  # of reader studies, the last MRMCaov's, iMRMC's
    "truth": ("truth", "label", "y_true"),
    "score": ("score", "rating"),
    "treatment": ("treatment", "test", "modality", "modalityID"),
    "reader": ("reader", "readerID"),
    "case": ("case", "caseID"),
}
UNPAIRED = {  # calls for models on different cases, by what parameters are called
    "y_score_": "delong_unpaired_test(y_true_1, y_score_1, y_true_2, y_score_2)",
    "y_pred_": "two_proportions_unpaired_test(y_true_1, y_pred_1, y_true_2, y_pred_2)",
    "y_prob_": "ttest_unpaired((y_prob_1 - y_true_1) ** 2, (y_prob_2 - y_true_2) ** 2)",
    "scores_": "ttest_unpaired(scores_a, scores_b)",
}


def on_other_cases(name: str) -> str:
    """Return the hint that models whose cases differ have a test of their own, if `name` is one."""
    test = UNPAIRED.get(name[:-1], "") if name[-2:] in ("_a", "_b") else ""
    return f" Models on different cases are compared by {test}." if test else ""


def called_otherwise(columns: Mapping[str, Any]) -> dict[str, str]:
    """Return {column: reason} of the columns whose names do not look like that of a model.

    Limits of an interval must also be limits by their values: o3_low may be a model like o3.
    """
    all_names = [str(name) for name in columns]
    means = {OF_MEANS.sub("", name): name for name in all_names}  # rf and rf_mean, by rf
    beside = {name: model for name in all_names if (model := model_in_name(name)) in means}
    limits = {name: model for name, model in beside.items() if limit_in_name(name)}
    for model in {*limits.values()}:
        limits_of_model = [name for name in limits if limits[name] == model]
        if not are_limits(columns, means[model], limits_of_model):
            beside = {name: other for name, other in beside.items() if name not in limits_of_model}
    reasons = {
        name: f"has a name like a spread, limit or rank of {model!r}"
        for name, model in beside.items()
    }
    return reasons | {
        name: f"has a name like {what}" for name in all_names if (what := named_like(name))
    }


@cache
def named_like(name: str) -> str:
    """Return the meaning of a column's name, such as "an id" or "weights"; "" if it has none."""
    matching = [what for what, pattern in CALLED.items() if pattern.fullmatch(name)]
    return matching[-1] if matching else ""


def labels_among(names: Iterable[str]) -> str:
    """Return the name among some that true labels have, "" if there is none or more than one."""
    matching = list(filter(CALLED["true labels"].fullmatch, names))
    return matching[0] if len(matching) == 1 else ""


def are_limits(columns: Mapping[str, Any], model: str, names: Iterable[str]) -> bool:
    """Return whether some columns are lower and upper limits, between which the model's values lie.

    `names` are those of the possible limits. Columns of words are limits by their names alone;
    answers of 0 and 1 have no limits.
    """
    lower = [name for name in names if limit_in_name(name) in LOWER_LIMITS]
    upper = [name for name in names if limit_in_name(name) in UPPER_LIMITS]
    if not lower or not upper:
        return False
    arrays = [as_column(name, columns[name]).values for name in (model, *lower, *upper)]
    if any(x.dtype.kind not in "biuf" or x.ndim != 1 for x in arrays):
        return True
    if len({x.size for x in arrays}) > 1:
        return False
    table = np.stack([x.astype(float) for x in arrays])
    table = table[:, ~np.isnan(table).any(axis=0)]
    values, low, high = np.split(table, [1, len(lower) + 1])
    encloses = bool((low <= values).all() and (values <= high).all())
    return encloses and bool((low < high[:1]).any()) and not bool(np.isin(table, (0, 1)).all())


def limit_in_name(name: str) -> str:
    """Return the word for a limit with which a column's name begins or ends, "" if there is none.

    The name must contain a word. Where it begins with a spread, say, its end does not count.
    """
    words = [word.casefold() for word in WORD.findall(name)]
    beside = [word for word in (words[0], words[-1]) if word in DISPERSIONS | LIMITS]
    return beside[0] if beside and beside[0] in LIMITS else ""


@cache
def model_in_name(name: str) -> str:
    """Return the model of a name with a word for a spread, limit or rank: rf of rf_sd; else ""."""
    words = list(WORD.finditer(name))
    if len(words) < 2:
        return ""
    first, last = words[0], words[-1]
    beside_means = DISPERSIONS | LIMITS
    if not first.start() and first[0].casefold() in beside_means:
        return name[words[1].start() :]
    ends_so = last[0].casefold() in beside_means and "_" not in name[last.end() :]
    return name[: words[-2].end()] if ends_so else ""


def refuse_doubtful(
    doubtful: Mapping[str, str], names: Iterable[str], naming: Callable[[list[str]], str]
) -> None:
    """Raise if there are `doubtful` columns, a mapping of names to reasons.

    `naming` returns the argument that names plausible models, those of `names` without doubt.
    """
    if not doubtful:
        return
    reasons = "; ".join(f"column {name!r} {why}" for name, why in doubtful.items())
    plausible = [name for name in names if name not in doubtful]
    raise InvalidValueError(
        f"{reasons}: that looks like an id, clusters or another measurement, not like a model. "
        f"Name the models: {naming(plausible)}; a named column is always used. Or remove the "
        "column.",
        parameter=next(iter(doubtful)),
    )


def refuse_training(name: str, values: Iterable[object]) -> None:
    """Raise if the words of a column say that some rows are of training, and others held out."""
    words = {str(value).casefold() for value in values if value}
    training = sorted(words & TRAINING)
    if training and words <= TRAINING | HELD_OUT:
        raise InvalidValueError(
            f"column {name!r} says that rows are of training ({training[0]!r}), where models look "
            "better than they are. Keep the other rows, or remove the column.",
            parameter=name,
            value=training[0],
        )


def is_summary(row: str) -> bool:
    """Return whether all words of a row's name are of summaries, one of them "mean" or the like."""
    words = {*re.findall(r"\w+", row.casefold())}
    beside = MAY_SUMMARIZE | OF_SUMMARIES
    return words <= SUMMARIES | beside and not words.isdisjoint(SUMMARIES)


def may_be_summary(row: str) -> bool:
    """Return whether all words of a row's name are of summaries, or may be: "pooled", "media"."""
    words = {*re.findall(r"\w+", row.casefold())}
    return bool(words) and words <= SUMMARIES | MAY_SUMMARIZE


def are_losses(names: Iterable[str]) -> bool:
    """Say whether each of some names has a word for a loss, such as error, and none of a gain.

    1-error is a gain, too.
    """
    without_gains = [re.sub(r"^1[\s−–-]+", "minus ", str(name).casefold()) for name in names]
    words_of_names = [{*re.split(r"[\W_]+", name)} for name in without_gains]
    is_loss = [bool(words & LOSSES) and not words & GAINS for words in words_of_names]
    return bool(is_loss) and all(is_loss)


def words_for_losses(names: Iterable[str]) -> list[str]:
    """Return the words for a loss that all of some names have, in alphabetical order."""
    words_of_names = [{*re.split(r"[\W_]+", str(name).casefold())} for name in names]
    return sorted(LOSSES.intersection(*words_of_names)) if words_of_names else []


def are_trained_by_losses(names: Iterable[str]) -> bool:
    """Return whether names are of models trained by different losses: dice_loss, focal_loss."""
    words_of_names = [{*re.split(r"[\W_]+", str(name).casefold())} for name in names]
    others = [words - {"loss", "losses", ""} for words in words_of_names]
    return all(words and words <= TRAINED_BY for words in others)


def may_be_gains(names: Iterable[str]) -> bool:
    """Return whether a name of errors or times may be of gains, too: errors_detected."""
    words_of_names = [{*re.split(r"[\W_]+", str(name).casefold())} for name in names]
    return any(words & MAY_BE_GAINS for words in words_of_names)


def is_reader_table(data: Any) -> bool:
    """Return whether a table has columns of scores, treatments, readers and cases by name."""
    if isinstance(data, Mapping):
        names = {*map(str, data)}
    elif is_frame(data):
        names = {*frame_names(data)}
    else:
        return False
    wanted = map(STUDY_ROLES.__getitem__, ("score", "treatment", "reader", "case"))
    return not any(map(names.isdisjoint, wanted))
