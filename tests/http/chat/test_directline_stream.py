"""The stream of Direct Line, by real sockets."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.chat.directline import (
    LINE,
    PAGE,
    SECRET,
    ask,
    begin,
    serving_line,
    socket_url,
    sockets,
    stream,
    token_of,
)
from tests.http.raw import EachAddress, listening
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from dialoom.http.server.limits.client_address import ConnectionsPerAddress
from dialoom.http.server.limits.connection_limits import Limits
from dialoom.http.server.web_socket import MAX_INPUT_BYTES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from tests.http.support import Client


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with serving_line(tmp_path) as client:
        yield client


async def test_a_stream_brings_what_was_said_and_what_is_said(client: Client) -> None:
    talk = await begin(client)
    async with sockets(client) as port, stream(talk.stream_url, port) as line:
        assert [one["text"] for one in await line.take(1)] == ["Hello!"]
        await talk.post(text="tea")
        assert [one["text"] for one in await line.take(2)] == ["tea", "Which tea?"]


async def test_a_stream_goes_on_behind_the_watermark(client: Client) -> None:
    talk = await begin(client)
    await talk.say("tea")
    await talk.post(text="Green")
    path = f"conversations/{talk.id}"
    answer = await ask(client, "GET", path, talk.token, query={"watermark": talk.watermark})
    async with sockets(client) as port, stream(answer.json["streamUrl"], port) as line:
        assert [one["text"] for one in await line.take(2)] == ["Green", "The password?"]


async def test_a_stream_that_is_opened_again_ends_the_earlier(client: Client) -> None:
    talk = await begin(client)
    async with sockets(client) as port, stream(talk.stream_url, port) as first:
        await first.take(1)
        async with stream(talk.stream_url, port) as second:
            await second.take(1)
            closed = await first.closed()
            assert (closed.code, closed.reason) == (1000, "The stream was opened again.")
            await talk.post(text="tea")
            assert len(await second.take(2)) == 2


async def test_streams_of_others_or_with_tokens_that_are_not_valid_are_refused(client: Client) -> None:
    talk, other = await begin(client), await begin(client)
    url = talk.stream_url
    wrong = {
        url.replace(talk.token, other.token): 403,
        url.replace(talk.token, "forged"): 403,
        url.replace(talk.token, SECRET): 403,
        url.replace(talk.token, ""): 401,
        url.replace("watermark=0", "watermark=9"): 404,
        url.replace(talk.id, other.id): 403,
    }
    async with sockets(client) as port:
        for address, status in wrong.items():
            assert await refusal(address, port) == status, address
        assert await refusal(url, port, origin="https://evil.example") == 403
        client.clock.move(1801)
        assert await refusal(url, port) == 403


async def refusal(url: str, port: int, **named: Any) -> int:
    with pytest.raises(InvalidStatus) as refused:
        async with stream(url, port, **named):
            pass
    return refused.value.response.status_code


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(3000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it has not come about in 30 s")


async def test_pages_that_may_use_the_channel_may_open_streams(client: Client) -> None:
    talk = await begin(client, await token_of(client, trustedOrigins=[PAGE]))
    async with sockets(client) as port:
        async with stream(talk.stream_url, port, origin=PAGE) as line:
            assert await line.take(1)
        assert await refusal(talk.stream_url, port, origin="http://127.0.0.1:8080") == 403


async def test_other_addresses_answer_as_if_no_socket_was_asked_for(client: Client) -> None:
    async with sockets(client) as port:
        assert await refusal("ws://127.0.0.1:8080/healthz", port) == 200


async def test_a_stream_ends_in_order_when_the_service_stops(client: Client) -> None:
    talk = await begin(client)
    async with sockets(client) as port, stream(talk.stream_url, port) as line:
        await line.take(1)
        client.app.shutdown.begun.set()
        closed = await line.closed()
        assert closed.code == 1001
    assert client.service.hub.count() == 0


async def test_a_client_that_goes_away_leaves_no_listener(client: Client) -> None:
    talk = await begin(client)
    async with sockets(client) as port:
        async with stream(talk.stream_url, port) as line:
            await line.take(1)
            assert client.service.hub.count() == 1
        await until(lambda: not client.service.hub.count())


async def test_who_sends_much_into_a_stream_is_cut_off(client: Client) -> None:
    talk = await begin(client)
    async with sockets(client) as port, stream(talk.stream_url, port) as line:
        await line.take(1)
        await line.socket.send("")  # as Web Chat does now and then
        for _ in range(3):
            await line.socket.send("x" * (MAX_INPUT_BYTES // 2))
        closed = await line.closed()
        assert closed.code == 1008


async def test_streams_count_among_the_connections_of_their_address(client: Client) -> None:
    talks = [await begin(client) for _ in range(3)]
    limits = Limits(connections=8, min_connections_per_address=2, linger_seconds=0.1)
    addresses = ConnectionsPerAddress(EachAddress())
    async with listening(client.app, limits, addresses=addresses) as door:
        async with stream(talks[0].stream_url, door.port) as line, stream(talks[1].stream_url, door.port):
            await line.take(1)
            assert await refusal(talks[2].stream_url, door.port) == 503
        await until(lambda: not door.state.connections)
        async with stream(talks[2].stream_url, door.port) as line:
            await line.take(1)


async def test_a_token_may_stand_in_a_header(client: Client) -> None:
    """Clients with headers of their own may send the token there."""
    talk = await begin(client)
    async with sockets(client) as port:
        address = socket_url(f"ws://127.0.0.1:8080{LINE}/conversations/{talk.id}/stream", port)
        headers = {"Authorization": f"Bearer {talk.token}"}
        async with connect(address, additional_headers=headers, proxy=None) as socket:
            assert await socket.recv()
