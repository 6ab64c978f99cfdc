"""Every dialog of the chat as a user meets it: by mouse, by keys alone, by touch; and the page that stands in for it."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.page_checks import SCHEMES, Scheme, axe, overflow, picture, scheme_at
from tests.live import Service

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PRACTICE = Path(__file__).parent / "practice"
PORTRAIT = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"><path fill="#89c2d9" d="M0 0h3v2H0z"/></svg>'
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
CARD: Any = {"name": "card.png", "mimeType": "image/png", "buffer": PNG}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
WIDTHS = (360, 768, 1280)
HERE = {"latitude": 53.5436, "longitude": 9.9673}


@pytest.fixture(scope="module")
def practice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = Service([PRACTICE], tmp_path_factory.mktemp("data"))
    yield service
    service.stop()


class Talk:
    """One browser with a chat of its own."""

    def __init__(self, browser: Browser, service: Service, **options: Any) -> None:
        self.service, self.errors = service, list[str]()
        desk = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB"}
        self.context = browser.new_context(**desk | options)
        self.context.route(
            "https://pictures.test/*", lambda route: route.fulfill(body=PORTRAIT, content_type="image/svg+xml")
        )
        self.page = self.open(f"{service.url}/chat/practice/web")

    def open(self, url: str) -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda line: self.errors.append(line.text) if line.type in ("error", "warning") else None)
        page.goto(url)
        return page

    def ask(self, text: str, answer: str) -> None:
        self.page.get_by_role("textbox", name="Write a message").fill(text)
        self.page.keyboard.press("Enter")
        self.hears(answer)

    def hears(self, text: str | re.Pattern[str]) -> None:
        expect(self.page.get_by_role("log").get_by_text(text).last).to_be_visible()

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, name: str) -> None:
        """Comes to a button by keys alone."""
        for _ in range(20):
            if self.button(name).evaluate("button => button.matches(':focus')"):
                return
            self.press("Shift+Tab")
        raise AssertionError(f"{name} is not reached by Tab")

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog")


@pytest.fixture
def talk(browser: Browser, practice: Service) -> Iterator[Talk]:
    talk = Talk(browser, practice)
    yield talk
    assert talk.errors == []
    talk.context.close()


@pytest.fixture
def phone(browser: Browser, practice: Service) -> Iterator[Talk]:
    talk = Talk(browser, practice, **PHONE, permissions=["geolocation"], geolocation=HERE)
    yield talk
    assert talk.errors == []
    talk.context.close()


# -- by mouse


def test_one_option_is_chosen_by_mouse(talk: Talk) -> None:
    talk.ask("one choice", "Which specialist?")
    talk.button("Choose a specialist").click()
    expect(talk.button("Select")).to_be_disabled()
    talk.page.get_by_role("combobox").fill("neur")
    talk.page.get_by_role("option", name="Neurology").click()
    talk.button("Select").click()
    talk.hears("You chose Neurology.")
    expect(talk.dialog).to_have_count(0)
    expect(talk.button("Choose a specialist")).to_have_count(0)


def test_a_list_at_the_end_of_a_long_chat_is_as_high_as_its_room_and_stays_so(talk: Talk) -> None:
    questions = talk.page.get_by_role("log").get_by_text("Which specialist?")
    for count in range(1, 6):
        talk.ask("one choice", "Which specialist?")
        expect(questions).to_have_count(count)
    talk.button("Choose a specialist").click()
    options = talk.page.get_by_role("listbox")
    expect(talk.page.get_by_role("combobox")).to_be_focused()
    before = options.evaluate("list => list.offsetHeight")
    assert before > 300
    talk.page.get_by_role("combobox").fill("neur")
    expect(talk.page.get_by_role("option", name="Radiology")).to_have_count(0)
    assert options.evaluate("list => list.offsetHeight") == before


def test_several_options_are_chosen_by_mouse(talk: Talk) -> None:
    talk.ask("several choices", "Which symptoms?")
    talk.button("Choose symptoms").click()
    for name in ("Headache", "Cough"):
        talk.page.get_by_role("option", name=name).click()
    talk.dialog.get_by_role("button", name="Chosen: 2").click()
    talk.hears(re.compile(r"You have: Cough\. Headache\."))


def test_a_day_is_chosen_by_mouse(talk: Talk) -> None:
    talk.ask("a day", "Which day?")
    talk.button("Choose a day").click()
    talk.button("Next year").click()
    talk.button("Previous month").click()
    day = talk.page.get_by_role("gridcell", name=re.compile(" 17 ")).first
    title = day.get_attribute("aria-label") or ""
    day.click()
    talk.button("Take it").click()
    talk.hears(re.compile(r"The day is noted: \d{4}"))
    assert re.search(r"\b17\b", title)


def test_a_place_is_typed_and_read_back(talk: Talk) -> None:
    talk.ask("a place", "Where are you?")
    talk.button("Choose a place").click()
    talk.page.get_by_text("Or enter coordinates").click()
    talk.page.get_by_label("Latitude").fill("53,5436")
    talk.page.get_by_label("Longitude").fill("9.9673 E")
    expect(talk.dialog.get_by_text("53.5436° north, 9.9673° east")).to_be_visible()
    talk.button("Send it").click()
    talk.hears("The place is noted.")
    talk.hears("53.5436° north, 9.9673° east")


def test_a_town_is_found_by_its_name_without_a_geocoder(talk: Talk) -> None:
    talk.ask("a place", "Where are you?")
    talk.button("Choose a place").click()
    talk.page.get_by_role("searchbox").fill("london")
    talk.button("Search").click()
    expect(talk.dialog.get_by_text("GeoNames, CC BY 4.0")).to_be_visible()
    talk.page.get_by_text("London, Canada").click()
    talk.button("Send it").click()
    talk.hears("The place is noted.")


def test_a_position_that_is_not_given_is_explained(talk: Talk) -> None:
    talk.ask("a place", "Where are you?")
    talk.button("Choose a place").click()
    talk.button("Use my position").click()
    expect(talk.dialog.get_by_text("does not let this page see your position")).to_be_visible()


def test_a_card_is_chosen_by_mouse(talk: Talk) -> None:
    talk.ask("show cards", "Which doctor?")
    talk.button("Next cards").click()
    talk.button("Book Dr. Tanaka").click()
    talk.hears("Booked with Dr. Tanaka.")


def test_a_photo_is_chosen_looked_at_and_sent(talk: Talk) -> None:
    talk.ask("a photo", "Please send a photo of your card.")
    with talk.page.expect_file_chooser() as chooser:
        talk.page.get_by_role("button", name="Attach a photo or file").first.click()
    chooser.value.set_files([CARD])
    expect(talk.button("Remove card.png")).to_be_visible()
    expect(talk.button("Send")).to_be_enabled()
    talk.button("Send").click()
    talk.hears("The photo is here.")
    picture = talk.page.get_by_role("img", name="card.png")
    expect(picture).to_be_visible()
    talk.page.reload()
    expect(picture).to_be_visible()
    # It has its place before its bytes have come.
    expect(picture).to_have_js_property("naturalWidth", 1)


@pytest.mark.parametrize("way", ["paste", "drop"])
def test_a_picture_is_taken_from_elsewhere(talk: Talk, way: str) -> None:
    talk.ask("a photo", "Please send a photo of your card.")
    talk.page.get_by_role("textbox").evaluate(
        """(field, [bytes, way]) => {
          const data = new DataTransfer();
          data.items.add(new File([new Uint8Array(bytes)], "card.png", {type: "image/png"}));
          const event = way === "paste"
            ? new ClipboardEvent("paste", {clipboardData: data, bubbles: true, composed: true, cancelable: true})
            : new DragEvent("drop", {dataTransfer: data, bubbles: true, composed: true, cancelable: true});
          field.dispatchEvent(event);
        }""",
        [list(PNG), way],
    )
    expect(talk.button("Send")).to_be_enabled()
    talk.press("Enter")
    talk.hears("The photo is here.")


def test_a_file_that_does_not_get_through_is_tried_again(talk: Talk) -> None:
    talk.ask("a photo", "Please send a photo of your card.")
    talk.page.route("**/web/files?*", lambda route: route.abort(), times=1)
    talk.page.locator("input[type=file]").set_input_files([CARD])
    talk.button("Retry").click()
    expect(talk.button("Send")).to_be_enabled()
    talk.button("Send").click()
    talk.hears("The photo is here.")
    assert [error for error in talk.errors if "ERR_FAILED" not in error] == []
    talk.errors.clear()


# -- by keys alone


def _one(talk: Talk) -> None:
    talk.tab_to("Choose a specialist")
    talk.press("Enter")
    expect(talk.page.get_by_role("combobox")).to_be_focused()
    talk.page.keyboard.type("opht")
    talk.press("Enter")


def _several(talk: Talk) -> None:
    talk.tab_to("Choose symptoms")
    talk.press("Enter")
    expect(talk.page.get_by_role("listbox")).to_be_focused()
    talk.press("Space", "End", "Space", "Tab")
    expect(talk.dialog.get_by_role("button", name="Chosen: 2")).to_be_focused()
    talk.press("Enter")


def _day(talk: Talk) -> None:
    talk.tab_to("Choose a day")
    talk.press("Enter")
    expect(talk.page.locator("td[aria-current=date]")).to_be_focused()
    talk.press("PageDown", "Home", "ArrowRight", "Enter")
    expect(talk.page.locator("td[aria-selected=true]")).to_be_focused()
    talk.press("Enter")


def _typed_day(talk: Talk) -> None:
    talk.tab_to("Choose a day")
    talk.press("Enter")
    expect(talk.page.locator("td[aria-current=date]")).to_be_focused()
    talk.page.get_by_label("Date").focus()
    talk.page.keyboard.type("12 May 2030")
    expect(talk.dialog.get_by_text("Sunday, 12 May 2030")).to_be_visible()
    talk.press("Enter")


def _place(talk: Talk) -> None:
    talk.tab_to("Choose a place")
    talk.press("Enter")
    expect(talk.button("Use my position")).to_be_focused()
    talk.press("Tab")
    talk.page.keyboard.type("-33.86, 151.2")
    talk.press("Enter")
    found = talk.page.get_by_role("radio", name="-33.86, 151.2")
    expect(found).to_be_visible()
    talk.press("Tab", "Tab", "Space")
    expect(found).to_be_checked()
    talk.press("Enter")


def _card(talk: Talk) -> None:
    talk.tab_to("Book Dr. Haddad")
    talk.press("ArrowRight", "Enter")


KEYS = [
    ("one choice", "Which specialist?", _one, "You chose Ophthalmology."),
    ("several choices", "Which symptoms?", _several, "You have: Cough. Headache."),
    ("a day", "Which day?", _day, "The day is noted: 2"),
    ("a day", "Which day?", _typed_day, "The day is noted: 2030.05.12."),
    ("a place", "Where are you?", _place, "The place is noted."),
    ("show cards", "Which doctor?", _card, "Booked with Dr. Lindqvist."),
]


@pytest.mark.parametrize(
    ("text", "question", "answer", "end"), KEYS, ids=lambda value: getattr(value, "__name__", None)
)
def test_keys_alone_are_enough(talk: Talk, text: str, question: str, answer: Callable[[Talk], None], end: str) -> None:
    talk.ask(text, question)
    answer(talk)
    talk.hears(end)
    expect(talk.page.get_by_role("textbox")).to_be_focused()


def test_escape_closes_a_dialog_and_gives_the_focus_back(talk: Talk) -> None:
    talk.ask("one choice", "Which specialist?")
    talk.tab_to("Choose a specialist")
    talk.press("Enter")
    expect(talk.page.get_by_role("combobox")).to_be_focused()
    talk.press("Escape")
    expect(talk.dialog).to_have_count(0)
    expect(talk.button("Choose a specialist")).to_be_focused()


def test_the_focus_stays_in_an_open_dialog(talk: Talk) -> None:
    talk.ask("several choices", "Which symptoms?")
    talk.button("Choose symptoms").click()
    expect(talk.page.get_by_role("listbox")).to_be_focused()
    for _ in range(6):
        talk.press("Tab")
        inside = talk.page.evaluate(
            """() => {
              let at = document.activeElement;
              const names = [];
              for (; at; at = at.shadowRoot?.activeElement) names.push(at.localName);
              return names.includes("dialoom-sheet") || names.length < 2;
            }"""
        )
        assert inside


# -- by touch


def test_dialogs_by_touch(phone: Talk) -> None:
    phone.ask("one choice", "Which specialist?")
    phone.button("Choose a specialist").tap()
    expect(phone.dialog).to_be_visible()
    # A field with the focus would bring the keyboard up over the sheet.
    expect(phone.page.get_by_role("combobox")).not_to_be_focused()
    phone.page.get_by_role("option", name="Cardiology").tap()
    phone.button("Select").tap()
    phone.hears("You chose Cardiology.")

    phone.ask("several choices", "Which symptoms?")
    phone.button("Choose symptoms").tap()
    for name in ("Fever", "Cough", "Fever"):
        phone.page.get_by_role("option", name=name).tap()
    phone.dialog.get_by_role("button", name="Chosen: 1").tap()
    phone.hears("You have: Cough.")

    phone.ask("a day", "Which day?")
    phone.button("Choose a day").tap()
    phone.button("Next month").tap()
    phone.page.get_by_role("gridcell", name=re.compile(" 17 ")).first.tap()
    phone.button("Take it").tap()
    phone.hears("The day is noted")

    phone.ask("a place", "Where are you?")
    phone.button("Choose a place").tap()
    phone.button("Use my position").tap()
    expect(phone.dialog.get_by_text("53.5436° north, 9.9673° east")).to_be_visible()
    phone.button("Send it").tap()
    phone.hears("The place is noted.")

    phone.ask("show cards", "Which doctor?")
    phone.button("Book Dr. Haddad").tap()
    phone.hears("Booked with Dr. Haddad.")


def test_a_tap_beside_the_sheet_closes_it(phone: Talk) -> None:
    phone.ask("several choices", "Which symptoms?")
    phone.button("Choose symptoms").tap()
    expect(phone.dialog).to_be_visible()
    phone.page.touchscreen.tap(180, 30)
    expect(phone.dialog).to_have_count(0)


# -- what is open and what is over


def test_an_open_dialog_closes_when_another_tab_has_answered(talk: Talk) -> None:
    talk.ask("one choice", "Which specialist?")
    talk.button("Choose a specialist").click()
    expect(talk.dialog).to_be_visible()
    other = talk.open(f"{talk.service.url}/chat/practice/web")
    other.get_by_role("textbox").fill("Radiology")
    other.keyboard.press("Enter")
    talk.hears("You chose Radiology.")
    expect(talk.dialog).to_have_count(0)


# -- looks


@pytest.mark.parametrize("width", WIDTHS)
def test_open_dialogs_look_right_and_axe_finds_nothing(browser: Browser, practice: Service, width: int) -> None:
    size = PHONE if width == 360 else {"viewport": {"width": width, "height": 800}}
    talk = Talk(browser, practice, reduced_motion="reduce", **size)
    found = {}
    for text, question, opener in (
        ("one choice", "Which specialist?", "Choose a specialist"),
        ("several choices", "Which symptoms?", "Choose symptoms"),
        ("a day", "Which day?", "Choose a day"),
        ("a place", "Where are you?", "Choose a place"),
        ("show cards", "Which doctor?", None),
        ("a photo", "Please send a photo", None),
    ):
        talk.ask(text, question)
        if opener:
            talk.button(opener).click()
            expect(talk.dialog).to_be_visible()
            box = talk.page.locator("dialoom-sheet .panel").bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
        scheme = scheme_at(text, WIDTHS.index(width))
        talk.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        picture(talk.page, f"dialog-{text.replace(' ', '-')}-{scheme}-{width}")
        if problems := axe(talk.page):
            found[text, scheme] = problems
        if opener:
            talk.press("Escape")
            expect(talk.dialog).to_have_count(0)
        assert overflow(talk.page) <= 0
    assert found == {}
    assert talk.errors == []
    talk.context.close()


# -- in somebody's page


def test_the_widget_gets_its_dialogs_from_the_service(browser: Browser, practice: Service) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    token = practice.tokens["token of web"]
    policy = f"default-src 'none'; script-src 'nonce-n1'; connect-src {practice.url}; img-src data:"
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda line: errors.append(line.text) if "favicon" not in line.location["url"] else None)
    body = (
        '<!doctype html><html lang="en"><title>A shop</title><main><h1>A shop</h1></main><script nonce="n1" '
        f'src="{practice.url}/static/widget.js" data-bot="practice" data-channel="web" data-token="{token}" '
        'data-name="Harbour Practice" data-locale="de"></script></html>'
    )
    headers = {"content-type": "text/html", "content-security-policy": policy}
    page.route("http://localhost:9/", lambda route: route.fulfill(body=body, headers=headers))
    page.goto("http://localhost:9/")
    page.get_by_role("button", name="Chat mit Harbour Practice").click()
    page.get_by_role("textbox").fill("one choice")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Choose a specialist").click()
    expect(page.get_by_role("combobox")).to_be_focused()
    frame, sheet = page.locator(".window").bounding_box(), page.locator("dialoom-sheet .panel").bounding_box()
    assert frame is not None
    assert sheet is not None
    assert (sheet["x"], sheet["width"]) == (frame["x"], frame["width"])
    picture(page, "widget-dialog")
    assert axe(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("combobox")).to_have_count(0)
    expect(page.get_by_role("textbox")).to_be_visible()
    page.get_by_role("button", name="Choose a specialist").click()
    page.get_by_role("option", name="Radiology").dblclick()
    expect(page.get_by_text("You chose Radiology.")).to_be_visible()
    assert errors == []
    context.close()


# -- the page that stands in for a dialog


def _ticket(service: Service, sender: str, text: str) -> str:
    (*_, message) = service.say("practice", sender, text).json
    return str(message["template"]["buttons"][0]["url"])


def test_a_question_is_answered_on_its_own_page_once(browser: Browser, practice: Service) -> None:
    practice.say("practice", "p1", "hello")
    address = _ticket(practice, "p1", "one choice")
    context = browser.new_context(viewport={"width": 768, "height": 900}, locale="en-GB")
    page = context.new_page()
    page.goto(address)
    expect(page.get_by_text("Which specialist?")).to_be_visible()
    assert axe(page) == []
    page.get_by_role("option", name="Radiology").click()
    page.get_by_role("button", name="Select").click()
    expect(page.get_by_text("Thank you, your answer has arrived.")).to_be_visible()
    assert axe(page) == []
    page.reload()
    expect(page.get_by_text("This question has been answered")).to_be_visible()
    assert axe(page) == []
    context.close()


def test_a_day_is_chosen_on_its_own_page_by_keys(browser: Browser, practice: Service) -> None:
    practice.say("practice", "p2", "hello")
    address = _ticket(practice, "p2", "a day")
    context = browser.new_context(**PHONE, locale="en-GB")
    page = context.new_page()
    page.goto(address)
    page.get_by_label("Date").focus()
    page.keyboard.type("2030-05-12")
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        assert axe(page) == []
        picture(page, f"picker-day-{scheme}-360")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Thank you, your answer has arrived.")).to_be_visible()
    context.close()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_question_can_be_read_without_script(browser: Browser, practice: Service, scheme: Scheme) -> None:
    practice.say("practice", f"p3-{scheme}", "hello")
    address = _ticket(practice, f"p3-{scheme}", "one choice")
    context = browser.new_context(
        **PHONE,
        locale="en-GB",
        java_script_enabled=False,
        color_scheme=scheme,
    )
    page = context.new_page()
    page.goto(address)
    expect(page.get_by_role("heading")).to_have_text("Harbour Practice")
    expect(page.get_by_text("Which specialist?")).to_be_visible()
    # Scripts that the driver switches off do not make Chromium show <noscript>: that it is there is all that can be seen.
    assert "JavaScript" in page.content()
    picture(page, f"picker-no-script-{scheme}-360")
    practice.say("practice", f"p3-{scheme}", "Radiology")
    page.reload()
    expect(page.get_by_text("This question has been answered")).to_be_visible()
    assert "JavaScript" not in page.content()
    context.close()
