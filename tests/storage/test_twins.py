"""Whatever is done to them, the twin in memory and the SQLite store give the same answers."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from dialoom.errors import StoreError
from dialoom.query import Selection
from dialoom.storage.memory import MemoryStore
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import Answered, ChatKey, Dedupe
from tests.storage.making import message, record, timer, write

if TYPE_CHECKING:
    from dialoom.storage.store import Store

KEYS = [ChatKey("salon", "web", "ann"), ChatKey("salon", "mobile", "ann"), ChatKey("faq", "web", "ben")]

keys = st.sampled_from(KEYS)
dedupes = st.none() | st.builds(Dedupe, st.sampled_from("kl"), st.sampled_from([b"1", b"2"]))
commits = st.tuples(
    st.just("commit"),
    keys,
    st.integers(-1, 1),
    dedupes,
    st.booleans(),
    st.lists(st.integers(1, 3), max_size=2, unique=True),
    st.dictionaries(st.sampled_from(["session", "silence"]), st.integers(1, 9), max_size=2),
    st.lists(st.sampled_from(["session", "silence"]), max_size=1),
    st.booleans(),
    st.integers(0, 9),
)
steps = st.one_of(
    commits,
    st.tuples(st.just("accept"), keys, dedupes),
    st.tuples(st.just("journal"), keys, st.integers(1, 3), st.sampled_from("ab")),
    st.tuples(st.just("due"), st.integers(0, 10), st.integers(1, 4)),
    st.tuples(st.just("forget"), st.integers(0, 40)),
    st.tuples(st.just("carry"), keys, st.integers(0, 12)),
)


async def play(store: Store, script: list[Any]) -> list[Any]:
    """The answers to all steps, then all that the store holds."""
    await store.open()
    told: list[Any] = []
    written = 0
    for at, (step, *values) in enumerate(script):
        try:
            match step:
                case "commit":
                    key, off, dedupe, through_inbox, records, timers, cancelled, is_later, carried = values
                    chat = await store.chat(key)
                    revision = max(0, (chat.revision if chat else 0) + (off if at % 5 == 0 else 0))
                    rows = [row for row in await store.waiting() if row.key == key] if through_inbox else []
                    written += 1
                    turn = write(
                        revision,
                        key,
                        number=rows[0].number if rows else None,
                        dedupe=rows[0].dedupe if rows else dedupe,
                        answer=b"answer %d" % at,
                        position=written,
                        records=tuple(record(number, key, errors=at % 3) for number in records),
                        messages=(message(written, key=key),),
                        timers=tuple(timer(name, due, key) for name, due in timers.items()),
                        cancelled=tuple(cancelled),
                        now=at,
                        is_later=is_later,
                        carried=carried,
                    )
                    told.append(await store.commit(turn))
                case "accept":
                    key, dedupe = values
                    row = await store.accept(key, f"e{at}", b"sealed", dedupe, at)
                    told.append(row if isinstance(row, Answered) else (row.id, row.dedupe))
                case "journal":
                    key, number, call = values
                    await store.journal(key, number, call, b"result %d" % at)
                    told.append(await store.journaled(key, number))
                case "due":
                    told += [await store.due(*values), await store.next_due()]
                case "forget":
                    told.append(await store.forget_answers(*values))
                case "carry":
                    await store.carry(*values)
        except StoreError as error:
            told.append(str(error))
    for key in KEYS:
        told += [await store.chat(key), await store.said(key, 0, 100), await store.last_said(key, 3)]
        told += [await store.later(key, 100), await store.later(key, 1)]
        told += [await store.answered(key, dedupe) for dedupe in "kl"]
    told += [(row.key, row.id) for row in await store.waiting()]
    for bot in ("salon", "faq"):
        told.append(await store.find("conversations", bot, Selection(sort=(("Errors", -1),))))
        told.append(await store.find("messages", bot, Selection()))
    told += [await store.due(100, 100), await store.next_due()]
    await store.close()
    return told


TWO_AT_ONCE: tuple[Any, ...] = ("commit", KEYS[0], 0, None, False, [], {"session": 1}, [], False, 0)
"""A chat whose timer is due at the same moment as another's."""


@settings(max_examples=40, deadline=None)
@given(st.lists(steps, max_size=25))
@example([TWO_AT_ONCE, ("commit", KEYS[1], *TWO_AT_ONCE[2:]), ("due", 1, 1)])
def test_both_stores_tell_the_same(script: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        sqlite = asyncio.run(play(SqliteStore(Path(folder) / "data.sqlite"), script))
    assert sqlite == asyncio.run(play(MemoryStore(), script))
