"""Kernels that come compiled with the bundle for people without Python: where they are, and when they are used.

They were compiled for any processor of the family, by the program that reads them, when the bundle was made.  They are
part of the installation, as its code is: trusted like it, only read, never written.  Their folder's name is the
fingerprint of this program's kernels, libraries and target; under another name they are not used, and the user's cache
takes their place.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from engine.common.this_program import is_bundled

PACKAGE = Path(__file__).resolve().parents[1]
FOLDER = PACKAGE.parent / "kernels"
"""Where a bundle has its compiled kernels."""


def bundled_folder(name: str, lists: Iterable[str]) -> Path | None:
    """The folder of that name with all of the files `lists` in it; ``None`` if the bundle has none, or is none."""
    folder = FOLDER / name
    return folder if is_bundled() and all((folder / file).is_file() for file in lists) else None


def is_part_of_bundle(folder: Path) -> bool:
    """Whether a folder of compiled kernels belongs to the installation, and not to the user's cache."""
    return is_bundled() and folder.parent == FOLDER
