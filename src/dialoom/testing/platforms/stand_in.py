"""What all stand-ins share: an HTTP server on loopback, the log of payloads, planned failures, calls of the webhook.

What a platform takes and refuses is in its own module.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self

import aiohttp
from aiohttp import web

CALL_TIMEOUT_SECONDS = 30.0
"""The longest that a webhook may take; platforms wait 10 to 20 s."""
MAX_BODY_BYTES = 8 * 2**20

Caller = Literal["service", "platform"]


@dataclass(frozen=True)
class Call:
    """One request that the service made."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    """By lower-case name."""
    body: bytes

    def json(self) -> Any:
        """Return the body read as JSON; None where it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


@dataclass(frozen=True)
class Answer:
    """One HTTP answer. ``body`` is sent as it is when it is bytes, else as JSON."""

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)

    def content(self) -> bytes:
        """Return the bytes of the body."""
        if self.body is None:
            return b""
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()

    def json(self) -> Any:
        """Return the body read as JSON; None where it is none."""
        if not isinstance(self.body, bytes):
            return self.body
        try:
            return json.loads(self.body)
        except ValueError:
            return None


@dataclass(frozen=True)
class Exchange:
    """One request and its answer, as they went over the wire."""

    number: int
    caller: Caller
    """Who made the request: the service under test, or the platform."""
    method: str
    address: str
    """The path where the service called; the whole address where the platform did."""
    headers: Mapping[str, str]
    body: Any
    """Read as JSON where it is JSON, else text."""
    status: int | None
    """None: no answer came."""
    answer: Any


@dataclass
class _Failure:
    status: int
    headers: Mapping[str, str]
    body: Any
    on: str
    times: int
    half: bool
    close: bool
    carried_out: bool


class StandIn:
    """A platform's HTTP interface on loopback. ``async with`` starts and stops it."""

    platform: ClassVar[str]
    """The type of the channel that speaks with it."""

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        self.clock = clock
        """Return the time in seconds since 1970; tests may move it."""
        self.exchanges: list[Exchange] = []
        """Every payload in both directions, in order of the answers."""
        self.delay_seconds = 0.0
        """How long each answer to the service takes."""
        self._failures: list[_Failure] = []
        self._logged = asyncio.Condition()
        self._runner: web.AppRunner | None = None
        self._session: aiohttp.ClientSession | None = None
        self._socket: socket.socket | None = None
        self.listeners: list[Callable[[], None]] = []
        """Called after each payload."""

    @property
    def url(self) -> str:
        """Return the address of the server without a path. It has one once it is bound or started."""
        assert self._socket is not None, "bind() or start() first"
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def bind(self, port: int = 0) -> None:
        """Take a port of 127.0.0.1, so that the address is known before the start; 0 takes a free one."""
        self._socket = socket.create_server(("127.0.0.1", port))

    async def start(self, port: int = 0) -> None:
        """Listen on a port of 127.0.0.1; 0 takes a free one, or the one that was bound."""
        if self._socket is None:
            self.bind(port)
        assert self._socket is not None
        server = web.Application(client_max_size=MAX_BODY_BYTES)
        server.router.add_route("*", "/{path:.*}", self._serve)
        self._runner = web.AppRunner(server, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.SockSite(self._runner, self._socket).start()
        self._session = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=CALL_TIMEOUT_SECONDS), cookie_jar=aiohttp.DummyCookieJar()
        )

    async def stop(self) -> None:
        """Stop listening and close all connections."""
        if self._session is not None:
            await self._session.close()
        if self._runner is not None:
            await self._runner.cleanup()
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    def fail_next(
        self,
        status: int = 500,
        headers: Mapping[str, str] | None = None,
        body: Any = None,
        *,
        on: str = "",
        times: int = 1,
        half: bool = False,
        close: bool = False,
        carried_out: bool = False,
    ) -> None:
        """Answer the next calls whose path contains ``on`` with a failure.

        ``half`` sends half of the body and closes, ``close`` closes without an answer. With ``carried_out`` the call
        is done first and only its answer is lost, so that a retry would do it twice.
        """
        self._failures.append(_Failure(status, headers or {}, body, on, times, half, close, carried_out))

    def calls(self, part: str = "") -> list[Exchange]:
        """Return what the service called, of the addresses that contain this part."""
        return [one for one in self.exchanges if one.caller == "service" and part in one.address]

    async def until(self, claim: Callable[[], bool], seconds: float = 20.0) -> None:
        """Wait until a claim about this stand-in holds. Raises ``TimeoutError`` with the last calls."""
        try:
            async with asyncio.timeout(seconds), self._logged:
                await self._logged.wait_for(claim)
        except TimeoutError as error:
            last = [f"{one.caller} {one.method} {one.address} {one.status} {one.body}" for one in self.exchanges[-8:]]
            raise TimeoutError("It did not come true. The last calls:\n" + "\n".join(last)) from error

    async def answer(self, call: Call) -> Answer:
        """Return what the platform answers to a call; each platform has its own."""
        raise NotImplementedError

    def screen(self) -> dict[str, Any]:
        """Return what the user sees, in the form that the sandbox page draws."""
        raise NotImplementedError

    async def act(self, action: Mapping[str, Any]) -> str | None:
        """Do what the user did on the sandbox page: an action that ``screen`` offered, or a text.

        Returns the address that the user's browser opens; None where it opens none.
        """
        raise NotImplementedError

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        call = Call(
            request.method,
            request.path,
            dict(request.query),
            {name.lower(): value for name, value in request.headers.items()},
            await request.read(),
        )
        if self.delay_seconds:
            await asyncio.sleep(self.delay_seconds)
        failure = self._failure_for(call.path)
        answer = await self.answer(call) if failure is None or failure.carried_out else None
        if failure is not None:
            answer = Answer(failure.body, failure.status, failure.headers)
        assert answer is not None
        lost = failure is not None and (failure.close or failure.half)
        shown = "half of the body was sent" if failure and failure.half else "closed without an answer"
        await self._log(
            "service",
            call.method,
            request.path_qs,
            call.headers,
            call.body,
            None if lost else answer.status,
            shown if lost else answer,
        )
        if failure is not None and failure.close:
            if request.transport is not None:
                request.transport.close()
            return web.Response()
        headers = {"Content-Type": "application/json", **answer.headers}
        content = answer.content()
        if failure is not None and failure.half:
            return await _send_half(request, answer.status, headers, content or b'{"ok": true}')
        return web.Response(body=content, status=answer.status, headers=headers)

    def _failure_for(self, path: str) -> _Failure | None:
        for failure in self._failures:
            if failure.on in path:
                failure.times -= 1
                if failure.times <= 0:
                    self._failures.remove(failure)
                return failure
        return None

    async def send(
        self, address: str, body: bytes | None, headers: Mapping[str, str] | None = None, method: str = "POST"
    ) -> Answer:
        """Call the service as the platform does. Status 0 means that no answer came."""
        assert self._session is not None, "start() first"
        sent = {"Content-Type": "application/json", **(headers or {})} if body is not None else dict(headers or {})
        try:
            async with self._session.request(
                method, address, data=body, headers=sent, allow_redirects=False
            ) as response:
                content = await response.read()
                answer = Answer(content, response.status, {k.lower(): v for k, v in response.headers.items()})
        except (aiohttp.ClientError, TimeoutError) as error:
            answer = Answer(str(error).encode(), 0)
        await self._log("platform", method, address, sent, body or b"", answer.status or None, answer)
        return answer

    async def _log(
        self,
        caller: Caller,
        method: str,
        address: str,
        headers: Mapping[str, str],
        body: bytes,
        status: int | None,
        answer: Answer | str,
    ) -> None:
        shown = answer if isinstance(answer, str) else readable(answer.content())
        exchange = Exchange(
            len(self.exchanges) + 1, caller, method, address, dict(headers), readable(body), status, shown
        )
        async with self._logged:
            self.exchanges.append(exchange)
            self._logged.notify_all()
        for listener in self.listeners:
            listener()


def readable(body: bytes) -> Any:
    """Return a body read as JSON, or as text where it is none."""
    with contextlib.suppress(ValueError):
        return json.loads(body)
    return body.decode("utf-8", "replace")


async def _send_half(
    request: web.Request, status: int, headers: Mapping[str, str], content: bytes
) -> web.StreamResponse:
    """Announce the whole body, send half of it and close the connection."""
    response = web.StreamResponse(status=status, headers={**headers, "Content-Length": str(len(content))})
    await response.prepare(request)
    await response.write(content[: len(content) // 2])
    if request.transport is not None:
        request.transport.close()
    return response
