"""`python -m e2e.rights <stack directory>`: print what is wrong and exit with 1, or say how much was used."""

import json
import sys
from pathlib import Path

from e2e.rights.audit import requests
from e2e.rights.grants import granted
from e2e.rights.verdict import BY_CHANCE, ELSEWHERE, compare
from e2e.stack import charts
from e2e.stack.layout import SYSTEM_NAMESPACE


def main(arguments: list[str]) -> int:
    """Compare the audit log of a stack with the chart that it was made of; return the exit status."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m e2e.rights <stack directory>\n")
        return 2
    directory = Path(arguments[0]).absolute()
    log = directory / "controlplane" / "logs" / "audit.log"
    if not log.exists():
        sys.stderr.write(f"error: there is no {log}: run the suite with DNSAPI_AUDIT=1\n")
        return 2
    values = directory / "values.json"
    rights = granted(charts.render(json.loads(values.read_text()), values).documents, SYSTEM_NAMESPACE)
    with log.open() as lines:
        seen = requests(lines, SYSTEM_NAMESPACE)
    verdict = compare(rights, seen)
    for line in verdict.lines:
        print(line)
    if not verdict.lines:
        excused = len(ELSEWHERE) + len(BY_CHANCE)
        print(f"{len(rights)} rights: each was used, or one of {excused} exceptions says why it is there")
    return 1 if verdict.lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
