"""Simulations that write the tables of docs/; they time nothing."""
