"""The code of a login's page, typed into the chat: what it opens, how often it may be wrong, and that nobody keeps it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.http.support import Client
from tests.service.login.chatting import (
    ADA,
    BROWSER,
    DATA,
    OTHER_BROWSER,
    OVER,
    PROMPT,
    REFRESH_TOKEN,
    TAKES_BACK,
    THANKS,
    TOKEN,
    log_in,
    login,
    open_and_take,
    reach_prompt,
    refusal_code,
    revoked,
    state_in,
    stored_chat,
    tea_house,
    vault_of,
    whole_history,
)
from tests.service.process_stores import until

from dialoom.engine.events import Picked, Said
from dialoom.languages import system_texts
from dialoom.messages import Profile
from dialoom.service.chat.link_rows import about_of
from dialoom.service.chat.login_values import CODE_LIFETIME_MS, LINK_LIFETIME_MS, MAX_CODE_TRIES
from dialoom.service.login.login_hook import typed_code

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from dialoom.service.chat.login_values import LinkInfo

TEXTS = system_texts("en")


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with tea_house(tmp_path, binding="code") as client:
        yield client


async def shown(client: Client, sender: str = "ada") -> tuple[str, str]:
    """Return the link's id, and the code that the page shows."""
    state = await reach_prompt(client, sender=sender)
    code = await log_in(client, state)
    assert code is not None
    read = client.service.addresses.read_state(state)
    assert read is not None
    return read[1], code


def other(code: str) -> str:
    return f"{(int(code) + 1) % 1_000_000:06d}"


async def about(client: Client, folder: Path, link: str) -> LinkInfo:
    row = await client.service.store.login(ADA, link)
    assert row is not None
    return about_of(vault_of(folder), row)


def said(text: str) -> Said:
    return Said(id="", now=0, seed=0, profile=Profile(id="ada"), text=text)


# -- what is a code


@pytest.mark.parametrize(
    "text", ["012345", " 012345\n", "\u0660\u0661\u0662\u0663\u0664\u0665", "\u0e50\u0e51\u0e52\u0e53\u0e54\u0e55"]
)
def test_six_digits_are_a_code_in_whatever_script(text: str) -> None:
    assert typed_code(said(text)) == "012345"


@pytest.mark.parametrize(
    "text", ["", "01234", "0123456", "01 2345", "12345a", "-12345", "1234.5", "\u00b2\u00b2\u00b2\u00b2\u00b2\u00b2"]
)
def test_anything_else_is_none(text: str) -> None:
    assert typed_code(said(text)) is None


def test_a_choice_is_no_code() -> None:
    assert typed_code(Picked(id="", now=0, seed=0, profile=Profile(id="ada"), value="012345")) is None


# -- typing it


async def test_nothing_comes_into_the_chat_before_the_code_is_typed(client: Client, tmp_path: Path) -> None:
    link, code = await shown(client)
    assert len(code) == 6
    now = await stored_chat(client, tmp_path)
    assert "auth" not in now.state.entities
    assert now.grant is None
    waiting = await about(client, tmp_path, link)
    assert (waiting.code, waiting.login is not None) == (code, True)


async def test_the_code_completes_the_login_and_leaves_nothing_on_the_link(client: Client, tmp_path: Path) -> None:
    link, code = await shown(client)
    assert await client.texts(code) == [THANKS, DATA]
    now = await stored_chat(client, tmp_path)
    assert now.state.entities["auth"]["access_token"] == TOKEN
    assert now.grant is not None
    assert now.grant.refresh_token == REFRESH_TOKEN
    assert now.link is None
    left = await about(client, tmp_path, link)
    assert (left.code, left.login) == (None, None)
    assert client.service.metrics.logins.values() == {("code-shown",): 1, ("done",): 1}


async def test_no_record_holds_a_code_be_it_right_or_wrong(client: Client) -> None:
    _, code = await shown(client)
    await client.texts(other(code))
    await client.texts(code)
    told = await whole_history(client)
    assert code not in told
    assert other(code) not in told
    heard = [one for one in (await client.history("messages", sort={"Sequence": 1})).json if one["From"] == "user"]
    assert [one["Text"] for one in heard] == ["tea", "***", "***"]


async def test_a_wrong_code_says_how_many_tries_are_left_and_the_right_one_still_counts(client: Client) -> None:
    _, code = await shown(client)
    for left in range(MAX_CODE_TRIES - 1, 0, -1):
        assert await client.texts(other(code)) == [TEXTS.login_code_wrong.replace("{left}", str(left))]
    assert await client.texts(code) == [THANKS, DATA]


async def test_the_third_wrong_code_voids_the_login_and_brings_a_new_link(client: Client, tmp_path: Path) -> None:
    link, code = await shown(client)
    for _ in range(MAX_CODE_TRIES - 1):
        await client.texts(other(code))
    answer = (await client.say(other(code))).json
    assert [message["text"] for message in answer] == [TEXTS.login_code_void, PROMPT]
    read = client.service.addresses.read_state(state_in(answer[-1]))
    assert read is not None
    assert read[1] != link
    left = await about(client, tmp_path, link)
    assert (left.code, left.login) == (None, None)
    # By now these are six digits as any others.
    assert THANKS not in await client.texts(code)
    assert "auth" not in (await stored_chat(client, tmp_path)).state.entities


async def test_the_code_of_one_user_is_of_no_use_to_another(client: Client, tmp_path: Path) -> None:
    """The forwarded link: who logged in by it sees the code, and who has the chat does not."""
    _, code = await shown(client)
    await shown(client, sender="ben")
    answer = await client.texts(code, sender="ben")
    assert answer == [TEXTS.login_code_wrong.replace("{left}", "2")]
    assert "auth" not in (await stored_chat(client, tmp_path, ADA._replace(user="ben"))).state.entities


async def test_a_code_that_is_typed_after_the_links_end_is_a_text_as_any_other(client: Client, tmp_path: Path) -> None:
    _, code = await shown(client)
    client.clock.move(LINK_LIFETIME_MS / 1000)
    assert THANKS not in await client.texts(code)
    assert "auth" not in (await stored_chat(client, tmp_path)).state.entities


async def test_six_digits_are_understood_as_usual_while_no_code_is_awaited(client: Client, tmp_path: Path) -> None:
    state = await reach_prompt(client)
    await client.texts("123456")
    await open_and_take(client, state)
    await client.texts("123456")
    heard = [one for one in (await client.history("messages")).json if one["From"] == "user"]
    assert [one["Text"] for one in heard if one["Text"] != "tea"] == ["123456", "123456"]
    now = await stored_chat(client, tmp_path)
    assert now.link is not None
    assert now.link.left == MAX_CODE_TRIES


async def test_a_code_that_is_sent_again_is_typed_once(client: Client) -> None:
    _, code = await shown(client)
    first = (await client.say(other(code), id="once")).json
    assert (await client.say(other(code), id="once")).json == first
    assert await client.texts(other(code)) == [TEXTS.login_code_wrong.replace("{left}", "1")]


async def test_a_prompt_while_the_code_is_awaited_keeps_the_link_and_the_code(client: Client) -> None:
    link, code = await shown(client)
    client.clock.move(120)
    read = client.service.addresses.read_state(await reach_prompt(client))
    assert read == (ADA, link)
    assert THANKS in await client.texts(code)


async def test_the_code_lands_in_a_session_that_has_ended_meanwhile(tmp_path: Path) -> None:
    async with tea_house(tmp_path, binding="code") as client:
        _, code = await shown(client)
        await client.texts("restart")
        assert (await client.texts(code))[0] == THANKS
        assert (await stored_chat(client, tmp_path)).state.entities["auth"]["access_token"] == TOKEN


async def test_a_login_that_came_late_in_its_links_life_leaves_three_minutes_for_its_code(
    client: Client, tmp_path: Path
) -> None:
    state = await reach_prompt(client)
    client.clock.move(LINK_LIFETIME_MS / 1000 - 10)
    code = await log_in(client, state)
    assert code is not None
    client.clock.move(CODE_LIFETIME_MS / 1000 - 1)
    # Whoever asks again meanwhile has the same link, and what is typed is no text.
    assert await reach_prompt(client) == state
    assert THANKS in await client.texts(code)
    assert code not in await whole_history(client)
    assert (await stored_chat(client, tmp_path)).state.entities["auth"]["access_token"] == TOKEN


async def test_a_prompt_after_the_codes_end_has_another_link_and_nothing_is_left_of_the_code(
    client: Client, tmp_path: Path
) -> None:
    link, code = await shown(client)
    client.clock.move(LINK_LIFETIME_MS / 1000 - 1)
    assert client.service.addresses.read_state(await reach_prompt(client)) == (ADA, link)
    client.clock.move(1)
    newer = client.service.addresses.read_state(await reach_prompt(client))
    assert newer is not None
    assert newer[1] != link
    left = await about(client, tmp_path, link)
    assert (left.code, left.login) == (None, None)
    assert THANKS not in await client.texts(code)


async def test_a_code_that_nobody_typed_is_forgotten_with_a_later_turn(client: Client, tmp_path: Path) -> None:
    link, _ = await shown(client)
    await client.texts("restart")
    client.clock.move((LINK_LIFETIME_MS + CODE_LIFETIME_MS) / 1000)
    await client.texts("help")
    left = await about(client, tmp_path, link)
    assert (left.code, left.login) == (None, None)


# -- its page, once more


async def test_the_browser_that_was_shown_the_code_is_shown_it_again_and_no_other(client: Client) -> None:
    state = await reach_prompt(client)
    links = client.service.links
    assert await links.code_shown(state, BROWSER) is None
    code = await log_in(client, state)
    for browser in (None, OTHER_BROWSER, b""):
        assert await links.code_shown(state, browser) is None
    again = await links.code_shown(state, BROWSER)
    assert again is not None
    assert (again[1], again[0].key, again[0].state) == (code, ADA, state)
    assert await links.code_shown("no link", BROWSER) is None


async def test_who_began_a_login_that_another_browser_ended_is_not_shown_the_code(client: Client) -> None:
    """The forwarded link, halfway: Mallory begins it and has Ada log in; only her browser may see the code."""
    links, state = client.service.links, await reach_prompt(client)
    await links.tie(await links.open(state), "code", OTHER_BROWSER)
    opened = await links.take(state, BROWSER)
    code = await links.finish(opened, login(opened))
    assert await links.code_shown(state, OTHER_BROWSER) is None
    again = await links.code_shown(state, BROWSER)
    assert again is not None
    assert again[1] == code


async def test_a_code_of_a_browser_that_keeps_no_cookies_is_shown_once(client: Client) -> None:
    links, state = client.service.links, await reach_prompt(client)
    await links.tie(await links.open(state), "code", BROWSER)
    opened = await links.take(state, None)
    assert await links.finish(opened, login(opened)) is not None
    assert await links.code_shown(state, BROWSER) is None
    assert await links.code_shown(state, None) is None


async def test_a_code_is_shown_again_for_as_long_as_it_counts(client: Client) -> None:
    state = await reach_prompt(client)
    client.clock.move(LINK_LIFETIME_MS / 1000 - 10)
    code = await log_in(client, state)
    assert code is not None
    client.clock.move(CODE_LIFETIME_MS / 1000 - 1)
    assert await client.service.links.code_shown(state, BROWSER) is not None
    client.clock.move(1)
    assert await client.service.links.code_shown(state, BROWSER) is None


async def test_a_code_that_was_typed_is_not_shown_again(client: Client) -> None:
    state = await reach_prompt(client)
    code = await log_in(client, state)
    assert code is not None
    await client.texts(code)
    assert await client.service.links.code_shown(state, BROWSER) is None


# -- what is taken back


async def nothing_is_taken_back(client: Client) -> None:
    await client.service.outbox.settled()
    assert await client.service.outbox.counts() == []
    assert revoked(client.fetcher) == []


async def test_a_login_whose_code_was_wrong_too_often_is_dropped_and_not_taken_back(tmp_path: Path) -> None:
    """It may be a stranger's, who would be logged out of a chat of their own."""
    async with tea_house(tmp_path, mocks=TAKES_BACK, binding="code") as client:
        link, code = await shown(client)
        for _ in range(MAX_CODE_TRIES):
            await client.texts(other(code))
        await nothing_is_taken_back(client)
        left = await about(client, tmp_path, link)
        assert (left.code, left.login) == (None, None)


@pytest.mark.parametrize("text", ["tea", "help"])
async def test_one_whose_code_nobody_typed_is_dropped_and_not_taken_back(tmp_path: Path, text: str) -> None:
    async with tea_house(tmp_path, mocks=TAKES_BACK, binding="code") as client:
        link, _ = await shown(client)
        client.clock.move((LINK_LIFETIME_MS + CODE_LIFETIME_MS) / 1000)
        await client.texts(text)
        await nothing_is_taken_back(client)
        left = await about(client, tmp_path, link)
        assert (left.code, left.login) == (None, None)


async def test_one_that_comes_back_after_its_link_is_over_is_not_taken_back_either(tmp_path: Path) -> None:
    async with tea_house(tmp_path, mocks=TAKES_BACK, binding="code") as client:
        opened = await open_and_take(client, await reach_prompt(client))
        assert await client.service.log_outs.log_out("tea", "ada")
        assert await refusal_code(client.service.links.finish(opened, login(opened))) == OVER
        await nothing_is_taken_back(client)


async def test_one_whose_code_was_typed_is_taken_back_when_its_user_is_logged_out(tmp_path: Path) -> None:
    async with tea_house(tmp_path, mocks=TAKES_BACK, binding="code") as client:
        _, code = await shown(client)
        await client.texts(code)
        assert await client.service.log_outs.log_out("tea", "ada")
        await until(lambda: revoked(client.fetcher) == [REFRESH_TOKEN, TOKEN], client, seconds=0.1)


async def test_one_whose_code_was_typed_stays_good(tmp_path: Path) -> None:
    async with tea_house(tmp_path, mocks=TAKES_BACK, binding="code") as client:
        _, code = await shown(client)
        await client.texts(other(code))
        await client.texts(code)
        client.clock.move((LINK_LIFETIME_MS + CODE_LIFETIME_MS) / 1000)
        await client.texts("help")
        await nothing_is_taken_back(client)
