"""Build in a browser: the outline by keys, the form, the JSON, findings, saving, merging, the map."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, expect

from tests.e2e.page_checks import axe, overflow, picture
from tests.live import Service

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BOT = "blank"
FLOW = """{
  "conversations": {
    "help": {
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
          "display": { "type": "quick-reply", "data": ["Today", "Tomorrow"] }
        },
        { "type": "question", "entity": "name", "entity-type": "Text", "messages": ["Who?"], "conditions": ["{{$has day}}"] },
        { "type": "message", "messages": ["Booked for {{name}}."] }
      ]
    }
  }
}
"""
FILES = {"bot.json": '{ "id": "blank", "name": "Blank", "language": "en" }\n', "flow.json": FLOW}
WRONG_FLOW = FLOW.replace("quick-reply", "quickreply")
"""One finding, which has a fix."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bot's folder, which Build saves to and other programs write into."""
    folder = tmp_path_factory.mktemp("build") / BOT
    folder.mkdir()
    write(folder, FILES)
    return folder


@pytest.fixture(scope="module")
def service(folder: Path, studio_store: dict[str, str]) -> Iterator[Service]:
    service = Service([folder], folder.parent / "data", environment=studio_store)
    yield service
    service.stop()


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).write_text(text)


class Room:
    """Build of one bot, open in a browser."""

    def __init__(
        self, browser: Browser, service: Service, session: Any, folder: Path, at: str = "", **options: Any
    ) -> None:
        desk = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", "storage_state": session}
        self.context = browser.new_context(**desk | options)
        self.page: Page = self.context.new_page()
        self.errors = list[str]()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda line: self.errors.append(line.text) if "olicy" in line.text else None)
        self.folder = folder
        write(folder, FILES)
        self.saved = list[dict[str, str | None]]()
        """The files of each save that was sent."""
        self.page.on("request", self._see)
        self.url = f"{service.url}/studio/{BOT}/build{at}"

    def _see(self, request: Request) -> None:
        if request.method == "PUT" and request.url.endswith("/draft"):
            self.saved.append(request.post_data_json["files"])

    @property
    def flow(self) -> str:
        """The text of ``flow.json`` in the folder."""
        return (self.folder / "flow.json").read_text()

    def change_outside(self, flow: str) -> None:
        write(self.folder, {"flow.json": flow})

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
        """Press Ctrl S and return the conversations in the folder."""
        self.press("Control+s")
        expect(self.button("Saved")).to_be_visible()
        return dict(json.loads(self.flow)["conversations"])


@pytest.fixture
def room(browser: Browser, service: Service, session: Any, folder: Path) -> Iterator[Room]:
    room = Room(browser, service, session, folder)
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
    assert room.saved == [{"flow.json": FLOW.replace("Good day!", "Welcome {{day}}")}]
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
    assert [step["entity"] for step in json.loads(room.flow)["conversations"]["book"]["steps"][:2]] == ["day", "day"]
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
    assert sorted(types(conversations["help"])) == ["command", "message", "message"]


def test_a_conversation_is_made_renamed_and_asked_for_before_it_goes(room: Room) -> None:
    room.button("New conversation").click()
    room.page.get_by_label("Name").fill("Opening hours")
    room.button("Create").click()
    expect(room.page.get_by_role("treeitem", name="Opening hours")).to_be_visible()
    room.page.get_by_role("treeitem", name="your booking").click()
    expect(room.page.get_by_label("Key")).to_have_value("book")  # no longer that of the other conversation
    room.page.get_by_label("Key").fill("reserve")
    room.press("Enter")
    conversations = room.save()
    assert set(conversations) == {"help", "reserve", "opening-hours"}
    assert conversations["help"]["steps"][1]["command"] == "go-to reserve"
    room.focus_outline()
    room.press("Delete")
    expect(room.page.get_by_role("heading", name="Remove “reserve”?")).to_be_visible()
    room.button("Cancel").click()
    assert set(room.save()) == set(conversations)


def test_a_finding_is_found_and_fixed_by_one_key_each(room: Room) -> None:
    room.change_outside(WRONG_FLOW)
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
    room.change_outside(FLOW.replace("When?", "Which day?").replace("Who?", "Name?"))
    room.press("Control+s")
    expect(room.page.get_by_role("heading", name="Somebody else changed these files")).to_be_visible()
    assert room.flow == FLOW.replace("When?", "Which day?").replace("Who?", "Name?")
    picture(room.page, "studio-build-merge")
    assert axe(room.page) == []
    room.button("Save the left text").click()
    expect(room.button("Saved")).to_be_visible()
    assert room.flow == FLOW.replace("When?", "Which day?").replace("Who?", "Your name?")


def test_what_another_program_changed_is_taken_over_while_nothing_is_edited(room: Room) -> None:
    room.change_outside(FLOW.replace("When?", "Which day?"))
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
    browser: Browser, service: Service, session: Any, folder: Path
) -> None:
    room = Room(browser, service, session, folder, "?file=flow.json&at=conversations/book/steps/1").open()
    expect(room.chosen).to_contain_text("Who?")
    room.page.evaluate(
        "document.body.dispatchEvent(Object.assign(new Event('studio-open-path', {bubbles: true}),"
        "{file: 'flow.json', path: 'conversations/help/steps/0/messages'}))"
    )
    expect(room.chosen).to_contain_text("Hello!")
    room.context.close()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 768)])
def test_it_looks_right(
    browser: Browser, service: Service, session: Any, folder: Path, scheme: str, width: int
) -> None:
    room = Room(browser, service, session, folder, color_scheme=scheme, viewport={"width": width, "height": 800})
    room.change_outside(WRONG_FLOW)
    room.open().press("F8")
    expect(room.page.get_by_role("textbox", name="Wording 1")).to_have_value("When?")
    picture(room.page, f"studio-build-{scheme}-{width}")
    assert axe(room.page) == []
    room.button("Files").click()
    expect(room.page.locator(".cm-lintRange-error")).to_be_visible()
    picture(room.page, f"studio-build-files-{scheme}-{width}")
    assert (axe(room.page), overflow(room.page), room.errors) == ([], 0, [])
    room.context.close()


def test_a_key_that_is_being_typed_is_saved_with_the_rest(
    browser: Browser, service: Service, session: Any, folder: Path
) -> None:
    room = Room(browser, service, session, folder, "?at=conversations/book").open()
    key = room.page.get_by_label("Key", exact=True)
    key.fill("reserve")
    room.page.keyboard.press("Control+s")
    expect(room.page.get_by_role("button", name="Saved")).to_be_visible()
    assert "reserve" in json.loads((folder / "flow.json").read_text())["conversations"]
    room.context.close()
