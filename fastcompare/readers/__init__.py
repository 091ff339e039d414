"""Reader studies: several readers, or training runs, score the same cases under treatments."""
