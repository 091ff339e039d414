"""Comparisons of probabilities that models gave to the same cases, and of their calibration.

A rule turns the probabilities of a case and its class into a loss: the lower, the better. With S_a
and S_b the losses of two models, the differences S_a - S_b of the cases are tested.
"""
