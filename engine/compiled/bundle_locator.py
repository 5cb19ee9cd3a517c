"""Where numba finds compiled kernels in the bundle for people without Python.

By itself numba knows what a frozen program compiled by the whole path of the source and by the contents of the
program's file.  The first is another one when the bundle's folder is moved, the second differs between two commands.

Imports numba, which takes a while: to be imported where something is compiled or run compiled, and not before.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from numba import config
from numba.core.caching import UserProvidedCacheLocator

from engine.compiled.bundled_kernels import PACKAGE, is_part_of_bundle


class BundleLocator(UserProvidedCacheLocator):
    """Finds a kernel by its place in the package, wherever that is, and whichever command asks."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)
        room = Path(py_file).resolve().parent.relative_to(PACKAGE)
        self._cache_path = os.path.join(config.CACHE_DIR, "-".join(room.parts))

    def get_source_stamp(self) -> str:
        """Nothing more to compare: the name of the folder stands for the contents of all sources."""
        return ""

    def ensure_cache_path(self) -> None:
        """Make the folder, unless it is part of the installation."""
        if not is_part_of_bundle(Path(config.CACHE_DIR)):
            super().ensure_cache_path()


def use_bundle(folder: Path) -> None:
    """Have numba look for kernels in a bundle's way; `folder` is where it looks for them."""
    config.CACHE_DIR = str(folder)
    config.CACHE_LOCATOR_CLASSES = f"{BundleLocator.__module__}.{BundleLocator.__name__}"
