"""`python -m route53_controller` runs the controllers."""

import sys

from route53_controller.main import main

sys.exit(main(sys.argv[1:]))
