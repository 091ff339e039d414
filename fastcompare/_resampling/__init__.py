"""Replicates: their weights, what is read from them, and the results of bootstraps."""
