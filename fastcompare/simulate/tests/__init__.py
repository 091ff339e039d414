"""Tests of many trials at once, by design."""
