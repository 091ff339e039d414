"""Whole trials of a simulation, a row each."""
