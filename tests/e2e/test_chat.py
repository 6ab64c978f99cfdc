"""The chat page as a patient uses it: booked by clicking, booked by typing, reloaded half-way, offline and back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.looks import axe, overflow, picture
from tests.live import Backend, Service, call, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

Parts = tuple[Service, Backend]
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


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


def test_what_is_written_while_the_service_is_away_is_sent_when_it_is_back(browser: Browser, mortal: Service) -> None:
    chat = Chat(browser, f"{mortal.url}/chat/clinic/web")
    chat.hears("What would you like to do?")
    mortal.kill()
    chat.write("opening hours")
    chat.hears("opening hours")
    again = mortal.again()
    try:
        answer = chat.page.get_by_role("log").get_by_text("We are open Monday to Friday")
        retry = chat.page.get_by_role("button", name="Retry")
        expect(answer.or_(retry)).to_be_visible(timeout=60_000)
        if retry.is_visible():
            # After a quarter of a minute the page leaves it to the user: a busy machine takes longer for a start.
            retry.click()
        expect(answer).to_be_visible()
        wait_until(lambda: again.history("clinic", "messages/_count", query={"From": "user"})["count"] == 1)
    finally:
        again.stop()
        chat.context.close()


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
