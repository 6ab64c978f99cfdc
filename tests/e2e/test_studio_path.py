"""The studio as a new author uses it, against the real service: change, try out, find out why, go back, save a test,
publish, take back; on a bot folder and on a bot that the studio made."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.page_checks import axe
from tests.e2e.studio_visit import Visit
from tests.live import ROOT, Service

if TYPE_CHECKING:
    from collections.abc import Iterator

ASKED, NOW = "What is your name?", "How shall I call you?"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, studio_store: dict[str, str]) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("path")
    shutil.copytree(ROOT / "examples" / "blank", folder / "blank")
    service = Service([folder / "blank"], folder / "data", environment=studio_store)
    yield service
    service.stop()


@pytest.fixture(scope="module")
def session(browser: Browser, service: Service) -> Any:
    """Signed in, with a second bot that was made from the template of the first and has no folder."""
    visit = Visit(browser, service, service.studio_link()).comes_in()
    page = visit.page
    page.get_by_role("button", name="New bot").click()
    page.get_by_role("radio", name="Blank").check()
    page.get_by_label("Name").fill("مساعد")
    expect(page.get_by_label("Id", exact=True)).to_have_value("bot")
    page.get_by_label("Name").fill("Made here")
    page.keyboard.press("Enter")
    expect(page.get_by_role("treeitem", name=ASKED)).to_be_visible()
    kept = visit.context.storage_state()
    visit.context.close()
    return kept


def opened(browser: Browser, service: Service, session: Any, bot: str, **options: Any) -> Visit:
    visit = Visit(browser, service, storage_state=session, reduced_motion="reduce", **options).opens("build", bot)
    expect(visit.page.get_by_role("treeitem", name="Nice to meet you")).to_be_visible()
    return visit


def say(page: Page, text: str) -> None:
    field = page.locator("dialoom-field").get_by_role("textbox")
    field.fill(text)
    field.press("Enter")


def bubble(page: Page, text: str) -> Locator:
    return page.locator(".bubble").filter(has_text=text)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


@pytest.mark.parametrize("bot", ["blank", "made-here"])
def test_a_wording_goes_from_the_outline_to_users_and_back(
    browser: Browser, service: Service, session: Any, bot: str
) -> None:
    visit = opened(browser, service, session, bot)
    page = visit.page
    button(page, "Try out").click()
    expect(bubble(page, "small bot")).to_be_visible()
    say(page, "introduce me")
    expect(bubble(page, ASKED)).to_be_visible()

    page.get_by_role("treeitem", name=ASKED).click()
    page.get_by_role("textbox", name="Wording 1").fill(NOW)
    expect(bubble(page, NOW)).to_be_visible()
    expect(page.locator(".differs summary")).to_have_text("Answers otherwise from message 1")

    say(page, "Ann")
    expect(bubble(page, "Nice to meet you, Ann!")).to_be_visible()
    page.get_by_role("tab", name="Why").click()
    why = page.locator("studio-why details[open]").last
    expect(why).to_contain_text("passed over: has a value")
    why.get_by_role("link", name=re.compile("^introduction 2")).click()
    expect(page.locator("build-outline [aria-selected=true]")).to_contain_text("Nice to meet you")

    page.get_by_role("tab", name="Chat").click()
    button(page, "Take back your last message").click()
    expect(bubble(page, "Nice to meet you, Ann!")).to_have_count(0)
    expect(page.locator("dialoom-field").get_by_role("textbox")).to_be_focused()
    page.keyboard.type("Bob")
    page.keyboard.press("Enter")
    expect(bubble(page, "Nice to meet you, Bob!")).to_be_visible()

    button(page, "Save as test").click()
    page.get_by_label("What it shows").fill("Bob is greeted")
    page.keyboard.press("Enter")
    button(page, "Done").click()
    expect(page.get_by_text("Draft, not saved")).to_be_visible()

    button(page, "Publish").click()
    dialog = page.locator("build-publish dialog")
    expect(dialog.locator("ins")).to_have_text(NOW)
    expect(dialog.get_by_text("tests/")).to_have_count(0)
    expect(dialog.get_by_text(re.compile("tests? failed"))).to_be_visible()
    assert axe(page) == []
    button(page, "Accept the new replies").click()
    expect(dialog.locator(".state.good")).to_contain_text("tests passed")
    expect(dialog.get_by_text(re.compile("talk"))).to_be_visible()
    dialog.get_by_role("button", name="Publish").click()
    expect(dialog.get_by_role("heading", name="Published")).to_be_visible()
    expect(page.get_by_text("Draft, not saved")).to_have_count(0)
    button(page, "Take it back").click()
    expect(page.get_by_text("is active again")).to_be_visible()
    address = f"{service.url}/v1/studio/bots/{bot}/versions"
    versions = page.request.get(address).json()
    assert [bool(one["withdrawnAt"]) for one in sorted(versions, key=lambda one: one["isActive"])] == [True, False]
    assert visit.errors == []
    visit.context.close()


def test_a_step_is_added_by_keys_and_its_wording_is_written_at_once(
    browser: Browser, service: Service, session: Any
) -> None:
    visit = opened(browser, service, session, "made-here")
    page = visit.page
    page.get_by_role("tree", name="Outline").focus()
    for key in ("ArrowDown", "a", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("textbox", name="Wording 1")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("How old are you?")
    expect(page.get_by_role("treeitem", name="How old are you?")).to_be_visible()
    page.get_by_role("button", name=re.compile("choose another bot")).click()
    page.get_by_role("complementary", name="Studio").get_by_role(
        "link", name=re.compile("Blank|first bot", re.I)
    ).click()
    expect(page.get_by_role("heading", name="has changes that are not saved")).to_be_visible()
    assert axe(page) == []
    button(page, "Drop them").click()
    expect(page).to_have_url(re.compile("/studio/blank/build"))
    visit.context.close()


def test_the_try_out_is_there_after_a_reload_and_escape_closes_it_where_it_lies_over_the_room(
    browser: Browser, service: Service, session: Any
) -> None:
    visit = opened(
        browser, service, session, "blank", locale="de-DE", color_scheme="dark", viewport={"width": 768, "height": 900}
    )
    page = visit.page
    button(page, "Ausprobieren").click()
    expect(bubble(page, "small bot")).to_be_visible()
    page.reload()
    expect(bubble(page, "small bot")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("studio-try-out")).to_have_count(0)
    expect(button(page, "Ausprobieren")).to_be_focused()
    page.set_viewport_size({"width": 1280, "height": 800})
    button(page, "Ausprobieren").click()
    page.keyboard.press("Escape")
    expect(page.locator("studio-try-out")).to_be_visible()
    visit.context.close()
