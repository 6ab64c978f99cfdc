"""Who comes once more with a link that was used up: the browser that did it, and all others."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

import pytest
from tests.http.chat.test_web import WEB, browser
from tests.http.login_flows.test_linking import prove, waiting
from tests.http.login_flows.test_linking_errors import outcomes
from tests.http.login_pages import (
    SECRET,
    THANKS,
    Desk,
    Tab,
    answer_of,
    asked,
    code_of,
    desk,
    state_of,
    title,
    told,
)
from tests.http.support import BASE, Answer

from dialoom.http.login_pages.endpoints import LOOK_EVERY_SECONDS
from dialoom.service.login.provider_calls import ProviderFailed

if TYPE_CHECKING:
    from collections.abc import Awaitable
    from pathlib import Path

    from tests.http.chat.test_web import Browser

T = TypeVar("T")
AGAIN, OVER = "You are logged in already", "This link is no longer valid"


def shown(page: Answer) -> tuple[int, str]:
    return page.status, title(page)


async def confirmed(bank: Desk, tab: Tab) -> str:
    """On the way to the provider under ``confirm``."""
    link, page = await asked(bank, tab)
    await tab.post(link, {"answer": answer_of(page)})
    return link


async def by(rule: str, bank: Desk, tab: Tab) -> str:
    """Logged in by this rule."""
    if rule == "cookie":
        mine, link, page = await waiting(bank, tab)
        await tab.send(link, {"proof": (await prove(bank, page, mine.headers)).json["proof"]})
        await tab.back(state_of(link))
    elif rule == "confirm":
        link = await confirmed(bank, tab)
        await tab.back(state_of(link))
    else:
        link = await bank.link()
        await tab.get(link)
        code = code_of(await tab.back(state_of(link)))
        assert await bank.client.texts(code) == [THANKS, SECRET]
    await bank.later()
    return link


async def moving(bank: Desk, work: Awaitable[T]) -> T:
    """What comes of it while time goes by."""
    task = asyncio.ensure_future(work)
    while not task.done():
        for _ in range(200):
            await asyncio.sleep(0)
        bank.client.clock.move(LOOK_EVERY_SECONDS)
    return task.result()


@pytest.mark.parametrize("rule", ["cookie", "confirm", "code"])
async def test_the_browser_that_logged_in_is_told_so_in_every_window_and_all_others_that_the_link_is_over(
    tmp_path: Path, rule: str
) -> None:
    async with desk(tmp_path, binding={"web": "cookie", "rest": rule}) as bank:
        tab = bank.tab()
        link = await by(rule, bank, tab)
        for page in (await tab.get(link), await tab.back(state_of(link)), await tab.get(f"{link}&by=code")):
            assert shown(page) == (200, AGAIN)
            assert b"You can now close this tab and continue your conversation." in page.body
            assert b"Tea house" in page.body
            assert b"<script" not in page.body
        assert "login-over" not in outcomes(bank)
        stranger, other = bank.tab(), bank.tab()
        await other.get(await bank.link("ben"))  # a browser with a cookie of its own
        for one in (stranger, other):
            assert shown(await one.get(link)) == shown(await one.back(state_of(link))) == (410, OVER)
        assert outcomes(bank)["login-over"] == 4
        assert len(bank.provider.asked) == 1


async def test_what_a_stranger_sees_does_not_tell_whether_somebody_logged_in(tmp_path: Path) -> None:
    async with desk(tmp_path, binding="confirm") as bank:
        tab, other = bank.tab(), bank.tab()
        await asked(bank, other)
        used = await by("confirm", bank, tab)
        later = await bank.tab().get(used)
        bens = await bank.link("ben")
        bank.client.clock.move(601)
        never = await bank.tab().get(bens)
        assert (later.status, later.body) == (never.status, never.body)
        assert (await other.get(used)).body == later.body


async def test_the_page_has_the_way_back_and_goes_it_for_nobody(tmp_path: Path) -> None:
    home = "https://shop.example/in"
    async with desk(tmp_path, binding="confirm", confirmation_page_redirect_url_web=home) as bank:
        tab = bank.tab()
        page = await tab.get(await by("confirm", bank, tab))
        assert shown(page) == (200, AGAIN)
        assert f'<a class="act" href="{home}">Back to the chat</a>'.encode() in page.body
        assert b"http-equiv" not in page.body


async def test_a_second_window_that_was_open_before_the_login_says_so_when_it_goes_on(tmp_path: Path) -> None:
    async with desk(tmp_path, binding="confirm") as bank:
        tab = bank.tab()
        link, second = await asked(bank, tab)
        await by("confirm", bank, tab)
        assert shown(await tab.post(link, {"answer": answer_of(second)})) == (200, AGAIN)
    async with desk(tmp_path / "proven") as bank:
        tab = bank.tab()
        mine, link, first = await waiting(bank, tab)
        second = await tab.get(link)
        await tab.send(link, {"proof": (await prove(bank, first, mine.headers)).json["proof"]})
        await tab.back(state_of(link))
        await bank.later()
        # Its script is refused like all others', and goes on where the page without one does.
        refused = await tab.send(link, {"proof": (await prove(bank, second, mine.headers)).json["proof"]})
        assert (refused.status, refused.json["code"]) == (410, "login-over")
        assert shown(await tab.get(f"{link}&by=code")) == (200, AGAIN)
        assert told(second, "next").endswith("&by=code")


async def test_of_64_callbacks_of_one_browser_one_logs_in_and_all_are_told_so(tmp_path: Path) -> None:
    async with desk(tmp_path, binding="confirm") as bank:
        tab = bank.tab()
        link = await confirmed(bank, tab)
        pages = await moving(bank, asyncio.gather(*(tab.back(state_of(link)) for _ in range(64))))
        assert sorted(map(shown, pages)) == [(200, "Login successful!")] + [(200, AGAIN)] * 63
        assert outcomes(bank) == {"done": 1}
        assert len(bank.provider.asked) == 1
        assert await bank.later() == [THANKS, SECRET]
        (record,) = (await bank.client.history("conversations", sort={"StartedAt": -1}, limit=1)).json
        assert record["Errors"] == 0


async def test_under_code_a_callback_that_comes_twice_at_once_shows_the_code_twice(tmp_path: Path) -> None:
    async with desk(tmp_path, binding="code") as bank:
        link, tab = await bank.link(), bank.tab()
        await tab.get(link)
        pages = await moving(bank, asyncio.gather(*(tab.back(state_of(link)) for _ in range(2))))
        assert len({code_of(page) for page in pages}) == 1
        assert len(bank.provider.asked) == 1


@pytest.mark.parametrize("end", ["cancelled", "failed"])
async def test_a_login_that_came_to_nothing_is_over_for_the_browser_that_tried_it_too(tmp_path: Path, end: str) -> None:
    async with desk(tmp_path, binding="confirm") as bank:
        tab = bank.tab()
        link = await confirmed(bank, tab)
        if end == "failed":
            bank.provider.failure = ProviderFailed("token-status", "The token endpoint", "It answered 500.")
            assert (await tab.back(state_of(link))).status == 502
        else:
            assert (await tab.back(state_of(link), error="access_denied")).status == 403
        await bank.later()
        assert shown(await tab.get(link)) == shown(await tab.back(state_of(link))) == (410, OVER)
        # A login by another link, in another browser, changes nothing about that.
        bank.provider.failure = None
        await by("confirm", bank, bank.tab())
        assert shown(await tab.get(link)) == shown(await tab.back(state_of(link))) == (410, OVER)


async def test_who_was_logged_out_since_is_not_told_to_be_logged_in(tmp_path: Path) -> None:
    async with desk(tmp_path, binding="confirm") as bank:
        tab = bank.tab()
        link = await by("confirm", bank, tab)
        assert shown(await tab.get(link)) == (200, AGAIN)
        assert await bank.client.service.log_outs.log_out("tea", "ada")
        assert shown(await tab.get(link)) == (410, OVER)


# ---- the card in the chat --------------------------------------------------------------------------------------------


async def asking(bank: Desk) -> Browser:
    """A chat page that asks for a login."""
    mine = await browser(bank.client)
    await mine.send(text="tea")
    return mine


async def login_status(bank: Desk, headers: dict[str, str], link: str) -> str:
    answer = await bank.client.call("GET", f"{WEB}/login", None, headers, {"link": link})
    assert answer.status == 200, answer.body
    return str(answer.json["status"])


async def test_a_card_is_told_how_its_login_stands(tmp_path: Path) -> None:
    async with desk(tmp_path) as bank:
        tab = bank.tab()
        mine, link, page = await waiting(bank, tab)
        key = (await mine.read())[-1]["dialog"]["key"]
        assert await login_status(bank, mine.headers, key) == "open"
        await tab.send(link, {"proof": (await prove(bank, page, mine.headers)).json["proof"]})
        await tab.back(state_of(link), error="access_denied")
        await bank.later()
        assert await login_status(bank, mine.headers, key) == "over"
        # To be asked again is to choose something of a question that is over.
        await mine.send(option={"key": key})
        again = (await mine.read())[-1]["dialog"]
        assert again["key"] != key
        assert again["url"] != link
        page = await tab.get(again["url"])
        await tab.send(again["url"], {"proof": (await prove(bank, page, mine.headers)).json["proof"]})
        assert await login_status(bank, mine.headers, again["key"]) == "open"
        await tab.back(state_of(again["url"]))
        await bank.later()
        assert {await login_status(bank, mine.headers, one) for one in (key, again["key"])} == {"through"}


async def test_a_card_stays_open_while_its_code_is_awaited(tmp_path: Path) -> None:
    async with desk(tmp_path, binding="code") as bank:
        tab = bank.tab()
        mine = await asking(bank)
        dialog = (await mine.read())[-1]["dialog"]
        await tab.get(dialog["url"])
        code = code_of(await tab.back(state_of(dialog["url"])))
        assert await login_status(bank, mine.headers, dialog["key"]) == "open"
        await mine.send(text=code)
        assert await login_status(bank, mine.headers, dialog["key"]) == "through"


async def test_a_card_whose_link_is_too_old_is_over_and_so_is_every_other_text(tmp_path: Path) -> None:
    async with desk(tmp_path) as bank:
        mine = await asking(bank)
        key = (await mine.read())[-1]["dialog"]["key"]
        assert [await login_status(bank, mine.headers, text) for text in ("", "\0", "x" * 5000)] == ["over"] * 3
        bank.client.clock.move(601)
        assert await login_status(bank, mine.headers, key) == "over"


async def test_nobody_is_told_of_another_chat_s_login(tmp_path: Path) -> None:
    async with desk(tmp_path) as bank:
        mine, stranger = await asking(bank), await asking(bank)
        key = (await mine.read())[-1]["dialog"]["key"]
        assert await login_status(bank, stranger.headers, key) == "over"
        refused = await bank.client.call("GET", f"{WEB}/login", None, {"Origin": BASE}, {"link": key})
        assert (refused.status, refused.json["code"]) == (401, "session")
        unknown = await bank.client.call("GET", f"{WEB}/login", None, mine.headers, {"key": key})
        assert (unknown.status, unknown.json["code"]) == (400, "unknown-parameter")
        missing = await bank.client.call("GET", f"{WEB}/login", None, mine.headers)
        assert (missing.status, missing.json["code"]) == (400, "bad-parameter")
        assert missing.json["detail"].startswith('The parameter "link" is missing: ')
        assert (await bank.client.call("POST", f"{WEB}/login", {}, mine.headers)).status == 405


async def test_who_asks_too_often_how_a_login_stands_has_to_wait(tmp_path: Path) -> None:
    async with desk(tmp_path, rate_user="4/h") as bank:
        mine = await asking(bank)  # the first of four
        headers, link = mine.headers, {"link": "x"}
        answers = [await bank.client.call("GET", f"{WEB}/login", None, headers, link) for _ in range(5)]
        assert [answer.status for answer in answers] == [200] * 3 + [429] * 2
        assert int(answers[-1].headers["retry-after"]) > 0
