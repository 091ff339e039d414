"""Scores per item of models that answered the same items: means, differences, ranks; battles."""
