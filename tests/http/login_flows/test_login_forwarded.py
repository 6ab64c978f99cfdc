"""A login link that its owner sends to somebody else: what either sees, under each of the four rules.

Mallory's chat is ``chat``; Ada is who opens what he sends her, with a browser of her own. ``cookie`` and ``code`` keep
her login from him; ``confirm`` and ``off`` do not, and the docs say so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.identity.bots import ADA_HAS, BALANCE, PROMPT, THANKS, authentication, callback, running_banks, write_bank
from tests.identity.browser import Browser, Page
from tests.identity.provider import ADA, Provider, provider
from tests.identity.talk import Rest, Web, texts
from tests.live import free_port, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.live import Service

RULES = ("cookie", "code", "confirm", "off")
CODE = re.compile(r"(?<!\d)\d{3}\s?\d{3}(?!\d)")


class Bank(NamedTuple):
    service: Service
    provider: Provider

    @property
    def callback(self) -> str:
        return callback(self.service.port)


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bank]:
    """A bot for each rule, which holds on rest and on web."""
    port = free_port()
    with provider(callback(port)) as identity:

        def bots(folder: Path) -> list[Path]:
            accounts = f"{identity.issuer}/accounts"
            return [write_bank(folder, rule, accounts, authentication(identity.issuer, binding=rule)) for rule in RULES]

        with running_banks(tmp_path_factory.mktemp("bank"), bots, port) as service:
            yield Bank(service, identity)


def _log_in(bank: Bank, browser: Browser, link: str) -> Page:
    """Up to the page that is shown at last."""
    return browser.sign_in(browser.go(link, bank.provider.issuer), ADA)


def _asked(bank: Bank, browser: Browser) -> str:
    """The provider's address that this browser was led to."""
    return next(page.address for page in browser.seen if page.address.startswith(f"{bank.provider.issuer}/auth?"))


def _code(page: Page) -> str:
    [code] = set(CODE.findall(page.text))
    return re.sub(r"\s", "", code)


def _others(code: str) -> list[str]:
    return [f"{(int(code) + step) % 1_000_000:06d}" for step in (1, 2, 3)]


# ---- code ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["code", "cookie"])
def test_without_a_chat_page_behind_it_a_login_lands_when_its_code_is_typed_into_the_chat(
    bank: Bank, rule: str
) -> None:
    ada = Rest(bank.service, rule, "types")
    page = _log_in(bank, Browser(), ada.link(BALANCE))
    assert page.status == 200
    assert ada.later() == []
    assert texts(ada.say(_code(page))) == [THANKS, ADA_HAS]
    [record] = ada.records()
    assert (record["Status"], record["Errors"]) == ("success", 0)


@pytest.mark.parametrize("rule", ["code", "cookie"])
def test_who_forwards_a_link_under_code_or_cookie_gets_nothing_by_it(bank: Bank, rule: str) -> None:
    chat = Rest(bank.service, rule, "mallory")
    page = _log_in(bank, Browser(), chat.link(BALANCE))
    code = _code(page)
    assert ADA_HAS not in page.text
    assert chat.later() == []
    answers = [texts(chat.say(guess)) for guess in _others(code)]
    assert all(ADA_HAS not in answer and THANKS not in answer for answer in answers)
    # After three tries the login is void, also for who knows the code by then.
    assert ADA_HAS not in texts(chat.say(code))
    assert THANKS not in texts(chat.say(code))


def test_the_code_of_a_page_never_closes_or_redirects_it(bank: Bank) -> None:
    ada = Rest(bank.service, "code", "reads")
    browser = Browser()
    page = _log_in(bank, browser, ada.link(BALANCE))
    assert page.status == 200
    assert "refresh" not in page.headers
    assert b"http-equiv" not in page.body.lower()
    assert b"close" not in b"".join(re.findall(rb"<script[^>]*>", page.body))


def test_the_provider_s_address_forwarded_instead_of_the_link_does_not_help_either(bank: Bank) -> None:
    """He opens the link himself, and sends her the provider's form that he was led to."""
    chat = Rest(bank.service, "code", "clever")
    his = Browser()
    his.go(chat.link(BALANCE), bank.provider.issuer)
    hers = Browser()
    page = hers.sign_in(hers.open(_asked(bank, his)), ADA)
    assert CODE.search(page.text), page.text
    assert chat.later() == []


# ---- cookie --------------------------------------------------------------------------------------------------------


def _proven(bank: Bank, web: Web, browser: Browser) -> str:
    """What the scripts of start page and chat page do together; gives the provider's address."""
    page = browser.open(web.link(BALANCE))
    proof = web.call("POST", "login-proof", {"challenge": _challenge(page)}).json["proof"]
    address: str = browser.send(page.address, {"proof": proof})["address"]
    assert address.startswith(bank.provider.issuer)
    return address


def test_the_browser_of_the_chat_page_logs_in_without_a_code(bank: Bank) -> None:
    web, browser = Web(bank.service, "cookie"), Browser()
    page = browser.sign_in(browser.open(_proven(bank, web, browser)), ADA)
    assert page.status == 200
    assert not CODE.search(page.text)
    web.hears(THANKS, ADA_HAS)


def test_another_browser_than_the_chat_page_s_is_turned_away_and_spoils_nothing(bank: Bank) -> None:
    """He proves his own browser, and sends her the provider's form that he was led to. The tie is looked at before the
    state is used up."""
    web, his, hers = Web(bank.service, "cookie"), Browser(), Browser()
    address = _proven(bank, web, his)
    back = hers.sign_in(hers.open(address), ADA, until=bank.callback).location
    for _ in range(2):
        page = hers.ask(back)
        assert page.status == 403
        assert not page.forms
    assert web.heard() == []
    # Her code never came to him: he would need her address line.
    assert his.sign_in(his.open(address), ADA).status == 200
    web.hears(THANKS, ADA_HAS)


def test_a_proof_serves_only_the_browser_that_asked_for_it(bank: Bank) -> None:
    web, his, hers = Web(bank.service, "cookie"), Browser(), Browser()
    link = web.link(BALANCE)
    proof = web.call("POST", "login-proof", {"challenge": _challenge(his.open(link))}).json["proof"]
    hers.open(link)
    assert hers.send(link, {"proof": proof})["code"] == "login-browser"
    assert Browser().send(link, {"proof": proof})["code"] == "login-browser"
    assert "address" in his.send(link, {"proof": proof})


def test_a_proof_is_signed_for_the_session_of_the_link_s_user_alone(bank: Bank) -> None:
    mallory, ada = Web(bank.service, "cookie"), Web(bank.service, "cookie")
    challenge = _challenge(Browser().open(mallory.link(BALANCE)))
    refused = ada.call("POST", "login-proof", {"challenge": challenge})
    assert (refused.status, refused.json["code"]) == (403, "login-challenge")
    assert mallory.call("POST", "login-proof", {"challenge": challenge[:-2]}).status == 403
    assert mallory.call("POST", "login-proof", {"challenge": challenge}).status == 200


def _challenge(page: Page) -> str:
    """What the page's script shows to the window that opened it."""
    [found] = re.findall(r'data-challenge="([^"]+)"', page.body.decode())
    return str(found)


# ---- confirm -------------------------------------------------------------------------------------------------------


def test_confirm_names_bot_channel_and_user_before_the_provider_and_is_only_a_warning(bank: Bank) -> None:
    chat = Rest(bank.service, "confirm", "mallory")
    browser = Browser()
    page = browser.open(chat.link(BALANCE))
    assert page.status == 200
    # The name is the one that the application gave for its user, here always the same.
    for name in ("Northbank confirm", "Ada Lovelace"):
        assert name in page.text, page.text
    assert bank.provider.issuer not in page.address
    assert _log_in(bank, browser, page.address).status == 200
    chat.hears(THANKS, ADA_HAS)


def test_under_confirm_too_the_browser_that_was_asked_is_the_one_that_may_come_back(bank: Bank) -> None:
    """Else he could answer the question himself, and send her what comes behind it."""
    chat, his, hers = Rest(bank.service, "confirm", "clever"), Browser(), Browser()
    his.go(chat.link(BALANCE), bank.provider.issuer)
    page = hers.sign_in(hers.open(_asked(bank, his)), ADA)
    assert page.status == 403
    assert chat.later() == []


def test_who_does_not_confirm_goes_nowhere(bank: Bank) -> None:
    chat = Rest(bank.service, "confirm", "refused")
    browser = Browser()
    page = browser.open(chat.link(BALANCE))
    stranger = Browser()
    sent = stranger.ask(page.forms[0].action, page.forms[0].fields, {"Origin": "https://evil.example"})
    assert sent.status in {400, 403}, sent.text
    assert texts(chat.say(BALANCE)) == [PROMPT]


# ---- off -----------------------------------------------------------------------------------------------------------


def test_off_trusts_the_application_that_hands_out_the_link(bank: Bank) -> None:
    chat = Rest(bank.service, "off", "mallory")
    assert _log_in(bank, Browser(), chat.link(BALANCE)).status == 200
    chat.hears(THANKS, ADA_HAS)


# ---- what is counted and kept ---------------------------------------------------------------------------------------


def test_a_typed_code_is_masked_in_the_record(bank: Bank) -> None:
    ada = Rest(bank.service, "code", "masked")
    code = _code(_log_in(bank, Browser(), ada.link(BALANCE)))
    ada.say(code)
    [record] = ada.records()
    bank.service.tokens["history token"] = "northbank-token-of-history-code"
    messages = bank.service.history("code", "messages", query={"Conversation": record["_id"]})
    assert code not in str(messages)
    assert "***" in [message.get("Text") for message in messages if message["From"] == "user"]


def test_six_digits_without_a_code_to_wait_for_are_a_message_like_any_other(bank: Bank) -> None:
    ada = Rest(bank.service, "code", "digits")
    ada.say("123456")
    wait_until(lambda: bool(ada.records()))
    assert texts(ada.say(BALANCE)) == [PROMPT]
