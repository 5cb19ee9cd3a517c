"""Fuzz every reader: ``python -m tests.fuzz --minutes 60``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.fuzz.campaign import Campaign, input_of
from tests.fuzz.children import Failure, judged
from tests.fuzz.targets import TARGETS


def main(arguments: list[str] | None = None) -> int:
    """Run a campaign and print its table; 1 if some input failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz the readers of text and files.")
    parser.add_argument(
        "--target", nargs="+", choices=sorted(TARGETS), metavar="NAME", help="only these (default: all)"
    )
    parser.add_argument("--list", action="store_true", help="name the targets")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--minutes", type=float, metavar="M", help="for so long, each target as long (default: 1)")
    length.add_argument("--inputs", type=int, metavar="N", help="so many inputs altogether")
    length.add_argument("--index", type=int, metavar="I", help="only this input of one target, to see how it fails")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="another seed makes other inputs (default: 0)")
    parser.add_argument("--jobs", type=int, default=1, metavar="J", help="so many children at once (default: 1)")
    parser.add_argument(
        "--failures", type=Path, default=Path("fuzz-failures"), metavar="FOLDER", help="where to keep them"
    )
    asked = parser.parse_args(arguments)
    if asked.list:
        print(*TARGETS, sep="\n")
        return 0
    targets = [TARGETS[name] for name in asked.target or TARGETS]
    if asked.index is not None:
        if len(targets) != 1:
            parser.error("--index goes with one --target")
        targets[0].prepare()
        data = input_of(targets[0], asked.seed, asked.index)
        print(data[:2000])
        failure = judged(targets[0], data)
        print(failure or "read or refused")
        return failure is not None

    def tell(failure: Failure) -> None:
        print(f"{failure.target} {failure.index}: {failure.kind}", file=sys.stderr)

    seconds = None if asked.inputs else 60 * (asked.minutes or 1.0)
    campaign = Campaign(targets, asked.seed, asked.inputs, seconds, asked.jobs)
    try:
        campaign.run(tell)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
    print(campaign.table())
    for line in campaign.keep(asked.failures):
        print(line)
    return bool(campaign.failures)


if __name__ == "__main__":
    sys.exit(main())
