"""Scores per item: means, differences and ranks of models that answered the same items."""
