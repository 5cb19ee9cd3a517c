"""An experiment in a process of its own, for a program that must stay alive meanwhile: JSON lines in and out.

The first line of standard input is what is asked for (:class:`ExperimentOptions` as JSON, and the ``folder`` of its
journal); ``pause`` and ``go on`` may follow.  When standard input ends, because whoever started the process has closed
it or is gone, the process ends at once, with all its workers: what was measured is in the journal.  Standard output has
one JSON object a line, each with its ``event``: ``opened``, ``progress``, ``measured``, and at last ``finished`` or
``failed``.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.common.errors import EngineError
from engine.common.interrupts import leave
from engine.compiled.cache import is_compiled
from engine.gate.checked_json import read_message
from engine.study.experiment_run import GO_ON, PAUSE, ExperimentRun, Supervision
from engine.study.experiments import ExperimentOptions
from engine.warm_up import compile_now

_PROGRESS_SECONDS = 0.1


class _Teller:
    """Writes events; progress not more often than the eye can follow."""

    def __init__(self) -> None:
        self._last = 0.0

    def tell(self, event: str, **facts: Any) -> None:
        sys.stdout.write(json.dumps({"event": event, **facts}) + "\n")
        sys.stdout.flush()

    def progress(self, share: float, what: str) -> None:
        now = time.monotonic()
        if now - self._last >= _PROGRESS_SECONDS:
            self._last = now
            self.tell("progress", share=share, what=what)

    def measured(self, trial: int, result: Mapping[str, Any], done: bool) -> None:
        self.tell("measured", trial=trial, result=result, done=done)


def _work(options: ExperimentOptions, folder: Path, supervision: Supervision, teller: _Teller) -> None:
    """Do all of it, and end the process."""
    try:
        if not is_compiled():
            teller.tell("progress", share=0.0, what="compiling for this machine, which happens once")
            compile_now()
        run = ExperimentRun.open(options)
        teller.tell(
            "opened", title=run.title, test_title=run.test_title, trees=len(run.bench.test.trees), skipped=len(run.bad)
        )
        journal = run.journal(folder)
        run.measure(journal, supervision)
        teller.tell("finished", problem=journal.problem)
    except EngineError as error:
        teller.tell("failed", message=str(error))
    except BaseException as error:
        # Whoever waits must hear of it, whatever it is.
        teller.tell("failed", message=f"something went wrong inside the program ({type(error).__name__}: {error})")
    finally:
        os._exit(0)


def main() -> int:
    """Read what is asked for, work in another thread, and listen until the end."""
    asked = read_message(sys.stdin.readline())
    options, folder = ExperimentOptions.of_dict(asked), Path(asked["folder"])
    teller = _Teller()
    supervision = Supervision(teller.progress, teller.measured)
    # In a thread: this one hears at once that it is to end, whatever the other is at.
    threading.Thread(target=_work, args=(options, folder, supervision, teller), daemon=True).start()
    for line in sys.stdin:
        {PAUSE: supervision.pause, GO_ON: supervision.go_on}[line.strip()]()
    leave()


if __name__ == "__main__":
    sys.exit(main())
