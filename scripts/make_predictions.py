"""Make breast_cancer.csv of `fastcompare.datasets`: what five classifiers predict for one test set.

The data are Breast Cancer Wisconsin (Diagnostic), 569 tumours, as scikit-learn carries them; a
malignant tumour is a positive case. 30% of the cases, stratified, train the models; the other 70%
are the test set, large because the comparison of AUCs is the point and not the models. Each model
is fitted once, with scikit-learn's defaults but for what the table says, and both the split and the
models take seed 0. No other split, seed or setting was looked at. Six decimals are kept.

    python scripts/make_predictions.py
"""

import csv
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

SEED = 0
TRAIN_SIZE = 0.3
DECIMALS = 6
TARGET = Path(__file__).parents[1] / "fastcompare" / "datasets" / "breast_cancer.csv"

MODELS = {
    "logistic_regression": make_pipeline(StandardScaler(), LogisticRegression()),
    "naive_bayes": GaussianNB(),
    "nearest_neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "decision_tree": DecisionTreeClassifier(max_depth=3, random_state=SEED),
    "random_forest": RandomForestClassifier(random_state=SEED),
}


def predictions() -> dict[str, np.ndarray]:
    """Return the labels of the test set, and each model's probability of a malignant tumour."""
    features, benign = load_breast_cancer(return_X_y=True)
    malignant = 1 - benign
    train_x, test_x, train_y, test_y = train_test_split(
        features, malignant, train_size=TRAIN_SIZE, stratify=malignant, random_state=SEED
    )
    columns = {"y_true": test_y}
    for name, model in MODELS.items():
        probability = model.fit(train_x, train_y).predict_proba(test_x)[:, 1]
        columns[name] = probability.round(DECIMALS)
    return columns


def main() -> None:
    """Write the file that ships with the package."""
    columns = predictions()
    TARGET.parent.mkdir(exist_ok=True)
    with TARGET.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*(column.tolist() for column in columns.values()), strict=True))


if __name__ == "__main__":
    main()
