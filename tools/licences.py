"""`python -m tools.licences`: the licence of everything that an image holds; exit status 1 where one is not allowed.

Walks the requirements of dnsapi with all extras through the installed packages; development tools are in no image.
"""

import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from packaging.requirements import Requirement

EXTRAS = ("core", "route53", "webhook")
ALLOWED = re.compile(
    r"\b(MIT|BSD|Apache|ISC|MPL|Mozilla Public License|PSF|Python Software Foundation|Unlicense|CNRI|0BSD)\b",
    re.IGNORECASE,
)
"""Licences that ask for no more than notices, and for changes of their own files at most."""
UNTOLD: dict[str, str] = {"cel-python": "Apache-2.0"}
"""The licence of packages that do not say it in a form that can be read, by name."""

Found = dict[str, str]


def shipped(name: str = "dnsapi", extras: tuple[str, ...] = EXTRAS) -> Found:
    """Return the licence of each package that `name` needs, by its name. Raises PackageNotFoundError."""
    found: Found = {}
    waiting = [(name, extras)]
    seen: set[tuple[str, tuple[str, ...]]] = set()
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        package = distribution(current[0])
        found[current[0]] = licence(package)
        waiting += _needed(package, current[1])
    return {one: text for one, text in sorted(found.items()) if one != name}


def licence(package: Distribution) -> str:
    """Return what a package says of its licence: the expression, else classifiers, else the first line of its text."""
    metadata = package.metadata
    if expressions := metadata.get_all("License-Expression"):
        return str(expressions[0])
    classifiers = [one.rpartition(" :: ")[2] for one in metadata.get_all("Classifier") or [] if "License ::" in one]
    texts = [str(text) for text in metadata.get_all("License") or []]
    told = ", ".join(classifiers) or "".join(texts).strip().partition("\n")[0]
    return told or UNTOLD.get(package.name, "not told")


def _needed(package: Distribution, extras: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
    found = []
    for text in package.requires or []:
        requirement = Requirement(text)
        markers = requirement.marker
        if markers is None or any(markers.evaluate({"extra": extra}) for extra in (*extras, "")):
            found.append((requirement.name.lower(), tuple(sorted(requirement.extras))))
    return found


def main() -> int:
    """Print the table; return 1 where a licence is not allowed."""
    try:
        found = shipped()
    except PackageNotFoundError as error:
        sys.stderr.write(f"error: {error}: run `make env` first\n")
        return 2
    refused = {name: text for name, text in found.items() if not ALLOWED.search(text)}
    for name, text in found.items():
        sys.stdout.write(f"{'not allowed' if name in refused else 'ok':12}{name:32}{text}\n")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
