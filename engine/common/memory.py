"""Memory that a process and its workers take, where the system tells."""

from __future__ import annotations

import multiprocessing
import sys
from pathlib import Path

_KILO = 1024


class MemoryWatch:
    """Notes the most memory that this process and its workers took together.

    Attributes
    ----------
    most
        In bytes, as far as was looked; ``None`` where the system does not tell.
    """

    def __init__(self) -> None:
        self.most: int | None = None

    def look(self) -> None:
        """Note what is taken now; more than was taken by this process alone before is not forgotten."""
        own, peak = _status("self", "VmRSS"), peak_bytes()
        if peak is None:
            return
        workers = sum(_status(str(child.pid), "VmRSS") for child in multiprocessing.active_children())
        self.most = max(self.most or 0, own + workers, peak)


def peak_bytes() -> int | None:
    """The most memory that this process has taken; ``None`` where the system does not tell."""
    # Not by getrusage where there is another way: on Linux it counts what the starting process had, too.
    peak = _status("self", "VmHWM")
    if peak or sys.platform in ("win32", "linux"):
        return peak or None
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * _KILO


def _status(process: str, field: str) -> int:
    """A number of bytes of a process; 0 where there is none."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * _KILO for line in lines if line.startswith(field + ":")), 0)
