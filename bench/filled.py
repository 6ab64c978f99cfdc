"""Stores full of conversations, two messages each: written in bulk, with the columns that the service would write."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import asyncpg

from dialoom.messages import ConversationRecord, MessageRecord
from dialoom.messages.records import ChannelData, Data, MessageCounts, UserData
from dialoom.service.clock import IdSource, iso
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.rows import conversation_row, message_row
from dialoom.storage.sql_files import load
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import StoredMessage

BOT = "form"
FIRST = 1_750_000_000_000
BATCH = 5_000
STATUSES = ("success", "success", "success", "abandoned", "abandoned", "closed", "handed-over", "failure")
PROVIDERS = ("web", "web", "web", "rest", "mobile")
FIRST_NAMES = ("Ada", "Grace", "Edsger", "Barbara", "Alan", "Niklaus", "Tony", "Donald", "Leslie", "Frances")
SAID = ("Which table would you like?", "The one at the window, please, for two people")

_PUT_MESSAGES = load("sqlite", "turn")["put_messages"].sql
_MESSAGE_COLUMNS = (
    "bot", "id", "conversation", "user", "channel", "sender", "type", "created_at", "sequence", "position", "client_id",
    "later", "whole", "document", "body",
)  # fmt: skip

Pair = tuple[ConversationRecord, list[StoredMessage]]


def records(count: int) -> Iterator[Pair]:
    """The same every time but for their ids; one conversation a second, names and cities spread over all of them."""
    ids, draw = IdSource(), random.Random(1)
    for index in range(count):
        started = FIRST + index * 1000
        conversation = _conversation(index, ids.make(started), started, draw)
        messages = [
            StoredMessage(number, _message(conversation, number, text, ids.make(started + number)))
            for number, text in enumerate(SAID, 1)
        ]
        yield conversation, messages


def _conversation(index: int, id: str, started: int, draw: random.Random) -> ConversationRecord:
    return ConversationRecord(
        id=id,
        bot=BOT,
        user=f"user-{index // 2}",
        channel="rest",
        status=draw.choice(STATUSES),  # type: ignore[arg-type]  # a text out of the literal's own
        started_at=iso(started),
        updated_at=iso(started + 60_000),
        ended_at=iso(started + 60_000),
        goal="book",
        errors=int(draw.random() ** 8 * 10),
        messages=MessageCounts(draw.randrange(1, 20), draw.randrange(1, 30)),
        flow_version="1",
        data=Data(
            channel=ChannelData(id="rest", provider_name=draw.choice(PROVIDERS)),
            user=UserData(first_name=draw.choice(FIRST_NAMES), last_name=f"L{draw.randrange(1000)}"),
            entities={"city": f"Sofia {draw.randrange(500)}", "date": "2027-03-03", "people": draw.randrange(1, 9)},
        ),
    )


def _message(conversation: ConversationRecord, number: int, text: str, id: str) -> MessageRecord:
    return MessageRecord(
        id=id,
        bot=BOT,
        conversation=conversation.id,
        user=conversation.user,
        channel=conversation.channel,
        from_="bot" if number == 1 else "user",
        type="text",
        text=text,
        created_at=conversation.started_at,
        sequence=number,
    )


def _batches(made: Iterator[Pair]) -> Iterator[list[Pair]]:
    while batch := list(itertools.islice(made, BATCH)):
        yield batch


def fill_sqlite(file: Path, count: int, made: Iterator[Pair] | None = None) -> set[str]:
    """A data file as the service makes it, with ``made`` or else ``records``; gives the conversations' ids."""

    async def make() -> None:
        store = SqliteStore(file)
        await store.open()
        await store.close()

    asyncio.run(make())
    database = apsw.Connection(str(file))
    database.pragma("synchronous", "off")
    ids: set[str] = set()
    for batch in _batches(made or records(count)):
        ids.update(conversation.id for conversation, _ in batch)
        with database:
            database.executemany(
                f"insert into conversations values ({', '.join('?' * 16)}, jsonb(?))",
                [conversation_row(conversation) for conversation, _ in batch],
            )
            database.executemany(_PUT_MESSAGES, _message_rows(batch))
    database.pragma("wal_checkpoint(truncate)")
    database.execute("analyze")
    database.close()
    return ids


def fill_postgres(url: str, count: int, made: Iterator[Pair] | None = None) -> set[str]:
    """The tables as the service makes them, with ``made`` or else ``records`` and what autovacuum would do after a
    while; gives the conversations' ids."""
    ids: set[str] = set()

    async def make() -> None:
        store = PostgresStore(url)
        await store.open()
        await store.close()
        connection = await asyncpg.connect(url, server_settings={"search_path": "dialoom"})
        await connection.execute("set synchronous_commit = off")
        for batch in _batches(made or records(count)):
            ids.update(conversation.id for conversation, _ in batch)
            rows = [conversation_row(conversation) for conversation, _ in batch]
            await connection.copy_records_to_table("conversations", records=rows)
            await connection.copy_records_to_table("messages", records=_message_rows(batch), columns=_MESSAGE_COLUMNS)
        await connection.execute("vacuum (analyze) conversations")
        await connection.execute("vacuum (analyze) messages")
        await connection.close()

    asyncio.run(make())
    return ids


def _message_rows(batch: list[Pair]) -> Iterator[tuple[Any, ...]]:
    return (message_row(message) for _, messages in batch for message in messages)
