"""Turn what users pass into the arrays that kernels take, or raise; every check lives here.

options   words, levels, counts: a value out of a known set or range
arrays    containers to NumPy arrays, refusing what cannot be converted without a loss
labels    binary labels
scores    scores that are compared by order: one vector, or a table with a column a model
probabilities  probabilities of the classes of the same cases
randomness  seeds and numbers of replicates
workers   who does the work, and who hears of it
weights   weights and clusters of the cases
cases     labels and scores of the same cases together: lengths, indexes, missing values
multiclass  labels of several classes, and tables with a column of scores for each
permutations  what goes together in a permutation test
counts    tables of counts, exact however large
raters    labels that two raters give to the same cases
predictions  predicted labels of several models, of any kind
metrics   measures of predicted labels, by name or as a function
models    tables of one metric: folds or data sets in rows, models in columns
designs   tables of models and data sets with missing cells
pairs     two columns of numbers, or one of their differences
ordering  the order of labels, where it matters
planning  AUCs and correlations that somebody expects
simulations  whole numbers and tests of a simulation
ranges    rates that pick a part of a ROC curve
rankings  results of comparisons, as pictures take them
"""
