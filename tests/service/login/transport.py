"""How a provider can be wrong in the way it talks, whatever it says: raw bytes on a real socket."""

from __future__ import annotations

import asyncio
import functools
from typing import TYPE_CHECKING

from tests.data.far_ends import bomb, drip, hang
from tests.service.login.misbehaving import DISCOVERY, KEYS, TOKEN, Way

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.data.far_ends import Call

    Talk = Callable[[Call], Awaitable[None]]

MIB = 1024 * 1024
OTHER = "/elsewhere"
"""Where redirects lead; nobody ever comes there."""


async def drip_head(call: Call) -> None:
    await call.send(b"HTTP/1.1 200 OK\r\n")
    while True:
        await call.send(b"X: y\r\n")
        await asyncio.sleep(0.02)


async def drip_chunks(call: Call) -> None:
    await call.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        await call.send(b"1\r\n{\r\n")
        await asyncio.sleep(0.02)


async def never_begin(call: Call) -> None:
    while True:
        await call.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        await asyncio.sleep(0.01)


async def flood(call: Call) -> None:
    await call.send(b"HTTP/1.1 200 OK\r\nContent-Length: 67108864\r\n\r\n")
    for _ in range(1024):
        await call.send(bytes(65_536))


async def flood_in_chunks(call: Call) -> None:
    await call.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in range(1024):
        await call.send(b"10000\r\n" + bytes(65_536) + b"\r\n")


async def just_too_much(call: Call) -> None:
    await call.reply("200 OK", b" " * (MIB + 1))


@functools.cache
def packed_bomb() -> bytes:
    return bomb(64 * MIB)


async def burst(call: Call) -> None:
    await call.reply("200 OK", packed_bomb(), "Content-Encoding: gzip")


async def redirect(call: Call) -> None:
    await call.reply("302 Found", b"", f"Location: {OTHER}")


async def redirect_for_good(call: Call) -> None:
    await call.reply("308 Permanent Redirect", b"", f"Location: {OTHER}")


def raw(data: bytes) -> Talk:
    async def talk(call: Call) -> None:
        await call.send(data)
        call.writer.close()

    return talk


async def reset(call: Call) -> None:
    call.writer.transport.abort()


TIMEOUT, TOO_LARGE, BROKEN = "provider-timeout", "provider-too-large", "provider-broken"
STATUS = "status"
"""The check of the status, which each of the three answers has of its own."""
STATUSES = {DISCOVERY: "metadata-status", KEYS: "keys-status", TOKEN: "token-status"}

TALKS: dict[str, tuple[str, Talk]] = {
    "hangs": (TIMEOUT, hang),
    "drips a body": (TIMEOUT, drip),
    "drips a head": (TIMEOUT, drip_head),
    "drips chunks": (TIMEOUT, drip_chunks),
    "says that it will go on for ever": (TIMEOUT, never_begin),
    "sends 64 MiB": (TOO_LARGE, flood),
    "sends 64 MiB in chunks": (TOO_LARGE, flood_in_chunks),
    "sends one byte more than 1 MiB": (TOO_LARGE, just_too_much),
    "sends a compressed bomb": (TOO_LARGE, burst),
    "redirects": (STATUS, redirect),
    "redirects for good, with the body": (STATUS, redirect_for_good),
    "resets the connection": (BROKEN, reset),
    "ends the connection": (BROKEN, raw(b"")),
    "ends in the middle of a body": (BROKEN, raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}")),
    "ends in the middle of a chunk": (BROKEN, raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}")),
    "sends broken chunks": (BROKEN, raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n")),
    "speaks no HTTP": (BROKEN, raw(b"220 mail.example ESMTP\r\n")),
    "sends a huge header": (BROKEN, raw(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000 + b"\r\n\r\n")),
    "sends a thousand headers": (BROKEN, raw(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1000 + b"\r\n")),
    "compresses in a way not asked for": (
        BROKEN,
        raw(b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 2\r\n\r\n{}"),
    ),
    "sends gzip that is none": (
        BROKEN,
        raw(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}"),
    ),
}

TALKED = {
    f"{path} {name}": Way(STATUSES[path] if code == STATUS else code, talk={path: talk})
    for path in (DISCOVERY, KEYS, TOKEN)
    for name, (code, talk) in TALKS.items()
}
