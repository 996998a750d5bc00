"""Fields of objects under the names that they have in Go: FQDN templates of ExternalDNS are written with these. Pure.

`spec.clusterIP` is also found as `Spec.ClusterIP`. Maps whose keys people choose stay as they are.
"""

import re

from pydantic import JsonValue

_INITIALISM = re.compile(r"(?:api|dns|http|id|ip|tls|uid|url)(?=[A-Z]|$)")
_FREE_MAPS = frozenset({"annotations", "labels", "matchLabels", "selector"})


def go_name(key: str) -> str:
    """Return a JSON field's name in Go: exported, and with a leading initialism in capitals."""
    found = _INITIALISM.match(key)
    if found is not None:
        return found.group().upper() + key[found.end() :]
    return key[:1].upper() + key[1:]


def with_go_fields(value: JsonValue) -> JsonValue:
    """Return a value in which each field has its name in Go beside its own, at all depths."""
    match value:
        case dict():
            made: dict[str, JsonValue] = {}
            for key, item in value.items():
                made[key] = made[go_name(key)] = item if key in _FREE_MAPS else with_go_fields(item)
            return made
        case list():
            return [with_go_fields(item) for item in value]
        case _:
            return value
