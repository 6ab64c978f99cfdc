"""What a file is, told by its first bytes and never by what its sender says; and a name that is safe to hand on.

SVG and HTML can hold script, so they are texts here and never images.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

TEXT = "text/plain"
UNKNOWN = "application/octet-stream"
MAX_NAME_CHARS = 120
MAX_EXTENSION_CHARS = 12
_LOOK = 65_536
"""Bytes of a text that are read to see that it is one; of an office file that are searched for its kind."""


class Mark(NamedTuple):
    """A type's first bytes, and those that stand at an offset ``then``."""

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
        if part in content[:_LOOK] or part in content[-_LOOK:]:
            return type
    return "application/zip"


def _is_text(content: bytes) -> bool:
    head = content[:_LOOK]
    if _CONTROLS.search(head):
        return False
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        # The look may have ended in the middle of a character.
        return len(content) > _LOOK and error.start >= _LOOK - 4
    return True


def safe_name(name: str, type: str) -> str:
    """The last part of a path without signs that hide or command something; never empty."""
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
