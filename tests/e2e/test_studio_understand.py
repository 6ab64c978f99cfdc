"""The studio's Understand against the real service: what users said and the bot did not understand becomes an
expression, is tested, published, and understood in the chat; types are edited, sentences tried, the report read."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.page_checks import SCHEMES, axe, overflow, picture
from tests.e2e.studio_visit import EXAMPLES, Visit
from tests.live import Service

if TYPE_CHECKING:
    from collections.abc import Iterator

MISSED, FAR = "get rid of my slot", "xylophone"
ASKED = "What is the number of your appointment?"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("understand")
    shutil.copytree(EXAMPLES / "clinic", folder / "clinic", ignore=shutil.ignore_patterns("__pycache__"))
    service = Service([folder / "clinic"], folder / "data")
    for user, text in (("ann", MISSED), ("bob", f"{MISSED.title()}!"), ("cem", FAR)):
        assert ASKED not in _answer(service, user, text)
    yield service
    service.stop()


def _answer(service: Service, user: str, text: str) -> str:
    """Return what the bot says to a text. The first message of a user brings the welcome in any case."""
    service.say("clinic", user, "hello")
    answer = service.say("clinic", user, text)
    assert answer.status == 200, answer.body
    return "\n".join(message["text"] for message in answer.json)


def _opened(browser: Browser, service: Service, session: Any, view: str = "", **options: Any) -> Visit:
    visit = Visit(browser, service, storage_state=session, reduced_motion="reduce", **options)
    return visit.opens(f"understand{view and f'?view={view}'}", "clinic")


def _row(page: Page, text: str) -> Any:
    return page.get_by_role("row").filter(has_text=text)


def test_a_sentence_that_was_not_understood_is_added_tested_published_and_understood(
    browser: Browser, service: Service, session: Any
) -> None:
    visit = _opened(browser, service, session, "missed")
    page = visit.page
    effect = page.get_by_role("region", name="What your changes do")
    said = re.compile(MISSED, re.I)
    row = page.get_by_role("row", name=said)
    expect(row).to_contain_text("2×")
    expect(row.get_by_role("link", name="Its 2 conversations")).to_have_attribute("href", re.compile("/conversations"))
    expect(_row(page, FAR).get_by_role("button")).to_have_count(0)

    row.get_by_role("checkbox").check()
    assert axe(page) == []
    page.get_by_label("Add 1 sentence to").select_option(label="cancel-appointment")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(row).to_contain_text("in cancel-appointment")
    expect(effect).to_contain_text("All 22 tests pass")
    expect(effect.get_by_role("listitem").filter(has_text=said)).to_contain_text("→ cancel-appointment")
    picture(page, "studio-understand-effect")

    page.keyboard.press("Control+z")
    expect(effect).to_contain_text("Add sentences to a value")
    page.keyboard.press("Control+y")
    expect(effect.get_by_role("listitem").filter(has_text=said)).to_contain_text("→ cancel-appointment")
    visit.button("Publish").click()
    dialog = page.locator("build-publish dialog")
    expect(dialog.locator(".state.good")).to_contain_text("tests passed")
    dialog.get_by_role("button", name="Publish").click()
    expect(dialog.get_by_role("heading", name="Published")).to_be_visible()
    assert ASKED in _answer(service, "dana", MISSED)
    page.reload()
    expect(_row(page, FAR)).to_be_visible()
    expect(row).to_be_hidden()
    page.get_by_text("Understood by now: 1").click()
    expect(row).to_contain_text("in cancel-appointment")
    assert axe(page) == []
    assert visit.errors == []
    visit.context.close()


def test_types_are_edited_by_keys_and_a_sentence_shows_what_it_means_and_what_lost(
    browser: Browser, service: Service, session: Any
) -> None:
    visit = _opened(browser, service, session)
    page = visit.page
    page.get_by_role("button", name=re.compile("^Conversation")).focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("heading", name="Specialty")).to_be_visible()
    expect(page.get_by_role("button", name="book-appointment 1")).to_be_visible()
    page.get_by_role("button", name="Edit the expressions of Eye care").press("Enter")
    expect(page.get_by_label("Expressions of Eye care, one a line")).to_be_focused()
    page.keyboard.press("Control+End")
    page.keyboard.type("\n spectacles \n\n")
    expect(visit.button("Save")).to_be_enabled()
    expect(page.get_by_label("Expressions of Eye care, one a line")).to_have_value(re.compile(r"\n spectacles \n\n$"))
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Edit the expressions of Eye care")).to_be_focused()

    page.get_by_label("Try a sentence").fill("I want to book an appointment for spectacles on 3 March at 10")
    found = page.locator("understand-try li")
    expect(found.filter(has_text="Specialty · Eye care")).to_contain_text("understood")
    expect(found.filter(has_text="Conversation · book-appointment")).to_contain_text("understood")
    expect(found.filter(has_text=re.compile(r"^\s*Date ·"))).to_contain_text("inside a longer one · lost to Datetime")
    assert axe(page) == []

    page.get_by_role("button", name="Remove Eye care").click()
    expect(page.get_by_text("Ctrl Z brings it back")).to_be_visible()
    expect(found.filter(has_text="Specialty · Eye care")).to_have_count(0)
    page.keyboard.press("Control+z")
    expect(found.filter(has_text="Specialty · Eye care")).to_have_count(1)
    visit.button("Undo (Ctrl Z)").click()
    expect(page.get_by_text("spectacles", exact=True)).to_have_count(0)
    expect(visit.button("Saved")).to_be_disabled()
    assert visit.errors == []
    visit.context.close()


def test_a_new_type_of_questions_is_written_with_its_answers(browser: Browser, service: Service, session: Any) -> None:
    visit = _opened(browser, service, session)
    page = visit.page
    visit.button("New type").click()
    name = page.get_by_label("Name of the new type")
    name.fill("Conversation")
    page.get_by_label("What it reads").select_option("questions and answers")
    visit.button("Add").click()
    expect(page.get_by_role("alert")).to_have_text("There is such a type already.")
    assert axe(page) == []
    name.fill("Way")
    name.press("Enter")
    expect(page.get_by_role("heading", name="Way")).to_be_visible()
    page.get_by_label("Name of the new value").fill("parking")
    page.keyboard.press("Enter")
    page.get_by_label("Expressions of parking, one a line").fill("where can I park\nis there a car park")
    page.get_by_label("Answers of parking, one a line").fill("Behind the house.")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Edit the expressions of parking")).to_contain_text("Behind the house.")
    page.get_by_label("Try a sentence").fill("where can I park?")
    expect(page.locator("understand-try li").filter(has_text="Way · parking")).to_contain_text("understood")
    assert axe(page) == []
    assert visit.errors == []
    visit.context.close()


def test_the_report_leads_to_the_expressions_of_a_value(browser: Browser, service: Service, session: Any) -> None:
    visit = _opened(browser, service, session, "report")
    page = visit.page
    expect(page.get_by_text("of expressions that were left out are understood")).to_be_visible()
    assert axe(page) == []
    page.get_by_role("button", name="Edit the expressions of leave").click()
    expect(page.get_by_label("Expressions of leave, one a line")).to_be_focused()
    assert visit.errors == []
    visit.context.close()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_room_fits_a_tablet_in_german(browser: Browser, service: Service, session: Any, scheme: Any) -> None:
    narrow = {"viewport": {"width": 768, "height": 900}, "locale": "de-DE", "color_scheme": scheme}
    visit = _opened(browser, service, session, "missed", **narrow)
    page = visit.page
    expect(_row(page, FAR)).to_be_visible()
    for name in ("Nicht verstanden", "Bericht", "Typen"):
        page.get_by_role("button", name=name).click()
        if name == "Bericht":
            expect(page.get_by_text("der weggelassenen Ausdrücke")).to_be_visible()
        picture(page, f"studio-understand-{name.split()[0].lower()}-{scheme}")
        assert overflow(page) == 0
        assert axe(page) == []
    assert visit.errors == []
    visit.context.close()


def test_the_page_is_not_closed_over_what_is_typed_in_an_open_field(
    browser: Browser, service: Service, session: Any
) -> None:
    visit = _opened(browser, service, session)
    page = visit.page
    page.get_by_role("button", name=re.compile("^Specialty")).click()
    page.get_by_label("Name of Eye care").click()
    page.keyboard.type("X")
    with page.expect_event("dialog", timeout=5000) as asked:
        page.evaluate("setTimeout(() => location.reload())")
    asked.value.dismiss()
    assert asked.value.type == "beforeunload"
    expect(page.get_by_label(re.compile("^Name of .*X"))).to_be_focused()
    assert visit.errors == []
    visit.context.close()
