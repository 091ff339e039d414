"""From statistics to p-values, intervals, corrections and words of status."""
