"""Definitions by which results are checked, written to be obvious, not fast."""
