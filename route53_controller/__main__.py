"""`python -m route53_controller` runs the controllers."""

import gc
import sys

# Nothing that is imported is garbage: looking for it takes a tenth of the time until the process is ready.
gc.disable()
from route53_controller.main import main  # noqa: E402 — see above

gc.freeze()
gc.enable()

sys.exit(main(sys.argv[1:]))
