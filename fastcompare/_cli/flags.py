"""The help of the arguments and options of all commands, and the words that options take."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from .._inference.corrections.adjust import AUTO, CORRECTIONS, JOINT, PAIR_CORRECTIONS
from .._inputs.options import ALTERNATIVES, WITH_EQUIVALENCE

POLICIES = ("raise", "omit")


def option(help_text: str, *names: str) -> Any:
    """Return typer's option with this help; `names` where they are not the parameter's."""
    return typer.Option(*names, help=help_text)


def choice(choices: Sequence[str], meaning: str) -> Any:
    """Return typer's option whose value is one of some words.

    The help lists them before their meaning, and shells complete them.
    """
    *most, last = choices

    def completions(incomplete: str) -> list[str]:
        """Return the words that begin so."""
        return [word for word in choices if word.startswith(incomplete)]

    return typer.Option(help=f"{', '.join(most)} or {last}: {meaning}", autocompletion=completions)


KINDS_OF_CASES = ("scores", "labels", "probabilities")
OPTIONS: Mapping[str, Any] = {  # by name, or by command or group and name
    "verbose": "Report on standard error how the cases were read and how much memory it took.",
    "control": "Control model: compare every other model with it instead of all pairs.",
    "alpha": "Significance level, between 0 and 1.",
    "lower_is_better": "Lower scores are better (error rates, losses, times).",
    "label": "Column of true labels.",
    "model": "Model to compare; repeat for each. Default: all numeric columns, or all columns.",
    "n_train": "Folds: number of training cases per round, or their mean.",
    "n_test": "Folds: number of test cases per round, or their mean. --design kfold needs neither.",
    "threshold": ("Compare labels: scores of at least this are positive predictions."),
    "rule": choice(
        ("brier", "log", "spherical"), "scoring rule; compares probabilities. Default: brier."
    ),
    "clip": "Clip probabilities to [clip, 1 - clip] so that the log loss stays finite.",
    "task": "Task to include (repeat to pool several; 'all' pools all).",
    "metric": (
        "Metric or scorer, if the logs, or the splits of a search, contain several; of a reader "
        "study auc, mean or loss."
    ),
    "missing": choice(
        ("raise", "drop", "zero"), "how to handle items for which a model has no score."
    ),
    "join": choice(
        ("id", "hash"),
        "how items are matched across models: by their ids or by a hash of the question.",
    ),
    "evals.alternative": choice(
        ALTERNATIVES,
        "alternative hypothesis about first minus second. Default: two-sided; with --margin, "
        "non-inferiority of the first model.",
    ),
    "margin": (
        "Largest difference that does not matter: the non-inferiority margin of the first model, "
        "or with equivalence the equivalence margin."
    ),
    "candidate": "Model to judge, as the first of each difference. Default: the first log's.",
    "baseline": "Compare the candidate with this model only. Default: with all others.",
    "fail_if": choice(
        ("worse", "not-better", "not-noninferior"),
        "exit with status 3 if that holds for the first model.",
    ),
    "evals.correction": choice(
        (AUTO, *JOINT, "none", *CORRECTIONS, *PAIR_CORRECTIONS),
        "adjustment of p-values for multiple pairs.",
    ),
    "max_pairs": "Maximum number of pairs (large numbers are slow and memory-hungry).",
    "pos_label": "Label of the positive class, if labels are not 0/1, -1/1 or boolean.",
    "QueryOptions.lower_is_better": option(
        "Whether lower scores are better (error rates, losses, times). Default: as the names of "
        "all models, or of the metric, say.",
        "--lower-is-better/--higher-is-better",
    ),
    "QueryOptions.alternative": choice(
        WITH_EQUIVALENCE,
        "alternative hypothesis about first minus second. Default: two-sided; with --margin, "
        "non-inferiority of the first model.",
    ),
    "QueryOptions.test": (
        "Test by name (delong, bootstrap, mcnemar, cochran, wilcoxon, nemenyi, ...) instead of the "
        "one chosen. An unknown name lists those that fit the data."
    ),
    "QueryOptions.margin": (
        "For two models, or --fail-if not-noninferior: the largest difference that does not matter."
    ),
    "method": "Method of the test: exact for McNemar's, bootstrap for losses, and so on.",
    "order_effect": "Battles: estimate the advantage of the model that is named first.",
    "compare.candidate": "With --fail-if: the model in question. Default: the first.",
    "title": "Heading of the HTML page.",
    "weights": "Column of case weights.",
    "n_resamples": "Number of bootstrap or permutation replicates.",
    "confidence_level": "Confidence level of the intervals, between 0 and 1.",
    "progress": "Show a progress bar.",
    "simultaneous": "Simultaneous intervals for all differences.",
    "format": choice(
        ("text", "json", "csv", "markdown", "latex", "html"),
        "output format. CSV is one row per pair; JSON has everything; HTML is a self-contained "
        "page. Default: from the extension of --output, else text.",
    ),
    "output": option(
        "Write to this file instead of standard output, - (repeat for several): .txt, .json, .csv, "
        ".md, .tex, .html, or the picture of the result as .png, .svg or .pdf.",
        "--output",
        "-o",
    ),
    "force": "Overwrite existing output files.",
    "sep": "Field separator of CSV files; 'tab' for tab-separated files. Default: found.",
    "encoding": "Encoding of CSV files. Default: UTF-8, else Windows-1252.",
    "decimal": "Decimal mark in CSV files: '.' or ','. Default: found.",
    "nan_policy": choice(POLICIES, "how to handle cases with missing values."),
    "n_jobs": "Number of threads; -1 uses all cores.",
    "families": typer.Argument(
        help="Kinds of data to compile for: auc, labels, probabilities, items, folds or "
        "datasets. Default: all."
    ),
    "logs": typer.Argument(
        help="Logs of lm-evaluation-harness, Inspect, HELM, Every Eval Ever, lighteval or "
        "openai/evals, promptfoo, tables with columns model, item and score, or folders of these."
    ),
    "files": typer.Argument(
        help="Tables (CSV, Excel, JSON lines, Parquet, Arrow; gzipped, too) with one row per case "
        "and a column of true labels, or one row per round, data set or item; several files are "
        "joined by their ids. Or logs of evaluation harnesses. - reads standard input. Default: "
        "the predictions bundled with fastcompare."
    ),
    "InputOptions.kind": choice(
        (*KINDS_OF_CASES, "folds", "datasets", "items", "battles", "times", "readers"),
        "kind of data: the first three have one row per case, the others are named after their "
        "rows. Default: inferred from the columns.",
    ),
    "InputOptions.label": (
        "Column of true labels, or of true values. Default: by the values and names."
    ),
    "InputOptions.long": (
        "The table has a row for each model and case, round or data set: its columns of models, of "
        "rows and of scores, as in --long model,dataset,accuracy. Default: by the values and names."
    ),
    "id": "Column that identifies the rows, by which files are joined. Default: by the values.",
    "cluster": option(
        "Column of cluster labels; for logs the dotted path of a field, such as metadata.passage.",
        "--groups",
        "--cluster",
    ),
    "time": "Times to an event: column of times. Default, with --event: time.",
    "event": (
        "Times to an event: column of 1 (event) and 0 (censored), or of words or codes of which "
        "--pos-label is the event. Default, with --time: event."
    ),
    "reader": "Reader study: column of readers, or seeds. Default: reader or readerID.",
    "treatment": (
        "Reader study: column of treatments. Default: treatment, test, modality or modalityID."
    ),
    "case": "Reader study: column of cases. Default: case, caseID.",
    "InputOptions.score": option(
        "Reader study: column of scores. Default: score or rating.", "--score"
    ),
    "design": choice(
        ("resampled", "repeated-kfold", "kfold", "5x2cv", "independent"),
        "how folds were made. Default: resampled.",
    ),
    "QueryOptions.correction": (
        "Adjustment of p-values for multiple pairs (holm, none, ...). Default: the test's own."
    ),
    "gate": "Compare pairs only if the omnibus test rejects.",
    "trust": (
        "Simulate the type I error, the power and the smallest detectable difference for data like "
        "these (takes seconds)."
    ),
    "difference": "With --trust: a difference that matters, whose power to report.",
    "seed": "Seed of the random number generator.",
    "report.output": option("File to write the page to.", "--output", "-o"),
    "recommend.files": typer.Argument(
        help="Data as for `fastcompare compare`. Without any, --kind and the other options "
        "describe them."
    ),
    "n_models": "Number of models. Default: 2.",
    "recommend.n": "Number of rows: cases of the rarer class, folds, data sets, ...",
    "paired": option(
        "Whether all models have the same rows. Default: as ids or labels of the files tell.",
        "--paired/--unpaired",
    ),
    "claim": choice(
        ("these models", "this way of training", "on new data sets", "other readers and cases"),
        "what the claim is about. Default: what such data can support.",
    ),
    "parametric": option(
        "Only parametric tests, or only distribution-free ones.", "--parametric/--free"
    ),
    "measure": (
        "Simulate the type I error of the recommended and of the mistaken test at this size."
    ),
    "n_trials": "Number of simulated data sets per rate.",
    "simulate.kind": choice(("scores", "labels", "folds", "datasets"), "kind of data to simulate."),
    "test": "Test to simulate; repeat for several. Default: all. An unknown name lists them.",
    "simulate.n": "Number of cases, rounds or data sets; repeat for power as a function of size.",
    "effect": (
        "True difference in AUC or error rate, or in mean score in standard deviations: 0 gives "
        "the type I error; repeat for power as a function of the effect. Default: 0."
    ),
    "auc": "AUC of both models under the null hypothesis.",
    "correlation": "Correlation of the scores of two models, or of one model in two rounds.",
    "n_positive": "Number of positive cases (kind scores).",
    "n_negative": "Number of negative cases (kind scores).",
    "epsilon": "Error rate of both models (kind labels).",
}


def declare_option(owner: str, name: str, kind: Any) -> Any:
    """Return the annotation of a parameter: its type, with typer's option.

    `owner` is the command, or the class of the group of options, that has the parameter.
    """
    qualified = f"{owner}.{name}"
    declared = OPTIONS[qualified if qualified in OPTIONS else name]
    if isinstance(declared, str):
        flag = f"--{name.replace('_', '-')}"
        names = [flag] if kind is bool else []  # or typer adds the opposite, --no-force
        declared = option(declared, *names)
    return Annotated[kind, declared]


COMMON_PARAMETERS = ("label", "model", "kind", "test", "cluster", "n_train", "n_test", "output")
SECTIONS: Mapping[str, Sequence[str]] = {  # of the help, and the parameters listed in each
    "Common options": COMMON_PARAMETERS,
    "Input": (
        *("files", "logs", "sep", "encoding", "decimal", "nan_policy", "missing", "task"),
        *("metric", "join", "n_jobs", "verbose", "max_pairs"),
    ),
    "Roles of columns": (
        *("id", "pos_label", "weights", "long", "time", "event", "reader", "treatment", "case"),
        *("score", "design", "paired", "threshold"),
    ),
    "Question": (
        *("control", "candidate", "baseline", "alternative", "margin", "fail_if", "rule", "clip"),
        *("method", "order_effect", "correction", "alpha", "confidence_level", "simultaneous"),
        *("lower_is_better", "gate", "n_resamples", "seed", "trust", "difference"),
    ),
    "Output": ("format", "title", "force", "progress"),
}
