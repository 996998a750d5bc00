"""`python -m e2e.helm` prints the path of a helm binary; progress goes to standard error."""

import sys

from e2e.helm.binary import HelmMissingError, find_helm


def main() -> int:
    """Print the path; exit code 1 with the reasons where there is no helm."""
    try:
        print(find_helm())
    except HelmMissingError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
