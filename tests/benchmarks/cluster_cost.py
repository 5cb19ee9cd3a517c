"""What work on a cluster costs: time of workers, scheduler and client, and bytes on the wire, for every sentence.

    python -m tests.benchmarks.cluster_cost TREEBANK [--sentences 400] [--preset 5] [--workers 1 2 4] [--rounds 3]
        [--input tagged] [--times 1 4]

The first sentences of the treebank, as lines or as plain text, are parsed by ``parse-engine parse --cluster`` with a
scheduler and workers on this machine.  Every figure is the slope between a shorter and a longer input, so that starting
costs do not count in it; they are told apart.  Times are those of the processor, which other work on the machine hardly
changes; elapsed times are printed beside, and are what they are.  Bytes are counted by a relay between the command and
the scheduler.  What a batch costs the scheduler, whatever is in it, is measured with a thousand that do nothing.  The
last lines are the arguments with which ``parse-engine cluster-cost`` predicts.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import psutil

from engine.cluster import batches as task_feed
from engine.cluster.dask_cluster import Cluster
from engine.common.resources import named_model
from engine.trees.tree import clean, plain_word
from engine.trees.treebank import BadTrees, read_treebank
from engine.warm_up import compile_now
from tests.waiting import wait_until

PYTHON = [sys.executable, "-m"]
BATCHES = 1000


@dataclass
class Relay:
    """Passes bytes on between whoever connects and a scheduler, and counts them."""

    target: tuple[str, int]
    sent: int = 0
    received: int = 0
    _server: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))

    def __post_init__(self) -> None:
        """Listen."""
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"tcp://127.0.0.1:{self._server.getsockname()[1]}"

    def _accept(self) -> None:
        while True:
            here, _ = self._server.accept()
            there = socket.create_connection(self.target)
            for source, sink, name in ((here, there, "sent"), (there, here, "received")):
                threading.Thread(target=self._pass, args=(source, sink, name), daemon=True).start()

    def _pass(self, source: socket.socket, sink: socket.socket, name: str) -> None:
        with sink, suppress(OSError):
            while data := source.recv(1 << 16):
                setattr(self, name, getattr(self, name) + len(data))
                sink.sendall(data)


@dataclass
class Run:
    """What one command took."""

    elapsed: float
    client: float
    scheduler: float
    workers: float
    sent: float
    received: float


def processor_seconds(process: psutil.Process) -> float:
    """Processor time of a process and all that it started."""
    total = 0.0
    for one in (process, *process.children(recursive=True)):
        times = one.cpu_times()
        total += times.user + times.system
    return total


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[tuple[Relay, psutil.Process, psutil.Process]]:
    """A scheduler and its workers, and a relay to it."""
    file = folder / f"scheduler-{workers}.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    place = ["--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)]
    scheduler = subprocess.Popen(
        [*PYTHON, "dask", "scheduler", "--no-dashboard", *place],
        **quiet,  # type: ignore[call-overload]
    )
    try:
        wait_until(file.exists)
        address = json.loads(file.read_text())["address"]
        crew = subprocess.Popen(
            [*PYTHON, "dask", "worker", address, "--nthreads", "1", "--nworkers", str(workers), "--no-dashboard"],
            **quiet,  # type: ignore[call-overload]
        )
        try:
            host, port = address.removeprefix("tcp://").split(":")
            yield Relay((host, int(port))), psutil.Process(scheduler.pid), psutil.Process(crew.pid)
        finally:
            crew.terminate()
            crew.wait(30)
    finally:
        scheduler.terminate()
        scheduler.wait(30)


def measured(
    command: list[str], file: Path, relay: Relay, scheduler: psutil.Process, crew: psutil.Process, out: Path
) -> Run:
    """Run a command once."""
    before = (processor_seconds(scheduler), processor_seconds(crew), relay.sent, relay.received)
    started = time.perf_counter()
    with out.open("wb") as stream:
        process = subprocess.Popen([*command, str(file), "--cluster", relay.address], stdout=stream)
        _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.perf_counter() - started
    assert status == 0, f"{command} failed"
    after = (processor_seconds(scheduler), processor_seconds(crew), relay.sent, relay.received)
    spent = [late - early for late, early in zip(after, before, strict=True)]
    return Run(elapsed, usage.ru_utime + usage.ru_stime, *spent)


def batch_seconds(address: str, scheduler: psutil.Process) -> float:
    """Processor time of the scheduler for every batch."""
    largest, task_feed.LARGEST_BATCH = task_feed.LARGEST_BATCH, 1
    try:
        with Cluster(address) as members:
            list(members.ordered(partial(partial, abs), range(50)))
            before = processor_seconds(scheduler)
            list(members.ordered(partial(partial, abs), range(BATCHES)))
            return (processor_seconds(scheduler) - before) / BATCHES
    finally:
        task_feed.LARGEST_BATCH = largest


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--input", choices=("tagged", "text"), default="tagged")
    parser.add_argument("--times", type=int, nargs=2, default=[1, 4], help="how often the sentences are repeated")
    parser.add_argument("--sentences", type=int, default=400)
    parser.add_argument("--preset", type=int, default=5)
    parser.add_argument("--model", default="english")
    arguments = parser.parse_args()
    compile_now()
    trees = [found for tree in read_treebank([arguments.treebank], BadTrees()) if (found := clean(tree)) is not None]
    lines = [" ".join(plain_word(leaf.word or "") for leaf in tree.leaves()) for tree in trees]
    lines = lines[: arguments.sentences]
    words = sum(len(line.split()) for line in lines) / len(lines)
    command = [*PYTHON, "engine", "parse", "--model", arguments.model, "--input", arguments.input]
    command += ["--preset", str(arguments.preset)]
    few, many = arguments.times
    count = (many - few) * len(lines)
    print(f"{len(lines):,} sentences, {words:.1f} words each, {few} and {many} times; {arguments.rounds} rounds")
    print("workers  elapsed s  sentences/s  worker ms  client ms  sent B  received B  start s  scheduler ms")
    print("         (long run)             (processor time and bytes, for each sentence)     (a batch)")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = [folder / "few.txt", folder / "many.txt"]
        for file, times in zip(files, arguments.times, strict=True):
            file.write_text("\n".join(lines * times) + "\n", encoding="utf-8")
        all_slopes: list[list[float]] = []
        for workers in arguments.workers:
            with cluster(folder, workers) as (relay, scheduler, crew):
                # The first run loads model and kernels.
                measured(command, files[0], relay, scheduler, crew, folder / "out")
                slopes = []
                for _ in range(arguments.rounds):
                    short, long = (measured(command, file, relay, scheduler, crew, folder / "out") for file in files)
                    slope = [(vars(long)[part] - vars(short)[part]) / count for part in vars(long)]
                    start = short.elapsed - slope[0] * few * len(lines)
                    slopes.append([*slope, long.elapsed, start, batch_seconds(relay.address, scheduler)])
                middle = [statistics.median(column) for column in zip(*slopes, strict=True)]
                elapsed, client, _, work, sent, received, whole, start, schedule = middle
                all_slopes.append(middle)
                print(
                    f"{workers:7} {whole:10.1f} {1 / elapsed:12,.0f} {1e3 * work:10.3f} {1e3 * client:10.3f} "
                    f"{sent:7.0f} {received:11.0f} {start:8.1f} {1e3 * schedule:13.2f}",
                    flush=True,
                )
    best = [statistics.median(column) for column in zip(*all_slopes, strict=True)]
    print(
        f"parse-engine cluster-cost --words-per-sentence {words:.1f} --worker-ms {1e3 * best[3]:.3f} --client-ms "
        f"{1e3 * best[1]:.3f} --scheduler-ms {1e3 * best[8]:.2f} --sent-bytes {best[4]:.0f} --received-bytes "
        f"{best[5]:.0f} --model-bytes {named_model(arguments.model).stat().st_size}"
    )


if __name__ == "__main__":
    main()
