"""People in the studio: an administrator invites somebody, who comes in with their role, and ends their session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.page_checks import axe, overflow, picture
from tests.e2e.test_studio import EXAMPLES, Visit, new_link
from tests.live import Service

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, studio_store: dict[str, str]) -> Iterator[Service]:
    service = Service([EXAMPLES / "blank"], tmp_path_factory.mktemp("people") / "data", environment=studio_store)
    yield service
    service.stop()


def test_who_is_invited_sees_their_rooms_until_their_session_is_ended(browser: Browser, service: Service) -> None:
    own = Visit(browser, service, new_link(service)).comes_in().opens("people", "blank")
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
