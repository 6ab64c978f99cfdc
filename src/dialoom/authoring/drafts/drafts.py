"""Keeps what an author works on: the files of a bot's folder where the service may write them, else a stored draft.

The files are the truth and there is one of them: a bot that is served from a folder is edited there, also when another
program edits it at the same time. A bot without one (published, or of several processes) has a draft in the store,
which is made by the first save and follows each publish.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from dialoom.authoring.drafts.bot_folder import changed, is_writable, revision_of, tests_of, texts_of, write_texts
from dialoom.engine.option_finder import finder
from dialoom.errors import FlowError, RequestError
from dialoom.flow import Finding, check_files, read_files
from dialoom.flow.fixes.edits import NotApplicable, spliced, text_edit
from dialoom.flow.picture.boxes import Box, boxes
from dialoom.flow.positions import scan
from dialoom.flow.schema import FILES
from dialoom.flow.variables import Variables
from dialoom.service.access.studio_rows import StudioDocument, StudioRows
from dialoom.service.bots.bots import Bots
from dialoom.service.bots.reload import stamps_of
from dialoom.service.clock import Clock
from dialoom.service.service import Service
from dialoom.understanding.values.limits import reads_limit

DRAFT = "draft"
"""The id of the one draft of a bot."""
FOLDER_TESTS = "tests-of-folder"
"""The id of the conversation tests that lie beside a bot that was published from a folder."""
MAX_CHECKS = 2
"""Sets of texts that are read at once: each takes as much of the interpreter as the turns of users leave."""
MAX_KEPT_CHECKS = 8
"""Sets of texts whose findings are kept: what was checked is saved, shown and published next."""

T = TypeVar("T")
Source = Literal["folder", "draft", "version"]
Changes = Mapping[str, str | None]
"""Texts by file name; None takes a file away."""
FolderCheck = Callable[[Mapping[str, str], Mapping[str, str]], None]
"""Looks at the texts of a folder before and after a save; raises ``RequestError`` where that is not allowed."""


class Author(msgspec.Struct, frozen=True):
    name: str
    at: int


class StoredDraft(msgspec.Struct, frozen=True):
    """What the store keeps of a draft. ``base``: the version that it began from."""

    base: str
    files: dict[str, str]
    author: Author


class Draft(msgspec.Struct, frozen=True):
    """``revision`` changes with any text. ``base``: the version that the files began from, of a folder the active one.
    ``folder``: where the files lie, if they do."""

    bot: str
    source: Source
    revision: str
    base: str
    files: dict[str, str]
    folder: Path | None = None
    author: Author | None = None


class Checks:
    """Reads the texts of bots in a few threads of its own, and finds what is wrong with each set of texts once. Who
    stops waiting before his turn has come costs nothing."""

    def __init__(self, bots: Bots, check: Callable[..., list[Finding]] = check_files) -> None:
        self._bots = bots
        self._check = check
        self._threads = ThreadPoolExecutor(MAX_CHECKS, "check")
        self._lock = threading.Lock()
        self._found: OrderedDict[str, tuple[Variables, list[Finding]]] = OrderedDict()
        """By revision, with the variables that there were."""

    async def findings(self, files: Mapping[str, str]) -> list[Finding]:
        return await self._run(lambda: self._findings(files))

    async def picture(self, files: Mapping[str, str]) -> tuple[Box, ...]:
        """Return the boxes of the flow. Raises ``FlowError``."""
        return await self._run(lambda: boxes(read_files(files, variables=self._bots.variables)))

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def _findings(self, files: Mapping[str, str]) -> list[Finding]:
        revision, variables = revision_of(files), self._bots.variables
        with self._lock:
            known = self._found.get(revision)
        if known is not None and known[0] is variables:
            return known[1]
        found = self._check(files, variables=variables, finder=finder, reads=reads_limit)
        with self._lock:
            self._found[revision] = variables, found
            self._found.move_to_end(revision)
            while len(self._found) > MAX_KEPT_CHECKS:
                self._found.popitem(last=False)
        return found


class Drafts:
    def __init__(self, service: Service) -> None:
        self._bots = service.bots
        self._checks = Checks(service.bots)
        self._clock: Clock = service.clock
        self._is_shared = service.store.is_shared
        self._rows = StudioRows(service.store, service.vault, service.clock, "draft")
        self._edited_folders = service.edited_folders
        self._writing = asyncio.Lock()
        """Held from reading a folder's files to writing them."""

    async def folder(self, bot: str) -> Path | None:
        """Return the folder that is edited; None where the draft is in the store. With several processes it is: the
        folder lies with one of them."""
        folder = None if self._is_shared else self._bots.folders.get(bot)
        return folder if folder is not None and await asyncio.to_thread(is_writable, folder) else None

    async def read(self, bot: str) -> Draft:
        """Return what the author works on. Raises ``RequestError`` 404, ``FlowError`` where a file of the folder cannot
        be read."""
        return (await self._read(bot))[0]

    async def files(self, bot: str, over: Changes) -> dict[str, str]:
        """Return the draft's texts with others over them, as they are before they are saved."""
        return changed((await self.read(bot)).files, over)

    async def save(self, bot: str, revision: str, changes: Changes, author: str, check: FolderCheck) -> Draft:
        """Put texts in the place of those of this revision. ``check`` may refuse what is written to a folder. Raises
        ``RequestError`` 409 with the files as they are where somebody else has changed them."""
        async with self._writing:
            draft, row = await self._read(bot)
            if draft.revision != revision:
                raise _overtaken(draft)
            files = changed(draft.files, changes)
            if files == draft.files:
                return draft
            if draft.folder is not None:
                await asyncio.to_thread(check, draft.files, files)
                return await self._write(bot, draft, draft.folder, files)
            stored = StoredDraft(draft.base, files, Author(author, self._clock.now()))
            body = msgspec.json.encode(stored)
            done = await (self._rows.add(bot, DRAFT, body) if row is None else self._rows.change(bot, row, body))
            if done is None:
                raise _overtaken((await self._read(bot))[0])
            return Draft(bot, "draft", revision_of(files), draft.base, files, None, stored.author)

    async def begin(self, bot: str, version: str, files: dict[str, str], author: str) -> None:
        """Store the draft of a bot that was just made."""
        stored = StoredDraft(version, files, Author(author, self._clock.now()))
        await self._rows.add(bot, DRAFT, msgspec.json.encode(stored))

    async def discard(self, bot: str) -> Draft:
        """Go back to the active version. A folder is never thrown away: ``RequestError`` 422."""
        if await self.folder(bot) is not None:
            raise RequestError(
                "draft-is-folder",
                "This bot is edited in its folder, which holds no other copy of its files. Undo the changes there, or "
                "go back to a version with a rollback.",
            )
        await self._rows.delete(bot, DRAFT)
        return await self.read(bot)

    async def rebase(self, bot: str, version: str) -> None:
        """Let a stored draft begin from the version that was just published of it; its tests stay."""
        row = await self._rows.get(bot, DRAFT)
        if row is not None:
            stored = msgspec.json.decode(row.body, type=StoredDraft)
            # Where somebody saves at the same moment the base stays the older one, which only shows in a difference.
            await self._rows.change(bot, row, msgspec.json.encode(msgspec.structs.replace(stored, base=version)))

    async def check(self, files: Mapping[str, str]) -> list[Finding]:
        """Return what is wrong with the texts."""
        return await self._checks.findings(files)

    async def picture(self, files: Mapping[str, str]) -> tuple[Box, ...]:
        """Return the flow's conversations as boxes. Raises ``FlowError``."""
        return await self._checks.picture(files)

    async def _read(self, bot: str) -> tuple[Draft, StudioDocument | None]:
        active = self._bots.known(bot)
        folder = await self.folder(bot)
        if folder is not None:
            files, revision = await asyncio.to_thread(_texts_and_revision, folder)
            return Draft(bot, "folder", revision, active.version, files, folder), None
        row = await self._rows.get(bot, DRAFT)
        if row is not None:
            stored = msgspec.json.decode(row.body, type=StoredDraft)
            return Draft(bot, "draft", revision_of(stored.files), stored.base, stored.files, None, stored.author), row
        files = await self._bots.files(bot, active.version) or {}
        if not any(name not in FILES for name in files):
            files |= await self._tests(bot)
        return Draft(bot, "version", revision_of(files), active.version, files), None

    async def _tests(self, bot: str) -> dict[str, str]:
        """Return the conversation tests of a bot that was published from a folder: of the folder, whose process keeps
        them in the store for those that do not have it."""
        row = await self._rows.get(bot, FOLDER_TESTS)
        kept = {} if row is None else msgspec.json.decode(row.body, type=dict[str, str])
        folder = self._bots.folders.get(bot)
        try:
            tests = kept if folder is None else await asyncio.to_thread(tests_of, folder)
        except FlowError:
            return kept
        if tests != kept:
            body = msgspec.json.encode(tests)
            # Where another process is faster, the next read sees what it wrote.
            await (self._rows.add(bot, FOLDER_TESTS, body) if row is None else self._rows.change(bot, row, body))
        return tests

    async def _write(self, bot: str, draft: Draft, folder: Path, files: dict[str, str]) -> Draft:
        await self._edited_folders.note(bot, folder)
        try:
            await asyncio.to_thread(self._write_in, folder, draft.files, files)
        except OSError as error:
            now = (await self._read(bot))[0]
            if now.revision != draft.revision:
                raise _overtaken(now) from error
            raise RequestError(
                "folder-not-written",
                f"The bot's folder cannot be written: {error.strerror}. Nothing was lost here: give the service the "
                "right to write it, or download the files.",
            ) from error
        finally:
            await self._edited_folders.settle(bot, folder)
        return msgspec.structs.replace(draft, files=files, revision=revision_of(files))

    def _write_in(self, folder: Path, before: Mapping[str, str], after: Mapping[str, str]) -> None:
        """Write the files so that the watch of changed folders says nothing of it."""
        self._bots.saved[folder] = None
        try:
            write_texts(folder, before, after)
        finally:
            self._bots.saved[folder] = stamps_of(folder)


def _texts_and_revision(folder: Path) -> tuple[dict[str, str], str]:
    files = texts_of(folder)
    return files, revision_of(files)


def with_fix(files: Mapping[str, str], finding: Finding) -> dict[str, str]:
    """Return the texts after a finding's fix. Raises ``RequestError`` 422 where it has none that can be applied."""
    texts = dict(files)
    if finding.fix is None:
        raise RequestError("no-fix", "This finding has no fix that is sure. Its sentence says what to do.")
    try:
        for edit in finding.fix.edits:
            texts[edit.file] = spliced(texts[edit.file], [text_edit(scan(texts[edit.file]), edit)])
    except (KeyError, NotApplicable) as error:
        raise RequestError("no-fix", "The fix does not fit the files as they are now. Check them again.") from error
    return texts


def _overtaken(now: Draft) -> RequestError:
    return RequestError(
        "draft-changed",
        "Somebody else has changed these files since you opened them, so nothing was saved. Choose what stays, then "
        "save again.",
        members={"revision": now.revision, "files": now.files},
    )
