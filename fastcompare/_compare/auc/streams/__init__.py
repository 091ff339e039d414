"""DeLong's method for cases that come in chunks."""
