"""What tests of several folders share: calls, data, strategies, readers of what is shown."""
