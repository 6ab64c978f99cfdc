"""A request that a test holds back until it has seen what a page does meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Route

LOOKS = 1000
PAUSE = 30.0
"""Milliseconds between two looks whether it has come."""


class HeldRequest:
    """Holds the next request to such an address; ``url`` as ``route`` takes it."""

    def __init__(self, around: BrowserContext | Page, url: str) -> None:
        self._routes: list[Route] = []
        around.route(url, self._hold, times=1)

    def _hold(self, route: Route) -> None:
        self._routes.append(route)

    def go_on(self, page: Page) -> None:
        """Let the request go on, once it came. ``page``: any; the browser's requests are heard of while something waits
        for it."""
        for _ in range(LOOKS):
            if self._routes:
                self._routes.pop().continue_()
                return
            page.wait_for_timeout(PAUSE)
        raise AssertionError("nothing was asked for that could be held")
