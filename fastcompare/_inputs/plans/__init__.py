"""What somebody plans: sizes of samples, and simulations."""
