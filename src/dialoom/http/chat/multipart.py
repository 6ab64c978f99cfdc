"""Reads bodies of ``multipart/form-data`` (RFC 7578), as browsers send files."""

from __future__ import annotations

from email.message import Message
from typing import NamedTuple

from dialoom.errors import RequestError

MAX_PARTS = 16
MAX_PART_HEAD_BYTES = 4096


class FormPart(NamedTuple):
    """One part. ``filename`` is None for a field that is no file."""

    name: str
    filename: str | None
    content_type: str
    content: bytes


def parse(body: bytes, content_type: str) -> list[FormPart]:
    """Return the parts of a body. Raises ``RequestError`` 400 for what is no form."""
    boundary = header_of("content-type", content_type).get_boundary()
    if not boundary or not boundary.isascii():
        raise _bad("Content-Type names no boundary.")
    mark = b"--" + boundary.encode("ascii")
    # Each boundary begins a line; the first may be the body's beginning.
    pieces = (b"\r\n" + body).split(b"\r\n" + mark, MAX_PARTS + 2)
    if len(pieces) > MAX_PARTS + 2:
        raise _bad(f"It has more than {MAX_PARTS} parts.")
    if len(pieces) < 2 or not pieces[-1].startswith(b"--"):
        raise _bad("The last boundary is missing.")
    return [_part(piece) for piece in pieces[1:-1]]


def header_of(name: str, value: str) -> Message:
    """Return a header whose parameters can be read."""
    message = Message()
    message[name] = value.replace("\r", " ").replace("\n", " ")
    return message


def _part(piece: bytes) -> FormPart:
    head, end, content = piece.removeprefix(b"\r\n").partition(b"\r\n\r\n")
    if not end or len(head) > MAX_PART_HEAD_BYTES:
        raise _bad("A part has no head, or one that is too long.")
    message = Message()
    for line in head.decode("utf-8", "replace").split("\r\n"):
        header, colon, value = line.partition(":")
        if colon and header.strip():
            message[header.strip()] = value.strip()
    name = message.get_param("name", header="content-disposition")
    # A name in another charset (RFC 2231) comes as three parts.
    text = name[2] if isinstance(name, tuple) else name
    return FormPart(text or "", message.get_filename(), message.get_content_type(), content)


def _bad(why: str) -> RequestError:
    return RequestError("bad-body", f"The body is no multipart/form-data (RFC 7578): {why}")
