"""A login of a Telegram user, whose browser is not the chat: the way there, the way back, and a link that is sent on.

Service, platform and provider call each other on loopback; the provider is a certified one.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from tests.channels.platform_service import Running, running_service
from tests.channels.test_telegram import CHANNEL, connected
from tests.identity import bots
from tests.identity.bots import ADA_HAS, BALANCE, PROMPT, THANKS
from tests.identity.browser import Browser
from tests.identity.provider import ADA, Provider, provider
from tests.live import free_port

from dialoom.testing.platforms.messenger_3 import Telegram

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from tests.identity.browser import Page

    from dialoom.testing.platforms.messenger_3.people import TelegramUser

BACK = "https://t.me/tea_bot?start=login"
CODE = re.compile(r"(?<!\d)\d{6}(?!\d)")


class Identity(NamedTuple):
    provider: Provider
    port: int
    """Of the service, whose address the provider knows."""


@pytest.fixture(scope="module")
def identity() -> Iterator[Identity]:
    port = free_port()
    with provider(bots.callback(port)) as found:
        yield Identity(found, port)


class Bank(NamedTuple):
    running: Running
    telegram: Telegram
    issuer: str

    async def link(self, person: TelegramUser) -> str:
        """Return where the login button of this person's chat leads."""
        await person.say(BALANCE)
        await self.telegram.until(lambda: any(said.get("text") == PROMPT for said in person.received))
        return person.link("Sign in")

    async def heard(self, person: TelegramUser) -> list[str]:
        """Return all that the bot said to a person, once nothing more is on its way."""
        await self.running.settled()
        return [said["text"] for said in person.received]

    async def log_in(self, browser: Browser, link: str) -> Page:
        """Go all the way in a browser, up to the last page or the redirect into the app."""

        def go() -> Page:
            return browser.sign_in(browser.go(link, self.issuer), ADA, until="https://t.me/")

        return await asyncio.to_thread(go)


@contextlib.asynccontextmanager
async def bank(
    folder: Path, identity: Identity, channel: dict[str, Any] = CHANNEL, **changed: Any
) -> AsyncIterator[Bank]:
    """Run a bot whose balance is behind a login. ``changed``: keys of ``settings.authentication``."""
    issuer = identity.provider.issuer
    flow = bots.flow(f"{issuer}/accounts", bots.authentication(issuer, **changed))
    async with (
        Telegram(CHANNEL["bot-token"], "tea_bot") as telegram,
        running_service(
            folder, channel, flow, bots.training(), port=identity.port, messenger_3_url=telegram.url
        ) as running,
    ):
        if channel is CHANNEL:
            await connected(running)
        else:
            telegram.webhook = {
                "url": f"{running.url}/v1/bots/tea/channels/tg/messenger-3",
                "secret_token": CHANNEL["webhook-secret"],
            }
        yield Bank(running, telegram, issuer)


async def test_a_login_in_the_browser_leads_back_into_the_chat_where_the_bot_has_gone_on_by_itself(
    tmp_path: Path, identity: Identity
) -> None:
    async with bank(tmp_path, identity) as it:
        ada, browser = it.telegram.user("Ada", last_name="Lovelace"), Browser()
        page = await asyncio.to_thread(browser.open, await it.link(ada))
        for shown in ("Is this your chat?", "Tea", "Telegram", "Ada Lovelace"):
            assert shown.lower() in page.text.lower(), page.text
        last = await it.log_in(browser, page.address)
        assert last.location == BACK
        await it.telegram.until(lambda: len(ada.received) == 3)
        assert await it.heard(ada) == [PROMPT, THANKS, ADA_HAS]
        await ada.start("login")  # the app opens the chat with what the address carries
        assert await it.heard(ada) == [PROMPT, THANKS, ADA_HAS]
        await ada.say(BALANCE)
        await it.telegram.until(lambda: len(ada.received) == 4)
        assert (await it.heard(ada))[-1] == ADA_HAS


async def test_a_link_that_is_sent_on_brings_its_sender_nothing_under_code(tmp_path: Path, identity: Identity) -> None:
    async with bank(tmp_path, identity, binding={"messenger-3": "code"}) as it:
        mallory, browser = it.telegram.user("Mallory"), Browser()
        page = await it.log_in(browser, await it.link(mallory))
        assert page.status == 200
        assert page.links == [BACK]
        [code] = set(CODE.findall(page.text))
        assert await it.heard(mallory) == [PROMPT]
        for guess in (1, 2, 3):
            await mallory.say(f"{(int(code) + guess) % 1_000_000:06d}")
        await mallory.say(code)
        heard = await it.heard(mallory)
        assert THANKS not in heard
        assert ADA_HAS not in heard


@pytest.mark.parametrize("rule", ["code", "cookie"])
async def test_who_reads_the_code_in_the_browser_types_it_into_the_chat(
    tmp_path: Path, identity: Identity, rule: str
) -> None:
    """No chat page can prove a browser to be Telegram's: ``cookie`` ends with a code too."""
    async with bank(tmp_path, identity, binding=rule) as it:
        ada = it.telegram.user("Ada")
        page = await it.log_in(Browser(), await it.link(ada))
        [code] = set(CODE.findall(page.text))
        await ada.say(code)
        await it.telegram.until(lambda: len(ada.received) == 3)
        assert await it.heard(ada) == [PROMPT, THANKS, ADA_HAS]


async def test_under_confirm_only_the_browser_that_was_asked_may_come_back(tmp_path: Path, identity: Identity) -> None:
    """Else its sender could answer the question himself, and send on what comes behind it."""
    async with bank(tmp_path, identity) as it:
        mallory, his, hers = it.telegram.user("Mallory"), Browser(), Browser()
        link = await it.link(mallory)
        await asyncio.to_thread(his.go, link, it.issuer)
        asked = next(page.address for page in his.seen if page.address.startswith(f"{it.issuer}/auth?"))
        page = await asyncio.to_thread(lambda: hers.sign_in(hers.open(asked), ADA))
        assert page.status == 403
        assert await it.heard(mallory) == [PROMPT]


async def test_the_author_can_have_the_page_stay_with_the_way_back_as_its_button(
    tmp_path: Path, identity: Identity
) -> None:
    contents = {"title": "Welcome, {{user.FirstName}}!", "text": "All done."}
    settings = {"confirmation_page_auto_redirect": False, "confirmation_page_contents": contents}
    async with bank(tmp_path, identity, **settings) as it:
        page = await it.log_in(Browser(), await it.link(it.telegram.user("Ada")))
        assert (page.status, page.links) == (200, [BACK])
        assert "Welcome, Ada! All done." in page.text


async def test_without_the_bots_name_the_page_closes_itself_and_the_bot_goes_on(
    tmp_path: Path, identity: Identity
) -> None:
    nameless = {name: value for name, value in CHANNEL.items() if name != "bot-name"}
    async with bank(tmp_path, identity, nameless) as it:
        ada = it.telegram.user("Ada")
        page = await it.log_in(Browser(), await it.link(ada))
        assert (page.status, page.links) == (200, [])
        assert b"/static/login-close.js" in page.body
        await it.telegram.until(lambda: len(ada.received) == 3)
        assert await it.heard(ada) == [PROMPT, THANKS, ADA_HAS]
