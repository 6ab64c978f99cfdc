"""The social login over real HTTP, against a network of the documented shape: right, cancelled, expired, and wrong in one
way after the other. The log says which check it was; no page does."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.identity import social
from tests.identity.bots import BALANCE, PROMPT, THANKS, authentication, running_banks, write_bank
from tests.identity.browser import Browser, Page
from tests.identity.talk import Rest, texts
from tests.live import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.identity.social import Social
    from tests.live import Service

REASONS = {
    "other-app": "social-app",
    "not-valid": "social-valid",
    "expired": "social-expiry",
    "no-data": "social-json",
    "error": "social-valid",
    "no-user": "social-user",
    "no-person": "social-type",
    "no-token": "token-access-token",
    "token-number": "token-access-token",
    "not-json": "token-json",
    "form": "token-json",
    "list": "token-json",
    "status": "token-status",
    "redirect": "token-status",
    "mac-token": "token-type",
}
"""The check that notices each of the network's wrongs."""
HAS = "Ada Lovelace, you have  euros."


class Bank(NamedTuple):
    service: Service
    social: Social

    def log_in(self, user: Rest, nth: int = 0) -> Page:
        """``nth``: which of the network's buttons is pressed, "Continue" or "Cancel"."""
        browser = Browser()
        return browser.submit(browser.go(user.link(BALANCE), self.social.url), nth)


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bank]:
    with social.social() as network:
        app = {"app-id": social.APP_ID, "app-secret": social.APP_SECRET}

        def bots(folder: Path) -> list[Path]:
            return [write_bank(folder, "social", f"{network.url}/me", authentication("", oidc=None, socialnet=app))]

        places = {
            "DIALOOM_SOCIALNET_DIALOG_URL": network.dialog_url,
            "DIALOOM_SOCIALNET_GRAPH_URL": network.graph_url,
        }
        with running_banks(tmp_path_factory.mktemp("social"), bots, **places) as service:
            yield Bank(service, network)


@pytest.fixture(autouse=True)
def right_again(bank: Bank) -> Iterator[None]:
    yield
    bank.social.network.wrong = None
    bank.social.network.lives = 5184000


def test_a_login_is_exchanged_inspected_and_used(bank: Bank) -> None:
    ada = Rest(bank.service, "social", "ada")
    assert bank.log_in(ada).status == 200
    ada.hears(THANKS, HAS)
    assert texts(ada.say(BALANCE)) == [HAS]
    assert bank.social.network.counts[social.INSPECTION] == bank.social.network.counts[social.EXCHANGE] > 0


def test_a_token_without_an_end_is_good_without_one(bank: Bank) -> None:
    bank.social.network.lives = 0
    ada = Rest(bank.service, "social", "endless")
    assert bank.log_in(ada).status == 200
    ada.hears(THANKS, HAS)


def test_who_cancels_at_the_network_counts_no_error(bank: Bank) -> None:
    ada = Rest(bank.service, "social", "cancels")
    page = bank.log_in(ada, nth=1)
    assert (page.status, page.forms) == (403, [])
    assert texts(ada.say(BALANCE)) == [PROMPT]
    assert [record["Errors"] for record in ada.records()] == [0]


def test_an_expired_token_counts_as_none(bank: Bank) -> None:
    bank.social.network.lives = 2
    ada = Rest(bank.service, "social", "expires")
    assert bank.log_in(ada).status == 200
    wait_until(lambda: THANKS in ada.later())
    wait_until(lambda: PROMPT in texts(ada.say(BALANCE)))


def test_every_wrong_has_its_reason() -> None:
    assert REASONS.keys() == social.WRONGS.keys()


@pytest.mark.parametrize("wrong", social.WRONGS)
def test_a_network_that_is_wrong_in_this_way_logs_nobody_in(bank: Bank, wrong: str) -> None:
    bank.social.network.wrong = wrong
    ada = Rest(bank.service, "social", f"meets-{wrong}")
    page = bank.log_in(ada)
    assert (page.status, page.forms) == (502, [])
    assert REASONS[wrong] not in page.text
    wait_until(lambda: [record["Errors"] for record in ada.records()] == [1])
    bank.social.network.wrong = None
    assert texts(ada.say(BALANCE)) == [PROMPT]
    assert bank.log_in(ada).status == 200
    ada.hears(THANKS, HAS)
