"""The methods of a store that are one statement with the same values on every database, and what its rows become.

The SQL stands in ``queries/shared.sql`` or, in the words of one database, in its ``queries/own.sql``. How a statement
is run is the store's.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from dialoom.storage.rows import (
    Answered,
    Chat,
    ChatKey,
    Deployment,
    FileRow,
    ListRow,
    LoginRow,
    OutboxCount,
    Outgoing,
    Row,
    ScheduledJob,
    StoredMessage,
    StudioRow,
    TokenRow,
    Version,
    VersionRow,
    dead_letter,
    login_place,
    login_row,
    login_state,
    stored_message,
    token_row,
    version_row,
)
from dialoom.storage.sql_files import Query, load

if TYPE_CHECKING:
    from dialoom.storage.store import MarkName

SHARED: Final = load("", "shared")
MAX_FORGOTTEN_ROWS: Final = 100
"""Rows of the studio that one commit deletes."""


class SharedMethods(Protocol):
    """What a store inherits; ``_rows``, ``_row`` and ``_change`` are its own."""

    _own: Mapping[str, Query]
    """The statements in the words of its database, by name."""
    _most: Mapping[str, int]
    """How many rows one commit of such a statement changes at most: turns that wait come between two commits."""

    def _rows(self, query: Query, *values: object) -> Awaitable[Sequence[Row]]:
        """Return all rows that a query finds."""
        ...

    def _row(self, query: Query, *values: object) -> Awaitable[Row | None]:
        """Return the first row that a query finds."""
        ...

    def _change(self, query: Query, *values: object) -> Awaitable[int]:
        """Run a statement durably and return the number of rows that it changed."""
        ...

    async def _in_steps(self, step: Callable[[], Awaitable[int]], most: int) -> int:
        """Repeat a change that is a commit of its own until it changes fewer rows than it may; return how many rows
        were changed."""
        changed, last = 0, most
        while last == most:
            last = await step()
            changed += last
        return changed

    async def _change_all(self, name: str, *values: object) -> int:
        most = self._most[name]
        return await self._in_steps(lambda: self._change(self._own[name], *values, most), most)

    # -- bots and versions

    async def active(self, bot: str) -> Version | None:
        row = await self._row(SHARED["active"], bot)
        return None if row is None else Version(*row)

    async def version(self, bot: str, version: str) -> Version | None:
        row = await self._row(SHARED["version"], bot, version)
        return None if row is None else Version(*row)

    async def versions(self, bot: str) -> list[VersionRow]:
        return [version_row(row) for row in await self._rows(SHARED["versions"], bot)]

    async def bots(self) -> list[str]:
        return [bot for (bot,) in await self._rows(SHARED["bots"])]

    async def deployments(self) -> list[Deployment]:
        return [Deployment(*row) for row in await self._rows(SHARED["deployments"])]

    async def keep_list(self, row: ListRow) -> None:
        await self._change(SHARED["keep_list"], row.bot, row.type, row.source, row.elements, row.fetched_at)

    async def lists(self, bot: str) -> list[ListRow]:
        return [ListRow(*row) for row in await self._rows(SHARED["lists"], bot)]

    # -- the turn

    async def chat(self, key: ChatKey) -> Chat | None:
        row = await self._row(SHARED["chat"], *key)
        return None if row is None else Chat(*row)

    async def answered(self, key: ChatKey, dedupe: str) -> Answered | None:
        row = await self._row(SHARED["answered"], *key, dedupe)
        return None if row is None else Answered(*row)

    async def journaled(self, key: ChatKey, number: int) -> dict[str, bytes]:
        return dict(await self._rows(SHARED["journaled"], *key, number))

    # -- what clients read

    async def said(self, key: ChatKey, after: int, limit: int) -> list[StoredMessage]:
        return [stored_message(row) for row in await self._rows(SHARED["said"], *key, max(after, 0), limit)]

    async def last_said(self, key: ChatKey, limit: int) -> list[StoredMessage]:
        rows = await self._rows(SHARED["last_said"], *key, limit)
        return [stored_message(row) for row in reversed(rows)]

    async def record_of(self, key: ChatKey, id: str | None) -> str | None:
        row = await (self._row(SHARED["last_record"], *key) if id is None else self._row(SHARED["record_of"], *key, id))
        return None if row is None else str(row[0])

    async def change_record(self, key: ChatKey, id: str, before: str, after: str, updated_at: str) -> bool:
        return bool(await self._change(self._own["change_record"], after, updated_at, *key, id, before))

    async def later(self, key: ChatKey, limit: int) -> list[StoredMessage]:
        return [stored_message(row) for row in await self._rows(SHARED["later"], *key, limit)]

    async def files_of(self, key: ChatKey) -> list[FileRow]:
        return [FileRow(ChatKey(*row[:3]), *row[3:]) for row in await self._rows(SHARED["files_of"], *key)]

    async def imported_lines(self, bot: str, source: str) -> int:
        row = await self._row(SHARED["imported_lines"], bot, source)
        return 0 if row is None else int(row[0])

    # -- scheduled jobs and dead letters

    async def plan(self, job: ScheduledJob) -> None:
        await self._change(SHARED["plan_job"], *job)

    async def finish_job(self, bot: str, name: str, due: int | None) -> None:
        if due is None:
            await self._change(SHARED["end_job"], bot, name)
        else:
            await self._change(SHARED["move_job"], bot, name, due)

    async def dead(self, bot: str, limit: int) -> list[Outgoing]:
        return [dead_letter(row) for row in await self._rows(SHARED["dead_letters"], bot, limit)]

    async def drop(self, bot: str, ids: Sequence[str] | None) -> int:
        return await self._change_all("drop_letters", bot, json_list(ids))

    async def forget_dead(self, bot: str, before: int, limit: int) -> int:
        return await self._change(self._own["forget_letters"], bot, before, limit)

    async def outbox_counts(self) -> list[OutboxCount]:
        return [OutboxCount(*row) for row in await self._rows(self._own["outbox_counts"])]

    # -- tokens, times, login links

    async def token(self, hash: bytes) -> TokenRow | None:
        row = await self._row(SHARED["token"], hash)
        return None if row is None else token_row(row)

    async def tokens(self, bot: str) -> list[TokenRow]:
        return [token_row(row) for row in await self._rows(SHARED["tokens"], bot)]

    async def revoke(self, bot: str, id: str, now: int) -> bool:
        return bool(await self._change(SHARED["revoke"], now, bot, id))

    async def marks(self) -> dict[str, int]:
        return dict(await self._rows(SHARED["marks"]))

    async def set_mark(self, name: MarkName, at: int | None) -> None:
        if at is None:
            await self._change(SHARED["drop_mark"], name)
        else:
            await self._change(SHARED["put_mark"], name, at)

    async def login(self, key: ChatKey, link: str) -> LoginRow | None:
        row = await self._row(SHARED["login"], *key, link)
        return None if row is None else login_row(key, link, row)

    async def open_login(self, row: LoginRow) -> LoginRow:
        await self._change(self._own["open_login"], *login_place(row), *login_state(row))
        return await self.login(row.key, row.link) or row

    async def forget_logins(self, bot: str, before: int) -> int:
        return await self._change_all("forget_logins", bot, before)

    async def change_login(self, before: LoginRow, after: LoginRow) -> bool:
        return bool(
            await self._change(SHARED["change_login"], *login_state(after), *login_place(before), *login_state(before))
        )

    # -- what the studio keeps

    async def studio_row(self, bot: str, kind: str, id: str) -> StudioRow | None:
        row = await self._row(SHARED["studio_row"], bot, kind, id)
        return None if row is None else StudioRow(*row)

    async def studio_rows(self, bot: str, kind: str, before: str | None, limit: int) -> list[StudioRow]:
        if before is None:
            rows = await self._rows(SHARED["last_studio_rows"], bot, kind, limit)
        else:
            rows = await self._rows(SHARED["studio_rows"], bot, kind, before, limit)
        return [StudioRow(*row) for row in rows]

    async def put_studio_row(self, row: StudioRow, replaced: int | None) -> bool:
        if replaced is None:
            return bool(await self._change(SHARED["add_studio_row"], *msgspec.structs.astuple(row)))
        state = (row.revision, row.body, row.updated_at, row.expires_at)
        return bool(await self._change(SHARED["change_studio_row"], *state, row.bot, row.kind, row.id, replaced))

    async def delete_studio_row(self, bot: str, kind: str, id: str) -> bool:
        return bool(await self._change(SHARED["delete_studio_row"], bot, kind, id))

    async def forget_studio_rows(self, before: int) -> int:
        return await self._in_steps(
            lambda: self._change(SHARED["forget_studio_rows"], before, MAX_FORGOTTEN_ROWS), MAX_FORGOTTEN_ROWS
        )

    # -- files

    async def file(self, bot: str, id: str) -> FileRow | None:
        row = await self._row(SHARED["file"], bot, id)
        return None if row is None else FileRow(ChatKey(*row[:3]), *row[3:])

    async def piece(self, file: FileRow, number: int) -> bytes | None:
        row = await self._row(SHARED["piece"], file.key.bot, file.id, file.about, number)
        return None if row is None else row[0]

    # -- upkeep

    async def forget_answers(self, bot: str, before: int) -> int:
        await self._change_all("forget_results", bot)
        return await self._change_all("forget_answers", bot, before)


def json_list(ids: Sequence[str] | None) -> str | None:
    return None if ids is None else msgspec.json.encode(list(ids)).decode()
