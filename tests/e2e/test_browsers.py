"""The talk of a patient in Firefox and in WebKit, by the names and texts that these browsers themselves tell; in Chromium
the other files of this folder hold it in more detail."""

from __future__ import annotations

import contextlib
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e import webdriver
from tests.e2e.page_checks import PICTURES
from tests.e2e.test_dialogs import PNG, PRACTICE
from tests.identity.bots import BALANCE, BRANCH, CITY, OPEN, WEB_TOKEN, authentication, write_bank
from tests.live import Backend, Service, copy_clinic, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.e2e.webdriver import Browser

BUTTONS, FIELD = "button", "textarea"
ENTER = "\ue007"
"""The key's code in WebDriver (section 17.4.2)."""
SAID = """
    const texts = [];
    const walk = (root) => {
        for (const element of root.querySelectorAll("*")) {
            if (element.matches(arguments[0])) texts.push(element.innerText);
            if (element.shadowRoot) walk(element.shadowRoot);
        }
    };
    walk(document);
    return texts.join("\\n");
"""
LOG, STATUS = "[role=log]", "[role=status]"
POLICY = "default-src 'none'; script-src {0}; connect-src {0}; img-src {0} data:; require-trusted-types-for 'script'"


class _Shop(ThreadingHTTPServer):
    """A host of its own whose page embeds the chat with one line."""

    daemon_threads = True
    service = ""

    @property
    def origin(self) -> str:
        return f"http://localhost:{self.server_port}"


class _ShopPage(BaseHTTPRequestHandler):
    server: _Shop

    def do_GET(self) -> None:
        service = self.server.service
        line = f'<script src="{service}/static/widget.js" data-bot="northbank" data-channel="web" '
        line += f'data-token="{WEB_TOKEN}-northbank" data-name="Northbank" defer></script>'
        body = f"<!doctype html><title>Shop</title><h1>Shop</h1>{line}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY.format(service))
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Clinic:
    """The service with the clinic, a bot with all dialogs, and one with a login at a provider that nobody reaches."""

    def __init__(self, folder: Path) -> None:
        self.backend = Backend(folder / "backend")
        nowhere = "http://127.0.0.1:9"
        bank = write_bank(folder, "northbank", f"{nowhere}/accounts", authentication(nowhere))
        self.shop = _Shop(("127.0.0.1", 0), _ShopPage)
        threading.Thread(target=self.shop.serve_forever, daemon=True).start()
        bot = json.loads((bank / "bot.json").read_text("utf-8"))
        bot["channels"][1]["allowed-origins"] = [self.shop.origin]
        (bank / "bot.json").write_text(json.dumps(bot), "utf-8")
        self.service = Service([copy_clinic(folder, self.backend.port), PRACTICE, bank], folder / "data")
        self.shop.service = self.service.url

    def page(self, bot: str) -> str:
        return f"{self.service.url}/chat/{bot}/web"

    def restart(self) -> None:
        self.service = self.service.again()

    def stop(self) -> None:
        if self.service.process.poll() is None:
            self.service.stop()
        self.backend.stop()
        self.shop.shutdown()
        self.shop.server_close()


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clinic]:
    clinic = Clinic(tmp_path_factory.mktemp("browsers"))
    yield clinic
    clinic.stop()


@pytest.fixture(scope="module", params=["firefox", "webkit"])
def window(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if reason := webdriver.missing(request.param):
        pytest.skip(reason)
    with getattr(webdriver, request.param)(tmp_path_factory.mktemp(request.param)) as browser:
        yield browser


def hears(window: Browser, text: str) -> None:
    wait_until(lambda: re.search(text, window.run(SAID, LOG)))


def writes(window: Browser, text: str) -> None:
    window.write(FIELD, f"{text}{ENTER}")


def picture(window: Browser, name: str) -> None:
    window.picture(PICTURES / f"{window.name}-{name}.png")


def test_a_patient_books_reloads_and_goes_on_after_the_line_was_lost(window: Browser, clinic: Clinic) -> None:
    window.open(clinic.page("clinic"))
    hears(window, "Hello, this is the Lindenhof Clinic")
    assert window.role("div", "^Chat with Lindenhof Clinic") == "log"
    writes(window, "book an appointment")
    window.click(BUTTONS, "^Dermatology")
    window.click(BUTTONS, "^Dr. Anna Weber")
    hears(window, "On which day")
    window.reload()
    hears(window, "(?s)Hello.*On which day")
    window.click(BUTTONS, "^(Mon|Tue|Wed|Thu|Fri|Sat), ")
    hears(window, "At what time")
    window.click(BUTTONS, "^Next 5")
    window.click(BUTTONS, "^Prev 5")
    # What is pressed while a page is on its way counts for nothing.
    wait_until(lambda: window.by_label(BUTTONS, "^Prev 5") is None)
    window.click(BUTTONS, r"^\d\d:\d\d$")
    hears(window, "What is your name")
    picture(window, "clinic")

    clinic.service.kill()
    writes(window, "Ada Lovelace")
    hears(window, "Ada Lovelace")
    wait_until(lambda: "Connecting again" in window.run(SAID, STATUS))
    picture(window, "line-lost")
    clinic.restart()
    hears(window, "phone number")
    assert "Connecting again" not in window.run(SAID, STATUS)


def test_every_dialog_is_used(window: Browser, clinic: Clinic, tmp_path: Path) -> None:
    window.open(clinic.page("practice"))
    hears(window, "Hello")
    writes(window, "one choice")
    window.click(BUTTONS, "^Choose a specialist")
    window.click("[role=option]", "^Neurology")
    picture(window, "list")
    window.click(BUTTONS, "^Select")
    hears(window, "You chose Neurology")

    writes(window, "a day")
    window.click(BUTTONS, "^Choose a day")
    window.click("[role=grid] td", r"\b17\b")
    picture(window, "day")
    window.click(BUTTONS, "^Take it")
    hears(window, "The day is noted")

    writes(window, "a photo")
    hears(window, "Please send a photo")
    (tmp_path / "card.png").write_bytes(PNG)
    window.write("input[type=file]", str(tmp_path / "card.png"), hidden=True)
    window.click(BUTTONS, "^Send")
    hears(window, "The photo is here")
    picture(window, "photo")


def test_a_login_is_a_link_to_a_new_window(window: Browser, clinic: Clinic) -> None:
    window.open(clinic.page("northbank"))
    writes(window, BALANCE)
    wait_until(lambda: window.role("a[target=_blank]", "^Sign in") == "link")
    picture(window, "login")


def test_a_page_of_another_origin_embeds_the_chat_under_a_strict_policy(window: Browser, clinic: Clinic) -> None:
    window.open(clinic.shop.origin)
    window.click(BUTTONS, "^Chat with Northbank")
    writes(window, BRANCH)
    hears(window, re.escape(CITY))
    window.reload()
    # The window stays open, with its talk.
    hears(window, re.escape(CITY))
    writes(window, "Oslo")
    hears(window, re.escape(OPEN))
    picture(window, "widget")
    window.click(BUTTONS, "^Close")
    wait_until(lambda: not window.all(FIELD))
