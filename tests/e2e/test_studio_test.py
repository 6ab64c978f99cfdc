"""The studio's Test against the real service: run, read what differs, accept it, write, remove and bring back."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.page_checks import SCHEMES, axe, overflow, picture
from tests.e2e.studio_visit import EXAMPLES, Visit
from tests.live import Service

if TYPE_CHECKING:
    from collections.abc import Iterator

HOURS = "tells the opening hours at once"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A clinic of whose 22 scenarios one expects what does not come, and a bot without tests."""
    folder = tmp_path_factory.mktemp("test")
    shutil.copytree(EXAMPLES / "clinic", folder / "clinic", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(EXAMPLES / "blank", folder / "blank")
    shutil.rmtree(folder / "blank" / "tests", ignore_errors=True)
    file = folder / "clinic" / "tests" / "small-talk.json"
    file.write_text(file.read_text("utf-8").replace("We are open", "We are closed"), "utf-8")
    service = Service([folder / "clinic", folder / "blank"], folder / "data")
    yield service
    service.stop()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_home_counts_failing_tests_and_the_room_says_in_words_what_differs(
    browser: Browser, service: Service, session: Any, scheme: Any
) -> None:
    narrow = {"viewport": {"width": 768, "height": 900}, "locale": "de-DE", "color_scheme": scheme}
    visit = Visit(browser, service, storage_state=session, **narrow)
    page = visit.page
    page.get_by_role("link", name="1 von 22 gescheitert").click()
    page.get_by_role("button", name="Alle ausführen").click()
    expect(page.get_by_text("21 bestanden · 1 fehlgeschlagen")).to_be_visible()
    lines = page.locator("studio-test .difference li")
    expect(lines.filter(has_text="Nutzer sagt")).to_contain_text("„Opening hours“ (Schritt 1)")
    expect(lines.filter(has_text="erwartet beginnt")).to_contain_text("beginnt mit „We are closed“")
    expect(lines.filter(has_text="gekommen")).to_contain_text("We are open Monday to Friday")
    expect(page.get_by_role("textbox", name="JSON von tests/small-talk.json")).to_be_visible()
    picture(page, f"studio-test-{scheme}")
    assert overflow(page) == 0
    assert axe(page) == []
    assert visit.errors == []
    visit.context.close()


def test_new_replies_are_accepted_and_scenarios_written_run_removed_and_brought_back(
    browser: Browser, service: Service, session: Any
) -> None:
    visit = Visit(browser, service, storage_state=session).opens("test", "clinic")
    page = visit.page
    listed = page.get_by_role("navigation", name="Scenarios")
    visit.button("Run all").click()
    expect(page.get_by_role("heading", name=HOURS)).to_be_visible()
    visit.button("Accept the new replies").click()
    visit.button("Run this one").click()
    expect(page.get_by_text("22 passed")).to_be_visible()

    visit.button("New scenario").click()
    visit.button("Run this one").click()
    expect(page.get_by_text("22 passed · 1 failed")).to_be_visible()
    expect(page.locator("studio-test li.came")).to_contain_text("What would you like to do?")
    visit.button("Accept the new replies").click()
    visit.button("Run all").click()
    expect(page.get_by_text("23 passed")).to_be_visible()
    assert axe(page) == []

    visit.button("Remove this scenario").click()
    expect(listed.get_by_role("button", name=re.compile("new scenario", re.I))).to_have_count(1)  # what makes one
    page.keyboard.press("Control+z")
    expect(listed.get_by_role("button", name=re.compile("^passed new scenario"))).to_be_visible()
    page.keyboard.press("Control+s")
    expect(visit.button("Saved")).to_be_visible()
    written = json.loads((service.folders[0] / "tests" / "small-talk.json").read_text("utf-8"))
    assert [one["it"] for one in written["scenarios"]][-2:] == ["begins anew on restart", "new scenario"]
    assert visit.errors == []
    visit.context.close()


def test_a_bot_without_tests_says_how_to_make_the_first(browser: Browser, service: Service, session: Any) -> None:
    visit = Visit(browser, service, storage_state=session).opens("test", "blank")
    page = visit.page
    expect(page.get_by_role("heading", name="This bot has no tests yet")).to_be_visible()
    assert axe(page) == []
    visit.button("From a try-out").click()
    expect(page.get_by_role("complementary", name="Try out")).to_be_visible()
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Search and commands")
    palette.get_by_role("combobox").fill("New scenario")
    expect(palette.get_by_role("option").first).to_contain_text("New scenario")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="new scenario")).to_be_visible()
    visit.context.close()


def test_home_and_build_say_that_tests_cannot_be_run(browser: Browser, service: Service, session: Any) -> None:
    folder = service.folders[1] / "tests"
    folder.mkdir()
    (folder / "greeting.json").write_text('{"name": "Greeting",\n"scenarios": [', "utf-8")
    visit = Visit(browser, service, storage_state=session)
    page = visit.page
    page.get_by_role("link", name="could not be run").click()
    expect(page.get_by_role("button", name="tests/greeting.json")).to_be_visible()
    visit.opens("build", "blank")
    visit.button("1 finding").click()
    page.get_by_role("button", name="The text is no JSON from line 2, column 15 on").click()
    expect(page.get_by_role("textbox").filter(has_text="Greeting")).to_be_visible()
    shutil.rmtree(folder)
    visit.context.close()
