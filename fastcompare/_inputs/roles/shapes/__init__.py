"""Tables whose rows are neither cases nor rounds, data sets or items.

Battles, and counts of them, are compared. Summaries are refused, with what is needed instead.
"""
