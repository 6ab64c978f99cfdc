"""The address of a login link holds its state: which page a real browser says that it came from, to the provider and to
the page behind the login."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.identity.bots import BALANCE, authentication, callback, running_banks, write_bank
from tests.identity.provider import ADA, Provider, provider
from tests.live import Service, free_port, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BEHIND = "/behind-the-login"


class Bank(NamedTuple):
    service: Service
    provider: Provider

    @property
    def behind(self) -> str:
        """Host and port of the page behind the login: the same server under another name, so that it is another site."""
        return f"localhost:{urlsplit(self.provider.issuer).port}"


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bank]:
    port = free_port()
    with provider(callback(port)) as signs_in:

        def make(folder: Path) -> list[Path]:
            behind = f"http://localhost:{urlsplit(signs_in.issuer).port}{BEHIND}"
            return [
                write_bank(
                    folder,
                    rule,
                    f"{signs_in.issuer}/accounts",
                    authentication(signs_in.issuer, binding=rule, confirmation_page_redirect_url_web=behind),
                )
                for rule in ("cookie", "confirm", "off")
            ]

        with running_banks(tmp_path_factory.mktemp("bank"), make, port) as service:
            yield Bank(service, signs_in)


@pytest.mark.parametrize("rule", ["cookie", "confirm", "off"])
def test_neither_the_provider_nor_the_page_behind_the_login_learns_where_the_browser_was(
    browser: Browser, bank: Bank, rule: str
) -> None:
    """By each way to the provider: a script's, a form's, a redirect."""
    context = browser.new_context(locale="en-GB")
    chat = context.new_page()
    chat.goto(f"{bank.service.url}/chat/{rule}/web")
    chat.get_by_role("textbox").fill(BALANCE)
    chat.keyboard.press("Enter")
    with context.expect_page() as opened:
        chat.get_by_role("link", name="Sign in").click()
    window = opened.value
    if rule == "confirm":
        window.get_by_role("button", name="Yes, log in").click()
    window.get_by_label("User name").fill(ADA[0])
    window.get_by_label("Password").fill(ADA[1])
    arrived = bank.provider.count(BEHIND)
    window.get_by_role("button", name="Sign in", exact=True).click()
    wait_until(lambda: bank.provider.count(BEHIND) > arrived)
    expect(window).to_have_url(f"http://{bank.behind}{BEHIND}")
    told = bank.provider.referrers()
    # Browsers do say it, where nothing tells them not to: the provider's own form does.
    assert any("/interaction/" in place and address.startswith(bank.provider.issuer) for place, address in told)
    assert [address for _, address in told if address.startswith(bank.service.url)] == []
    assert [address for place, address in told if place == f"{bank.behind}{BEHIND}"] == []
    context.close()
