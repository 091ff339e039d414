"""asv: what users wait for before the first result, each time in a fresh process."""

import tempfile

from ..limits.start import FIRST
from ..timing import fresh_seconds, import_ratio, import_seconds


class Import:
    """The import statement alone, and in units of importing NumPy."""

    def track_seconds(self):
        return min(import_seconds("fastcompare") for _ in range(5))

    def track_ratio_to_numpy(self):
        return import_ratio()

    track_seconds.unit, track_ratio_to_numpy.unit = "seconds", "ratio"


class NoCache:
    """Start Python, import, compile what one call needs, end."""

    params, param_names = list(FIRST), ("call",)
    timeout, unit = 300, "seconds"

    def track_cold(self, call):
        with tempfile.TemporaryDirectory() as directory:
            return fresh_seconds(directory, call)


class FreshProcess:
    """Start Python, import, compare two models at n = 1000, end."""

    timeout = 120
    unit = "seconds"

    def setup(self):
        self.directory = tempfile.TemporaryDirectory()

    def teardown(self):
        self.directory.cleanup()

    def track_warm(self):
        fresh_seconds(self.directory.name)
        return min(fresh_seconds(self.directory.name) for _ in range(3))
