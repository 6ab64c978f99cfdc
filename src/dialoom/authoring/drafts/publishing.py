"""Publishes a draft, lists a bot's versions and goes back to one: what ``dialoom publish`` and ``rollback`` do in the
terminal, with who did it and why."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping

import msgspec

from dialoom.authoring.drafts.credentials import refuse_changes
from dialoom.authoring.drafts.drafts import Draft, Drafts
from dialoom.authoring.drafts.new_bot import files_of_new_bot
from dialoom.errors import FlowError, RequestError, SettingError
from dialoom.flow import Finding
from dialoom.query import Selection, parse_query, parse_sort
from dialoom.service.access.studio_rows import StudioRows
from dialoom.service.access.studio_sign_in import ADMINISTRATOR
from dialoom.service.service import Service

MAX_NOTE_CHARS = 1000


class Publication(msgspec.Struct, frozen=True):
    """Who made a version active last, and why it was published."""

    author: str
    note: str
    at: int


class ListedVersion(msgspec.Struct, frozen=True):
    version: str
    activated_at: int
    is_active: bool
    withdrawn_at: int | None
    running_talks: int
    publication: Publication | None


class Published(msgspec.Struct, frozen=True):
    version: str
    previous: str
    running_talks: int
    """Conversations that end on the version before."""


class Publishing:
    def __init__(self, service: Service, drafts: Drafts) -> None:
        self._service = service
        self._drafts = drafts
        self._rows = StudioRows(service.store, service.vault, service.clock, "publication")

    async def make(self, template: str, id: str, name: str, language: str, author: str) -> str:
        """Publish a new bot made from an example, with its tests in a stored draft; return its version. Raises
        ``RequestError`` 409 where there is a bot of this id, 422 where the service cannot run it."""
        if id in await self._service.store.bots() or self._service.bots.active(id) is not None:
            raise RequestError("bot-exists", f'There is a bot with the id "{id}" already. Choose another id.')
        files = await asyncio.to_thread(files_of_new_bot, template, id, name, language)
        if files is None:
            raise RequestError("not-found", "The examples are not part of this installation. Install dialoom again.")
        if errors := [one for one in await self._drafts.check(files) if one.severity == "error"]:
            raise with_findings(errors)
        version = await self._published(id, files)
        await self._drafts.begin(id, version, files, author)
        return version

    async def versions(self, bot: str) -> list[ListedVersion]:
        """Return all versions, the one that became active last first."""
        notes = {one.id: one.body for one in await self._rows.list(bot, limit=1000)}
        return [
            ListedVersion(
                version=row.version,
                activated_at=row.activated_at,
                is_active=row.is_active,
                withdrawn_at=row.withdrawn_at,
                running_talks=await self.running_talks(bot, row.version),
                publication=msgspec.json.decode(notes[row.version], type=Publication) if row.version in notes else None,
            )
            for row in await self._service.store.versions(bot)
        ]

    async def running_talks(self, bot: str, version: str) -> int:
        """Return how many conversations go on with this version."""
        query = parse_query(json.dumps({"Status": "active", "FlowVersion": version}))
        return await self._service.store.count("conversations", bot, Selection(query, parse_sort(None), 0, None))

    async def publish(self, bot: str, revision: str, note: str, author: str, role: str) -> Published:
        """Make the draft of this revision the active version. Raises ``RequestError``: 409 where the draft has changed
        since, 422 with the findings, 403 for what an administrator must do."""
        draft = await self._drafts.read(bot)
        if draft.revision != revision:
            raise RequestError(
                "draft-changed",
                "The files were changed since you looked at the difference. Look at it again, then publish.",
                members={"revision": draft.revision, "files": draft.files},
            )
        errors = [one for one in await self._drafts.check(draft.files) if one.severity == "error"]
        if errors:
            raise with_findings(errors)
        before = self._service.bots.active(bot)
        previous = "" if before is None else before.version
        await self._refuse_credentials(bot, draft, previous, role)
        version = await self._published(bot, draft.files)
        await self._keep(bot, version, author, note)
        await self._drafts.rebase(bot, version)
        return Published(version, previous, await self.running_talks(bot, previous))

    async def roll_back(self, bot: str, version: str, author: str) -> str:
        """Make an earlier version active again; return the one that was. Raises ``RequestError``."""
        service = self._service
        rows = await service.store.versions(bot)
        row = next((row for row in rows if row.version == version), None)
        try:
            usable = None if row is None else await service.bots.usable(bot, version)
        except FlowError as error:
            detail = "This release of Dialoom cannot use that version any more. Choose another."
            raise RequestError("version-unusable", detail) from error
        if row is None or usable is None:
            raise RequestError("not-found", f'Bot "{bot}" has no version "{version[:80]}" whose files are kept.')
        withdrawn = next((row.version for row in rows if row.is_active), "")
        if not row.is_active:
            await service.store.roll_back(bot, version, service.clock.now())
            await service.bots.catch_up(service.check_published)
            await service.take_up(bot)
            await self._keep(bot, version, author)
        return withdrawn

    async def _keep(self, bot: str, version: str, author: str, note: str | None = None) -> None:
        """Keep who made a version active. ``note``: None where it stays as it is."""
        known = await self._rows.get(bot, version)
        if note is None:
            note = "" if known is None else msgspec.json.decode(known.body, type=Publication).note
        publication = msgspec.json.encode(Publication(author, note, self._service.clock.now()))
        if known is None:
            await self._rows.add(bot, version, publication)
        else:
            await self._rows.change(bot, known, publication)

    async def _published(self, bot: str, files: Mapping[str, str]) -> str:
        try:
            id = json.loads(files.get("bot.json", "{}").removeprefix("\ufeff")).get("id")
            if id != bot:
                raise RequestError(
                    "other-id",
                    f'The draft\'s bot.json has the id "{str(id)[:80]}", which would make another bot of it. Write '
                    f'"{bot}" there, or make a new bot.',
                )
            return (await self._service.publish_files(files)).version
        except FlowError as error:
            raise RequestError(
                "findings",
                "The bot cannot be loaded with these files, so nothing was published. Mend what is found first.",
                members={"findings": [{"message": finding} for finding in error.findings]},
            ) from error
        except SettingError as error:
            raise RequestError("bot-lacks", f"The service cannot run this version: {error}") from error

    async def _refuse_credentials(self, bot: str, draft: Draft, active: str, role: str) -> None:
        if role != ADMINISTRATOR:
            before = await self._service.bots.files(bot, active) or {}
            what_else = "Ask one to publish this version, or take that back."
            await asyncio.to_thread(refuse_changes, before, draft.files, what_else)


def with_findings(errors: list[Finding]) -> RequestError:
    return RequestError(
        "findings",
        f"The bot has {len(errors)} {'error' if len(errors) == 1 else 'errors'}, so nothing was published. Mend them "
        "first.",
        members={"findings": errors},
    )
