"""What tests of several rooms share: calls, data, strategies, readers of what is shown."""
