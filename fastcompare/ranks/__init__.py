"""Tests of one metric of k models on N data sets.

Use them where the rows of a table are data sets: their scores are not commensurable, so models are
ranked on each data set. Rank 1 is the best; ties share the mean of their ranks.
"""
