"""What a call asks for beside its data: sizes of samples, simulations, tests, horizons, tasks."""
