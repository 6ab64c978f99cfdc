"""Reads a request on an ASGI endpoint with limits, and answers it."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qsl

import msgspec

from dialoom import strict_json
from dialoom.errors import RequestError
from dialoom.http import problems
from dialoom.http.server.web_socket import WebSocket, no_web_socket
from dialoom.strict_json import Unfit

if TYPE_CHECKING:
    Scope = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
    Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
    Headers = list[tuple[bytes, bytes]]
    Whole = Callable[[int, Headers, bytes], bool]
    """Sends an answer in one piece: status, headers and body. False, and nothing is sent, where that cannot be."""

T = TypeVar("T")

MAX_BODY_BYTES = 1024 * 1024
MAX_DEPTH = 64
"""Levels of nesting in a request body."""
NO_CONTENT = 204
MAX_PARAMETERS = 100
CUT = "dialoom.cut"
"""Name of the server's extension to ASGI that ends a connection amid an answer."""
GONE = "dialoom.gone"
"""Name of the one that tells whether the client has gone: what is sent to nobody is dropped without a word."""
WHOLE = "dialoom.whole"
"""Name of the one that sends an answer in one piece."""
UPGRADE = "dialoom.upgrade"
"""Name of the one that makes a WebSocket of the connection; there where the request asks for another protocol."""


class Document(msgspec.Struct, dict=True):
    """Holds content that is the same for everybody, with a compressed form where that is smaller."""

    content: bytes
    etag: str
    headers: dict[str, str]

    @cached_property
    def compressed(self) -> bytes | None:
        """Return the content as gzip, made when it is first asked for: 4 ms for the largest."""
        return gzip.compress(self.content, 9, mtime=0) if len(self.content) >= MIN_COMPRESSED_BYTES else None


MIN_COMPRESSED_BYTES = 1024


def document(content: bytes, headers: dict[str, str]) -> Document:
    """Return the content with what browsers need to keep it. ``headers`` stand also in the answer that it is known."""
    etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    return Document(content, etag, headers | {"etag": etag, "vary": "accept-encoding"})


class Exchange:
    """Reads one request and answers it."""

    __slots__ = (
        "_receive",
        "_send",
        "_upgrade",
        "_whole",
        "about",
        "access_changes",
        "encode",
        "extra",
        "headers",
        "is_started",
        "on_body",
        "on_success",
        "received",
        "scope",
    )

    def __init__(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        whole: Whole | None = None,
        upgrade: Callable[[], WebSocket] | None = None,
    ) -> None:
        self.scope = scope
        self._receive = receive
        self._send = send
        self._whole = whole
        self._upgrade = upgrade
        self.headers: dict[bytes, bytes] = dict(scope["headers"])
        self.extra: dict[str, str] = {}
        """Headers that go with any answer (CORS)."""
        self.encode = problems.encode
        """Makes status, headers and body of a refusal; other protocols have their own form of errors."""
        self.is_started = False
        self.on_body: Callable[[], Awaitable[object]] | None = None
        """Called when the body is whole, which its sender may have held back."""
        self.on_success: Callable[[], Awaitable[None]] | None = None
        """Called before the first byte of an answer that is no refusal."""
        self.about: str | None = None
        """Which version, token or conversation it was about, for the studio's log; None: what the path ends with."""
        self.access_changes: list[str] = []
        """What the change gave away, for the studio's log."""
        self.received = 0
        """Bytes of the body that was read."""

    @property
    def method(self) -> str:
        return str(self.scope["method"])

    def header(self, name: bytes) -> str | None:
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1")

    def bearer(self) -> str | None:
        """Return the token of ``Authorization: Bearer``; None without the header, empty for another scheme."""
        value = self.header(b"authorization")
        if value is None:
            return None
        scheme, _, token = value.partition(" ")
        return token.strip() if scheme.lower() == "bearer" else ""

    def query(self, *allowed: str) -> dict[str, str]:
        """Return the parameters. Raise ``RequestError`` 400 for an unknown, a repeated or no UTF-8 one."""
        found: dict[str, str] = {}
        for name, value in self.pairs():
            if name not in allowed:
                raise unknown_parameter(name, allowed)
            if name in found:
                raise RequestError("bad-parameter", f'The parameter "{name}" stands twice. Give it once.')
            found[name] = value
        return found

    def pairs(self) -> list[tuple[str, str]]:
        """Return all parameters as they came, for addresses that others add theirs to. Raise ``RequestError`` 400 for
        what is not UTF-8."""
        return _pairs(self.scope["query_string"])

    async def body(
        self, most: int = MAX_BODY_BYTES, refusal: RequestError | None = None, idle: float | None = None
    ) -> bytes:
        """Return the body. Raise ``refusal`` as soon as it, or what is said of its length, is more than ``most`` bytes,
        and ``TimeoutError`` when nothing of it comes for ``idle`` seconds."""
        chunks, size = [], 0
        length = self.headers.get(b"content-length", b"0")
        if length.isdigit() and int(length) > most:
            raise refusal or too_large()
        while True:
            if idle is None:
                event = await self._receive()
            else:
                async with asyncio.timeout(idle):
                    event = await self._receive()
            if event["type"] == "http.disconnect":
                raise RequestError("incomplete", "The connection ended before the body was whole.")
            chunk = event.get("body", b"")
            size += len(chunk)
            if size > most:
                raise refusal or too_large()
            chunks.append(chunk)
            if not event.get("more_body", False):
                self.received = size
                if self.on_body is not None:
                    await self.on_body()
                return b"".join(chunks)

    async def read(self, type: type[T]) -> T:
        """Return the JSON body as this type. Raise ``RequestError`` for any other content type, JSON or shape."""
        self._check_type()
        return self._decode(await self.body(), type)

    def decode(self, body: bytes, type: type[T]) -> T:
        """Return a body that was read as this type. Raise like ``read``."""
        self._check_type()
        return self._decode(body, type)

    def _check_type(self) -> None:
        content_type = (self.header(b"content-type") or "").partition(";")[0].strip().lower()
        if content_type != "application/json":
            raise RequestError("content-type", "Send the body as JSON, with Content-Type: application/json.")
        if (self.header(b"content-encoding") or "identity").lower() != "identity":
            raise RequestError("content-type", "Send the body as it is, without Content-Encoding.")

    @staticmethod
    def _decode(body: bytes, type: type[T]) -> T:
        value = read_json(body)
        try:
            return msgspec.convert(value, type)
        except msgspec.ValidationError as error:
            raise _bad_shape(error) from error

    async def disconnected(self) -> None:
        """Wait until the client has gone."""
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def start(self, status: int, headers: dict[str, str]) -> None:
        await self._succeed(status)
        self.is_started = True
        await self._send({"type": "http.response.start", "status": status, "headers": self._raw(headers)})

    async def _succeed(self, status: int) -> None:
        on_success, self.on_success = self.on_success, None
        if on_success is not None and status < 400:
            await on_success()

    def _raw(self, headers: dict[str, str]) -> Headers:
        return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in (headers | self.extra).items()]

    async def chunk(self, data: bytes, *, more: bool = True) -> None:
        await self._send({"type": "http.response.body", "body": data, "more_body": more})

    async def taken(self) -> None:
        """Wait until the client has taken what was sent, but for a little. A chunk waits for the same before it is
        written, and is held meanwhile: who makes the next one should not make it before. Raises ``RequestError``, which
        nobody will read, when the client has gone."""
        await self.chunk(b"")
        if self._is_gone():
            raise RequestError("incomplete", "The connection ended before the answer was whole.")

    def _is_gone(self) -> bool:
        is_gone = self.scope.get("extensions", {}).get(GONE)
        return is_gone is not None and bool(is_gone())

    def upgrade(self) -> WebSocket:
        """Make a WebSocket of the connection. Raise ``RequestError`` 400 where the request does not ask for one."""
        if self._upgrade is None:
            raise no_web_socket()
        socket = self._upgrade()
        self.is_started = True
        return socket

    def cut(self) -> None:
        """End the connection amid the answer: what the client has got must not look like the whole."""
        cut = self.scope.get("extensions", {}).get(CUT)
        if cut is not None:  # other servers see that the answer was not finished, and end the connection as well
            cut()

    def mark_replayed(self) -> None:
        """Say in the answer that it repeats an earlier one: the request was known, and nothing was done again."""
        self.extra["idempotent-replayed"] = "true"

    async def answer(self, status: int, body: bytes, content_type: str = "application/json", **headers: str) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        base = {"cache-control": "no-store"}
        if status != NO_CONTENT:  # it has no body, and says nothing of one (RFC 9110 section 8.6)
            base |= {"content-type": content_type, "content-length": str(len(body))}
        await self._give(status, base | named, body)

    async def give(self, document: Document) -> None:
        """Answer with a document, or that the client has it already (RFC 9110 section 13.1.2)."""
        headers = dict(document.headers)
        if self.header(b"if-none-match") == document.etag:
            await self.start(304, headers)
            await self.chunk(b"", more=False)
            return
        content = document.content
        if document.compressed is not None and "gzip" in (self.header(b"accept-encoding") or ""):
            content = document.compressed
            headers["content-encoding"] = "gzip"
        await self.start(200, headers | {"content-length": str(len(content))})
        await self.chunk(b"" if self.method == "HEAD" else content, more=False)

    async def refuse(self, error: RequestError) -> None:
        status, headers, body = self.encode(error)
        await self._give(status, headers | {"content-length": str(len(body))}, body)

    async def _give(self, status: int, headers: dict[str, str], body: bytes) -> None:
        is_head = self.method == "HEAD"
        await self._succeed(status)
        if self._whole is not None and not is_head and self._whole(status, self._raw(headers), body):
            self.is_started = True
            return
        await self.start(status, headers)
        await self.chunk(b"" if is_head else body, more=False)


def too_large() -> RequestError:
    return RequestError("too-large", f"A body has at most {MAX_BODY_BYTES} bytes.", headers={"Connection": "close"})


def unknown_parameter(name: str, allowed: Sequence[str]) -> RequestError:
    known = f"Known are: {', '.join(allowed)}." if allowed else "None is known here."
    return RequestError("unknown-parameter", f'There is no parameter "{name[:80]}". {known}')


def _pairs(query: bytes) -> list[tuple[str, str]]:
    if not query:
        return []
    try:
        return parse_qsl(query.decode(), keep_blank_values=True, errors="strict", max_num_fields=MAX_PARAMETERS)
    except UnicodeDecodeError as error:
        detail = f"The parameters are not UTF-8: {error.reason}. Encode them as UTF-8, then with percent signs."
        raise RequestError("bad-text", detail) from error
    except ValueError as error:
        detail = f"There are more than {MAX_PARAMETERS} parameters."
        raise RequestError("bad-parameter", detail) from error


def _bad_shape(error: msgspec.ValidationError) -> RequestError:
    sentence, _, path = str(error).partition(" - at `$")
    pointer = path.rstrip("`").replace("[...]", "").replace("[", ".").replace("]", "").replace(".", "/")
    return RequestError("bad-body", f"{sentence}.", pointer=pointer or None)


def read_json(body: bytes) -> Any:
    """Return the value of a JSON text. Raise ``RequestError`` 400 for what is no strict JSON."""
    try:
        return strict_json.read(body, MAX_DEPTH)
    except Unfit as unfit:
        raise _unfit(unfit) from unfit


def check_unicode(text: str, pointer: str) -> None:
    """Raise ``RequestError`` 400 for a text that can be stored nowhere as it is."""
    try:
        strict_json.check_text(text, pointer)
    except Unfit as unfit:
        raise _unfit(unfit) from unfit


def _unfit(unfit: Unfit) -> RequestError:
    """Return the refusal; without a pointer where the body as a whole is at fault."""
    code = "bad-text" if unfit.fault == "text" else "bad-json"
    return RequestError(code, unfit.detail, pointer=None if unfit.fault == "json" else unfit.pointer)
