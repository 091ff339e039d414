"""Bridges to optional packages; each imports its package inside functions."""
