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
}
