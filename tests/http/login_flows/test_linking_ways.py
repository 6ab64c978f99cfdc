"""Where a login leads when it is through, by the channel: all labels, with everything that decides."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from dialoom.flow.channels import Channel, ChannelType
from dialoom.flow.model import Authentication, ConfirmationPage, LoginCard, LoginTemplate
from dialoom.http.login_pages.login_redirect import LoginRedirect, login_redirect

HOME = "https://shop.example/in"
CHANNELS: dict[str, dict[str, str]] = {
    "web": {},
    "mobile": {},
    "rest": {},
    "messenger-1": {"page_id": "tea house"},
    "messenger-2": {"uri": "tea/house"},
    "messenger-3": {"bot_name": "@tea_bot"},
    "voice-assistant": {},
    "workplace-chat": {},
    "directline": {},
}
APPS = {
    "messenger-1": "https://m.me/tea%20house?ref=login",
    "messenger-2": "viber://pa?chatURI=tea%2Fhouse&context=login",
    "messenger-3": "https://t.me/tea_bot?start=login",
}
PAGES, ALONE = ("web", "mobile", "rest"), ("voice-assistant", "workplace-chat", "directline")


def way(type: Any, *, by_itself: bool = True, known: bool = True, **changed: Any) -> LoginRedirect:
    named: dict[str, Any] = {**(CHANNELS[type] if known else {})}
    card = LoginCard(template=LoginTemplate(title="Log in"))
    settings: dict[str, Any] = {"entity": "a", "messages": (), "acknowledgements": (), "display": card} | changed
    return login_redirect(Authentication(**settings), Channel(id="c", type=type, **named), by_itself=by_itself)


def test_every_label_is_here() -> None:
    assert set(CHANNELS) == set(get_args(ChannelType))


@pytest.mark.parametrize("type", PAGES)
def test_pages_and_clients_go_to_the_author_s_address_or_stay(type: str) -> None:
    assert way(type, confirmation_page_redirect_url_web=HOME) == LoginRedirect(HOME, goes=True)
    assert way(type) == LoginRedirect()


@pytest.mark.parametrize("type", APPS)
def test_messengers_go_back_into_their_app_unless_the_author_says_no(type: str) -> None:
    assert way(type) == LoginRedirect(APPS[type], goes=True)
    assert way(type, confirmation_page_auto_redirect=False) == LoginRedirect(APPS[type])


@pytest.mark.parametrize("type", APPS)
def test_a_messenger_whose_address_is_not_known_cannot_go_back_and_its_page_closes(type: str) -> None:
    assert way(type, known=False) == LoginRedirect(closes=True)


@pytest.mark.parametrize("type", ALONE)
def test_where_a_channel_cannot_redirect_the_page_closes_itself(type: str) -> None:
    assert way(type, confirmation_page_redirect_url_web=HOME) == LoginRedirect(closes=True)


@pytest.mark.parametrize("type", [*PAGES, *APPS])
def test_the_author_s_address_is_for_pages_and_clients_and_their_other_setting_for_messengers(type: str) -> None:
    assert way(type, confirmation_page_redirect_url_web=HOME).address == (HOME if type in PAGES else APPS[type])
    assert way(type, confirmation_page_auto_redirect=False).goes is False
    assert way("web", confirmation_page_auto_redirect=False, confirmation_page_redirect_url_web=HOME).goes


@pytest.mark.parametrize("type", CHANNELS)
def test_a_page_that_is_told_to_close_does_so_wherever_it_stays(type: str) -> None:
    told = way(type, confirmation_page_contents=ConfirmationPage(attempt_close=True))
    assert told.closes != told.goes


@pytest.mark.parametrize("type", CHANNELS)
def test_a_page_that_has_to_be_read_neither_goes_nor_closes_and_offers_the_way_back(type: str) -> None:
    contents = ConfirmationPage(attempt_close=True)
    found = way(type, by_itself=False, confirmation_page_redirect_url_web=HOME, confirmation_page_contents=contents)
    assert (found.goes, found.closes) == (False, False)
    assert found.address == (HOME if type in PAGES else APPS.get(type))
