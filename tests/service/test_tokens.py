"""Tokens follow the bot's files and survive nothing that they should not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.http.support import BOT, Client, serving, write_bot

if TYPE_CHECKING:
    from pathlib import Path


async def _status(client: Client, token: str) -> int:
    headers = {"Authorization": f"Bot-Server-Access-Token {token}"}
    client.clock.move(2)
    return (await client.call("GET", "/v1/bots/tea/messages", None, headers)).status


async def test_a_changed_bot_brings_its_channels_and_tokens(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        channels = [*BOT["channels"], {"id": "phone", "type": "rest", "token": "token-of-the-phone"}]
        folder = write_bot(tmp_path / "tea", BOT | {"access-token": "another-token", "channels": channels})
        await client.service.publish(folder)
        assert await _status(client, "another-token") == 200
        assert await _status(client, "history-token-of-tea") == 401
        body = {"sender": {"id": "a"}, "message": {"text": "hi"}}
        path = "/v1/bots/tea/channels/phone/rest/x"
        assert (await client.call("POST", path, body, {"Authorization": "Bearer token-of-the-phone"})).status == 200


async def test_a_token_taken_out_of_the_file_ends_and_another_is_made(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        made = await client.service.tokens.create("tea", name="report")
        folder = write_bot(tmp_path / "tea", {key: value for key, value in BOT.items() if key != "access-token"})
        await client.service.publish(folder)
        assert await _status(client, "history-token-of-tea") == 401
        assert await _status(client, made.text) == 200


async def test_no_token_stands_in_the_store_in_clear(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        rows = await client.service.tokens.list("tea")
        assert rows
        assert "token-of-tea" not in json.dumps([repr(row) for row in rows])
        texts = {client.service.tokens.reveal(row) for row in rows}
        assert texts == {"history-token-of-tea", "rest-token-of-tea", "web-token-of-tea"}
