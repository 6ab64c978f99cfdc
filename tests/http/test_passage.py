"""What every answer carries, however it is sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.http.raw import listening
from tests.http.support import serving

if TYPE_CHECKING:
    from pathlib import Path

HEAD = (
    "POST /v1/bots/tea/channels/rest/rest/test HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n"
    "Authorization: Bearer rest-token-of-tea\r\n\r\n"
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
