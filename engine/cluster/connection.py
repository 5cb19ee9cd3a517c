"""The connection to a cluster's scheduler: made, watched and closed without messages of dask's, and never waited
for without end.
"""

from __future__ import annotations

import logging
import re
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from engine.common.errors import Cancelled, EngineError

CONNECT_SECONDS = 10.0
"""How long a scheduler may take to answer, and the first worker to be there."""
WITHOUT_WORKERS_SECONDS = 60.0
"""How long work waits for a worker when all are gone."""
CALL_SECONDS = 120.0
"""How long workers may take to answer a question."""
CLOSE_SECONDS = 3.0
ASK_SECONDS = 0.1
"""How often it is asked whether to stop."""
_LOOK_SECONDS = 1.0
"""How often it is looked who is there."""
EXTRA = "pip install 'parse-explorer[cluster]'"
_NOISY = ("distributed", "tornado", "asyncio")
_ADDRESS = re.compile(r"([a-z]+://)?(\[[0-9a-fA-F:.]+\]|[^\s\[\]:/]+):([1-9]\d{0,4})/?", re.ASCII)
"""How an address is written; which of them there are is dask's to say."""


class SchedulerConnection:
    """A client of a scheduler.

    Parameters
    ----------
    address
        Where the scheduler is, for instance ``tcp://10.0.0.5:8786``; ``tls://`` with the certificates that dask's
        configuration names.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        _Silence.begin()
        try:
            self.client = _connected(address)
        except BaseException:
            _Silence.end()
            raise
        self._looked = float("-inf")
        self._workers: list[str] = []
        self._alone_since: float | None = None
        self.closed = False

    def close(self) -> None:
        """Leave the cluster."""
        if not self.closed:
            self.closed = True
            with suppress(Exception):
                self.client.close(timeout=CLOSE_SECONDS)
            _Silence.end()

    def check(self, cancelled: Callable[[], bool] | None = None) -> None:
        """Raise if the work is cancelled, the scheduler is gone, or no worker has been there for long."""
        if cancelled is not None and cancelled():
            raise Cancelled("the work was cancelled")
        if self.client.status != "running":
            raise self.lost()
        if not self.workers() and self._alone_since is not None:
            gone = time.monotonic() - self._alone_since
            if gone > WITHOUT_WORKERS_SECONDS:
                raise EngineError(
                    f"all workers of the cluster at {self.address} have been gone for {gone:.0f} s; start some with "
                    f"`dask worker {self.address} --nthreads 1`, and the command again"
                )

    def lost(self) -> EngineError:
        """Say that the scheduler is gone."""
        return EngineError(
            f"the connection to the scheduler at {self.address} was lost in the middle of the work; see whether it "
            "still runs, and start the command again"
        )

    def workers(self) -> list[str]:
        """Return the addresses of those who are there, looked up now and then."""
        now = time.monotonic()
        if now - self._looked >= _LOOK_SECONDS:
            try:
                self._workers = sorted(self.client.nthreads())
            except (OSError, TimeoutError, RuntimeError) as error:
                raise self.lost() from error
            self._looked = now
            if self._workers:
                self._alone_since = None
            elif self._alone_since is None:
                self._alone_since = now
        return self._workers

    def await_workers(self, cancelled: Callable[[], bool] | None = None) -> list[str]:
        """Wait a moment for the first worker."""
        until = time.monotonic() + CONNECT_SECONDS
        while not self.workers():
            self.check(cancelled)
            if time.monotonic() > until:
                raise EngineError(
                    f"the cluster at {self.address} has no workers; start some with "
                    f"`dask worker {self.address} --nthreads 1`"
                )
            time.sleep(ASK_SECONDS)
        return self._workers

    def ask(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        workers: list[str] | None = None,
        cancelled: Callable[[], bool] | None = None,
        seconds: float = CALL_SECONDS,
    ) -> dict[str, Any]:
        """Call a function on workers, and give each one's answer, which may be an exception.

        A worker that is gone meanwhile gives none.
        """

        def call() -> dict[str, Any]:
            answers: dict[str, Any] = self.client.run(function, *arguments, workers=workers, on_error="return")
            return answers

        answers = self.patiently(call, cancelled, seconds)
        return {worker: answer for worker, answer in answers.items() if not isinstance(answer, OSError)}

    def patiently(self, call: Callable[[], Any], cancelled: Callable[[], bool] | None, seconds: float) -> Any:
        """Wait for a call to the cluster, unless all is cancelled, the scheduler is lost, or it takes too long."""
        found: list[Any] = []
        failed: list[BaseException] = []

        def run() -> None:
            try:
                found.append(call())
            except BaseException as error:
                failed.append(error)

        thread = threading.Thread(target=run, daemon=True, name="cluster call")
        thread.start()
        until = time.monotonic() + seconds
        while thread.is_alive():
            thread.join(ASK_SECONDS)
            self.check(cancelled)
            if time.monotonic() > until:
                raise EngineError(
                    f"the cluster at {self.address} has not answered for {seconds:.0f} s; see whether its machines "
                    "are overloaded, and start the command again"
                )
        if failed:
            self.check(cancelled)
            if isinstance(failed[0], OSError | TimeoutError):
                raise self.lost() from failed[0]
            raise failed[0]
        return found[0]


def _connected(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise EngineError(
            f"--cluster needs dask.distributed, which is not installed; install it with {EXTRA}"
        ) from None
    # One that is half made takes long to give up.
    if not _ADDRESS.fullmatch(address):
        raise EngineError(
            f"--cluster: `{address}` is no address of a scheduler; write one like tcp://10.0.0.5:8786, or tls:// with "
            "certificates in dask's configuration"
        )
    try:
        return Client(address, timeout=CONNECT_SECONDS, set_as_default=False, name="parse-engine")
    except (OSError, TimeoutError) as error:
        raise EngineError(
            f"there is no scheduler at {address}, or it cannot be reached ({_reason(error)}); start one with "
            "`dask scheduler`, or correct --cluster"
        ) from error
    except (ValueError, TypeError, KeyError) as error:
        raise EngineError(
            f"--cluster: `{address}` is no address of a scheduler ({_reason(error)}); write one like "
            "tcp://10.0.0.5:8786, or tls:// with certificates in dask's configuration"
        ) from error


def _reason(error: BaseException) -> str:
    """Return what is wrong in a few words: the first line of the innermost reason."""
    while error.__cause__ is not None:
        error = error.__cause__
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


class _Silence:
    """Keeps dask's own messages off the terminal, where a progress line may stand, while a connection is open."""

    _depth = 0
    _levels: dict[str, int]
    _warnings: warnings.catch_warnings[None]

    @classmethod
    def begin(cls) -> None:
        with suppress(ImportError):
            # It sets up its messages when it is imported.
            import distributed  # noqa: F401
        cls._depth += 1
        if cls._depth > 1:
            return
        names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in _NOISY]
        cls._levels = {name: logging.getLogger(name).level for name in names}
        for name in names:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        cls._warnings = warnings.catch_warnings()
        cls._warnings.__enter__()
        warnings.filterwarnings("ignore", module=r"(distributed|dask|tornado)(\..*)?")
        # One is told as if the caller had said it.
        warnings.filterwarnings("ignore", message="Sending large graph")

    @classmethod
    def end(cls) -> None:
        cls._depth -= 1
        if cls._depth:
            return
        for name, level in cls._levels.items():
            logging.getLogger(name).setLevel(level)
        cls._warnings.__exit__(None, None, None)
