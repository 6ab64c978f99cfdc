"""What is not published, in a browser: said wherever the bot is shown, published by nobody but a person, and what a publish
would erase has to be accepted."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.page_checks import axe, overflow, picture, scheme_at
from tests.e2e.studio_visit import SIZES
from tests.live import Service, echo_bot

if TYPE_CHECKING:
    from collections.abc import Iterator

RULE = "Changes made in the studio go live only when somebody publishes them."
DRAFT = "/v1/studio/bots/echo/draft"
BOT = {"id": "echo", "name": "Echo", "channels": [{"id": "rest", "type": "rest"}]}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, studio_store: dict[str, str]) -> Iterator[Service]:
    folder = echo_bot(tmp_path_factory.mktemp("unpublished") / "echo")
    (folder / "bot.json").write_text(json.dumps(BOT))
    service = Service([folder], folder.parent / "data", environment=studio_store)
    yield service
    service.stop()


@pytest.fixture
def page(browser: Browser, session: Any) -> Iterator[Page]:
    context = browser.new_context(storage_state=session, locale="en-GB", viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


def save(page: Page, files: dict[str, str]) -> None:
    page.evaluate(
        """async ([draft, files]) => {
            const {revision} = await (await fetch(draft)).json();
            const headers = {"content-type": "application/json"};
            await fetch(draft, {method: "PUT", headers, body: JSON.stringify({revision, files})});
        }""",
        [DRAFT, files],
    )


def test_what_is_not_published_is_said_until_a_person_publishes_it_and_again_after_a_rollback(
    page: Page, service: Service
) -> None:
    mark = page.get_by_text(re.compile("^Unpublished"))

    def open_at(room: str) -> None:
        page.goto(f"{service.url}/studio{room}")
        expect(page.locator("h1").first).to_be_attached()

    publish = page.get_by_role("button", name="Publish", exact=True)
    open_at("/echo/build")
    expect(publish).to_have_attribute("title", "Nothing differs from the active version.")
    expect(publish).not_to_have_class(re.compile("main"))
    expect(mark).to_have_count(0)

    flow = json.loads((service.folders[0] / "flow.json").read_text())
    save(page, {"flow.json": json.dumps(flow)[:-1]})
    open_at("/echo/build")
    expect(mark).to_have_text("Unpublished · 1 change")
    expect(publish).to_be_disabled()
    expect(publish).to_have_attribute("title", "Not while there is an error: mend it first.")

    assert service.say("echo", "ada", "hi").status == 200
    flow["conversations"]["help"]["steps"][0]["messages"] = ["Good day"]
    save(page, {"flow.json": json.dumps(flow), "bot.json": json.dumps(BOT | {"retention-days": 1})})
    for room in ("", "/echo/operate", "/echo/understand", "/echo/build"):
        open_at(room)
        expect(mark).to_have_text("Unpublished · 2 changes")
        expect(mark).to_have_attribute("title", RULE)

    publish.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(RULE)
    expect(dialog).to_contain_text("“retention-days” goes from no limit to 1.")
    expect(dialog).to_contain_text("are erased (1 as of now)")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert service.say("echo", "ben", "hi").json[-1]["text"] == "Hello"
    publish.click()
    inside = dialog.get_by_role("button", name="Publish", exact=True)
    expect(dialog.get_by_role("checkbox")).to_be_visible()
    expect(inside).to_be_disabled()
    for size, (width, height) in enumerate(SIZES):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme_at("studio-publish-erases", size))
        picture(page, f"studio-publish-erases-{width}")
        assert overflow(page) == 0
        assert axe(page) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    dialog.get_by_role("checkbox").check()
    inside.click()
    expect(dialog.get_by_role("button", name="Take it back")).to_be_visible()
    page.keyboard.press("Escape")
    expect(mark).to_have_count(0)
    expect(publish).to_have_attribute("title", "Nothing differs from the active version.")

    open_at("/echo/operate")
    expect(mark).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Make active: ")).click()
    page.get_by_role("dialog").get_by_role("button", name="Make active").click()
    expect(mark).to_have_text("Unpublished · 2 changes")
    mark.click()
    expect(page).to_have_url(re.compile("/studio/echo/build$"))
    expect(mark).to_have_text("Unpublished · 2 changes")


def test_edits_are_counted_as_they_are_typed_and_opening_the_dialog_says_that_it_saved_them(
    page: Page, service: Service
) -> None:
    page.goto(f"{service.url}/studio/echo/build")
    page.locator("build-outline [role=treeitem]").nth(1).click()
    page.get_by_role("textbox").first.fill("A new wording")
    expect(page.get_by_text(re.compile("^Unpublished"))).to_be_visible()
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.get_by_role("dialog")).to_contain_text("Your edits were saved just now, which publishes nothing.")


def test_an_unreadable_flow_is_not_said_to_have_no_conversation(page: Page, service: Service) -> None:
    page.goto(f"{service.url}/studio/echo/build")
    new = page.get_by_role("button", name="New conversation")
    expect(new).to_be_enabled()
    new.click()
    box = page.get_by_role("radio").first.bounding_box()
    assert box is not None
    assert box["width"] <= 20
    flow = (service.folders[0] / "flow.json").read_text()
    save(page, {"flow.json": flow.rstrip()[:-1]})
    page.goto(f"{service.url}/studio/echo/build")
    expect(page.get_by_role("alert").first).to_contain_text("flow.json cannot be read at line")
    expect(page.get_by_text("as it was before")).to_have_count(0)
    expect(page.get_by_text("There is no conversation yet")).to_have_count(0)
    expect(new).to_be_disabled()
    save(page, {"flow.json": flow})
