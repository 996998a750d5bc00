"""Numbers that an object of the API server can hold: finite ones, integers in 64 bits (RFC 8259, Go's int64)."""

import math

from pydantic import JsonValue

INT_MIN, INT_MAX = -(2**63), 2**63 - 1


def number_problem(value: JsonValue) -> str | None:
    """Say which number in a value no object can hold: it would come back as another one, or as null."""
    match value:
        case bool():
            return None
        case int():
            return None if INT_MIN <= value <= INT_MAX else "an integer of more than 64 bits"
        case float():
            return None if math.isfinite(value) else "a number that is not finite"
        case list():
            return next((found for item in value if (found := number_problem(item))), None)
        case dict():
            return number_problem(list(value.values()))
        case _:
            return None
