"""asv: logs of evaluation harnesses are read, and `json.loads` reads the same bytes."""

import json
import tempfile
from pathlib import Path

import fastcompare as fc

from ..evaluation_logs import WRITERS, two_logs


class ReadEvals:
    params = tuple(WRITERS)
    param_names = ("format",)

    def setup(self, kind):
        self.folder = tempfile.TemporaryDirectory()
        self.paths, self.texts = two_logs(Path(self.folder.name), kind)

    def teardown(self, kind):
        self.folder.cleanup()

    def time_read_evals(self, kind):
        fc.read_evals(*self.paths)

    def time_json_loads_of_the_same_bytes(self, kind):
        for text in self.texts:
            json.loads(text)
