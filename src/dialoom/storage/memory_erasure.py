"""Erases a user in the twin in memory: so many records a step, the rest with the last one, as the databases do."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.storage.store import ChatKey, Erased

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.storage.memory_tables import Tables
    from dialoom.storage.store import Collection


def channels_of(tables: Tables, bot: str, user: str) -> list[str]:
    keys = {*tables.chats, *(row.key for row in tables.outbox.values()), *(row.key for row, _ in tables.files.values())}
    keys |= {key for places in (tables.inbox, tables.journal, tables.seen) for key, *_ in places}
    found = {key.channel for key in keys if (key.bot, key.user) == (bot, user)}
    collections: tuple[Collection, ...] = ("conversations", "messages")
    for collection in collections:
        found |= {one["Channel"] for _, one in _records(tables, collection, bot) if one["User"] == user}
    return sorted(found)


def erase(tables: Tables, key: ChatKey, limit: int) -> Erased:
    conversations = list(_of_user(tables, "conversations", key))
    mine = _messages(tables, key, set(conversations))
    messages = list(islice(mine, limit))
    _delete_messages(tables, key, messages)
    # The last of a line go first, as in the databases.
    letters = [place for place in reversed(tables.outbox) if place[0] == key][: limit - len(messages)]
    for place in letters:
        del tables.outbox[place]
    if len(messages) + len(letters) == limit:
        return Erased(0, len(messages), 0, len(letters), had_memory=False, is_done=False)
    for id in conversations:
        del tables.records["conversations", key.bot][id]
    files = sum(row.key == key for row, _ in tables.files.values())
    had_memory = key in tables.chats
    tables.inbox = {name: row for name, row in tables.inbox.items() if name[0] != key}
    tables.said.pop(key, None)
    tables.later.pop(key, None)
    tables.forget_chat(key)
    return Erased(len(conversations), len(messages), files, len(letters), had_memory=had_memory, is_done=True)


def _messages(tables: Tables, key: ChatKey, conversations: set[str]) -> Iterator[str]:
    """Those of the user, and whatever else stands in a conversation of theirs."""
    for id, one in _records(tables, "messages", key.bot):
        if one["Conversation"] in conversations or _key(one) == key:
            yield id


def _delete_messages(tables: Tables, key: ChatKey, ids: list[str]) -> None:
    gone = set(ids)
    for id in ids:
        del tables.records["messages", key.bot][id]
    said = tables.said.get(key, {})
    for position in [place for place, stored in said.items() if stored.record.id in gone]:
        del said[position]
        tables.later.get(key, set()).discard(position)


def _of_user(tables: Tables, collection: Collection, key: ChatKey) -> Iterator[str]:
    return (id for id, one in _records(tables, collection, key.bot) if _key(one) == key)


def _records(tables: Tables, collection: Collection, bot: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for id, text in [*tables.records.get((collection, bot), {}).items()]:
        yield id, msgspec.json.decode(text, type=dict[str, Any])


def _key(record: dict[str, Any]) -> ChatKey:
    return ChatKey(record["Bot"], record["Channel"], record["User"])
