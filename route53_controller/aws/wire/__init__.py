r"""Route 53's own way to write DNS, both ways and without I/O: names, values, whole record sets, their size.

Nothing here raises on what Route 53 lists: an observed value that cannot be read equals nothing.
Escapes are octal (`\052`), unlike those of zone files, so dnspython does not read them.
Source: provider seed (Route 53 RecordSet Provider Schema); Route 53 developer guide, "DNS domain name format",
"Supported DNS record types", "Quotas".
"""

from route53_controller.aws.wire.names import id_from_wire, is_plain, name_from_wire, name_to_wire, sort_key
from route53_controller.aws.wire.record_sets import UnwritableError, desired_record_set, digest, matches
from route53_controller.aws.wire.sizes import MAX_CHARACTERS, MAX_ELEMENTS, characters, elements, fits, size_problem

__all__ = [
    "MAX_CHARACTERS",
    "MAX_ELEMENTS",
    "UnwritableError",
    "characters",
    "desired_record_set",
    "digest",
    "elements",
    "fits",
    "id_from_wire",
    "is_plain",
    "matches",
    "name_from_wire",
    "name_to_wire",
    "size_problem",
    "sort_key",
]
