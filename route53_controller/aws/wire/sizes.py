"""What a record set counts for in a change batch.

Source: developer guide, "Quotas": a request holds at most 1,000 ResourceRecord elements (an alias counts as one)
and 32,000 characters of values; a record set has at most 400 values.
"""

from route53_controller.aws.api import ResourceRecordSet

MAX_ELEMENTS = 1000
MAX_CHARACTERS = 32_000
MAX_VALUES = 400
MAX_OWN_CHARACTERS = 15_000
"""Of one record set of ours, so that a DELETE and a CREATE of it fit into one batch (beyond-the-seeds 2)."""


def elements(record_set: ResourceRecordSet) -> int:
    """Return how many ResourceRecord elements it takes."""
    return max(1, len(record_set.values))


def characters(record_set: ResourceRecordSet) -> int:
    """Return how many characters its values take."""
    return sum(map(len, record_set.values))


def fits(batch_elements: int, batch_characters: int) -> bool:
    """Whether a batch may hold so many ResourceRecord elements and characters of values."""
    return batch_elements <= MAX_ELEMENTS and batch_characters <= MAX_CHARACTERS


def size_problem(record_set: ResourceRecordSet) -> str | None:
    """Return why a record set cannot be managed for its size, None if it can."""
    if len(record_set.values) > MAX_VALUES:
        return f"{len(record_set.values)} values; a Route 53 record set has at most {MAX_VALUES}"
    if characters(record_set) > MAX_OWN_CHARACTERS:
        return (
            f"its values take {characters(record_set)} characters; at most {MAX_OWN_CHARACTERS} "
            "leave room for changing it in one batch"
        )
    return None
