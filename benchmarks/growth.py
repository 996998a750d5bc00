"""How a figure grows with a size: the exponent of the power law that fits best. Pure.

0 means that the size does not matter, 1 that twice the size costs twice as much.
"""

import math
import statistics
from collections.abc import Iterable

PER_CHANGE_LIMIT = 0.2
"""What the cost of one change may grow with the size of its zone."""


def exponent(points: Iterable[tuple[float, float]]) -> float:
    """Return the slope of the least-squares line through the logarithms of (size, figure) points.

    Raises ValueError for fewer than two sizes, and for figures of which there is no logarithm.
    """
    logs = [(math.log(size), math.log(figure)) for size, figure in points]
    if len({size for size, _ in logs}) < 2:
        raise ValueError("growth needs at least two sizes")
    return statistics.linear_regression([size for size, _ in logs], [figure for _, figure in logs]).slope
