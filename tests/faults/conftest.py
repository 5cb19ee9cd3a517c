"""How many faults of each kind there are, and the table of what became of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.tiny_disk import mounted_disk

TREES = Path(__file__).parents[2] / "resources" / "examples" / "classroom.ptb"
_tried: Counter[str] = Counter()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell what was tried."""
    for attack, number in sorted(_tried.items()):
        terminalreporter.write_line(f"{attack:60} {number:6}")


@pytest.fixture(scope="session")
def kills(pytestconfig: pytest.Config) -> int:
    """How many faults at random moments of each kind."""
    number: int = pytestconfig.getoption("--kills")
    return number


@pytest.fixture(scope="session")
def tried() -> Callable[[str], None]:
    """Counts a fault that did no harm."""

    def count(attack: str) -> None:
        _tried[attack] += 1

    return count


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A treebank of a few trees."""
    path = tmp_path_factory.mktemp("small") / "small.ptb"
    trees = TREES.read_text("utf-8").split("\n")
    path.write_text("\n".join(trees[:6]) + "\n", "utf-8")
    return path


@pytest.fixture(scope="session")
def long_treebank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Trees that keep two workers busy for longer than it takes to end one."""
    path = tmp_path_factory.mktemp("long") / "long.ptb"
    path.write_text(TREES.read_text("utf-8") * 200, "utf-8")
    return path


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk with room for next to nothing."""
    with mounted_disk(tmp_path / "disk", 1 << 16) as disk:
        yield disk
