"""Turn what users pass into the arrays that kernels take, or raise; every check lives here.

options   words, levels, counts, seeds, workers: a value out of a known set or range
arrays    containers to NumPy arrays, refusing what cannot be converted without a loss
labels    binary labels, and classes of any kind
scores    scores that are compared by order: one vector, or a table with a column a model
predictions  predicted labels of several models, of any kind, and measures of them
probabilities  probabilities of the classes of the same cases
counts    tables of counts, exact however large
weights   weights and clusters of the cases
items     scores per item, columns of numbers, long tables of them
battles   who fought whom, and who won
models    tables of one metric: folds or data sets in rows, models in columns
rounds    scores by round, and how scikit-learn splits them
tables    columns of a frame that are models, and those that cannot be
kinds     what `compare` and `recommend` are handed, by kind of data
chunks/   the same in chunks that do not fit in memory
evals/    sheets of answers of evaluation harnesses
plans/    what a call asks for: sizes, simulations, horizons, tasks, candidates of a search
pictures  results, ranks and ranges, as pictures take them
"""
