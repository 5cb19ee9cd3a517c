"""Parse Explorer: the window over :mod:`engine`."""

import os

# numpy would start a thread for every core, which run idle for a tenth of a second, for linear algebra that is not here.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
