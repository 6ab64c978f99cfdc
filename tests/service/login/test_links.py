"""A login link from its prompt to its one use: who may use it, how often, and what comes into the chat."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.http.support import Client
from tests.service.login.chatting import (
    ADA,
    BROWSER,
    DATA,
    FOREIGN,
    ID_TOKEN,
    LOST,
    OTHER_BROWSER,
    OVER,
    PROMPT,
    REFRESH_TOKEN,
    THANKS,
    TOKEN,
    UNKNOWN,
    WEAKER,
    end_session,
    errors,
    later_texts,
    log_in,
    login,
    open_and_take,
    reach_prompt,
    refusal_code,
    state_in,
    stored_chat,
    tea_house,
    whole_history,
)
from tests.service.login.failing_store import Stumbling
from tests.service.process_stores import until

from dialoom.engine.events import LoggedIn
from dialoom.errors import RequestError
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.inbox import MAX_WAITING_EVENTS
from dialoom.service.chat.login_values import CODE_LIFETIME_MS, LINK_LIFETIME_MS, LINK_USE_TIMEOUT_MS, LinkInfo

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with tea_house(tmp_path) as client:
        yield client


SHORT = {"session-timeout": 2}
"""Minutes, so that a session ends while its link lives."""


def counted(client: Client) -> dict[str, int]:
    return {outcome: count for (outcome,), count in client.service.metrics.logins.values().items()}


# -- the link


async def test_a_further_prompt_sends_the_same_link_while_it_lives_and_then_another(client: Client) -> None:
    first = await reach_prompt(client)
    assert await reach_prompt(client) == first
    client.clock.move(LINK_LIFETIME_MS / 1000 - 1)
    assert await reach_prompt(client) == first
    client.clock.move(1)
    assert await reach_prompt(client) != first


async def test_the_record_of_a_prompt_says_where_nobody_could_log_in(client: Client) -> None:
    state = await reach_prompt(client)
    told = await whole_history(client)
    assert PROMPT in told
    assert state not in told
    assert "account-linking" not in told


async def test_a_prompt_that_was_sent_again_has_the_same_address(client: Client) -> None:
    first = (await client.say("tea", id="once")).json
    assert (await client.say("tea", id="once")).json == first


async def test_opening_a_link_again_is_harmless_and_gives_the_same_login(client: Client) -> None:
    state = await reach_prompt(client)
    first = await client.service.links.open(state)
    again = await client.service.links.open(state)
    assert (again.row, again.about) == (first.row, first.about)
    assert (first.key, first.rule, first.channel.id, first.state) == (ADA, "off", "rest", state)
    assert first.name == "Ada Lovelace"
    assert len(first.about.verifier) >= 43
    assert first.about.nonce != first.about.verifier


async def test_two_links_share_nothing(client: Client) -> None:
    ada = await client.service.links.open(await reach_prompt(client))
    ben = await client.service.links.open(await reach_prompt(client, sender="ben"))
    assert {ada.about.nonce, ada.about.verifier, ada.link}.isdisjoint({ben.about.nonce, ben.about.verifier, ben.link})


@pytest.mark.parametrize("text", ["", "?", "A" * 60, "A" * 5000, "\N{GRINNING FACE}"])
async def test_what_was_not_made_here_is_no_link(client: Client, text: str) -> None:
    assert await refusal_code(client.service.links.open(text)) == UNKNOWN
    assert await refusal_code(client.service.links.take(text, None)) == UNKNOWN


async def test_a_state_that_was_changed_or_put_together_from_two_is_no_link(client: Client) -> None:
    ada, ben = await reach_prompt(client), await reach_prompt(client, sender="ben")
    half = len(ada) // 2
    for text in (ada[:half] + ben[half:], ben[:half] + ada[half:], ada[:-4], ada[4:], ada.swapcase()):
        assert await refusal_code(client.service.links.open(text)) == UNKNOWN


async def test_a_link_of_another_bot_or_user_with_this_links_id_is_over(client: Client) -> None:
    state = await reach_prompt(client)
    read = client.service.addresses.read_state(state)
    assert read is not None
    for key in (ADA._replace(user="ben"), ADA._replace(bot="other"), ADA._replace(channel="web")):
        other = client.service.addresses.login(key, read[1]).partition("state=")[2]
        assert await refusal_code(client.service.links.open(other)) == OVER


async def test_the_newest_link_wins(client: Client) -> None:
    old = await reach_prompt(client)
    opened = await client.service.links.open(old)
    await client.service.links.tie(opened, "off")
    client.clock.move(LINK_LIFETIME_MS / 1000)
    new = await reach_prompt(client)
    assert await refusal_code(client.service.links.open(old)) == OVER
    assert await refusal_code(client.service.links.take(old, None)) == OVER
    assert (await client.service.links.open(new)).state == new


async def test_a_link_is_over_when_its_time_is(client: Client) -> None:
    state = await reach_prompt(client)
    opened = await client.service.links.open(state)
    await client.service.links.tie(opened, "off")
    client.clock.move(LINK_LIFETIME_MS / 1000)
    assert await refusal_code(client.service.links.open(state)) == OVER
    assert await refusal_code(client.service.links.take(state, None)) == OVER


async def test_a_link_whose_bot_lost_its_channel_is_over(client: Client) -> None:
    state = await reach_prompt(client)
    other = client.service.addresses.login(ADA._replace(channel="gone"), "l").partition("state=")[2]
    assert await refusal_code(client.service.links.open(other)) == OVER
    assert (await client.service.links.open(state)).channel.type == "rest"


def test_how_a_browser_was_tied_is_stored_under_the_name_that_earlier_releases_read() -> None:
    about = LinkInfo("v1", nonce="n", verifier="v", tied_by="cookie")
    assert json.loads(msgspec.json.encode(about))["rule"] == "cookie"


# -- its one use


async def test_of_64_that_come_at_once_one_has_the_link(client: Client) -> None:
    state = await reach_prompt(client)
    await client.service.links.tie(await client.service.links.open(state), "off")
    found = await asyncio.gather(*(client.service.links.take(state, None) for _ in range(64)), return_exceptions=True)
    errors = [error for error in found if isinstance(error, RequestError)]
    assert len(errors) == 63
    assert {error.code for error in errors} == {OVER}


async def test_a_link_that_was_used_is_over_for_every_page(client: Client) -> None:
    state = await reach_prompt(client)
    opened = await client.service.links.open(state)
    await log_in(client, state)
    for work in (client.service.links.open(state), client.service.links.take(state, None)):
        assert await refusal_code(work) == OVER
    assert await refusal_code(client.service.links.tie(opened, "off")) == OVER


async def test_a_browser_that_no_start_page_has_tied_is_refused_and_uses_nothing_up(client: Client) -> None:
    state = await reach_prompt(client)
    await client.service.links.open(state)
    assert await refusal_code(client.service.links.take(state, None)) == FOREIGN
    assert await log_in(client, state) is None


async def test_a_callback_whose_start_page_was_never_opened_is_refused(client: Client) -> None:
    assert await refusal_code(client.service.links.take(await reach_prompt(client), None)) == OVER


async def test_only_the_browser_that_was_tied_last_gets_in_and_others_use_nothing_up(tmp_path: Path) -> None:
    async with tea_house(tmp_path, binding="cookie") as client:
        links = client.service.links
        state = await reach_prompt(client)
        opened = await links.open(state)
        await links.tie(opened, "cookie", OTHER_BROWSER)
        await links.tie(opened, "cookie", BROWSER)
        for browser in (None, OTHER_BROWSER, b""):
            assert await refusal_code(links.take(state, browser)) == FOREIGN
        assert (await links.take(state, BROWSER)).about.tied_by == "cookie"


async def test_a_browser_that_is_asked_to_confirm_is_the_one_that_comes_back(tmp_path: Path) -> None:
    async with tea_house(tmp_path, binding="confirm") as client:
        links = client.service.links
        state = await reach_prompt(client)
        await links.tie(await links.open(state), "confirm", BROWSER)
        assert await refusal_code(links.take(state, OTHER_BROWSER)) == FOREIGN
        assert (await links.take(state, BROWSER)).about.tied_by == "confirm"


async def test_no_browser_goes_on_under_a_rule_that_is_weaker_than_the_bots(tmp_path: Path) -> None:
    async with tea_house(tmp_path, binding="cookie") as client:
        opened = await client.service.links.open(await reach_prompt(client))
        for rule in WEAKER:
            assert await refusal_code(client.service.links.tie(opened, rule, BROWSER)) == FOREIGN
        assert await refusal_code(client.service.links.tie(opened, "cookie")) == FOREIGN


# -- what comes of it


async def test_a_login_goes_on_with_the_protected_step_and_lies_in_memory(client: Client, tmp_path: Path) -> None:
    state = await reach_prompt(client)
    assert await log_in(client, state) is None
    assert await later_texts(client) == [THANKS, DATA]
    now = await stored_chat(client, tmp_path)
    assert now.state.entities["auth"]["access_token"] == TOKEN
    assert now.grant is not None
    assert now.grant.refresh_token == REFRESH_TOKEN
    assert now.link is None
    assert counted(client) == {"done": 1}


async def test_no_token_stands_in_any_record(client: Client) -> None:
    await log_in(client, await reach_prompt(client))
    told = await whole_history(client)
    assert '"auth": "***"' in told
    for secret in (TOKEN, REFRESH_TOKEN, ID_TOKEN, "ada-at-the-provider"):
        assert secret not in told


async def test_a_login_that_landed_already_is_over(client: Client) -> None:
    opened = await open_and_take(client, await reach_prompt(client))
    await client.service.links.finish(opened, login(opened))
    assert await later_texts(client) == [THANKS, DATA]
    assert await refusal_code(client.service.links.finish(opened, login(opened))) == OVER
    assert counted(client)["done"] == 1


async def test_a_provider_that_failed_counts_as_one_error_and_the_next_prompt_has_a_new_link(
    client: Client, tmp_path: Path
) -> None:
    state = await reach_prompt(client)
    await client.service.links.fail(await open_and_take(client, state), "The provider: its answer is no JSON.")
    assert await later_texts(client) == []
    assert await errors(client) == 1
    assert (await stored_chat(client, tmp_path)).grant is None
    assert await reach_prompt(client) != state
    assert counted(client) == {"failed": 1}


async def test_a_user_who_cancels_counts_nothing_and_the_next_prompt_has_a_new_link(client: Client) -> None:
    state = await reach_prompt(client)
    await client.service.links.fail(await open_and_take(client, state))
    assert await errors(client) == 0
    assert await reach_prompt(client) != state
    assert counted(client) == {"cancelled": 1}


async def test_a_failure_of_an_old_link_leaves_the_newest_one(client: Client) -> None:
    opened = await open_and_take(client, await reach_prompt(client))
    client.clock.move(LINK_LIFETIME_MS / 1000)
    new = await reach_prompt(client)
    await client.service.links.fail(opened, "The provider was slow.")
    assert await errors(client) == 0
    assert await reach_prompt(client) == new


async def test_a_login_by_an_old_link_does_not_come_into_the_chat(client: Client, tmp_path: Path) -> None:
    opened = await open_and_take(client, await reach_prompt(client))
    client.clock.move(LINK_USE_TIMEOUT_MS / 1000)
    await reach_prompt(client)
    assert await refusal_code(client.service.links.finish(opened, login(opened))) == OVER
    assert "done" not in counted(client)
    # Nor does one that was on its way while the chat got another link.
    event = LoggedIn(id="", now=0, seed=0, profile=opened.profile, value=login(opened).value)
    await client.service.runner.submit(ADA, InboundEvent(event=event, link=opened.link, grant=login(opened).grant))
    assert await later_texts(client) == []
    assert "auth" not in (await stored_chat(client, tmp_path)).state.entities


async def test_a_link_that_ran_out_during_its_use_still_brings_its_login(client: Client) -> None:
    opened = await open_and_take(client, await reach_prompt(client))
    client.clock.move(LINK_LIFETIME_MS / 1000)
    await client.service.links.finish(opened, login(opened))
    assert await later_texts(client) == [THANKS, DATA]


async def test_a_prompt_in_between_drops_no_login_that_is_just_landing(client: Client) -> None:
    state = await reach_prompt(client)
    client.clock.move(LINK_LIFETIME_MS / 1000 - 5)
    opened = await open_and_take(client, state)
    client.clock.move(6)
    assert await reach_prompt(client) == state
    assert await client.service.links.finish(opened, login(opened)) is None
    assert await later_texts(client) == [THANKS, DATA]


async def test_a_link_whose_time_is_long_over_goes_with_the_next_turn(client: Client, tmp_path: Path) -> None:
    await reach_prompt(client)
    await client.texts("restart")
    client.clock.move((LINK_LIFETIME_MS + CODE_LIFETIME_MS) / 1000 - 1)
    await client.texts("help")
    assert (await stored_chat(client, tmp_path)).link is not None
    client.clock.move(1)
    await client.texts("help")
    assert (await stored_chat(client, tmp_path)).link is None


async def test_a_row_that_cannot_be_read_any_more_holds_no_chat_up_once_its_link_is_long_over(client: Client) -> None:
    state = await reach_prompt(client)
    row = (await client.service.links.open(state)).row
    assert await client.service.store.change_login(row, msgspec.structs.replace(row, about=b"by a key that is gone"))
    client.clock.move((LINK_LIFETIME_MS + CODE_LIFETIME_MS) / 1000)
    assert (await client.say("012345")).status == 200
    assert await reach_prompt(client) != state


async def test_a_use_that_was_broken_off_makes_the_next_prompts_link_a_new_one(client: Client) -> None:
    state = await reach_prompt(client)
    await open_and_take(client, state)
    assert await reach_prompt(client) == state
    client.clock.move(LINK_USE_TIMEOUT_MS / 1000)
    assert await reach_prompt(client) != state


async def test_who_is_erased_during_a_login_stays_erased(client: Client) -> None:
    opened = await open_and_take(client, await reach_prompt(client))
    await client.service.erasure.erase("tea", "ada")
    assert await refusal_code(client.service.links.finish(opened, login(opened))) == OVER
    await client.service.links.fail(opened, "The provider was slow.")
    assert await client.service.store.chat(ADA) is None
    assert await client.service.store.login(ADA, opened.link) is None


async def test_who_is_erased_between_the_login_and_its_turn_is_not_logged_in(client: Client, tmp_path: Path) -> None:
    opened = await open_and_take(client, await reach_prompt(client))
    await client.service.erasure.erase("tea", "ada")
    event = LoggedIn(id="", now=0, seed=0, profile=opened.profile, value=login(opened).value)
    await client.service.runner.submit(ADA, InboundEvent(event=event, link=opened.link, grant=login(opened).grant))
    now = await stored_chat(client, tmp_path)
    assert now.state.entities == {}
    assert now.grant is None
    assert await whole_history(client) == "[[], []]"


async def test_a_login_that_was_stored_without_a_word_of_it_comes_once(tmp_path: Path) -> None:
    store = Stumbling()
    async with tea_house(tmp_path, store=store) as client:
        opened = await open_and_take(client, await reach_prompt(client))
        store.is_mute = True
        waiting = asyncio.ensure_future(client.service.links.finish(opened, login(opened)))
        await until(waiting.done, client, seconds=0.1)
        assert await waiting is None
        assert await later_texts(client) == [THANKS, DATA]
        assert counted(client) == {"done": 1}


async def test_a_store_that_is_away_for_a_moment_costs_no_login(tmp_path: Path) -> None:
    store = Stumbling()
    async with tea_house(tmp_path, store=store) as client:
        opened = await open_and_take(client, await reach_prompt(client))
        store.failures = 2
        waiting = asyncio.ensure_future(client.service.links.finish(opened, login(opened)))
        await until(waiting.done, client, seconds=0.1)
        assert await waiting is None
        assert await later_texts(client) == [THANKS, DATA]


@pytest.mark.parametrize("binding", ["off", "code"])
async def test_a_login_that_the_store_does_not_take_is_lost_and_that_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, binding: str
) -> None:
    store = Stumbling()
    async with tea_house(tmp_path, store=store, binding=binding) as client:
        opened = await open_and_take(client, await reach_prompt(client))
        store.failures = 100
        waiting = asyncio.ensure_future(client.service.links.finish(opened, login(opened)))
        await until(waiting.done, client, seconds=0.1)
        assert await refusal_code(waiting) == LOST
        assert counted(client) == {"failed": 1}
        assert "a login of bot tea could not be stored and is lost: The database is away." in caplog.text
        store.failures = 0


async def test_after_a_login_that_a_full_inbox_lost_the_next_prompt_has_another_link(tmp_path: Path) -> None:
    store = Stumbling()
    async with tea_house(tmp_path, store=store) as client:
        state = await reach_prompt(client)
        opened = await open_and_take(client, state)
        store.gate.clear()
        talk = [asyncio.ensure_future(client.say("help", id=f"{number}")) for number in range(MAX_WAITING_EVENTS + 2)]
        # Of the last one there is no room.
        refusals = await asyncio.wait(talk, return_when=asyncio.FIRST_COMPLETED)
        assert [(await one).status for one in refusals[0]] == [429]
        waiting = asyncio.ensure_future(client.service.links.finish(opened, login(opened)))
        await until(waiting.done, client, seconds=0.1)
        assert await refusal_code(waiting) == LOST
        assert counted(client) == {"failed": 1}
        store.gate.set()
        await asyncio.wait(talk)
        assert await reach_prompt(client) != state


async def test_what_the_browser_is_told_of_a_failure_does_not_hang_on_the_store(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = Stumbling()
    async with tea_house(tmp_path, store=store) as client:
        opened = await open_and_take(client, await reach_prompt(client))
        store.failures = 100
        waiting = asyncio.ensure_future(client.service.links.fail(opened))
        await until(waiting.done, client, seconds=0.1)
        await waiting
        assert "was not told that a login brought nothing" in caplog.text
        assert counted(client) == {"cancelled": 1}
        store.failures = 0


# -- who it is


async def _says(client: Client, text: str, name: str | None) -> Any:
    sender = {"id": "ada"} if name is None else {"id": "ada", "name": name}
    path, token = "/v1/bots/tea/channels/rest/rest/test", "rest-token-of-tea"
    body = {"sender": sender, "message": {"text": text}}
    answer = await client.call("POST", path, body, {"Authorization": f"Bearer {token}"})
    assert answer.status == 200, answer.body
    return answer.json


@pytest.mark.parametrize("names", [("Ada Lovelace", None), (None, "Ada Lovelace")])
async def test_a_login_knows_the_name_that_any_message_of_its_record_said(
    tmp_path: Path, names: tuple[str | None, str | None]
) -> None:
    async with tea_house(tmp_path, acknowledgements=["Thank you, {{user.FirstName}}."]) as client:
        await _says(client, "help", names[0])
        state = state_in((await _says(client, "tea", names[1]))[-1])
        assert (await client.service.links.open(state)).name == "Ada Lovelace"
        await log_in(client, state)
        assert (await later_texts(client))[0] == "Thank you, Ada."


async def test_a_login_that_comes_after_the_sessions_end_begins_a_record_that_knows_its_user(tmp_path: Path) -> None:
    thanks = ["Thank you, {{user.FirstName}}."]
    async with tea_house(tmp_path, settings=SHORT, acknowledgements=thanks) as client:
        state = await reach_prompt(client)
        client.clock.move(120)
        await end_session(client, tmp_path)
        assert (await client.service.links.open(state)).name == "Ada Lovelace"
        await log_in(client, state)
        assert await later_texts(client) == ["Thank you, Ada."]
        first, last = (await client.history("conversations", sort={"StartedAt": 1})).json
        assert last["Data"]["user"] == first["Data"]["user"]
        assert (last["Data"]["user"]["FirstName"], last["Data"]["user"]["LastName"]) == ("Ada", "Lovelace")
        assert last["Data"]["channel"] == first["Data"]["channel"]
