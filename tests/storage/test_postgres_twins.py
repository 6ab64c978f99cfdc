"""Whatever is done to them, the twin in memory and PostgreSQL give the same answers, as far as one process can see."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.storage.memory import MemoryStore
from dialoom.storage.postgres.store import PostgresStore
from tests.postgres import empty
from tests.storage.test_twins import play, steps


def of_one_runner(step: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a runner never does, a shared store refuses: a turn while an event waits that came before."""
    match step:
        case "commit", key, off, dedupe, _, *rest:
            return ("commit", key, off, dedupe, True, *rest)
    return step


def seen_by_one(told: list[Any]) -> list[Any]:
    """Without the orphans: the end of a play holds all chats, which only a shared store takes note of."""
    *before, _orphans, due, next_due = told
    return [*before, due, next_due]


@settings(max_examples=30, deadline=None)
@given(script=st.lists(steps.map(of_one_runner), max_size=25))
def test_memory_and_postgresql_tell_the_same(kept_database: str, script: list[Any]) -> None:
    try:
        told = asyncio.run(play(PostgresStore(kept_database, is_timed_by_server=False), script))
    finally:
        empty(kept_database)
    assert seen_by_one(told) == seen_by_one(asyncio.run(play(MemoryStore(), script)))
