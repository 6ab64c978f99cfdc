"""Serves a bot's files to the studio: reading, checking, mending, saving, drawing; and makes a new bot. Publishing and
going back are for ``http.studio.versions``."""

from __future__ import annotations

import asyncio
import inspect
import io
import zipfile
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta

from dialoom.authoring.drafts.access_changes import judge, readable
from dialoom.authoring.drafts.bot_folder import MAX_FILES_BYTES, changed
from dialoom.authoring.drafts.drafts import Draft, Drafts, Source, with_fix
from dialoom.authoring.drafts.publishing import Publishing
from dialoom.authoring.drafts.unpublished import UnpublishedChanges
from dialoom.authoring.scenarios import suites_of
from dialoom.errors import FlowError
from dialoom.flow import schemas
from dialoom.flow.model import BUILT_IN_TYPES
from dialoom.flow.picture.boxes import Row
from dialoom.flow.steps import STEP_TYPES
from dialoom.http.problems import not_found
from dialoom.http.server.cancel_on_disconnect import cancel_on_disconnect
from dialoom.http.server.exchange import Exchange
from dialoom.http.studio.findings import FindingView, loadable, view_of
from dialoom.http.studio.settings import NAME, Nothing
from dialoom.service.access.studio_sign_in import Session
from dialoom.service.clock import iso
from dialoom.service.service import Service
from dialoom.template.helpers import HELPERS, Helper

MAX_BODY_BYTES = 2 * MAX_FILES_BYTES
"""Of a request: JSON writes some characters of a text as two or more."""

_TEMPLATES = {"questions": "faq"}
"""Where the studio has another word for a template than the terminal."""

T = TypeVar("T")

Texts = dict[str, str | None]


class SaveWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    revision: str
    files: Texts


class UnsavedTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Texts that are not saved, over those of the draft."""

    files: Texts = {}


class FixWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    file: str
    rule: str
    path: str
    files: Texts = {}


class NewBot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: Annotated[str, Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*\Z", max_length=64)]
    name: Annotated[str, Meta(min_length=1, max_length=80, pattern=NAME)]
    language: Annotated[str, Meta(max_length=20)]
    start: Literal["appointment", "shop", "questions", "blank"]


class AuthorView(msgspec.Struct, frozen=True):
    name: str
    at: str


class DraftView(msgspec.Struct, frozen=True, rename="camel"):
    source: Source
    revision: str
    base: str
    active: str
    files: Mapping[str, str]
    can_write_folder: bool
    folder: str | None
    findings: list[FindingView]
    unpublished: int
    author: AuthorView | None


class StateView(msgspec.Struct, frozen=True, rename="camel"):
    """Shows how the draft stands, without its files. ``author``: whose saved draft it is; a folder is of nobody."""

    unpublished: int
    findings: int
    has_tests: bool
    author: str | None


class CheckedView(msgspec.Struct, frozen=True):
    findings: list[FindingView]
    unpublished: int


class SavedView(CheckedView, frozen=True):
    revision: str


class RowView(msgspec.Struct, frozen=True, rename="camel"):
    kind: str
    text: str
    jump: str | None
    is_protected: bool
    condition: str


class BoxView(msgspec.Struct, frozen=True, rename="camel"):
    key: str
    title: str
    is_goal: bool
    rows: list[RowView]


class StudioDrafts:
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
        self._unpublished = UnpublishedChanges(service.bots)
        self._session = session

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        return {
            "studioDraft": self._read,
            "studioDraftState": self._state,
            "studioSaveDraft": self._save,
            "studioDiscardDraft": self._discard,
            "studioCheckDraft": self._check,
            "studioFixDraft": self._fix,
            "studioArchiveDraft": self._archive,
            "studioPicture": self._picture,
            "studioDrawPicture": self._picture_of,
            "studioSchemas": self._schemas,
            "studioWords": self._words,
            "studioMakeBot": self._make,
        }

    # -- the files

    async def _read(self, exchange: Exchange, bot: str) -> None:
        await self._show(exchange, await self._draft(bot))

    async def _state(self, exchange: Exchange, bot: str) -> None:
        draft = await self._draft(bot)
        view = StateView(
            unpublished=await self._unpublished.count(bot, draft.files),
            findings=len(await self._findings(draft.files)),
            has_tests=any(name.startswith("tests/") for name in draft.files),
            author=None if draft.author is None else draft.author.name,
        )
        await exchange.answer(200, msgspec.json.encode(view))

    async def _save(self, exchange: Exchange, bot: str) -> None:
        wish = await self._body(exchange, SaveWish)
        session = await self._session(exchange)
        active = await self._service.bots.files(bot, self._service.bots.known(bot).version) or {}

        def judge_folder(before: Mapping[str, str], after: Mapping[str, str]) -> None:
            # `dialoom run --publish` publishes what lies in the folder without asking for roles.
            what_else = "Ask one to save it, or take that back."
            exchange.access_changes += judge(readable(before, active), after, session, what_else)

        draft = await loadable(self._drafts.save(bot, wish.revision, wish.files, session.name, judge_folder))
        findings, unpublished = await self._findings(draft.files), await self._unpublished.count(bot, draft.files)
        view = SavedView(findings, unpublished, draft.revision)
        await exchange.answer(200, msgspec.json.encode(view))

    async def _discard(self, exchange: Exchange, bot: str) -> None:
        await exchange.read(Nothing)
        self._service.bots.known(bot)
        await self._show(exchange, await self._drafts.discard(bot))

    async def _check(self, exchange: Exchange, bot: str) -> None:
        wish = await self._body(exchange, UnsavedTexts)
        files = changed((await self._draft(bot)).files, wish.files)
        # A page that has gone on asks for nothing any more.
        found = await cancel_on_disconnect(exchange, self._findings(files))
        view = CheckedView(found, await self._unpublished.count(bot, files))
        await exchange.answer(200, msgspec.json.encode(view))

    async def _fix(self, exchange: Exchange, bot: str) -> None:
        wish = await self._body(exchange, FixWish)
        files = changed((await self._draft(bot)).files, wish.files)
        finding = next(
            (
                one
                for one in await self._drafts.check(files)
                if (one.file, one.rule, one.path) == (wish.file, wish.rule, wish.path)
            ),
            None,
        )
        if finding is None:
            raise not_found("There is no such finding any more. The files were changed; look at the findings again.")
        after = await asyncio.to_thread(with_fix, files, finding)
        texts = {name: text for name, text in after.items() if files.get(name) != text}
        await exchange.answer(200, msgspec.json.encode({"files": texts}))

    async def _archive(self, exchange: Exchange, bot: str) -> None:
        """Answer with the files as a zip archive of their folder."""
        files = (await self._draft(bot)).files
        packed = await asyncio.to_thread(_packed, bot, files)
        disposition = f'attachment; filename="{bot}.zip"'
        await exchange.answer(200, packed, "application/zip", content_disposition=disposition)

    # -- pictures and schemas

    async def _picture(self, exchange: Exchange, bot: str) -> None:
        await self._draw(exchange, (await self._draft(bot)).files)

    async def _picture_of(self, exchange: Exchange, bot: str) -> None:
        wish = await self._body(exchange, UnsavedTexts)
        await self._draw(exchange, changed((await self._draft(bot)).files, wish.files))

    async def _draw(self, exchange: Exchange, files: Mapping[str, str]) -> None:
        drawn = await loadable(cancel_on_disconnect(exchange, self._drafts.picture(files)))
        views = [BoxView(box.key, box.title, box.is_goal, [_row(row) for row in box.rows]) for box in drawn]
        await exchange.answer(200, msgspec.json.encode({"boxes": views}))

    async def _schemas(self, exchange: Exchange) -> None:
        await exchange.answer(200, msgspec.json.encode(schemas()))

    async def _words(self, exchange: Exchange) -> None:
        """Answer with what completes templates and fields: helpers, entity types, types of steps."""
        words = {
            "helpers": [{"name": one.name, "signature": _signature(one), "line": ""} for one in HELPERS.values()],
            "entityTypes": sorted(BUILT_IN_TYPES),
            "stepTypes": [{"name": name, "line": row.does} for name, row in STEP_TYPES.items()],
        }
        await exchange.answer(200, msgspec.json.encode(words))

    async def _make(self, exchange: Exchange) -> None:
        wish = await exchange.read(NewBot)
        session = await self._session(exchange)
        template = _TEMPLATES.get(wish.start, wish.start)
        version = await self._publishing.make(template, wish.id, wish.name.strip(), wish.language, session.name)
        exchange.about = wish.id
        await exchange.answer(201, msgspec.json.encode({"id": wish.id, "version": version}))

    # -- parts of the above

    async def _draft(self, bot: str) -> Draft:
        return await loadable(self._drafts.read(bot))

    async def _body(self, exchange: Exchange, type: type[T]) -> T:
        return exchange.decode(await exchange.body(MAX_BODY_BYTES), type)

    async def _findings(self, files: Mapping[str, str]) -> list[FindingView]:
        found = [view_of(one) for one in await self._drafts.check(files)]
        return found + await asyncio.to_thread(_of_tests, files)

    async def _show(self, exchange: Exchange, draft: Draft) -> None:
        bot = draft.bot
        view = DraftView(
            source=draft.source,
            revision=draft.revision,
            base=draft.base,
            active=self._service.bots.known(bot).version,
            files=draft.files,
            can_write_folder=draft.folder is not None,
            folder=None if draft.folder is None else str(await asyncio.to_thread(draft.folder.resolve)),
            findings=await self._findings(draft.files),
            unpublished=await self._unpublished.count(draft.bot, draft.files),
            author=None if draft.author is None else AuthorView(draft.author.name, iso(draft.author.at)),
        )
        await exchange.answer(200, msgspec.json.encode(view))


def _of_tests(files: Mapping[str, str]) -> list[FindingView]:
    """Return what keeps the conversation tests from being run; the bot itself can be."""
    try:
        suites_of(files)
    except FlowError as error:
        split = [one.partition(": ") for one in error.findings]
        return [
            FindingView(file=file, message=message, rule="broken-test", level="warning", prevents_loading=False)
            for file, _, message in split
        ]
    return []


def _packed(bot: str, files: Mapping[str, str]) -> bytes:
    """Return the files as a zip archive of the bot's folder."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            archive.writestr(f"{bot}/{name}", files[name])
    return packed.getvalue()


def _signature(helper: Helper) -> str:
    """Return a helper with its parameters as an author writes them."""
    names = list(inspect.signature(helper.function).parameters.values())[1 if helper.takes_frame else 0 :]
    shown = [
        f"[{one.name}]" if one.default is not one.empty or one.kind is one.VAR_POSITIONAL else one.name for one in names
    ]
    return " ".join([helper.name, *shown])


def _row(row: Row) -> RowView:
    return RowView(row.kind, row.text, row.jump, row.is_protected, row.condition)
