"""From sheets of answers to one table: which are meant, which belong together, what is missing."""
