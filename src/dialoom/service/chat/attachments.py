"""Stores the files that users send, sealed, and signs the addresses, which expire, under which they are given out.

The type of a file is told by its first bytes, never by what its sender says; SVG and HTML can hold script, so they are
texts here and never images. Receiving and sending files over the network belongs in ``dialoom.http``.
"""

from __future__ import annotations

import asyncio
import re
import unicodedata
import uuid
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Annotated, Final, NamedTuple
from urllib.parse import quote

import msgspec
from msgspec import Meta

from dialoom.auth.vault import Vault
from dialoom.engine.events import Attachment
from dialoom.errors import RequestError
from dialoom.service.chat.chat_row import row_name
from dialoom.service.clock import Clock
from dialoom.storage.store import ChatKey, FileLimit, FileRow, Store

TEXT = "text/plain"
UNKNOWN = "application/octet-stream"
MAX_NAME_CHARS = 120
MAX_EXTENSION_CHARS = 12
_SNIFFED_BYTES = 65_536
"""Bytes of a text that are read to see that it is one; of an office file that are searched for its kind."""


class Mark(NamedTuple):
    """Names a type by its first bytes, and by the bytes ``then`` at an offset."""

    start: bytes
    type: str
    offset: int = 0
    then: bytes = b""


MARKS = (
    Mark(b"\x89PNG\r\n\x1a\n", "image/png"),
    Mark(b"\xff\xd8\xff", "image/jpeg"),
    Mark(b"GIF87a", "image/gif"),
    Mark(b"GIF89a", "image/gif"),
    Mark(b"RIFF", "image/webp", 8, b"WEBP"),
    Mark(b"RIFF", "audio/wav", 8, b"WAVE"),
    Mark(b"II*\x00", "image/tiff"),
    Mark(b"MM\x00*", "image/tiff"),
    Mark(b"%PDF-", "application/pdf"),
    Mark(b"OggS", "audio/ogg"),
    Mark(b"fLaC", "audio/flac"),
    Mark(b"ID3", "audio/mpeg"),
    Mark(b"\xff\xfb", "audio/mpeg"),
    Mark(b"\xff\xf3", "audio/mpeg"),
    Mark(b"\xff\xf1", "audio/aac"),
    Mark(b"\xff\xf9", "audio/aac"),
    Mark(b"#!AMR", "audio/amr"),
    Mark(b"\x1f\x8b\x08", "application/gzip"),
    Mark(b"{\\rtf", "application/rtf"),
    Mark(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
)

BRANDS = {
    b"heic": "image/heic",
    b"heix": "image/heic",
    b"heim": "image/heic",
    b"heis": "image/heic",
    b"mif1": "image/heif",
    b"msf1": "image/heif",
    b"avif": "image/avif",
    b"avis": "image/avif",
    b"qt  ": "video/quicktime",
    b"M4A ": "audio/mp4",
    b"M4B ": "audio/mp4",
}
"""Of ISO base media files (ISO/IEC 14496-12 section 4.3); all others are video."""

OFFICE = {
    b"word/document": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    b"xl/workbook": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    b"ppt/presentation": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
}
"""A part of the ZIP file that only this kind has."""

ENDINGS = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "image/heic": ".heic",
    "application/pdf": ".pdf",
    "video/mp4": ".mp4",
    TEXT: ".txt",
}
"""For files that come without a name."""

IMAGES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/heic", "image/heif"})
"""Types that browsers may show in their place."""

# Signs that turn a name around or cannot be seen: controls, formats (bidirectional marks), private and unassigned ones.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_REFUSED = re.compile(r'[<>:"|?*]')
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


def type_of(content: bytes) -> str:
    for mark in MARKS:
        if content.startswith(mark.start) and content.startswith(mark.then, mark.offset):
            return mark.type
    if content[4:8] == b"ftyp":
        return BRANDS.get(content[8:12], "video/3gpp" if content[8:11] == b"3gp" else "video/mp4")
    if content.startswith(b"\x1a\x45\xdf\xa3"):
        return "video/webm" if b"webm" in content[:64] else "video/x-matroska"
    if content.startswith(b"PK\x03\x04"):
        return _type_of_zip(content)
    return TEXT if _is_text(content) else UNKNOWN


def _type_of_zip(content: bytes) -> str:
    # OpenDocument files begin with their type, uncompressed (OpenDocument 1.3 part 2 section 3.3).
    if content[30:38] == b"mimetype":
        named = re.match(rb"application/(?:vnd\.oasis\.opendocument\.[a-z-]{1,40}|epub\+zip)", content[38:120])
        return named[0].decode() if named else "application/zip"
    for part, type in OFFICE.items():
        # The names of all parts stand once more at the end.
        if part in content[:_SNIFFED_BYTES] or part in content[-_SNIFFED_BYTES:]:
            return type
    return "application/zip"


def _is_text(content: bytes) -> bool:
    head = content[:_SNIFFED_BYTES]
    if _CONTROLS.search(head):
        return False
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        # The look may have ended in the middle of a character.
        return len(content) > _SNIFFED_BYTES and error.start >= _SNIFFED_BYTES - 4
    return True


def safe_name(name: str, type: str) -> str:
    """Return the last part of a path without control and direction characters; never empty."""
    last = unicodedata.normalize("NFC", re.split(r"[/\\]", name)[-1])
    plain = "".join(" " if unicodedata.category(character) in _HIDDEN else character for character in last)
    plain = " ".join(_REFUSED.sub("_", plain).split()).strip(". ")
    if not plain:
        return f"file{ENDINGS.get(type, '')}"
    if len(plain) > MAX_NAME_CHARS:
        stem, point, ending = plain.rpartition(".")
        keeps = bool(point) and len(ending) <= MAX_EXTENSION_CHARS
        plain = (
            f"{stem[: MAX_NAME_CHARS - len(ending) - 1].rstrip()}.{ending}"
            if keeps
            else plain[:MAX_NAME_CHARS].rstrip()
        )
    return plain


DAY_MS = 24 * 3600 * 1000
MAX_BYTES_PER_USER_DAY: Final = 100 * 1024 * 1024
"""Bytes that one user may send in 24 hours."""
MAX_FILE_BYTES: Final = 10 * 1024 * 1024
MAX_FILES_PER_USER_DAY: Final = 200
MAX_BYTES_PER_CHANNEL_DAY: Final = 5 * 1024**3
"""Bytes that all anonymous users of a channel may send in 24 hours (they cost nothing, the disk does), and as many all
whom a user token names."""
MAX_FILES_PER_CHANNEL_DAY: Final = 100_000
"""Files, the same. From one address come far fewer (``quota_files``), so that no single one uses them up."""
DAY_LIMIT: Final = FileLimit(
    0, MAX_BYTES_PER_USER_DAY, MAX_FILES_PER_USER_DAY, MAX_BYTES_PER_CHANNEL_DAY, MAX_FILES_PER_CHANNEL_DAY
)
UNSENT_KEPT_MS = DAY_MS
"""Milliseconds after which a file that no message has named is deleted."""
CHAT_ADDRESS_SECONDS = 24 * 3600
"""Seconds of an address given to whoever reads the chat; each reading gives a new one."""
MEMORY_ADDRESS_SECONDS = 7 * 24 * 3600
"""Seconds of an address in memory and in records, which data sources fetch from."""
_EXPIRY_STEP_SECONDS = 3600
"""Addresses end at whole hours, so that a browser finds in its cache what it has read before."""
_PURPOSE = "file"

_OWN = re.compile(r"/v1/bots/[^/?#]+/channels/[^/?#]+/files/([0-9a-f]{32})\?")


class AttachmentInfo(msgspec.Struct, frozen=True, rename="camel"):
    name: str
    mime_type: str


class StoredFile(msgspec.Struct, frozen=True, rename="camel"):
    """Describes a stored file to the client that sent it."""

    id: Annotated[
        str, Meta(description="Name it in `files` of a message.", examples=["0d7b7c9dcf6a4b0e9a3f5c1e8b2d4f60"])
    ]
    url: Annotated[
        str,
        Meta(
            description="Its signed address.",
            examples=["https://bots.example.org/v1/bots/clinic/channels/web/files/0d7b?e=1&s=2"],
        ),
    ]
    mime_type: Annotated[str, Meta(description="Its type, found from its content.", examples=["image/png"])]
    name: Annotated[str, Meta(description="What it is called.", examples=["leaf.png"])]
    size: Annotated[int, Meta(description="Bytes.", examples=[20480])]


class Found(msgspec.Struct, frozen=True):
    """Describes a file for a download; its content comes in pieces (``Attachments.pieces``)."""

    about: AttachmentInfo
    row: FileRow


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(AttachmentInfo)


class Attachments:
    def __init__(self, store: Store, vault: Vault, clock: Clock, base_url: str, limit: FileLimit = DAY_LIMIT) -> None:
        self._store = store
        self._vault = vault
        self._clock = clock
        self._base_url = base_url
        self._limit = limit

    async def keep(self, key: ChatKey, name: str, content: bytes) -> StoredFile:
        """Store a file. Raises ``RequestError`` 429 when this user, or all users of its kind on the channel, sent too
        much."""
        id, now = uuid.uuid4().hex, self._clock.now()
        about, sealed = await asyncio.to_thread(self._sealed, key, id, name, content)
        known = self._vault.seal(_encoder.encode(about), file_row_name(key, id, "about"))
        row = FileRow(key, id, known, len(content), now)
        if not await self._store.keep_file(row, sealed, msgspec.structs.replace(self._limit, since=now - DAY_MS)):
            own, all = self._limit.size // 1024**2, self._limit.channel_size // 1024**2
            detail = (
                f"One user can send {own} MiB and {self._limit.count} files in 24 hours, all anonymous users of a "
                f"channel together, and all others together, {all} MiB and {self._limit.channel_count} files; one of "
                f"these is reached. Try again later."
            )
            raise RequestError("too-many-files", detail, headers={"Retry-After": "3600"})
        return StoredFile(id, self._address(key, id, CHAT_ADDRESS_SECONDS), about.mime_type, about.name, len(content))

    def _sealed(self, key: ChatKey, id: str, name: str, content: bytes) -> tuple[AttachmentInfo, bytes]:
        """Seal the content in a thread: ten megabytes take some milliseconds."""
        type = type_of(content)
        return AttachmentInfo(safe_name(name, type), type), self._vault.seal(content, file_row_name(key, id, "content"))

    async def named(self, key: ChatKey, ids: Sequence[str]) -> tuple[Attachment, ...]:
        """Return the files that a message names, which keeps them when it is accepted (``InboundEvent.files``). Raises
        ``RequestError`` 400 for another user's as for one that there is not."""
        attachments = []
        for index, id in enumerate(ids):
            row = await self._store.file(key.bot, id)
            if row is None or row.key != key:
                raise unknown_file(f"/files/{index}")
            about = self._about(row)
            url = self._address(key, id, MEMORY_ADDRESS_SECONDS)
            attachments.append(Attachment(url=url, mime_type=about.mime_type, name=about.name))
        return tuple(attachments)

    async def find(self, bot: str, channel: str, id: str, *, with_content: bool = True) -> Found | None:
        """Find a file whose address the caller has checked. ``with_content``: check that it is whole and right, so that
        it can be handed out."""
        row = await self._store.file(bot, id)
        while row is not None and row.key.channel == channel:
            if not with_content or await self._is_right(row):
                return Found(self._about(row), row)
            before, row = row, await self._store.file(bot, id)
            if row == before:
                return None  # a stop has left it without content
        return None

    async def pieces(self, found: Found) -> AsyncGenerator[bytes, None]:
        """Yield the content of a file that was checked; one piece is in memory at a time. Raises ``RequestError`` 404
        when it is deleted, or sealed again, before the last."""
        size = 0
        async with aclosing(self._opened(found.row)) as opened:
            async for piece in opened:
                size += len(piece)
                yield piece
        if size != found.row.size:
            raise RequestError("not-found", "The file is no longer as it was. Ask for it again.")

    async def _is_right(self, row: FileRow) -> bool:
        """Return False when the file was deleted or changed. Raises ``VaultError``."""
        size = 0
        async for piece in self._opened(row):
            size += len(piece)
        return size == row.size

    async def _opened(self, row: FileRow) -> AsyncGenerator[bytes, None]:
        """Yield the pieces until one is missing; the last comes only once all of them are known to be right. Each is
        opened on the event loop, in 0.4 ms."""
        opening = self._vault.opening(file_row_name(row.key, row.id, "content"))
        number = size = 0
        while size < row.size and (sealed := await self._store.piece(row, number)) is not None:
            piece = opening.take(sealed)
            del sealed  # whoever takes the piece may hold it for long
            number, size = number + 1, size + len(piece)
            if size >= row.size:
                opening.end()
            yield piece

    def _about(self, row: FileRow) -> AttachmentInfo:
        return _decoder.decode(self._vault.open(row.about, file_row_name(row.key, row.id, "about")))

    # -- upkeep

    async def forget(self, bot: str, now: int) -> int:
        """Delete the files of a bot that no message named within a day; return how many."""
        return await self._store.forget_unsent(bot, now - UNSENT_KEPT_MS)

    # -- addresses

    def renew_address(self, key: ChatKey, url: str) -> str:
        """Sign a file address again for a reader of the chat; return any other address unchanged."""
        own = _OWN.search(url)
        return url if own is None else self._address(key, own[1], CHAT_ADDRESS_SECONDS)

    def is_signed(self, bot: str, channel: str, id: str, expires: int, signature: str) -> bool:
        if expires * 1000 <= self._clock.now():
            return False
        return self._vault.has_signed(signature, _payload(bot, channel, id, expires), _PURPOSE)

    def seconds_left(self, expires: int) -> int:
        """Return the seconds until the address expires."""
        return max(expires - self._clock.now() // 1000, 0)

    def _address(self, key: ChatKey, id: str, seconds: int) -> str:
        expires = (self._clock.now() // 1000 // _EXPIRY_STEP_SECONDS + 1) * _EXPIRY_STEP_SECONDS + seconds
        signature = self._vault.signature(_payload(key.bot, key.channel, id, expires), _PURPOSE)
        path = f"/v1/bots/{quote(key.bot, safe='')}/channels/{quote(key.channel, safe='')}/files/{id}"
        return f"{self._base_url}{path}?e={expires}&s={signature}"


def unknown_file(pointer: str) -> RequestError:
    detail = "There is no such file of this user. Send it with POST web/files first; unsent ones live a day."
    return RequestError("unknown-file", detail, pointer=pointer)


def _payload(bot: str, channel: str, id: str, expires: int) -> bytes:
    return "\0".join((bot, channel, id, str(expires))).encode()


def file_row_name(key: ChatKey, id: str, part: str) -> str:
    return f"{row_name('file', key)}\0{id}\0{part}"
