"""`python -m core_controller` runs the controllers; `python -m core_controller release` is the operator's command."""

import sys

from core_controller import main, release

if sys.argv[1:2] == ["release"]:
    sys.exit(release.main(sys.argv[2:]))
sys.exit(main.main(sys.argv[1:]))
