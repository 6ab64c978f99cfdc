"""The widget in other people's pages: under their content policies, across their pages, and gone without a trace."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.e2e.page_checks import axe, picture
from tests.http.support import TRAINING, write_bot
from tests.live import Service, call

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SHOP = "http://localhost:9"
"""Where the pages are that embed the chat; the tests play its server. A service on this machine may be asked from there."""
TOKEN = "token-of-the-shop-s-page-0123456789"
MENU = {"erase-from-page": True, "ask-rating": True, "privacy-url": "https://shop.test/privacy"}
TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types 'none'"


def _flow() -> dict[str, Any]:
    sizes = [{"title": "Small", "value": "small"}, {"title": "Large", "value": "large"}]
    display = {"type": "single-select", "title": "Choose a size", "button-text": "Take it", "data": sizes}
    asked = {
        "type": "question",
        "entity": "size",
        "entity-type": "Text",
        "messages": ["Which size?"],
        "display": display,
    }
    welcome = {"type": "support", "steps": [{"type": "message", "messages": ["Welcome to the **shop**!"]}]}
    tea = {"type": "goal", "steps": [asked, {"type": "message", "messages": ["So {{size}}."]}]}
    help = {"type": "support", "steps": [{"type": "message", "messages": ["Say tea."]}]}
    return {"conversations": {"welcome": welcome, "tea": tea, "help": help}}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder: Path = tmp_path_factory.mktemp("shop")
    channel = {"id": "web", "type": "web", "token": TOKEN, "allowed-origins": [SHOP]} | MENU
    bot = {"id": "tea", "name": "Tea house", "access-token": "history-token-of-tea", "channels": [channel]}
    service = Service([write_bot(folder / "tea", bot, _flow(), TRAINING)], folder / "data")
    yield service
    service.stop()


class Visit:
    """A browser in the shop. Its pages embed the chat with one line, bound to its content by subresource integrity."""

    def __init__(
        self, browser: Browser, service: Service, policy: str = TRUSTED_TYPES, more: str = "", **headers: str
    ) -> None:
        self.service = service
        self.errors: list[str] = []
        self.context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
        described = call("GET", f"{service.url}/static/widget.json").json
        line = (
            f'<script src="{service.url}{described["src"]}" integrity="{described["integrity"]}" crossorigin="anonymous" '
            f'data-bot="tea" data-channel="web" data-token="{TOKEN}" data-name="Tea house" {more} defer></script>'
        )
        self._policy = f"default-src 'none'; script-src {service.url}; connect-src {service.url}; img-src {service.url} data:; {policy}"
        self._line, self._headers = line, headers
        self.context.route(f"{SHOP}/**", self._serve)
        self.page = self.tab()

    def tab(self) -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)
        return page

    def _serve(self, route: Route) -> None:
        name = route.request.url.removeprefix(f"{SHOP}/")
        if name == "favicon.ico":
            route.fulfill(status=204)
            return
        links = "".join(f'<a href="/{page}">{page}</a> ' for page in ("tea", "cups", "about"))
        body = (
            f'<!doctype html><html lang="en"><title>{name}</title><link rel="icon" href="data:,"><main><h1>{name}</h1>'
            f"{links}</main>{self._line}</html>"
        )
        headers = {"content-type": "text/html", "content-security-policy": self._policy, **self._headers}
        route.fulfill(body=body, headers=headers)

    def open(self) -> None:
        self.page.get_by_role("button", name="Chat with Tea house").click()
        self.hears("Welcome to the shop!")

    def hears(self, text: str, page: Page | None = None) -> None:
        expect((page or self.page).locator(".bubble").get_by_text(text, exact=True).last).to_be_visible()

    def write(self, text: str) -> None:
        self.page.get_by_role("textbox").fill(text)
        self.page.keyboard.press("Enter")


@pytest.mark.parametrize(
    "policy", [TRUSTED_TYPES, "require-trusted-types-for 'script'; trusted-types shop"], ids=["no policy", "the shop's"]
)
def test_dialogs_are_loaded_and_drawn_under_trusted_types(browser: Browser, shop: Service, policy: str) -> None:
    visit = Visit(browser, shop, policy)
    visit.page.goto(f"{SHOP}/tea")
    visit.open()
    assert visit.page.locator(".bubble strong").inner_text() == "shop"
    visit.write("tea")
    visit.page.get_by_role("button", name="Choose a size").click()
    picture(visit.page, "widget-trusted-types")
    assert axe(visit.page) == []
    visit.page.get_by_role("option", name="Large").dblclick()
    visit.hears("So large.")
    assert visit.errors == []
    visit.context.close()


def test_open_state_unread_and_talk_go_along_through_the_pages_of_a_shop(browser: Browser, shop: Service) -> None:
    visit = Visit(browser, shop)
    page = visit.page
    page.goto(f"{SHOP}/tea")
    assert page.evaluate("typeof customElements.get('dialoom-chat')") == "undefined"
    visit.open()
    visit.write("tea")
    visit.hears("Which size?")
    # On the next page the window is open with the same talk, and the page keeps its focus.
    page.get_by_role("link", name="cups").click()
    expect(page.get_by_role("heading", name="cups")).to_be_visible()
    visit.hears("Which size?")
    assert page.evaluate("document.activeElement === document.body")
    # Closed by the user, it stays closed; what the bot says meanwhile is counted.
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.get_by_role("link", name="about").click()
    launcher = page.get_by_role("button", name="Chat with Tea house")
    expect(launcher).to_be_visible()
    # Another tab of the same browser goes on with the talk.
    other = visit.tab()
    other.goto(f"{SHOP}/tea")
    other.evaluate("Dialoom.load().send('Small')")
    expect(page.get_by_role("button", name="Chat with Tea house, New messages: 1")).to_be_visible()
    expect(page.locator(".line")).to_have_text("So small.")
    assert page.title() == "(1) about"
    picture(page, "widget-unread")
    page.get_by_role("link", name="cups").click()
    expect(page.locator(".badge")).to_have_text("1")
    page.locator(".line .text").click()
    visit.hears("So small.")
    expect(page).to_have_title("cups")
    assert visit.errors == []
    visit.context.close()


def test_the_menu_saves_enlarges_begins_anew_and_erases(browser: Browser, shop: Service) -> None:
    visit = Visit(browser, shop, more="data-consent-text='We keep what you write.' data-consent-link='/about'")
    page = visit.page
    page.goto(f"{SHOP}/tea")
    visit.open()
    expect(page.locator(".consent")).to_have_text(re.compile("We keep what you write"))
    picture(page, "widget-consent")
    visit.write("tea")
    visit.hears("Which size?")
    expect(page.locator(".consent")).to_have_count(0)
    menu = page.get_by_role("button", name="Menu")
    menu.click()
    page.get_by_role("menuitem", name="Text size").click()
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    picture(page, "widget-menu-dark")
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    picture(page, "widget-menu")
    assert axe(page) == []
    with page.expect_download() as saved:
        page.get_by_role("menuitem", name="Save this chat").click()
    text = saved.value.path().read_text("utf-8")
    assert [line for line in text.splitlines() if line and "·" not in line] == [
        "Welcome to the shop!",
        "tea",
        "Which size?",
    ]
    menu.click()
    page.get_by_role("menuitem", name="Start over").click()
    expect(page.locator(".bubble").get_by_text("Welcome to the shop!")).to_have_count(2)
    menu.click()
    page.get_by_role("menuitem", name="Erase my data").click()
    expect(page.get_by_role("button", name="Keep")).to_be_focused()
    picture(page, "widget-erase")
    page.get_by_role("button", name="Erase", exact=True).click()
    expect(page.locator(".bubble")).to_have_text(["Welcome to the shop!"])
    assert visit.errors == []
    visit.context.close()


def test_a_talk_that_has_ended_is_rated_by_keyboard_and_the_record_has_it(browser: Browser, shop: Service) -> None:
    visit = Visit(browser, shop)
    page = visit.page
    page.goto(f"{SHOP}/tea")
    visit.open()
    visit.write("tea")
    visit.hears("Which size?")
    expect(page.locator("dialoom-rating")).to_have_count(0)
    visit.write("small")
    visit.hears("So small.")
    expect(page.get_by_text("This conversation has ended.")).to_be_visible()
    page.reload()
    scores = page.get_by_role("radiogroup", name="How was it?").get_by_role("radio")
    expect(scores).to_have_count(5)
    assert {(box["width"], box["height"]) for box in map(Locator.bounding_box, scores.all()) if box} == {(44, 44)}
    picture(page, "widget-ended")
    scores.first.focus()
    page.keyboard.press("Space")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="4 of 5")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.type("Quick and kind")
    picture(page, "widget-rated")
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    picture(page, "widget-rated-dark")
    page.emulate_media(forced_colors="active", color_scheme="light")
    picture(page, "widget-rated-forced")
    page.emulate_media(forced_colors="none", color_scheme="light")
    assert axe(page) == []
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Thank you!")).to_be_focused()
    query = quote('{"Data.rating": {"$exists": true}}')
    headers = {"Authorization": "Bot-Server-Access-Token history-token-of-tea"}
    (record,) = call("GET", f"{shop.url}/v1/bots/tea/conversations?query={query}", headers=headers).json
    assert record["Data"]["rating"] == {"score": 4, "comment": "Quick and kind"}
    visit.write("tea")
    visit.hears("Which size?")
    expect(page.locator("dialoom-rating")).to_have_count(0)
    assert visit.errors == []
    visit.context.close()


def test_on_a_phone_the_page_behind_is_inert_and_tab_stays_inside(browser: Browser, shop: Service) -> None:
    visit = Visit(browser, shop)
    page = visit.page
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{SHOP}/tea")
    visit.open()
    picture(page, "widget-phone")
    assert page.locator("main").evaluate("main => !!main.closest('[inert]')")
    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.evaluate("['dialoom', undefined].includes(document.activeElement?.className || undefined)")
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    assert not page.locator("main").evaluate("main => !!main.closest('[inert]')")
    expect(page.get_by_role("button", name="Chat with Tea house")).to_be_focused()
    visit.context.close()


def test_a_closed_window_without_a_talk_loads_no_chat_and_asks_nobody(browser: Browser, shop: Service) -> None:
    visit = Visit(browser, shop)
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url.removeprefix(shop.url)))
    visit.page.goto(f"{SHOP}/tea", wait_until="networkidle")
    visit.page.wait_for_function("document.querySelectorAll('link[rel=modulepreload]').length > 0")
    assert [url for url in asked if "/v1/" in url] == []
    assert visit.page.evaluate("customElements.get('dialoom-chat') === undefined")
    visit.context.close()


def test_rules_of_the_page_for_all_its_elements_do_not_reach_the_chat(browser: Browser, shop: Service) -> None:
    visit = Visit(browser, shop)
    visit.page.goto(f"{SHOP}/tea")
    visit.page.evaluate(
        "() => { const sheet = new CSSStyleSheet(); document.adoptedStyleSheets = [sheet]; "
        "sheet.replaceSync('* { font-style: italic; text-transform: uppercase } button { display: none } "
        "body > * { transform: rotate(3deg) !important; filter: blur(2px) !important; opacity: 0 !important }') }"
    )
    read = "element => [getComputedStyle(element).fontStyle, getComputedStyle(element).textTransform]"
    assert visit.page.locator(".launcher").evaluate(read) == ["normal", "none"]
    drawn = "element => { const { transform, filter, opacity } = getComputedStyle(element); return [transform, filter, opacity] }"
    assert visit.page.locator(".dialoom").evaluate(drawn) == ["none", "none", "1"]
    visit.open()
    assert visit.page.locator(".bubble").first.evaluate(read) == ["normal", "none"]
    visit.context.close()


def test_other_files_than_those_of_the_build_are_not_let_in(browser: Browser, shop: Service) -> None:
    visit = Visit(browser, shop)
    headers = {"content-type": "text/javascript", "access-control-allow-origin": "*"}
    forged = "export function mountChat() { document.title = 'forged' }"
    visit.context.route("**/assets/widget-chat-*.js", lambda route: route.fulfill(body=forged, headers=headers))
    visit.page.goto(f"{SHOP}/tea")
    visit.page.evaluate(
        "void Dialoom.load().on('error', (error) => { document.documentElement.dataset.error = error.message })"
    )
    visit.page.get_by_role("button", name="Chat with Tea house").click()
    expect(visit.page.locator(".line")).to_have_text("This chat cannot be opened right now.")
    assert "is not the file of this version" in visit.page.evaluate("document.documentElement.dataset.error")
    assert visit.page.title() == "tea"
    visit.context.close()


def test_the_tabs_of_a_browser_share_one_stream_and_another_takes_over(browser: Browser, shop: Service) -> None:
    visit = Visit(browser, shop)
    streams: list[Page] = []
    visit.context.on(
        "request", lambda request: streams.append(request.frame.page) if "/events" in request.url else None
    )
    first = visit.page
    first.goto(f"{SHOP}/tea")
    visit.open()
    tabs = [visit.tab() for _ in range(7)]
    for tab in tabs:
        # Left open in the first, so open in all: eight streams would be more than a browser opens to a host.
        tab.goto(f"{SHOP}/cups")
        visit.hears("Welcome to the shop!", tab)
    visit.write("tea")
    for tab in tabs:
        visit.hears("Which size?", tab)
    assert streams == [first]
    first.close()
    visit.page = tabs[0]
    visit.write("Small")
    for tab in tabs:
        visit.hears("So small.", tab)
        assert tab.locator(".bubble").all_inner_texts() == [
            "Welcome to the shop!", "tea", "Which size?", "Small", "So small."
        ]  # fmt: skip
    assert len(streams) == 2
    visit.context.close()


COUNTS = """() => ({
  elements: document.querySelectorAll('*').length,
  html: document.documentElement.outerHTML.length,
  title: document.title,
})"""


def test_destroy_leaves_nothing_behind(browser: Browser, shop: Service) -> None:
    visit = Visit(browser, shop, more='data-launcher-text="Help"')
    page = visit.page
    page.goto(f"{SHOP}/tea")
    devtools = visit.context.new_cdp_session(page)

    def measured() -> dict[str, int]:
        for _ in range(3):
            devtools.send("HeapProfiler.collectGarbage")
        counted = devtools.send("Memory.getDOMCounters")
        heap = devtools.send("Runtime.getHeapUsage")["usedSize"]
        return {"nodes": counted["nodes"], "listeners": counted["jsEventListeners"], "heap bytes": heap}

    def talk() -> None:
        """Each one is a new user's, so that all are of one length."""
        page.evaluate(
            "line => { const { bot, channel, token, name } = line; widget = Dialoom.load({ bot: { id: bot, name }, "
            "channel: { id: channel, token } }); widget.open() }",
            {"bot": "tea", "channel": "web", "token": TOKEN, "name": "Tea house"},
        )
        visit.hears("Welcome to the shop!")
        # Not typed: of a form that was typed into Chromium's form filler keeps the page's part until the next one.
        page.evaluate("widget.send('help')")
        visit.hears("Say tea.")

    def destroy() -> None:
        page.evaluate("widget.destroy(); widget = undefined; localStorage.clear()")

    page.evaluate("Dialoom.load().destroy()")
    bare = page.evaluate(COUNTS)
    # The driver's own script is in the page from the first look on.
    expect(page.get_by_role("heading")).to_be_visible()
    first = measured()
    for _ in range(5):
        talk()
        destroy()
    fifth = measured()
    for _ in range(14):
        talk()
        destroy()
    talk()
    with_talk = measured()
    destroy()
    last = measured()
    found = {"before the first": first, "after 5": fifth, "with a talk": with_talk, "after 20": last}
    assert page.evaluate(COUNTS) == bare
    # Of the page before the first widget the browser may still hold some that it lets go later.
    assert last["listeners"] <= first["listeners"], found
    # What the code itself takes (classes, templates, style sheets) is there once; what each widget takes must go with it.
    # The browser may hold the one that went last a while longer, so that there may be fewer of them.
    assert last["nodes"] <= fifth["nodes"], found
    # A widget that stayed would add all that it takes, 15 times. The browser compiles what runs often, less and less of it:
    # that is about an eighth.
    widget = with_talk["heap bytes"] - last["heap bytes"]
    assert last["heap bytes"] - fifth["heap bytes"] < 15 * widget / 2, found
    visit.context.close()


def test_a_host_that_is_cut_off_from_its_windows_has_the_whole_chat(browser: Browser, shop: Service) -> None:
    visit = Visit(
        browser, shop, **{"cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp"}
    )
    visit.page.goto(f"{SHOP}/tea")
    visit.open()
    visit.write("tea")
    visit.page.get_by_role("button", name="Choose a size").click()
    visit.page.get_by_role("option", name="Small").dblclick()
    visit.hears("So small.")
    assert json.loads(visit.page.evaluate("JSON.stringify(crossOriginIsolated)")) is True
    assert visit.errors == []
    visit.context.close()
