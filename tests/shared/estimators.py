"""Small data and estimators, some of which misbehave, where workers can import them."""

from threading import Lock

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import fastcompare as fc

RNG = np.random.default_rng(0)
Y = np.repeat([0, 1], [36, 24])
X = RNG.normal(size=(60, 2)) + Y[:, None]
GROUPS = np.repeat(np.arange(20), 3)[RNG.permutation(60)]


class Constant(ClassifierMixin, BaseEstimator):
    """Predicts the first class; subclasses do worse."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.misbehave()
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])

    def misbehave(self):
        pass


class Counting(Constant):
    """Does something at its fit of this number; the count is of the class, as clones have none."""

    fits = 0

    def __init__(self, at=7, error=ValueError, random_state=None):
        super().__init__(random_state)
        self.at, self.error = at, error

    def misbehave(self):
        type(self).fits += 1
        if type(self).fits == self.at:
            raise self.error("too much")


class Failing(Constant):
    """Fails in every process."""

    def misbehave(self):
        raise OSError(28, "no space")


class UnpicklableError(Exception):
    """Cannot be pickled, since a lock cannot be."""

    def __init__(self, a, b):
        super().__init__(f"{a} and {b}")
        self.lock = Lock()


BAYES, DUMMY = GaussianNB(), DummyClassifier()
TWO = {"bayes": BAYES, "dummy": DUMMY}
TREE = DecisionTreeClassifier(max_features=1)  # draws, and has no seed
THREE = {**TWO, "tree": TREE}


def compare(estimators=TWO, X=X, y=Y, **options):
    """Compare the toy estimators; one k-fold cross-validation unless told otherwise."""
    return fc.compare_estimators(estimators, X, y, **{"rng": 0, "scheme": "kfold", **options})
