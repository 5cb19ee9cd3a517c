"""Work that tests have done in another process; it imports little, for each process does so anew."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.common.errors import TreeError
from engine.common.files import temporary_folder


def echo(value: int, send: Callable[[Any], None], cancelled: Callable[[], bool]) -> int:
    send(("got", value))
    return value * 2


def fail(kind: str, send: Callable[[Any], None], cancelled: Callable[[], bool]) -> None:
    if kind == "tree":
        raise TreeError("broken", "a.mrg", 3, 7)
    if kind == "fault":
        raise ValueError("a fault")
    os._exit(3)


def hang(path: str, send: Callable[[Any], None], cancelled: Callable[[], bool]) -> None:
    """Write a file and a folder, and never ask whether to stop."""
    half = Path(path).with_name(f".{Path(path).name}.{os.getpid()}-1.part")
    half.write_text("half")
    with temporary_folder() as folder:
        send(str(folder))
        while True:
            time.sleep(0.05)
