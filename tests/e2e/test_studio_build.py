"""Build in a browser: the outline by keys, the form, the JSON, findings, saving, merging, the map."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.fake_drafts import FakeDrafts
from tests.e2e.page_checks import axe, overflow, picture
from tests.e2e.test_studio import new_link
from tests.live import ROOT, Service

if TYPE_CHECKING:
    from collections.abc import Iterator

BOT = "blank"
FLOW = """{
  "conversations": {
    "welcome": {
      "type": "support",
      "steps": [
        { "type": "message",   "messages": ["Hello!", "Good day!"] },
        { "type": "command", "command": "go-to book" }
      ]
    },
    "book": {
      "type": "goal",
      "display-name": "your booking",
      "steps": [
        {
          "type": "question",
          "entity": "day",
          "entity-type": "Date",
          "messages": ["When?"],
          "display": { "type": "quickreply", "data": ["Today", "Tomorrow"] }
        },
        { "type": "question", "entity": "name", "entity-type": "Text", "messages": ["Who?"], "conditions": ["{{$has day}}"] },
        { "type": "message", "messages": ["Booked for {{name}}."] }
      ]
    }
  }
}
"""
FILES = {"bot.json": '{ "id": "blank", "name": "Blank" }\n', "flow.json": FLOW}
FINDING = {
    "file": "flow.json",
    "path": "conversations/book/steps/0/display/type",
    "rule": "unknown-tag",
    "message": '"quickreply" is no display. Did you mean "quick-reply"?',
    "level": "error",
    "line": 18,
    "column": 33,
    "isFixable": True,
}
BOXES = [
    {
        "key": "book",
        "title": "your booking",
        "isGoal": True,
        "rows": [{"kind": "ask", "text": "day: Date", "jump": None, "isProtected": False, "condition": ""}],
    },
    {
        "key": "welcome",
        "title": "welcome",
        "isGoal": False,
        "rows": [{"kind": "do", "text": "go-to book", "jump": "book", "isProtected": False, "condition": ""}],
    },
]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, studio_store: dict[str, str]) -> Iterator[Service]:
    service = Service(
        [ROOT / "examples" / "blank"], tmp_path_factory.mktemp("build") / "data", environment=studio_store
    )
    yield service
    service.stop()


@pytest.fixture(scope="module")
def session(browser: Browser, service: Service) -> Any:
    context = browser.new_context()
    page = context.new_page()
    page.goto(new_link(service))
    expect(page.get_by_role("navigation").first).to_be_visible()
    kept = context.storage_state()
    context.close()
    return kept


class Room:
    """Build of one bot, open in a browser."""

    def __init__(self, browser: Browser, service: Service, session: Any, at: str = "", **options: Any) -> None:
        desk = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", "storage_state": session}
        self.context = browser.new_context(**desk | options)
        self.page: Page = self.context.new_page()
        self.errors = list[str]()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda line: self.errors.append(line.text) if "olicy" in line.text else None)
        self.drafts = FakeDrafts(self.page, BOT, FILES)
        self.drafts.boxes = BOXES
        self.url = f"{service.url}/studio/{BOT}/build{at}"

    def open(self) -> Room:
        self.page.goto(self.url)
        expect(self.rows.first).to_be_visible()
        return self

    @property
    def rows(self) -> Locator:
        return self.page.locator("build-outline [role=treeitem]")

    @property
    def chosen(self) -> Locator:
        return self.page.locator("build-outline [aria-selected=true]")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def focus_outline(self) -> None:
        self.page.get_by_role("tree", name="Outline").focus()

    def save(self) -> dict[str, Any]:
        """Press Ctrl S and return the flow that was sent."""
        self.press("Control+s")
        expect(self.button("Saved")).to_be_visible()
        return dict(json.loads(self.drafts.files["flow.json"])["conversations"])


@pytest.fixture
def room(browser: Browser, service: Service, session: Any) -> Iterator[Room]:
    room = Room(browser, service, session)
    yield room.open()
    assert room.errors == []
    room.context.close()


def types(conversation: dict[str, Any]) -> list[str]:
    return [step["type"] for step in conversation["steps"]]


def test_an_edit_of_a_wording_saves_its_characters_alone(room: Room) -> None:
    room.page.get_by_role("treeitem", name="Hello!").click()
    room.page.get_by_role("textbox", name="Wording 2").fill("Welcome {{da")
    room.press("Enter")
    room.save()
    assert room.drafts.saved == [{"flow.json": FLOW.replace("Good day!", "Welcome {{day}}")}]
    room.press("Control+z")
    expect(room.page.get_by_role("textbox", name="Wording 2")).to_have_value("Good day!")
    room.press("Control+Shift+z")
    expect(room.page.get_by_role("textbox", name="Wording 2")).to_have_value("Welcome {{day}}")


def test_keys_move_double_remove_and_add_steps(room: Room) -> None:
    room.focus_outline()
    room.press("ArrowDown", "ArrowDown", "Alt+ArrowDown")
    expect(room.chosen).to_contain_text("When?")
    room.press("Control+d", "ArrowUp", "ArrowUp", "Delete")
    assert types(room.save()["book"]) == ["question", "question", "message"]
    assert [
        step["entity"] for step in json.loads(room.drafts.files["flow.json"])["conversations"]["book"]["steps"][:2]
    ] == ["day", "day"]
    room.button("Undo").first.click()
    assert [step.get("entity") for step in room.save()["book"]["steps"]] == ["name", "day", "day", None]
    room.focus_outline()
    room.press("a")
    expect(room.page.get_by_role("menu")).to_be_visible()
    room.press("ArrowDown", "Enter")
    assert types(room.save()["book"])[:2] == ["question", "message"]


def test_a_step_is_dragged_into_another_conversation(room: Room) -> None:
    target = room.page.get_by_role("treeitem", name="go-to book")
    room.page.get_by_role("treeitem", name="Booked for").drag_to(target)
    conversations = room.save()
    assert types(conversations["book"]) == ["question", "question"]
    assert sorted(types(conversations["welcome"])) == ["command", "message", "message"]


def test_a_conversation_is_made_renamed_and_asked_for_before_it_goes(room: Room) -> None:
    room.button("New conversation").click()
    room.page.get_by_label("Name").fill("Opening hours")
    room.button("Create").click()
    expect(room.page.get_by_role("treeitem", name="Opening hours")).to_be_visible()
    room.page.get_by_role("treeitem", name="your booking").click()
    room.page.get_by_label("Key").fill("reserve")
    room.press("Enter")
    conversations = room.save()
    assert set(conversations) == {"welcome", "reserve", "opening-hours"}
    assert conversations["welcome"]["steps"][1]["command"] == "go-to reserve"
    room.focus_outline()
    room.press("Delete")
    expect(room.page.get_by_role("heading", name="Remove “reserve”?")).to_be_visible()
    room.button("Cancel").click()
    assert set(room.save()) == set(conversations)


def test_a_finding_is_found_and_fixed_by_one_key_each(room: Room) -> None:
    room.drafts.findings = [FINDING]
    room.drafts.fixed = {"flow.json": FLOW.replace("quickreply", "quick-reply")}
    room.page.reload()
    expect(room.page.get_by_role("button", name="1 finding")).to_be_visible()
    room.press("F8")
    expect(room.chosen).to_contain_text("When?")
    room.press("Control+.")
    expect(room.button("No findings")).to_be_visible()
    assert room.save()["book"]["steps"][0]["display"]["type"] == "quick-reply"


def test_the_json_is_the_same_document(room: Room) -> None:
    room.page.get_by_role("treeitem", name="Who?").click()
    room.page.get_by_role("tab", name="JSON").click()
    editor = room.page.get_by_role("textbox", name="JSON of book")
    editor.press("Control+End")
    room.press("ArrowLeft", "ArrowLeft")
    room.page.keyboard.type(', "opt')
    room.page.get_by_role("option", name="optional").click()
    expect(room.chosen).to_contain_text("optional")
    room.button("Files").click()
    whole = room.page.get_by_role("textbox", name="JSON of flow.json")
    whole.press("Control+Home")
    room.press("Delete")
    expect(room.page.get_by_role("alert").filter(has_text="flow.json cannot be read")).to_be_visible()
    room.press("Control+z")
    assert room.save()["book"]["steps"][1]["optional"] is True


def test_files_changed_by_two_are_merged_by_hand(room: Room) -> None:
    room.page.get_by_role("treeitem", name="Who?").click()
    room.page.get_by_role("textbox", name="Wording 1").fill("Your name?")
    room.drafts.change_outside("flow.json", FLOW.replace("When?", "Which day?").replace("Who?", "Name?"))
    room.press("Control+s")
    expect(room.page.get_by_role("heading", name="Somebody else changed these files")).to_be_visible()
    assert room.drafts.saved == []
    picture(room.page, "studio-build-merge")
    assert axe(room.page) == []
    room.button("Save the left text").click()
    expect(room.button("Saved")).to_be_visible()
    assert room.drafts.files["flow.json"] == FLOW.replace("When?", "Which day?").replace("Who?", "Your name?")


def test_what_another_program_changed_is_taken_over_while_nothing_is_edited(room: Room) -> None:
    room.drafts.change_outside("flow.json", FLOW.replace("When?", "Which day?"))
    room.page.evaluate("dispatchEvent(new Event('focus'))")
    expect(room.page.get_by_role("treeitem", name="Which day?")).to_be_visible()
    expect(room.page.get_by_text("The files were changed outside")).to_be_visible()


def test_the_map_opens_what_is_clicked(room: Room) -> None:
    room.button("Map").click()
    box = room.page.get_by_role("button", name="Open your booking")
    expect(box).to_be_visible()
    assert room.page.locator("build-map path.jump").count() == 1
    assert axe(room.page) == []
    box.click()
    expect(room.page.get_by_label("Key")).to_have_value("book")


def test_a_place_of_the_flow_is_opened_by_address_and_by_event(
    browser: Browser, service: Service, session: Any
) -> None:
    room = Room(browser, service, session, "?file=flow.json&at=conversations/book/steps/1").open()
    expect(room.chosen).to_contain_text("Who?")
    room.page.evaluate(
        "document.body.dispatchEvent(Object.assign(new Event('studio-open-path', {bubbles: true}),"
        "{file: 'flow.json', path: 'conversations/welcome/steps/0/messages'}))"
    )
    expect(room.chosen).to_contain_text("Hello!")
    room.context.close()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 768)])
def test_it_looks_right(browser: Browser, service: Service, session: Any, scheme: str, width: int) -> None:
    room = Room(browser, service, session, color_scheme=scheme, viewport={"width": width, "height": 800})
    room.drafts.findings = [FINDING]
    room.open().press("F8")
    expect(room.page.get_by_role("textbox", name="Wording 1")).to_have_value("When?")
    picture(room.page, f"studio-build-{scheme}-{width}")
    assert axe(room.page) == []
    room.button("Files").click()
    expect(room.page.locator(".cm-lintRange-error")).to_be_visible()
    picture(room.page, f"studio-build-files-{scheme}-{width}")
    assert (axe(room.page), overflow(room.page), room.errors) == ([], 0, [])
    room.context.close()
