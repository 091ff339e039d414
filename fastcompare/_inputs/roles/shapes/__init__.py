"""Tables that are no cases, rounds, data sets or items as they are: each is recognized here.

Battles, and tables of counts of them, are answered. Summaries are refused, with what is needed.
"""
