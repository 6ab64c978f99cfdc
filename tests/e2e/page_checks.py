"""Checks every page gets: a picture of it, and the accessibility findings of axe."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Literal

from tests.live import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page

PICTURES = ROOT / "test-results"
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


def scheme_at(state: str, size: int) -> Scheme:
    """Return the colour scheme in which a state of a page is looked at in the size of this number. The schemes take turns
    from size to size, and which one begins depends on the state's name: each state is seen in each size and in both
    schemes, without all combinations. Colours do not depend on the size, nor what is too wide on the colours."""
    return SCHEMES[(sum(state.encode()) + size) % len(SCHEMES)]


@functools.cache
def _axe() -> str:
    return (ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


def axe(page: Page, *within: str) -> list[tuple[str, str]]:
    """Return each accessibility rule that is broken, with the first element that breaks it. ``within``: selectors from
    one shadow root to the next, of the element to look at in place of the page."""
    # Half a megabyte of script: once a page. The reporter leaves the lists of what passed out, the checks are the same.
    if page.evaluate("!window.axe"):
        page.evaluate(_axe())
    context = {"fromShadowDom": [*within]} if within else None
    found = page.evaluate("context => axe.run(context ?? document, {reporter: 'no-passes'})", context)
    return [(violation["id"], violation["nodes"][0]["html"]) for violation in found["violations"]]


def picture(page: Page, name: str) -> None:
    PICTURES.mkdir(exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png")


def overflow(page: Page) -> int:
    """Pixels by which the page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
