"""Moments at which something falls due, None where nothing does. Pure."""

from datetime import datetime


def earliest(*times: datetime | None) -> datetime | None:
    """Return the first of these moments; None where none of them is one."""
    return min((time for time in times if time is not None), default=None)
