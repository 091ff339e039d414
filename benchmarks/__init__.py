"""Benchmarks: asv/ over time, contenders/ beside peers, limits/ against what we set ourselves."""
