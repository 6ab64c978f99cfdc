"""Which secrets go out, and where to."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest
from tests.stores import TemporaryStore

from dialoom.auth.vault import Vault
from dialoom.data import Identity
from dialoom.engine.effects import Request
from dialoom.engine.events import NoResponse, Response
from dialoom.flow import read_files
from dialoom.service.bots.bots import Bots
from dialoom.service.bots.outbound_calls import OutboundCalls, is_under
from dialoom.service.clock import SystemClock


class Recorder:
    """Keeps the requests that it is given."""

    def __init__(self) -> None:
        self.asked: list[tuple[Request, Any]] = []
        self.identity: Identity | None = None

    async def fetch(self, request: Request, *, secrets: Any, identity: Identity | None = None) -> Response | NoResponse:
        self.asked.append((request, secrets))
        self.identity = identity
        return Response(200)

    async def close(self) -> None:
        """Nothing is open."""


BOT = read_files(
    {
        "bot.json": """{"id": "a", "credentials": {
            "basic": {"type": "basic", "username": "ada", "password": {"env": "BOT_PASSWORD"}},
            "api": {"type": "bearer", "token": {"env": "BOT_TOKEN"}, "url-prefix": "https://api.example"},
            "admin": {"type": "basic", "username": "root", "password": "r", "url-prefix": "https://api.example/admin/"},
            "bank": {"type": "client-certificate", "certificate": "CERT", "key": {"env": "BOT_KEY"},
                     "url-prefix": "https://bank.example"}}}""",
        "flow.json": '{"conversations": {}}',
    }
)


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> tuple[OutboundCalls, Recorder]:
    monkeypatch.setenv("BOT_PASSWORD", "pass")
    monkeypatch.setenv("BOT_TOKEN", "tok")
    monkeypatch.setenv("BOT_KEY", "KEY")
    fetcher = Recorder()
    bots = Bots(TemporaryStore(), Vault.from_keys([bytes(32)]), SystemClock())
    return OutboundCalls(fetcher, bots, 60.0), fetcher


async def _headers(parts: tuple[OutboundCalls, Recorder], **request: Any) -> Any:
    outside, fetcher = parts
    answer = await outside.call(BOT, Request(method="GET", **request), outside.deadline())
    if isinstance(answer, NoResponse):
        return answer
    return dict(fetcher.asked[-1][0].headers).get("Authorization")


async def test_a_named_credential_goes_to_a_literal_host_only(outside: tuple[OutboundCalls, Recorder]) -> None:
    assert (
        await _headers(outside, url="https://x.example/a", trusted_host=True, credential="basic")
        == "Basic YWRhOnBhc3M="
    )
    refused = await _headers(outside, url="https://evil.example/a", trusted_host=False, credential="basic")
    assert refused.kind == "credential"
    assert "pass" not in refused.detail


@pytest.mark.parametrize("step", ["../", "..%2F", "..%5C", "%2e%2e%2f", "..%252f", "a%2F..%2F", "%09..%2f", "..%00/"])
@pytest.mark.parametrize("more", [{"credential": "api"}, {"secret_headers": (("X-Key", "BOT_TOKEN"),)}])
async def test_no_secret_goes_where_a_value_may_lead_a_step_up(
    outside: tuple[OutboundCalls, Recorder], step: str, more: dict[str, Any]
) -> None:
    refused = await _headers(outside, url=f"https://api.example/v1/{step}orders", trusted_host=True, **more)
    assert refused.kind == "credential"
    assert outside[1].asked == []


@pytest.mark.parametrize(
    ("url", "header"),
    [
        ("https://api.example", "Bearer tok"),
        ("https://api.example/v1?a=b", "Bearer tok"),
        ("https://api.example.evil/v1", None),
        ("https://api.example@evil/v1", None),
        ("http://api.example/v1", None),
        ("https://api.example:8443/v1", None),
        ("https://API.example/v1", "Bearer tok"),
        ("https://api.example\\.evil/", None),
        ("https://api.example/admin/users", "Basic cm9vdDpy"),
        ("https://api.example/admin", "Bearer tok"),
        ("https://api.example/admin/../v1", None),
        ("https://api.example/admin/%2e%2E/v1", None),
        ("https://api.example/admin/..%2fv1", None),
        ("https://api.example/admin/..;x/v1", None),
        ("https://api.example/admin/%09../v1", None),
        ("https://api.example/admin/..%20/v1", None),
        ("https://api.example/v1?path=a/../b", "Bearer tok"),
        ("https://api.example/v1#/../b", "Bearer tok"),
        ("https://api.example:443/v1", "Bearer tok"),
        ("https://api.example:/v1", "Bearer tok"),
        ("https://api.example:80/v1", None),
        ("https://api.example:4430/v1", None),
    ],
)
async def test_a_prefix_ends_at_a_boundary(
    outside: tuple[OutboundCalls, Recorder], url: str, header: str | None
) -> None:
    assert await _headers(outside, url=url, trusted_host=True) == header


async def test_a_default_port_is_the_same_written_or_not() -> None:
    assert is_under("https://api.example/v1", "https://api.example:443")
    assert is_under("http://[::1]:80/v1", "http://[::1]/")
    assert not is_under("https://api.example:80/v1", "https://api.example:443")


async def test_a_prefix_without_a_host_fits_nothing() -> None:
    for prefix in ("https://", "https:/", "https", "/", ""):
        assert not is_under("https://api.example/v1", prefix)


async def test_the_flows_own_authorization_wins_over_a_credential(outside: tuple[OutboundCalls, Recorder]) -> None:
    url = "https://api.example/v1"
    assert await _headers(outside, url=url, trusted_host=True, headers=(("authorization", "mine"),)) is None
    secret = (("Authorization", "BOT_TOKEN"),)
    assert await _headers(outside, url=url, trusted_host=True, secret_headers=secret) is None
    assert outside[1].asked[-1][1] == {"BOT_TOKEN": "tok"}


async def test_a_prefix_applies_by_itself_to_literal_hosts_only(outside: tuple[OutboundCalls, Recorder]) -> None:
    url = "https://api.example/v1"
    assert await _headers(outside, url=url, trusted_host=False) is None
    assert await _headers(outside, url=url, trusted_host=False, credential="api") == "Bearer tok"


async def test_a_client_certificate_goes_with_the_connection_and_not_in_a_header(
    outside: tuple[OutboundCalls, Recorder],
) -> None:
    assert await _headers(outside, url="https://bank.example/pay", trusted_host=True) is None
    assert outside[1].identity == Identity("CERT", "KEY")
    await _headers(outside, url="https://x.example", trusted_host=True)
    assert outside[1].identity is None


async def test_a_certificate_whose_variable_is_missing_says_which(
    outside: tuple[OutboundCalls, Recorder], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BOT_KEY")
    refused = await _headers(outside, url="https://bank.example/pay", trusted_host=True)
    assert (refused.kind, "BOT_KEY" in refused.detail) == ("credential", True)


async def test_a_credential_that_the_bot_does_not_have_is_named(outside: tuple[OutboundCalls, Recorder]) -> None:
    refused = await _headers(outside, url="https://x.example", trusted_host=True, credential="gone")
    assert (refused.kind, '"gone"' in refused.detail) == ("credential", True)


async def test_a_secret_header_never_follows_a_templated_host(outside: tuple[OutboundCalls, Recorder]) -> None:
    secret = (("X-Key", "BOT_TOKEN"),)
    refused = await _headers(outside, url="https://evil.example", trusted_host=False, secret_headers=secret)
    assert refused.kind == "credential"
    await _headers(outside, url="https://good.example", trusted_host=True, secret_headers=secret)
    assert outside[1].asked[-1][1] == {"BOT_TOKEN": "tok"}


async def test_a_variable_that_a_bot_may_not_name_is_not_read(outside: tuple[OutboundCalls, Recorder]) -> None:
    refused = await _headers(outside, url="https://x.example", trusted_host=True, secret_headers=(("X", "HOME"),))
    assert refused.kind == "credential"
    assert "HOME" in refused.detail


async def test_calls_of_one_turn_share_their_time(outside: tuple[OutboundCalls, Recorder]) -> None:
    room, fetcher = outside
    deadline = room.deadline() - 58.0
    await room.call(BOT, Request(method="GET", url="https://x.example", timeout=10.0), deadline)
    assert fetcher.asked[-1][0].timeout <= 2.0
    late = await room.call(BOT, Request(method="GET", url="https://x.example"), deadline - 10.0)
    assert isinstance(late, NoResponse)
    assert late.kind == "turn-deadline"


class Deaf:
    """Ignores that its time is over."""

    def __init__(self) -> None:
        self.released = asyncio.Event()

    async def fetch(self, request: Request, *, secrets: Any, identity: Identity | None = None) -> Response | NoResponse:
        while not self.released.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await self.released.wait()
        return Response(200)

    async def close(self) -> None:
        """Nothing is open."""


async def test_a_call_that_does_not_end_in_its_time_holds_nobody_up(caplog: pytest.LogCaptureFixture) -> None:
    fetcher = Deaf()
    outside = OutboundCalls(
        fetcher, Bots(TemporaryStore(), Vault.from_keys([bytes(32)]), SystemClock()), 60.0, grace=0.01
    )
    request = Request(method="GET", url="https://api.example/", timeout=0.01)
    answer = await outside.call(BOT, request, outside.deadline())
    assert isinstance(answer, NoResponse)
    assert answer.kind == "timeout"
    assert "left behind" in caplog.text
    fetcher.released.set()
