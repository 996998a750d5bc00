"""`python -m webhook`."""

import gc
import sys

# Nothing that is imported is garbage: looking for it takes a tenth of the time until the process is ready.
gc.disable()
from webhook.main import main  # noqa: E402 — see above

gc.freeze()
gc.enable()

sys.exit(main(sys.argv[1:]))
