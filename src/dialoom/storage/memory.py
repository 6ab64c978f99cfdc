"""The store's twin in memory: the same answers as SQLite, nothing kept. For tests and for talks that leave no trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.errors import StoreError
from dialoom.query import matcher, order
from dialoom.storage.store import Answered, Chat, ChatKey, FilesGone, Inbound, StoredMessage, TimerRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.query import Selection
    from dialoom.storage.store import Collection, Dedupe, FileLimit, FileRow, ListRow, TokenRow, TurnWrite, Version


class _Seen(msgspec.Struct):
    body: bytes
    number: int | None
    answer: bytes | None
    seen_at: int


class MemoryStore:
    def __init__(self) -> None:
        self._is_open = False
        self._number = 0
        self._versions: dict[tuple[str, str], Version] = {}
        self._active: dict[str, str] = {}
        self._lists: dict[tuple[str, str], ListRow] = {}
        self._chats: dict[ChatKey, Chat] = {}
        self._inbox: dict[tuple[ChatKey, int], Inbound] = {}
        self._journal: dict[tuple[ChatKey, int], dict[str, bytes]] = {}
        self._seen: dict[tuple[ChatKey, str], _Seen] = {}
        self._timers: dict[tuple[ChatKey, str], int] = {}
        self._tokens: dict[tuple[str, str], TokenRow] = {}
        self._said: dict[ChatKey, dict[int, StoredMessage]] = {}
        self._later: dict[ChatKey, set[int]] = {}
        """Positions of the messages that no answer has carried yet."""
        self._files: dict[tuple[str, str], tuple[FileRow, bytes]] = {}
        self._unsent: set[tuple[str, str]] = set()
        self._records: dict[tuple[Collection, str], dict[str, bytes]] = {}
        """Bot's collection, then id: JSON text. What is kept of a record is its text, as the record changes later."""

    async def open(self) -> None:
        self._is_open = True

    async def close(self) -> None:
        self._is_open = False

    def _check(self) -> None:
        if not self._is_open:
            raise StoreError("The store is closed. Open it first.")

    # -- bots and versions

    async def publish(self, version: Version) -> None:
        self._check()
        self._versions.setdefault((version.bot, version.version), version)
        self._active[version.bot] = version.version

    async def active(self, bot: str) -> Version | None:
        self._check()
        return self._versions[bot, self._active[bot]] if bot in self._active else None

    async def version(self, bot: str, version: str) -> Version | None:
        self._check()
        return self._versions.get((bot, version))

    async def bots(self) -> list[str]:
        self._check()
        return sorted(self._active)

    async def keep_list(self, row: ListRow) -> None:
        self._check()
        self._lists[row.bot, row.type] = row

    async def lists(self, bot: str) -> list[ListRow]:
        self._check()
        return [row for (of, _), row in sorted(self._lists.items()) if of == bot]

    # -- the turn

    async def chat(self, key: ChatKey) -> Chat | None:
        self._check()
        return self._chats.get(key)

    async def answered(self, key: ChatKey, dedupe: str) -> Answered | None:
        self._check()
        seen = self._seen.get((key, dedupe))
        return None if seen is None else Answered(seen.body, seen.answer)

    async def accept(
        self, key: ChatKey, id: str, event: bytes, dedupe: Dedupe | None, now: int, files: Sequence[str] = ()
    ) -> Inbound | Answered:
        self._check()
        if dedupe is not None:
            seen = self._seen.get((key, dedupe.key))
            if seen is not None:
                return Answered(seen.body, seen.answer)
        self._send(key, files)
        self._number += 1
        if dedupe is not None:
            self._seen[key, dedupe.key] = _Seen(dedupe.body, self._number, None, now)
        row = self._inbox[key, self._number] = Inbound(key, self._number, id, event, dedupe, now)
        return row

    async def waiting(self) -> list[Inbound]:
        self._check()
        return sorted(self._inbox.values(), key=lambda row: row.number)

    async def journal(self, key: ChatKey, number: int, call: str, result: bytes) -> None:
        self._check()
        self._journal.setdefault((key, number), {}).setdefault(call, result)

    async def journaled(self, key: ChatKey, number: int) -> dict[str, bytes]:
        self._check()
        return dict(self._journal.get((key, number), {}))

    async def commit(self, write: TurnWrite) -> Answered | None:
        self._check()
        seen = self._done_before(write)
        if seen is not None:
            return seen
        chat = self._chats.get(write.key)
        if (chat.revision if chat is not None else 0) != write.revision:
            raise StoreError(
                f"The memory of a chat of bot {write.key.bot} was changed by another turn meanwhile; nothing of this "
                f"one was written. It has to be computed again from what is stored."
            )
        self._send(write.key, write.files)
        self._keep_records(write)
        if write.carried:
            await self.carry(write.key, write.carried)
        self._chats[write.key] = Chat(write.state, write.revision + 1, write.position)
        if write.dedupe is not None:
            answer = write.answer or b""
            self._seen[write.key, write.dedupe.key] = _Seen(write.dedupe.body, write.number, answer, write.now)
        if write.number is not None:
            del self._inbox[write.key, write.number]
            self._journal.pop((write.key, write.number), None)
        for name in write.cancelled:
            self._timers.pop((write.key, name), None)
        for timer in write.timers:
            self._timers[timer.key, timer.name] = timer.due
        return None

    def _done_before(self, write: TurnWrite) -> Answered | None:
        if write.dedupe is not None:
            seen = self._seen.get((write.key, write.dedupe.key))
            is_own = seen is not None and seen.answer is None and seen.number == write.number
            if seen is not None and not is_own:
                return Answered(seen.body, seen.answer)
        if write.number is not None and (write.key, write.number) not in self._inbox:
            return Answered(b"", b"")
        return None

    def _keep_records(self, write: TurnWrite) -> None:
        messages = self._records.setdefault(("messages", write.key.bot), {})
        for stored in write.messages:
            if stored.record.id in messages:
                raise StoreError(f"There is a message {stored.record.id} of bot {write.key.bot} already.")
        for stored in write.messages:
            messages[stored.record.id] = msgspec.json.encode(stored.record)
            self._said.setdefault(write.key, {})[stored.position] = stored
            if write.is_later and stored.record.from_ == "bot":
                self._later.setdefault(write.key, set()).add(stored.position)
        for record in write.records:
            conversations = self._records.setdefault(("conversations", record.bot), {})
            conversations[record.id] = msgspec.json.encode(record)

    # -- what clients read

    async def said(self, key: ChatKey, after: int, limit: int) -> list[StoredMessage]:
        self._check()
        said = self._said.get(key, {})
        return [said[position] for position in sorted(said) if position > after][:limit]

    async def last_said(self, key: ChatKey, limit: int) -> list[StoredMessage]:
        self._check()
        said = self._said.get(key, {})
        return [said[position] for position in sorted(said)[-limit:]] if limit else []

    async def later(self, key: ChatKey, limit: int) -> list[StoredMessage]:
        self._check()
        said = self._said.get(key, {})
        return [said[position] for position in sorted(self._later.get(key, ()))][:limit]

    async def carry(self, key: ChatKey, position: int) -> None:
        self._check()
        self._later[key] = {waiting for waiting in self._later.get(key, ()) if waiting > position}

    async def find(self, collection: Collection, bot: str, selection: Selection) -> list[bytes]:
        texts = self._matching(collection, bot, selection)
        # Each document stands under its text's own object, so that the order of documents gives the order of texts.
        by_document = {id(document): text for document, text in texts}
        ordered = order([document for document, _ in texts], selection.sort)
        end = None if selection.limit is None else selection.skip + selection.limit
        return [by_document[id(document)] for document in ordered[selection.skip : end]]

    async def count(self, collection: Collection, bot: str, selection: Selection) -> int:
        return len(self._matching(collection, bot, selection))

    def _matching(self, collection: Collection, bot: str, selection: Selection) -> list[tuple[dict[str, Any], bytes]]:
        self._check()
        is_match = matcher(selection.where)
        texts = self._records.get((collection, bot), {}).values()
        pairs = [(msgspec.json.decode(text, type=dict[str, Any]), text) for text in texts]
        return [(document, text) for document, text in pairs if is_match(document)]

    # -- timers

    async def due(self, now: int, limit: int) -> list[TimerRow]:
        self._check()
        rows = [TimerRow(key, name, due) for (key, name), due in self._timers.items() if due <= now]
        return sorted(rows, key=lambda row: (row.due, row.key, row.name))[:limit]

    async def next_due(self) -> int | None:
        self._check()
        return min(self._timers.values(), default=None)

    # -- tokens

    async def add_token(self, token: TokenRow) -> None:
        self._check()
        same = next((row for row in self._tokens.values() if row.hash == token.hash), None)
        if same is not None and (same.bot, same.id) != (token.bot, token.id):
            raise StoreError(f"This token of bot {token.bot} is, or was, in use already. Choose another text for it.")
        known = self._tokens.get((token.bot, token.id))
        if known is not None and known.revoked_at is None:
            raise StoreError(
                f'Bot {token.bot} has a token "{token.id}" already. Revoke it first, or give the new one another id.'
            )
        self._tokens[token.bot, token.id] = token

    async def token(self, hash: bytes) -> TokenRow | None:
        self._check()
        return next((row for row in self._tokens.values() if row.hash == hash), None)

    async def tokens(self, bot: str) -> list[TokenRow]:
        self._check()
        rows = [row for row in self._tokens.values() if row.bot == bot]
        return sorted(rows, key=lambda row: (row.created_at, row.id))

    async def revoke(self, bot: str, id: str, now: int) -> bool:
        self._check()
        row = self._tokens.get((bot, id))
        if row is None or row.revoked_at is not None:
            return False
        self._tokens[bot, id] = msgspec.structs.replace(row, revoked_at=now)
        return True

    # -- files

    async def keep_file(self, file: FileRow, content: bytes, limit: FileLimit) -> bool:
        self._check()
        recent = [row for row, _ in self._files.values() if row.created_at > limit.since]
        own = [row.size for row in recent if row.key == file.key]
        channel = [row.size for row in recent if row.key[:2] == file.key[:2]]
        if sum(own) + file.size > limit.size or len(own) >= limit.count:
            return False
        if sum(channel) + file.size > limit.channel_size or len(channel) >= limit.channel_count:
            return False
        self._files[file.key.bot, file.id] = (file, content)
        self._unsent.add((file.key.bot, file.id))
        return True

    async def file(self, bot: str, id: str) -> FileRow | None:
        self._check()
        return self._files[bot, id][0] if (bot, id) in self._files else None

    async def content(self, bot: str, id: str) -> bytes | None:
        self._check()
        return self._files[bot, id][1] if (bot, id) in self._files else None

    def _send(self, key: ChatKey, ids: Sequence[str]) -> None:
        for id in ids:
            if (key.bot, id) not in self._files or self._files[key.bot, id][0].key != key:
                raise FilesGone(f"A file that a message of bot {key.bot} names is gone, or is another user's.")
        self._unsent.difference_update((key.bot, id) for id in ids)

    # -- upkeep

    async def forget_unsent(self, before: int) -> int:
        self._check()
        old = [name for name in self._unsent if self._files[name][0].created_at < before]
        for name in old:
            del self._files[name]
            self._unsent.remove(name)
        return len(old)

    async def forget_answers(self, before: int) -> int:
        self._check()
        old = [key for key, seen in self._seen.items() if seen.seen_at < before and seen.answer is not None]
        for key in old:
            del self._seen[key]
        return len(old)
