"""What every answer carries, however it is sent."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.raw import listening
from tests.http.support import BASE, MOCKS, serving

from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.http.server.limits.rates import Rates
from dialoom.http.server.request_context import RequestContext, RequestPolicy, Shutdown
from dialoom.service.observe.logs import writer
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
            headers = dict(line.split(": ", 1) for line in lines)
            of_each = dict.fromkeys(("request-id", "ratelimit-remaining", "ratelimit-reset"), "of each request")
            assert headers | of_each == in_parts.headers | of_each
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


async def test_an_answer_has_the_id_that_its_request_brought_or_a_new_one(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        asked = [await client.call("GET", "/healthz", None, {"Request-Id": "build/7f:4@a.b~c=+d-e_f"})]
        asked.append(await client.call("GET", "/nowhere", None, {"Request-Id": "mine"}))
        assert [answer.headers["request-id"] for answer in asked] == ["build/7f:4@a.b~c=+d-e_f", "mine"]
        made = {(await client.call("GET", "/healthz")).headers["request-id"] for _ in range(3)}
        for wrong in ("", "two words", "a" * 129, "bot=shop\u00e9", "a,b", "<b>"):
            answer = await client.call("GET", "/v1/bots/tea/conversations", None, {"Request-Id": wrong})
            assert answer.status == 401
            made.add(answer.headers["request-id"])
        assert len(made) == 9
        assert all(re.fullmatch("[0-9a-f]{16}", id) for id in made)


async def test_a_refusal_by_the_connection_itself_has_the_id_too() -> None:
    async with listening() as door:
        for head, id in ((b"GET / HTTP/1.1\r\nRequest-Id: mine\r\n\r\n", b"mine"), (b"\x16\x03\r\n\r\n", b"")):
            client = await door.open()
            await client.send(head)
            assert b"\r\nrequest-id: " + id in await client.rest()


class _Told(MockFetcher):
    """Logs each call of a turn."""

    async def fetch(self, *values: Any, **named: Any) -> Any:
        logging.getLogger("dialoom.test").warning("asked")
        return await super().fetch(*values, **named)


async def test_log_lines_of_a_request_and_of_its_turn_have_its_id(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    handler = writer("json", lines := io.StringIO())
    logging.getLogger("dialoom").addHandler(handler)
    try:
        async with serving(tmp_path, fetcher=_Told(MOCKS), log_requests="on") as client:
            with caplog.at_level(logging.INFO, "dialoom"):
                for id, text in (("first", "tea"), ("second", "Green"), ("third", "secret")):
                    body = {"sender": {"id": "ben"}, "message": {"text": text}}
                    path = "/v1/bots/tea/channels/rest/rest/test"
                    headers = {"Authorization": "Bearer rest-token-of-tea", "Request-Id": id}
                    await asyncio.create_task(client.call("POST", path, body, headers))
    finally:
        logging.getLogger("dialoom").removeHandler(handler)
    found = [json.loads(line) for line in lines.getvalue().splitlines()]
    asked = [line["request"] for line in found if " 200 " in line["message"]]
    assert asked == ["first", "second", "third"]
    assert {line["request"] for line in found if "turn" in line} == {"third"}


async def test_an_answer_tells_what_is_left_of_its_rate(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_token="60/h burst 5", rate_address="60/h burst 3") as client:
        told = []
        for number in range(6):
            answer = await client.say("tea", sender=f"user {number}")
            names = ("ratelimit-limit", "ratelimit-remaining", "ratelimit-reset")
            told.append((answer.status, *(int(answer.headers[name]) for name in names)))
        assert [row[:3] for row in told] == [(200, 5, left) for left in (4, 3, 2, 1, 0)] + [(429, 5, 0)]
        assert told[0][3] in (59, 60)
        assert told[4][3] in (299, 300)
        other = await client.call("GET", "/v1/bots/tea/conversations")
        assert (other.status, other.headers["ratelimit-limit"], other.headers["ratelimit-remaining"]) == (401, "3", "2")
        assert "ratelimit-limit" not in (await client.call("GET", "/healthz")).headers


async def test_an_answer_that_is_given_again_says_so(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        for is_replayed in (False, True):
            answer = await client.say("tea", id="1")
            assert answer.status == 200
            assert answer.headers.get("idempotent-replayed") == ("true" if is_replayed else None)
        session = (await client.open()).json
        headers = {"Authorization": f"Bearer {session['token']}", "Origin": BASE}
        for is_replayed in (False, True):
            said = {"id": "1", "text": "tea"}
            answer = await client.call("POST", "/v1/bots/tea/channels/web/web/messages", said, headers)
            assert answer.status == 202
            assert ("idempotent-replayed" in answer.headers) is is_replayed
