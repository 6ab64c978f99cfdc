"""Durable turns of the embedded store alone: two messages, one record, 1 kB of memory, a timer that is put off.

``writer`` is the CPU time of the writer's thread: statements, log and checkpoints. ``all`` is that of the whole
process, with the rows' JSON and the event loop. Users take turns at random, so that a commit touches pages of many.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import tempfile
import threading
import time
from pathlib import Path

from bench.machine import heading, median_of, table
from dialoom.messages import ConversationRecord, MessageRecord
from dialoom.messages.records import ChannelData, Data, MessageCounts, UserData
from dialoom.service.clock import iso
from dialoom.service.ids import IdSource
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import ChatKey, Dedupe, StoredMessage, TimerRow, TurnWrite

RUNS = 3
USERS = 2000
TURNS_A_CONVERSATION = 5
START = 1_790_000_000_000
MEMORY = os.urandom(1024)


class User:
    """Writes the turns of one user, one conversation after the other."""

    def __init__(self, number: int, ids: IdSource) -> None:
        self.key = ChatKey("salon", "web", f"0199c0de-0000-7000-8000-{number:012d}")
        self.ids = ids
        self.turn = 0
        self.record: ConversationRecord | None = None

    def next(self, now: int) -> TurnWrite:
        bot, channel, user = self.key
        turn = self.turn % TURNS_A_CONVERSATION + 1
        if turn == 1 or self.record is None:
            self.record = ConversationRecord(
                id=self.ids.make(now),
                bot=bot,
                user=user,
                channel=channel,
                started_at=iso(now),
                updated_at=iso(now),
                messages=MessageCounts(),
                flow_version="4f1c0de4f1c0de4f",
                goal="book",
                data=Data(ChannelData("web", "web"), UserData(first_name="Ada", locale="en", timezone="UTC")),
            )
        record = self.record
        record.updated_at = iso(now)
        record.messages = MessageCounts(turn, turn)
        record.data.entities = {"service": {"value": "cut", "minutes": 30}, "date": "2026-11-20", "people": turn}
        if turn == TURNS_A_CONVERSATION:
            record.status, record.ended_at = "success", iso(now)
        position = 2 * self.turn
        messages = tuple(
            StoredMessage(
                position + place,
                MessageRecord(
                    id=self.ids.make(now),
                    bot=bot,
                    conversation=record.id,
                    user=user,
                    channel=channel,
                    from_="user" if place == 1 else "bot",
                    type="text",
                    text="On Friday at ten, please, and for two people if that can be done.",
                    payload={"replies": [{"title": "Yes", "value": True}, {"title": "No", "value": False}]},
                    step="book/3",
                    created_at=iso(now),
                    sequence=2 * turn - 2 + place,
                ),
            )
            for place in (1, 2)
        )
        self.turn += 1
        return TurnWrite(
            key=self.key,
            number=None,
            dedupe=Dedupe(f"client-{self.turn}", b"0" * 32),
            answer=b"x" * 300,
            state=MEMORY,
            revision=self.turn - 1,
            position=position + 2,
            records=(record,),
            messages=messages,
            timers=(TimerRow(self.key, "session", now + 1_800_000),),
            now=now,
        )


async def _talk(store: SqliteStore, users: list[User], turns: int, times: list[float]) -> None:
    """One talker at a time of these users: a turn is written when the one before is durable."""
    for number in range(turns):
        turn = users[random.randrange(len(users))].next(START + len(times) + number)
        began = time.perf_counter()
        await store.commit(turn)
        times.append(time.perf_counter() - began)


async def _measure(file: Path, talkers: int, turns: int) -> dict[str, float]:
    store = SqliteStore(file)
    await store.open()
    writer = next(thread for thread in threading.enumerate() if thread.name == "dialoom-writer")
    assert writer.ident is not None
    clock = time.pthread_getcpuclockid(writer.ident)
    ids = IdSource()
    users = [User(number, ids) for number in range(USERS)]
    mine = [users[number::talkers] for number in range(talkers)]
    await asyncio.gather(*(_talk(store, part, 1 + 2000 // talkers, []) for part in mine))
    times: list[float] = []
    began, cpu, writer_cpu = time.perf_counter(), time.process_time(), time.clock_gettime(clock)
    await asyncio.gather(*(_talk(store, part, turns // talkers, times) for part in mine))
    done = len(times)
    took = time.perf_counter() - began
    found = {
        "turns/s": done / took,
        "writer µs/turn": (time.clock_gettime(clock) - writer_cpu) / done * 1e6,
        "all µs/turn": (time.process_time() - cpu) / done * 1e6,
        "p50 ms": statistics.median(times) * 1e3,
        "p99 ms": statistics.quantiles(times, n=100)[98] * 1e3,
    }
    await store.close()
    return found


def measure(talkers: int, turns: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        return asyncio.run(_measure(Path(folder) / "data.sqlite", talkers, turns))


def main() -> None:
    print(heading("Durable turns of the embedded store (two messages, a record, 1 kB of memory)"))
    rows = []
    for talkers, turns in ((1, 1000), (32, 6000), (128, 6000)):
        found = median_of(RUNS, lambda talkers=talkers, turns=turns: measure(talkers, turns))  # type: ignore[misc]  # a lambda's defaults have no types
        rows.append((talkers, *found.values()))
    print(table(("at once", *found), rows))


if __name__ == "__main__":
    main()
