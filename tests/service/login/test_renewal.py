"""An expired login that is renewed without its user: once a turn, once a journal, and else the user is asked."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.http.support import BOT, serving, write_bot
from tests.service.login.chatting import (
    ADA,
    DATA,
    DISCOVERY,
    ISSUER,
    KEYS,
    REFRESH_TOKEN,
    WORDS,
    flow,
    later_texts,
    log_in,
    reach_prompt,
    stored_chat,
    tea_house,
    vault_of,
    whole_history,
)
from tests.service.process_stores import in_background, until
from tests.stores import TemporaryStore

from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.engine import begin
from dialoom.engine.effects import Refresh
from dialoom.engine.events import ContextGiven, NoResponse, Response
from dialoom.errors import RemoteError
from dialoom.messages import Profile
from dialoom.service.chat import chat_row
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.login_values import Grant, Login
from dialoom.service.login.login_hook import LoginHook
from dialoom.service.observe.instruments import Counts

if TYPE_CHECKING:
    from pathlib import Path

    from tests.http.support import Client

    from dialoom.engine.effects import Request
    from dialoom.service.bots.bots import Deployed

LASTS = 300
"""Seconds of an access token."""
RENEWED = {
    "access_token": "second-token-of-ada",
    "token_type": "Bearer",
    "expires_in": LASTS,
    "refresh_token": "second-refresh",
}
TOKENS = f"{ISSUER}/token"


def answers(answer: Any) -> dict[str, Any]:
    return {TOKENS: {"POST": answer}}


async def logged_in(client: Client) -> None:
    await log_in(client, await reach_prompt(client), expires_at=client.clock.now() // 1000 + LASTS)
    said: list[str] = []
    while DATA not in said:
        said += await later_texts(client)
        await asyncio.sleep(0)


def refreshed(client: Client) -> list[str]:
    """Return the bodies of the calls that renew."""
    return [(request.body or b"").decode() for request in client.fetcher.requests if request.url == TOKENS]


async def test_an_expired_login_is_renewed_without_a_word(tmp_path: Path) -> None:
    async with tea_house(tmp_path, mocks=answers(RENEWED), refresh=True) as client:
        await logged_in(client)
        came = (await stored_chat(client, tmp_path)).grant
        assert await client.texts("tea") == [DATA]
        assert refreshed(client) == []
        client.clock.move(LASTS)
        assert await client.texts("tea") == [DATA]
        (body,) = refreshed(client)
        assert f"refresh_token={REFRESH_TOKEN}" in body
        now = await stored_chat(client, tmp_path)
        assert now.state.entities["auth"]["access_token"] == "second-token-of-ada"
        assert now.grant is not None
        assert now.grant.refresh_token == "second-refresh"
        # It is still the login of its link.
        assert came is not None
        assert now.grant.link == came.link != ""
        assert client.service.metrics.logins.values()["renewed",] == 1
        client.clock.move(LASTS)
        await client.texts("tea")
        assert "refresh_token=second-refresh" in refreshed(client)[-1]


async def test_a_provider_that_gives_no_new_refresh_token_leaves_the_old_one(tmp_path: Path) -> None:
    answer = {name: value for name, value in RENEWED.items() if name != "refresh_token"}
    async with tea_house(tmp_path, mocks=answers(answer), refresh=True) as client:
        await logged_in(client)
        client.clock.move(LASTS)
        assert await client.texts("tea") == [DATA]
        now = await stored_chat(client, tmp_path)
        assert now.grant is not None
        assert now.grant.refresh_token == REFRESH_TOKEN


@pytest.mark.parametrize(
    "answer",
    [
        {"$status": 400, "$body": {"error": "invalid_grant"}},
        {"$status": 500, "$body": "gone"},
        {"access_token": "second-token-of-ada"},
        "no JSON",
    ],
    ids=["refused", "broken", "no bearer", "no JSON"],
)
async def test_a_login_that_cannot_be_renewed_is_asked_for_again(tmp_path: Path, answer: Any) -> None:
    async with tea_house(tmp_path, mocks=answers(answer), refresh=True) as client:
        await logged_in(client)
        client.clock.move(LASTS)
        await reach_prompt(client)
        assert client.service.metrics.logins.values()["not-renewed",] == 1
        assert "second-token-of-ada" not in await whole_history(client)
        assert len(refreshed(client)) == 1


async def test_without_the_setting_an_expired_login_is_asked_for_again(tmp_path: Path) -> None:
    async with tea_house(tmp_path, mocks=answers(RENEWED)) as client:
        await logged_in(client)
        client.clock.move(LASTS)
        await reach_prompt(client)
        assert refreshed(client) == []


async def test_no_record_shows_a_renewed_token(tmp_path: Path) -> None:
    async with tea_house(tmp_path, mocks=answers(RENEWED), refresh=True) as client:
        await logged_in(client)
        client.clock.move(LASTS)
        await client.texts("tea")
        told = await whole_history(client)
        for secret in ("second-token-of-ada", "second-refresh", REFRESH_TOKEN):
            assert secret not in told


class Slow(MockFetcher):
    """Answers the renewal at once, the data source behind it when the test says so."""

    def __init__(self, mocks: dict[str, Any]) -> None:
        super().__init__(mocks)
        self.gate = asyncio.Event()
        self.called = 0

    async def fetch(self, request: Request, **_: Any) -> Response | NoResponse:
        if request.url.endswith("/cups"):
            self.called += 1
            await self.gate.wait()
        return await super().fetch(request)


CUPS = "http://127.0.0.1:9/cups"
SOURCE = {"type": "webhook", "data-source": {"endpoint": CUPS}, "entity": "cups", "messages": ["{{cups.number}} cups."]}


async def test_a_turn_that_is_run_again_after_a_stop_takes_the_renewal_from_the_journal(tmp_path: Path) -> None:
    mocks = DISCOVERY | answers(RENEWED) | {CUPS: {"GET": {"number": 7}}}
    first, second = Slow(mocks), Slow(mocks)
    first.gate.set()
    second.gate.set()
    store = TemporaryStore()
    asked = flow(SOURCE, refresh=True)
    async with serving(tmp_path, asked, first, store, BOT, WORDS, keys=KEYS) as client:
        await logged_in(client)
        client.clock.move(LASTS)
        first.gate.clear()
        waiting = in_background(client.say("tea", id="once"))
        await until(lambda: first.called == 2)
        until_then = client.clock.now()
    assert (await waiting).status == 503
    async with serving(tmp_path, asked, second, store, BOT, WORDS, keys=KEYS) as client:
        client.clock.move((until_then - client.clock.now()) / 1000)
        assert (await client.say_again("tea", id="once")).json[-1]["text"] == "7 cups."
        assert refreshed(client) == []
        now = await stored_chat(client, tmp_path)
        assert now.grant is not None
        assert now.grant.refresh_token == "second-refresh"
        assert now.state.entities["auth"]["access_token"] == "second-token-of-ada"


async def test_the_journal_shows_no_token(tmp_path: Path) -> None:
    mocks = DISCOVERY | answers(RENEWED) | {CUPS: {"GET": {"number": 7}}}
    fetcher = Slow(mocks)
    fetcher.gate.set()
    async with serving(tmp_path, flow(SOURCE, refresh=True), fetcher, None, BOT, WORDS, keys=KEYS) as client:
        await logged_in(client)
        client.clock.move(LASTS)
        fetcher.gate.clear()
        waiting = in_background(client.say("tea"))
        await until(lambda: fetcher.called == 2)
        store: Any = client.service.store
        ((sealed,),) = store.query("select result from journal")
        assert b"second" not in sealed
        assert b"second-refresh" in vault_of(tmp_path).open(sealed, chat_row.row_name("journal", ADA))
        fetcher.gate.set()
        await waiting


# -- without a provider


class Issuer:
    def __init__(self, answer: Login | Exception | None = None) -> None:
        self.answer = answer
        self.asked: list[tuple[str, Grant, dict[str, Any]]] = []

    async def refresh(self, deployed: Deployed, grant: Grant, value: dict[str, Any]) -> Login:
        self.asked.append((deployed.version, grant, value))
        if self.answer is None:
            await asyncio.Event().wait()
        if isinstance(self.answer, Exception):
            raise self.answer
        assert self.answer is not None
        return self.answer


async def renewed(client: Client, issuer: Issuer, grant: Grant | None, folder: Path, seconds: float = 60.0) -> Any:
    service = client.service
    deployed = service.bots.active("tea")
    assert deployed is not None
    state = msgspec.structs.replace(begin(), entities={"auth": {"access_token": "old"}})
    now = chat_row.StoredChat(state=state, grant=grant)
    event = ContextGiven(id="e", now=0, seed=0, profile=Profile(id="ada"))
    logins = LoginHook(service.store, vault_of(folder), service.bots, issuer, Counts("logins", "", "outcome"))
    deadline = asyncio.get_running_loop().time() + seconds
    return await logins.during(deployed, now, InboundEvent(event=event), Refresh("e:login", "tea/0"), deadline)


async def test_the_version_that_the_login_came_by_renews_it(tmp_path: Path) -> None:
    async with tea_house(tmp_path) as client:
        first = client.service.bots.active("tea")
        assert first is not None
        await client.service.publish(write_bot(tmp_path / "tea", BOT, flow(SOURCE), WORDS))
        issuer = Issuer(Login({"access_token": "new"}, Grant(first.version, "r")))
        found = await renewed(client, issuer, Grant(first.version, "r"), tmp_path)
        assert issuer.asked == [(first.version, Grant(first.version, "r"), {"access_token": "old"})]
        assert json.loads(found.fetched.response.body) == {"access_token": "new"}
        assert found.login == Login({"access_token": "new"}, Grant(first.version, "r"))


@pytest.mark.parametrize(
    "grant", [None, Grant("gone", "r"), "no refresh token"], ids=["nothing came", "version gone", "no refresh token"]
)
async def test_where_nothing_can_renew_it_nobody_is_asked(tmp_path: Path, grant: Any) -> None:
    async with tea_house(tmp_path) as client:
        active = client.service.bots.active("tea")
        assert active is not None
        issuer = Issuer()
        found = await renewed(client, issuer, Grant(active.version) if isinstance(grant, str) else grant, tmp_path)
        assert found.fetched.failure.kind == "login"
        assert (found.login, issuer.asked) == (None, [])


async def test_a_provider_that_hangs_is_given_up_when_the_turns_time_is_used_up(tmp_path: Path) -> None:
    async with tea_house(tmp_path) as client:
        active = client.service.bots.active("tea")
        assert active is not None
        found = await renewed(client, Issuer(), Grant(active.version, "r"), tmp_path, seconds=0.01)
        assert found.fetched.failure is not None


async def test_why_it_was_not_renewed_is_said(tmp_path: Path) -> None:
    async with tea_house(tmp_path) as client:
        active = client.service.bots.active("tea")
        assert active is not None
        issuer = Issuer(RemoteError("provider-status", "The refresh: it answered 503."))
        found = await renewed(client, issuer, Grant(active.version, "r"), tmp_path)
        assert found.fetched.failure.detail == "The refresh: it answered 503."
