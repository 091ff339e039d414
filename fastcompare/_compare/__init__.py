"""Tests of statistical hypotheses, one file per kind of data that users hold."""
