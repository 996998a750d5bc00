"""Several runs of one measurement made one row: medians, and how far apart the runs were. Pure."""

import statistics
from collections.abc import Sequence

from pydantic import JsonValue

from benchmarks.growth import exponent
from libdnsapi.api.meta import JsonObject


def summary(rows: Sequence[JsonObject]) -> JsonObject:
    """Return a row of medians, with `runs`, and `spread`: least and greatest of each figure that differed.

    What is no number is that of the last run. One row is returned as it is. Raises IndexError where there is none.
    """
    if len(rows) == 1:
        return rows[0]
    summed: JsonObject = {}
    spread: JsonObject = {}
    for name in rows[-1]:
        summed[name], apart = _figure([row[name] for row in rows if name in row])
        if apart is not None:
            spread[name] = apart
    return summed | {"runs": len(rows), "spread": spread}


def growth(rows: Sequence[JsonObject], name: str, size: str = "n") -> float:
    """Return the exponent with which a figure of the rows grows with their size.

    Raises ValueError as `exponent` does.
    """
    return round(exponent((float(str(row[size])), float(str(row[name]))) for row in rows), 3)


def _figure(values: Sequence[JsonValue]) -> tuple[JsonValue, JsonValue]:
    """Return the median of one figure, and its least and greatest value where runs differ."""
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) != len(values):
        return values[-1], None
    least, greatest = min(numbers), max(numbers)
    if least == greatest:
        return least, None
    return round(statistics.median(numbers), 3), [least, greatest]
