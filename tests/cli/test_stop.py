"""How a service ends, in real processes with clients that go on asking."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import time
from typing import TYPE_CHECKING

from tests.live import Service, call, echo_bot, wait_until

if TYPE_CHECKING:
    from pathlib import Path

USERS = 8
DELAY = 15.0
"""Seconds: the longest that there is."""
FAST = {"DIALOOM_RATE_ADDRESS": "off", "DIALOOM_RATE_TOKEN": "off", "DIALOOM_RATE_USER": "off"}


class _Load:
    """Users who send one message on each of their connections, until nobody lets them in any more."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.answered: list[bytes] = []
        self.dropped: list[str] = []
        self.is_under_way = asyncio.Event()

    async def user(self, name: str) -> None:
        body = json.dumps({"sender": {"id": name}, "message": {"text": "hi"}}).encode()
        head = (
            f"POST /v1/bots/echo/channels/rest/rest/test HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {self.service.tokens['token of rest']}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        while True:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.service.port)
            except ConnectionError:
                return
            try:
                writer.write(head.encode() + body)
                self.answered.append((await reader.readuntil(b"\r\n\r\n")).lower())
                if len(self.answered) == 100:
                    self.is_under_way.set()
            except (ConnectionError, asyncio.IncompleteReadError) as error:
                self.dropped.append(repr(error))
            finally:
                writer.close()
                with contextlib.suppress(ConnectionError):
                    await writer.wait_closed()


async def test_every_request_that_was_let_in_is_answered_while_the_service_stops(tmp_path: Path) -> None:
    environment = FAST | {"DIALOOM_STOP_DELAY": "0.5"}
    service = await asyncio.to_thread(
        lambda: Service([echo_bot(tmp_path / "bot")], tmp_path / "data", environment=environment)
    )
    load = _Load(service)
    users = asyncio.gather(*(load.user(f"user-{number}") for number in range(USERS)))
    await asyncio.wait_for(load.is_under_way.wait(), 120)
    before = len(load.answered)
    code = await asyncio.to_thread(service.stop)
    await users
    assert code == 0
    assert load.dropped == []
    assert all(b" 200 " in head for head in load.answered)
    assert len(load.answered) > before
    assert b"connection: close" in load.answered[-1]
    assert b"connection: close" not in load.answered[0]


def test_it_says_that_it_goes_before_it_closes_its_door(tmp_path: Path) -> None:
    service = Service([echo_bot(tmp_path / "bot")], tmp_path / "data", environment={"DIALOOM_STOP_DELAY": f"{DELAY:g}"})
    assert call("GET", f"{service.url}/readyz").status == 200
    told = time.monotonic()
    service.process.send_signal(signal.SIGTERM)
    wait_until(lambda: call("GET", f"{service.url}/readyz").status == 503)
    assert call("GET", f"{service.url}/readyz").json["code"] == "stopping"
    assert call("GET", f"{service.url}/healthz").status == 200
    said = service.say("echo", "ada", "hi")
    assert said.status == 200
    assert said.headers["connection"] == "close"
    # Told twice, it waits for nothing: it ends before the delay is over. That is the only bound which holds on a busy
    # machine as well, and waiting for the delay would always break it: so the delay is the longest that there is.
    assert service.stop() == 0
    assert time.monotonic() - told < DELAY
