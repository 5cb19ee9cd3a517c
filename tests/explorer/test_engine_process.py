"""A process beside the window: told, heard, and ended with all that it has started."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from engine.common.errors import EngineError
from explorer.kit.processes import EngineProcess
from tests.waiting import wait_until


def is_running(process: int) -> bool:
    """Whether a process is there, and not only its number until somebody asks for its end."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_one_that_does_not_listen_is_ended_at_once_with_all_that_it_started(monkeypatch: pytest.MonkeyPatch) -> None:
    # A child takes no module from the folder it is started in, and the tests are not installed.
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    process = EngineProcess("tests.explorer.deaf_process")
    said = process.hear(20.0)
    assert said is not None
    child = said.facts["child"]
    assert is_running(child)
    began = time.monotonic()
    process.stop()
    # A tenth of it on an idle machine.
    assert time.monotonic() - began < 0.8
    assert not process.alive
    wait_until(lambda: not is_running(child), seconds=5)
    with pytest.raises(EngineError, match="ended unexpectedly"):
        process.hear(0.0)
