"""What every room may use: exceptions, texts, memory, work over threads."""
