"""A hand-off between two people and a user, each in a browser of their own: the user's is the hosted chat page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.page_checks import SCHEMES, axe, overflow, picture
from tests.e2e.studio_visit import Visit
from tests.http.support import BOT, TRAINING, write_bot
from tests.live import Service
from tests.service.outbox.test_hand_over import handing_over

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

ROOM = ("dialoom-studio", "studio-hand-off")
WIDTHS = ((1280, 800), (360, 740))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, studio_store: dict[str, str]) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("hand-off")
    service = Service(
        [write_bot(folder / "tea", BOT, handing_over(), TRAINING)], folder / "data", environment=studio_store
    )
    yield service
    service.stop()


class Desk(Visit):
    """A person's browser."""

    before = ""

    @classmethod
    def of(cls, browser: Browser, service: Service, name: str) -> Desk:
        desk = cls(browser, service, service.studio_link("agent", name))
        desk.comes_in()
        desk.opens("hand-off", "tea")
        expect(desk.page.get_by_text(f"You answer as {name}")).to_be_visible()
        return desk

    def row(self, text: str) -> None:
        self.page.locator(".row").filter(has_text=text).first.click()


def waiting_user(browser: Browser, service: Service) -> Page:
    page = browser.new_context(locale="en-GB").new_page()
    page.goto(f"{service.url}/chat/tea/web")
    for text in ("tea", "a refund"):
        say(page, text)
    expect(page.get_by_text("Someone will be with you.")).to_be_visible()
    return page


def say(page: Page, text: str) -> None:
    field = page.get_by_role("textbox")
    field.fill(text)
    field.press("Enter")
    expect(page.get_by_text(text, exact=True).last).to_be_visible()


def test_two_people_and_a_user(browser: Browser, service: Service) -> None:
    user = waiting_user(browser, service)
    expect(user.get_by_text("Waiting for a person…")).to_be_visible()
    ada, ben = Desk.of(browser, service, "Ada"), Desk.of(browser, service, "Ben")
    say(user, "is anybody there?")
    expect(ben.page).to_have_title(re.compile(r"^\(1\) "))
    ada.page.keyboard.press("ArrowDown")
    ben.row("is anybody there?")
    expect(ada.page.get_by_role("log").get_by_text("is anybody there?")).to_be_visible()
    expect(ben.button("Take")).to_be_visible()
    ada.page.keyboard.press("t")
    field = ada.page.get_by_label("Answer", exact=True)
    field.fill("I am. How can I help?")
    field.press("Enter")
    expect(field).to_have_value("")
    expect(user.get_by_text("I am. How can I help?")).to_be_visible()
    expect(user.get_by_text("You are talking to Ada")).to_be_visible()
    expect(user.get_by_text("Ada", exact=True)).to_be_visible()
    picture(user, "hand-off-user")
    expect(ben.page.get_by_text("Ada has this chat. You can leave a note.")).to_be_visible()
    ben.page.get_by_label("New note").fill("She was here last week.")
    ben.button("Add note").click()
    expect(ada.page.get_by_text("She was here last week.")).to_be_visible()
    say(user, "my tea was cold")
    expect(ada.page.get_by_role("log").get_by_text("my tea was cold")).to_be_visible()
    for scheme in SCHEMES:
        for width, height in WIDTHS:
            ada.page.emulate_media(color_scheme=scheme)
            ada.page.set_viewport_size({"width": width, "height": height})
            picture(ada.page, f"hand-off-{scheme}-{width}")
            assert overflow(ada.page) == 0
            assert axe(ada.page, *ROOM) == []
    ada.page.set_viewport_size({"width": 1280, "height": 800})
    ada.button("Give back to the bot").click()
    expect(ada.page.get_by_text("Nobody waits")).to_be_visible()
    expect(user.get_by_text("You are talking to Ada")).to_have_count(0)
    say(user, "thank you")
    expect(user.get_by_text("All well?")).to_be_visible()
    # Ben's page may have asked for the chat at the very moment at which it was over.
    assert (ada.errors, [error for error in ben.errors if "404 (Not Found)" not in error]) == ([], [])
    for desk in (ada, ben):
        desk.context.close()
    user.context.close()


def test_several_chats_count_what_was_not_read(browser: Browser, service: Service) -> None:
    first, second = waiting_user(browser, service), waiting_user(browser, service)
    desk = Desk.of(browser, service, "Ada")
    expect(desk.page.get_by_role("heading", name="Waiting (2)")).to_be_visible()
    rows = desk.page.locator(".row")
    rows.first.click()
    desk.button("Take").click()
    expect(desk.page.get_by_role("heading", name="Yours (1)")).to_be_visible()
    rows.first.click()
    desk.button("Take").click()
    expect(desk.page.get_by_role("heading", name="Yours (2)")).to_be_visible()
    for page in (first, second):
        say(page, "hello?")
    expect(desk.page.locator(".unread")).to_have_count(1)
    picture(desk.page, "hand-off-two")
    desk.page.locator(".row", has=desk.page.locator(".unread")).click()
    expect(desk.page.locator(".unread")).to_have_count(0)
    say(first, "restart")
    expect(desk.page.get_by_role("heading", name="Yours (1)")).to_be_visible()
    say(second, "restart")
    expect(desk.page.get_by_text("Nobody waits")).to_be_visible()
    assert desk.errors == []
    desk.context.close()
    for page in (first, second):
        page.context.close()
