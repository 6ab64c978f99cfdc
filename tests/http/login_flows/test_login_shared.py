"""Logins where two processes share one PostgreSQL: a link that one made, the other takes; of all at once, one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.identity.bots import ADA_HAS, BALANCE, PROMPT, THANKS, authentication, callback, running_banks, write_bank
from tests.identity.browser import Browser
from tests.identity.provider import ADA, Provider, provider
from tests.identity.talk import Rest, texts
from tests.live import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.live import Service
    from tests.postgres import Server

KEY = "dHdvIHByb2Nlc3NlcyB0aGF0IHNoYXJlIGEgc3RvcmU="
AT_ONCE = 64


class Banks(NamedTuple):
    """Whichever process people come to, links lead to ``one``; ``other`` is behind the same address."""

    one: Service
    other: Service
    provider: Provider

    def back(self, user: Rest) -> str:
        """A browser's way up to the redirect that leads back from the provider."""
        browser = Browser()
        form = browser.go(user.link(BALANCE), self.provider.issuer)
        return browser.sign_in(form, ADA, until=callback(self.one.port)).location

    def at_the_other(self, address: str) -> str:
        return address.replace(f":{self.one.port}/", f":{self.other.port}/", 1)


@pytest.fixture(scope="module")
def banks(tmp_path_factory: pytest.TempPathFactory, postgres_server: Server) -> Iterator[Banks]:
    port = free_port()
    shared = {
        "DIALOOM_DATABASE_URL": postgres_server.database(),
        "DIALOOM_KEYS": KEY,
        "DIALOOM_BASE_URL": f"http://127.0.0.1:{port}",
    }
    folder = tmp_path_factory.mktemp("shared")
    with provider(callback(port)) as identity:

        def bots(at: Path) -> list[Path]:
            accounts = f"{identity.issuer}/accounts"
            return [
                write_bank(at, rule, accounts, authentication(identity.issuer, binding=rule))
                for rule in ("off", "code")
            ]

        with (
            running_banks(folder / "one", bots, port, **shared) as one,
            running_banks(folder / "other", bots, **shared) as other,
        ):
            yield Banks(one, other, identity)


def test_of_64_callbacks_at_two_processes_one_logs_in_with_one_token_request(banks: Banks) -> None:
    ada = Rest(banks.one, "off", "many")
    back = banks.back(ada)
    before = banks.provider.count("/token")
    places = [back, banks.at_the_other(back)] * (AT_ONCE // 2)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        pages = list(pool.map(lambda place: Browser().ask(place), places))
    assert sorted(page.status for page in pages) == [200] + [410] * (AT_ONCE - 1)
    assert banks.provider.count("/token") == before + 1
    ada.hears(THANKS, ADA_HAS)


def test_a_login_at_one_process_lands_in_a_chat_that_the_other_holds(banks: Banks) -> None:
    ada = Rest(banks.one, "off", "held")
    back = banks.back(ada)
    assert Browser().ask(banks.at_the_other(back)).status == 200
    ada.hears(THANKS, ADA_HAS)
    assert texts(Rest(banks.other, "off", "held").say(BALANCE)) == [ADA_HAS]


def test_a_code_that_one_process_showed_is_taken_by_the_other(banks: Banks) -> None:
    ada = Rest(banks.one, "code", "typed")
    page = Browser().ask(banks.at_the_other(banks.back(ada)))
    [code] = [word for word in page.text.split() if len(word) == 6 and word.isdigit()]
    assert texts(Rest(banks.other, "code", "typed").say(code)) == [THANKS, ADA_HAS]
    assert texts(ada.say(BALANCE)) == [ADA_HAS]


def test_the_link_is_the_same_whichever_process_is_asked(banks: Banks) -> None:
    ada = Rest(banks.one, "off", "same")
    assert ada.link(BALANCE) == Rest(banks.other, "off", "same").link(BALANCE)
    assert PROMPT in texts(ada.say(BALANCE))
