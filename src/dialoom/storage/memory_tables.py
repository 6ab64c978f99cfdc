"""What the twin in memory holds: rows in plain dicts, which several views of it may share, and what leads over many.

Every change is one step of the event loop, which is what a transaction is elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.query import matcher, sort_key, turner
from dialoom.storage.attachment_names import named_files
from dialoom.storage.store import ChatKey, Forgotten, OutboxCount

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dialoom.query import Selection
    from dialoom.storage.store import (
        Chat,
        Collection,
        FileRow,
        Inbound,
        IndexRow,
        ListRow,
        LoginRow,
        Notice,
        Outgoing,
        StoredMessage,
        TokenRow,
        Version,
        VersionRow,
    )

Delivery = tuple[ChatKey, str, str]
"""Chat, receiver, id."""


class Seen(msgspec.Struct):
    body: bytes
    number: int | None
    answer: bytes | None
    seen_at: int


class Tables:
    def __init__(self) -> None:
        self.number = 0
        """The last number given to an inbox row."""
        self.versions: dict[tuple[str, str], tuple[Version, VersionRow]] = {}
        self.active: dict[str, str] = {}
        self.lists: dict[tuple[str, str], ListRow] = {}
        self.chats: dict[ChatKey, Chat] = {}
        self.bare: dict[ChatKey, int] = {}
        """Chats in which nothing was said yet: when something last came into them."""
        self.inbox: dict[tuple[ChatKey, int], Inbound] = {}
        self.journal: dict[tuple[ChatKey, int], dict[str, bytes]] = {}
        self.seen: dict[tuple[ChatKey, str], Seen] = {}
        self.timers: dict[tuple[ChatKey, str], int] = {}
        self.chores: dict[tuple[str, str], int] = {}
        self.outbox: dict[Delivery, Outgoing] = {}
        """In the order in which turns wrote them, those of one turn by id."""
        self.tokens: dict[tuple[str, str], TokenRow] = {}
        self.marks: dict[str, int] = {}
        self.logins: dict[tuple[ChatKey, str], LoginRow] = {}
        self.said: dict[ChatKey, dict[int, StoredMessage]] = {}
        self.later: dict[ChatKey, set[int]] = {}
        """Positions of the messages that no answer has carried yet."""
        self.files: dict[tuple[str, str], tuple[FileRow, bytes]] = {}
        self.unsent: set[tuple[str, str]] = set()
        self.records: dict[tuple[Collection, str], dict[str, bytes]] = {}
        """Bot's collection, then id: JSON text. What is kept of a record is its text, as the record changes later."""
        self.imports: dict[tuple[str, str], int] = {}
        """Bot and source: the line up to which it was read."""
        self.indexes: set[IndexRow] = set()
        self.leases: dict[ChatKey, int] = {}
        """The view that holds a chat."""
        self.views: dict[int, Callable[[Notice], None]] = {}
        """The open views, each with what it hears by."""
        self.last_view = 0

    # -- several views

    def add_view(self) -> int:
        self.last_view += 1
        return self.last_view

    def free(self, view: int) -> None:
        self.leases = {key: holder for key, holder in self.leases.items() if holder != view}

    def pass_on(self, view: int, notice: Notice) -> None:
        """A view that is gone by then misses it."""
        if (hear := self.views.get(view)) is not None:
            hear(notice)

    def waiting(self, key: ChatKey) -> list[Inbound]:
        return sorted((row for row in self.inbox.values() if row.key == key), key=lambda row: row.number)

    # -- chats

    def keep_chat(self, key: ChatKey, chat: Chat, now: int) -> None:
        self.chats[key] = chat
        self.bare.pop(key, None)
        if chat.position == 0:
            self.bare[key] = now

    def forget_bare_chats(self, bot: str, before: int, limit: int) -> int:
        known = {_key(msgspec.json.decode(text)) for text in self.records.get(("conversations", bot), {}).values()}
        old = [key for key, since in self.bare.items() if key.bot == bot and since < before]
        old = [key for key in old if key not in known and not self._waits(key)]
        gone = sorted(old, key=lambda key: self.bare[key])[:limit]
        for key in gone:
            self.forget_chat(key)
        return len(gone)

    # -- records

    def matching(self, collection: Collection, bot: str, selection: Selection) -> list[tuple[dict[str, Any], bytes]]:
        is_match = matcher(selection.where)
        texts = self.records.get((collection, bot), {}).values()
        pairs = [(msgspec.json.decode(text, type=dict[str, Any]), text) for text in texts]
        return [(document, text) for document, text in pairs if is_match(document)]

    def ordered(self, collection: Collection, bot: str, selection: Selection) -> list[tuple[dict[str, Any], bytes]]:
        """Those behind the selection's place, in its order."""
        key = sort_key(selection.sort)
        keyed = [(key(document), document, text) for document, text in self.matching(collection, bot, selection)]
        if selection.after is not None:
            least = turner(selection.sort)(selection.after)
            keyed = [one for one in keyed if least < one[0]]
        return [(document, text) for _, document, text in sorted(keyed, key=lambda one: one[0])]

    # -- the outbox

    def heads(self) -> list[Outgoing]:
        """Of each chat and receiver the first delivery that waits."""
        first: dict[tuple[ChatKey, str], Outgoing] = {}
        for row in self.outbox.values():
            if row.dead_at is None:
                first.setdefault((row.key, row.receiver), row)
        return list(first.values())

    def post(self, deliveries: Sequence[Outgoing]) -> None:
        """Those of a turn. Behind others they are due when they are first."""
        waiting = {(row.key, row.receiver) for row in self.outbox.values() if row.dead_at is None}
        for row in sorted(deliveries, key=lambda row: row.id):
            line = (row.key, row.receiver)
            self.outbox[*line, row.id] = msgspec.structs.replace(row, due=0) if line in waiting else row
            waiting.add(line)

    def hand_on(self, now: int) -> None:
        """Those that are first now, and never were before, are due."""
        for row in self.heads():
            if row.due == 0:
                self.outbox[row.key, row.receiver, row.id] = msgspec.structs.replace(row, due=now)

    def claimed(self, delivery: Outgoing) -> Delivery | None:
        """Its place in the outbox, while it waits there and nobody else has taken or settled it."""
        place = (delivery.key, delivery.receiver, delivery.id)
        found = self.outbox.get(place)
        if found is None or found.dead_at is not None:
            return None
        return place if (found.due, found.attempts) == (delivery.due, delivery.attempts) else None

    def dead(self, bot: str, ids: Sequence[str] | None) -> list[Delivery]:
        """The oldest first."""
        rows = [
            row
            for row in self.outbox.values()
            if row.key.bot == bot and row.dead_at is not None and (ids is None or row.id in ids)
        ]
        oldest = sorted(rows, key=lambda row: (row.created_at, row.id))
        return [(row.key, row.receiver, row.id) for row in oldest]

    def outbox_counts(self) -> list[OutboxCount]:
        counts: dict[str, OutboxCount] = {}
        for row in self.outbox.values():
            bot, waiting, dead = counts.get(row.key.bot) or OutboxCount(row.key.bot, 0, 0)
            is_dead = row.dead_at is not None
            counts[bot] = OutboxCount(bot, waiting + (not is_dead), dead + is_dead)
        return [counts[bot] for bot in sorted(counts)]

    # -- retention

    def forget_conversations(self, bot: str, before: str, limit: int, after: tuple[str, str]) -> Forgotten:
        conversations = self.records.get(("conversations", bot), {})
        documents = [msgspec.json.decode(text, type=dict[str, Any]) for text in conversations.values()]
        begun = [one for one in sorted(documents, key=_place) if _place(one) > after and one["StartedAt"] < before][
            :limit
        ]
        old = [one for one in begun if one["UpdatedAt"] < before and not self._waits(_key(one))]
        texts: dict[ChatKey, list[str]] = {_key(one): [] for one in old}
        for document in old:
            del conversations[document["_id"]]
            texts[_key(document)] += self._forget_messages(bot, document["_id"])
        left = {_key(one) for one in documents if one["_id"] in conversations}
        for key, said in texts.items():
            if key in left:
                self._forget_files(key, said)
            else:
                self.forget_chat(key)
        last = _place(begun[-1]) if begun else after
        return Forgotten(len(old), last if len(begun) == limit else None)

    def _forget_messages(self, bot: str, conversation: str) -> list[str]:
        """Gives their texts."""
        texts = self.records.get(("messages", bot), {})
        for key, said in self.said.items():
            if key.bot != bot:
                continue
            for position, stored in list(said.items()):
                if stored.record.conversation == conversation:
                    del said[position]
                    self.later.get(key, set()).discard(position)
        # Those from elsewhere stand here alone.
        ids = [id for id, text in texts.items() if msgspec.json.decode(text)["Conversation"] == conversation]
        return [texts.pop(id).decode() for id in ids]

    def _forget_files(self, key: ChatKey, said: list[str]) -> None:
        """The files that messages named which are gone, and no other message of the user does."""
        texts = self.records.get(("messages", key.bot), {}).values()
        documents = ((msgspec.json.decode(text, type=dict[str, Any]), text) for text in texts)
        still = named_files(text.decode() for document, text in documents if _key(document) == key)
        for id in set(named_files(said)).difference(still):
            name = (key.bot, id)
            if name in self.files and self.files[name][0].key == key and name not in self.unsent:
                del self.files[name]

    def forget_answers(self, bot: str, before: int) -> int:
        self.journal = {name: kept for name, kept in self.journal.items() if name[0].bot != bot or name in self.inbox}
        seen = self.seen.items()
        old = [name for name, row in seen if name[0].bot == bot and row.seen_at < before and row.answer is not None]
        for name in old:
            del self.seen[name]
        return len(old)

    def _waits(self, key: ChatKey) -> bool:
        is_posted = any(row.key == key and row.dead_at is None for row in self.outbox.values())
        return is_posted or bool(self.waiting(key))

    def forget_chat(self, key: ChatKey) -> None:
        """Memory with its timers and login links, answers, results of calls, dead letters, files and lease. Messages
        went with their conversations."""
        self.chats.pop(key, None)
        self.bare.pop(key, None)
        self.leases.pop(key, None)
        self.journal = {name: kept for name, kept in self.journal.items() if name[0] != key}
        self.timers = {name: due for name, due in self.timers.items() if name[0] != key}
        self.logins = {name: row for name, row in self.logins.items() if name[0] != key}
        self.seen = {name: seen for name, seen in self.seen.items() if name[0] != key}
        self.outbox = {place: row for place, row in self.outbox.items() if place[0] != key}
        files = [name for name, (row, _) in self.files.items() if row.key == key]
        for name in files:
            del self.files[name]
            self.unsent.discard(name)


def _key(record: dict[str, Any]) -> ChatKey:
    return ChatKey(record["Bot"], record["Channel"], record["User"])


def _place(conversation: dict[str, Any]) -> tuple[str, str]:
    return conversation["StartedAt"], conversation["_id"]
