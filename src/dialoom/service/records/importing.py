"""Imports records from a file of lines: in pieces, each one transaction that also stores how far the file was read.

So a kill at any instant neither loses nor doubles a record, and an import of the same file goes on where it ended.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple

import msgspec

from dialoom.errors import DialoomError, StoreError
from dialoom.service.records.record_schema import MAX_RECORD_BYTES, BadRecord, RecordReader
from dialoom.storage.store import Collection, Refused, Store

if TYPE_CHECKING:
    from dialoom.service.clock import Clock

MAX_RECORDS: Final = 2000
"""Records of a transaction that nobody waits for. On SQLite 100,000 conversations with random ids took 218 µs of CPU
each in transactions of 500, 166 in those of 2000, 143 in those of 5000, of which a kill loses more work."""
MAX_RECORDS_BESIDE_SERVICE: Final = 100
"""Records of a transaction beside a service that writes to the same file."""
MAX_BYTES: Final = 4 * 1024 * 1024
"""Bytes of lines after which a transaction is full all the same."""
PAUSE_FACTOR: Final = 3
"""Beside such a service, the length of the pause after a transaction, in times of its own."""
LOOK_SECONDS: Final = 1.0
"""Seconds between two checks for such a service."""
MAX_TRIES: Final = 5
"""Tries of a transaction while the store is away or busy. One that was committed after all is not written again."""
RETRY_SECONDS: Final = 1.0
FINGERPRINTED_BYTES: Final = 64 * 1024
"""Bytes at either end of a file that its fingerprint is made from."""
DIGEST_BYTES: Final = 16
_BOM: Final = b"\xef\xbb\xbf"


class Refusal(NamedTuple):
    """Names a line that is no record, counted from 1, with the place and reason of ``BadRecord``."""

    line: int
    pointer: str
    reason: str


class ImportProgress(msgspec.Struct, frozen=True):
    """Counts how far an import is. ``known``: records that were stored already, and stayed as they were."""

    line: int = 0
    read: int = 0
    """Bytes of the file."""
    written: int = 0
    known: int = 0
    bad: int = 0


class ImportStopped(DialoomError):
    """Raised where a line is no record; those before it are stored."""

    def __init__(self, refusal: Refusal, progress: ImportProgress) -> None:
        super().__init__(f"Line {refusal.line} {refusal.pointer or 'of the file'} {refusal.reason}.")
        self.refusal = refusal
        self.progress = progress


def file_fingerprint(file: BinaryIO, collection: Collection, changed_at: int) -> str:
    """Return the fingerprint by which a file is recognised, whatever it is called: of its size, beginning, end and time
    of the last change (nanoseconds). A changed file is another one; records of it that are stored stay as they are."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    start = file.read(FINGERPRINTED_BYTES)
    digest = hashlib.blake2b(b"%d %d " % (size, changed_at) + start, digest_size=DIGEST_BYTES)
    file.seek(max(0, size - FINGERPRINTED_BYTES))
    digest.update(file.read(FINGERPRINTED_BYTES))
    file.seek(0)
    return f"{collection} {digest.hexdigest()}"


class Pace:
    """Decides how much is written at once, and how long the pause after it is. ``is_beside``: returns whether a service
    runs that waits while a transaction of ours is written."""

    def __init__(self, clock: Clock, is_beside: Callable[[], bool]) -> None:
        self._clock = clock
        self._look = is_beside
        self._looked_at = -LOOK_SECONDS
        self._is_beside = False

    def most(self, now: float) -> int:
        if now - self._looked_at >= LOOK_SECONDS:
            self._is_beside, self._looked_at = self._look(), now
        return MAX_RECORDS_BESIDE_SERVICE if self._is_beside else MAX_RECORDS

    async def rest(self, took: float) -> None:
        if self._is_beside:
            await self._clock.sleep(PAUSE_FACTOR * took)

    async def wait(self) -> None:
        await self._clock.sleep(RETRY_SECONDS)


class _Piece(NamedTuple):
    """Holds the records of one transaction."""

    documents: list[dict[str, Any]]
    line: int
    """The last line that was read."""
    read: int
    refused: list[Refusal]
    is_stop: bool
    """True if the refused line ends the import."""


class Import:
    """Imports one file into a collection of a bot. ``source``: its ``file_fingerprint``; "" for what cannot be read
    again. ``on_refused`` gets each refused line, which is skipped then; None stops at the first."""

    def __init__(
        self,
        store: Store,
        collection: Collection,
        bot: str,
        source: str,
        *,
        reader: RecordReader,
        pace: Pace,
        on_refused: Callable[[Refusal], None] | None = None,
        progress: Callable[[ImportProgress], None] = lambda _: None,
    ) -> None:
        self._store = store
        self._collection = collection
        self._bot = bot
        self._source = source
        self._reader = reader
        self._pace = pace
        self._on_refused = on_refused
        self._progress = progress
        self._progress_so_far = ImportProgress()

    async def begin(self) -> int:
        """Return the line up to which the file was read before."""
        return await self._store.imported_lines(self._bot, self._source) if self._source else 0

    async def run(self, file: BinaryIO, begin: int = 0) -> ImportProgress:
        """Read the file after line ``begin``; while a piece is written the next is read. Raises ``ImportStopped``."""
        lines = _Lines(file)
        await asyncio.to_thread(lines.skip, begin)
        self._progress_so_far = ImportProgress(lines.number, lines.read)
        loop = asyncio.get_running_loop()
        writing: asyncio.Task[None] | None = None
        try:
            while True:
                piece = await asyncio.to_thread(self._next, lines, self._pace.most(loop.time()))
                before, writing = writing, None
                if before is not None:
                    await before
                if piece is None:
                    return self._progress_so_far
                writing = asyncio.create_task(self._write(piece))
        finally:
            if writing is not None:
                await writing

    # -- reading, on a thread

    def _next(self, lines: _Lines, most: int) -> _Piece | None:
        """Return the next piece; None at the end, and after a line that stops the import."""
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
                if self._on_refused is None or isinstance(error, _Array):
                    lines.end()
                    return _Piece(documents, lines.number - 1, lines.read, refused, is_stop=True)
                lines.has_begun = True
        return _Piece(documents, lines.number, lines.read, refused, is_stop=False) if lines.read > first else None

    def _read(self, line: bytes, *, is_first: bool) -> dict[str, Any]:
        if is_first and line.startswith(b"["):
            raise _Array
        return self._reader.read(line)

    # -- writing

    async def _write(self, piece: _Piece) -> None:
        loop, progress = asyncio.get_running_loop(), self._progress_so_far
        begun = loop.time()
        written = await self._bring_in(piece)
        self._progress_so_far = ImportProgress(
            line=piece.line,
            read=piece.read,
            written=progress.written + written,
            known=progress.known + len(piece.documents) - written,
            bad=progress.bad + len(piece.refused),
        )
        if piece.is_stop:
            raise ImportStopped(piece.refused[-1], self._progress_so_far)
        if self._on_refused is not None:
            for refusal in piece.refused:
                self._on_refused(refusal)
        self._progress(self._progress_so_far)
        await self._pace.rest(loop.time() - begun)

    async def _bring_in(self, piece: _Piece) -> int:
        arguments = (self._collection, self._bot, piece.documents, self._source, piece.line)
        for _ in range(MAX_TRIES - 1):
            try:
                return await self._store.import_records(*arguments)
            except Refused:
                raise
            except StoreError:
                await self._pace.wait()
        return await self._store.import_records(*arguments)


class _Array(BadRecord):
    def __init__(self) -> None:
        super().__init__(
            "",
            "begins a JSON array. A file to import holds one record a line, as the history API gives them with "
            "Accept: application/x-ndjson. Of an array, jq -c '.[]' makes such lines",
        )


class _Lines:
    """Reads lines without their ends; of one that is too long no more than shows it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._is_over = False
        self.number = 0
        self.read = 0
        self.has_begun = False
        """True if a line that is not blank was read."""

    def next(self) -> bytes | None:
        """Return the next line; None at the end, empty for a blank one."""
        line = b"" if self._is_over else self._file.readline(MAX_RECORD_BYTES + 2)
        if not line:
            return None
        self.number += 1
        self.read += len(line)
        if len(line) > MAX_RECORD_BYTES + 1 and not line.endswith(b"\n"):
            self._skip_rest()
        if self.number == 1:
            line = line.removeprefix(_BOM)
        return line.strip(b" \t\r\n")

    def _skip_rest(self) -> None:
        while rest := self._file.readline(MAX_BYTES):
            self.read += len(rest)
            if rest.endswith(b"\n"):
                break

    def skip(self, count: int) -> None:
        while self.number < count and (line := self.next()) is not None:
            self.has_begun |= bool(line)

    def end(self) -> None:
        self._is_over = True
