"""How many cases to collect."""
