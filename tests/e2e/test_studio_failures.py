"""Every room of the studio while its calls take long, where they fail, and after they work again."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.page_checks import axe
from tests.e2e.studio_visit import EXAMPLES, Visit
from tests.live import Service

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOMS = {
    "": "Findings",
    "/blank/build": "welcome",
    "/blank/understand": "Conversation",
    "/blank/understand?view=missed": "Every sentence was understood",
    "/blank/test": "Getting to know the user",
    "/blank/conversations": "No conversations yet",
    "/blank/insights": "Nothing to count in this period",
    "/blank/hand-off": "This bot hands no chat over",
    "/blank/operate": "Dead letters",
    "/blank/people": "Signed in now",
}
"""Of each room: something that it shows once its calls work."""
SOMETHING_WRONG = {"code": "internal", "detail": "Something went wrong here. Try again."}
FAILURES: tuple[tuple[Callable[[Route], None], str], ...] = (
    (lambda route: route.fulfill(status=500, json=SOMETHING_WRONG), "Something went wrong here."),
    (
        lambda route: route.fulfill(status=502, body="<h1>Bad gateway</h1>", content_type="text/html"),
        "answered with 502",
    ),
    (lambda route: route.abort("internetdisconnected"), "The service cannot be reached."),
)
"""What becomes of the calls, and what the page says of it."""


class Calls:
    """The studio's calls of a page but the one that asks who is there: held, or answered by ``answer``."""

    def __init__(self, page: Page) -> None:
        self.answer: Callable[[Route], None] | None = None
        self._held: list[Route] = []
        page.route("**/v1/studio/**", self._take)

    def _take(self, route: Route) -> None:
        if route.request.url.endswith("/session"):
            route.continue_()
        elif self.answer is None:
            self._held.append(route)
        else:
            self.answer(route)

    def go_on(self, answer: Callable[[Route], None]) -> None:
        self.answer = answer
        while self._held:
            answer(self._held.pop())


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = Service([EXAMPLES / "blank"], tmp_path_factory.mktemp("failures") / "data")
    yield service
    service.stop()


def test_every_room_says_that_it_waits_and_what_failed_and_loads_on_a_press(browser: Browser, service: Service) -> None:
    visit = Visit(browser, service, service.studio_link()).comes_in()
    page, main = visit.page, visit.page.locator("main")
    again = main.get_by_role("button", name="Try again")
    for (address, shown), (failure, said) in zip(ROOMS.items(), itertools.cycle(FAILURES), strict=False):
        calls = Calls(page)
        page.goto(f"{service.url}/studio{address}")
        expect(main.get_by_role("progressbar")).to_be_visible()
        expect(main.get_by_text(shown)).to_have_count(0)
        calls.go_on(failure)
        expect(main.get_by_text(said)).to_be_visible()
        expect(main.get_by_text(shown)).to_have_count(0)
        assert axe(page) == []
        calls.go_on(lambda route: route.continue_())
        again.click()
        expect(main.get_by_text(shown).first).to_be_visible()
        expect(again).to_have_count(0)
        page.unroute_all()
    assert [error for error in visit.errors if not error.startswith("Failed to load resource")] == []
    visit.context.close()
