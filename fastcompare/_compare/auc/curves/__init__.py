"""Parts, points and bands of ROC and precision-recall curves."""
