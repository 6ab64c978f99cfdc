"""People in the studio: an administrator invites somebody, who comes in with their role, and ends their session."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.page_checks import axe, overflow, picture
from tests.e2e.studio_visit import EXAMPLES, Visit
from tests.live import Service

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, studio_store: dict[str, str]) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("people")
    bots = [shutil.copytree(EXAMPLES / name, folder / name) for name in ("blank", "library")]
    service = Service(bots, folder / "data", environment=studio_store)
    yield service
    service.stop()


def test_who_is_invited_sees_their_rooms_until_their_session_is_ended(browser: Browser, service: Service) -> None:
    own = Visit(browser, service, service.studio_link()).comes_in().opens("people", "blank")
    page = own.page
    expect(page.get_by_role("heading", name="People", level=1)).to_be_visible()
    page.get_by_role("textbox", name="Name").fill("Grace")
    page.get_by_label("Role").select_option("analyst")
    page.get_by_role("button", name="Make a link").click()
    link = page.locator(".made code").inner_text()

    guest = Visit(browser, service, link).comes_in()
    guest.opens("conversations", "blank")
    rooms = guest.page.get_by_role("navigation", name="Rooms").get_by_role("link")
    expect(rooms).to_have_text(["Conversations", "Insights"])

    page.reload()
    expect(page.get_by_role("row", name="Grace Analyst")).to_be_visible()
    expect(page.get_by_role("row", name="invited somebody").first).to_be_visible()
    picture(page, "studio-people")
    assert axe(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    assert overflow(page) <= 0
    picture(page, "studio-people-narrow")
    page.set_viewport_size({"width": 1280, "height": 800})

    page.get_by_role("button", name="End the session of Grace").click()
    page.get_by_role("dialog").get_by_role("button", name="End it").click()
    expect(page.get_by_text("The session of Grace was ended.")).to_be_visible()
    expect(page.get_by_role("row", name="Grace Analyst")).to_have_count(0)
    guest.page.reload()
    expect(guest.page.get_by_role("heading", name="Sign in to the studio")).to_be_visible()
    assert own.errors == []
    own.context.close()
    guest.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_who_is_invited_for_one_bot_sees_that_bot_alone(browser: Browser, service: Service, scheme: str) -> None:
    own = Visit(browser, service, service.studio_link(), color_scheme=scheme).comes_in().opens("people", "blank")
    page = own.page
    page.get_by_role("textbox", name="Name").fill("Linus")
    page.get_by_label("Role").select_option("administrator")
    page.get_by_role("radio", name="Some bots").check()
    expect(page.get_by_role("button", name="Make a link")).to_be_disabled()
    page.get_by_role("checkbox", name="Library").check()
    picture(page, f"studio-people-bots-{scheme}")
    assert axe(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    assert overflow(page) <= 0
    page.get_by_role("checkbox", name="Library").scroll_into_view_if_needed()
    picture(page, f"studio-people-bots-{scheme}-narrow")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("button", name="Make a link").click()
    link = page.locator(".made code").inner_text()

    guest = Visit(browser, service, link, locale="de-DE", color_scheme=scheme)
    expect(guest.page.get_by_role("link", name="Library")).to_be_visible()
    expect(guest.page.get_by_role("button", name="Neuer Bot")).to_have_count(0)
    guest.page.goto(f"{service.url}/studio/library/operate")
    expect(guest.page.get_by_role("link", name="Personen")).to_have_count(0)
    expect(guest.page.get_by_role("tab")).to_have_count(5)
    picture(guest.page, f"studio-operate-one-bot-{scheme}")
    page.reload()
    expect(page.get_by_role("row", name="Linus Administrator for library").first).to_be_visible()
    picture(page, f"studio-people-bots-inside-{scheme}")
    page.set_viewport_size({"width": 360, "height": 740})
    assert axe(page) == []
    assert own.errors == guest.errors == []
    own.context.close()
    guest.context.close()


def test_what_is_not_saved_outlives_a_session_that_ends(browser: Browser, service: Service) -> None:
    visit = Visit(browser, service, service.studio_link()).comes_in().opens("build", "blank")
    page = visit.page
    page.get_by_role("treeitem", name="What is your name?").click()
    page.get_by_role("textbox", name="Wording 1").fill("How shall I call you?")
    other = visit.context.new_page()
    other.goto(f"{service.url}/studio")
    other.get_by_role("button", name="Sign out").click()
    expect(other.get_by_role("heading", name="You are signed out")).to_be_visible()
    page.keyboard.press("Control+s")
    expect(page.get_by_role("heading", name="Your session is over")).to_be_visible()
    assert axe(page) == []
    visit.button("Go on").click()
    expect(page.get_by_role("heading", name="Your session is over")).to_be_visible()
    other.goto(service.studio_link())
    expect(other.get_by_role("heading", level=1, name="Bots")).to_be_visible()
    visit.button("Go on").click()
    expect(page.get_by_role("treeitem", name="How shall I call you?")).to_be_visible()
    page.keyboard.press("Control+s")
    expect(visit.button("Saved")).to_be_visible()

    page.get_by_role("treeitem", name="How shall I call you?").click()
    page.get_by_role("textbox", name="Wording 1").fill("And you are?")
    visit.button("Sign out").click()
    asked = page.get_by_role("dialog")
    expect(asked).to_contain_text("has changes that are not saved")
    asked.get_by_role("button", name="Stay here").click()
    expect(page.get_by_role("treeitem", name="And you are?")).to_be_visible()
    visit.button("Sign out").click()
    asked.get_by_role("button", name="Drop them").click()
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
    visit.context.close()
