"""``python -m tests.crash [--what service] [--kills 100]``: kills, and prints what was found as a table."""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from tests.crash import table
from tests.crash.attempts import WHAT, attempt

if TYPE_CHECKING:
    from tests.crash.check import Fault

KILLS = {"joins": 10, "away": 2}
"""Where a hundred would say no more."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description="Kills, and looks what is left.")
    parser.add_argument("--what", action="append", choices=WHAT, help="what is killed; all by default")
    parser.add_argument("--kills", type=int, help="100 by default, 10 that join, 2 away for 30 s")
    parser.add_argument("--seed", type=int, default=None, help="of the random instants; printed")
    parser.add_argument("--fault", help="a fault of tests/crash/faulty.py that the service is given")
    parser.add_argument("--keep", type=Path, help="a new folder for data and logs, kept")
    args = parser.parse_args()
    outcomes = []
    for what in args.what or WHAT:
        seed = args.seed if args.seed is not None else time.time_ns() % 1_000_000
        kills = args.kills or KILLS.get(what, 100)
        print(f"{what}: {kills} kills, seed {seed}", flush=True)
        with tempfile.TemporaryDirectory(prefix="dialoom-crash-") as temporary:
            place = args.keep / what if args.keep else Path(temporary)
            place.mkdir(parents=True, exist_ok=True)
            outcome = asyncio.run(attempt(what, place, kills, random.Random(seed), fault=args.fault))
        for fault in _some(outcome.faults):
            print(f"  {fault.kind}: {fault.whose}: {fault.what}")
        print(f"  met by clients: {outcome.met}; slowest answer {outcome.longest:.1f} s", flush=True)
        outcomes.append(outcome)
    print(table.table(outcomes))
    return int(any(outcome.faults for outcome in outcomes))


def _some(faults: list[Fault]) -> list[Fault]:
    """Of each kind and user the first three: one fault drags many behind it."""
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    for fault in faults:
        seen[fault.kind, fault.whose] += 1
        if seen[fault.kind, fault.whose] <= 3:
            found.append(fault)
    return found[:60]


if __name__ == "__main__":
    sys.exit(main())
