"""Logs of evaluation harnesses, one file a format: from bytes to columns, never joined here."""
