"""What trec_eval prints by query: a metric, a query and its value in each line, without a header.

Each file is of one run, whose name is in the line of runid, if it is there; else it is the file's.
Lines of the query `all` have means over queries, and are left out.
"""

from pathlib import Path

from .._base.exceptions import InvalidValueError
from .delimited import FileTable, pyarrow

FIRST_LINES = 1 << 14  # bytes that show the format
METRICS = {"num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "bpref", "recip_rank", "Rprec"}
METRICS |= {"runid", "num_q", "ndcg", "set_P", "set_recall", "set_F", "infAP", "utility", "P_10"}
METRICS |= {"ndcg_cut_10", "P_5", "recall_100", "recall_1000", "map_cut_10", "success_10"}
ALL_QUERIES = "all"


def is_trec(raw: bytes) -> bool:
    """Return whether each of the first lines has a metric, a query and a value between tabs.

    At least one is a metric of trec_eval, and all lines have a number, but for that of runid.
    """
    lines = raw[:FIRST_LINES].decode("utf-8", "replace").splitlines()
    lines = lines[: max(len(lines) - (len(raw) > FIRST_LINES), 1)]  # the last may be cut off
    cells = [[cell.strip() for cell in line.split("\t")] for line in lines if line.strip()]
    if len(cells) < 2 or any(len(row) != 3 for row in cells):
        return False
    has_values = all(row[0] == "runid" or as_value(row[2]) is not None for row in cells)
    return has_values and any(row[0] in METRICS for row in cells)


def as_value(text: str) -> float | None:
    """Return the number that trec_eval printed, perhaps NaN; None for any other text."""
    try:
        return float(text)
    except ValueError:
        return None


def read_trec(path: str, raw: bytes) -> FileTable:
    """Return the table of a run: columns of its name, of metrics, queries and values."""
    run = Path(path).name.partition(".")[0]
    rows: list[tuple[str, str, float]] = []
    for number, line in enumerate(raw.decode("utf-8", "replace").splitlines(), 1):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) == 3 and cells[0] == "runid":
            run = cells[2]
        elif len(cells) != 3 or (value := as_value(cells[2])) is None:
            raise InvalidValueError(
                f"{path!r}: line {number} must have a metric, a query and a number between tabs, "
                f"as trec_eval writes them, got {line[:60]!r}.",
                parameter=path,
            )
        elif cells[1] != ALL_QUERIES:
            rows.append((cells[0], cells[1], value))
    metrics, queries, values = ([row[j] for row in rows] for j in range(3))
    table = {"system": [run] * len(rows), "metric": metrics, "query": queries, "value": values}
    return FileTable(path, pyarrow().table(table))
