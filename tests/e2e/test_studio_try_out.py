"""The try-out in the studio: a talk with the draft, why the bot answers as it does, and what becomes of a change."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.page_checks import axe, overflow, picture
from tests.e2e.studio_visit import Visit
from tests.live import Service

pytest.importorskip("dialoom.http.studio.try_outs", reason="this service has no try-outs")

if TYPE_CHECKING:
    from collections.abc import Iterator

BOT = {"id": "tea", "name": "Tea room", "language": "en"}
STEPS: list[dict[str, Any]] = [
    {
        "type": "question",
        "entity": "size",
        "entity-type": "Size",
        "messages": ["Which size?"],
        "display": {"type": "quick-reply"},
    },
    {"type": "message", "conditions": ["{{$eq size 'large'}}"], "messages": ["That is a lot of tea."]},
    {"type": "question", "entity": "note", "entity-type": "Text", "messages": ["Anything else?"]},
]
TRAINING = {
    "entity-definitions": [
        {
            "name": "Conversation",
            "lookup-strategy": "trait",
            "data": [{"value": "order", "expressions": ["order tea", "some tea please", "I want tea"]}],
        },
        {"name": "Size", "lookup-strategy": "keywords", "data": [{"value": "small"}, {"value": "large"}]},
    ]
}


def flow(last: str = "Anything else?") -> str:
    steps = [*STEPS[:-1], {**STEPS[-1], "messages": [last]}]
    return json.dumps({"conversations": {"order": {"type": "goal", "steps": steps}}}, indent=2)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, studio_store: dict[str, str]) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("try-out") / "tea"
    folder.mkdir()
    (folder / "bot.json").write_text(json.dumps(BOT))
    (folder / "flow.json").write_text(flow())
    (folder / "training.json").write_text(json.dumps(TRAINING))
    service = Service([folder], folder.parent / "data", environment=studio_store)
    yield service
    service.stop()


@pytest.fixture
def page(browser: Browser, service: Service, session: Any) -> Iterator[Page]:
    """A new browser with the try-out open, and one message said."""
    visit = Visit(browser, service, storage_state=session, reduced_motion="reduce").opens("operate", "tea")
    page = visit.page
    page.get_by_role("button", name="Try out").click()
    say(page, "order tea")
    expect(bubble(page, "Which size?")).to_be_visible()
    yield page
    # Files that cannot be loaded are refused, which the browser says, too.
    assert [error for error in visit.errors if "422" not in error] == []
    visit.context.close()


def say(page: Page, text: str) -> None:
    field = page.locator("dialoom-field").get_by_role("textbox")
    field.fill(text)
    field.press("Enter")


def bubble(page: Page, text: str) -> Locator:
    return page.locator(".bubble").filter(has_text=text)


def edit(page: Page, file: str, text: str) -> None:
    """Change a file as Build does, without saving it."""
    change = "([file, text]) => document.querySelector('dialoom-studio').workspace.set(file, text)"
    page.evaluate(change, [file, text])


def test_the_talk_is_the_chat_that_users_get_and_outlives_the_page(page: Page) -> None:
    page.get_by_role("button", name="small", exact=True).click()
    expect(bubble(page, "Anything else?")).to_be_visible()
    page.reload()
    expect(bubble(page, "Anything else?")).to_be_visible()
    expect(bubble(page, "small")).to_have_count(1)


def test_why_names_the_false_condition_and_a_step_leads_to_its_row(page: Page) -> None:
    page.get_by_role("button", name="small", exact=True).click()
    expect(bubble(page, "Anything else?")).to_be_visible()
    page.get_by_role("tab", name="Why").click()
    why = page.locator("studio-why details[open]")
    expect(why).to_contain_text("passed over: a condition is false")
    expect(why).to_contain_text("{{$eq size 'large'}}")
    expect(why).to_contain_text("size")
    picture(page, "studio-why")
    assert axe(page) == []
    assert overflow(page) <= 0
    link = why.get_by_role("link", name=re.compile("^order 2"))
    expect(link).to_have_attribute("href", re.compile("at=conversations%2Forder%2Fsteps%2F1"))


def test_going_back_lets_the_author_answer_otherwise(page: Page) -> None:
    page.get_by_role("button", name="small", exact=True).click()
    expect(bubble(page, "Anything else?")).to_be_visible()
    page.get_by_role("tab", name="Why").click()
    page.locator("studio-why summary").filter(has_text="Message 1").click()
    page.get_by_role("button", name="Go back to message 1").click()
    expect(bubble(page, "Anything else?")).to_have_count(0)
    page.get_by_role("button", name="large", exact=True).click()
    expect(bubble(page, "That is a lot of tea.")).to_be_visible()


def test_a_change_is_played_up_to_the_present_turn_and_told(page: Page) -> None:
    page.get_by_role("button", name="small", exact=True).click()
    expect(bubble(page, "Anything else?")).to_be_visible()
    edit(page, "flow.json", flow("Milk or lemon?"))
    expect(bubble(page, "Milk or lemon?")).to_be_visible()
    page.locator(".differs summary").filter(has_text="Answers otherwise from message 2").click()
    expect(page.locator(".before")).to_have_text("Anything else?")
    picture(page, "studio-differs")
    assert axe(page) == []
    edit(page, "flow.json", "{")
    expect(page.get_by_text("The files have an error")).to_be_visible()
    expect(bubble(page, "Milk or lemon?")).to_be_visible()


def test_a_talk_that_is_played_again_stands_at_its_last_answer(page: Page) -> None:
    """All answers come within one moment then; the last of them is the one to be seen, not the first."""
    page.set_viewport_size({"width": 1280, "height": 460})
    page.get_by_role("button", name="small", exact=True).click()
    expect(bubble(page, "Anything else?")).to_be_in_viewport()
    for wording in ("Milk or lemon?", "Milk, lemon or sugar?"):
        edit(page, "flow.json", flow(wording))
        expect(bubble(page, wording)).to_be_in_viewport(ratio=1)
    page.reload()
    expect(bubble(page, wording)).to_be_in_viewport(ratio=1)


def test_a_talk_becomes_a_test_among_the_bot_s_files(page: Page) -> None:
    page.get_by_role("button", name="Save as test").click()
    page.get_by_label("What it shows").fill("Tea is ordered")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"^Added to tests/"))).to_be_visible()
    files = page.evaluate("document.querySelector('dialoom-studio').workspace.changed()")
    [text] = files.values()
    assert "order tea" in text
    assert "Which size?" in text
