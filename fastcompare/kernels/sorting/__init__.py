"""Scores in order: keys, sorts, midranks and placements."""
