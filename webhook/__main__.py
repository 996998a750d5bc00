"""`python -m webhook`."""

import sys

from webhook.main import main

sys.exit(main(sys.argv[1:]))
