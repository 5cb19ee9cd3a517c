"""Parse Explorer: the window over :mod:`engine`."""

import os

# For linear algebra, of which there is none here, numpy would start a thread on every core that runs idle for a while.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
