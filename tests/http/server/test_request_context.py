"""What every answer carries, however it is sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.raw import listening
from tests.http.support import serving

from dialoom.http.server.limits.rates import Rates
from dialoom.http.server.request_context import RequestContext, RequestPolicy, Shutdown
from dialoom.service.observe.metrics import Metrics
from dialoom.service.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

HEAD = (
    "POST /v1/bots/tea/channels/rest/rest/test HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
    "Content-Length: {}\r\nAuthorization: Bearer rest-token-of-tea\r\n\r\n"
)


async def test_an_answer_in_one_piece_has_the_headers_of_one_in_parts_and_is_counted_alike(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:

        async def app(scope: Any, receive: Any, _: Any) -> None:
            await client.app(scope, receive, _in_parts)

        in_parts = await client.say("tea")
        body = json.dumps({"sender": {"id": "ben"}, "message": {"text": "tea"}}).encode()
        async with listening(app) as door:
            one = await door.open()
            await one.send(HEAD.format(len(body)).encode() + body)
            first, *lines = (await one.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")[:-2]
            assert first == "HTTP/1.1 200 OK"
            assert dict(line.split(": ", 1) for line in lines) == in_parts.headers
            said = json.loads(await one.reader.readexactly(int(in_parts.headers["content-length"])))
        assert [message["text"] for message in said] == [message["text"] for message in in_parts.json]
        (counted,) = [row for labels, row in client.service.metrics.requests.values().items() if labels[0] == "POST"]
        assert counted[0][-1] == ("+Inf", 2)


async def _in_parts(event: Any) -> None:
    raise AssertionError(event)


@pytest.mark.parametrize("is_in_one_piece", [True, False])
async def test_a_header_that_an_answer_has_itself_goes_out_once_however_it_is_written(is_in_one_piece: bool) -> None:
    metrics = Metrics()
    desk = RequestPolicy(Shutdown(), Rates(Settings(), metrics), metrics, logs_requests=False)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        passage = RequestContext(scope, receive, send, desk)
        headers = [(b"Content-Security-Policy", b"default-src 'self'"), (b"Content-Length", b"2")]
        if is_in_one_piece and passage.whole(200, headers, b"ok"):
            return
        await passage.send({"type": "http.response.start", "status": 200, "headers": headers})
        await passage.send({"type": "http.response.body", "body": b"ok"})

    async with listening(app) as door:
        client = await door.open()
        await client.send(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        head = await client.reader.readuntil(b"\r\n\r\n")
    assert head.lower().count(b"content-security-policy") == 1
    assert b"content-security-policy: default-src 'self'\r\n" in head
