"""The kinds of kills by name: what each of them sets up around the harness."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from tests.crash.harness import HAND_OFFS, Crowd, Harness
from tests.crash.victims import PLAIN, Away, InTurn, Joins, OneOfTwo, Postgres, on_sqlite, two_on_postgres
from tests.postgres import OwnServer, running_server

if TYPE_CHECKING:
    import random
    from pathlib import Path

    from tests.crash.harness import Outcome
    from tests.crash.processes import ServiceProcess
    from tests.crash.victims import Victim
    from tests.postgres import Server

WHAT = ("service", "power", "one-of-two", "postgres", "joins", "away", "hand-off", "hand-off-of-two")
ON_SQLITE = ("service", "power", "hand-off")
AMONG_HAND_OFFS = {"hand-off": "service", "hand-off-of-two": "one-of-two"}
"""What is killed while people answer users."""


async def attempt(
    what: str,
    place: Path,
    kills: int,
    draw: random.Random,
    crowd: Crowd | None = None,
    *,
    fault: str | None = None,
    away: float = 30.0,
) -> Outcome:
    """So many kills; several kinds on PostgreSQL, comma-separated, come one after the other. ``fault`` is one of ``faulty.py``, ``away`` the seconds without a database. Raises ``NoCompiler`` for
    ``power`` where there is none."""
    with contextlib.ExitStack() as stack:
        server = None if what in ON_SQLITE else stack.enter_context(running_server())

        def make(folders: list[Path]) -> Victim:
            if server is None:
                command = PLAIN if fault is None else ("-m", "tests.crash.faulty", fault)
                return on_sqlite(folders, place, draw, power=what == "power", command=command)
            return _on_postgres(what, folders, place, draw, server, away)

        usual = HAND_OFFS if what in AMONG_HAND_OFFS else Crowd()
        outcome = await Harness(place, draw, crowd or usual, make).run(kills)
        if what in AMONG_HAND_OFFS:
            outcome.what = f"{outcome.what} among hand-offs"
        return outcome


def _on_postgres(
    what: str, folders: list[Path], place: Path, draw: random.Random, server: Server, away: float
) -> Victim:
    services = two_on_postgres(folders, place, server.database())
    kinds = [_kind(one, services, draw, server, away) for one in what.split(",")]
    return kinds[0] if len(kinds) == 1 else InTurn(kinds, draw)


def _kind(what: str, services: list[ServiceProcess], draw: random.Random, server: Server, away: float) -> Victim:
    match AMONG_HAND_OFFS.get(what, what):
        case "one-of-two":
            return OneOfTwo(services, draw)
        case "joins":
            return Joins(services, draw)
    # A server that is given by its address is not ours to kill.
    assert isinstance(server, OwnServer), "killing PostgreSQL needs a server of the tests' own"
    return Postgres(services, server, draw) if what == "postgres" else Away(services, server, draw, away)
