"""What LaTeX would complain of in a table: for machines without LaTeX."""

import re

COMMANDS = {
    *("begin", "end", "caption", "label", "centering", "small", "setlength", "tabcolsep"),
    *("toprule", "midrule", "bottomrule", "endfirsthead", "endhead", "endfoot"),
    *("textbackslash", "textasciitilde", "textasciicircum", "textless", "textgreater", "textbar"),
    *("textasciigrave", "times", "infty"),
}
TABLES = ("tabular", "longtable")
ESCAPED = re.compile(r"\\[&%$#_{}]")


def complaints(text):
    """What is wrong with a document's tables, in words; nothing for sound ones."""
    plain = ESCAPED.sub("", text)
    found = [f"unknown \\{name}" for name in re.findall(r"\\([A-Za-z]+)", plain)]
    found = [word for word in found if word.removeprefix("unknown \\") not in COMMANDS]
    if plain.count("{") != plain.count("}"):
        found.append("braces")
    return [*found, *nesting(plain), *lines_of_tables(plain)]


def nesting(plain):
    """What is wrong with the environments."""
    open_ = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", plain):
        if kind == "begin":
            open_.append(name)
        elif not open_ or open_.pop() != name:
            yield f"\\end{{{name}}} without its begin"
    yield from (f"\\begin{{{name}}} without its end" for name in open_)


def lines_of_tables(plain):
    """What is wrong with rows: their cells, and characters that have a meaning."""
    columns = 0
    for line in plain.splitlines():
        begun = re.match(rf"\\begin\{{({'|'.join(TABLES)})\}}\{{([lrc]+)\}}$", line)
        columns = len(begun[2]) if begun else columns
        if line.startswith(r"\end{" + TABLES[0]) or line.startswith(r"\end{" + TABLES[1]):
            columns = 0
        words = re.sub(r"\$[^$]*\$", "", line)
        if "$" in words:
            yield f"mathematics is not closed: {line}"
        if re.search(r"[#%^_~]", re.sub(r"\\label\{[^}]*\}", "", words)):
            yield f"a character is not escaped: {line}"
        if "&" in words and not columns:
            yield f"cells outside of a table: {line}"
        row = columns and line.endswith(r"\\") and not line.startswith((r"\caption", r"\endfirst"))
        if row and words.count("&") != columns - 1:
            yield f"{words.count('&') + 1} cells for {columns} columns: {line}"
        if columns and "&" in words and not line.endswith(r"\\"):
            yield f"a row has no end: {line}"
