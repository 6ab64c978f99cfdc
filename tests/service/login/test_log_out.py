"""Logging out, by the flow or by the operator: the login is forgotten, and taken back where the provider offers that."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, cast

import msgspec
import pytest
from tests.http.support import BOT, serving, write_bot
from tests.service.login.chatting import (
    ADA,
    DISCOVERY,
    ISSUER,
    KEYS,
    REFRESH_TOKEN,
    REVOKE,
    TAKES_BACK,
    TOKEN,
    WORDS,
    flow,
    later_texts,
    log_in,
    login,
    open_and_take,
    reach_prompt,
    revoked,
    stored_chat,
    tea_house,
    vault_of,
    whole_history,
)
from tests.service.process_stores import ProcessStore, in_background, until

from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.errors import RequestError
from dialoom.service.chat import chat_row
from dialoom.service.chat.link_rows import about_of
from dialoom.service.service import build_service
from dialoom.service.settings import Settings
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.http.support import Client
    from tests.postgres import Server
    from tests.service.process_stores import DatabaseTables

    from dialoom.service.service import Service
    from dialoom.storage.store import Store

LOGOUT = {"type": "command", "command": "logout"}


async def logged_in(client: Client) -> None:
    await log_in(client, await reach_prompt(client))
    await later_texts(client)


# -- by the flow


async def test_the_step_command_forgets_the_login_and_takes_both_tokens_back(tmp_path: Path) -> None:
    async with tea_house(tmp_path, LOGOUT, mocks=TAKES_BACK) as client:
        await logged_in(client)
        now = await stored_chat(client, tmp_path)
        assert "auth" not in now.state.entities
        assert now.grant is None
        await until(lambda: len(revoked(client.fetcher)) == 2)
        assert revoked(client.fetcher) == [REFRESH_TOKEN, TOKEN]
        posts = [request for request in client.fetcher.requests if request.url == REVOKE]
        assert all(dict(post.headers)["Authorization"].startswith("Basic ") for post in posts)
        await client.service.outbox.settled()
        assert await client.service.store.dead("tea", 10) == []


async def test_a_provider_that_is_away_is_told_later(tmp_path: Path) -> None:
    mocks: dict[str, Any] = {REVOKE: {"POST": {"$status": 503}}}
    async with tea_house(tmp_path, LOGOUT, mocks=mocks) as client:
        await logged_in(client)
        await until(lambda: len(revoked(client.fetcher)) == 1)
        await client.service.outbox.settled()
        # The other one waits behind it.
        (count,) = await client.service.outbox.counts()
        assert (count.waiting, count.dead) == (2, 0)
        await until(lambda: len(revoked(client.fetcher)) >= 2, client, seconds=0.1)


async def test_a_provider_that_refuses_makes_a_dead_letter_without_a_token_in_it(tmp_path: Path) -> None:
    async with tea_house(tmp_path, LOGOUT, mocks={REVOKE: {"POST": {"$status": 401}}}) as client:
        await logged_in(client)
        await until(lambda: len(revoked(client.fetcher)) == 2)
        await client.service.outbox.settled()
        letters = await client.service.outbox.dead("tea")
        assert {letter.receiver for letter in letters} == {f"revocation {ISSUER}"}
        assert TOKEN not in str(letters)
        assert REFRESH_TOKEN not in str(letters)


async def test_a_provider_whose_metadata_cannot_be_had_is_asked_again_later(tmp_path: Path) -> None:
    discovery = next(iter(DISCOVERY))
    async with tea_house(tmp_path, LOGOUT, mocks={discovery: {"GET": {"$status": 500}}}) as client:
        await logged_in(client)
        await until(lambda: any(request.url == discovery for request in client.fetcher.requests))
        await client.service.outbox.settled()
        (count,) = await client.service.outbox.counts()
        assert (count.waiting, count.dead) == (2, 0)
        assert revoked(client.fetcher) == []


async def test_tokens_that_wait_to_be_taken_back_are_sealed(tmp_path: Path) -> None:
    async with tea_house(tmp_path, LOGOUT, mocks={REVOKE: {"POST": {"$status": 503}}}) as client:
        await logged_in(client)
        store: Any = client.service.store
        waiting = [body for (body,) in store.query("select body from outbox")]
        assert len(waiting) == 2
        assert not any(token.encode() in body for body in waiting for token in (TOKEN, REFRESH_TOKEN))
        opened = [vault_of(tmp_path).open(body, chat_row.row_name("outbox", ADA)) for body in waiting]
        assert TOKEN.encode() in b"".join(opened)


async def test_a_version_that_is_gone_takes_nothing_back_in_the_name_of_another(tmp_path: Path) -> None:
    async with tea_house(tmp_path, mocks=TAKES_BACK) as client:
        opened = await _opened_by(client, "a version that never was")
        await client.service.links.finish(*opened)
        await later_texts(client)
        await client.service.publish(write_bot(tmp_path / "tea", BOT, flow(LOGOUT), WORDS))
        assert await client.service.log_outs.log_out("tea", "ada")
        store: Any = client.service.store
        await until(lambda: not store.query("select id from outbox where dead_at is null"))
        letters = await client.service.outbox.dead("tea")
        assert len(letters) == 2
        assert all("is gone or cannot be used" in letter.reason for letter in letters)
        assert revoked(client.fetcher) == []


async def _opened_by(client: Client, version: str) -> Any:
    opened = await open_and_take(client, await reach_prompt(client))
    given = login(opened)
    return opened, msgspec.structs.replace(given, grant=msgspec.structs.replace(given.grant, version=version))


async def test_a_silence_that_forgets_takes_nothing_back(tmp_path: Path) -> None:
    async with tea_house(tmp_path, mocks=TAKES_BACK, **{"forget-after": 1}) as client:
        await logged_in(client)
        client.clock.move(61)
        await client.texts("restart")
        assert (await stored_chat(client, tmp_path)).grant is None
        assert await client.service.outbox.counts() == []
        assert revoked(client.fetcher) == []


# -- by the operator


async def test_an_operator_logs_a_user_out_who_is_then_asked_again(tmp_path: Path) -> None:
    async with tea_house(tmp_path, mocks=TAKES_BACK) as client:
        await logged_in(client)
        assert await client.service.log_outs.log_out("tea", "ada", "rest")
        now = await stored_chat(client, tmp_path)
        assert ("auth" in now.state.entities, now.grant) == (False, None)
        await until(lambda: len(revoked(client.fetcher)) == 2, client, seconds=0.1)
        await reach_prompt(client)


async def test_a_login_that_waits_for_its_code_is_dropped_and_not_taken_back(tmp_path: Path) -> None:
    async with tea_house(tmp_path, mocks=TAKES_BACK, binding="code") as client:
        state = await reach_prompt(client)
        code = await log_in(client, state)
        assert code is not None
        read = client.service.addresses.read_state(state)
        assert read is not None
        assert await client.service.log_outs.log_out("tea", "ada")
        row = await client.service.store.login(*read)
        assert row is not None
        left = about_of(vault_of(tmp_path), row)
        assert (left.code, left.login) == (None, None)
        await client.service.outbox.settled()
        assert (await client.service.outbox.counts(), revoked(client.fetcher)) == ([], [])
        await client.texts(code)
        now = await stored_chat(client, tmp_path)
        assert ("auth" in now.state.entities, now.grant) == (False, None)
        assert await reach_prompt(client) != state


@pytest.mark.parametrize("binding", ["off", "code"])
async def test_a_login_that_is_under_way_when_its_user_is_logged_out_does_not_land(
    tmp_path: Path, binding: str
) -> None:
    async with tea_house(tmp_path, binding=binding) as client:
        opened = await open_and_take(client, await reach_prompt(client))
        assert await client.service.log_outs.log_out("tea", "ada")
        with pytest.raises(RequestError) as refused:
            await client.service.links.finish(opened, login(opened))
        assert refused.value.code == "login-over"
        row = await client.service.store.login(ADA, opened.link)
        assert row is not None
        left = about_of(vault_of(tmp_path), row)
        assert (left.code, left.login) == (None, None)
        assert "auth" not in (await stored_chat(client, tmp_path)).state.entities


async def test_logging_out_who_is_not_logged_in_changes_nothing(tmp_path: Path) -> None:
    async with tea_house(tmp_path) as client:
        await client.texts("help")
        told = await whole_history(client)
        assert await client.service.log_outs.log_out("tea", "ada")
        assert await whole_history(client) == told
        assert await client.service.outbox.counts() == []


async def test_of_whom_nothing_is_kept_is_said(tmp_path: Path) -> None:
    async with tea_house(tmp_path) as client:
        with pytest.raises(RequestError, match="Nothing is kept of a user of this id"):
            await client.service.log_outs.log_out("tea", "eve")
        assert await client.service.store.channels_of("tea", "eve") == []


@contextlib.asynccontextmanager
async def beside(folder: Path, store: Store) -> AsyncIterator[Service]:
    """Return a command beside a service, on the same store."""
    settings = Settings(data=str(folder / "data"), keys=KEYS)
    clock = MovedClock()
    made = await asyncio.to_thread(build_service, settings, {}, store=store, fetcher=MockFetcher({}), clock=clock)
    await made.store.open()
    await made.bots.load_active()
    try:
        yield made
    finally:
        await made.bots.stop()
        await made.store.close()


async def logged_out(command: Service, seconds: float = 0.1) -> bool:
    """Run the log-out. ``command``: its clock goes on while it waits."""
    waiting = in_background(command.log_outs.log_out("tea", "ada"))
    await until(waiting.done, cast("Client", command), seconds=seconds)
    return bool(await waiting)


async def test_beside_a_service_on_sqlite_the_service_then_asks_for_the_login(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "data.sqlite")
    async with tea_house(tmp_path, mocks=TAKES_BACK, store=store) as client:
        await logged_in(client)
        async with beside(tmp_path, SqliteStore(tmp_path / "data.sqlite", is_beside=True)) as command:
            assert await logged_out(command)
        # What the service still knew of the chat is not what is stored: it computes the turn again.
        await reach_prompt(client)
        assert (await stored_chat(client, tmp_path)).grant is None
        await until(lambda: len(revoked(client.fetcher)) == 2, client, seconds=0.1)


async def test_after_a_log_out_beside_sqlite_no_call_goes_out_with_the_old_token(tmp_path: Path) -> None:
    cups = "http://127.0.0.1:9/cups"
    source = {"endpoint": cups, "headers": {"Authorization": "Bearer {{auth.access_token}}"}}
    step = {"type": "webhook", "data-source": source, "protected": True}
    store = SqliteStore(tmp_path / "data.sqlite")
    async with tea_house(tmp_path, step, mocks={cups: {"GET": {"number": 7}}}, store=store) as client:

        def calls() -> list[dict[str, str]]:
            return [dict(request.headers) for request in client.fetcher.requests if request.url == cups]

        await logged_in(client)
        await until(calls)
        assert calls() == [{"Authorization": f"Bearer {TOKEN}"}]
        await client.texts("help")
        async with beside(tmp_path, SqliteStore(tmp_path / "data.sqlite", is_beside=True)) as command:
            assert await logged_out(command)
        await reach_prompt(client)
        assert len(calls()) == 1


async def test_a_log_out_beside_sqlite_and_a_talk_at_once_lose_nothing(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "data.sqlite")
    async with tea_house(tmp_path, store=store) as client:
        await logged_in(client)
        async with beside(tmp_path, SqliteStore(tmp_path / "data.sqlite", is_beside=True)) as command:
            talk = in_background(_talk(client, 20))
            assert await logged_out(command)
            await talk
        messages = (await client.history("messages", sort={"Sequence": 1}, limit=100)).json
        heard = [one["Text"] for one in messages if one["From"] == "user"]
        assert heard.count("help") == 20
        assert (await stored_chat(client, tmp_path)).grant is None


async def _talk(client: Client, count: int) -> None:
    for number in range(count):
        answer = await client.say("help", id=f"{number}")
        assert answer.status == 200


async def test_on_a_shared_store_whoever_has_the_chat_does_it(tmp_path: Path, tables: DatabaseTables) -> None:
    mocks = DISCOVERY | TAKES_BACK
    async with serving(tmp_path, flow(), MockFetcher(mocks), ProcessStore(tables), BOT, WORDS, keys=KEYS) as client:
        await logged_in(client)
        async with beside(tmp_path, ProcessStore(tables)) as command:
            assert await logged_out(command)
        now = await stored_chat(client, tmp_path)
        assert ("auth" in now.state.entities, now.grant) == (False, None)
        await until(lambda: len(revoked(client.fetcher)) == 2, client, seconds=0.1)
        await reach_prompt(client)


async def test_beside_services_on_postgres_whoever_has_the_chat_does_it(
    tmp_path: Path, postgres_server: Server
) -> None:
    url, mocks = postgres_server.database(), DISCOVERY | TAKES_BACK
    async with serving(tmp_path, flow(), MockFetcher(mocks), PostgresStore(url), BOT, WORDS, keys=KEYS) as client:
        await logged_in(client)
        async with beside(tmp_path, PostgresStore(url, is_beside=True)) as command:
            assert await logged_out(command, seconds=0.005)
        now = await stored_chat(client, tmp_path)
        assert ("auth" in now.state.entities, now.grant) == (False, None)
        await until(lambda: len(revoked(client.fetcher)) == 2, client, seconds=0.01)
        await reach_prompt(client)


async def test_on_a_shared_store_without_a_service_it_is_done_when_one_comes(
    tmp_path: Path, tables: DatabaseTables
) -> None:
    async with serving(tmp_path, flow(), MockFetcher(DISCOVERY), ProcessStore(tables), BOT, WORDS, keys=KEYS) as client:
        await logged_in(client)
    async with beside(tmp_path, ProcessStore(tables)) as command:
        assert not await logged_out(command)
    async with serving(tmp_path, flow(), MockFetcher(DISCOVERY), ProcessStore(tables), BOT, WORDS, keys=KEYS) as client:
        await until(lambda: not tables.inbox)
        assert (await stored_chat(client, tmp_path)).grant is None
