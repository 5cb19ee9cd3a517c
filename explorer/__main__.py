"""``python -m explorer``."""

import sys

from explorer.app import main

sys.exit(main())
