"""Logins as they come about: real HTTP, a certified provider, people with browsers, applications on rest.

What a window's own script does (the proof of the chat page) is shown in a real browser, in ``tests/e2e/test_login.py``;
here the same calls are made by hand.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.identity.bots import (
    ADA_HAS,
    BACK,
    BALANCE,
    BRANCH,
    CITY,
    DOLLAR,
    LEAVE,
    LEFT,
    OPEN,
    PROMPT,
    RATE,
    REST_TOKEN,
    THANKS,
    authentication,
    callback,
    running_banks,
    write_bank,
)
from tests.identity.browser import Browser, Page
from tests.identity.gate import gate
from tests.identity.provider import ADA, MALLORY, RESOURCE, Provider, provider
from tests.identity.talk import Rest, Web, history, state_of, texts
from tests.live import call, free_port, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.live import Service

AT_ONCE = 64
SESSION = 5.0
"""Seconds without a message after which the session of the bot ``brief`` is over."""


class Bank(NamedTuple):
    service: Service
    provider: Provider

    @property
    def callback(self) -> str:
        return callback(self.service.port)

    def browse(self, link: str, person: tuple[str, str] = ADA) -> Page:
        """A browser of its own, from the link up to the redirect that leads back from the provider."""
        browser = Browser()
        return browser.sign_in(browser.go(link, self.provider.issuer), person, until=self.callback)


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bank]:
    """A bot each for: nothing special, another of the same provider, an address to go back to, sessions of seconds."""
    port = free_port()
    with provider(callback(port)) as identity:
        accounts = f"{identity.issuer}/accounts"

        def bots(folder: Path) -> list[Path]:
            plain = authentication(identity.issuer)
            named = authentication(identity.issuer, confirmation_page_redirect_url_web="https://northbank.example/in")
            return [
                write_bank(folder, "north", accounts, plain),
                write_bank(folder, "south", accounts, plain),
                write_bank(folder, "back", accounts, named),
                write_bank(folder, "brief", accounts, plain, session_timeout=SESSION / 60),
            ]

        with running_banks(tmp_path_factory.mktemp("bank"), bots, port) as service:
            yield Bank(service, identity)


def _is_error_page(page: Page, *statuses: int) -> None:
    assert page.status in statuses, (page.status, page.text)
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["cache-control"] == "no-store"
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    assert not page.forms


def _code(page: Page) -> str:
    [code] = {re.sub(r"\s", "", found) for found in re.findall(r"(?<!\d)\d{3}\s?\d{3}(?!\d)", page.text)}
    return code


# ---- a login from beginning to end ---------------------------------------------------------------------------------


def test_on_rest_a_login_goes_from_the_link_to_the_later_messages(bank: Bank) -> None:
    ada = Rest(bank.service, "north", "whole")
    said = ada.say(BALANCE)
    assert texts(said) == [PROMPT]
    [button] = said[0]["v2template"]["buttons"]
    assert said[0]["template"]["buttons"] == [button]
    browser = Browser()
    form = browser.open(button["url"])
    assert form.address.startswith(bank.provider.issuer)
    page = browser.sign_in(form, ADA)
    assert page.status == 200
    assert "Login successful!" in page.text
    assert page.headers["cache-control"] == "no-store"
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    ada.hears(THANKS, ADA_HAS)
    assert texts(ada.say(BALANCE)) == [ADA_HAS]
    [second, first] = ada.records()
    assert (first["Status"], first["Errors"], second["Status"], second["Errors"]) == ("success", 0, "success", 0)


def test_the_same_with_curl(bank: Bank, tmp_path: Path) -> None:
    def curl(*words: str) -> str:
        command = ["curl", "-sS", "--max-time", "60", "-b", str(tmp_path / "jar"), "-c", str(tmp_path / "jar"), *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    address = f"{bank.service.url}/v1/bots/north/channels/rest/rest/app"
    token = ("-H", f"Authorization: Bearer {REST_TOKEN}-north")
    message = json.dumps({"sender": {"id": "curl"}, "message": {"text": BALANCE}})
    [prompt] = json.loads(curl("-X", "POST", address, *token, "-H", "Content-Type: application/json", "-d", message))
    form = curl("-L", prompt["v2template"]["buttons"][0]["url"])
    action = re.findall(r'action="([^"]+/login)"', form)[0]
    filled = [
        word for name, value in zip(("login", "password"), ADA, strict=True) for word in ("-d", f"{name}={value}")
    ]
    assert "Login successful!" in curl("-L", bank.provider.issuer + action, *filled)
    heard: list[str] = []

    def is_told() -> bool:
        heard.extend(texts(json.loads(curl("-G", f"{address}/messages", *token, "-d", "sender=curl"))["messages"]))
        return ADA_HAS in heard

    wait_until(is_told)


def test_the_same_link_comes_again_while_it_lives_and_can_be_opened_again(bank: Bank) -> None:
    ada = Rest(bank.service, "north", "again")
    link = ada.link(BALANCE)
    assert ada.link(BALANCE) == link
    browser = Browser()
    assert browser.open(link).address.startswith(bank.provider.issuer)
    assert browser.open(link).address.startswith(bank.provider.issuer)
    browser.sign_in(browser.open(link), ADA)
    ada.hears(THANKS, ADA_HAS)


def test_a_bot_with_an_address_to_go_back_to_sends_the_browser_there_as_it_stands(bank: Bank) -> None:
    ada = Rest(bank.service, "back", "sent")
    browser = Browser()
    page = browser.ask(bank.browse(ada.link(BALANCE)).location)
    assert page.location == "https://northbank.example/in"
    ada.hears(THANKS, ADA_HAS)
    assert browser.seen[-1].headers["referrer-policy"] == "no-referrer"


def test_who_does_something_else_by_then_gets_the_thanks_and_the_step_waits_for_its_own_goal(bank: Bank) -> None:
    ada = Rest(bank.service, "north", "elsewhere")
    back = bank.browse(ada.link(BALANCE))
    assert texts(ada.say(BRANCH))[-1] == CITY
    Browser().ask(back.location)
    wait_until(lambda: THANKS in ada.later())
    assert ada.later() == []
    assert texts(ada.say("Oslo")) == [OPEN, BACK, ADA_HAS]


def test_a_login_lands_also_when_the_session_is_over_by_then(bank: Bank) -> None:
    ada = Rest(bank.service, "brief", "late")
    back = bank.browse(ada.link(BALANCE)).location
    over = time.monotonic() + SESSION
    wait_until(lambda: time.monotonic() > over)
    assert Browser().ask(back).status == 200
    # What waited for it went with the session; the token is there for the new one.
    ada.hears(THANKS)
    assert texts(ada.say(BALANCE)) == [ADA_HAS]
    [second, first] = ada.records()
    # The second session began with the login.
    assert (first["Status"], second["Status"], second["Messages"]) == ("abandoned", "success", {"user": 1, "bot": 2})
    assert (first["Errors"], second["Errors"]) == (0, 0)


def test_a_pasted_link_under_cookie_ends_with_a_code_that_the_chat_page_s_user_types(bank: Bank) -> None:
    """No page of the chat opened it, so that none can vouch for the browser; the link for it stands on the page."""
    web, browser = Web(bank.service, "north"), Browser()
    page = browser.sign_in(browser.go(web.link(BALANCE), bank.provider.issuer), ADA)
    code = _code(page)
    assert web.heard() == []
    web.say(code)
    web.hears(THANKS, ADA_HAS)
    web.say(BALANCE)
    web.hears(ADA_HAS)


def test_who_cancels_sees_a_page_counts_no_error_and_gets_another_link(bank: Bank) -> None:
    ada = Rest(bank.service, "north", "cancels")
    link = ada.link(BALANCE)
    browser = Browser()
    page = browser.submit(browser.open(link), nth=1)
    _is_error_page(page, 400, 403, 410)
    wait_until(lambda: browser.ask(link).status == 410)
    assert ada.later() == []
    assert ada.link(BALANCE) != link
    assert [record["Errors"] for record in ada.records()] == [0]


def test_signing_out_takes_the_tokens_back_at_the_provider_and_the_step_asks_again(bank: Bank) -> None:
    ada = Rest(bank.service, "north", "leaves")
    Browser().ask(bank.browse(ada.link(BALANCE)).location)
    ada.hears(THANKS, ADA_HAS)
    before = bank.provider.count("/token/revocation")
    assert texts(ada.say(LEAVE)) == [LEFT]
    wait_until(lambda: bank.provider.count("/token/revocation") > before)
    assert texts(ada.say(BALANCE)) == [PROMPT]


def test_the_operator_logs_a_user_out_beside_the_running_service(bank: Bank) -> None:
    ada = Rest(bank.service, "south", "thrown-out")
    Browser().ask(bank.browse(ada.link(BALANCE)).location)
    ada.hears(THANKS, ADA_HAS)
    before = bank.provider.count("/token/revocation")
    command = [sys.executable, "-m", "dialoom.cli", "user", "logout", "south", "thrown-out"]
    done = subprocess.run([*command, "--data", str(bank.service.data)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    wait_until(lambda: texts(ada.say(BALANCE)) == [PROMPT])
    wait_until(lambda: bank.provider.count("/token/revocation") > before)


def test_the_link_of_a_user_who_was_erased_is_over_also_half_way(bank: Bank) -> None:
    ada = Rest(bank.service, "south", "erased")
    link = ada.link(BALANCE)
    back = bank.browse(link).location
    before = bank.provider.count("/token")
    command = [sys.executable, "-m", "dialoom.cli", "user", "erase", "south", "erased", "--yes"]
    done = subprocess.run([*command, "--data", str(bank.service.data)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for address in (link, back):
        _is_error_page(Browser().ask(address), 410)
    assert bank.provider.count("/token") == before
    # Whoever writes under this id is somebody new.
    assert ada.link(BALANCE) != link


def test_links_and_logins_outlive_a_kill(tmp_path: Path) -> None:
    """A page that says that the login was successful speaks of what is stored; the acknowledgements come once."""
    port = free_port()
    with provider(callback(port)) as identity:

        def bots(folder: Path) -> list[Path]:
            return [write_bank(folder, "mortal", f"{identity.issuer}/accounts", authentication(identity.issuer))]

        with running_banks(tmp_path, bots, port) as service:
            link = Rest(service, "mortal", "ada").link(BALANCE)
            service.kill()
            second = service.again()
            back = Bank(second, identity).browse(link)
            page = Browser().ask(back.location)
            second.kill()
            assert page.status == 200
            third = service.again()
            try:
                Rest(third, "mortal", "ada").hears(THANKS, ADA_HAS)
                assert Browser().ask(back.location).status == 410
            finally:
                third.stop()


@pytest.mark.parametrize("rule", ["off", "code"])
def test_a_login_outlives_a_kill_between_its_callback_and_its_turn(tmp_path: Path, rule: str) -> None:
    """The user's turn before it waits for a data source, and so it waits in the inbox; or on its link, for its code."""
    port = free_port()
    with provider(callback(port)) as identity, gate() as rates:

        def bots(folder: Path) -> list[Path]:
            login = authentication(identity.issuer, binding=rule)
            return [write_bank(folder, "mortal", f"{identity.issuer}/accounts", login, rates=rates.url)]

        with running_banks(tmp_path, bots, port) as service, ThreadPoolExecutor(1) as aside:
            ada = Rest(service, "mortal", "ada")
            back = Bank(service, identity).browse(ada.link(BALANCE)).location
            broken = aside.submit(ada.say, DOLLAR)
            assert rates.asked.wait(60)
            page = Browser().ask(back)
            assert page.status == 200
            asked = identity.count("/token")
            service.kill()
            with pytest.raises(ConnectionError):
                broken.result()
            rates.open()
            second = service.again()
            try:
                ada = Rest(second, "mortal", "ada")
                before = (RATE, BACK, PROMPT)
                if rule == "off":
                    ada.hears(*before, THANKS, ADA_HAS)
                else:
                    ada.hears(*before)
                    assert texts(ada.say(_code(page))) == [THANKS, ADA_HAS]
                assert Browser().ask(back).status == 410
                assert identity.count("/token") == asked
                assert [(record["Status"], record["Errors"]) for record in ada.records()] == [("success", 0)]
            finally:
                second.stop()


# ---- tokens --------------------------------------------------------------------------------------------------------


def test_an_expired_token_is_renewed_without_a_word_and_without_refresh_the_prompt_comes(tmp_path: Path) -> None:
    port = free_port()
    with provider(callback(port), ttl=2) as identity:

        def bots(folder: Path) -> list[Path]:
            accounts = f"{identity.issuer}/accounts"
            return [
                write_bank(folder, "renews", accounts, authentication(identity.issuer, refresh=True)),
                write_bank(folder, "asks", accounts, authentication(identity.issuer)),
            ]

        with running_banks(tmp_path, bots, port) as service:
            bank = Bank(service, identity)
            renews, asks = Rest(service, "renews", "ada"), Rest(service, "asks", "ada")
            for one in (renews, asks):
                Browser().ask(bank.browse(one.link(BALANCE)).location)
                wait_until(lambda one=one: THANKS in one.later())
            wait_until(lambda: PROMPT in texts(asks.say(BALANCE)))
            # The other one's token is as old, and the API takes none that has expired.
            for more in (1, 2):
                wait_until(
                    lambda more=more: texts(renews.say(BALANCE)) == [ADA_HAS] and identity.count("/token") >= 2 + more
                )


def test_a_refresh_that_the_provider_refuses_asks_the_user_again_and_counts_no_error(tmp_path: Path) -> None:
    port = free_port()
    with provider(callback(port), ttl=2) as identity:

        def bots(folder: Path) -> list[Path]:
            login = authentication(identity.issuer, refresh=True)
            return [write_bank(folder, "renews", f"{identity.issuer}/accounts", login)]

        with running_banks(tmp_path, bots, port) as service:
            ada = Rest(service, "renews", "ada")
            Browser().ask(Bank(service, identity).browse(ada.link(BALANCE)).location)
            wait_until(lambda: THANKS in ada.later())
            before = sum(record["Errors"] for record in ada.records())
            over = time.monotonic() + 2
            for token in identity.secrets():
                if "." not in token:  # no more than a reference: the only kind that can be taken back there
                    identity.revoke(token)
            wait_until(lambda: time.monotonic() > over)
            asked = identity.count("/token")
            assert texts(ada.say(BALANCE)) == [PROMPT]
            assert identity.count("/token") == asked + 1
            assert sum(record["Errors"] for record in ada.records()) == before


def test_a_resource_gets_a_jwt_of_its_own_which_the_data_source_carries(tmp_path: Path) -> None:
    port = free_port()
    with provider(callback(port), jwt=True) as identity:
        login = authentication(identity.issuer)
        login["oidc"] |= {"scope": "openid profile accounts", "authorization-params": {"resources": [RESOURCE]}}

        def bots(folder: Path) -> list[Path]:
            return [write_bank(folder, "resource", f"{identity.issuer}/accounts", login)]

        with running_banks(tmp_path, bots, port) as service:
            ada = Rest(service, "resource", "ada")
            link = ada.link(BALANCE)
            browser = Browser()
            asked = parse_qs(urlsplit(browser.ask(link).location).query)
            assert (asked["resource"], asked["resources"]) == ([RESOURCE], [RESOURCE])
            browser.sign_in(browser.open(link), ADA)
            ada.hears(THANKS, ADA_HAS)


# ---- one state, one use --------------------------------------------------------------------------------------------


def test_of_64_callbacks_at_once_one_logs_in_with_one_token_request(bank: Bank) -> None:
    ada = Rest(bank.service, "north", "many")
    back = bank.browse(ada.link(BALANCE)).location
    before = bank.provider.count("/token")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        pages = list(pool.map(lambda _: Browser().ask(back), range(AT_ONCE)))
    assert sorted(page.status for page in pages) == [200] + [410] * (AT_ONCE - 1)
    assert bank.provider.count("/token") == before + 1
    ada.hears(THANKS, ADA_HAS)
    assert [record["Errors"] for record in ada.records()] == [0]


def test_a_start_page_that_is_opened_64_times_at_once_leads_to_the_provider_each_time(bank: Bank) -> None:
    ada = Rest(bank.service, "north", "hasty")
    link = ada.link(BALANCE)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        pages = list(pool.map(lambda _: Browser().ask(link), range(AT_ONCE)))
    assert {page.status for page in pages} == {303}
    # All of them mean the same login: one nonce and one challenge.
    assert len({page.location for page in pages}) == 1
    Browser().ask(bank.browse(link).location)
    ada.hears(THANKS, ADA_HAS)


def test_a_callback_that_came_before_is_over_and_so_is_its_link(bank: Bank) -> None:
    ada = Rest(bank.service, "north", "replays")
    link = ada.link(BALANCE)
    back = bank.browse(link).location
    before = bank.provider.count("/token")
    assert Browser().ask(back).status == 200
    _is_error_page(Browser().ask(back), 410)
    _is_error_page(Browser().ask(link), 410)
    assert bank.provider.count("/token") == before + 1
    ada.hears(THANKS, ADA_HAS)
    assert [record["Errors"] for record in ada.records()] == [0]


@pytest.mark.parametrize("bot", ["north", "south"])
def test_a_code_with_the_state_of_another_chat_is_of_no_use(bank: Bank, bot: str) -> None:
    """Of another user of the same bot, and of a user of another bot at the same provider."""
    ada, mallory = Rest(bank.service, "north", f"ada-{bot}"), Rest(bank.service, bot, f"mallory-{bot}")
    hers, his = bank.browse(ada.link(BALANCE)).location, bank.browse(mallory.link(BALANCE), MALLORY).location
    swapped = his.replace(state_of(his), state_of(hers))
    assert swapped != his
    # The code belongs to another challenge: the provider refuses it (RFC 7636 section 4.6).
    _is_error_page(Browser().ask(swapped), 400, 502)
    wait_until(lambda: [record["Errors"] for record in ada.records()] == [1])
    assert ada.later() == []
    # Her link is used up; his own state was never touched, but his code was.
    _is_error_page(Browser().ask(hers), 410)
    assert texts(ada.say(BALANCE)) == [PROMPT]
    Browser().ask(bank.browse(ada.link(BALANCE)).location)
    ada.hears(THANKS, ADA_HAS)


@pytest.mark.parametrize("place", ["", "/start"])
def test_a_state_that_was_not_made_here_leads_nowhere(bank: Bank, place: str) -> None:
    state = state_of(Rest(bank.service, "north", "made").link(BALANCE))
    before = bank.provider.count("/token")
    changed = ("B" if state[20] == "A" else "A").join((state[:20], state[21:]))
    for wrong in (changed, state[:-4], state + "AAAA", "", "x", "%00", "A" * 5000, "é"):
        _is_error_page(Browser().ask(f"{bank.callback}{place}?code=abc&state={_quoted(wrong)}"), 400, 404)
    _is_error_page(Browser().ask(f"{bank.callback}{place}?code=abc"), 400, 404)
    doubled = f"{bank.callback}{place}?code=abc&state={state}&state={changed}"
    _is_error_page(Browser().ask(doubled), 400, 404)
    assert bank.provider.count("/token") == before


def _quoted(text: str) -> str:
    return text if "%" in text else "".join(f"%{byte:02X}" if byte > 126 else chr(byte) for byte in text.encode())


def test_an_answer_that_names_another_issuer_is_refused_before_its_code_is_sent_anywhere(bank: Bank) -> None:
    ada = Rest(bank.service, "north", "mixed-up")
    back = bank.browse(ada.link(BALANCE)).location
    issuer = parse_qs(urlsplit(back).query)["iss"]
    assert issuer == [bank.provider.issuer]
    before = bank.provider.count("/token")
    other = re.sub(r"([?&])iss=[^&]*", r"\1iss=https%3A%2F%2Fevil.example", back)
    _is_error_page(Browser().ask(other), 400, 502)
    assert bank.provider.count("/token") == before
    wait_until(lambda: [record["Errors"] for record in ada.records()] == [1])


def test_nobody_is_logged_in_by_a_link_that_was_never_opened_here(bank: Bank) -> None:
    ada = Rest(bank.service, "north", "unopened")
    state = state_of(ada.link(BALANCE))
    page = Browser().ask(f"{bank.callback}?code=abc&state={state}&iss={bank.provider.issuer}")
    _is_error_page(page, 403, 410)
    # And the link is as good as before.
    assert Browser().open(ada.link(BALANCE)).address.startswith(bank.provider.issuer)


def test_records_hold_no_link_and_history_shows_the_entity_masked(bank: Bank) -> None:
    ada = Rest(bank.service, "north", "recorded")
    link = ada.link(BALANCE)
    Browser().ask(bank.browse(link).location)
    ada.hears(THANKS, ADA_HAS)
    found = json.dumps(
        [history(bank.service, "north", kind, query={"User": "recorded"}) for kind in ("conversations", "messages")]
    )
    assert ADA_HAS in found
    assert state_of(link) not in found
    assert "account-linking" not in found
    assert '"login": "***"' in found or "access_token" not in found


def test_the_reference_of_the_interface_lists_the_login_pages(bank: Bank) -> None:
    paths: dict[str, Any] = call("GET", f"{bank.service.url}/openapi.json").json["paths"]
    assert {"/v1/account-linking", "/v1/account-linking/start"} <= paths.keys()
