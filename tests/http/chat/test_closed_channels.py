"""A channel that lacks something on this machine lets nobody in, and the others of its bot run."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.support import BASE, BOT, Client, serving
from tests.stores import TemporaryStore

if TYPE_CHECKING:
    from pathlib import Path

UNSET = {"env": "BOT_NO_SUCH_SECRET"}
REST = {"id": "shut", "type": "rest", "token": "the-token-of-the-shut-channel"}
WEB = {"id": "shut", "type": "web", "token": "the-token-of-the-shut-channel"}
BOUND = {"id": "shut", "type": "messenger-3", "bot-token": UNSET, "webhook-secret": "secret-of-the-webhook"}
HEADERS = {"Authorization": "Bearer the-token-of-the-shut-channel", "Origin": BASE}
MESSAGE = {"sender": {"id": "ada"}, "message": {"text": "tea"}}
UPDATE: dict[str, Any] = {
    "update_id": 1,
    "message": {"message_id": 1, "chat": {"id": 7, "type": "private"}, "from": {"id": 7}},
}


def with_channel(channel: dict[str, Any]) -> dict[str, Any]:
    return BOT | {"channels": [*BOT["channels"], channel]}


@pytest.mark.parametrize(
    ("channel", "calls", "reason"),
    [
        (REST | {"token": UNSET}, {"POST rest/app": 401, "GET rest/app/messages": 401}, "BOT_NO_SUCH_SECRET"),
        (REST | {"user-secret": "short"}, {"POST rest/app": 401, "GET rest/app/messages": 401}, "less than 32 bytes"),
        (WEB | {"token": UNSET}, {"POST web/sessions": 404, "GET web/events": 404, "chat": 404}, "BOT_NO_SUCH_SECRET"),
        (WEB | {"user-secret": UNSET}, {"POST web/sessions": 404, "chat": 404}, "BOT_NO_SUCH_SECRET"),
        (WEB | {"user-secret": "short"}, {"POST web/sessions": 404, "chat": 404}, "less than 32 bytes"),
        (BOUND, {"POST messenger-3": 404}, "BOT_NO_SUCH_SECRET"),
    ],
)
async def test_calls_to_a_closed_channel_are_refused_with_the_reason_in_the_log_and_the_others_run(
    channel: dict[str, Any], calls: dict[str, int], reason: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(tmp_path, bot=with_channel(channel)) as client:
        caplog.clear()
        for call, status in calls.items():
            assert await _status(client, call) == status, call
            assert await client.service.tokens.list("tea") == [
                row for row in await client.service.tokens.list("tea") if row.channel != "shut"
            ]
        said = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
        assert said
        assert all("channel shut of bot tea" in line and reason in line for line in said)
        assert await client.texts("tea") == ["Hello!", "Which tea?"]


async def test_a_token_that_was_valid_before_opens_no_channel_whose_token_cannot_be_read(tmp_path: Path) -> None:
    store = TemporaryStore()
    await store.open()
    async with serving(tmp_path, bot=with_channel(REST), store=store.beside()) as client:
        assert await _status(client, "POST rest/app") == 200
    async with serving(tmp_path, bot=with_channel(REST | {"token": UNSET}), store=store.beside()) as client:
        assert await _status(client, "POST rest/app") == 404
    async with serving(tmp_path, bot=with_channel(REST), store=store.beside()) as client:
        assert await _status(client, "POST rest/app") == 200


async def test_messages_that_wait_become_dead_letters_that_say_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOT_TEA_TELEGRAM", "123:of-the-bot")
    channel = BOUND | {"bot-token": {"env": "BOT_TEA_TELEGRAM"}}
    # Nothing answers calls to the platform, so that what the bot says waits.
    async with serving(tmp_path, bot=with_channel(channel)) as client:
        update = UPDATE | {"message": UPDATE["message"] | {"text": "tea"}}
        headers = {"X-Telegram-Bot-Api-Secret-Token": "secret-of-the-webhook"}
        monkeypatch.delenv("BOT_TEA_TELEGRAM")
        path = "/v1/bots/tea/channels/shut/messenger-3"
        assert (await client.call("POST", path, update, headers)).status == 200
        outbox = client.service.outbox
        for _ in range(100):
            await outbox.settled()
            if len(dead := await outbox.dead("tea")) == 2:
                break
            client.clock.move(1)
            await asyncio.sleep(0.01)  # for the store's thread
        assert ['The environment variable "BOT_TEA_TELEGRAM"' in letter.reason for letter in dead] == [True, True]


async def _status(client: Client, call: str) -> int:
    if call == "chat":
        return (await client.call("GET", "/chat/tea/shut")).status
    method, path = call.split()
    body = None if method == "GET" else {"rest/app": MESSAGE, "web/sessions": {}}.get(path, UPDATE)
    headers = HEADERS | {"X-Telegram-Bot-Api-Secret-Token": "secret-of-the-webhook"}
    query = {"sender": "ada"} if path.endswith("messages") else None
    return (await client.call(method, f"/v1/bots/tea/channels/shut/{path}", body, headers, query)).status
