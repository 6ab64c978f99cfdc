"""``python -m tests.crash.faulty FAULT run ...``: the service with a fault put into its store, to see that the harness notices.

A harness that has never failed proves nothing. Nothing but the tests starts this.
"""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.cli import main
from dialoom.storage.sqlite import connection
from dialoom.storage.sqlite import writer as writers
from dialoom.storage.sqlite.store import SqliteStore

if TYPE_CHECKING:
    import apsw

    from dialoom.storage.store import Answered, ChatKey, Held, TurnWrite

_commit, _hold, _make_durable = SqliteStore.commit, SqliteStore.hold, connection.make_durable
_running: set[asyncio.Task[Any]] = set()


async def _answers_first(self: SqliteStore, write: TurnWrite) -> Answered | None:
    """Says that a turn is stored, and stores it a moment later."""

    async def later() -> None:
        await asyncio.sleep(0.2)
        await _commit(self, write)

    task = asyncio.create_task(later())
    _running.add(task)
    task.add_done_callback(_running.discard)
    return None


async def _forgets_keys(self: SqliteStore, write: TurnWrite) -> Answered | None:
    """Keeps no key of a message, so that a repeated one is a new one; and answers late, so that a kill comes between."""
    seen = await _commit(self, msgspec.structs.replace(write, dedupe=None, answer=None))
    await asyncio.sleep(0.05)
    return seen


async def _keeps_no_journal(self: SqliteStore, key: ChatKey, number: int, call: str, result: bytes) -> None:
    """Loses the results of outside calls, so that all calls of a turn are made again."""


async def _turns_around(self: SqliteStore, key: ChatKey) -> Held | None:
    """Takes up what waited in a chat from its end: the first number has the last event."""
    held = await _hold(self, key)
    if held is None:
        return None
    pairs = zip(held.waiting, held.waiting[::-1], strict=True)
    waiting = tuple(msgspec.structs.replace(last, number=first.number) for first, last in pairs)
    return msgspec.structs.replace(held, waiting=waiting)


def _never_syncs(opened: apsw.Connection) -> None:
    _make_durable(opened)
    opened.pragma("synchronous", "off")


FAULTS: dict[str, tuple[object, str, object]] = {
    "answers-first": (SqliteStore, "commit", _answers_first),
    "forgets-keys": (SqliteStore, "commit", _forgets_keys),
    "keeps-no-journal": (SqliteStore, "journal", _keeps_no_journal),
    "turns-around": (SqliteStore, "hold", _turns_around),
    "never-syncs": (writers, "make_durable", _never_syncs),
}
"""Whose part is put in the place of which."""


def put_in(fault: str) -> None:
    if fault not in FAULTS:
        sys.exit(f"There is no fault {fault}. Known are {', '.join(FAULTS)}.")
    whose, name, part = FAULTS[fault]
    setattr(whose, name, part)


if __name__ == "__main__":
    put_in(sys.argv[1])
    sys.exit(main(sys.argv[2:]))
