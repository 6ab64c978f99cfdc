"""The studio's Conversations and Insights as people use them: found, read, tried again, exported, erased, counted."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.page_checks import axe, overflow, picture, scheme_at
from tests.e2e.studio_records import fill
from tests.e2e.studio_visit import EXAMPLES, SIZES, Visit
from tests.live import Service

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOM = "/studio/shop/conversations"
LIST = ("dialoom-studio", "studio-conversations")
NUMBERS = ("dialoom-studio", "studio-insights")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, studio_store: dict[str, str]) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("conversations")
    service = Service([EXAMPLES / "blank", EXAMPLES / "shop"], folder / "data", environment=studio_store)
    fill(service, folder)
    yield service
    service.stop()


class Room(Visit):
    before = ""

    def __init__(self, browser: Browser, service: Service, session: Any, address: str = ROOM, **options: Any) -> None:
        super().__init__(browser, service, f"{service.url}{address}", storage_state=session, **options)

    @property
    def rows(self) -> Any:
        return self.page.locator("tbody tr")

    def row(self, name: str) -> Any:
        return self.rows.filter(has_text=name).first


@pytest.fixture
def room(browser: Browser, service: Service, session: Any) -> Iterator[Room]:
    room = Room(browser, service, session)
    expect(
        room.page.get_by_text("240 conversations").or_(room.page.get_by_text(re.compile(r"2[34]\d conv")))
    ).to_be_visible()
    yield room
    assert room.errors == []
    room.context.close()


def test_controls_make_a_query_that_can_be_edited(room: Room) -> None:
    page = room.page
    page.get_by_label("Status").select_option("failure")
    expect(page.locator("td .status.failure").first).to_be_visible()
    expect(page.locator("td .status:not(.failure)")).to_have_count(0)
    assert page.url.endswith("?state=failure")
    room.button("Not understood").click()
    room.button("Query").click()
    area = page.get_by_label("Query", exact=True)
    expect(area).to_have_value('{\n  "Status": "failure",\n  "Data.notUnderstood": {"$gt":0}\n}')
    area.fill('{\n  "Status": "success",\n  "Errors": {"$size": "x"}\n}')
    room.button("Apply").click()
    # The browser says so itself, too.
    expect(page.get_by_role("alert").filter(has_text="Line 3: ")).to_be_visible()
    marked = area.evaluate("area => area.value.slice(area.selectionStart, area.selectionEnd)")
    assert marked == '"$size": "x"'
    room.errors.clear()
    area.fill('{"Status": "success", "User": "guest-0001"')
    room.button("Apply").click()
    expect(page.get_by_role("alert").filter(has_text="This is no JSON")).to_be_visible()
    area.fill('{"Status": {"$in": ["success", "closed"]}}')
    room.button("Apply").click()
    expect(page.get_by_text("Own query")).to_be_visible()
    expect(page.locator("td .status:not(.success, .closed)")).to_have_count(0)
    page.reload()
    expect(page.get_by_text("Own query")).to_be_visible()
    room.button("Back to the controls").click()
    expect(page.get_by_label("Status")).to_have_value("")


def test_what_was_said_and_who_said_it_is_found(room: Room) -> None:
    page = room.page
    page.get_by_label("Find what was said, or who").fill("with otters")
    expect(page.locator("td.notes").first).to_contain_text("not understood")
    expect(page.locator("td.notes:empty")).to_have_count(0)
    page.get_by_label("Find what was said, or who").fill("friederike")
    expect(room.rows).to_have_count(1)
    page.get_by_label("Find what was said, or who").fill("nobody at all")
    expect(page.get_by_role("heading", name="Nothing matches this filter")).to_be_visible()
    room.button("Show all").click()
    expect(room.rows.nth(10)).to_be_visible()


def test_keys_walk_through_the_list_and_a_long_one_goes_on(room: Room) -> None:
    page = room.page
    expect(room.rows).to_have_count(50)
    first = room.rows.first.get_by_role("link")
    first.click()
    transcript = page.get_by_role("region", name="Transcript")
    expect(transcript).to_contain_text("I want a mug")
    expect(transcript).to_contain_text("Conversation order 93%")
    before = page.url
    first.focus()
    page.keyboard.press("ArrowDown")
    expect(room.rows.nth(1).get_by_role("link")).to_be_focused()
    expect(page).not_to_have_url(before)
    page.keyboard.press("End")
    expect(room.rows).to_have_count(100)


def test_a_new_conversation_waits_until_it_is_asked_for_and_a_running_one_grows(room: Room) -> None:
    page = room.page
    top = room.rows.first.inner_text()
    room.service.say("shop", "ada", "I want to order a mug")
    fresh = page.get_by_role("button", name=re.compile("new conversation"))
    expect(fresh).to_be_visible(timeout=15_000)
    assert room.rows.first.inner_text() == top
    fresh.click()
    row = room.rows.first
    expect(row).to_contain_text("Ada Lovelace")
    row.get_by_role("link").click()
    transcript = page.get_by_role("region", name="Transcript")
    expect(transcript).to_contain_text("I want to order a mug")
    room.service.say("shop", "ada", "a purple submarine")
    expect(transcript).to_contain_text("a purple submarine", timeout=15_000)
    expect(row).to_contain_text("1 not understood")


def test_a_turn_is_opened_in_a_try_out_and_a_step_in_build(room: Room) -> None:
    page = room.page
    page.evaluate("addEventListener('studio-try', event => window.tried = event.talk, true)")
    room.row("Goal reached").get_by_role("link").click()
    with page.expect_response(re.compile("/try-out$")) as asked:
        page.get_by_role("button", name=re.compile("^Try from here: ")).first.click()
    assert asked.value.json()["turns"] == [{"sequence": 1, "text": "I want a mug"}]
    page.wait_for_function("window.tried")
    tried = page.evaluate("window.tried")
    assert (tried["turns"], tried["channel"], tried["calls"]) == ([{"text": "I want a mug"}], "web", "mocked")
    # What the try-out itself asks for is its own tests' subject.
    room.errors[:] = [line for line in room.errors if "404" not in line]


def test_a_conversation_is_exported_and_its_user_erased_with_a_receipt(room: Room) -> None:
    page = room.page
    page.get_by_label("Find what was said, or who").fill("guest-0007")
    expect(room.rows).to_have_count(1)
    room.rows.first.get_by_role("link").click()
    with page.expect_download() as loaded:
        page.get_by_role("link", name="Export").click()
    export = json.loads(loaded.value.path().read_text())
    assert loaded.value.suggested_filename == "conversation-made-0007.json"
    assert [message["Sequence"] for message in export["messages"]][:4] == [1, 2, 3, 4]
    room.button("Erase user").click()
    expect(room.button("Keep")).to_be_focused()
    page.keyboard.press("Escape")
    room.button("Erase user").click()
    picture(page, "studio-conversations-erase")
    assert axe(page, *LIST) == []
    room.button("Erase").click()
    expect(page.get_by_role("heading", name="The user is erased")).to_be_focused()
    picture(page, "studio-conversations-receipt")
    room.button("Close").click()
    expect(page.get_by_role("heading", name="Nothing matches this filter")).to_be_visible()


def test_numbers_lead_to_their_conversations(room: Room) -> None:
    page = room.page
    page.get_by_role("link", name="Insights").click()
    step = page.get_by_role("link", name=re.compile("order.0\\. Show these"))
    number = step.inner_text()
    step.click()
    expect(page.get_by_text(f"{number} conversations")).to_be_visible()
    expect(page.locator("td .status:not(.abandoned, .failure, .active)")).to_have_count(0)
    page.go_back()
    page.get_by_label("Channel", exact=True).select_option("mobile")
    expect(page.get_by_role("region", name="By channel").locator("tbody tr")).to_have_count(1)


def test_a_bot_without_conversations_says_what_to_do(browser: Browser, service: Service, session: Any) -> None:
    room = Room(browser, service, session, "/studio/blank/conversations")
    expect(room.page.get_by_role("heading", name="No conversations yet")).to_be_visible()
    picture(room.page, "studio-conversations-none")
    assert axe(room.page, *LIST) == []
    room.page.get_by_role("link", name="Insights").click()
    expect(room.page.get_by_role("heading", name="Nothing to count in this period")).to_be_visible()
    assert axe(room.page, *NUMBERS) == []
    assert room.errors == []
    room.context.close()


@pytest.mark.parametrize(("width", "height"), SIZES, ids=str)
def test_both_rooms_read_well(browser: Browser, service: Service, session: Any, width: int, height: int) -> None:
    looks = {"viewport": {"width": width, "height": height}, "reduced_motion": "reduce"}
    # German words are the longer ones: in the narrow window.
    room = Room(browser, service, session, **looks, locale="de-DE" if width == 360 else "en-GB")
    page: Page = room.page

    def looks_well(state: str) -> None:
        scheme = scheme_at(state, SIZES.index((width, height)))
        page.emulate_media(color_scheme=scheme)
        picture(page, f"studio-{state}-{width}-{scheme}")
        assert axe(page, *(NUMBERS if state == "insights" else LIST)) == [], state
        assert overflow(page) <= 0, state

    expect(room.rows.nth(20)).to_be_attached()
    looks_well("conversations")
    page.get_by_role("button", name=re.compile("Query|Abfrage")).click()
    looks_well("query")
    page.get_by_role("button", name=re.compile("Query|Abfrage")).click()
    room.row(re.compile("Failed|Fehlgeschlagen")).get_by_role("link").click()
    # That of a made record, or of the talk of another test.
    expect(page.get_by_text(re.compile("I want (a|to order a) mug")).first).to_be_visible()
    looks_well("transcript")
    page.goto(f"{service.url}/studio/shop/insights")
    expect(page.locator("dl.figures")).to_be_visible()
    looks_well("insights")
    page.screenshot(path=f"test-results/studio-insights-whole-{width}.png", full_page=True)
    assert room.errors == []
    room.context.close()
