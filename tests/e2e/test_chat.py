"""The chat page as a patient uses it: booked by clicking, booked by typing, reloaded half-way, offline and back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.held_request import HeldRequest
from tests.e2e.page_checks import SCHEMES, axe, overflow, picture
from tests.live import Backend, Service, call, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

Parts = tuple[Service, Backend]


class Chat:
    """One browser window with the clinic's chat."""

    def __init__(self, browser: Browser, url: str, **options: Any) -> None:
        self.errors: list[str] = []
        desk = {"viewport": {"width": 1280, "height": 800}, "locale": "en-US"}
        self.context = browser.new_context(**desk | options)
        self.page: Page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on(
            "console", lambda line: self.errors.append(line.text) if line.type in ("error", "warning") else None
        )
        self.page.goto(url)

    def pick(self, name: str | re.Pattern[str], nth: int = 0) -> str:
        button = self.page.get_by_role("button", name=name).nth(nth)
        title = button.inner_text()
        button.click()
        return title

    def write(self, text: str) -> None:
        self.page.get_by_role("textbox").fill(text)
        self.page.keyboard.press("Enter")

    def hears(self, text: str | re.Pattern[str]) -> None:
        expect(self.page.get_by_role("log").get_by_text(text).last).to_be_visible()


@pytest.fixture
def chat(browser: Browser, served: Parts) -> Iterator[Chat]:
    chat = Chat(browser, f"{served[0].url}/chat/clinic/web")
    yield chat
    chat.context.close()


def _check_record(service: Service, said: list[str]) -> None:
    (record,) = service.history("clinic", "conversations", query={"Status": "success"}, sort={"StartedAt": -1}, limit=1)
    assert (record["Goal"], record["Errors"], record["Data"]["channel"]["ProviderName"]) == (
        "book-appointment",
        0,
        "web",
    )
    messages = service.history("clinic", "messages", query={"Conversation": record["_id"]}, sort={"Sequence": 1})
    assert [message["Sequence"] for message in messages] == list(range(1, len(messages) + 1))
    assert [message["Text"] for message in messages if message["From"] == "user"] == said
    bot = sum(1 for message in messages if message["From"] == "bot")
    assert record["Messages"] == {"user": len(said), "bot": bot}


def test_books_by_clicking_with_a_reload_half_way(chat: Chat, served: Parts) -> None:
    service, backend = served
    said = [chat.pick("Book an appointment"), chat.pick("Dermatology"), chat.pick(re.compile("^Dr. Anna Weber"))]
    chat.hears("On which day?")
    chat.page.reload()
    chat.hears("Hello, this is the Lindenhof Clinic.")
    chat.hears("On which day?")
    said.append(chat.pick(re.compile(r"^(Mon|Tue|Wed|Thu|Fri|Sat), ")))
    chat.hears("At what time")
    said.append(chat.pick(re.compile("^Next 5")))
    # The page changes in its place: a title that is read too early is another's when it is clicked.
    expect(chat.page.get_by_role("button", name="Prev 5")).to_be_visible()
    said.append(chat.pick(re.compile(r"^\d\d:\d\d$")))
    chat.hears("What is your name?")
    for text in ("Ada O'Neil\"]})", "+49 30 5550123"):
        chat.write(text)
        said.append(text)
        chat.hears(text)
    chat.hears("Shall I book it?")
    picture(chat.page, "confirm")
    said.append(chat.pick("Yes"))
    chat.hears("It is booked")
    booking = backend.bookings()[-1]
    assert (booking["name"], booking["calls"]) == ("Ada O'Neil\"]})", 1)
    _check_record(service, said)
    assert chat.errors == []


def test_books_by_typing(chat: Chat, served: Parts) -> None:
    service, backend = served
    # The first day is clicked in another test.
    day = call("GET", f"{backend.url}/days?doctor=weber").json[1]
    texts = [
        f"I need a skin doctor, Dr. Anna Weber, on {day} at 10:30",
        "Grace Hopper",
        "030 5550123",
        "yes please",
    ]
    for text, answer in zip(
        texts, ("What is your name?", "phone number", "Shall I book it?", "It is booked"), strict=True
    ):
        chat.write(text)
        chat.hears(answer)
    booking = backend.bookings()[-1]
    assert (booking["date"], booking["time"], booking["name"]) == (day, "10:30", "Grace Hopper")
    _check_record(service, texts)
    assert chat.errors == []


def test_a_second_tab_shows_the_same_chat(chat: Chat, served: Parts) -> None:
    # Tabs know one another by what the first one keeps when its chat has begun.
    chat.hears("What would you like to do?")
    other = chat.context.new_page()
    other.goto(f"{served[0].url}/chat/clinic/web")
    chat.pick("Opening hours")
    expect(other.get_by_role("log").get_by_text("We are open Monday to Friday")).to_be_visible()
    chat.hears("We are open Monday to Friday")
    assert chat.errors == []


def test_two_tabs_that_open_in_one_instant_show_the_same_chat(browser: Browser, served: Parts) -> None:
    url = f"{served[0].url}/chat/clinic/web"
    context = browser.new_context(locale="en-US")
    held = HeldRequest(context, "**/web/sessions")
    first, second = context.new_page(), context.new_page()
    for page in (first, second):
        page.goto(url, wait_until="commit")
    # The second one waits for its turn no longer than it must: its patience has an end.
    second.wait_for_function("async () => (await navigator.locks.query()).pending.length === 1")
    held.go_on(first)
    for page in (first, second):
        expect(page.get_by_role("button", name="Opening hours")).to_be_visible()
    first.get_by_role("button", name="Opening hours").click()
    for page in (first, second):
        expect(page.get_by_role("log").get_by_text("We are open Monday to Friday")).to_be_visible()
    context.close()


@pytest.fixture
def away(browser: Browser, mortal: Service) -> Iterator[Chat]:
    """Something was written while the service was away. The first try has failed, and the page's clock stands: when it
    tries again is the test's to say, however long the service takes for its start."""
    chat = Chat(browser, f"{mortal.url}/chat/clinic/web")
    chat.page.clock.install()
    chat.page.reload()
    chat.hears("What would you like to do?")
    mortal.kill()
    chat.page.clock.pause_at(chat.page.evaluate("Date.now() / 1000 + 60"))
    with chat.page.expect_event("requestfailed", lambda request: request.url.endswith("/web/messages")):
        chat.write("opening hours")
    chat.hears("opening hours")
    yield chat
    chat.context.close()


def said(service: Service) -> int:
    """How much users have said."""
    return int(service.history("clinic", "messages/_count", query={"From": "user"})["count"])


def test_what_is_written_while_the_service_is_away_is_sent_by_itself_when_it_is_back(
    away: Chat, mortal: Service
) -> None:
    again = mortal.again()
    try:
        assert said(again) == 0
        away.page.clock.resume()
        away.hears("We are open Monday to Friday")
        expect(away.page.get_by_role("button", name="Retry")).to_have_count(0)
        wait_until(lambda: said(again) == 1)
    finally:
        again.stop()


def test_a_page_that_has_given_up_sends_at_a_press_and_never_by_itself(away: Chat, mortal: Service) -> None:
    retry = away.page.get_by_role("button", name="Retry")
    for _ in range(100):
        if retry.is_visible():
            break
        # The longest of its pauses; what it asks for meanwhile needs a moment of the real time.
        away.page.clock.run_for(8000)
        away.page.wait_for_timeout(30)
    again = mortal.again()
    try:
        away.page.clock.resume()
        expect(retry).to_be_visible()
        assert said(again) == 0
        retry.click()
        away.hears("We are open Monday to Friday")
        wait_until(lambda: said(again) == 1)
    finally:
        again.stop()


@pytest.mark.parametrize(("width", "height"), [(360, 740), (768, 900), (1280, 800)])
def test_looks_right_and_axe_finds_nothing(browser: Browser, served: Parts, width: int, height: int) -> None:
    size = {"width": width, "height": height}
    chat = Chat(browser, f"{served[0].url}/chat/clinic/web", viewport=size, reduced_motion="reduce")
    chat.pick("Book an appointment")
    chat.pick("General practice")
    chat.hears("Which doctor would you like to see?")
    expect(chat.page.get_by_role("button", name=re.compile("^Next 5"))).to_be_visible()
    for scheme in SCHEMES:
        chat.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        picture(chat.page, f"chat-{scheme}-{width}")
        assert overflow(chat.page) <= 0
        assert axe(chat.page) == []
    assert chat.errors == []
    chat.context.close()


def test_the_bot_s_head_is_there_before_the_script_and_stays_where_it_is(browser: Browser, served: Parts) -> None:
    context = browser.new_context(viewport={"width": 768, "height": 900}, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{served[0].url}/chat/clinic/web")
    before = page.get_by_role("heading", level=1).bounding_box(), page.locator(".avatar").first.bounding_box()
    picture(page, "chat-before-script")
    context.close()
    chat = Chat(browser, f"{served[0].url}/chat/clinic/web", viewport={"width": 768, "height": 900})
    expect(chat.page.get_by_role("textbox")).to_be_visible()
    name, avatar = chat.page.get_by_role("heading", level=1), chat.page.locator("dialoom-chat section .avatar").first
    after = name.bounding_box(), avatar.bounding_box()
    for box, other in zip(before, after, strict=True):
        assert box is not None
        assert other is not None
        assert (box["x"], box["y"], box["height"]) == (other["x"], other["y"], other["height"])
    chat.context.close()
