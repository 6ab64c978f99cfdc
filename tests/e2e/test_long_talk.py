"""A talk of many messages: what a message costs does not grow with it, and older ones come when the reader scrolls up."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.page_checks import axe, picture
from tests.live import Service, call, echo_bot

if TYPE_CHECKING:
    from collections.abc import Iterator

MESSAGES = 640
"""Half of them the user's. More than a chat has when it is opened, and more than two further requests bring."""
MAX_DRAWN = 220
"""Lines: twice what is drawn at first, with what stands in one group at its beginning."""
COUNT_READS = """() => {
  window.reads = 0;
  const count = (prototype, name) => {
    const found = Object.getOwnPropertyDescriptor(prototype, name);
    Object.defineProperty(prototype, name, { ...found, get() { window.reads += 1; return found.get.call(this); } });
  };
  for (const name of ["scrollTop", "scrollHeight", "clientHeight"]) count(Element.prototype, name);
  for (const name of ["offsetTop", "offsetParent"]) count(HTMLElement.prototype, name);
}"""
"""Counts what makes a browser lay the page out at once."""


@pytest.fixture(scope="module")
def echo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("echo")
    limits = {"DIALOOM_RATE_USER": "off", "DIALOOM_RATE_ADDRESS": "off"}
    service = Service([echo_bot(folder / "echo", "I **hear** you.")], folder / "data", environment=limits)
    yield service
    service.stop()


def open_chat(browser: Browser, service: Service) -> Page:
    page = browser.new_context(viewport={"width": 400, "height": 700}, locale="en-GB").new_page()
    page.goto(f"{service.url}/chat/echo/web")
    expect(page.get_by_text("Write a message to begin.")).to_be_visible()
    return page


def fill(page: Page, service: Service, messages: int) -> None:
    """Say as much in the page's session."""
    kept = "localStorage.getItem(Object.keys(localStorage).find(key => key.endsWith(':session')))"
    token = json.loads(page.evaluate(kept))["token"]
    for number in range(messages // 2):
        body = {"id": f"said-{number}", "text": f"This is number {number}."}
        headers = {"Authorization": f"Bearer {token}"}
        answer = call("POST", f"{service.url}/v1/bots/echo/channels/web/web/messages", body, headers)
        assert answer.status == 202
    expect(page.get_by_text(f"This is number {messages // 2 - 1}.")).to_be_visible()


def send(page: Page, text: str) -> dict[str, Any]:
    """Say something; return what the page did for it until the answer was there."""
    page.get_by_role("textbox").fill(text)
    page.evaluate("window.reads = 0")
    page.keyboard.press("Enter")
    expect(page.locator(".group").last.get_by_text("I hear you.")).to_be_visible()
    expect(page.locator(".group.user").last.get_by_text(text)).to_be_visible()
    page.wait_for_timeout(500)
    drawn: dict[str, Any] = page.evaluate(
        """() => {
          const root = document.querySelector("dialoom-chat").shadowRoot;
          return { reads: window.reads, lines: root.querySelectorAll(".line").length };
        }"""
    )
    return drawn


def test_what_a_message_costs_does_not_grow_with_the_talk(browser: Browser, echo: Service) -> None:
    page = open_chat(browser, echo)
    page.evaluate(COUNT_READS)
    short = send(page, "The first")
    fill(page, echo, MESSAGES)
    long = [send(page, f"Another {number}") for number in range(3)]
    assert max(one["lines"] for one in long) <= MAX_DRAWN
    assert max(one["reads"] for one in long) <= short["reads"] + 20
    page.context.close()


def test_older_messages_come_above_while_what_is_read_stays_where_it_is(browser: Browser, echo: Service) -> None:
    page = open_chat(browser, echo)
    fill(page, echo, MESSAGES)
    page.reload()
    expect(page.get_by_text(f"This is number {MESSAGES // 2 - 1}.")).to_be_visible()
    log = page.get_by_role("log")
    assert page.get_by_text("This is number 0.").count() == 0
    log.focus()
    top = "log => log.getRootNode().querySelector('.line').textContent.trim()"
    place = "(log, text) => [...log.querySelectorAll('.line')].find(line => line.textContent.trim() === text).getBoundingClientRect().top"
    expect(log).to_have_attribute("aria-busy", "false")
    first = log.evaluate(top)
    log.evaluate("log => { log.scrollTop = 700; }")
    before = log.evaluate(place, first)
    expect(log).to_have_attribute("aria-live", "off")
    expect(log).not_to_have_attribute("aria-live", "off")
    assert log.evaluate(top) != first
    assert abs(log.evaluate(place, first) - before) <= 2
    for _ in range(12):
        page.keyboard.press("Home")
        page.wait_for_timeout(500)
        if page.get_by_text("This is number 0.").count():
            break
    expect(page.get_by_text("This is number 0.")).to_have_count(1)
    said = log.locator(".group.user .line").all_inner_texts()
    assert [text.strip() for text in said] == [f"This is number {number}." for number in range(MESSAGES // 2)]
    picture(page, "long-talk-beginning")
    assert axe(page) == []
    # What is said then is looked at, and the list is short again.
    assert send(page, "Now this")["lines"] <= MAX_DRAWN
    assert log.evaluate("log => log.scrollHeight - log.clientHeight - log.scrollTop") < 48
    page.context.close()
