"""Ordinary files that a program draws, each with the answer or the question that it must give."""
