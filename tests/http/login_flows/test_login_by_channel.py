"""What happens after a login in the browser, and to a link that is sent on: one row for each type of channel."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import pytest
from tests.http.login_pages import PROMPT, SECRET, THANKS, Desk, Tab, answer_of, desk, state_of, title

from dialoom.engine.events import Said
from dialoom.flow.channels import CHANNEL_ROWS, ChannelType
from dialoom.messages import Profile
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.transcript import said_again
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from pathlib import Path

    from tests.http.support import Answer

HOME = "https://shop.example/in"


class Row(NamedTuple):
    """What a channel does with everything as it is by default, but for the author's own address, which is set."""

    keys: dict[str, str]
    start: Literal["asks the chat page", "asks the user", "goes on"]
    end: str
    """The address that the browser goes to by itself; ``closes``: the page closes itself."""
    by_redirect: bool = False
    """By an HTTP redirect; an app's own scheme is tried from a page."""
    speaks: bool = True
    """The bot goes on by itself; else with the user's next message."""


ROWS: dict[str, Row] = {
    "web": Row({"token": "web-token-of-tea"}, "asks the chat page", HOME, by_redirect=True),
    "mobile": Row({"token": "app-token-of-tea"}, "asks the chat page", HOME, by_redirect=True),
    "rest": Row({"token": "rest-token-of-tea"}, "goes on", HOME, by_redirect=True),
    "messenger-1": Row(
        {"page-id": "77", "app-secret": "s", "page-token": "p", "verify-token": "v"},
        "asks the user",
        "https://m.me/77?ref=login",
        by_redirect=True,
    ),
    "messenger-2": Row({"auth-token": "a", "uri": "tea"}, "asks the user", "viber://pa?chatURI=tea&context=login"),
    "messenger-3": Row(
        {"bot-token": "1:a", "bot-name": "tea_bot", "webhook-secret": "w"},
        "asks the user",
        "https://t.me/tea_bot?start=login",
        by_redirect=True,
    ),
    "voice-assistant": Row({}, "asks the user", "closes"),
    "workplace-chat": Row({"app-id": "a", "app-password": "p"}, "asks the user", "closes", speaks=False),
    "directline": Row({"secret": "the-secret-of-direct-line"}, "asks the user", "closes"),
}
TYPES = [type for type in ROWS if CHANNEL_ROWS[type].folder is not None and not CHANNEL_ROWS[type].is_spoken]
"""Those that this version speaks, but for speech: it has no link, for the platform links the accounts itself."""
CASES = [(type, False) for type in TYPES] + [(type, True) for type in TYPES if not ROWS[type].speaks]
"""A type, and whether the flow has a ``workchat`` block, with which the bot goes on by itself everywhere."""


def test_every_type_of_channel_has_its_row() -> None:
    assert set(ROWS) == set(get_args(ChannelType))


def bot(type: str) -> dict[str, Any]:
    channels = [{"id": "here", "type": type, **ROWS[type].keys}]
    return {"id": "tea", "name": "Tea house", "access-token": "history-token-of-tea", "channels": channels}


class Chat:
    """A user's chat on the channel, seen from the store: no platform is asked."""

    def __init__(self, bank: Desk, type: str) -> None:
        self._service = bank.client.service
        self._key = ChatKey("tea", "here", "7000001")
        self._profile = Profile(id="7000001", channel="here", provider=type, first_name="Mallory")

    async def says(self, text: str) -> None:
        event = Said(id="", now=0, seed=0, profile=self._profile, text=text)
        await self._service.runner.submit(self._key, InboundEvent(event=event))

    async def has_heard(self) -> list[str]:
        """Return what was said of the login, and behind it."""
        return [said.message.text for said in await self._said() if said.message.text in {PROMPT, THANKS, SECRET}]

    async def link(self) -> str:
        await self.says("tea")
        for said in await self._said():
            if said.message.dialog is not None and said.message.dialog.url is not None:
                return said.message.dialog.url
        raise AssertionError("no login was asked for")

    async def _said(self) -> list[Any]:
        for _ in range(200):  # the turn is nobody's request, and takes some steps of the loop
            await asyncio.sleep(0)
        vault, addresses = self._service.vault, self._service.addresses
        rows = await self._service.store.last_said(self._key, 100)
        return [addresses.put_in(self._key, said_again(vault, self._key, row)) for row in rows]


async def leaves(tab: Tab, link: str, start: str) -> None:
    """Go on the way to the provider as the browser of the chat's own user, as far as it needs no chat page."""
    if start == "asks the user":
        page = await tab.post(link, {"answer": answer_of(await tab.get(link))})
        assert (page.status, title(page)) == (200, "Off to the login")
    else:
        page = await tab.get(f"{link}&by=code" if start == "asks the chat page" else link)
        assert page.status == 303


def end_of(page: Answer) -> tuple[str, bool]:
    """Return where a last page leads, and whether by a redirect."""
    if page.status == 303:
        return page.headers["location"], True
    assert page.status == 200, page.body
    refresh = re.search(r'http-equiv="refresh" content="0; url=([^"]+)"', page.body.decode())
    if refresh is not None:
        return refresh[1].replace("&amp;", "&"), False
    return "closes" if b"/static/login-" in page.body else "stays", False


@pytest.mark.parametrize(("type", "signs_on"), CASES)
async def test_where_the_browser_goes_and_whether_the_bot_goes_on_by_itself(
    tmp_path: Path, type: str, signs_on: bool
) -> None:
    row, more = ROWS[type], {"workchat": {"connection-name": "sso", "strategy": "oidc"}} if signs_on else {}
    # A chat page's proof is another test's: here its channels trust the link, as rest does.
    rule = "off" if row.start == "asks the chat page" else CHANNEL_ROWS[type].binding
    async with desk(tmp_path, bot(type), binding=rule, confirmation_page_redirect_url_web=HOME, **more) as bank:
        chat, tab = Chat(bank, type), bank.tab()
        link = await chat.link()
        await leaves(tab, link, "goes on" if rule == "off" else row.start)
        assert end_of(await tab.back(state_of(link))) == (row.end, row.by_redirect)
        after = [THANKS, SECRET]
        assert await chat.has_heard() == [PROMPT, *(after if row.speaks or signs_on else [])]
        await chat.says("hello")
        assert await chat.has_heard() == [PROMPT, *after]


@pytest.mark.parametrize("type", TYPES)
async def test_who_only_gets_the_provider_s_address_sent_brings_the_sender_nothing(tmp_path: Path, type: str) -> None:
    """Mallory goes as far as he can by himself and sends the rest on; whoever logs in there has another browser."""
    row = ROWS[type]
    async with desk(tmp_path, bot(type)) as bank:
        chat, his, hers = Chat(bank, type), bank.tab(), bank.tab()
        link = await chat.link()
        await leaves(his, link, row.start)
        page = await hers.back(state_of(link))
        if row.start == "goes on":  # the application that hands the link out answers for it (login.md)
            assert end_of(page)[0] == "stays"
            return
        heard = await chat.has_heard()
        assert heard == [PROMPT]
        if row.start == "asks the user":
            assert page.status == 403
        else:
            assert re.search(r'<p class="code"', page.body.decode())


@pytest.mark.parametrize("type", TYPES)
async def test_a_whole_link_that_is_sent_on_brings_nothing_under_code(tmp_path: Path, type: str) -> None:
    async with desk(tmp_path, bot(type), binding="code") as bank:
        chat, hers = Chat(bank, type), bank.tab()
        link = await chat.link()
        await leaves(hers, link, "goes on")
        page = await hers.back(state_of(link))
        [code] = re.findall(r'<p class="code"[^>]*>(\d{6})</p>', page.body.decode())
        assert end_of(page)[0] == "stays"
        for step in (1, 2, 3):
            await chat.says(f"{(int(code) + step) % 1_000_000:06d}")
        await chat.says(code)
        heard = await chat.has_heard()
        assert THANKS not in heard
        assert SECRET not in heard


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("attempts", [False, True])
async def test_a_page_that_stays_closes_itself_where_it_is_told_to(tmp_path: Path, type: str, attempts: bool) -> None:
    """No address is set, and none of an app is gone to."""
    contents = {"confirmation_page_contents": {"title": "Done.", "attempt-close": attempts}}
    async with desk(tmp_path, bot(type), binding="off", confirmation_page_auto_redirect=False, **contents) as bank:
        tab = bank.tab()
        link = await Chat(bank, type).link()
        await leaves(tab, link, "goes on")
        page = await tab.back(state_of(link))
        alone = ROWS[type].end == "closes"
        assert end_of(page) == ("closes" if attempts or alone else "stays", False)
        way_back = "" if alone or ROWS[type].end == HOME else ROWS[type].end
        assert re.findall(r'<a class="act" href="([^"]+)"', page.body.decode()) == (
            [way_back.replace("&", "&amp;")] if way_back else []
        )
