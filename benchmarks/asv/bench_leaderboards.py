"""How long comparisons of many models on the same items take."""

import numpy as np

import fastcompare as fc


def scored_items(n, k, seed=0):
    """Return right and wrong answers of k models to n items."""
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(n, 1)) + rng.normal(size=(n, k)) > 0.0).astype(float)


class ManyMeans:
    params = ([10**3, 10**4], [5, 50], ["items", "clusters"])
    param_names = ("n", "k", "design")

    def setup(self, n, k, design):
        self.scores = scored_items(n, k)
        self.options = {"groups": np.arange(n) // 5} if design == "clusters" else {}
        self.time_adjusted(n, k, design)

    def time_mean_pairwise_test(self, n, k, design):
        fc.mean_pairwise_test(self.scores, **self.options)

    def time_adjusted(self, n, k, design):
        return fc.mean_pairwise_test(self.scores, **self.options).adjusted_pvalue

    def time_mean_covariance(self, n, k, design):
        fc.mean_covariance(self.scores, **self.options)

    def time_mean_omnibus_test(self, n, k, design):
        fc.mean_omnibus_test(self.scores, **self.options)


class Leaderboards:
    params = ([10, 100], ["t", "bootstrap"])
    param_names = ("k", "method")

    def setup(self, k, method):
        self.scores = scored_items(10**4, k)
        self.time_leaderboard(k, method)

    def time_leaderboard(self, k, method):
        drawing = {"n_resamples": 1000, "rng": 0} if method == "bootstrap" else {}
        return fc.leaderboard(self.scores, method=method, **drawing).rank_low
