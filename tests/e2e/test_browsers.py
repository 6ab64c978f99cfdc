"""The talk of a patient in Firefox and in WebKit, by the names and texts that these browsers themselves tell; in Chromium
the other files of this folder hold it in more detail."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e import webdriver
from tests.e2e.page_checks import PICTURES
from tests.e2e.test_dialogs import PNG, PRACTICE
from tests.identity.bots import BALANCE, authentication, write_bank
from tests.live import Backend, Service, copy_clinic, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.e2e.webdriver import Browser

BUTTONS, FIELD = "button", "textarea"
SAID = """
    const hosts = [document.querySelector("dialoom-chat")];
    return hosts[0]?.shadowRoot?.querySelector("[role=log]")?.innerText ?? "";
"""
STATUS = SAID.replace("[role=log]", "[role=status]")


class Clinic:
    """The service with the clinic, a bot with all dialogs, and one with a login at a provider that nobody reaches."""

    def __init__(self, folder: Path) -> None:
        self.backend = Backend(folder / "backend")
        nowhere = "http://127.0.0.1:9"
        bank = write_bank(folder, "northbank", f"{nowhere}/accounts", authentication(nowhere))
        self.service = Service([copy_clinic(folder, self.backend.port), PRACTICE, bank], folder / "data")

    def page(self, bot: str) -> str:
        return f"{self.service.url}/chat/{bot}/web"

    def restart(self) -> None:
        self.service = self.service.again()

    def stop(self) -> None:
        if self.service.process.poll() is None:
            self.service.stop()
        self.backend.stop()


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
    wait_until(lambda: re.search(text, window.run(SAID)))


def writes(window: Browser, text: str) -> None:
    wait_until(lambda: window.all(FIELD))
    window.keys(window.all(FIELD)[0], f"{text}\ue007")


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
    window.click(BUTTONS, r"^\d\d:\d\d$")
    hears(window, "What is your name")
    picture(window, "clinic")

    clinic.service.kill()
    writes(window, "Ada Lovelace")
    hears(window, "Ada Lovelace")
    wait_until(lambda: "Connecting again" in window.run(STATUS))
    picture(window, "line-lost")
    clinic.restart()
    hears(window, "phone number")
    assert "Connecting again" not in window.run(STATUS)


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
    window.keys(window.all("input[type=file]", hidden=True)[0], str(tmp_path / "card.png"))
    window.click(BUTTONS, "^Send")
    hears(window, "The photo is here")
    picture(window, "photo")


def test_a_login_is_a_link_to_a_new_window(window: Browser, clinic: Clinic) -> None:
    window.open(clinic.page("northbank"))
    writes(window, BALANCE)
    wait_until(lambda: window.role("a[target=_blank]", "^Sign in") == "link")
    picture(window, "login")
