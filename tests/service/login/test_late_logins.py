"""Logins that do not come into the chat: which of them are taken back at the provider, and which are not."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal

import msgspec
import pytest
from tests.http.support import BOT, write_bot
from tests.service.login.chatting import (
    ADA,
    LOST,
    OVER,
    REFRESH_TOKEN,
    TAKES_BACK,
    TOKEN,
    WORDS,
    end_session,
    flow,
    later_texts,
    log_in,
    login,
    open_and_take,
    reach_prompt,
    refusal_code,
    revoked,
    stored_chat,
    tea_house,
)
from tests.service.login.failing_store import Stumbling
from tests.service.process_stores import until

from dialoom.engine.events import LoggedIn
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.inbox import MAX_WAITING_EVENTS
from dialoom.service.chat.login_values import LINK_USE_TIMEOUT_MS

if TYPE_CHECKING:
    from pathlib import Path

    from dialoom.service.chat.login_values import Login
    from dialoom.service.login.links import Opened


SHORT = {"session-timeout": 2}
"""Minutes, so that a session ends while its link lives."""


async def test_a_login_that_comes_too_late_for_its_link_is_taken_back(tmp_path: Path) -> None:
    async with tea_house(tmp_path, mocks=TAKES_BACK) as client:
        opened = await open_and_take(client, await reach_prompt(client))
        client.clock.move(LINK_USE_TIMEOUT_MS / 1000)
        await reach_prompt(client)
        assert await refusal_code(client.service.links.finish(opened, login(opened))) == OVER
        await until(lambda: revoked(client.fetcher) == [REFRESH_TOKEN, TOKEN])


async def test_one_whose_link_was_replaced_while_it_waited_for_its_turn_is_taken_back(tmp_path: Path) -> None:
    async with tea_house(tmp_path, mocks=TAKES_BACK) as client:
        opened = await open_and_take(client, await reach_prompt(client))
        client.clock.move(LINK_USE_TIMEOUT_MS / 1000)
        await reach_prompt(client)
        event = LoggedIn(id="", now=0, seed=0, profile=opened.profile, value=login(opened).value)
        arrival = InboundEvent(event=event, link=opened.link, grant=login(opened).grant)
        await client.service.runner.submit(ADA, arrival)
        await until(lambda: revoked(client.fetcher) == [REFRESH_TOKEN, TOKEN])
        assert "auth" not in (await stored_chat(client, tmp_path)).state.entities


async def test_that_of_a_user_who_was_erased_meanwhile_is_taken_back_and_nothing_is_kept_of_them(
    tmp_path: Path,
) -> None:
    async with tea_house(tmp_path, mocks=TAKES_BACK) as client:
        opened = await open_and_take(client, await reach_prompt(client))
        await client.service.erasure.erase("tea", "ada")
        assert await refusal_code(client.service.links.finish(opened, login(opened))) == OVER
        await until(lambda: revoked(client.fetcher) == [REFRESH_TOKEN, TOKEN])
        assert await client.service.store.chat(ADA) is None
        assert await client.service.outbox.counts() == []


async def test_one_that_the_chat_has_no_room_for_is_taken_back(tmp_path: Path) -> None:
    store = Stumbling()
    async with tea_house(tmp_path, mocks=TAKES_BACK, store=store) as client:
        opened = await open_and_take(client, await reach_prompt(client))
        store.gate.clear()
        talk = [asyncio.ensure_future(client.say("help", id=f"{number}")) for number in range(MAX_WAITING_EVENTS + 2)]
        await asyncio.wait(talk, return_when=asyncio.FIRST_COMPLETED)
        waiting = asyncio.ensure_future(client.service.links.finish(opened, login(opened)))
        await until(waiting.done, client, seconds=0.1)
        assert await refusal_code(waiting) == LOST
        await until(lambda: revoked(client.fetcher) == [REFRESH_TOKEN, TOKEN])
        store.gate.set()
        await asyncio.wait(talk)


@pytest.mark.parametrize("chats", ["away", "sealed"])
async def test_one_that_certainly_was_not_handed_over_is_taken_back(
    tmp_path: Path, chats: Literal["away", "sealed"]
) -> None:
    store = Stumbling()
    async with tea_house(tmp_path, mocks=TAKES_BACK, store=store) as client:
        opened = await open_and_take(client, await reach_prompt(client))
        store.chats = chats
        assert await refusal_code(client.service.links.finish(opened, login(opened))) == LOST
        await until(lambda: sorted(revoked(client.fetcher)) == sorted([REFRESH_TOKEN, TOKEN]))
        store.chats = "here"


@pytest.mark.parametrize(
    ("failures", "refuses"), [(100, False), (1, True)], ids=["away to the end", "away, then a refusal for good"]
)
async def test_one_of_which_the_store_does_not_say_whether_it_has_it_stays_good(
    tmp_path: Path, failures: int, refuses: bool
) -> None:
    store = Stumbling()
    async with tea_house(tmp_path, mocks=TAKES_BACK, store=store) as client:
        opened = await open_and_take(client, await reach_prompt(client))
        store.failures, store.refuses = failures, refuses
        waiting = asyncio.ensure_future(client.service.links.finish(opened, login(opened)))
        await until(waiting.done, client, seconds=0.1)
        assert await refusal_code(waiting) == LOST
        store.failures, store.refuses = 0, False
        # A later one would be taken back behind it.
        client.clock.move(LINK_USE_TIMEOUT_MS / 1000)
        later_one = await open_and_take(client, await reach_prompt(client))
        await client.service.erasure.erase("tea", "ada")
        assert (
            await refusal_code(client.service.links.finish(later_one, login(later_one, access_token="later"))) == OVER
        )
        await until(lambda: "later" in revoked(client.fetcher))
        assert TOKEN not in revoked(client.fetcher)


async def test_one_that_comes_after_its_bot_has_no_logins_any_more_is_taken_back(tmp_path: Path) -> None:
    async with tea_house(tmp_path, mocks=TAKES_BACK, settings=SHORT) as client:
        opened = await open_and_take(client, await reach_prompt(client))
        client.clock.move(120)
        await end_session(client, tmp_path)
        bare = flow()
        del bare["settings"]["authentication"]
        bare["conversations"]["tea"]["steps"][0].pop("protected")
        await client.service.publish(write_bot(tmp_path / "tea", BOT, bare, WORDS))
        await client.service.links.finish(opened, login(opened))
        await until(lambda: revoked(client.fetcher) == [REFRESH_TOKEN, TOKEN])
        assert (await stored_chat(client, tmp_path)).grant is None


def other_tokens(opened: Opened, name: str) -> Login:
    given = login(opened, access_token=name)
    return msgspec.structs.replace(given, grant=msgspec.structs.replace(given.grant, refresh_token=f"refresh-{name}"))


async def test_one_whose_token_the_chat_has_by_another_login_is_not_taken_back(tmp_path: Path) -> None:
    """There are providers that give the same token again."""
    async with tea_house(tmp_path, mocks=TAKES_BACK) as client:
        links = client.service.links
        opened = await open_and_take(client, await reach_prompt(client))
        client.clock.move(LINK_USE_TIMEOUT_MS / 1000)
        await log_in(client, await reach_prompt(client))
        await later_texts(client)
        assert await refusal_code(links.finish(opened, login(opened))) == OVER
        event = LoggedIn(id="", now=0, seed=0, profile=opened.profile, value=login(opened).value)
        await client.service.runner.submit(ADA, InboundEvent(event=event, link=opened.link, grant=login(opened).grant))
        # Another one's are, behind those.
        assert await refusal_code(links.finish(opened, other_tokens(opened, "another"))) == OVER
        await until(lambda: len(revoked(client.fetcher)) == 2)
        await client.service.outbox.settled()
        assert sorted(revoked(client.fetcher)) == ["another", "refresh-another"]
        assert (await stored_chat(client, tmp_path)).state.entities["auth"]["access_token"] == TOKEN
