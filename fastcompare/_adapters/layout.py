"""The layout of a table in a text: a title, comments, the separator, the header.

Functions return the text as a plain table in which lines keep their numbers, for messages.
"""

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

POINT, COMMA, BLANK, TAB = ".", ",", " ", "\t"
MISSING = ("", "NA", "NaN", "nan", "null", "N/A")
DECIMAL = re.compile(r"[ \t]*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?[ \t]*", re.ASCII)
LIKELY_SEPARATORS = ",;\t|"
HEADER = re.compile(rb"[A-Za-z\"][,;\t]|[,;\t][A-Za-z\"]")  # and no decimal commas
RULER = re.compile(rb"\s*\|.*\|[ \t]*\r?\n[ \t]*\|[ \t:|-]+\|[ \t]*\r?\n")
PREAMBLE = 1 << 16  # bytes in which a header begins, and rows show the separator
HEAD = 1000  # rows that show whether a column of words has decimal commas
FIRST_LINES = HEAD // 10  # lines that show the separator and the header


def drop_preamble(text: bytes) -> bytes:
    """Return a text with comments and a title above its header replaced by empty lines.

    A title is a line of one field above a blank line or a header, or with empty fields behind it.
    A comment that names the columns of the rows directly below is the header.
    """
    lines = text[:PREAMBLE].splitlines(keepends=True)
    skipped = 0
    for line, next_line in pairwise(lines):
        bare = line.strip(b"\xef\xbb\xbf \t\r\n")
        other_fields = [field for mark in (b",", b";", b"\t") for field in bare.split(mark)[1:]]
        is_title = len(other_fields) > 1 and not any(field.strip() for field in other_fields)
        if not other_fields:
            is_title = not next_line.strip() or bool(HEADER.search(next_line))
        if bare and not bare.startswith(b"#") and not is_title:
            break
        skipped += 1
    if not skipped or skipped == len(lines):
        return text
    length = sum(map(len, lines[:skipped]))
    if (header := header_in_comment(lines[skipped - 1], first_lines(text[length:]))) is not None:
        return b"\n" * (skipped - 1) + header + text[length:]
    return b"\n" * skipped + text[length:]


def header_in_comment(line: bytes, rows: Sequence[str]) -> bytes | None:
    """Return the header after the mark of a comment above rows, such as `#chr`; None for none.

    It has as many cells as the rows, but no numbers. The first row has numbers, or words that are
    repeated below, since else it is the header.
    """
    bare = line.decode("utf-8", "replace").removeprefix("\ufeff").strip(" \r\n")
    names = bare.removeprefix("#").lstrip(" ")
    if not bare.startswith("#") or names.startswith("#"):
        return None
    for mark in (*LIKELY_SEPARATORS, BLANK):
        header, *cells = [*split_at(mark, [names, *rows])]
        whole_rows = cells[:-1] or cells  # the last of the first lines may be cut off
        if len(header) < 2 or {*map(len, whole_rows)} != {len(header)}:
            continue
        columns = zip(*whole_rows, strict=True)
        are_data = any(is_number(first) or first in below for first, *below in columns)
        if are_data and not any(map(is_number, header)):
            return names.encode() + b"\n"
    return None


def split_at(separator: str, lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield the fields of lines that are separated by one mark, or by one or several blanks."""
    return split_at_blanks(lines) if separator == BLANK else csv.reader(lines, delimiter=separator)


def is_number(text: str) -> bool:
    """Return whether a field is a number, perhaps with a decimal comma; no missing value."""
    plain = text.strip().replace(COMMA, POINT)
    return bool(plain) and plain not in MISSING and is_decimal(plain)


def drop_markdown_rule(text: bytes) -> bytes:
    """Return a Markdown table without its rule and the outer bars; any other text as it is."""
    if RULER.match(text) is None:
        return text
    header, _rule, *rows = (line.strip().strip(b"|") for line in text.lstrip().split(b"\n"))
    return b"\n".join([header, b"", *rows])  # an empty line, so that rows keep their numbers


def first_lines(text: bytes) -> list[str]:
    """Return the first lines of a text without blank ones; the last one may be cut off."""
    first = text[:PREAMBLE].splitlines()[:FIRST_LINES]
    lines = [line.decode("utf-8", "replace") for line in first]  # bytes have fewer blanks
    return [line for line in lines if line.strip()]


def find_separator(text: bytes) -> str:
    """Return the separator of a text: that by which most lines have as many fields as the header.

    A blank if no other one occurs in the header and all lines have the same number of fields, the
    header perhaps one less (R's, above row names); else a comma.
    """
    lines = first_lines(text)
    quality = {}  # of each separator: the share of lines as wide as the header, and its width
    for mark in LIKELY_SEPARATORS:
        counts = [len(row) for row in csv.reader(lines, delimiter=mark)]
        if counts and counts[0] > 1:
            quality[mark] = (sum(n == counts[0] for n in counts) / len(counts), counts[0])
    if quality:
        return max(quality, key=lambda mark: quality[mark])
    counts = [len(row) for row in split_at_blanks(lines)]
    if len(counts) < 3 or counts[0] < 2:
        return COMMA
    widths = {*counts[1:-1]}  # the last line may be cut off
    is_regular = len(widths) == 1 and 0 <= counts[1] - counts[0] <= 1
    return BLANK if is_regular else COMMA


def split_at_blanks(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield the fields of lines that are separated by one or several blanks."""
    return csv.reader((line.strip() for line in lines), delimiter=BLANK, skipinitialspace=True)


def unify_separator(text: bytes, separator: str) -> tuple[str, bytes]:
    """Return the separator and the text as they are; for a blank, tabs in place of all blanks."""
    if separator != BLANK:
        return separator, text
    content = io.StringIO()
    lines = text.decode("utf-8", "replace").splitlines()
    csv.writer(content, delimiter=TAB, lineterminator="\n").writerows(split_at_blanks(lines))
    return TAB, content.getvalue().encode()


def merge_header_lines(text: bytes, separator: str) -> bytes:
    """Return a text with a header of two lines, the first with merged cells, merged into one.

    `Model A,,Model B,` above `score,label,score,label` is `Model A score,Model A label,...`. Any
    other text comes back as it is.
    """
    # the last of the first lines may be cut off
    whole_lines = [*csv.reader(first_lines(text), delimiter=separator)][:-1]
    if len(whole_lines) < 3:
        return text
    first, second, *rows = whole_lines
    gaps = [not name.strip() for name in first]  # which merged cells leave
    if not any(gaps[1:]) or all(gaps) or len(second) != len(first) or len(first) < 2:
        return text
    # names above numbers; an empty cell counts as a decimal, too
    if any(map(is_decimal, second)) or not any(is_decimal(x) and x.strip() for x in rows[0]):
        return text
    title = ""
    names = []
    for cell, name in zip(first, second, strict=True):
        title = cell.strip() or title  # an empty cell belongs to the title before it
        names.append(" ".join(filter(None, (title, name.strip()))))
    content = io.StringIO()
    csv.writer(content, delimiter=separator, lineterminator="\n").writerow(names)
    lines = text.splitlines(keepends=True)
    _, second_number = [number for number, line in enumerate(lines) if line.strip()][:2]
    header = content.getvalue().encode()
    # empty lines before the header, so that all others keep their numbers
    return b"".join([b"\n" * second_number, header, *lines[second_number + 1 :]])


def name_row_name_column(text: bytes, separator: str) -> bytes:
    """Return a text with an empty name added to the header if rows begin with row names (R).

    Then each row has a field more than the header, and its first one is like no other's.
    """
    header, *rows = [*csv.reader(first_lines(text), delimiter=separator)][:-1] or [[]]
    names = [row[0] for row in rows if row]
    has_fractions = any("." in name and is_decimal(name) for name in names)
    are_names = len({*names}) == len(rows) > 1 and not has_fractions
    if not are_names or any(len(row) != len(header) + 1 or not row[-1].strip() for row in rows):
        return text
    start = len(text) - len(text.lstrip(b"\r\n"))
    return text[:start] + separator.encode() + text[start:]


def is_decimal(text: str) -> bool:
    """Return whether a field is a finite decimal number without frills, or a missing value."""
    return text in MISSING or bool(DECIMAL.fullmatch(text) and math.isfinite(float(text)))
