"""A walk through every room of the studio over PostgreSQL, with each room's main act.

The whole set of the studio's browser tests runs on PostgreSQL with ``STUDIO_TEST_STORE=postgres pytest tests/e2e``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.studio_visit import Visit
from tests.e2e.test_studio import make
from tests.e2e.test_studio_hand_off import say, waiting_user
from tests.e2e.test_studio_path import bubble
from tests.http.support import BOT, TRAINING, write_bot
from tests.live import Service
from tests.service.outbox.test_hand_over import handing_over

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.postgres import Server


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, postgres_server: Server) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("walk")
    store = {"DIALOOM_DATABASE_URL": postgres_server.database()}
    service = Service([write_bot(folder / "tea", BOT, handing_over(), TRAINING)], folder / "data", environment=store)
    yield service
    service.stop()


def test_each_room_does_its_work_over_postgresql(browser: Browser, service: Service) -> None:
    visit = Visit(browser, service, service.studio_link(name="Ada")).comes_in()
    page = visit.page
    expect(page.get_by_role("main").get_by_role("link", name="Tea house").first).to_be_visible()
    user = waiting_user(browser, service)

    visit.opens("hand-off", "tea")
    page.locator(".row").first.click()
    visit.button("Take").click()
    field = page.get_by_label("Answer", exact=True)
    field.fill("How can I help?")
    field.press("Enter")
    expect(user.get_by_text("How can I help?")).to_be_visible()
    visit.button("Give back to the bot").click()
    expect(page.get_by_text("Nobody waits")).to_be_visible()
    say(user, "thank you")
    expect(user.get_by_text("All well?")).to_be_visible()

    visit.opens("conversations", "tea")
    page.locator("tbody tr").first.click()
    expect(page.get_by_text("How can I help?").first).to_be_visible()
    visit.opens("insights", "tea")
    expect(page.get_by_role("heading", level=1, name="Insights")).to_be_visible()
    expect(page.get_by_role("link", name="1: web, Conversations. Show these conversations")).to_be_visible()

    visit.opens("build", "tea")
    page.get_by_role("treeitem", name="What about?").click()
    page.get_by_role("textbox", name="Wording 1").fill("About what?")
    visit.button("Try out").click()
    page.locator("dialoom-field").get_by_role("textbox").fill("tea")
    page.keyboard.press("Enter")
    expect(bubble(page, "About what?")).to_be_visible()
    visit.button("Save").click()
    expect(visit.button("Saved")).to_be_visible()
    visit.button("Publish").click()
    dialog = page.locator("build-publish dialog")
    expect(dialog.locator("ins")).to_have_text("About what?")
    dialog.get_by_role("button", name="Publish").click()
    expect(dialog.get_by_role("heading", name="Published")).to_be_visible()

    visit.opens("operate?tab=versions", "tea")
    expect(page.get_by_role("button", name="Make active: ").first).to_be_visible()
    visit.opens_tokens("tea")
    assert visit.reads_history("tea", make(visit, "By the walk")) == 200

    visit.opens("people", "tea")
    page.get_by_role("textbox", name="Name").fill("Grace")
    visit.button("Make a link").click()
    expect(page.locator(".made code")).to_be_visible()
    page.reload()
    for deed in ("invited somebody", "published", "made a token"):
        expect(page.get_by_role("row", name=deed).first).to_be_visible()
    assert visit.errors == []
    visit.context.close()
    user.context.close()
