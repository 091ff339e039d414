"""Corrections for multiple testing, a table of small functions."""
