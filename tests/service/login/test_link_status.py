"""How a chat stands to a login link: for its own card, and for the browser that used the link up."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.support import BOT, write_bot
from tests.service.login.chatting import (
    BROWSER,
    OTHER_BROWSER,
    TOKEN,
    WORDS,
    flow,
    later_texts,
    log_in,
    open_and_take,
    reach_prompt,
    stored_chat,
    tea_house,
)
from tests.stores import TemporaryStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.http.support import Client

    from dialoom.service.login.link_status import LinkStatus
    from dialoom.storage.store import TimerRow

SESSION = 24 * 3600
"""Seconds until a session is over."""
STAYS: dict[str, Any] = {"persist-entities": ["auth", "account"]}


class Untimed(TemporaryStore):
    """Never runs a timer."""

    async def due(self, now: int, limit: int) -> list[TimerRow]:
        return []


@contextlib.asynccontextmanager
async def untimed(folder: Path, *steps: dict[str, Any], **more: Any) -> AsyncIterator[Client]:
    async with tea_house(folder, *steps, store=Untimed(), binding="confirm", **more) as client:
        yield client


async def logged_in(client: Client) -> str:
    """Return the link's state."""
    state = await reach_prompt(client)
    await log_in(client, state)
    await later_texts(client)
    return state


async def card(client: Client, state: str) -> LinkStatus:
    read = client.service.addresses.read_state(state)
    assert read is not None
    return await client.service.link_statuses.for_card(*read)


async def browser(client: Client, state: str) -> LinkStatus | None:
    used = await client.service.link_statuses.for_browser(state, BROWSER)
    return None if used is None else used.status


async def both(client: Client, state: str) -> tuple[LinkStatus, LinkStatus | None]:
    return await card(client, state), await browser(client, state)


async def test_a_link_is_open_until_its_login_has_landed_and_its_user_logged_in_from_then_on(tmp_path: Path) -> None:
    async with untimed(tmp_path) as client:
        state = await reach_prompt(client)
        assert await both(client, state) == ("open", None)
        await open_and_take(client, state, BROWSER)
        assert await both(client, state) == ("open", "open")
    async with untimed(tmp_path / "landed") as client:
        state = await logged_in(client)
        assert await both(client, state) == ("through", "through")
        assert await client.service.link_statuses.for_browser(state, OTHER_BROWSER) is None
        assert await client.service.link_statuses.for_browser("no state", BROWSER) is None


async def test_a_card_is_told_of_whichever_login_and_a_browser_of_its_own_alone(tmp_path: Path) -> None:
    async with untimed(tmp_path) as client:
        first = await reach_prompt(client)
        await client.service.links.fail(await open_and_take(client, first, BROWSER))
        second = await logged_in(client)
        assert (await card(client, first), await card(client, second)) == ("through", "through")
        assert (await browser(client, first), await browser(client, second)) == ("over", "through")


async def test_who_was_logged_out_is_not_logged_in(tmp_path: Path) -> None:
    async with untimed(tmp_path) as client:
        state = await logged_in(client)
        assert await client.service.log_outs.log_out("tea", "ada")
        assert await both(client, state) == ("over", "over")


async def test_a_silence_that_forgets_the_login_counts_before_the_timer_of_the_session_has_run(tmp_path: Path) -> None:
    async with untimed(tmp_path, **{"forget-after": SESSION // 60}) as client:
        state = await logged_in(client)
        client.clock.move(SESSION - 1)
        assert await both(client, state) == ("through", "through")
        client.clock.move(1)
        assert "auth" in (await stored_chat(client, tmp_path)).state.entities
        assert await both(client, state) == ("over", "over")
        await reach_prompt(client)


async def test_a_login_outlives_its_session(tmp_path: Path) -> None:
    async with untimed(tmp_path) as client:
        state = await logged_in(client)
        client.clock.move(30 * SESSION)
        assert await both(client, state) == ("through", "through")


async def test_an_entity_that_outlives_its_session_still_counts(tmp_path: Path) -> None:
    async with untimed(tmp_path, settings=STAYS) as client:
        state = await logged_in(client)
        client.clock.move(SESSION)
        assert await both(client, state) == ("through", "through")
        await prompted_by_nothing(client)


async def prompted_by_nothing(client: Client) -> None:
    answer = (await client.say("tea")).json
    assert not [message for message in answer if "v2template" in message]


@pytest.mark.parametrize("is_over", [False, True])
async def test_what_counts_is_the_version_that_the_next_message_runs_on(tmp_path: Path, is_over: bool) -> None:
    question = {"type": "question", "entity": "cups", "entity-type": "Number", "messages": ["How many?"]}
    async with untimed(tmp_path, question, settings=STAYS) as client:
        state = await logged_in(client)
        assert (await stored_chat(client, tmp_path)).record is not None
        newer = flow(question, entity="account", binding="confirm")
        newer["settings"] |= STAYS
        await client.service.publish(write_bot(tmp_path / "tea", BOT, newer, WORDS))
        if is_over:
            client.clock.move(SESSION)
        status = "over" if is_over else "through"
        assert await both(client, state) == (status, status)
        if is_over:
            await reach_prompt(client)
        else:
            await prompted_by_nothing(client)


async def test_a_login_that_the_page_told_counts_for_the_card(tmp_path: Path) -> None:
    async with untimed(tmp_path) as client:
        state = await reach_prompt(client)
        await client.service.links.fail(await open_and_take(client, state, BROWSER))
        assert await both(client, state) == ("over", "over")
        await client.say("help", context={"auth": {"access_token": TOKEN}})
        assert await both(client, state) == ("through", "over")
        await prompted_by_nothing(client)
