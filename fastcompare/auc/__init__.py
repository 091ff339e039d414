"""Areas under ROC curves of the same cases, and their differences."""
