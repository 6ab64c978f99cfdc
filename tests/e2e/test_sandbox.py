"""The sandbox as an author uses it: a bot without any account is played on a platform, and its payloads are read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.page_checks import SCHEMES, axe, overflow, picture
from tests.live import ROOT, Service, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZES = ((360, 740), (768, 900), (1280, 800))
ADDRESS = re.compile(r"^Sandbox  (http://\S+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the page."""
    data = tmp_path_factory.mktemp("sandbox")
    service = Service([ROOT / "tests" / "e2e" / "practice"], data, options=("--sandbox",))
    wait_until(lambda: ADDRESS.search(service.output))
    found = ADDRESS.search(service.output)
    assert found is not None
    yield found[1]
    service.stop()


def opened(browser: Browser, address: str, errors: list[str]) -> Page:
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    page.goto(address)
    return page


def test_a_bot_is_played_on_telegram_and_its_payloads_are_read(browser: Browser, sandbox: str) -> None:
    errors: list[str] = []
    page = opened(browser, sandbox, errors)
    column = page.locator("sandbox-column[platform='messenger-3']")
    column.get_by_role("button", name="Start").click()
    chat = column.get_by_role("log")
    expect(chat.locator(".item.bot").first).to_be_visible()
    column.get_by_role("textbox").fill("help")
    column.get_by_role("textbox").press("Enter")
    expect(chat.get_by_text("help", exact=True)).to_be_visible()
    payloads = page.get_by_role("complementary", name="Payloads")
    expect(payloads.get_by_text("sendMessage").first).to_be_visible()
    payloads.get_by_text("sendMessage").first.click()
    expect(payloads.get_by_label("Request").first).to_contain_text("chat_id")
    column.get_by_role("button", name="Block").click()
    expect(column.get_by_role("button", name="Unblock")).to_be_visible()
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            picture(page, f"sandbox-{scheme}-{width}")
            assert overflow(page) <= 0
        assert axe(page) == []
    assert errors == []
    page.context.close()


def test_the_keyboard_brings_each_column_into_sight(browser: Browser, sandbox: str) -> None:
    page = opened(browser, sandbox, [])
    expect(page.locator("sandbox-column")).to_have_count(5)
    columns = page.locator(".columns").bounding_box()
    assert columns is not None
    column = page.locator("sandbox-column").nth(0)
    column.get_by_role("textbox").focus()
    for number in range(1, 5):
        column = page.locator("sandbox-column").nth(number)
        # From the last thing of the column before it.
        for _ in range(30):
            page.keyboard.press("Tab")
            if column.locator("input:focus").count():
                break
        expect(column.get_by_role("textbox")).to_be_focused()
        box = column.bounding_box()
        assert box is not None
        assert columns["x"] <= box["x"] + 1
        assert box["x"] + box["width"] <= columns["x"] + columns["width"] + 1
    page.context.close()
