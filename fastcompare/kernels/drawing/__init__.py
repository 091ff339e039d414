"""Random numbers that depend on a seed and a counter alone, and what is drawn by them."""
