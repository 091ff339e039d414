"""Predicted labels of the same cases."""
