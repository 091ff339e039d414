"""What tests return: records of one test, of all pairs of models."""
