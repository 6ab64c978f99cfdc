"""The states of the dialogs: days that are off, places, a search, a map; on a small window, in forced colours, in words."""

from __future__ import annotations

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.page_checks import axe, overflow, picture
from tests.e2e.test_dialogs import HERE, PRACTICE, Talk
from tests.live import Service

if TYPE_CHECKING:
    from collections.abc import Iterator

SMALL: dict[str, Any] = {"viewport": {"width": 320, "height": 200}}
"""A window of 1280 by 800 at 400 % zoom (WCAG 2.2, success criterion 1.4.10)."""
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
TILE = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path fill="#cde" d="M0 0h1v1H0z"/></svg>'
ALTONA = {
    "lat": "53.5527",
    "lon": "9.9352",
    "name": "Altona",
    "display_name": "Altona, Hamburg, Germany",
    "licence": "© The map's people",
}


class Geocoder(BaseHTTPRequestHandler):
    """Finds Altona, and squares of a map."""

    def do_GET(self) -> None:
        is_tile = self.path.endswith(".svg")
        found = [ALTONA] if "Altona" in self.path else []
        self.send_response(200)
        self.send_header("Content-Type", "image/svg+xml" if is_tile else "application/json")
        self.end_headers()
        self.wfile.write(TILE if is_tile else json.dumps(found).encode())

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def practice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    geocoder = ThreadingHTTPServer(("127.0.0.1", 0), Geocoder)
    threading.Thread(target=geocoder.serve_forever, daemon=True).start()
    place = f"http://127.0.0.1:{geocoder.server_port}"
    settings = {
        "DIALOOM_GEOCODER_URL": f"{place}/search",
        "DIALOOM_MAP_TILES_URL": f"{place}/{{z}}/{{x}}/{{y}}.svg",
        "DIALOOM_MAP_ATTRIBUTION": "© The map's people",
    }
    service = Service([PRACTICE], tmp_path_factory.mktemp("data"), environment=settings)
    yield service
    service.stop()
    geocoder.shutdown()
    geocoder.server_close()


QUESTIONS = {
    "one choice": ("Which specialist?", "Choose a specialist"),
    "several choices": ("Which symptoms?", "Choose symptoms"),
    "a visit": ("When do you want to visit us?", "Choose a visit"),
    "a branch": ("Which branch is yours?", "Choose a branch"),
    "a place": ("Where are you?", "Choose a place"),
}


@pytest.fixture
def opened(browser: Browser, practice: Service, request: pytest.FixtureRequest) -> Iterator[Talk]:
    talk = Talk(browser, practice, **{"reduced_motion": "reduce"} | getattr(request, "param", {}))
    yield talk
    assert talk.errors == []
    talk.context.close()


def ask(talk: Talk, text: str) -> None:
    """Comes to a question and opens its dialog by keys."""
    question, opener = QUESTIONS[text]
    talk.ask(text, question)
    talk.tab_to(opener)
    talk.press("Enter")
    expect(talk.dialog).to_be_visible()


# -- by keys alone


def test_a_day_that_is_off_is_said_and_another_chosen_by_keys(opened: Talk) -> None:
    ask(opened, "a visit")
    expect(opened.dialog).to_have_accessible_name(re.compile("When do you want to visit us"))
    first = opened.page.get_by_role("gridcell", name="Wednesday, 2 January 2030")
    expect(first).to_be_focused()
    opened.press("ArrowLeft")
    expect(first).to_be_focused()
    opened.press("ArrowDown", "ArrowLeft")
    off = opened.page.get_by_role("gridcell", name="Tuesday, 8 January 2030: not available")
    expect(off).to_be_focused()
    opened.press("Enter")
    expect(opened.dialog.get_by_role("status")).to_have_text("Tuesday, 8 January 2030: not available")
    expect(opened.button("Take it")).to_be_disabled()
    opened.press("ArrowRight", "Enter", "Enter")
    opened.hears("See you on 2030.01.09.")


def test_a_branch_is_chosen_by_keys(opened: Talk) -> None:
    ask(opened, "a branch")
    for _ in range(8):
        opened.press("Tab")
        if opened.page.get_by_role("radio", name="Harbour").evaluate("radio => radio.matches(':focus')"):
            break
    opened.press("ArrowDown", "Enter")
    opened.hears("Your branch is Old town.")


def test_a_place_is_searched_for_by_keys_and_shown_on_the_operators_map(opened: Talk) -> None:
    ask(opened, "a place")
    opened.page.get_by_role("searchbox").focus()
    opened.page.keyboard.type("nowhere at all")
    opened.press("Enter")
    expect(opened.dialog.get_by_text("Nothing found")).to_be_visible()
    opened.press("Control+a")
    opened.page.keyboard.type("Altona")
    opened.press("Enter")
    found = opened.page.get_by_role("radio", name="Altona")
    expect(found).to_be_visible()
    opened.press("Tab", "Tab", "Space")
    expect(found).to_be_checked()
    expect(opened.dialog.get_by_text("53.5527° north, 9.9352° east")).to_be_visible()
    expect(opened.dialog.get_by_role("img", name="Map")).to_be_visible()
    drawn = opened.page.locator(".map img").first
    drawn.evaluate("image => image.decode()")
    opened.press("Enter")
    opened.hears("The place is noted.")


def test_the_yes_to_what_cannot_be_taken_back_looks_so(opened: Talk) -> None:
    opened.ask("delete everything", "Delete all your visits?")
    colours = [
        opened.button(name).evaluate("button => getComputedStyle(button).backgroundColor") for name in ("Yes", "No")
    ]
    assert colours[0] != colours[1]
    assert axe(opened.page) == []
    opened.button("No").click()
    opened.hears("They stay.")


# -- sizes and colours


@pytest.mark.parametrize("opened", [SMALL], indirect=True)
def test_on_a_window_of_320_by_200_each_dialog_shows_a_row_and_its_button(opened: Talk) -> None:
    rows = {"one choice": "[role=option]", "several choices": "[role=option]", "a branch": ".spot", "a visit": "td"}
    for text, row in rows.items():
        ask(opened, text)
        picture(opened.page, f"small-{text.replace(' ', '-')}")
        assert axe(opened.page) == []
        opened.page.locator(row).nth(1).scroll_into_view_if_needed()
        visible = opened.page.locator(row).evaluate_all(
            """(rows) => {
              const foot = rows[0].getRootNode().querySelector(".foot").getBoundingClientRect();
              const fits = (box) => box.top >= 0 && box.bottom <= foot.top + 1 && box.height > 0;
              return [rows.filter((row) => fits(row.getBoundingClientRect())).length, foot.bottom <= innerHeight];
            }"""
        )
        assert visible[0] >= 1, text
        assert visible[1], text
        assert overflow(opened.page) <= 0
        opened.press("Escape")
        expect(opened.dialog).to_have_count(0)


def test_the_page_of_a_dialog_is_no_wider_than_a_window_of_320_by_200(browser: Browser, practice: Service) -> None:
    practice.say("practice", "small", "hello")
    for text in ("one choice", "show cards"):
        (*_, message) = practice.say("practice", "small", text).json
        context = browser.new_context(**SMALL, locale="en-GB", has_touch=True, is_mobile=True)
        page = context.new_page()
        page.goto(str(message["template"]["buttons"][0]["url"]))
        page.locator(".dialog").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") == 320
        picture(page, f"small-page-{text.replace(' ', '-')}")
        context.close()


@pytest.mark.parametrize("opened", [{"forced_colors": "active"}], indirect=True)
def test_in_forced_colours_only_what_is_chosen_is_ticked(opened: Talk) -> None:
    ask(opened, "several choices")
    opened.page.get_by_role("option", name="Cough").click()
    ticks = opened.page.get_by_role("option").evaluate_all(
        "rows => rows.map((row) => [row.ariaSelected, getComputedStyle(row.querySelector('.mark svg')).visibility])"
    )
    assert {tuple(tick) for tick in ticks} == {("true", "visible"), ("false", "hidden")}
    picture(opened.page, "forced-several")
    assert axe(opened.page) == []


@pytest.mark.parametrize("opened", [PHONE | {"permissions": ["geolocation"], "geolocation": HERE}], indirect=True)
def test_a_finger_has_44_pixels(opened: Talk) -> None:
    for text, (question, opener) in QUESTIONS.items():
        opened.ask(text, question)
        opened.button(opener).tap()
        small = opened.page.locator("dialoom-sheet").evaluate(
            """(sheet) => {
              const panel = sheet.shadowRoot.querySelector(".content").firstElementChild.shadowRoot;
              const roots = [sheet.shadowRoot, panel];
              const targets = roots.flatMap((root) => [...root.querySelectorAll("button, .input, [role=option], td, .spot, summary")]);
              const seen = targets.map((target) => [target.className, target.getBoundingClientRect()]).filter(([, box]) => box.height);
              return seen.filter(([, box]) => box.height < 43.9 || box.width < 43.9).map(([name, box]) => [name, box.width, box.height]);
            }"""
        )
        assert small == [], text
        opened.button("Close").tap()
        expect(opened.dialog).to_have_count(0)


# -- what a screen reader is told


def test_each_state_of_a_dialog_in_the_accessibility_tree(opened: Talk) -> None:
    print("@@")
    ask(opened, "several choices")
    opened.page.get_by_role("option", name="Cough").click()
    expect(opened.dialog).to_match_aria_snapshot("""
      - dialog "Which symptoms?":
        - heading "Which symptoms?" [level=2]
        - button "Close"
        - listbox "Choose symptoms":
          - option "Cough" [selected]
          - option "Fever"
          - option "Headache"
        - 'button "Send Chosen: 1"'
    """)
    opened.press("Escape")
    ask(opened, "a visit")
    expect(opened.dialog).to_match_aria_snapshot("""
      - dialog /When do you want to visit us/:
        - heading /When do you want to visit us/ [level=2]
        - button "Close"
        - textbox "Date":
          - /placeholder: DD/MM/YYYY
        - status: From 2 January 2030 to 31 January 2030
        - button "Previous year" [disabled]
        - button "Previous month" [disabled]
        - paragraph: January 2030
        - button "Next month" [disabled]
        - button "Next year" [disabled]
        - grid "January 2030":
          - rowgroup
          - rowgroup:
            - row:
              - 'gridcell "Tuesday, 1 January 2030: not available" [disabled]'
              - gridcell "Wednesday, 2 January 2030"
        - button "Take it" [disabled]
    """)
    opened.press("Escape")
    ask(opened, "a branch")
    opened.page.get_by_role("radio", name="Old town").check()
    expect(opened.dialog).to_match_aria_snapshot("""
      - dialog "Which branch is yours?":
        - heading "Which branch is yours?" [level=2]
        - button "Close"
        - button "Use my position"
        - search:
          - searchbox "Search for a place"
          - button "Search"
        - status
        - group "Places":
          - radio "Harbour Hafenstrasse 4"
          - radio "Old town Domplatz 1" [checked]
          - radio "Airport"
        - group: Or enter coordinates
        - status:
          - paragraph: Old town 53.5503° north, 9.9937° east
        - figure:
          - img "Map"
        - button "Send it"
    """)
