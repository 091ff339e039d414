"""Scores of models by round: folds of a cross-validation, or random splits of one data set."""
