"""Make dataset_scores.csv of `fastcompare.datasets`: accuracies of 8 classifiers on 16 data sets.

The data are those that scikit-learn carries: iris, wine, breast cancer, digits, and diabetes with
its target cut at the median. Some tasks are parts of others, of their classes or of their features;
iris, wine, breast_cancer, diabetes and the five pairs of digits share no case with one another. An
accuracy is the share of cases labelled right by models that were trained without them: 10 folds,
stratified and shuffled. The classifiers take scikit-learn's defaults but for what the table says
and seed 0, as the folds do. No other split, seed or setting was looked at. Six decimals are kept.

    python scripts/make_dataset_scores.py
"""

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
)
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

SEED = 0
N_FOLDS = 10
DECIMALS = 6
TARGET = Path(__file__).parents[1] / "fastcompare" / "datasets" / "dataset_scores.csv"
PAIRS_OF_DIGITS = ((0, 6), (1, 7), (2, 5), (3, 8), (4, 9))

MODELS = {
    "logistic_regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    "linear_discriminant": LinearDiscriminantAnalysis(),
    "naive_bayes": GaussianNB(),
    "nearest_neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "support_vectors": make_pipeline(StandardScaler(), SVC()),
    "decision_tree": DecisionTreeClassifier(random_state=SEED),
    "random_forest": RandomForestClassifier(random_state=SEED),
    "gradient_boosting": GradientBoostingClassifier(random_state=SEED),
}


class Task(NamedTuple):
    """Features and labels of the same cases."""

    features: np.ndarray
    labels: np.ndarray


def tasks() -> dict[str, Task]:
    """Return all tasks by their names."""
    iris, wine, cancer, digits = (
        Task(*load(return_X_y=True))
        for load in (load_iris, load_wine, load_breast_cancer, load_digits)
    )
    progression, target = load_diabetes(return_X_y=True)
    return {
        "iris": iris,
        "iris_sepals": Task(iris.features[:, :2], iris.labels),
        "wine": wine,
        "wine_first_six": Task(wine.features[:, :6], wine.labels),
        "breast_cancer": cancer,
        "breast_cancer_means": Task(cancer.features[:, :10], cancer.labels),
        "breast_cancer_errors": Task(cancer.features[:, 10:20], cancer.labels),
        "breast_cancer_worst": Task(cancer.features[:, 20:], cancer.labels),
        "diabetes": Task(progression, target > np.median(target)),
        "digits": digits,
        "digits_even_odd": Task(digits.features, digits.labels % 2),
        **{f"digits_{a}_{b}": part(digits, (a, b)) for a, b in PAIRS_OF_DIGITS},
    }


def part(task: Task, classes: tuple[int, ...]) -> Task:
    """Return the cases of some classes."""
    chosen = np.isin(task.labels, classes)
    return Task(task.features[chosen], task.labels[chosen])


def accuracy(model: ClassifierMixin, task: Task) -> float:
    """Return the share of cases that models trained on the other folds label right."""
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=SEED)
    predicted = cross_val_predict(model, *task, cv=folds)
    return round(float(np.mean(predicted == task.labels)), DECIMALS)


def main() -> None:
    """Write the file that ships with the package."""
    with TARGET.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["dataset", *MODELS])
        for name, task in tasks().items():
            writer.writerow([name, *(accuracy(model, task) for model in MODELS.values())])


if __name__ == "__main__":
    main()
