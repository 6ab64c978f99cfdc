"""Bot Framework Web Chat, which nobody here wrote, talks to a bot by Direct Line."""

from __future__ import annotations

import contextlib
import copy
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Locator, Page, TimeoutError, expect

from tests.e2e.page_checks import picture
from tests.http import dialogs
from tests.http.support import TRAINING, write_bot
from tests.live import Service, call
from tests.webchat.page import SECRET, web_chat_pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHANNEL = "directline/v3/directline"
RECONNECT_MS = 16_000
"""Web Chat waits 3 to 15 s before it opens a closed stream again."""


def _flow() -> dict[str, Any]:
    """The dialogs, and before them quick replies of which two read alike."""
    flow = copy.deepcopy(dialogs.FLOW)
    sizes = [{"title": "Large", "value": "a mug"}, {"title": "Large", "value": "a pot"}]
    asked = {"type": "quick-reply", "data": sizes}
    step = {"type": "question", "entity": "size", "entity-type": "Text", "messages": ["Which size?"], "display": asked}
    told = {"type": "message", "messages": ["So {{size}}."]}
    flow["conversations"]["welcome"] = {"type": "support", "steps": [{"type": "message", "messages": ["Hello!"]}]}
    flow["conversations"]["tea"]["steps"][:0] = [step, told]
    return flow


class WebChat:
    """One page with Web Chat."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.errors: list[str] = []
        self.context = browser.new_context(viewport={"width": 480, "height": 800}, locale="en-US")
        self.page: Page = self.context.new_page()
        self.page.clock.install()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(url)

    def hears(self, text: str, number: int = 1) -> None:
        expect(self.page.locator(".webchat__bubble").get_by_text(text, exact=True)).to_have_count(number)

    def write(self, text: str) -> None:
        self.page.get_by_placeholder("Type your message").fill(text)
        self.page.keyboard.press("Enter")

    @property
    def card(self) -> Locator:
        return self.page.locator(".ac-adaptiveCard").last

    def submit(self, name: str) -> None:
        self.card.get_by_role("button", name=name).click()

    def mine(self) -> list[str]:
        """What the user's bubbles say."""
        return self.page.locator(".webchat__bubble--from-user .webchat__bubble__content").all_inner_texts()

    def streams(self) -> int:
        """How many it has opened so far."""
        return int(self.page.evaluate("sockets.length"))

    def reconnect(self, lost: int) -> None:
        """Pass the pauses before a new stream, until one more than the lost ones is open."""
        is_open = "lost => sockets.length > lost && sockets.at(-1).readyState === 1"
        for _ in range(20):
            self.page.clock.fast_forward(RECONNECT_MS)
            with contextlib.suppress(TimeoutError):
                self.page.wait_for_function(is_open, arg=lost, timeout=3000)
                return
        raise AssertionError("no new stream was opened")


@pytest.fixture
def line(tmp_path: Path, browser: Browser) -> Iterator[tuple[Service, WebChat]]:
    with web_chat_pages() as pages:
        origin = f"http://127.0.0.1:{pages.server_port}"
        channel = {"id": "line", "type": "directline", "secret": SECRET, "allowed-origins": [origin]}
        bot = {"id": "tea", "name": "Tea house", "access-token": "history-token-of-tea", "channels": [channel]}
        service = Service([write_bot(tmp_path / "tea", bot, _flow(), TRAINING)], tmp_path / "data")
        pages.domain = f"{service.url}/v1/bots/tea/channels/line/{CHANNEL}"
        chat = WebChat(browser, f"{origin}/?domain={pages.domain}")
        try:
            yield service, chat
        finally:
            chat.context.close()
            service.stop() if service.process.poll() is None else None


def _say_elsewhere(service: Service, conversation: str, text: str) -> None:
    """Say something in the user's name past the page."""
    path = f"{service.url}/v1/bots/tea/channels/line/{CHANNEL}/conversations/{conversation}/activities"
    answer = call("POST", path, {"type": "message", "text": text}, {"Authorization": f"Bearer {SECRET}"})
    assert answer.status == 200, answer.body


def test_a_talk_with_taps_cards_reloads_and_lost_lines(line: tuple[Service, WebChat]) -> None:
    service, chat = line
    chat.hears("Hello!")
    chat.write("tea")
    chat.hears("Which size?")
    # Two replies that read alike are told apart by what they bring.
    chat.page.get_by_role("button", name="Large").nth(1).click()
    chat.hears("So a pot.")
    chat.hears("Which tea?")
    chat.card.get_by_label("Green tea – light").check()
    picture(chat.page, "web-chat-card")
    chat.submit("Take it")
    chat.hears("And which to take home?")
    assert chat.mine() == ["tea", "Large", "Green tea"]
    conversation = chat.page.evaluate("JSON.parse(sessionStorage.getItem('kept')).conversationId")

    # The line is lost, and something is said meanwhile.
    lost = chat.streams()
    chat.page.evaluate("sockets.at(-1).close()")
    _say_elsewhere(service, conversation, "Black")
    chat.reconnect(lost)
    chat.hears("Which cup?")
    picture(chat.page, "web-chat-carousel")

    # The service is killed and started again.
    lost = chat.streams()
    service.kill()
    again = service.again()
    try:
        chat.reconnect(lost)
        chat.page.get_by_role("button", name="Select").first.click()
        chat.hears("Which day?")

        # The page is loaded again.
        before = chat.mine()
        chat.page.reload()
        chat.hears("Which day?")
        assert chat.mine() == before
        chat.card.locator("input").fill("2026-12-01")
        chat.submit("Submit")
        chat.hears("Where to?")
        expect(chat.card.get_by_role("button", name="Show where")).to_be_visible()
        picture(chat.page, "web-chat-place")
        assert chat.page.get_by_text("Send failed").count() == 0
        assert chat.errors == []
        assert again.stop() == 0
    finally:
        if again.process.poll() is None:
            again.stop()
