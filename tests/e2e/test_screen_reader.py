"""What a screen reader finds in each state of the chat: roles, names and order, what is read out by itself, and where the
focus is. The snapshots leave out what may stand between their lines."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.test_dialogs import PRACTICE
from tests.identity.bots import BALANCE, authentication, write_bank
from tests.live import Backend, Service, copy_clinic

if TYPE_CHECKING:
    from collections.abc import Iterator

UNWRITTEN = """
- region "Chat with Northbank northbank":
  - heading "Northbank northbank" [level=1]
  - button "Menu"
  - log "Chat with Northbank northbank":
    - text: "Northbank northbank says:"
    - paragraph: Hello! What would you like to do?
    - group "Suggested replies":
      - button "your balance"
      - button "the branch"
      - button "the end"
  - status
  - button "Attach a photo or file"
  - textbox "Write a message…"
  - button "Send" [disabled]
"""
GREETING = """
- log "Chat with Lindenhof Clinic":
  - text: "Lindenhof Clinic says:"
  - paragraph: Hello, this is the Lindenhof Clinic.
  - paragraph: I can book or cancel an appointment for you. What would you like to do?
  - group "Suggested replies":
    - button "Book an appointment"
    - button "Cancel an appointment"
    - button "Opening hours"
    - button "Prices"
"""
ANSWERED = """
- log:
  - text: "You say: Opening hours Lindenhof Clinic says:"
  - paragraph: /We are open Monday to Friday/
- status
- textbox "Write a message…"
"""
TYPING = """
- log:
  - text: "You say: prices"
- status: Lindenhof Clinic is typing
"""
LIST_IN_MARKDOWN = """
- log:
  - text: "You say: prices Lindenhof Clinic says:"
  - paragraph: "A visit without insurance costs:"
  - list:
    - listitem: "Cardiology: €120.00 for 30 minutes"
"""
FAILED = """
- log:
  - text: "You say: opening hours"
  - button "Not sent · Retry"
"""
OFFLINE = """
- log:
  - text: "You say: opening hours"
- status: You are offline. Your messages are sent as soon as you are back.
"""
ONE_CHOICE = """
- dialog "Which specialist?":
  - heading "Which specialist?" [level=2]
  - button "Close"
  - combobox "Search" [expanded]
  - listbox "Choose a specialist":
    - option "Cardiology"
    - option "Dermatology"
  - button "Select" [disabled]
"""
SEVERAL_CHOICES = """
- dialog "Which symptoms?":
  - heading "Which symptoms?" [level=2]
  - button "Close"
  - listbox "Choose symptoms":
    - option "Cough"
  - button "Send" [disabled]
"""
DAY = """
- dialog "Which day?":
  - heading "Which day?" [level=2]
  - button "Close"
  - textbox "Date"
  - button "Previous year"
  - button "Previous month"
  - paragraph: /\\w+ \\d{4}/
  - button "Next month"
  - button "Next year"
  - grid /\\w+ \\d{4}/:
    - rowgroup:
      - row:
        - columnheader "Sun"
    - rowgroup:
      - row:
        - gridcell /Sunday, \\w+ \\d+, \\d{4}/
  - button "Take it" [disabled]
"""
PLACE = """
- dialog "Where are you?":
  - heading "Where are you?" [level=2]
  - button "Close"
  - button "Use my position"
  - search:
    - searchbox "Search for a place"
    - button "Search"
  - status
  - group: Or enter coordinates
  - button "Send it" [disabled]
"""
CARDS = """
- log:
  - list "Doctors":
    - listitem:
      - text: Dr. Haddad
      - button "Book Dr. Haddad"
  - button "Next cards"
"""
LOGIN = """
- log:
  - text: "You say: my balance Northbank northbank says:"
  - paragraph: Please sign in to Northbank.
  - link "Sign in"
"""
ENDED = """
- log:
  - paragraph: Our branch in Oslo opens at nine.
  - paragraph: This conversation has ended.
  - radiogroup "How was it?":
    - radio "1 of 5"
    - radio "5 of 5"
"""
MENU = """
- button "Menu" [expanded]
- menu "Menu":
  - menuitem "Start over"
  - menuitem /Text size/
  - menuitemcheckbox /Sound/
"""
FOCUSED = """() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element?.ariaLabel ?? element?.textContent?.trim() ?? "";
}"""
LISTEN = """log => {
    window.announced = [];
    const note = (records) => {
        for (const { addedNodes } of records)
            for (const node of addedNodes) if (node.textContent.trim()) announced.push(node.textContent.replace(/\\s+/g, " ").trim());
    };
    new MutationObserver(note).observe(log, { childList: true, subtree: true });
}"""
"""A log reads out what is added to it (WAI-ARIA 1.2, the default of aria-relevant)."""


class Bots(NamedTuple):
    service: Service
    backend: Backend


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bots]:
    folder = tmp_path_factory.mktemp("bots")
    backend = Backend(folder / "backend")
    nowhere = "http://127.0.0.1:9"
    bank = write_bank(folder, "northbank", f"{nowhere}/accounts", authentication(nowhere))
    bot = json.loads((bank / "bot.json").read_text("utf-8"))
    for channel in bot["channels"]:
        if channel["type"] == "web":
            channel["ask-rating"] = True
    (bank / "bot.json").write_text(json.dumps(bot), "utf-8")
    service = Service([copy_clinic(folder, backend.port), PRACTICE, bank], folder / "data")
    yield Bots(service, backend)
    service.stop()
    backend.stop()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(locale="en-US", reduced_motion="reduce")
    yield context.new_page()
    context.close()


def write(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Write a message…").fill(text)
    page.keyboard.press("Enter")


def finds(page: Page, snapshot: str) -> None:
    expect(page.locator("body")).to_match_aria_snapshot(snapshot)


def colour(page: Page, selector: str) -> str:
    found = page.locator(selector).first
    return str(found.evaluate("element => getComputedStyle(element).backgroundColor"))


def focused(page: Page) -> str:
    return str(page.evaluate(FOCUSED))


def test_a_chat_of_a_bot_without_a_welcome_says_what_the_bot_can_do(page: Page, bots: Bots) -> None:
    page.goto(f"{bots.service.url}/chat/northbank/web")
    finds(page, UNWRITTEN)
    assert focused(page) == "Write a message…"


def test_messages_are_read_out_once_each_and_history_is_not(page: Page, bots: Bots) -> None:
    page.goto(f"{bots.service.url}/chat/clinic/web")
    finds(page, GREETING)
    log = page.get_by_role("log")
    log.evaluate(LISTEN)
    page.get_by_role("button", name="Opening hours").focus()
    page.keyboard.press("Enter")
    finds(page, ANSWERED)
    # The replies are gone: who pressed one by keys goes on in the field.
    assert focused(page) == "Write a message…"
    announced = page.evaluate("announced")
    assert [text for text in announced if "Hello" in text] == []
    assert len([text for text in announced if "We are open" in text]) == 1
    assert [text for text in announced if "Sending" in text] == []
    page.reload()
    finds(page, ANSWERED)
    expect(log).to_have_attribute("aria-busy", "false")


def test_a_bot_at_work_is_typing(page: Page, bots: Bots) -> None:
    page.goto(f"{bots.service.url}/chat/clinic/web")
    bots.backend.process.send_signal(signal.SIGSTOP)
    try:
        write(page, "prices")
        finds(page, TYPING)
        page.emulate_media(forced_colors="active")
        assert colour(page, ".typing i") != colour(page, ".typing")
    finally:
        bots.backend.process.send_signal(signal.SIGCONT)
    finds(page, LIST_IN_MARKDOWN)


def test_what_is_not_sent_says_so_with_a_button_that_is_in_view(page: Page, bots: Bots) -> None:
    page.set_viewport_size({"width": 320, "height": 200})
    page.goto(f"{bots.service.url}/chat/clinic/web")
    finds(page, GREETING)
    page.context.set_offline(True)
    write(page, "opening hours")
    finds(page, OFFLINE)
    refused = {"title": "Refused", "detail": "Not today.", "code": "bad-body", "status": 400}
    page.route("**/web/messages", lambda route: route.fulfill(status=400, json=refused))
    page.context.set_offline(False)
    finds(page, FAILED)
    expect(page.get_by_role("button", name="Not sent · Retry")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(
    ("text", "opener", "snapshot", "focus"),
    [
        ("one choice", "Choose a specialist", ONE_CHOICE, "Search"),
        ("several choices", "Choose symptoms", SEVERAL_CHOICES, "Choose symptoms"),
        ("a day", "Choose a day", DAY, "20"),
        ("a place", "Choose a place", PLACE, "Use my position"),
    ],
)
def test_a_dialog_has_the_questions_name_and_gives_the_focus_back(
    page: Page, bots: Bots, text: str, opener: str, snapshot: str, focus: str
) -> None:
    page.goto(f"{bots.service.url}/chat/practice/web")
    write(page, text)
    button = page.get_by_role("button", name=opener)
    button.focus()
    page.keyboard.press("Enter")
    finds(page, snapshot)
    assert focus in focused(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(button).to_be_focused()


def test_cards_are_a_list_whose_buttons_say_which_card(page: Page, bots: Bots) -> None:
    page.goto(f"{bots.service.url}/chat/practice/web")
    write(page, "show cards")
    finds(page, CARDS)


def test_a_login_is_a_link(page: Page, bots: Bots) -> None:
    page.goto(f"{bots.service.url}/chat/northbank/web")
    write(page, BALANCE)
    finds(page, LOGIN)


def test_the_end_is_said_and_the_stars_are_one_choice(page: Page, bots: Bots) -> None:
    page.goto(f"{bots.service.url}/chat/northbank/web")
    write(page, "branch")
    expect(page.get_by_text("Which city?")).to_be_visible()
    write(page, "Oslo")
    finds(page, ENDED)


def test_the_end_and_the_stars_come_into_view_at_400_percent(page: Page, bots: Bots) -> None:
    page.set_viewport_size({"width": 320, "height": 200})
    page.goto(f"{bots.service.url}/chat/northbank/web")
    write(page, "branch")
    expect(page.get_by_text("Which city?")).to_be_visible()
    write(page, "Oslo")
    expect(page.get_by_text("This conversation has ended.")).to_be_in_viewport(ratio=1)
    score = page.get_by_role("radio", name="5 of 5")
    expect(score).to_be_in_viewport(ratio=1)
    score.click()
    expect(page.get_by_role("button", name="Done")).to_be_attached()
    expect(score).to_be_in_viewport(ratio=1)


def test_the_menu_takes_the_focus_and_gives_it_back(page: Page, bots: Bots) -> None:
    page.goto(f"{bots.service.url}/chat/clinic/web")
    button = page.get_by_role("button", name="Menu")
    button.focus()
    page.keyboard.press("Enter")
    finds(page, MENU)
    assert focused(page) == "Start over"
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_have_count(0)
    expect(button).to_be_focused()
