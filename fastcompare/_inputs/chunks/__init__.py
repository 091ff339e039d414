"""Columns of cases, items and labels that come in chunks, and what they share."""
