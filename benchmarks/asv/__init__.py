"""What asv follows from commit to commit: the cases and limits of the other benchmarks."""
