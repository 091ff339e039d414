"""The pytest-benchmark suite: fastcompare beside definitions and peers, which must agree."""
