"""A login that is met once more: in a second window, by the browser's own buttons, by a card whose login failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.page_checks import axe, overflow, picture, scheme_at
from tests.e2e.test_login import (
    DONE,
    OVER,
    THROUGH,
    Bank,
    Visit,
    bank,
    code_on,
    sign_in,
)
from tests.identity.bots import ADA_HAS, BALANCE, PROMPT, THANKS

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["bank"]
"""The fixture, for the tests here."""
AGAIN, NO_LONGER = "You are logged in already", "This link is no longer valid"
WIDTHS = (320, 360, 768, 1280)


@pytest.fixture
def visit(browser: Browser, bank: Bank) -> Iterator[Visit]:
    """Without a look at the console: a browser says there that a page answered 403 or 410."""
    visit = Visit(browser, bank)
    yield visit
    visit.context.close()


def heading(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", name=text)).to_be_visible()


def given_up(visit: Visit) -> None:
    """The login's window was opened, its login cancelled, and the user is back in the chat."""
    window = visit.opened()
    window.get_by_role("button", name="Cancel").click()
    heading(window, "The login was cancelled")
    window.close()
    visit.page.bring_to_front()
    visit.hears(OVER)


# -- the browser that logged in


def test_a_second_window_says_that_the_user_is_logged_in_and_a_stranger_s_that_the_link_is_over(
    browser: Browser, visit: Visit
) -> None:
    address = visit.prompted()
    first = visit.opened()
    with visit.context.expect_page() as opened:
        visit.page.evaluate("address => void open(address)", address)
    second = opened.value
    for window in (first, second):
        expect(window.get_by_label("User name")).to_be_visible()
    sign_in(first)
    heading(first, DONE)
    visit.hears(ADA_HAS)
    heading(visit.pasted(address), AGAIN)
    # One that was open all the time, and goes on to log in as well.
    sign_in(second)
    heading(second, AGAIN)
    stranger = browser.new_context()
    page = stranger.new_page()
    page.goto(address)
    heading(page, NO_LONGER)
    stranger.close()
    expect(visit.page.get_by_role("log").get_by_text(THANKS)).to_have_count(1)


def test_a_reload_and_the_way_back_and_forth_lead_to_no_error(visit: Visit) -> None:
    visit.prompted()
    window = visit.opened()
    sign_in(window)
    heading(window, DONE)
    visit.hears(ADA_HAS)
    window.reload()
    heading(window, AGAIN)
    window.go_back()
    window.go_forward()
    heading(window, AGAIN)
    expect(window.get_by_text("You can now close this tab and continue your conversation.")).to_be_visible()


# -- the card after a login that came to nothing


def test_the_card_of_a_cancelled_login_says_so_and_one_press_leads_to_a_new_one(visit: Visit) -> None:
    address = visit.prompted()
    given_up(visit)
    expect(visit.card).to_have_count(0)
    with visit.context.expect_page() as window:
        visit.page.get_by_role("button", name="Try again").click()
    # The next card's window came with the same press.
    expect(visit.page.get_by_role("log").get_by_text(PROMPT)).to_have_count(2)
    assert visit.card.get_attribute("href") != address
    expect(visit.page.get_by_role("button", name="Try again")).to_have_count(0)
    sign_in(window.value)
    heading(window.value, DONE)
    visit.hears(ADA_HAS)
    visit.hears(THROUGH)
    # Nothing was said in the user's name.
    own = visit.page.locator(".group.user .bubble")
    expect(own).to_have_text([BALANCE])
    visit.page.reload()
    visit.hears(THROUGH)
    expect(own).to_have_text([BALANCE])


def test_the_card_is_told_by_keys_alone_and_the_focus_is_never_lost(visit: Visit) -> None:
    visit.prompted()
    given_up(visit)
    button = visit.page.get_by_role("button", name="Try again")
    for _ in range(20):
        if button.evaluate("button => button.matches(':focus')"):
            break
        visit.page.keyboard.press("Shift+Tab")
    with visit.context.expect_page() as window:
        visit.page.keyboard.press("Enter")
    expect(window.value.get_by_label("User name")).to_be_visible()
    visit.page.bring_to_front()
    expect(visit.page.get_by_role("textbox")).to_be_focused()


def test_a_chat_that_is_loaded_anew_knows_that_its_login_came_to_nothing(visit: Visit) -> None:
    visit.prompted()
    window = visit.opened()
    window.get_by_role("button", name="Cancel").click()
    heading(window, "The login was cancelled")
    visit.page.reload()
    visit.hears(OVER)
    expect(visit.page.get_by_role("button", name="Try again")).to_be_visible()


def test_a_card_whose_code_is_awaited_stays_a_card(browser: Browser, bank: Bank) -> None:
    visit = Visit(browser, bank, "coded")
    visit.prompted()
    window = visit.opened()
    sign_in(window)
    code = code_on(window)
    window.close()
    visit.page.bring_to_front()
    visit.page.reload()
    expect(visit.card).to_be_visible()
    expect(visit.page.get_by_text(OVER)).to_have_count(0)
    visit.ask(code, ADA_HAS)
    visit.context.close()


# -- pictures


def look(page: Page, name: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    for number, width in enumerate(WIDTHS):
        page.set_viewport_size({"width": width, "height": 740})
        scheme = scheme_at(name, number)
        page.emulate_media(color_scheme=scheme)
        picture(page, f"login-again-{name}-{width}-{scheme}")
        assert axe(page) == [], (name, width, scheme)
        assert overflow(page) == 0, (name, width, scheme)


@pytest.mark.parametrize("bot", ["northbank", "deutsch", "arabic"])
def test_every_state_looks_well_in_narrow_and_wide_windows(browser: Browser, bank: Bank, bot: str) -> None:
    visit = Visit(browser, bank, bot)
    visit.prompted()
    look(visit.page, f"{bot}-card")
    window = visit.opened()
    if bot != "northbank":
        window.locator("form button").click()
    expect(window.get_by_label("User name")).to_be_visible()
    visit.page.bring_to_front()
    look(visit.page, f"{bot}-waiting")
    window.get_by_role("button", name="Cancel").click()
    expect(window.locator("main .card h1")).to_be_visible()
    look(window, f"{bot}-cancelled")
    window.close()
    visit.page.bring_to_front()
    # Without a screen no page ever loses the focus, and so none gets it back.
    visit.page.evaluate("dispatchEvent(new Event('focus'))")
    again = visit.page.locator("dialoom-login button")
    expect(again).to_be_visible()
    look(visit.page, f"{bot}-over")
    with visit.context.expect_page() as opened:
        again.click()
    window = opened.value
    if bot != "northbank":
        window.locator("form button").click()
    sign_in(window)
    visit.hears(ADA_HAS)
    look(visit.page, f"{bot}-through")
    look(window, f"{bot}-done")
    window.reload()
    expect(window.locator("h1")).to_be_visible()
    look(window, f"{bot}-again")
    visit.context.close()
