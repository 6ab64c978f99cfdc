"""Data sources that fail in every way they can: the user gets the general failure in time, others are not held up."""

from __future__ import annotations

import asyncio
import copy
import logging
from typing import TYPE_CHECKING, Any

import pytest
from tests.data.authority import Authority, door
from tests.data.far_ends import Call, bomb, drip, far_end, hang
from tests.http.support import BOT, FLOW, serving

from dialoom.data.egress import Egress
from dialoom.data.fetcher import HttpFetcher

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "Bearer very-secret-value"
TROUBLE = "We are experiencing technical difficulties at this moment."


async def fails(call: Call) -> None:
    await call.reply("500 Internal Server Error", b"stack trace with very-secret-value")


async def floods(call: Call) -> None:
    await call.send(b"HTTP/1.1 200 OK\r\nContent-Length: 67108864\r\n\r\n")
    for _ in range(1024):
        await call.send(bytes(65_536))


async def bombs(call: Call) -> None:
    await call.reply("200 OK", bomb(64 * 1024 * 1024), "Content-Encoding: gzip", "Content-Type: application/json")


async def redirects(call: Call) -> None:
    await call.reply("302 Found", b"", "Location: http://169.254.169.254/latest/meta-data/")


def _flow(endpoint: str) -> dict[str, Any]:
    flow = copy.deepcopy(FLOW)
    flow["conversations"]["tea"]["steps"][2]["data-source"] = {
        "endpoint": endpoint,
        "method": "POST",
        "timeout": 3,
        "headers": {"Authorization": SECRET},
        "payload": {"kind": "{{kind}}"},
    }
    return flow


@pytest.mark.parametrize("answer", [fails, hang, drip, floods, bombs, redirects])
async def test_the_turn_fails_in_time_and_others_go_on(
    tmp_path: Path, answer: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    asked = asyncio.Event()

    async def badly(call: Call) -> None:
        asked.set()
        await answer(call)

    fetcher = HttpFetcher(Egress(allow_private=True, allowed_hosts=frozenset(), own_addresses=frozenset()))
    async with (
        far_end(badly) as there,
        serving(tmp_path, _flow(f"{there.url}/tea?key=very-secret-value"), fetcher) as client,
    ):
        await client.texts("tea")
        await client.texts("green")
        waiting = asyncio.create_task(client.say("open sesame"))
        await asyncio.wait_for(asked.wait(), 30)
        assert await client.texts("tea", sender="someone-else") == ["Hello!", "Which tea?"]
        assert answer not in (hang, drip) or not waiting.done()
        said = [message["text"] for message in (await asyncio.wait_for(waiting, 30)).json]
        assert said == [TROUBLE]
        (record,) = (await client.history("conversations", query={"User": "ada"})).json
        assert (record["Status"], record["Errors"]) == ("failure", 1)
        (failed,) = (await client.history("messages", query={"Error": {"$ne": None}})).json
        assert failed["Error"].startswith("tea/2: ")
        stored = (await client.history("messages")).body + (await client.history("conversations")).body
        assert b"very-secret-value" not in stored
        assert "very-secret-value" not in caplog.text
        assert len(there.calls) == 1


async def test_the_next_message_tries_the_failed_step_again(tmp_path: Path) -> None:
    answers = ["500 Internal Server Error", "200 OK"]

    async def recovers(call: Call) -> None:
        await call.reply(answers.pop(0), b'{"number": 9}', "Content-Type: application/json")

    fetcher = HttpFetcher(Egress(allow_private=True, allowed_hosts=frozenset(), own_addresses=frozenset()))
    async with far_end(recovers) as there, serving(tmp_path, _flow(f"{there.url}/tea"), fetcher) as client:
        for text in ("tea", "green"):
            await client.texts(text)
        assert await client.texts("open sesame") == [TROUBLE]
        assert (await client.texts("hello?"))[-1] == "Order 9: Green."
        (record,) = (await client.history("conversations")).json
        assert (record["Status"], record["Errors"]) == ("success", 1)
        first, second = (call.headers["idempotency-key"] for call in there.calls)
        assert first == second


async def test_a_large_value_is_whole_in_memory_and_cut_in_the_record(tmp_path: Path) -> None:
    async def answers(call: Call) -> None:
        body = b'{"number": "%s", "rest": "%s"}' % (b"9" * 50, b"x" * 20_000)
        await call.reply("200 OK", body, "Content-Type: application/json")

    fetcher = HttpFetcher(Egress(allow_private=True))
    async with far_end(answers) as there, serving(tmp_path, _flow(f"{there.url}/tea"), fetcher) as client:
        for text in ("tea", "green"):
            await client.texts(text)
        assert await client.texts("open sesame") == [f"Order {'9' * 50}: Green."]
        stored = (await client.history("conversations")).json[0]["Data"]["entities"]
        assert set(stored["order"]) == {"truncated"}
        assert stored["order"]["truncated"] > 20_000


async def test_a_client_certificate_is_shown_by_the_whole_service_and_stands_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    authority = Authority()
    shown = authority.pair("tea-house")
    monkeypatch.setenv("BOT_CERT", shown.certificate)
    monkeypatch.setenv("BOT_KEY", shown.key)
    credential = {"type": "client-certificate", "certificate": {"env": "BOT_CERT"}, "key": {"env": "BOT_KEY"}}
    fetcher = HttpFetcher(Egress(allow_private=True), authorities=authority.certificate)
    async with door(tmp_path, authority.server(), authority) as there:
        flow = _flow(f"{there.url}/tea")
        flow["conversations"]["tea"]["steps"][2]["data-source"] |= {
            "method": "GET",
            "payload": "",
            "headers": {},
        }
        bot = BOT | {"credentials": {"shop": credential | {"url-prefix": there.url}}}
        async with serving(tmp_path, flow, fetcher, bot=bot) as client:
            for text in ("tea", "green"):
                await client.texts(text)
            assert await client.texts("open sesame") == ["Order : Green."]
            assert there.callers == ["tea-house"]
            stored = (await client.history("messages")).body + (await client.history("conversations")).body
            key = shown.key.splitlines()[1]
            assert key.encode() not in stored
            assert key not in caplog.text


async def test_a_broken_certificate_fails_the_turn_and_the_record_says_so_plainly(tmp_path: Path) -> None:
    here = "https://127.0.0.1:9/"
    credential = {"type": "client-certificate", "certificate": "s3cret", "key": "s3cret", "url-prefix": here}
    bot = BOT | {"credentials": {"shop": credential}}
    fetcher = HttpFetcher(Egress(allow_private=True))
    async with serving(tmp_path, _flow(f"{here}tea"), fetcher, bot=bot) as client:
        for text in ("tea", "green"):
            await client.texts(text)
        assert await client.texts("open sesame") == [TROUBLE]
        (failed,) = (await client.history("messages", query={"Error": {"$ne": None}})).json
        assert "a client certificate cannot be used: the key cannot be read. Give it as PEM" in failed["Error"]
        assert "s3cret" not in failed["Error"]
