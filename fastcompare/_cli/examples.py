"""What `--help` of each command ends with: lines that run, and what they are for."""

EXAMPLES: dict[str, tuple[tuple[str, str], ...]] = {
    "auc": (
        ("all other numeric columns are models", "predictions.csv --label y"),
        (
            "two models, as a table for a manuscript",
            "predictions.csv --label y --score a --score b -o table.tex",
        ),
        ("from a pipe, without cases that miss a score", "- --label y --nan-policy omit < new.csv"),
    ),
    "labels": (
        ("columns of predicted labels", "labels.csv --label y --prediction a --prediction b"),
        (
            "columns of scores, from which on a case is positive",
            "predictions.csv --label y --threshold 0.5",
        ),
    ),
    "probabilities": (
        ("the Brier score of all numeric columns", "predictions.csv --label y"),
        ("the log loss, which may be infinite", "predictions.csv --label y --rule log --clip 1e-6"),
    ),
    "folds": (
        ("a column for each model", "folds.csv --n-train 900 --n-test 100"),
        ("a row for each model and round", "long.csv --long --n-train 900 --n-test 100"),
    ),
    "datasets": (
        ("a row for each data set", "datasets.csv --id dataset"),
        ("all models with one, as a picture", "datasets.csv --control c --plot diagram.png"),
    ),
    "evals": (
        ("two logs", "new.eval old.eval"),
        (
            "exit with 3 if the new model is worse by 0.02 or more",
            "new.eval old.eval --margin 0.02 --fail-if not-noninferior",
        ),
    ),
    "compare": (
        ("scores of cases, true labels in column y", "predictions.csv --label y --kind scores"),
        ("scores by fold, a column for each model", "folds.csv --n-train 900 --n-test 100"),
        ("data sets, and how far to believe it", "datasets.csv --trust"),
        ("logs of evaluations, as a page to send", "new.eval old.eval -o page.html"),
    ),
    "recommend": (
        ("before there are data", "--kind folds --n-models 3 --n 10"),
        ("by a file, with simulated errors", "folds.csv --n-train 900 --n-test 100 --measure"),
    ),
    "simulate": (
        ("type I errors of all tests of ten folds", "--kind folds --n 10"),
        (
            "the power of DeLong's test by size",
            "--test delong --auc 0.8 --effect 0.05 --n 100 --n 400",
        ),
    ),
    "report": (
        ("the page is report.html", "folds.csv --n-train 900 --n-test 100"),
        ("of cases", "predictions.csv --label y --kind scores -o page.html"),
    ),
    "warmup": (
        ("once, after the installation", ""),
        ("only what some kinds of data need", "auc items --progress"),
    ),
    "info": (
        ("for a bug report", ""),
        ("for a program", "--format json"),
    ),
}
