"""The limits that the project sets itself: `python -m benchmarks.limits`."""
