"""What the trace of a turn costs: ``python -m bench.trace [PAIRS]``, 9 pairs by default, two minutes.

The engine alone with a trace and without, and durable turns of the form over HTTP on SQLite by 32 users, of two
services that run at the same time: one whose bot has ``"trace": true``, one whose has not. Both are measured in turn,
A B and B A, and the ratio is taken pair by pair, so that it holds when the machine's speed drifts. CPU is that of the
service's process.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from bench.machine import heading, table
from bench.servers import FORM, Server, dialoom
from bench.turns import TALK, load
from dialoom.engine import Flow, State, begin, compile_flow, turn
from dialoom.engine.events import Said
from dialoom.flow import read_bot
from dialoom.messages import Profile

PAIRS = 9
USERS, FORMS = 32, 6
ENGINE_FORMS = 300
PROFILE = Profile(id="u", provider="web")


def _microseconds(server: Server, name: str) -> float:
    """Return the service's CPU a turn."""
    used = server.cpu()
    times = asyncio.run(load([server.port], USERS, name, FORMS))
    return (server.cpu() - used) / len(times) * 1e6


def _bot(folder: Path, *, is_traced: bool) -> Path:
    folder.mkdir()
    for file in FORM.glob("*.json"):
        content = json.loads(file.read_text("utf-8"))
        if file.name == "bot.json":
            content |= {"trace": is_traced}
        (folder / file.name).write_text(json.dumps(content), "utf-8")
    return folder


def _services(pairs: int) -> list[tuple[float, float]]:
    """Return the CPU of a turn with a trace and without, of each pair."""
    with tempfile.TemporaryDirectory() as name:
        on, off = (_bot(Path(name) / f"{is_traced}", is_traced=is_traced) for is_traced in (True, False))
        with dialoom(1, bot=on) as (traced,), dialoom(1, bot=off) as (plain,):
            for server in (traced, plain):
                asyncio.run(load([server.port], USERS, "warm", 2))
            found = []
            for number in range(pairs):
                both = [(traced, 0), (plain, 1)]
                taken = [0.0, 0.0]
                for server, place in both if number % 2 else reversed(both):
                    taken[place] = _microseconds(server, f"user-{number}")
                found.append((taken[0], taken[1]))
            return found


def _engine(pairs: int) -> list[tuple[float, float]]:
    flow = compile_flow(read_bot(FORM))
    found = []
    for number in range(pairs):
        taken = {}
        for is_traced in (True, False) if number % 2 else (False, True):
            taken[is_traced] = _form(flow, is_traced=is_traced)
        found.append((taken[True], taken[False]))
    return found


def _form(flow: Flow, *, is_traced: bool) -> float:
    """Return the CPU of a turn in microseconds."""
    began = time.process_time()
    for _ in range(ENGINE_FORMS):
        state: State = begin()
        for text, _ in TALK:
            said = Said(id="e", now=1_795_176_000_000, seed=1, profile=PROFILE, text=text)
            state = turn(flow, state, said, is_traced=is_traced).state
    return (time.process_time() - began) / ENGINE_FORMS / len(TALK) * 1e6


def _row(what: str, pairs: list[tuple[float, float]]) -> list[object]:
    ratios = [on / off for on, off in pairs]
    low, _, high = statistics.quantiles(ratios, n=4)
    on, off = (statistics.median(pair[at] for pair in pairs) for at in (0, 1))
    return [what, f"{off:.0f}", f"{on:.0f}", f"{statistics.median(ratios):.2f}", f"{low:.2f} to {high:.2f}", len(pairs)]


def main() -> None:
    pairs = next((int(word) for word in sys.argv[1:] if word.isdigit()), PAIRS)
    rows = [_row("engine alone", _engine(pairs)), _row(f"service, SQLite, {USERS} users", _services(pairs))]
    print(heading("Microseconds of CPU a turn, medians"))
    print(table(("", "without", "with a trace", "ratio", "middle half", "pairs"), rows))


if __name__ == "__main__":
    main()
