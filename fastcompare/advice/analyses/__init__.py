"""What `compare` runs, and why: a module for each form of data, imported for such data alone."""
