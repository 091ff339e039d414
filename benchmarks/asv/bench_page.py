"""The page of a result: its tables, its picture, its text."""

import tempfile

import numpy as np

import fastcompare as fc


class Page:
    """`report` of all pairs of k models; the picture takes most of the time."""

    params, param_names = (3, 30), ("k",)

    def setup(self, k):
        rng = np.random.default_rng(0)
        labels = np.arange(1000) % 2
        self.result = fc.delong_pairwise_test(labels, rng.normal(size=(1000, k)))
        self.directory = tempfile.TemporaryDirectory()
        self.time_report(k)

    def teardown(self, k):
        self.directory.cleanup()

    def time_report(self, k):
        fc.report(self.result, f"{self.directory.name}/page.html", overwrite=True)
