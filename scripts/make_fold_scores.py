"""Make breast_cancer_folds.csv of `fastcompare.datasets`: accuracies of five classifiers by fold.

The data are Breast Cancer Wisconsin (Diagnostic), 569 tumours, as scikit-learn carries them. Ten
times ten folds, stratified, the same for all models; scikit-learn's defaults but for what the table
says; seed 0. No other split, seed or setting was looked at. Six decimals are kept.

    python scripts/make_fold_scores.py
"""

import csv
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import fastcompare as fc

SEED = 0
DECIMALS = 6
TARGET = Path(__file__).parents[1] / "fastcompare" / "datasets" / "breast_cancer_folds.csv"

MODELS = {
    "logistic_regression": make_pipeline(StandardScaler(), LogisticRegression()),
    "naive_bayes": GaussianNB(),
    "nearest_neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "decision_tree": DecisionTreeClassifier(max_depth=3),
    "linear_discriminant": LinearDiscriminantAnalysis(),
}


def fold_scores(scheme: str = "10x10cv") -> dict[str, np.ndarray]:
    """Return the accuracies of each model; fewer repeats give the first rows of more."""
    features, labels = load_breast_cancer(return_X_y=True)
    result = fc.compare_estimators(
        MODELS, features, labels, scheme=scheme, scoring="accuracy", progress=True, rng=SEED
    )
    return dict(zip(result.names, result.scores.round(DECIMALS).T, strict=True))


def main() -> None:
    """Write the file that ships with the package."""
    columns = fold_scores()
    with TARGET.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*(column.tolist() for column in columns.values()), strict=True))


if __name__ == "__main__":
    main()
