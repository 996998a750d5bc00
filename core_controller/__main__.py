"""`python -m core_controller` runs the controllers; `python -m core_controller release` is the operator's command."""

import gc
import sys

# Nothing that is imported is garbage: looking for it takes a tenth of the time until the process is ready.
gc.disable()
from core_controller import main  # noqa: E402 — see above

gc.freeze()
gc.enable()

if sys.argv[1:2] == ["release"]:
    from core_controller import release

    sys.exit(release.main(sys.argv[2:]))
sys.exit(main.main(sys.argv[1:]))
