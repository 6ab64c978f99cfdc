"""A small HTTP client for loads: one connection, one request at a time, nothing that it could do without."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any


class Refused(AssertionError):
    """An answer that is no success."""

    def __init__(self, status: int, headers: dict[bytes, bytes], what: str) -> None:
        super().__init__(what)
        self.status = status
        self.headers = headers


class Client:
    def __init__(self, port: int) -> None:
        self._port = port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def post(self, path: str, token: str, value: Any) -> Any:
        return json.loads(await self.ask("POST", path, token, json.dumps(value).encode()))

    async def ask(self, method: str, path: str, token: str, body: bytes = b"") -> bytes:
        """The body of an answer that is a success; ``Refused`` for any other."""
        await self.send(method, path, token, body)
        status, headers = await self.head()
        assert self._reader is not None
        length = int(headers.get(b"content-length", b"0"))
        answer = await self._reader.readexactly(length)
        if not 200 <= status < 300:
            raise Refused(status, headers, f"{method} {path} was answered with {status}: {answer.decode()}")
        return answer

    async def send(
        self,
        method: str,
        path: str,
        token: str,
        body: bytes = b"",
        *,
        scheme: str = "Bearer",
        accept: str = "*/*",
    ) -> None:
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {scheme} {token}\r\n"
            f"Accept: {accept}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            + body
        )

    async def head(self) -> tuple[int, dict[bytes, bytes]]:
        assert self._reader is not None
        first, *lines = (await self._reader.readuntil(b"\r\n\r\n"))[:-4].split(b"\r\n")
        headers = (line.partition(b":") for line in lines)
        return int(first.split()[1]), {name.lower(): value.strip() for name, _, value in headers}

    async def line(self) -> bytes:
        """The next line of a body without an end; empty when the other side has ended it."""
        assert self._reader is not None
        return await self._reader.readline()

    async def chunks(self) -> AsyncIterator[bytes]:
        """The pieces of a body that comes in chunks (RFC 9112 section 7.1), to its end."""
        assert self._reader is not None
        while size := int(await self._reader.readline(), 16):
            yield (await self._reader.readexactly(size + 2))[:-2]

    async def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            # The other side may have ended it first.
            with contextlib.suppress(OSError):
                await self._writer.wait_closed()
