"""The same numbers from fastcompare and from other programs, on the data that ship with it."""
