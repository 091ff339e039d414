"""asv's suite: what is tracked from commit to commit."""
