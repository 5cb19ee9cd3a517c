"""The source archive (``python -m build --sdist``): everything to build the program from, to test it, and to bundle it.

By itself setuptools takes packages and data along, and of the tests none; ``pyproject.toml`` names this command in the
place of its own.  Only setuptools may be imported here: a build has nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from setuptools.command.sdist import sdist

FOLDERS = (".ci", "engine", "explorer", "resources", "tests")
FILES = (".gitignore", ".pre-commit-config.yaml", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md")
PASSING_FOLDERS = ("__pycache__",)
PASSING_SUFFIXES = (".pyc", ".nbi", ".nbc", ".part")
"""What running the program or its tests leaves behind."""


def source_files(project: Path) -> list[str]:
    """The files of the archive beside what setuptools makes, as paths from the project's folder."""
    found = [Path(name) for name in (*FILES, "pyproject.toml") if (project / name).is_file()]
    for folder in FOLDERS:
        found += [path.relative_to(project) for path in (project / folder).rglob("*") if path.is_file()]
    return sorted(
        str(path)
        for path in found
        if path.suffix not in PASSING_SUFFIXES and not set(PASSING_FOLDERS) & set(path.parts)
    )


class SourceArchive(sdist):  # type: ignore[misc]
    """setuptools' command, with all source files."""

    def make_release_tree(self, base_dir: str, files: Iterable[str]) -> None:
        """Copy the files to where they are packed."""
        super().make_release_tree(base_dir, sorted({*files, *source_files(Path())}))
