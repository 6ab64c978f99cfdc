"""Several services on one PostgreSQL: killed, stopped, or without their database, they lose nothing of anybody."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.crash.attempts import attempt
from tests.crash.harness import Crowd
from tests.crash.sharing import MESSAGES, share
from tests.postgres import running_server

if TYPE_CHECKING:
    from pathlib import Path

SMALL = Crowd(rest=6, streaming=2, polling=2, brief=2, callers=0)
"""Without deliveries: one that was on its way at a kill comes when its claim is over, a minute after it was taken."""


async def test_talks_go_on_when_one_of_two_services_or_their_database_is_killed_stopped_or_away(
    tmp_path: Path,
) -> None:
    seed = random.randrange(1_000_000)
    what = "one-of-two,postgres,joins,one-of-two,away"
    outcome = await attempt(what, tmp_path, 5, random.Random(seed), SMALL, away=3.0)
    assert outcome.faults == [], f"seed {seed}"
    assert outcome.kills == 5
    assert outcome.conversations > 0


async def test_messages_of_one_user_thrown_at_two_processes_are_answered_in_the_order_of_their_acceptance(
    tmp_path: Path,
) -> None:
    with running_server(in_memory=True) as server:
        shared = await share(tmp_path, 2, server)
    assert sorted(shared.told) == sorted(one.text for one in shared.thrown)
    assert len(shared.told) == len(set(shared.told)) == 2 * MESSAGES
    place = {text: number for number, text in enumerate(shared.told)}
    # One that was accepted before another was sent comes before it, whichever processes took them.
    for one in shared.thrown:
        assert all(place[one.text] < place[other.text] for other in shared.thrown if one.accepted < other.sent)
    # A busy machine's database may be too slow for some, not for most.
    assert shared.refused["store-away"] < len(shared.thrown) / 2, shared.refused
    # The inbox numbered most of them: those that met a turn of another one.
    assert shared.numbered == sorted(shared.numbered, key=lambda text: place[text])
    assert len(shared.numbered) > MESSAGES / 2
