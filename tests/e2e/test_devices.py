"""The hosted page of a mobile channel and the widget on phones and a tablet, as Chromium's device modes show them: screen and
scale, touch, the areas that a notch or the home indicator covers, and the way back from a login."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.page_checks import axe, overflow, picture
from tests.e2e.test_chat import Chat
from tests.e2e.test_dialogs import CARD, PRACTICE
from tests.e2e.test_login import DONE, SHOP, Bank, Visit, bank, code_on, sign_in
from tests.identity.bots import ADA_HAS, BRANCH, CITY, PROMPT, WEB_TOKEN
from tests.live import Service

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, FloatRect, Playwright

    from tests.live import Backend

__all__ = ["bank"]
"""The fixture, for the tests here."""
TARGET_PIXELS = 44
"""Both sides of what a finger has to meet (Apple's guidelines; WCAG 2.5.5 asks for the same at level AAA)."""
UPRIGHT = {"top": 59, "left": 0, "right": 0, "bottom": 34}
"""Covered of an iPhone 15: by the camera and the home indicator."""
LYING = {"top": 0, "left": 59, "right": 59, "bottom": 21}
KEYBOARD_PIXELS = 336
SMALL_TARGETS = """pixels => {
    const found = [];
    const walk = (root) => {
        for (const element of root.querySelectorAll("*")) {
            if (element.shadowRoot) walk(element.shadowRoot);
            if (!element.matches("button, a, input:not([type=file]), textarea, [role=option], [role=gridcell]")) continue;
            const box = element.getBoundingClientRect();
            // Links in running text are as high as its lines.
            if (!box.width || element.closest(".prose")) continue;
            if (Math.min(box.width, box.height) < pixels) found.push(`${element.outerHTML} ${box.width} x ${box.height}`);
        }
    };
    walk(document);
    return found;
}"""


def device(driver: Playwright, name: str) -> dict[str, Any]:
    """Return the context options of one of the driver's device profiles."""
    return {key: value for key, value in driver.devices[name].items() if key != "default_browser_type"}


def small_targets(page: Page) -> list[str]:
    return list(page.evaluate(SMALL_TARGETS, TARGET_PIXELS - 0.5))


def cover(page: Page, insets: dict[str, int]) -> None:
    """Give ``env(safe-area-inset-*)`` these pixels."""
    page.context.new_cdp_session(page).send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})


def box(page: Page, role: Any) -> FloatRect:
    found = page.get_by_role(role).first.bounding_box()
    assert found is not None
    return found


@pytest.fixture(scope="module")
def practice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = Service([PRACTICE], tmp_path_factory.mktemp("data"))
    yield service
    service.stop()


@pytest.mark.parametrize("name", ["iPhone SE", "iPhone 15", "Pixel 7", "iPad (gen 7)"])
def test_the_page_fits_the_device(
    browser: Browser, driver: Playwright, served: tuple[Service, Backend], name: str
) -> None:
    options = device(driver, name)
    chat = Chat(browser, f"{served[0].url}/chat/clinic/mobile", **options, reduced_motion="reduce")
    page = chat.page
    cover(page, UPRIGHT)
    page.get_by_role("button", name="Book an appointment").tap()
    page.get_by_role("button", name="General practice").tap()
    expect(page.get_by_role("button", name=re.compile("^Next 5"))).to_be_visible()
    assert overflow(page) <= 0
    assert small_targets(page) == []
    height = page.viewport_size["height"] if page.viewport_size else 0
    field = box(page, "textbox")
    assert field["y"] + field["height"] <= height - UPRIGHT["bottom"]
    assert box(page, "heading")["y"] >= UPRIGHT["top"]
    picture(page, f"device-{name}")
    # The field has a font of 16 pixels: with a smaller one Safari zooms in when it gets the focus.
    assert page.get_by_role("textbox").evaluate("field => parseFloat(getComputedStyle(field).fontSize)") >= 16
    assert chat.errors == []
    chat.context.close()


def test_a_phone_that_lies_keeps_the_talk_clear_of_the_notch(
    browser: Browser, driver: Playwright, served: tuple[Service, Backend]
) -> None:
    options = device(driver, "iPhone 15 landscape")
    chat = Chat(browser, f"{served[0].url}/chat/clinic/mobile", **options)
    cover(chat.page, LYING)
    chat.hears("What would you like to do?")
    picture(chat.page, "device-lying")
    width = chat.page.viewport_size["width"] if chat.page.viewport_size else 0
    for role in ("heading", "log", "textbox"):
        found = box(chat.page, role)
        assert found["x"] >= LYING["left"], role
        assert found["x"] + found["width"] <= width - LYING["right"], role
    chat.context.close()


def test_above_the_keyboard_stand_the_field_and_the_last_message(
    browser: Browser, driver: Playwright, served: tuple[Service, Backend]
) -> None:
    options = device(driver, "Pixel 7")
    chat = Chat(browser, f"{served[0].url}/chat/clinic/mobile", **options)
    page = chat.page
    for text, answer in (("opening hours", "We are open Monday to Friday"), ("prices", "A visit without insurance")):
        chat.write(text)
        chat.hears(answer)
    size = page.viewport_size
    assert size is not None
    # What Android's keyboard does to a page with `interactive-widget=resizes-content`.
    assert "interactive-widget=resizes-content" in (page.locator("meta[name=viewport]").get_attribute("content") or "")
    page.set_viewport_size({"width": size["width"], "height": size["height"] - KEYBOARD_PIXELS})
    expect(page.get_by_role("textbox")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("log").get_by_text("for 20 minutes").last).to_be_in_viewport()
    picture(page, "device-keyboard")
    assert chat.errors == []
    chat.context.close()


def test_sheets_and_files_on_a_phone(browser: Browser, driver: Playwright, practice: Service) -> None:
    options = device(driver, "iPhone 15")
    chat = Chat(browser, f"{practice.url}/chat/practice/web", **options, reduced_motion="reduce")
    page = chat.page
    cover(page, UPRIGHT)
    height = page.viewport_size["height"] if page.viewport_size else 0
    for text, opener, act in (
        ("one choice", "Choose a specialist", "Select"),
        ("a day", "Choose a day", "Take it"),
    ):
        chat.write(text)
        page.get_by_role("button", name=opener).tap()
        button = page.get_by_role("dialog").get_by_role("button", name=act)
        expect(button).to_be_visible()
        found = button.bounding_box()
        assert found is not None
        assert found["y"] + found["height"] <= height - UPRIGHT["bottom"]
        assert small_targets(page) == []
        assert axe(page) == []
        picture(page, f"device-{opener}")
        page.get_by_role("button", name="Close").tap()
        expect(page.get_by_role("dialog")).to_have_count(0)
    chat.write("a photo")
    chat.hears("Please send a photo")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Attach a photo or file").first.tap()
    chooser.value.set_files([CARD])
    page.get_by_role("button", name="Send", exact=True).tap()
    chat.hears("The photo is here.")
    assert chat.errors == []
    chat.context.close()


# -- a login from the widget in a shop's page


def shop_visit(browser: Browser, bank: Bank, options: dict[str, Any]) -> Visit:
    """A phone in a shop's page on another origin, with the widget's window open and a login asked for."""
    visit = Visit(browser, bank, "embedded", **options)
    page = (
        "<!doctype html><html lang='en'><meta name='viewport' content='width=device-width, initial-scale=1'><title>Shop"
        f"</title><h1>Shop</h1><script src='{bank.service.url}/static/widget.js' data-bot='embedded' data-channel='web' "
        f"data-token='{WEB_TOKEN}-embedded' data-name='Northbank' defer></script>"
    )
    visit.context.route(f"{SHOP}/*", lambda route: route.fulfill(body=page, content_type="text/html"))
    visit.page.goto(f"{SHOP}/")
    visit.page.get_by_role("button", name="Chat with Northbank").tap()
    visit.prompted()
    return visit


@pytest.mark.parametrize("name", ["iPhone SE", "Pixel 7"])
def test_a_login_in_a_tab_of_its_own_comes_back_to_the_widget(
    browser: Browser, driver: Playwright, bank: Bank, name: str
) -> None:
    visit = shop_visit(browser, bank, device(driver, name))
    with visit.context.expect_page() as opened:
        visit.card.tap()
    window = opened.value
    expect(window.get_by_label("User name")).to_be_visible()
    assert overflow(window) <= 0
    sign_in(window)
    expect(window.get_by_role("heading", name=DONE)).to_be_visible()
    picture(window, f"device-login-done-{name}")
    window.close()
    visit.hears(ADA_HAS)
    picture(visit.page, f"device-login-{name}")
    visit.ask(BRANCH, CITY)
    visit.says(PROMPT, 1)
    assert visit.errors == []
    visit.context.close()


@pytest.mark.parametrize("name", ["iPhone SE", "Pixel 7"])
def test_a_login_in_the_shop_s_own_tab_comes_back_to_the_talk_with_a_code(
    browser: Browser, driver: Playwright, bank: Bank, name: str
) -> None:
    visit = shop_visit(browser, bank, device(driver, name))
    address = visit.card.get_attribute("href")
    # What an application's web view without windows does with a link to a new one.
    visit.page.evaluate("address => location.assign(address)", address)
    sign_in(visit.page)
    code = code_on(visit.page)
    picture(visit.page, f"device-login-code-{name}")
    assert overflow(visit.page) <= 0
    # By the browser's own button, past the provider's page. The window is open as it was left, and shows the card still.
    visit.page.go_back()
    visit.page.go_back()
    expect(visit.page).to_have_url(f"{SHOP}/")
    expect(visit.card).to_be_visible()
    visit.ask(code, ADA_HAS)
    visit.ask(BRANCH, CITY)
    visit.says(PROMPT, 1)
    assert visit.errors == []
    visit.context.close()
