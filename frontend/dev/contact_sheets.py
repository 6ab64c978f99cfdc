"""Takes each state of the chat in three languages, four sizes and three themes, and puts a state's pictures on sheets.

    python frontend/dev/contact_sheets.py <folder for the sheets> [<state> ...]

One sheet a state and theme: a row a language, a column a size. Against the mock server, as ``look.py``, whose states it
uses; cards of refusals are those of the service. Needs Playwright, a Chromium and the built front end.
"""

from __future__ import annotations

import base64
import sys
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from look import (
    FIRST,
    ROOT,
    SIZES,
    answer,
    failed,
    launch,
    located,
    marks,
    mock,
    mock_server,
    offline,
    opened,
    say,
    sought,
    spots,
    talk,
    typing,
    waiting,
    welcome,
)
from playwright.sync_api import Browser, Page, sync_playwright

from dialoom.http.pages.card import PageOwner, page
from dialoom.http.pages.refusals import refusal_card

LANGUAGES = {"clinic": "en", "praxis": "de", "iyada": "ar"}
SILENT = {"clinic": "silent", "praxis": "silent_de", "iyada": "silent_ar"}
THEMES: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light", "forced_colors": "none"},
    "dark": {"color_scheme": "dark", "forced_colors": "none"},
    "forced": {"color_scheme": "dark", "forced_colors": "active"},
}
SHEET_WIDTHS = {"320": 320, "360": 270, "768": 470, "1280": 800}
"""Pixels of a picture on its sheet, by its size."""
SHEET_STYLE = """
body { margin: 8px; background: #888; font: 16px sans-serif }
div { display: flex; gap: 8px; align-items: start; margin-top: 8px }
"""
QUESTION = {
    "clinic": "Can I come on Saturday, and may my daughter come with me?",
    "praxis": "Kann ich am Samstag kommen, und darf meine Tochter mitkommen?",
    "iyada": "هل يمكنني الحضور يوم السبت مع ابنتي؟",
}
INVITATION = {"clinic": "May I help you?", "praxis": "Kann ich Ihnen helfen?", "iyada": "هل يمكنني مساعدتك؟"}


def sending(page: Page, bot: str) -> None:
    mock(hang=True)
    say(page, QUESTION[bot])
    page.wait_for_timeout(500)


def slow(page: Page, bot: str) -> None:
    mock(delay=60_000)
    say(page, QUESTION[bot])
    page.locator(".typing").wait_for()
    page.clock.fast_forward(9000)
    page.locator(".notice .again").wait_for()


def ended(page: Page, _bot: str) -> None:
    say(page, "bye")
    page.locator("dialoom-rating fieldset").wait_for()


def rated(page: Page, bot: str) -> None:
    ended(page, bot)
    page.locator("dialoom-rating label").nth(3).click()


def menu(page: Page, _bot: str) -> None:
    page.locator("dialoom-menu button").first.click()
    page.locator("dialoom-menu [role=menu]").wait_for()


def nothing(_page: Page, _bot: str) -> None:
    pass


TALKS: dict[str, Any] = {
    "talk": talk,
    "long": answer("long"),
    "carousel": answer("cards"),
    "single": opened("single", marks(1)),
    "multi": opened("multi", marks(0, 2)),
    "date": opened("visit"),
    "location": opened("place", located),
    "map": opened("search", sought("Altona"), spots(0)),
    "login": answer("login"),
    "waiting": waiting,
    "confirm": answer("confirm"),
    "danger": answer("removal"),
    "sending": sending,
    "failed": failed,
    "offline": offline,
    "slow": slow,
    "typing": typing,
    "ended": ended,
    "rated": rated,
    "menu": menu,
}
"""States of a talk that has begun."""
EMBEDDED = ("proactive", "unread", "window")
STATES = ("empty", "consent", *TALKS, *EMBEDDED, "error")


def reach(page: Page, state: str, bot: str) -> None:
    """Bring the page into the state."""
    mock(consent=state == "consent")
    if state == "slow":
        page.clock.install()
    if state in ("empty", "consent"):
        page.goto(f"{ROOT}/chat/{SILENT[bot]}/web")
        page.locator(".hero").wait_for()
    elif state == "error":
        show_error(page, LANGUAGES[bot])
    elif state in EMBEDDED:
        embed(page, state, bot)
    else:
        page.goto(f"{ROOT}/chat/{bot}/web")
        welcome(page, bot)
        TALKS[state](page, bot)


def show_error(target: Page, language: str) -> None:
    target.set_content(page(refusal_card(language, "not-found", "?"), PageOwner(language)))


def embed(page: Page, state: str, bot: str) -> None:
    invitation = f"&proactive={quote(INVITATION[bot])}" if state == "proactive" else ""
    page.goto(f"{ROOT}/embed?bot={bot}{invitation}")
    if state == "proactive":
        page.get_by_text(INVITATION[bot]).wait_for()
        return
    page.get_by_role("button").first.click()
    page.get_by_role("button", name=FIRST[bot]).wait_for()
    if state == "unread":
        page.locator(".close").click()
        mock(push=True)
        page.wait_for_timeout(800)


def pictures(browser: Browser, state: str, bot: str, size: str) -> dict[str, bytes]:
    """Return the pictures of the state by their theme: one talk, looked at three times."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=width < 500, is_mobile=width < 500, locale="en-GB",
        reduced_motion="reduce", geolocation={"latitude": 53.5436, "longitude": 9.9673, "accuracy": 24},
        permissions=["geolocation"],
    )  # fmt: skip
    page = context.new_page()
    try:
        reach(page, state, bot)
        found = {}
        for theme, media in THEMES.items():
            page.emulate_media(**media)
            page.wait_for_timeout(250)
            found[theme] = page.screenshot()
        return found
    finally:
        context.close()


def sheet(browser: Browser, title: str, rows: list[list[tuple[str, bytes]]], path: Path) -> None:
    """Put pictures, each with the name of its size, on one sheet."""
    cells = "".join(f"<div>{''.join(_cell(size, content) for size, content in row)}</div>" for row in rows)
    view = browser.new_page(viewport={"width": 1900, "height": 400})
    view.set_content(f"<style>{SHEET_STYLE}</style><b>{escape(title)}</b>{cells}")
    view.screenshot(path=path, full_page=True)
    view.close()


def _cell(size: str, content: bytes) -> str:
    source = base64.b64encode(content).decode("ascii")
    return f"<img src='data:image/png;base64,{source}' width={SHEET_WIDTHS[size]}>"


def main() -> None:
    folder, chosen = Path(sys.argv[1]), sys.argv[2:] or STATES
    folder.mkdir(parents=True, exist_ok=True)
    with mock_server(), sync_playwright() as playwright:
        browser = launch(playwright)
        for state in chosen:
            taken: dict[tuple[str, str], dict[str, bytes]] = {}
            for bot in LANGUAGES:
                for size in SIZES:
                    try:
                        taken[bot, size] = pictures(browser, state, bot, size)
                    except Exception as error:  # noqa: BLE001 - the other pictures are worth looking at all the same
                        sys.stdout.write(f"{state} {bot} {size}: {str(error).splitlines()[0]}\n")
            for theme in THEMES:
                rows = [
                    [(size, taken[bot, size][theme]) for size in SIZES if (bot, size) in taken] for bot in LANGUAGES
                ]
                sheet(browser, f"{state}, {theme}", rows, folder / f"{state}-{theme}.png")
            sys.stdout.write(f"{state}\n")
            sys.stdout.flush()
        browser.close()


if __name__ == "__main__":
    main()
