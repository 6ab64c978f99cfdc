"""Serves a bot's versions to the studio: listing and comparing them, publishing the draft, going back to one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated

import msgspec
from msgspec import Meta

from dialoom.authoring.drafts.access_changes import access_changes
from dialoom.authoring.drafts.drafts import Drafts
from dialoom.authoring.drafts.publishing import MAX_NOTE_CHARS, ListedVersion, Publishing
from dialoom.errors import RequestError
from dialoom.flow import Finding
from dialoom.http.problems import not_found
from dialoom.http.server.exchange import Exchange
from dialoom.http.studio.findings import loadable, view_of
from dialoom.service.access.studio_sign_in import Session
from dialoom.service.bots.differences import Change, Side, changes, lines, without_tests
from dialoom.service.clock import iso
from dialoom.service.records.retention import Shortening
from dialoom.service.service import Service

SHORT = 12
"""Digits of a version in the names of a difference."""
MAX_CHANGES = 500
"""Parts of a difference that are shown."""


class PublishWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    revision: str
    note: Annotated[str, Meta(max_length=MAX_NOTE_CHARS)] = ""
    accepts_erasing: bool = msgspec.field(name="acceptsErasing", default=False)


class RollBackWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: str
    accepts_erasing: bool = msgspec.field(name="acceptsErasing", default=False)


class ErasureView(msgspec.Struct, frozen=True, rename="camel"):
    """Shows what would be erased, and from when on. ``conversations``: None where they could not be counted in time."""

    days: int
    previous_days: int | None
    conversations: int | None
    begins_at: str


class DifferenceView(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Shows what differs. ``access``: a sentence for each access that changes with what is compared in place of the
    other. Of the draft alone ``running_talks``, which end on the active version, and ``erases``, where its
    ``retention-days`` would."""

    from_: str = msgspec.field(name="from")
    to: str
    changes: list[Change]
    lines: list[str]
    access: list[str]
    running_talks: int | None = None
    erases: ErasureView | None = None


class VersionView(msgspec.Struct, frozen=True, rename="camel"):
    version: str
    activated_at: str
    is_active: bool
    withdrawn_at: str | None
    running_talks: int
    note: str
    author: str | None


class StudioVersions:
    def __init__(
        self,
        service: Service,
        drafts: Drafts,
        publishing: Publishing,
        session: Callable[[Exchange], Awaitable[Session]],
    ) -> None:
        self._service = service
        self._drafts = drafts
        self._publishing = publishing
        self._session = session

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        return {
            "studioDifference": self._draft_difference,
            "studioVersionDifference": self._difference,
            "studioPublish": self._publish,
            "studioVersions": self._versions,
            "studioRollBack": self._roll_back,
        }

    async def _draft_difference(self, exchange: Exchange, bot: str) -> None:
        """Answer with what publishing the draft would change of the active version."""
        draft = await loadable(self._drafts.read(bot))
        active = self._service.bots.known(bot).version
        before = Side(active[:SHORT], without_tests(await self._service.bots.files(bot, active) or {}))
        after = Side(draft.source, without_tests(draft.files))
        view = DifferenceView(
            active,
            draft.source,
            *await asyncio.to_thread(_compared, before, after),
            access=await self._publishing.access_changes(bot, draft.files),
            running_talks=await self._publishing.running_talks(bot, active),
            erases=_erasure(await self._publishing.erased_by(bot, draft.files)),
        )
        await exchange.answer(200, msgspec.json.encode(view))

    async def _difference(self, exchange: Exchange, bot: str, version: str, other: str) -> None:
        self._service.bots.known(bot)
        before, after = await self._side(bot, version), await self._side(bot, other)
        view = DifferenceView(
            before.name,
            after.name,
            *await asyncio.to_thread(_compared, before, after),
            access=await asyncio.to_thread(access_changes, before.files, after.files),
        )
        await exchange.answer(200, msgspec.json.encode(view))

    async def _side(self, bot: str, version: str) -> Side:
        files = await self._service.bots.files(bot, version)
        if files is None:
            raise not_found(f'The files of version "{version[:SHORT]}" of bot "{bot}" are not kept. Choose another.')
        return Side(version[:SHORT], files)

    async def _publish(self, exchange: Exchange, bot: str) -> None:
        wish = await exchange.read(PublishWish)
        session = await self._session(exchange)
        try:
            published = self._publishing.publish(
                bot, wish.revision, wish.note.strip(), session, accepts_erasing=wish.accepts_erasing
            )
            done = await loadable(published)
        except RequestError as error:
            raise _with_views(error) from error
        exchange.access_changes += done.access_changes
        exchange.about = done.version
        view = {"version": done.version, "previous": done.previous, "runningTalks": done.running_talks}
        await exchange.answer(200, msgspec.json.encode(view))

    async def _versions(self, exchange: Exchange, bot: str) -> None:
        self._service.bots.known(bot)
        await exchange.answer(200, msgspec.json.encode([_version(one) for one in await self._publishing.versions(bot)]))

    async def _roll_back(self, exchange: Exchange, bot: str) -> None:
        wish = await exchange.read(RollBackWish)
        self._service.bots.known(bot)
        session = await self._session(exchange)
        done = await self._publishing.roll_back(bot, wish.version, session, accepts_erasing=wish.accepts_erasing)
        exchange.access_changes += done.access_changes
        exchange.about = wish.version
        await exchange.answer(200, msgspec.json.encode({"version": wish.version, "withdrawn": done.withdrawn}))


def _compared(before: Side, after: Side) -> tuple[list[Change], list[str]]:
    return changes(before.files, after.files)[:MAX_CHANGES], list(lines(before, after))


def _erasure(found: Shortening | None) -> ErasureView | None:
    if found is None:
        return None
    return ErasureView(found.days, found.previous_days, found.conversations, iso(found.begins_at))


def _version(listed: ListedVersion) -> VersionView:
    publication = listed.publication
    return VersionView(
        version=listed.version,
        activated_at=iso(listed.activated_at),
        is_active=listed.is_active,
        withdrawn_at=None if listed.withdrawn_at is None else iso(listed.withdrawn_at),
        running_talks=listed.running_talks,
        note="" if publication is None else publication.note,
        author=None if publication is None else publication.author,
    )


def _with_views(error: RequestError) -> RequestError:
    """Return a refusal whose findings are in the form of all others."""
    found = error.members.get("findings")
    if isinstance(found, list):
        error.members["findings"] = [view_of(one) if isinstance(one, Finding) else one for one in found]
    return error
