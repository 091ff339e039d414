"""Rows that summarize the others: their means, sums or standard deviations, mostly the last rows.

By their values, whatever they are called; by their names where the values do not tell.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Integers
from ..names import is_summary, may_be_summary
from .column import MOST_DECIMALS, Column, cell_texts, column_of_texts
from .reading import quote_names
from .words import is_metric, name_suggests, split_words

MOST_FOOTERS = 6  # rows
FEWEST_SUMMARIZED = 3  # rows that have a mean or a sum below them
MOST_CELLS = 2 * 10**5  # of a table whose last rows are looked at
LARGEST_CHANCE = 1e-5  # with which a row of data has the means of all columns
LARGEST_CHANCE_IF_NAMED_SO = 1e-2  # or not named like the rows above
FEWEST_EQUAL = 3  # columns with their means, beside which another column may have another number
FEWEST_CODES = 3  # rows called by two letters, as languages and countries are
SITES = {"site", "sites", "center", "centre", "zentrum", "centro", "hospital", "klinik", "clinic"}
SITES |= {"clinique", "clinica", "clínica", "krankenhaus", "hôpital", "ospedale", "country"}
POOLED = {"pooled", "combined", "all", "overall"}  # of rows, if their numbers do not tell
FEWEST_WORDS_OF_LEGEND = 5  # below a table
FOOTNOTE = re.compile(r"\s*[*†‡§¹²³]")
SERIES = re.compile(r"(|.*[\W_])[A-Za-z]")  # Site A, Site B


class LastRow(NamedTuple):
    """The numbers of one of the last rows, its names, and how these are beside those above."""

    cells: NDArray[np.float64]
    names: tuple[str, ...]
    is_unlike: bool
    is_of_sites: bool  # pooled data of the sites that the rows above are of

    @property
    def may_be_summary(self) -> bool:
        """Whether a name may be that of a summary."""
        return any(map(may_be_summary, self.names))


def take_rows(
    columns: Mapping[str, Column], rows: Integers, decimal: str = "."
) -> dict[str, Column]:
    """Return the columns of some rows; texts become numbers if all of those that are left are."""
    taken = {name: column.take(rows) for name, column in columns.items()}
    return {
        name: column_of_texts(name, column.texts, decimal)
        if column.texts is not None and columns[name].faults
        else column
        for name, column in taken.items()
    }


def rows_above_footer(columns: Mapping[str, Column]) -> tuple[int, str] | None:
    """Return the number of rows above those with their means or sums, and a line on these.

    None for a table without such last rows. Other summaries, such as standard deviations, may be
    beside the means or sums.
    """
    numbers = [c for c in columns.values() if c.is_number and not c.is_row_number]
    n = next((c.n for c in columns.values()), 0)
    if not numbers or n * len(numbers) > MOST_CELLS or len({c.n for c in columns.values()}) > 1:
        return None
    table = np.stack([np.asarray(c.numbers, np.float64) for c in numbers])
    last_rows = range(max(n - MOST_FOOTERS, 0), n)
    last_named = max((i for i in last_rows if has_name_of_summary(columns, i)), default=-1)
    totals, counts = np.nansum(table, axis=1), np.count_nonzero(~np.isnan(table), axis=1)
    for n_above in range(n - 1, max(n - 1 - MOST_FOOTERS, FEWEST_SUMMARIZED - 1), -1):
        block = table[:, n_above:]
        n_present = counts - np.count_nonzero(~np.isnan(block), axis=1)
        centers = means_and_sums(totals - np.nansum(block, axis=1), n_present)
        if last_named < n_above and all(n_unequal(cells, centers) > 1 for cells in block.T):
            continue  # as in most tables: nothing else is then computed
        filled = n_present > 0
        last = [last_row(columns, table[filled], row, n_above) for row in range(n_above, n)]
        if are_footers(last, table[filled, :n_above], centers[:, filled]):
            return n_above, footer_line(last)
    return None


def without_legend(
    columns: dict[str, Column], decimal: str = "."
) -> tuple[dict[str, Column], tuple[str, ...]]:
    """Return the rows above a legend, and a line on it.

    A legend is a long text in the first cell of last rows, whose other cells are empty, as in no
    row above.
    """
    if len(columns) < 2 or len({c.n for c in columns.values()}) > 1:
        return columns, ()
    first, *others = columns.values()
    n_above = first.n
    least = max(n_above - MOST_FOOTERS, FEWEST_SUMMARIZED)
    while n_above > least and may_be_legend(first, n_above - 1):
        n_above -= 1
        if not all(c.missing[n_above] for c in others):
            return columns, ()
    if n_above == first.n or np.all([c.missing[:n_above] for c in others], axis=0).any():
        return columns, ()
    names = first.take(np.arange(n_above)).label_texts
    legend = texts_in_row([first], n_above)[0]
    if not all(is_longer_legend(legend, name) for name in names):
        return columns, ()
    row = "the last row" if n_above == first.n - 1 else "the first of the last rows"
    line = f"Not used: {row}, which has no values but {legend!r}."
    return take_rows(columns, np.arange(n_above), decimal), (line,)


def may_be_legend(first: Column, row: int) -> bool:
    """Return whether the text in a row of the first column has several words, or is a footnote."""
    if first.texts is None or first.codes[row] < 0:
        return False
    (text,) = texts_in_row([first], row)
    n_words = len(text.split())
    return n_words >= FEWEST_WORDS_OF_LEGEND or (n_words > 1 and FOOTNOTE.match(text) is not None)


def is_longer_legend(legend: str, name: str) -> bool:
    """Return whether a text has twice as many words as a name, or the mark of a footnote alone."""
    if FOOTNOTE.match(legend):
        return FOOTNOTE.match(name) is None
    return len(legend.split()) >= 2 * len(name.split())


def without_total(
    columns: dict[str, Column], labels: Sequence[str], count: str, decimal: str = "."
) -> tuple[dict[str, Column], tuple[str, ...]]:
    """Return the rows above one with the sum of their counts, and a line on it.

    That row lacks labels of the others, or has a name such as Total, which no other row has.
    """
    numbers, n_above = columns[count].numbers, columns[count].n - 1
    if numbers is None or n_above < FEWEST_SUMMARIZED:
        return columns, ()
    of_labels = [columns[name] for name in labels]
    names = texts_in_row(of_labels, n_above)
    is_total = numbers[-1] == numbers[:-1].sum() > 0
    has_labels = not all(c.codes[-1] < 0 or is_new(c, n_above) for c in of_labels)
    lacks_labels = len(names) < len(labels) or any(map(may_be_summary, names))
    if not is_total or has_labels or not lacks_labels:
        return columns, ()
    return take_rows(columns, np.arange(n_above), decimal), (total_line(names),)


def is_new(column: Column, row: int) -> bool:
    """Return whether a text in a row is in none of those above."""
    return column.texts is not None and column.codes[row] not in column.codes[:row]


def has_name_of_summary(columns: Mapping[str, Column], row: int) -> bool:
    """Return whether a text in a row may be the name of a summary."""
    return any(map(may_be_summary, texts_in_row(columns.values(), row)))


def texts_in_row(columns: Iterable[Column], row: int) -> list[str]:
    """Return the texts that columns have in a row, without missing ones."""
    return [c.texts.labels[c.codes[row]] for c in columns if c.texts and c.codes[row] >= 0]


def n_unequal(cells: NDArray[np.float64], statistics: NDArray[np.float64]) -> int:
    """Return how many numbers of a row are none of the statistics of their columns."""
    are_equal = (np.abs(statistics - cells) <= tolerances(cells)).any(axis=0)
    return int(np.count_nonzero(~np.isnan(cells) & ~are_equal))


def are_footers(
    rows: Sequence[LastRow], above: NDArray[np.float64], centers: NDArray[np.float64]
) -> bool:
    """Return whether a row has the means or sums of those above, and the others summarize them.

    The others are called so, or are so by their values. Rows without numbers are no data, either.
    """
    others = [
        row
        for row in rows
        if not (is_explained(row, above, centers, LARGEST_CHANCE) or is_pooled(row, above, centers))
    ]
    if len(others) == len(rows):
        return False
    others = [row for row in others if not row.may_be_summary]
    others = [row for row in others if not np.isnan(row.cells).all()]
    if not others:
        return True
    statistics = np.concatenate([centers, deviations_and_limits(above)])
    return all(is_explained(x, above, statistics, LARGEST_CHANCE_IF_NAMED_SO) for x in others)


def last_row(
    columns: Mapping[str, Column], table: NDArray[np.float64], row: int, n_above: int
) -> LastRow:
    """Return the row with this index of a table of numbers (columns, rows), and what names it."""
    naming = [column for column in columns.values() if names_rows(column, n_above)]
    is_unlike = any(is_unlike_others(column, row, n_above) for column in naming)
    is_of_sites = any(pools_sites(column, row, n_above) for column in naming)
    return LastRow(table[:, row], tuple(texts_in_row(naming, row)), is_unlike, is_of_sites)


def pools_sites(column: Column, row: int, n_above: int) -> bool:
    """Return whether a row is called pooled or all below sites, and no model, data set or item."""
    if column.texts is None or column.codes[row] < 0:
        return False
    labels = column.texts.labels
    names = [column.name, *(labels[code] for code in column.codes[:n_above].tolist())]
    in_column, *in_rows = (bool({*split_words(name)} & SITES) for name in names)
    of_models = any(name_suggests(column.name, role) for role in ("model", "dataset", "item"))
    is_called_so = labels[column.codes[row]].strip().casefold() in POOLED
    return is_called_so and not of_models and (in_column or all(in_rows))


def names_rows(column: Column, n_above: int) -> bool:
    """Return whether a column of texts or whole numbers has another value in each of first rows."""
    first = column.codes[:n_above]
    has_names = column.texts is not None or column.is_whole
    return has_names and bool((first >= 0).all()) and np.unique(first).size == n_above


def is_unlike_others(column: Column, row: int, n_above: int) -> bool:
    """Return whether a column that names the rows above does not name this row, or otherwise.

    Names are otherwise that are no numbers below numbers, or that do not go on with a series.
    """
    code = column.codes[row]
    if column.texts is None or code < 0:
        return bool(code < 0)
    labels = column.texts.labels
    return not continues(labels[code], [labels[c] for c in column.codes[:n_above].tolist()])


def continues(name: str, others: Sequence[str]) -> bool:
    """Return whether a name may be another one of a series: of numbers, or of A, B, C, ...

    True where the others are no series.
    """
    if all(re.search(r"\d", other) for other in others):
        return re.search(r"\d", name) is not None
    matches = [SERIES.fullmatch(text) for text in (name, *others)]
    stems = {match[1].casefold() if match else None for match in matches}
    of_others = {match[1].casefold() if match else None for match in matches[1:]}
    return len(of_others) > 1 or None in of_others or len(stems) == 1


def means_and_sums(totals: NDArray[np.float64], counts: Integers) -> NDArray[np.float64]:
    """Return the means, sums and means in percent of columns; NaN where one is not possible."""
    means = np.where(counts > 0, totals / np.maximum(counts, 1), np.nan)
    percentages = np.where((means >= 0.0) & (means <= 1.0), 100.0 * means, np.nan)
    return np.stack([means, totals, percentages])


def deviations_and_limits(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the standard deviations and errors, medians, limits and counts of columns."""
    counts = np.count_nonzero(~np.isnan(table), axis=1)
    deviations = np.nanstd(table, axis=1)
    sample_deviations = deviations * np.sqrt(counts / np.maximum(counts - 1, 1))
    errors = sample_deviations / np.sqrt(counts)
    least, middle, most = (np.nanquantile(table, q, axis=1) for q in (0.0, 0.5, 1.0))
    return np.stack([deviations, sample_deviations, errors, least, middle, most, counts])


def is_explained(
    row: LastRow, above: NDArray[np.float64], statistics: NDArray[np.float64], largest_chance: float
) -> bool:
    """Return whether the numbers of a row are statistics of those above, to the digits written.

    A row like those above would have them by a chance below the largest one, or if it is not named
    like them `LARGEST_CHANCE_IF_NAMED_SO`. One column of several may then differ.
    """
    is_named_so = row.is_unlike or row.may_be_summary
    widths = tolerances(row.cells)
    are_equal = np.abs(statistics - row.cells) <= widths
    equal = np.flatnonzero(np.asarray(are_equal).any(axis=0))
    n_others = n_unequal(row.cells, statistics)
    if not equal.size or n_others > (is_named_so and equal.size >= FEWEST_EQUAL):
        return False
    are_same = np.asarray(are_equal)[:, equal].all(axis=1).any()  # all means, say
    chance = float(len(statistics)) ** (1 if are_same else equal.size)
    before = np.zeros(above.shape[1])
    for j in equal.tolist():
        chance *= chance_of_equal(row.cells[j], widths[j], above[j], before)
        before = above[j]
    return chance < (LARGEST_CHANCE_IF_NAMED_SO if is_named_so else largest_chance)


def is_pooled(row: LastRow, above: NDArray[np.float64], centers: NDArray[np.float64]) -> bool:
    """Return whether a row is called pooled, say, below sites, and has numbers between theirs.

    Or sums, as of sizes. Elsewhere the numbers alone tell: one model, or the features of all sets
    in one, may be between the others, too.
    """
    if not (row.is_unlike and row.is_of_sites) or np.isnan(row.cells).any():
        return False
    lowest, highest = np.nanmin(above, axis=1), np.nanmax(above, axis=1)
    are_between = (lowest < row.cells) & (row.cells < highest)
    return bool((are_between | (centers[1] == row.cells)).all())


def chance_of_equal(
    cell: float, tolerance: float, above: NDArray[np.float64], before: NDArray[np.float64]
) -> float:
    """Return about the chance of a row to have this number, given its number in the column before.

    Numbers of similar models may differ little: then the range of their differences counts.
    """
    values = above[~np.isnan(above)]
    differences = (above - before)[~np.isnan(above - before)]
    scale = min(float(np.ptp(values)), float(np.ptp(differences)) if differences.size else np.inf)
    window = min(1.0, 2.0 * tolerance / scale) if scale else 1.0
    share = float(np.mean(np.abs(values - cell) <= tolerance))
    if not values.min() <= cell <= values.max():
        return max(share, window / (values.size + 1))
    return max(share, window)


def tolerances(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return by how much numbers may differ from what they are rounded from, by their digits."""
    decimals = [
        next((d for d in range(MOST_DECIMALS) if round(x, d) == x), MOST_DECIMALS)
        for x in cells.tolist()
    ]
    return np.asarray(0.5 * 10.0 ** -np.array(decimals) + 1e-9 * np.abs(cells))


def above_row_of_metric(columns: Mapping[str, Column]) -> tuple[int, str] | None:
    """Return the number of rows above a last one with a metric of texts, and a line; else None.

    It is called so, as kappa, below numbers of cases, and beside it are numbers below texts.
    """
    n = next((c.n for c in columns.values()), 0)
    if n <= FEWEST_SUMMARIZED or not any(is_called_metric(c) for c in columns.values()):
        return None
    others = [c for c in columns.values() if not is_called_metric(c)]
    if any(c.texts is None and not c.missing[-1] for c in others):
        return None
    cells = [c.texts.labels[c.codes[-1]] for c in others if c.texts and not c.missing[-1]]
    are_numbers = all(re.fullmatch(r"[\d.,%]+", cell) for cell in cells)
    above = {text for c in others if c.texts for text in c.take(np.arange(n - 1)).label_texts}
    if not cells or not are_numbers or any(re.search(r"\d", text) for text in above):
        return None
    return n - 1, "Not used: the last row, which has a metric of the rows above."


def is_called_metric(column: Column) -> bool:
    """Return whether the last text is the name of a metric, and all before are numbers."""
    if column.texts is None or column.missing.any():
        return False
    *before, last = cell_texts(column)
    return is_metric(last) and all(text.isdigit() for text in before)


def footer_line(rows: Sequence[LastRow]) -> str:
    """Return the line that says which last rows are left out."""
    names = [row.names[0] for row in rows if row.names]
    if len(rows) == 1:
        return total_line(names)
    called = f" ({quote_names(names)})" if names else ""
    return f"Not used: the last {len(rows)} rows{called}, which summarize the rows above."


def total_line(names: Sequence[str]) -> str:
    """Return the line that says that the last row is left out."""
    called = f" ({names[0]!r})" if names else ""
    return f"Not used: the last row{called}, which summarizes the rows above."


def rows_but_summaries(row: Column) -> tuple[Any, str] | None:
    """Return the indices of the rows that are not called mean or total, and a line on the others.

    None where no row is called so, or fewer than two others are there.
    """
    if row.texts is None:
        return None
    names = cell_texts(row)
    are_summaries = np.array([*map(is_summary, names)])
    if row.all_differ:  # else blocks of rows, each with its mean
        are_summaries[:] = False
        are_summaries[[*summaries_at_ends(names)]] = True
    rows = np.flatnonzero(~are_summaries)
    others = row.take(rows)
    if rows.size == row.n or others.distinct.size < 2:
        return None
    left_out = [text for text in row.label_texts if text not in others.label_texts]
    return rows, f"Not used: the rows {quote_names(left_out)}, which summarize the others."


def summaries_at_ends(names: Sequence[str]) -> Iterator[int]:
    """Yield the indices of the first and last rows that are called summaries.

    Tasks called sum or median may be between. Names that may be others', such as CI, count in last
    rows beside a clear one. In a report of scikit-learn accuracy stands before macro avg.
    """
    data = [i for i, name in enumerate(names) if not is_summary(name)]
    if data:
        yield from range(data[0])
    are_codes = sum(len(names[i]) == 2 for i in data) >= FEWEST_CODES
    others = [
        i
        for i in data
        if not may_be_summary(names[i]) or (are_codes and len(names[i]) == 2)  # de, of languages
    ]
    n_data = 1 + max(others, default=len(names))
    if any(map(is_summary, names[n_data:])):
        is_report = names[n_data - 1].casefold() == "accuracy" and "macro" in names[n_data]
        yield from range(n_data - is_report, len(names))
