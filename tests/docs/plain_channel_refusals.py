"""Calls to the channel of docs/do/add-a-channel.md that are refused. Runs in the copy of the project that has it."""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
from typing import TYPE_CHECKING, Any

from tests.http.support import BOT, serving

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.http.support import Answer, Client

SECRET = "secret-of-the-plain-channel"
PATH = "/v1/bots/tea/channels/chat/plain"
RATE = "2/min"


def with_plain(secret: Any) -> dict[str, Any]:
    bot = copy.deepcopy(BOT)
    bot["channels"].append({"id": "chat", "type": "plain", "plain-url": "http://127.0.0.1:9", "plain-secret": secret})
    return bot


async def post(client: Client, body: bytes, secret: str = SECRET) -> Answer:
    signature = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return await client.call("POST", PATH, body, {"X-Plain-Signature": signature})


async def test_an_address_that_sends_forged_calls_has_to_wait(tmp_path: Path) -> None:
    async with serving(tmp_path, bot=with_plain(SECRET), rate_address=RATE) as client:
        statuses = [(await post(client, b"{}", "another")).status for _ in range(4)]
        assert statuses == [401, 401, 429, 429]


async def test_signed_calls_that_cannot_be_read_do_not_count_against_the_platforms_address(tmp_path: Path) -> None:
    async with serving(tmp_path, bot=with_plain(SECRET), rate_address=RATE) as client:
        assert [(await post(client, b"[")).status for _ in range(6)] == [400] * 6
        event = json.dumps({"events": [{"id": "e1", "user": "ada", "text": "tea"}]}).encode()
        assert (await post(client, event)).status == 200


async def test_a_call_that_nothing_can_prove_is_refused_and_the_operator_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("BOT_PLAIN", SECRET)
    async with serving(tmp_path, bot=with_plain({"env": "BOT_PLAIN"}), rate_address=RATE) as client:
        monkeypatch.delenv("BOT_PLAIN")
        answers = [await post(client, b"{}") for _ in range(4)]
        assert [(answer.status, answer.json["code"]) for answer in answers] == [(404, "not-found")] * 4
        assert b"BOT_PLAIN" not in answers[0].body
        (line,) = [record.getMessage() for record in caplog.records if "is not taken" in record.getMessage()]
        assert "BOT_PLAIN" in line
