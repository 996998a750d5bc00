"""`python -m e2e.promtool` prints the path of a promtool binary; progress goes to standard error."""

import sys

from e2e.promtool import PromtoolMissingError, find_promtool


def main() -> int:
    """Print the path; exit code 1 with the reason where there is none."""
    try:
        print(find_promtool())
    except PromtoolMissingError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
