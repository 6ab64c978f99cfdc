"""A browser in the studio: what the tests of its rooms begin with."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, expect

from tests.live import ROOT, Service, call

EXAMPLES = ROOT / "examples"
SIZES = ((360, 740), (768, 900), (1280, 800))
LASTING = """
const wait = window.setTimeout.bind(window);
window.setTimeout = (run, after, ...values) => wait(run, after >= 2000 ? 60_000 : after, ...values);
"""
"""What the page says for some seconds it says for a minute: a busy machine may take those seconds before it looks."""


class Visit:
    """One browser. ``link``: signs in by it, else it has the session that it is given, or none."""

    before = LASTING
    """Script that each page runs first."""

    def __init__(self, browser: Browser, service: Service, link: str | None = None, **options: Any) -> None:
        self.service, self.errors = service, list[str]()
        self.requests: list[str] = []
        desk = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB"}
        self.context = browser.new_context(**desk | options)
        self.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=service.url)
        self.context.add_init_script(self.before)
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._hear)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(link or f"{service.url}/studio")

    def _hear(self, line: ConsoleMessage) -> None:
        # What the service does not tell is left out of the page; the browser says so itself, too.
        if line.type in ("error", "warning") and not re.search("/(versions|draft|draft/check)$", line.location["url"]):
            self.errors.append(line.text)

    def comes_in(self) -> Visit:
        expect(self.page.get_by_role("heading", level=1, name="Bots")).to_be_visible()
        return self

    def opens(self, room: str, bot: str = "shop") -> Visit:
        self.page.goto(f"{self.service.url}/studio/{bot}/{room}")
        return self

    def opens_tokens(self, bot: str = "shop") -> Visit:
        self.opens("operate?tab=tokens", bot)
        expect(self.page.get_by_role("heading", name="Server access tokens")).to_be_visible()
        return self

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def clipboard(self) -> str:
        return str(self.page.evaluate("navigator.clipboard.readText()"))

    def reads_history(self, bot: str, token: str) -> int:
        headers = {"Authorization": f"Bot-Server-Access-Token {token}"}
        return call("GET", f"{self.service.url}/v1/bots/{bot}/conversations", None, headers).status
