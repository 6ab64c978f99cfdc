"""What the chat looks like with colours, texts, images and pages that nobody chose for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.e2e.page_checks import axe, overflow, picture
from tests.e2e.view_bot import DEAD, HOSTILE, LOOK, PAGE_TOKEN, view_bots

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.live import Service

HOST = "http://shop.test"
WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
TALL_IMAGE = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="900"><rect width="300" height="900"/></svg>'
LUMINANCE = """(colour) => {
  const context = Object.assign(document.createElement("canvas"), {width: 1, height: 1}).getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data]
    .map((part) => (part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}"""
"""The relative luminance of WCAG 2.2, measured on what the browser paints."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with view_bots(tmp_path_factory.mktemp("view"), HOST) as service:
        yield service


class Chat:
    def __init__(self, browser: Browser, url: str, **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": WIDE, "locale": "en-US"} | options)
        self.page: Page = self.context.new_page()
        self.page.route("https://images.test/**", _image)
        self.page.goto(url)

    def say(self, text: str) -> None:
        self.page.get_by_role("textbox").fill(text)
        self.page.keyboard.press("Enter")

    @property
    def bubbles(self) -> Locator:
        return self.page.locator(".bot .bubble")

    def style(self, selector: str, name: str) -> str:
        found = self.page.locator(selector).first
        return str(found.evaluate("(element, name) => getComputedStyle(element)[name]", name))

    def contrast(self, one: str, other: str) -> float:
        low, high = sorted(float(self.page.evaluate(LUMINANCE, colour)) for colour in (one, other))
        return (high + 0.05) / (low + 0.05)


def _image(route: Route) -> None:
    if route.request.url == DEAD:
        route.abort()
    else:
        route.fulfill(body=TALL_IMAGE, content_type="image/svg+xml")


def _lies_apart(one: Locator, other: Locator) -> bool:
    """Return whether neither covers a part of the other."""
    here, there = one.bounding_box(), other.bounding_box()
    assert here is not None
    assert there is not None
    return any(
        first[start] + first[size] <= second[start]
        for first, second in ((here, there), (there, here))
        for start, size in (("x", "width"), ("y", "height"))
    )


@pytest.fixture
def opened(browser: Browser, service: Service) -> Iterator[Any]:
    chats: list[Chat] = []

    def open_chat(bot: str = "plain", **options: Any) -> Chat:
        chats.append(Chat(browser, f"{service.url}/chat/{bot}/web", **options))
        expect(chats[-1].bubbles.first).to_be_visible()
        return chats[-1]

    yield open_chat
    for chat in chats:
        chat.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_brand_is_readable_as_fill_as_ink_and_as_ring(opened: Any, scheme: str) -> None:
    chat = opened(color_scheme=scheme)
    chat.say("show sizes")
    expect(chat.page.get_by_role("button", name="Size 1", exact=True)).to_be_visible()
    surface = chat.style(".chat", "backgroundColor")
    for brand in ("#00c853", "#00e5ff", "#ffd400", "#ffffff", "#000000", "#7f7f7f", "#4263eb"):
        chat.page.evaluate("(brand) => document.documentElement.style.setProperty('--dialoom-brand', brand)", brand)
        bubble = chat.style(".user .bubble", "backgroundColor")
        assert chat.contrast(bubble, brand) < 1.02, "the brand is shown as it is"
        assert chat.contrast(bubble, chat.style(".user .bubble", "color")) >= 4.5
        assert chat.contrast(surface, chat.style(".pill", "color")) >= 4.5
        assert chat.contrast(surface, chat.style(".pill", "borderTopColor")) >= 3
        edge = chat.style(".user .bubble", "boxShadow").partition(") ")[0] + ")"
        assert max(chat.contrast(surface, edge), chat.contrast(surface, bubble)) >= 3
        pill = chat.page.locator(".pill").first
        pill.focus()
        chat.page.keyboard.press("ArrowRight")
        assert chat.contrast(surface, chat.style(".pill:focus", "outlineColor")) >= 3
        if brand == "#ffd400":
            picture(chat.page, f"view-yellow-{scheme}")


def test_forced_colours_keep_the_bubbles_apart_and_tick_only_what_is_chosen(opened: Any) -> None:
    chat = opened(forced_colors="active", color_scheme="dark")
    chat.say("show people")
    chat.page.get_by_role("button", name="Choose").click()
    chat.page.get_by_role("option").first.click()
    ticks = chat.page.locator(".mark svg")
    expect(ticks.nth(0)).to_be_visible()
    expect(ticks.nth(1)).not_to_be_visible()
    picture(chat.page, "view-forced-colours")
    assert chat.style(".user .bubble", "borderTopWidth") == chat.style(".bot .bubble", "borderTopWidth") == "1px"
    chat.page.keyboard.press("Escape")
    chat.say("show review")
    chat.page.get_by_role("button", name="Green").click()
    expect(chat.page.locator(".confirm")).to_be_visible()
    assert chat.style(".pill.confirm", "backgroundColor") != chat.style(".pill:not(.confirm)", "backgroundColor")


def test_an_image_keeps_its_cards_shape_and_a_dead_one_is_not_seen(opened: Any) -> None:
    chat = opened()
    chat.say("show cards")
    expect(chat.page.locator("dialoom-carousel img").first).to_be_visible()
    expect(chat.page.locator("dialoom-carousel img").nth(1)).to_be_hidden()
    boxes = [box for card in chat.page.locator("dialoom-carousel .image").all() if (box := card.bounding_box())]
    assert len(boxes) == 3
    assert {round(box["width"] / box["height"], 1) for box in boxes} == {1.5}
    picture(chat.page, "view-cards")
    chat.say("show mixed")
    expect(chat.page.get_by_text("A map", exact=True)).to_be_visible()
    expect(chat.page.locator(".prose img")).to_be_hidden()


def test_a_long_answer_stops_at_its_first_line(opened: Any) -> None:
    chat = opened(viewport=PHONE)
    chat.say("show long")
    expect(chat.page.get_by_text("First line of the answer.")).to_be_in_viewport()
    chat.page.wait_for_timeout(600)  # the scrolling is the subject
    expect(chat.page.get_by_text("First line of the answer.")).to_be_in_viewport()
    picture(chat.page, "view-long")
    newer = chat.page.get_by_role("button", name="New messages")
    assert _lies_apart(newer, chat.page.get_by_role("log"))
    chat.page.set_viewport_size({"width": 320, "height": 200})
    for covered in (*chat.bubbles.all(), chat.page.locator(".user .bubble").last):
        assert _lies_apart(newer, covered)
    chat.page.set_viewport_size(PHONE)
    newer.click()
    expect(chat.page.get_by_text("Paragraph 29 of a long answer.").last).to_be_in_viewport()
    # A reader at the end stays there, and a short answer is seen whole.
    chat.say("show review")
    expect(chat.page.get_by_role("button", name="Black")).to_be_in_viewport()


def test_words_of_both_directions_stand_on_one_side_and_keep_their_order(opened: Any) -> None:
    chat = opened("arabic")
    chat.say("show mixed")
    latin = chat.page.get_by_text("Dr. Jonas Lindqvist (Cardiology)")
    expect(latin).to_be_visible()
    assert latin.evaluate("element => getComputedStyle(element).direction") == "ltr"
    chat.say("show people")
    chat.page.get_by_role("button", name="Choose").click()
    expect(chat.page.get_by_role("option").first).to_be_visible()
    titles = chat.page.locator(".option b")
    assert [title.evaluate("e => getComputedStyle(e).textAlign") for title in titles.all()] == ["right"] * 3
    assert [title.evaluate("e => getComputedStyle(e).direction") for title in titles.all()] == ["ltr", "rtl", "ltr"]
    picture(chat.page, "view-arabic")


def test_another_page_of_replies_stands_where_the_first_one_did(opened: Any) -> None:
    chat = opened()
    chat.say("show sizes")
    for title in ("Size 6", "Size 11"):
        chat.page.get_by_role("button", name="Next 5").press("Enter")
        expect(chat.page.get_by_role("button", name=title)).to_be_focused()
    told = [text.strip() for text in chat.page.locator(".bubble").all_inner_texts()]
    assert told == ["Hello!", "show sizes", "Which size?"]
    chat.page.reload()
    expect(chat.page.get_by_role("button", name="Size 11")).to_be_visible()
    assert [text.strip() for text in chat.page.locator(".bubble").all_inner_texts()] == told
    chat.page.get_by_role("button", name="Prev 5").click()
    chat.page.get_by_role("button", name="Size 7").click()
    expect(chat.page.locator(".user .bubble").last).to_have_text("Size 7")


def test_confirm_looks_different_from_what_corrects_and_fingers_have_room(opened: Any) -> None:
    chat = opened(has_touch=True, is_mobile=True, viewport=PHONE)
    chat.say("show review")
    chat.page.get_by_role("button", name="Green").tap()
    confirm = chat.page.get_by_role("button", name="Confirm")
    expect(confirm).to_be_visible()
    assert chat.style(".pill.confirm", "backgroundColor") != chat.style(".pill:not(.confirm)", "backgroundColor")
    picture(chat.page, "view-confirm")
    chat.page.route("**/web/messages", lambda route: route.fulfill(status=400, body="{}"))
    chat.say("not sent")
    expect(chat.page.get_by_role("button", name="Retry")).to_be_visible()
    chat.page.locator("input[type=file]").set_input_files(
        {"name": "a.txt", "mimeType": "text/plain", "buffer": b"text"}
    )
    expect(chat.page.get_by_role("button", name="Remove a.txt")).to_be_visible()
    targets = chat.page.locator("dialoom-choices button, dialoom-field button, .retry")
    sizes = [box for target in targets.all() if (box := target.bounding_box())]
    # Layout counts in 64ths of a pixel, so 44 may be shown as 43.99997.
    assert min(round(min(box["width"], box["height"]), 1) for box in sizes) >= 44


def test_hostile_texts_stay_in_their_bubbles_and_do_nothing(opened: Any) -> None:
    chat = opened(viewport=PHONE)
    chat.say("show hostile")
    expect(chat.bubbles).to_have_count(1 + len(HOSTILE))
    scroller = chat.page.locator(".scroller")
    assert scroller.evaluate("list => list.scrollWidth - list.clientWidth") == 0 == overflow(chat.page)
    for bubble in chat.bubbles.all():
        assert bubble.evaluate("element => getComputedStyle(element).overflowY") == "clip"
    assert chat.page.evaluate("window.broken") is None
    assert chat.page.locator(".prose :is(script, img), .prose a").count() == 0
    chat.page.locator(".bubble").nth(2).scroll_into_view_if_needed()
    picture(chat.page, "view-hostile")
    assert axe(chat.page) == []


YELLOW = "rgb(255, 212, 0)"


def test_the_hosted_page_wears_the_bots_look_from_its_first_paint(opened: Any) -> None:
    chat = opened("branded")
    expect(chat.page.get_by_role("heading", level=1)).to_have_text("Yellow shop")
    chat.say("show sizes")
    expect(chat.page.get_by_role("button", name="Next 5")).to_be_visible()
    picture(chat.page, "view-branded")
    assert chat.contrast(chat.style(".chat", "backgroundColor"), LOOK["background"]) < 1.01
    assert chat.style(".user .bubble", "borderTopLeftRadius") == "4px"
    assert chat.style(".bubble", "fontFamily").startswith('"Courier New"')
    assert (
        chat.page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--look-brand')") == "#ffd400"
    )
    assert axe(chat.page) == []


def test_a_light_background_stays_out_of_the_dark_theme(opened: Any) -> None:
    chat = opened("branded", color_scheme="dark")
    chat.say("show sizes")
    expect(chat.page.get_by_role("button", name="Next 5")).to_be_visible()
    picture(chat.page, "view-branded-dark")
    assert chat.contrast(chat.style(".chat", "backgroundColor"), "#ffffff") > 15


@pytest.mark.parametrize(
    ("own", "shown"), [("", YELLOW), (":root { --dialoom-brand: rgb(0, 200, 83) }", "rgb(0, 200, 83)")]
)
def test_the_widget_wears_the_bots_look_under_the_pages_own(
    browser: Browser, service: Service, own: str, shown: str
) -> None:
    context = browser.new_context(viewport=WIDE, locale="en-US")
    page = context.new_page()
    page.route(f"{HOST}/", lambda route: route.fulfill(body=_shop(service, own, "branded"), content_type="text/html"))
    page.goto(f"{HOST}/")
    page.get_by_role("button", name="Chat with").click()
    expect(page.locator(".bot .bubble")).to_have_text("Hello!")
    page.get_by_role("button", name="Close").click()
    painted = page.get_by_role("button", name="Chat with").evaluate(
        """(button) => {
          const context = Object.assign(document.createElement("canvas"), {width: 1, height: 1}).getContext("2d");
          context.fillStyle = getComputedStyle(button).backgroundColor;
          context.fillRect(0, 0, 1, 1);
          return `rgb(${[...context.getImageData(0, 0, 1, 1).data].slice(0, 3).join(", ")})`;
        }"""
    )
    context.close()
    assert painted == shown


def _shop(service: Service, style: str, bot: str) -> str:
    attributes = f'data-bot="{bot}" data-channel="web" data-token="{PAGE_TOKEN.format(bot)}"'
    script = f'<script src="{service.url}/static/widget.js" {attributes}></script>'
    return f"<!doctype html><title>Shop</title><style>{style}</style><h1>Lamps</h1>{script}"


HOSTILE_STYLE = """
* { all: unset !important } div { display: none } button { display: none !important }
:root { font-size: 40px; direction: rtl; color-scheme: dark }
body { font: 700 60px/3 cursive; letter-spacing: 9px; text-transform: uppercase; visibility: hidden; text-indent: 90px;
  word-spacing: 1em; white-space: pre; pointer-events: none; cursor: none; color: red }
"""


@pytest.mark.parametrize("style", ["", HOSTILE_STYLE], ids=["plain", "hostile"])
def test_a_hosts_styles_do_not_reach_into_the_chat(browser: Browser, service: Service, style: str) -> None:
    context = browser.new_context(viewport=WIDE, locale="en-US", color_scheme="light")
    page = context.new_page()
    page.route(f"{HOST}/", lambda route: route.fulfill(body=_shop(service, style, "plain"), content_type="text/html"))
    page.goto(f"{HOST}/")
    page.get_by_role("button", name="Chat with").click()
    expect(page.locator(".bot .bubble")).to_have_text("Hello!")
    page.get_by_role("textbox").fill("show sizes")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Next 5")).to_be_visible()
    found = {}
    for selector in (".window", ".chat", ".bot .bubble", ".pill", "textarea"):
        names = "fontSize fontWeight lineHeight letterSpacing textTransform textIndent visibility direction cursor"
        found[selector] = page.locator(selector).first.evaluate(
            "(e, names) => names.split(' ').map((name) => getComputedStyle(e)[name])", names
        )
    box = page.locator(".window").bounding_box()
    picture(page, f"view-host-{'hostile' if style else 'plain'}")
    context.close()
    assert box is not None
    assert (box["width"], box["height"]) == (400, 680)
    assert found[".chat"] == ["15px", "400", "22px", "normal", "none", "0px", "visible", "ltr", "auto"]
    assert found[".pill"][:5] == ["15px", "500", "22px", "normal", "none"]
