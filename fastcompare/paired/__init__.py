"""Tests of two columns of numbers that belong together row by row.

Use them where nothing is known of the numbers but their order or their signs: scores of two models
on several data sets, losses of two models on the same cases. `d` are the differences of the rows,
the first column minus the second.
"""
