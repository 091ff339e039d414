"""Tables with a column a model: folds, ranks, counts of right answers."""
