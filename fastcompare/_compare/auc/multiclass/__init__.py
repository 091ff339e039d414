"""AUCs of several classes."""
