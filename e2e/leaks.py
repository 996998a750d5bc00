"""`python -m e2e.leaks <stack directory>`: whether anything secret is in the logs of a stack's services.

Secret are keys, tokens, account ids and ARNs (SECURITY.md). Account ids count, because whoever reads logs need not know
in which accounts the zones are.
"""

import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import yaml

from e2e.stack.layout import ACCOUNT_ID, DUMMY_CREDENTIALS, Layout
from e2e.stack.services import SERVICES

_SHOWN = 60
PATTERNS: Mapping[str, str] = {
    "an access key id": re.escape(DUMMY_CREDENTIALS["AWS_ACCESS_KEY_ID"]) + r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    "a secret access key": re.escape(DUMMY_CREDENTIALS["AWS_SECRET_ACCESS_KEY"]),
    "an account id": rf"\b{ACCOUNT_ID}\b",
    "an ARN": r"\barn:aws[a-z-]*:",
    "a private key": r"-----BEGIN [A-Z ]*PRIVATE KEY",
    "a bearer token": r"\beyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}",
    "a signature of AWS": r"AWS4-HMAC-SHA256|X-Amz-Security-Token",
}
"""What is looked for, by what it would be."""


def leaks_in(text: str, patterns: Mapping[str, str] = PATTERNS) -> list[str]:
    """Return what a text gives away, each with the words before it, never the secret itself."""
    found = []
    for what, pattern in patterns.items():
        if match := re.search(pattern, text):
            found.append(f"{what} after {text[max(0, match.start() - _SHOWN) : match.start()]!r}")
    return found


def leaks(directory: Path) -> list[str]:
    """Return what the logs of a stack's services give away, one line a finding."""
    layout = Layout(directory)
    patterns = {**PATTERNS, **_tokens(layout)}
    return [f"{log.name}: {leak}" for log in logs_of(layout) for leak in _lines(log, patterns)]


def logs_of(layout: Layout) -> list[Path]:
    """Return the logs of all services, those of further replicas too."""
    own = [layout.log(service.name) for service in SERVICES]
    return [log for one in own for log in sorted(one.parent.glob(f"{one.stem}*{one.suffix}"))]


def _lines(log: Path, patterns: Mapping[str, str]) -> Iterable[str]:
    return leaks_in(log.read_text(errors="replace"), patterns)


def _tokens(layout: Layout) -> dict[str, str]:
    """Return the services' own tokens as patterns."""
    files = [layout.kubeconfig(service.name) for service in SERVICES]
    users = [yaml.safe_load(file.read_text())["users"][0]["user"] for file in files if file.exists()]
    return {f"token {index}": re.escape(user["token"]) for index, user in enumerate(users) if user.get("token")}


def main(arguments: list[str]) -> int:
    """Print what leaked; return 1 where something did, 2 for wrong arguments."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m e2e.leaks <stack directory>\n")
        return 2
    directory = Path(arguments[0]).absolute()
    if not logs_of(Layout(directory)):
        sys.stderr.write(f"error: {directory} holds no logs of a stack\n")
        return 2
    found = leaks(directory)
    for line in found:
        print(line)
    print("a secret is in the logs" if found else "no secret is in the logs")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
