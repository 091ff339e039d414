"""What the columns of any table are: looked at once, each with its reason, or one question.

`column` looks at a column, `words` at its name, `relations` at several columns together, `decide`
gives each its role, and `question` asks where nothing tells.
"""
