"""``kill -9`` at bad moments: nothing is lost, nothing is answered or booked twice (service.md, Storage).

A few kills of each kind; ``make crash`` does hundreds. A failure names the seed of its instants.
"""

from __future__ import annotations

import contextlib
import random
import sqlite3
import threading
from typing import TYPE_CHECKING

import pytest
from tests.crash.attempts import attempt
from tests.crash.harness import Crowd
from tests.crash.power import NoCompiler
from tests.crash.talk import check, talks_of
from tests.live import clinic, wait_until

if TYPE_CHECKING:
    from pathlib import Path

FEW = Crowd(rest=0, streaming=0, polling=0, brief=0, callers=0, guests=4, people=2)
SMALL = Crowd(rest=6, streaming=2, polling=2, brief=2, callers=2)
"""With deliveries: one that was on its way at a kill comes with the next start."""


def calls(folder: Path) -> int:
    """How many calls for a booking have come to the back end of this folder."""
    with contextlib.closing(sqlite3.connect(folder / "appointments.db")) as database:
        return int(database.execute("select coalesce(sum(count), 0) from calls").fetchone()[0])


def test_a_service_killed_in_the_middle_of_a_slow_webhook_books_once_with_the_same_key(tmp_path: Path) -> None:
    with clinic(tmp_path, delay=8.0) as (service, backend):
        (talk,) = talks_of(backend, 1)
        while len(talk.answers) < len(talk.texts) - 1:
            assert talk.step(service)
        last = threading.Thread(target=talk.step, args=(service,))
        last.start()
        # The booking takes some seconds; once it is counted its call is in flight.
        wait_until(lambda: calls(tmp_path / "backend") == 1)
        assert backend.bookings() == []
        service.kill()
        last.join()
        again = service.again()
        try:
            talk.finish(again)
            assert check(talk, again, backend.bookings()) == 2
            assert "It is booked" in talk.answers[-1][0]["text"]
        finally:
            again.stop()


async def test_hand_offs_go_on_after_kills_with_nothing_lost_or_doubled_and_one_person_a_chat(tmp_path: Path) -> None:
    seed = random.randrange(1_000_000)
    outcome = await attempt("hand-off", tmp_path, 10, random.Random(seed), FEW)
    assert outcome.faults == [], f"seed {seed}"
    assert (outcome.kills, outcome.conversations > 0) == (10, True)


@pytest.mark.parametrize(("what", "kills"), [("service", 4), ("power", 3)])
async def test_talks_go_on_after_kills_with_nothing_lost_doubled_or_out_of_order(
    tmp_path: Path, what: str, kills: int
) -> None:
    seed = random.randrange(1_000_000)
    try:
        outcome = await attempt(what, tmp_path, kills, random.Random(seed), SMALL, away=3.0)
    except NoCompiler as reason:
        pytest.skip(str(reason))
    assert outcome.faults == [], f"seed {seed}"
    assert outcome.kills == kills
    assert outcome.conversations > 0
