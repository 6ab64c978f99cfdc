"""The reference in a real browser: light and dark, on all widths, with axe, without a script of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.page_checks import Scheme, axe, overflow, picture
from tests.live import Backend, Service

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page


@pytest.fixture
def served_at(served: tuple[Service, Backend]) -> str:
    return served[0].url


@pytest.fixture
def page(browser: Browser, served_at: str) -> Iterator[Page]:
    """As people have it: with its policy, and with no script to run."""
    context = browser.new_context(java_script_enabled=False, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(f"{served_at}/docs")
    yield page
    context.close()


@pytest.mark.parametrize(("scheme", "width"), [("light", 360), ("dark", 768), ("light", 1280)])
def test_it_reads_well(browser: Browser, served_at: str, scheme: Scheme, width: int) -> None:
    # axe is a script, which the page's policy would not let in.
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900}, bypass_csp=True)
    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda line: errors.append(line.text) if line.type in ("error", "warning") else None)
    page.goto(f"{served_at}/docs")
    assert overflow(page) == 0
    picture(page, f"reference-{scheme}-{width}")
    for answer in page.locator("#listConversations details summary").all()[:2]:
        answer.click()
    page.locator("#listConversations").scroll_into_view_if_needed()
    picture(page, f"reference-operation-{scheme}-{width}")
    assert overflow(page) == 0
    assert axe(page) == []
    assert errors == []
    context.close()


def test_it_is_read_without_script(page: Page) -> None:
    expect(page.get_by_role("heading", name="List conversations", exact=True)).to_be_visible()
    answer = page.locator("#listConversations details").first
    expect(answer.locator("pre").first).to_be_hidden()
    answer.locator("summary").click()
    expect(answer.locator("pre").first).to_be_visible()


def test_the_contents_lead_to_an_operation(page: Page) -> None:
    page.get_by_role("navigation", name="Contents").get_by_role("link", name="Erase one user").click()
    expect(page.get_by_role("heading", name="Erase one user", exact=True)).to_be_in_viewport()


def test_a_link_to_a_schema_opens_it(page: Page) -> None:
    page.locator("#countConversations details").first.locator("summary").click()
    page.locator("#countConversations").get_by_role("link", name="Count", exact=True).click()
    expect(page.get_by_text("How many records match.").last).to_be_in_viewport()
