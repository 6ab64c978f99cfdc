"""How a host's name becomes addresses: the system's way, in threads of our own. Judging them is left to ``egress``."""

from __future__ import annotations

import asyncio
import functools
import socket
from concurrent.futures import ThreadPoolExecutor

from aiohttp.abc import AbstractResolver, ResolveResult

THREADS = 32
"""A name server that hangs keeps a thread for 10 s and more. The event loop has 4 to 6 of its own, for everything."""


class SystemNames(AbstractResolver):
    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="names")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        ask = functools.partial(socket.getaddrinfo, host, port, family, socket.SOCK_STREAM, 0, socket.AI_ADDRCONFIG)
        try:
            answers = await asyncio.get_running_loop().run_in_executor(self._threads, ask)
        except UnicodeError as error:
            # A label that is empty or longer than 63 characters.
            raise OSError(None, "no name of a host") from error
        return [
            ResolveResult(
                hostname=host,
                host=str(address[0]),
                port=int(address[1]),
                family=family,
                proto=protocol,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for family, _, protocol, _, address in answers
        ]

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
