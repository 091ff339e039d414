"""Random bits that depend on a seed and a counter alone: weights, signs and shuffles."""
