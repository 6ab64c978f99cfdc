"""The widget in pages that are not made for it: their styles, their ways to change, and mistakes in the script line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.page_checks import axe, overflow, picture
from tests.http.support import write_bot
from tests.live import Service

if TYPE_CHECKING:
    from collections.abc import Iterator

SHOP = "http://localhost:9"
TOKEN = "token-of-the-shop-s-page-0123456789"
GREETING = "Welcome to the shop!"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("shop")
    channel = {"id": "web", "type": "web", "token": TOKEN, "allowed-origins": [SHOP], "erase-from-page": True}
    bot = {"id": "tea", "name": "Tea house", "access-token": "history-token-of-tea", "channels": [channel]}
    said = {"welcome": GREETING, "help": "Say tea."}
    flow = {
        name: {"type": "support", "steps": [{"type": "message", "messages": [text]}]} for name, text in said.items()
    }
    service = Service(
        [write_bot(folder / "tea", bot, {"conversations": flow}, {"entity-definitions": []})], folder / "data"
    )
    yield service
    service.stop()


class Host:
    """A page of the shop with a body, styles and script lines of its own."""

    def __init__(self, browser: Browser, service: Service, width: int = 1280, height: int = 800) -> None:
        self.service = service
        self.lines: list[str] = []
        self.errors: list[str] = []
        self.opened = 0
        self.context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB")
        self.page: Page = self.context.new_page()
        self.page.on("console", lambda line: self.lines.append(line.text))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._count)

    def _count(self, request: Any) -> None:
        self.opened += request.url.endswith("/web/sessions") and request.method == "POST"

    def line(self, **given: str) -> str:
        data = {"bot": "tea", "channel": "web", "token": TOKEN} | {
            name.replace("_", "-"): text for name, text in given.items()
        }
        written = " ".join(f'data-{name}="{text}"' for name, text in data.items())
        return f'<script src="{self.service.url}/static/widget.js" {written} defer></script>'

    def goto(self, body: str, style: str = "", origin: str = SHOP) -> Page:
        def serve(route: Route) -> None:
            html = f'<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><style>{style}</style>'
            route.fulfill(body=f"{html}<body><main><h1>Shop</h1></main>{body}</body></html>", content_type="text/html")

        self.context.route(f"{origin}/page", serve)
        self.page.goto(f"{origin}/page")
        return self.page

    def open(self) -> None:
        self.page.get_by_role("button", name="Chat with").click()
        expect(self.page.get_by_text(GREETING)).to_be_visible()
        self.settle()

    def settle(self) -> None:
        self.page.evaluate("Promise.all(document.getAnimations().map(one => one.finished))")
        self.page.wait_for_timeout(250)

    def said_of_dialoom(self) -> list[str]:
        return [line for line in self.lines if line.startswith("Dialoom: ")]


@pytest.fixture
def host(browser: Browser, shop: Service) -> Iterator[Host]:
    host = Host(browser, shop)
    yield host
    host.context.close()


def boxes(host: Host) -> list[Any]:
    """Open the chat; return where the launcher, the window and its field are on the screen."""
    launcher = host.page.get_by_role("button", name="Chat with")
    expect(launcher).to_be_visible()
    found = [launcher.bounding_box()]
    host.open()
    return [*found, host.page.get_by_role("dialog").bounding_box(), host.page.get_by_role("textbox").bounding_box()]


def test_a_script_line_that_stands_there_twice_makes_one_launcher(host: Host) -> None:
    page = host.goto(host.line() + host.line(name="Tea house"))
    expect(page.get_by_role("button", name="Chat with")).to_have_count(1)
    page.wait_for_timeout(500)
    host.open()
    expect(page.get_by_role("dialog")).to_have_count(1)
    assert host.opened == 1


@pytest.mark.parametrize("has_line", [True, False], ids=["the line again", "no line"])
def test_a_page_that_gets_another_body_keeps_the_open_window_and_what_is_being_written(
    host: Host, has_line: bool
) -> None:
    page = host.goto(host.line())
    host.open()
    page.get_by_role("textbox").fill("I would like")
    page.evaluate(
        """([source, data]) => {
          const body = document.createElement("body");
          body.innerHTML = "<h1>Cups</h1>";
          if (source) body.append(Object.assign(document.createElement("script"), { src: source }));
          if (source) Object.assign(body.lastChild.dataset, data);
          document.documentElement.replaceChild(body, document.body);
        }""",
        [f"{host.service.url}/static/widget.js" if has_line else "", {"bot": "tea", "channel": "web", "token": TOKEN}],
    )
    expect(page.get_by_role("heading", name="Cups")).to_be_visible()
    page.wait_for_timeout(500)
    expect(page.get_by_role("dialog")).to_have_count(1)
    expect(page.get_by_text(GREETING)).to_be_visible()
    expect(page.get_by_role("textbox")).to_have_value("I would like")
    assert host.opened == 1
    assert host.errors == []


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize(
    "style",
    [
        "* { all: unset }",
        "* { all: unset !important }",
        "* { padding: 9px; margin: 5px; color: red; font: 30px serif } html > * { transform: rotate(3deg) }",
        "body { transform: translateX(80px) scale(0.8); height: 3000px }",
        "body { zoom: 0.6; filter: grayscale(1); contain: paint; opacity: 0.5 }",
        "html { zoom: 1.5 }",
        "html { zoom: 0.7 }",
    ],
)
def test_styles_of_the_page_neither_move_nor_strip_it(browser: Browser, shop: Service, style: str, width: int) -> None:
    plain, styled = (Host(browser, shop, width) for _ in range(2))
    plain.goto(plain.line())
    styled.goto(styled.line(), style)
    for host in (plain, styled):
        host.page.wait_for_timeout(200)
    expected, found = boxes(plain), boxes(styled)
    for one, other in zip(expected, found, strict=True):
        assert one is not None
        assert other is not None
        assert {edge: pytest.approx(length, abs=1.5) for edge, length in one.items()} == other
    name = "".join(letter if letter.isalnum() else "-" for letter in style)[:40]
    picture(styled.page, f"widget-host-{name}-{width}")
    for host in (plain, styled):
        host.context.close()


def test_it_stands_where_lines_end_also_where_the_body_alone_says_how_they_run(host: Host) -> None:
    page = host.goto(f'{host.line()}<script>document.body.dir = "rtl"</script>')
    box = page.get_by_role("button", name="Chat with").bounding_box()
    assert box is not None
    assert box["x"] == 20


def test_inline_it_stands_in_a_container_inside_of_a_shadow_root(host: Host) -> None:
    made = """<script>
      customElements.define("shop-help", class extends HTMLElement {
        connectedCallback() {
          this.attachShadow({ mode: "open" }).innerHTML = '<div><div id="chat" style="height: 500px"></div></div>';
        }
      });
    </script><shop-help></shop-help>"""
    page = host.goto(made + host.line(container="chat"))
    expect(page.locator("shop-help dialoom-chat").get_by_text(GREETING)).to_be_visible()
    assert page.locator("shop-help").get_attribute("style") is None
    assert axe(page) == []
    assert host.errors == []


@pytest.mark.parametrize(
    ("given", "origin", "says"),
    [
        ({"token": "dlc_wrong"}, SHOP, "channel's token is missing, wrong or revoked"),
        ({"bot": "coffee"}, SHOP, "no such bot or channel"),
        ({"channel": "telephone"}, SHOP, "no such bot or channel"),
        ({}, "http://localhost:10", "allowed-origins"),
    ],
    ids=["token", "bot", "channel", "origin"],
)
def test_a_mistake_in_the_line_is_said_once_on_the_console_and_in_the_window(
    host: Host, given: dict[str, str], origin: str, says: str
) -> None:
    page = host.goto(host.line(locale="de", **given), origin=origin)
    page.get_by_role("button", name="Chat mit").click()
    expect(page.get_by_role("dialog").get_by_text("Dieser Chat lässt sich gerade nicht öffnen.")).to_be_visible()
    page.wait_for_timeout(4000)
    assert len(host.said_of_dialoom()) == 1
    assert says in host.said_of_dialoom()[0]
    expect(page.get_by_role("textbox")).to_have_count(0)
    assert host.opened <= 2
    picture(page, f"widget-mistake-{says.split(maxsplit=1)[0]}")
    assert axe(page) == []


def test_contexts_that_cannot_be_sent_are_said_and_left_out_and_the_chat_opens(host: Host) -> None:
    page = host.goto(host.line())
    wrong = "(context.self = context, chat.setContext(context), chat.setContext({a: 'x'.repeat(2e6)}), chat.setContext([1]))"
    page.evaluate(f"() => {{ const chat = Dialoom.load(), context = {{}}; {wrong}; }}")
    host.open()
    page.evaluate(f"() => {{ const chat = Dialoom.load(), context = {{}}; {wrong}; }}")
    said = host.said_of_dialoom()
    assert said[:3] == said[3:]
    assert all(line.startswith("Dialoom: the context of setContext() ") for line in said)
    assert ["is not JSON" in said[0], "at most 65536 bytes" in said[1], said[2].endswith("an object, not [1].")] == [
        True
    ] * 3
    field = page.get_by_role("textbox")
    field.fill("tea")
    field.press("Enter")
    expect(page.locator(".bubble").get_by_text("tea", exact=True)).to_be_visible()


def test_a_line_without_a_channel_says_so(host: Host) -> None:
    host.goto(f'<script src="{host.service.url}/static/widget.js" data-bot="tea" defer></script>')
    host.page.wait_for_timeout(300)
    assert host.errors == ["Dialoom: load() needs the text channel.id."]


def test_the_window_s_name_is_the_bot_s(host: Host) -> None:
    page = host.goto(host.line())
    host.open()
    expect(page.get_by_role("dialog")).to_have_accessible_name("Tea house")


def test_what_is_being_written_goes_along_to_the_next_page_until_it_is_sent_or_erased(host: Host) -> None:
    page = host.goto(host.line())
    host.open()
    field = page.get_by_role("textbox")
    field.fill("I would like")
    page.reload()
    expect(page.get_by_text(GREETING)).to_be_visible()
    expect(field).to_have_value("I would like")
    expect(page.get_by_role("button", name="Send")).to_be_enabled()
    field.press("Enter")
    page.reload()
    expect(page.get_by_text("I would like")).to_be_visible()
    expect(field).to_have_value("")
    field.fill("My secret")
    page.get_by_role("button", name="Menu").click()
    page.get_by_text("Erase my data").click()
    page.get_by_role("button", name="Erase", exact=True).click()
    expect(field).to_have_value("")
    assert "My secret" not in page.evaluate("JSON.stringify(sessionStorage) + JSON.stringify(localStorage)")
    field.fill("Another")
    page.evaluate("Dialoom.load().destroy()")
    assert "Another" not in page.evaluate("JSON.stringify(sessionStorage)")


@pytest.mark.parametrize("width", [360, 1280])
def test_a_long_text_of_the_launcher_stays_in_the_window(browser: Browser, shop: Service, width: int) -> None:
    host = Host(browser, shop, width)
    host.goto(host.line(launcher_text="Ask" * 70))
    expect(host.page.get_by_role("button", name="AskAsk")).to_be_visible()
    box = host.page.get_by_role("button", name="AskAsk").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert overflow(host.page) == 0
    picture(host.page, f"widget-long-launcher-{width}")
    host.context.close()
