"""Which secrets go out, and where to."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.auth.vault import Vault
from dialoom.engine.effects import Request
from dialoom.engine.events import NoResponse, Response
from dialoom.flow import read_files
from dialoom.service.bots import Bots
from dialoom.service.clock import SystemClock
from dialoom.service.outside import Outside
from dialoom.storage.memory import MemoryStore


class Recorder:
    """A fetcher that keeps what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[Request, Any]] = []

    async def fetch(self, request: Request, *, secrets: Any) -> Response | NoResponse:
        self.asked.append((request, secrets))
        return Response(200)

    async def close(self) -> None:
        """Nothing is open."""


BOT = read_files(
    {
        "bot.json": """{"id": "a", "credentials": {
            "basic": {"type": "basic", "username": "ada", "password": {"env": "BOT_PASSWORD"}},
            "api": {"type": "bearer", "token": {"env": "BOT_TOKEN"}, "url-prefix": "https://api.example"}}}""",
        "flow.json": '{"conversations": {}}',
    }
)


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> tuple[Outside, Recorder]:
    monkeypatch.setenv("BOT_PASSWORD", "pass")
    monkeypatch.setenv("BOT_TOKEN", "tok")
    fetcher = Recorder()
    bots = Bots(MemoryStore(), Vault.from_keys([bytes(32)]), SystemClock())
    return Outside(fetcher, bots, 60.0), fetcher


async def _headers(parts: tuple[Outside, Recorder], **request: Any) -> Any:
    outside, fetcher = parts
    answer = await outside.call(BOT, Request(method="GET", **request), outside.deadline())
    if isinstance(answer, NoResponse):
        return answer
    return dict(fetcher.asked[-1][0].headers).get("Authorization")


async def test_a_named_credential_goes_to_a_literal_host_only(outside: tuple[Outside, Recorder]) -> None:
    assert (
        await _headers(outside, url="https://x.example/a", trusted_host=True, credential="basic")
        == "Basic YWRhOnBhc3M="
    )
    refused = await _headers(outside, url="https://evil.example/a", trusted_host=False, credential="basic")
    assert refused.kind == "credential"
    assert "pass" not in refused.detail


@pytest.mark.parametrize(
    ("url", "header"),
    [
        ("https://api.example", "Bearer tok"),
        ("https://api.example/v1?a=b", "Bearer tok"),
        ("https://api.example.evil/v1", None),
        ("https://api.example@evil/v1", None),
        ("http://api.example/v1", None),
    ],
)
async def test_a_prefix_ends_at_a_boundary(outside: tuple[Outside, Recorder], url: str, header: str | None) -> None:
    assert await _headers(outside, url=url, trusted_host=True) == header


async def test_a_secret_header_never_follows_a_templated_host(outside: tuple[Outside, Recorder]) -> None:
    secret = (("X-Key", "BOT_TOKEN"),)
    refused = await _headers(outside, url="https://evil.example", trusted_host=False, secret_headers=secret)
    assert refused.kind == "credential"
    await _headers(outside, url="https://good.example", trusted_host=True, secret_headers=secret)
    assert outside[1].asked[-1][1] == {"BOT_TOKEN": "tok"}


async def test_a_variable_that_a_bot_may_not_name_is_not_read(outside: tuple[Outside, Recorder]) -> None:
    refused = await _headers(outside, url="https://x.example", trusted_host=True, secret_headers=(("X", "HOME"),))
    assert refused.kind == "credential"
    assert "HOME" in refused.detail


async def test_calls_of_one_turn_share_their_time(outside: tuple[Outside, Recorder]) -> None:
    room, fetcher = outside
    deadline = room.deadline() - 58.0
    await room.call(BOT, Request(method="GET", url="https://x.example", timeout=10.0), deadline)
    assert fetcher.asked[-1][0].timeout <= 2.0
    late = await room.call(BOT, Request(method="GET", url="https://x.example"), deadline - 10.0)
    assert isinstance(late, NoResponse)
    assert late.kind == "turn-deadline"
