"""Cases, classes and rounds that are drawn for a file, by its number."""

import numpy as np

N = 60


class Draw:
    """The random numbers of one file, and the names that fall to it."""

    def __init__(self, shape, number):
        self.number = number
        self.rng = np.random.default_rng([number, sum(map(ord, shape))])

    def pick(self, names, shift=0):
        """Return the name of a list that falls to this file."""
        return names[(self.number + shift) % len(names)]

    def labels(self, n=N):
        """Return 0 and 1, of each at least a third."""
        return self.rng.permutation((np.arange(n) % 5 < 2).astype(int))

    def scores(self, y, effect, digits=4):
        """Return probabilities of cases."""
        logits = self.rng.normal(size=len(y)) + effect * (np.asarray(y) - 0.5)
        return (1 / (1 + np.exp(-logits))).round(digits)

    def two(self, y, digits=4):
        """Return the probabilities of two models."""
        return self.scores(y, 1.0, digits), self.scores(y, 2.2, digits)

    def classes(self, y, k, digits=4):
        """Return probabilities of k classes that sum to one as they are written."""
        table = self.rng.dirichlet(np.ones(k), len(y)) + 0.6 * np.eye(k)[y]
        table = (table / table.sum(axis=1, keepdims=True)).round(digits)
        table[:, 0] = (1 - table[:, 1:].sum(axis=1)).round(digits)
        return np.abs(table)

    def ids(self, n=N):
        """Return names of rows: numbers, or words."""
        order = self.rng.permutation(n)
        if self.number % 3 == 0:
            return (1000 + 7 * order).tolist()
        return [f"c{j:04d}" for j in order]

    def rates(self, rows, k):
        """Return a table of accuracies, of models whose means differ."""
        found = (
            0.78 + 0.05 * self.rng.normal(size=(rows, 1)) + 0.02 * self.rng.normal(size=(rows, k))
        )
        return (found + 0.015 * np.arange(k)).round(4)
