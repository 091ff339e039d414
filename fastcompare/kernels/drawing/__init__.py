"""Random bits that depend on a seed and a counter alone, and weights, signs and shuffles of them."""
