"""Brings records of a file of lines into the store: in pieces, each one transaction with how far the file was read.

So a kill at any instant neither loses nor doubles a record, and the same file goes on where it ended. What a record
must be is told by ``record_schema``; which file is meant and how progress is shown, by the command line.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from dialoom.errors import DialoomError, StoreError
from dialoom.service.records.record_schema import MAX_RECORD_BYTES, BadRecord
from dialoom.storage.store import Refused

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from dialoom.service.clock import Clock
    from dialoom.service.records.record_schema import Checked
    from dialoom.storage.store import Collection, Store

MAX_RECORDS: Final = 2000
"""Of a transaction that nobody waits for. On SQLite 100,000 conversations with random ids took 218 µs of CPU each in
transactions of 500, 166 in those of 2000, 143 in those of 5000, of which a kill loses more work."""
MAX_MESSAGES_BESIDE: Final = 100
"""Of a transaction beside a service that has to write to the same file."""
MAX_BYTES: Final = 4 * 1024 * 1024
"""Of lines after which a transaction is full all the same."""
SHARE: Final = 3
"""Beside such a service, the pause after a transaction is so many times as long as it took."""
LOOK_EVERY: Final = 1.0
"""Seconds between two looks for such a service."""
TRIES: Final = 5
"""Of a transaction while the store is away or busy. One that went in after all is not written again."""
BETWEEN_TRIES: Final = 1.0
MARKED: Final = 64 * 1024
"""Bytes at either end of a file by which it is known again."""
MARK_BYTES: Final = 16
_BOM: Final = b"\xef\xbb\xbf"


class Refusal(NamedTuple):
    """A line that is no record, counted from 1. The other two are as ``BadRecord`` has them."""

    line: int
    pointer: str
    reason: str


class ImportProgress(msgspec.Struct, frozen=True):
    """How far an import is. ``known``: records that were there already, and stayed as they were."""

    line: int = 0
    read: int = 0
    """Bytes."""
    written: int = 0
    known: int = 0
    bad: int = 0


class ImportStopped(DialoomError):
    """A line is no record; what stood before it is written."""

    def __init__(self, refusal: Refusal, standing: ImportProgress) -> None:
        super().__init__(f"Line {refusal.line} {refusal.pointer or 'of the file'} {refusal.reason}.")
        self.refusal = refusal
        self.standing = standing


def mark_of(file: BinaryIO, collection: Collection, changed_at: int) -> str:
    """By what a file is known again, whatever it is called: its size, its beginning, its end and when it was changed
    last (nanoseconds), which tells of a change between the two. One that was changed is another file; what is there of
    it stays as it is."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    digest = hashlib.blake2b(b"%d %d " % (size, changed_at) + file.read(MARKED), digest_size=MARK_BYTES)
    file.seek(max(0, size - MARKED))
    digest.update(file.read(MARKED))
    file.seek(0)
    return f"{collection} {digest.hexdigest()}"


class Pace:
    """How much goes in at once, and how long the others have their turn then. ``is_beside``: whether a service runs
    that waits while a transaction of ours is written."""

    def __init__(self, clock: Clock, is_beside: Callable[[], bool]) -> None:
        self._clock = clock
        self._look = is_beside
        self._looked_at = -LOOK_EVERY
        self._is_beside = False

    def most(self, now: float) -> int:
        if now - self._looked_at >= LOOK_EVERY:
            self._is_beside, self._looked_at = self._look(), now
        return MAX_MESSAGES_BESIDE if self._is_beside else MAX_RECORDS

    async def rest(self, took: float) -> None:
        if self._is_beside:
            await self._clock.sleep(SHARE * took)

    async def wait(self) -> None:
        await self._clock.sleep(BETWEEN_TRIES)


class _Piece(NamedTuple):
    documents: list[dict[str, Any]]
    line: int
    """The last line that is done with."""
    read: int
    refused: list[Refusal]
    is_stop: bool
    """Whether the refused line ends the import."""


class Import:
    """One file of one collection of a bot. ``source``: its ``mark_of``; "" for what cannot be read again. ``told``:
    gets each refused line, which is passed over then; None stops at the first."""

    def __init__(
        self,
        store: Store,
        collection: Collection,
        bot: str,
        source: str,
        *,
        checked: Checked,
        pace: Pace,
        told: Callable[[Refusal], None] | None = None,
        progress: Callable[[ImportProgress], None] = lambda _: None,
    ) -> None:
        self._store = store
        self._collection = collection
        self._bot = bot
        self._source = source
        self._checked = checked
        self._pace = pace
        self._told = told
        self._progress = progress
        self._standing = ImportProgress()

    async def begin(self) -> int:
        """The line up to which the file was read before."""
        return await self._store.brought_in(self._bot, self._source) if self._source else 0

    async def run(self, file: BinaryIO, begin: int = 0) -> ImportProgress:
        """Read the file from the line after ``begin`` on. While a piece is written the next one is read. Raises
        ``ImportStopped``."""
        lines = _Lines(file)
        await asyncio.to_thread(lines.skip, begin)
        self._standing = ImportProgress(lines.number, lines.read)
        loop = asyncio.get_running_loop()
        writing: asyncio.Task[None] | None = None
        try:
            while True:
                piece = await asyncio.to_thread(self._next, lines, self._pace.most(loop.time()))
                before, writing = writing, None
                if before is not None:
                    await before
                if piece is None:
                    return self._standing
                writing = asyncio.create_task(self._write(piece))
        finally:
            if writing is not None:
                await writing

    # -- reading, on a thread

    def _next(self, lines: _Lines, most: int) -> _Piece | None:
        """None at the end, and behind a line that ends the import."""
        first, documents, refused = lines.read, list[dict[str, Any]](), list[Refusal]()
        while len(documents) < most and lines.read - first < MAX_BYTES:
            line = lines.next()
            if line is None:
                break
            try:
                if line:
                    documents.append(self._read(line, is_first=not lines.has_begun))
                    lines.has_begun = True
            except BadRecord as error:
                refused.append(Refusal(lines.number, error.pointer, error.reason))
                if self._told is None or isinstance(error, _Array):
                    lines.end()
                    return _Piece(documents, lines.number - 1, lines.read, refused, is_stop=True)
                lines.has_begun = True
        return _Piece(documents, lines.number, lines.read, refused, is_stop=False) if lines.read > first else None

    def _read(self, line: bytes, *, is_first: bool) -> dict[str, Any]:
        if is_first and line.startswith(b"["):
            raise _Array
        return self._checked.read(line)

    # -- writing

    async def _write(self, piece: _Piece) -> None:
        loop, standing = asyncio.get_running_loop(), self._standing
        begun = loop.time()
        written = await self._bring_in(piece)
        self._standing = ImportProgress(
            line=piece.line,
            read=piece.read,
            written=standing.written + written,
            known=standing.known + len(piece.documents) - written,
            bad=standing.bad + len(piece.refused),
        )
        if piece.is_stop:
            raise ImportStopped(piece.refused[-1], self._standing)
        if self._told is not None:
            for refusal in piece.refused:
                self._told(refusal)
        self._progress(self._standing)
        await self._pace.rest(loop.time() - begun)

    async def _bring_in(self, piece: _Piece) -> int:
        arguments = (self._collection, self._bot, piece.documents, self._source, piece.line)
        for _ in range(TRIES - 1):
            try:
                return await self._store.bring_in(*arguments)
            except Refused:
                raise
            except StoreError:
                await self._pace.wait()
        return await self._store.bring_in(*arguments)


class _Array(BadRecord):
    def __init__(self) -> None:
        super().__init__(
            "",
            "begins a JSON array. A file to import holds one record a line, as the history API gives them with "
            "Accept: application/x-ndjson. Of an array, jq -c '.[]' makes such lines",
        )


class _Lines:
    """Lines without their ends; of one that is too long only as much as tells so."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._is_over = False
        self.number = 0
        self.read = 0
        self.has_begun = False
        """Whether a line that is not blank was met."""

    def next(self) -> bytes | None:
        """None at the end; empty for a blank line."""
        line = b"" if self._is_over else self._file.readline(MAX_RECORD_BYTES + 2)
        if not line:
            return None
        self.number += 1
        self.read += len(line)
        if len(line) > MAX_RECORD_BYTES + 1 and not line.endswith(b"\n"):
            self._pass_rest()
        if self.number == 1:
            line = line.removeprefix(_BOM)
        return line.strip(b" \t\r\n")

    def _pass_rest(self) -> None:
        while rest := self._file.readline(MAX_BYTES):
            self.read += len(rest)
            if rest.endswith(b"\n"):
                break

    def skip(self, count: int) -> None:
        while self.number < count and (line := self.next()) is not None:
            self.has_begun |= bool(line)

    def end(self) -> None:
        self._is_over = True
