"""Publishes a draft, lists a bot's versions and goes back to one: what ``dialoom publish`` and ``rollback`` do in the
terminal, with who did it and why."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping

import msgspec

from dialoom.authoring.drafts.access_changes import access_changes, judge
from dialoom.authoring.drafts.drafts import Drafts
from dialoom.authoring.drafts.new_bot import files_of_new_bot
from dialoom.errors import FlowError, RequestError, SettingError
from dialoom.flow import Finding
from dialoom.query import Selection, parse_query, parse_sort
from dialoom.service.access.studio_rows import StudioRows
from dialoom.service.access.studio_sign_in import Session
from dialoom.service.bots.bots import open_version, overtaken
from dialoom.service.records.retention import Shortening, days_of, find_shortening
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
    access_changes: list[str]
    """What an administrator gave away with it."""


class RolledBack(msgspec.Struct, frozen=True):
    withdrawn: str
    """The version that was active."""
    access_changes: list[str]


class Publishing:
    def __init__(self, service: Service, drafts: Drafts) -> None:
        self._service = service
        self._drafts = drafts
        self._rows = StudioRows(service.store, service.vault, service.clock, "publication")

    async def make(self, template: str, id: str, name: str, language: str, author: str) -> str:
        """Publish a new bot made from an example, with its tests in a stored draft; return its version. Raises
        ``RequestError`` 409 where there is a bot of this id, 422 where the service cannot run it."""
        taken = RequestError("bot-exists", f'There is a bot with the id "{id}" already. Choose another id.')
        if id in await self._service.store.bots() or self._service.bots.active(id) is not None:
            raise taken
        files = await asyncio.to_thread(files_of_new_bot, template, id, name, language)
        if files is None:
            raise RequestError("not-found", "The examples are not part of this installation. Install dialoom again.")
        if errors := [one for one in await self._drafts.check(files) if one.severity == "error"]:
            raise with_findings(errors)
        try:
            version = await self._published(id, files, instead_of="")
        except RequestError as error:
            raise taken if error.code == "version-changed" else error from None
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
        query = parse_query(json.dumps({"EndedAt": None, "FlowVersion": version}))
        return await self._service.store.count("conversations", bot, Selection(query, parse_sort(None), 0, None))

    async def erased_by(self, bot: str, files: Mapping[str, str]) -> Shortening | None:
        """Return what would be erased because of these files' ``retention-days``; None where that is nothing."""
        service = self._service
        return await find_shortening(service.store, service.bots, service.clock, bot, days_of(files))

    async def access_changes(self, bot: str, files: Mapping[str, str]) -> list[str]:
        """Return what these files in place of the active version give away, as ``publish`` judges it."""
        _, before = await self._active(bot)
        return await asyncio.to_thread(access_changes, before, files)

    async def publish(
        self, bot: str, revision: str, note: str, session: Session, *, accepts_erasing: bool = False
    ) -> Published:
        """Make the draft of this revision the active version. Raises ``RequestError``: 409 where the draft has changed
        since, would have conversations erased and nobody has accepted that, or another version becomes active
        meanwhile; 422 with the findings; 403 for what an administrator must do."""
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
        what_else = "Ask one to publish this version, or take that back."
        previous, changes = await self._judged(bot, draft.files, session, what_else)
        if not accepts_erasing:
            await self._refuse_to_erase(bot, draft.files)
        version = await self._published(bot, draft.files, previous)
        await self._keep(bot, version, session.name, note)
        await self._drafts.rebase(bot, version)
        return Published(version, previous, await self.running_talks(bot, previous), changes)

    async def _refuse_to_erase(self, bot: str, files: Mapping[str, str]) -> None:
        """Raise ``RequestError`` 409 where these files' ``retention-days`` would have conversations erased."""
        if (shortening := await self.erased_by(bot, files)) is not None:
            raise RequestError("erases-conversations", f"Nothing was done: {shortening} Accept that to go on.")

    async def roll_back(self, bot: str, version: str, session: Session, *, accepts_erasing: bool = False) -> RolledBack:
        """Make an earlier version active again. Raises ``RequestError`` as ``publish`` does."""
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
        files = await service.bots.files(bot, version) or {}
        withdrawn, changes = await self._judged(bot, files, session, "Ask one to go back to this version.")
        if withdrawn != version:
            if not accepts_erasing:
                await self._refuse_to_erase(bot, files)
            if not await service.store.roll_back(bot, version, service.clock.now(), withdrawn):
                raise overtaken()
            await service.bots.catch_up(service.check_published)
            await service.take_up(bot)
            await self._keep(bot, version, session.name)
        return RolledBack(withdrawn, changes)

    async def _judged(
        self, bot: str, files: Mapping[str, str], session: Session, what_else: str
    ) -> tuple[str, list[str]]:
        """Return the active version, and what files in its place give away. Raises ``RequestError`` 403. The caller
        replaces this version and no other: what was judged is what becomes active."""
        version, before = await self._active(bot)
        return version, await asyncio.to_thread(judge, before, files, session, what_else)

    async def _active(self, bot: str) -> tuple[str, Mapping[str, str]]:
        """Return the active version and its files as they are stored; "" and none for a bot without one."""
        active = await self._service.store.active(bot)
        return ("", {}) if active is None else (active.version, open_version(self._service.vault, active))

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

    async def _published(self, bot: str, files: Mapping[str, str], instead_of: str) -> str:
        try:
            id = json.loads(files.get("bot.json", "{}").removeprefix("\ufeff")).get("id")
            if id != bot:
                raise RequestError(
                    "other-id",
                    f'The draft\'s bot.json has the id "{str(id)[:80]}", which would make another bot of it. Write '
                    f'"{bot}" there, or make a new bot.',
                )
            return (await self._service.publish_files(files, instead_of)).version
        except FlowError as error:
            raise RequestError(
                "findings",
                "The bot cannot be loaded with these files, so nothing was published. Mend what is found first.",
                members={"findings": [{"message": finding} for finding in error.findings]},
            ) from error
        except SettingError as error:
            raise RequestError("bot-lacks", f"The service cannot run this version: {error}") from error


def with_findings(errors: list[Finding]) -> RequestError:
    return RequestError(
        "findings",
        f"The bot has {len(errors)} {'error' if len(errors) == 1 else 'errors'}, so nothing was published. Mend them "
        "first.",
        members={"findings": errors},
    )
