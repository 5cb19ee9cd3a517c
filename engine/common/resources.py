"""Files that come with the program, and where they are: trained models and example trees.

In a checkout they lie beside the package; installed, under ``share/parse-explorer`` of wherever it was installed to.
"""

from __future__ import annotations

import sysconfig
from functools import cache
from importlib import metadata
from importlib.resources.abc import Traversable
from pathlib import Path

BUNDLED = ("english", "classroom")
"""Names of the models that come with the program; the first is used where none is named."""
_SHARED = "share/parse-explorer"


def program_version() -> str:
    """Return the version of the program, if it is installed."""
    try:
        return metadata.version("parse-explorer")
    except metadata.PackageNotFoundError:
        return "(not installed)"


@cache
def resources_folder() -> Path:
    """Return the folder of resources."""
    beside = Path(__file__).resolve().parents[2] / "resources"
    if (beside / "examples").is_dir():
        return beside
    installed = Path(sysconfig.get_path("data")) / _SHARED
    return installed if installed.is_dir() else _recorded() or installed


def _recorded() -> Path | None:
    """Return where the installer noted that it put them: a user's own folder, say."""
    try:
        files = metadata.files("parse-explorer") or []
    except metadata.PackageNotFoundError:
        return None
    for file in files:
        parts = file.as_posix().partition(_SHARED)
        if parts[1]:
            return Path(str(file.locate())).resolve().parents[len(Path(parts[2]).parts) - 2]
    return None


def read_bundled(file: Path | Traversable) -> str:
    """Read a text that comes with the program; what anybody may have written goes through :mod:`engine.gate`."""
    return file.read_text(encoding="utf-8")


def bundled_models() -> dict[str, Path]:
    """Return the models that are there, by name."""
    paths = {name: resources_folder() / "models" / f"{name}.model" for name in BUNDLED}
    return {name: path for name, path in paths.items() if path.is_file()}


def named_model(name: str | Path) -> Path:
    """Return the file that a name stands for: the path itself, or if there is nothing at it, a bundled model's."""
    path = Path(name)
    if str(path) in BUNDLED and not path.exists():
        return bundled_models().get(str(path), path)
    return path


def model_file(name: str | None) -> Path | None:
    """Return the file that a name stands for, and without a name that of the first bundled model."""
    return named_model(name) if name else next(iter(bundled_models().values()), None)
