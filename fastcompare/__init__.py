"""Fast, exact statistical comparison of classifiers."""
