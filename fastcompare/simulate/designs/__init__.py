"""What trials are drawn from, a file a design."""
