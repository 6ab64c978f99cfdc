"""The store's twin in memory: the same answers as the others, nothing kept. For tests, and for talks that leave no
trace.

``beside`` gives another process's view on the same rows, so that a test can play several processes in one.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.errors import StoreError
from dialoom.query import place_of
from dialoom.storage import login_rows, memory_outbox, memory_sealed, memory_versions, refusals
from dialoom.storage import memory_files as user_files
from dialoom.storage.import_rows import bring_into
from dialoom.storage.limits import WANTED_BYTES, check_page, size_of
from dialoom.storage.memory_erasure import channels_of, erase
from dialoom.storage.memory_tables import Seen, Tables
from dialoom.storage.operator_indexes import check_property
from dialoom.storage.store import (
    Answered,
    Chat,
    ChatKey,
    Held,
    Inbound,
    IndexRow,
    Notice,
    Refused,
    ScheduledJob,
    StoredMessage,
    Stretch,
    TimerRow,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dialoom.query import Selection
    from dialoom.storage.marks import MarkName
    from dialoom.storage.sealed import Place, Sealed, SealedKind, SealedPage
    from dialoom.storage.store import (
        Collection,
        Dedupe,
        Deployment,
        Erased,
        FileLimit,
        FileRow,
        Forgotten,
        ListRow,
        LoginRow,
        OutboxCount,
        Outgoing,
        TokenRow,
        TurnWrite,
        Version,
        VersionRow,
    )


class MemoryStore:
    def __init__(self, tables: Tables | None = None) -> None:
        self.is_shared = False
        self._is_open = False
        self._is_dead = False
        self._tables = tables or Tables()
        self._view = self._tables.add_view()
        self._receiver: Callable[[Notice], None] | None = None

    async def open(self) -> None:
        self._is_open = True
        self._check()
        self._tables.views[self._view] = self._hear

    async def close(self) -> None:
        self._is_open = False
        self._tables.views.pop(self._view, None)
        self._tables.free(self._view)

    async def check(self) -> None:
        await self.bots()

    def _check(self) -> None:
        if self._is_dead:
            raise StoreError("This process was killed. What it held is free for the others.")
        if not self._is_open:
            raise StoreError("The store is closed. Open it first.")

    # -- several processes, for tests

    def beside(self) -> MemoryStore:
        """Another process's view on the same rows; open it like any store."""
        other = MemoryStore(self._tables)
        self.is_shared = other.is_shared = True
        return other

    def die(self) -> None:
        """What ``kill -9`` does to a process, where the others see it at once: its chats are free, nothing it does from
        here on is written."""
        self._is_dead = True
        self._tables.views.pop(self._view, None)
        self._tables.free(self._view)

    def lose(self) -> None:
        """What happens to a process that was out of touch for too long: its chats are free, and it is told so."""
        self._tables.free(self._view)
        self._hear(Notice("lost"))

    def _hear(self, notice: Notice) -> None:
        if self._receiver is not None:
            self._receiver(notice)

    # -- bots and versions

    async def publish(self, version: Version) -> None:
        self._check()
        memory_versions.publish(self._tables, version)

    async def roll_back(self, bot: str, version: str, now: int) -> None:
        self._check()
        memory_versions.roll_back(self._tables, bot, version, now)

    async def active(self, bot: str) -> Version | None:
        self._check()
        active = self._tables.active.get(bot)
        return None if active is None else self._tables.versions[bot, active][0]

    async def version(self, bot: str, version: str) -> Version | None:
        self._check()
        known = self._tables.versions.get((bot, version))
        return None if known is None else known[0]

    async def versions(self, bot: str) -> list[VersionRow]:
        self._check()
        return memory_versions.rows(self._tables, bot)

    async def bots(self) -> list[str]:
        self._check()
        return sorted(self._tables.active)

    async def deployments(self) -> list[Deployment]:
        self._check()
        return memory_versions.deployments(self._tables)

    async def keep_list(self, row: ListRow) -> None:
        self._check()
        self._tables.lists[row.bot, row.type] = row

    async def lists(self, bot: str) -> list[ListRow]:
        self._check()
        return [row for (of, _), row in sorted(self._tables.lists.items()) if of == bot]

    # -- the turn

    async def chat(self, key: ChatKey) -> Chat | None:
        self._check()
        return self._tables.chats.get(key)

    async def answered(self, key: ChatKey, dedupe: str) -> Answered | None:
        self._check()
        seen = self._tables.seen.get((key, dedupe))
        return None if seen is None else Answered(seen.body, seen.answer)

    async def accept(
        self,
        key: ChatKey,
        id: str,
        event: bytes,
        dedupe: Dedupe | None,
        now: int,
        files: Sequence[str] = (),
        most: int | None = None,
    ) -> Inbound | Answered:
        self._check()
        if dedupe is not None:
            seen = self._tables.seen.get((key, dedupe.key))
            if seen is not None:
                return Answered(seen.body, seen.answer)
        ahead = len(self._tables.waiting(key)) if self.is_shared else 0
        if self.is_shared and most is not None and ahead >= most:
            raise refusals.inbox_full(key.bot, most)
        user_files.send(self._tables, key, files)
        self._tables.number = number = self._tables.number + 1
        if dedupe is not None:
            self._tables.seen[key, dedupe.key] = Seen(dedupe.body, number, None, now)
        row = Inbound(key, number, id, event, dedupe, now)
        self._tables.inbox[key, number] = row
        return msgspec.structs.replace(row, ahead=ahead)

    async def hold(self, key: ChatKey) -> Held | None:
        self._check()
        if self._tables.leases.setdefault(key, self._view) != self._view:
            return None
        return Held(self._tables.chats.get(key), tuple(self._tables.waiting(key)))

    async def let_go(self, keys: Sequence[ChatKey]) -> None:
        self._check()
        for key in keys:
            if self._tables.leases.get(key) == self._view:
                del self._tables.leases[key]

    async def orphans(self) -> list[ChatKey]:
        self._check()
        return sorted({key for key, _ in self._tables.inbox if not self.is_shared or key not in self._tables.leases})

    def tell(self, notice: Notice) -> None:
        if not self._is_open or self._is_dead:
            return
        for view in self._tables.views:
            if view != self._view:
                asyncio.get_running_loop().call_soon(self._tables.pass_on, view, notice)

    def listen(self, receiver: Callable[[Notice], None]) -> None:
        self._receiver = receiver

    async def journal(self, key: ChatKey, number: int, call: str, result: bytes) -> None:
        self._check()
        is_held = not self.is_shared or self._tables.leases.get(key) == self._view
        if not is_held or (key, number) not in self._tables.inbox:
            raise refusals.not_its_call(key.bot)
        self._tables.journal.setdefault((key, number), {}).setdefault(call, result)

    async def journaled(self, key: ChatKey, number: int) -> dict[str, bytes]:
        self._check()
        return dict(self._tables.journal.get((key, number), {}))

    async def commit(self, write: TurnWrite) -> Answered | None:
        self._check()
        seen = self._done_before(write)
        if seen is not None:
            return seen
        self._refuse_overtaken(write)
        user_files.send(self._tables, write.key, write.files)
        self._keep_records(write)
        if write.carried:
            self._carry(write.key, write.carried)
        self._tables.keep_chat(write.key, Chat(write.state, write.revision + 1, write.position), write.now)
        if write.dedupe is not None:
            answer = write.answer or b""
            self._tables.seen[write.key, write.dedupe.key] = Seen(write.dedupe.body, write.number, answer, write.now)
        if write.number is not None:
            del self._tables.inbox[write.key, write.number]
            self._tables.journal.pop((write.key, write.number), None)
        for name in write.cancelled:
            self._tables.timers.pop((write.key, name), None)
        for timer in write.timers:
            self._tables.timers[timer.key, timer.name] = timer.due
        self._tables.post(write.outbox)
        return None

    def _done_before(self, write: TurnWrite) -> Answered | None:
        if write.dedupe is not None:
            seen = self._tables.seen.get((write.key, write.dedupe.key))
            is_own = seen is not None and seen.answer is None and seen.number == write.number
            if seen is not None and not is_own:
                return Answered(seen.body, seen.answer)
        if write.number is not None and (write.key, write.number) not in self._tables.inbox:
            return Answered(b"", b"")
        return None

    def _refuse_overtaken(self, write: TurnWrite) -> None:
        key = write.key
        if self.is_shared:
            if self._tables.leases.get(key) != self._view:
                raise refusals.not_held(key.bot)
            if any(write.number is None or row.number < write.number for row in self._tables.waiting(key)):
                raise refusals.not_its_turn(key.bot)
        chat = self._tables.chats.get(key)
        if (chat.revision if chat is not None else 0) != write.revision:
            raise refusals.changed_meanwhile(key.bot)

    def _keep_records(self, write: TurnWrite) -> None:
        messages = self._tables.records.setdefault(("messages", write.key.bot), {})
        for stored in write.messages:
            if stored.record.id in messages:
                raise Refused(f"There is a message {stored.record.id} of bot {write.key.bot} already.")
        for row in write.outbox:
            if (row.key, row.receiver, row.id) in self._tables.outbox:
                raise Refused(f"There is a delivery {row.id} of bot {write.key.bot} already.")
        for stored in write.messages:
            messages[stored.record.id] = msgspec.json.encode(stored.record)
            self._tables.said.setdefault(write.key, {})[stored.position] = stored
            if write.is_later and stored.record.from_ == "bot":
                self._tables.later.setdefault(write.key, set()).add(stored.position)
        for record in write.records:
            conversations = self._tables.records.setdefault(("conversations", record.bot), {})
            conversations[record.id] = msgspec.json.encode(record)

    # -- what clients read

    async def said(self, key: ChatKey, after: int, limit: int) -> list[StoredMessage]:
        self._check()
        said = self._tables.said.get(key, {})
        return [said[position] for position in sorted(said) if position > after][:limit]

    async def last_said(self, key: ChatKey, limit: int) -> list[StoredMessage]:
        self._check()
        said = self._tables.said.get(key, {})
        return [said[position] for position in sorted(said)[-limit:]] if limit else []

    async def later(self, key: ChatKey, limit: int) -> list[StoredMessage]:
        self._check()
        said = self._tables.said.get(key, {})
        return [said[position] for position in sorted(self._tables.later.get(key, ()))][:limit]

    async def carry(self, key: ChatKey, position: int) -> None:
        self._check()
        self._carry(key, position)

    def _carry(self, key: ChatKey, position: int) -> None:
        later = self._tables.later
        later[key] = {waiting for waiting in later.get(key, ()) if waiting > position}

    async def find(self, collection: Collection, bot: str, selection: Selection) -> list[bytes]:
        self._check()
        end = None if selection.limit is None else selection.skip + selection.limit
        found = [text for _, text in self._tables.ordered(collection, bot, selection)[selection.skip : end]]
        if selection.limit is not None:
            check_page(size_of(found))
        return found

    async def stretch(self, collection: Collection, bot: str, selection: Selection, rows: int) -> Stretch:
        self._check()
        records: list[bytes] = []
        size = 0
        for document, text in self._tables.ordered(collection, bot, selection):
            records.append(text)
            size += len(text)
            if len(records) == rows or size >= WANTED_BYTES:
                return Stretch(records, place_of(selection.sort)(document))
        return Stretch(records, None)

    async def count(self, collection: Collection, bot: str, selection: Selection) -> int:
        self._check()
        return len(self._tables.matching(collection, bot, selection))

    # -- one user

    async def channels_of(self, bot: str, user: str) -> list[str]:
        self._check()
        return channels_of(self._tables, bot, user)

    async def files_of(self, key: ChatKey) -> list[FileRow]:
        self._check()
        rows = [row for row, _ in self._tables.files.values() if row.key == key]
        return sorted(rows, key=lambda row: (row.created_at, row.id))

    async def erase(self, key: ChatKey, limit: int) -> Erased:
        self._check()
        return erase(self._tables, key, limit)

    async def scrub(self, *, whole: bool = False) -> bool:
        self._check()
        return True

    # -- records from elsewhere

    async def bring_in(
        self, collection: Collection, bot: str, documents: Sequence[dict[str, Any]], source: str, line: int
    ) -> int:
        self._check()
        return bring_into(self._tables, collection, bot, documents, source, line)

    async def brought_in(self, bot: str, source: str) -> int:
        self._check()
        return self._tables.imports.get((bot, source), 0)

    async def add_index(self, collection: Collection, property: str) -> None:
        """It needs none, and knows of it all the same."""
        self._check()
        check_property(collection, property)
        self._tables.indexes.add(IndexRow(collection, property, is_ready=True))

    async def drop_index(self, collection: Collection, property: str) -> bool:
        self._check()
        row = IndexRow(collection, property, is_ready=True)
        was_there = row in self._tables.indexes
        self._tables.indexes.discard(row)
        return was_there

    async def indexes(self) -> list[IndexRow]:
        self._check()
        return sorted(self._tables.indexes)

    # -- timers

    async def due(self, now: int, limit: int) -> list[TimerRow]:
        self._check()
        leases, mine = self._tables.leases, (None, self._view)
        rows = [
            TimerRow(key, name, due)
            for (key, name), due in self._tables.timers.items()
            if due <= now and leases.get(key) in mine
        ]
        return sorted(rows, key=lambda row: (row.due, row.key, row.name))[:limit]

    async def next_due(self) -> int | None:
        self._check()
        return min(self._tables.timers.values(), default=None)

    async def plan(self, chore: ScheduledJob) -> None:
        self._check()
        self._tables.chores.setdefault((chore.bot, chore.name), chore.due)

    async def take_chores(self, now: int, until: int, limit: int) -> list[ScheduledJob]:
        self._check()
        rows = [ScheduledJob(bot, name, due) for (bot, name), due in self._tables.chores.items() if due <= now]
        taken = sorted(rows, key=lambda chore: (chore.due, chore.bot, chore.name))[:limit]
        for chore in taken:
            self._tables.chores[chore.bot, chore.name] = until
        return taken

    async def finish_chore(self, bot: str, name: str, due: int | None) -> None:
        self._check()
        if due is None:
            self._tables.chores.pop((bot, name), None)
        else:
            self._tables.chores[bot, name] = due

    # -- the outbox

    async def take_outgoing(self, now: int, until: int, limit: int) -> list[Outgoing]:
        self._check()
        return memory_outbox.take(self._tables, now, until, limit)

    async def delivered(self, delivery: Outgoing, now: int) -> None:
        self._check()
        if memory_outbox.deliver(self._tables, delivery, now):
            self._carry(delivery.key, delivery.carries)

    async def postpone(self, delivery: Outgoing, now: int, due: int, reason: str) -> None:
        self._check()
        memory_outbox.attempted(self._tables, delivery, due=due, reason=reason)

    async def give_back(self, deliveries: Sequence[Outgoing], now: int, due: int) -> None:
        self._check()
        memory_outbox.give_back(self._tables, deliveries, due)

    async def bring_forward(self, now: int, ahead: int, limit: int) -> int:
        self._check()
        return memory_outbox.bring_forward(self._tables, now, ahead, limit)

    async def bury(self, delivery: Outgoing, now: int, reason: str) -> None:
        self._check()
        memory_outbox.attempted(self._tables, delivery, dead_at=now, reason=reason)
        self._tables.hand_on(now)

    async def dead(self, bot: str, limit: int) -> list[Outgoing]:
        self._check()
        return memory_outbox.dead(self._tables, bot, limit)

    async def resend(self, bot: str, ids: Sequence[str] | None, now: int) -> int:
        self._check()
        return memory_outbox.resend(self._tables, bot, ids, now)

    async def drop(self, bot: str, ids: Sequence[str] | None) -> int:
        self._check()
        return memory_outbox.drop(self._tables, self._tables.dead(bot, ids))

    async def forget_dead(self, bot: str, before: int, limit: int) -> int:
        self._check()
        return memory_outbox.drop(self._tables, memory_outbox.dead_before(self._tables, bot, before)[:limit])

    async def outbox_counts(self) -> list[OutboxCount]:
        self._check()
        return self._tables.outbox_counts()

    # -- tokens

    async def add_token(self, token: TokenRow) -> None:
        self._check()
        tokens = self._tables.tokens
        same = next((row for row in tokens.values() if row.hash == token.hash), None)
        if same is not None and (same.bot, same.id) != (token.bot, token.id):
            raise refusals.hash_in_use(token.bot)
        known = tokens.get((token.bot, token.id))
        if known is not None and known.revoked_at is None:
            raise refusals.id_in_use(token.bot, token.id)
        tokens[token.bot, token.id] = token

    async def token(self, hash: bytes) -> TokenRow | None:
        self._check()
        return next((row for row in self._tables.tokens.values() if row.hash == hash), None)

    async def tokens(self, bot: str) -> list[TokenRow]:
        self._check()
        rows = [row for row in self._tables.tokens.values() if row.bot == bot]
        return sorted(rows, key=lambda row: (row.created_at, row.id))

    async def revoke(self, bot: str, id: str, now: int) -> bool:
        self._check()
        row = self._tables.tokens.get((bot, id))
        if row is None or row.revoked_at is not None:
            return False
        self._tables.tokens[bot, id] = msgspec.structs.replace(row, revoked_at=now)
        return True

    # -- times of the service itself

    async def marks(self) -> dict[str, int]:
        self._check()
        return dict(self._tables.marks)

    async def set_mark(self, name: MarkName, at: int | None) -> None:
        self._check()
        if at is None:
            self._tables.marks.pop(name, None)
        else:
            self._tables.marks[name] = at

    # -- login links

    async def open_login(self, row: LoginRow) -> LoginRow:
        self._check()
        return login_rows.open_login(self._tables, row)

    async def login(self, key: ChatKey, link: str) -> LoginRow | None:
        self._check()
        return self._tables.logins.get((key, link))

    async def change_login(self, before: LoginRow, after: LoginRow) -> bool:
        self._check()
        return login_rows.change(self._tables, before, after)

    async def forget_logins(self, bot: str, before: int) -> int:
        self._check()
        return login_rows.forget(self._tables, bot, before)

    # -- what is sealed

    async def sealed(self, kind: SealedKind, bot: str, mark: bytes, after: Place | None, limit: int) -> SealedPage:
        self._check()
        return memory_sealed.page(self._tables, kind, bot, mark, after, limit)

    async def reseal(self, kind: SealedKind, bot: str, changes: Sequence[tuple[Sealed, Sealed]]) -> int:
        self._check()
        return memory_sealed.put(self._tables, kind, bot, changes)

    async def reseal_file(self, before: FileRow, about: bytes, content: bytes) -> bool:
        self._check()
        return memory_sealed.put_file(self._tables, before, about, content)

    # -- files

    async def keep_file(self, file: FileRow, content: bytes, limit: FileLimit) -> bool:
        self._check()
        return user_files.keep(self._tables, file, content, limit)

    async def file(self, bot: str, id: str) -> FileRow | None:
        self._check()
        known = self._tables.files.get((bot, id))
        return None if known is None else known[0]

    async def content(self, bot: str, id: str) -> bytes | None:
        self._check()
        known = self._tables.files.get((bot, id))
        return None if known is None else known[1]

    async def piece(self, file: FileRow, number: int) -> bytes | None:
        self._check()
        return user_files.piece(self._tables, file, number)

    # -- upkeep

    async def forget_unsent(self, bot: str, before: int) -> int:
        self._check()
        return user_files.forget_unsent(self._tables, bot, before)

    async def forget_conversations(
        self, bot: str, before: str, limit: int, after: tuple[str, str] | None = None
    ) -> Forgotten:
        self._check()
        return self._tables.forget_conversations(bot, before, limit, after or ("", ""))

    async def forget_chats(self, bot: str, before: int, limit: int) -> int:
        self._check()
        return self._tables.forget_bare_chats(bot, before, limit)

    async def forget_answers(self, bot: str, before: int) -> int:
        self._check()
        return self._tables.forget_answers(bot, before)
