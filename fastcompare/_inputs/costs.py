"""What would take hours is refused before any work, with its cost, beyond bounds to be raised."""

from .._base.bounds import bound_of
from .._base.exceptions import InvalidValueError

BOUNDS = {  # by the variable of the environment that raises them
    "FASTCOMPARE_MOST_REPLICATES": 10**8,  # two minutes of the quickest ones
    "FASTCOMPARE_MOST_ROM": 1 << 17,  # p-values: half a minute, 400 MB
    "FASTCOMPARE_MOST_ROWS": 10**5,  # of tables in a document: ten seconds, 30 MB
    "FASTCOMPARE_MOST_DRAWN": 10**5,  # marks of a picture: ten seconds, 20 MB
}
MARKS = {"rows": 60, "squares": 1}  # a row has a name, an interval and numbers
COUNTABLE = 10**30  # beyond, numbers are neither floats nor text


def check_cost(variable: str, number: int, cost: str) -> None:
    """Raise with the cost, the beginning of a sentence, if the number is beyond its bound."""
    bound = bound_of(variable, BOUNDS[variable])
    if number > bound:
        raise InvalidValueError(
            f"{cost}, and more than {bound} are not computed by mistake. Ask for fewer, or set "
            f"{variable}={number} in the environment of the process."
        )


def check_replicates(name: str, number: int) -> None:
    """Raise if so many replicates or trials are likely a mistake: a microsecond each is little."""
    number = min(number, COUNTABLE)
    cost = f"`{name}` of {number} takes {duration(1e-6 * number)} if each takes a microsecond"
    check_cost("FASTCOMPARE_MOST_REPLICATES", number, cost)


def check_rom(name: str, number: int) -> None:
    """Raise if Rom's correction would take too long for so many p-values."""
    cost = (
        f"`{name}`: 'rom' of {number} p-values takes {duration(2e-4 * number)} and "
        f"{3e-6 * number:.2g} GB ('hochberg' takes little longer than sorting)"
    )
    check_cost("FASTCOMPARE_MOST_ROM", number, cost)


def check_rows(rows: int) -> None:
    """Raise if tables with so many rows are too long for a document."""
    cost = (
        f"`result` has {rows} rows, which take {duration(1e-4 * rows)} and {3e-4 * rows:.3g} MB "
        "in a document (`to_frame()` has all for programs)"
    )
    check_cost("FASTCOMPARE_MOST_ROWS", rows, cost)


def check_drawn(size: int, what: str = "rows") -> None:
    """Raise if a picture of so many rows, or of so many squares, is too large."""
    drawn = MARKS[what] * size
    cost = (
        f"`result` has {drawn} marks to draw, in {size} {what}, which take "
        f"{duration(1e-4 * drawn)} and up to {2e-4 * drawn:.3g} MB"
    )
    check_cost("FASTCOMPARE_MOST_DRAWN", drawn, cost)


def duration(seconds: float) -> str:
    """Return a time in the largest unit of which there is one."""
    for unit, size in (("years", 3.2e7), ("days", 86400.0), ("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= size:
            return f"{seconds / size:.2g} {unit}"
    return f"{seconds:.2g} seconds"
