"""`python -m e2e.foreign` has the definitions of other projects' kinds ready before a test needs them."""

import sys

from e2e import gateway, istio
from e2e.toolchain.gomodule import ModuleMissingError


def main() -> int:
    """Fetch what is missing; exit code 1 with the reason where it cannot be had."""
    try:
        gateway.definition_files()
        istio.definitions()
    except ModuleMissingError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
