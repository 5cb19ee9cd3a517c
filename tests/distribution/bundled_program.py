"""Where both programs of the bundle begin; which of them it is, its own name tells."""

import multiprocessing
import sys
from pathlib import Path

if __name__ == "__main__":
    # A worker is this program, too, and ends here.
    multiprocessing.freeze_support()
    from engine.common.this_program import run_bundled

    sys.exit(run_bundled("explorer.__main__" if Path(sys.executable).stem == "parse-explorer" else "engine.__main__"))
