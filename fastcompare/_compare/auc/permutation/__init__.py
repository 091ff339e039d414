"""Permutation tests of AUCs and of whole curves."""
