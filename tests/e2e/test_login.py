"""Logging in as a user meets it: the card in the chat, the windows that it opens, a certified provider, and back.

What each page looks like is seen in the pictures; what is checked of the provider is tested elsewhere.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.held_request import HeldRequest
from tests.e2e.page_checks import axe, overflow, picture, scheme_at
from tests.identity.bots import (
    ADA_HAS,
    BALANCE,
    BRANCH,
    CITY,
    OPEN,
    PROMPT,
    THANKS,
    WEB_TOKEN,
    authentication,
    callback,
    running_banks,
    write_bank,
)
from tests.identity.provider import ADA, Provider, provider
from tests.live import Service, free_port

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SHOP = "http://shop.test"
EVIL = "http://evil.test"
THROUGH = "Logged in"
OVER = "This login is over. Please ask for a new one in the chat."
DONE = "Login successful!"
CODE = re.compile(r"\b(\d{3})\s?(\d{3})\b")
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
SIZES = {"phone": {"width": 360, "height": 740}, "desk": {"width": 1280, "height": 800}}
BOTS: dict[str, dict[str, Any]] = {
    "northbank": {},
    "coded": {"binding": "code"},
    "confirmed": {"binding": "confirm"},
    "unbound": {"binding": "off", "confirmation_page_redirect_url_web": f"{SHOP}/welcome"},
    "embedded": {},
    "deutsch": {"binding": "confirm"},
    "arabic": {"binding": "confirm"},
}
LANGUAGES = {"deutsch": "de", "arabic": "ar"}


class Bank(NamedTuple):
    service: Service
    provider: Provider


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bank]:
    port = free_port()
    with provider(callback(port)) as signs_in:

        def make(folder: Path) -> list[Path]:
            return [_write(folder, id, signs_in.issuer, changed) for id, changed in BOTS.items()]

        with running_banks(tmp_path_factory.mktemp("bank"), make, port) as service:
            yield Bank(service, signs_in)


def _write(folder: Path, id: str, issuer: str, changed: dict[str, Any]) -> Path:
    written = write_bank(folder, id, f"{issuer}/accounts", authentication(issuer, **changed))
    file = written / "bot.json"
    bot = json.loads(file.read_text("utf-8"))
    bot["language"] = LANGUAGES.get(id, "en")
    if id == "embedded":
        bot["channels"][1]["allowed-origins"] = [SHOP]
    file.write_text(json.dumps(bot), "utf-8")
    return written


class Visit:
    """One browser with a chat page of its own."""

    def __init__(self, browser: Browser, bank: Bank, bot: str = "northbank", **options: Any) -> None:
        self.bank, self.bot, self.errors = bank, bot, list[str]()
        self.context = browser.new_context(**{"viewport": SIZES["desk"], "locale": "en-GB"} | options)
        self.context.on("page", self._listen)
        self.page = self.tab()

    def _listen(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda line: self._note(line.type, line.location["url"], line.text))

    def _note(self, kind: str, url: str, text: str) -> None:
        # What the provider's own pages are reproached with is none of ours.
        if kind in {"error", "warning"} and not url.startswith(self.bank.provider.issuer):
            self.errors.append(f"{url.partition('?')[0]}: {text}")

    def tab(self) -> Page:
        page = self.context.new_page()
        page.goto(f"{self.bank.service.url}/chat/{self.bot}/web")
        return page

    def ask(self, text: str, answer: str) -> None:
        self.page.get_by_role("textbox").fill(text)
        self.page.keyboard.press("Enter")
        self.hears(answer)

    def hears(self, text: str | re.Pattern[str], page: Page | None = None) -> None:
        expect((page or self.page).get_by_role("log").get_by_text(text).last).to_be_visible()

    @property
    def card(self) -> Locator:
        return self.page.get_by_role("link", name="Sign in")

    def prompted(self) -> str:
        """The address of the card that a protected step brings."""
        self.ask(BALANCE, PROMPT)
        address = self.card.get_attribute("href")
        assert address is not None
        return address

    def opened(self) -> Page:
        """The window that the card opens."""
        with self.context.expect_page() as window:
            self.card.click()
        return window.value

    def held(self) -> HeldRequest:
        """The next window stays at the start page until it is let on: once it shows the provider's, it counts as closed to
        the chat page, which looks each second and by then may say no more that it waits."""
        return HeldRequest(self.context, "**/static/login-start.js")

    def says(self, text: str, times: int) -> None:
        """In the chat, so often in all."""
        expect(self.page.get_by_role("log").get_by_text(text)).to_have_count(times)

    def pasted(self, address: str) -> Page:
        """A window that nobody opened."""
        window = self.context.new_page()
        window.goto(address)
        return window


def sign_in(window: Page, person: tuple[str, str] = ADA) -> None:
    window.get_by_label("User name").fill(person[0])
    window.get_by_label("Password").fill(person[1])
    window.get_by_role("button", name="Sign in", exact=True).click()


def code_on(window: Page) -> str:
    expect(window.get_by_role("heading", name="Your code")).to_be_visible()
    found = CODE.search(window.get_by_role("main").inner_text())
    assert found is not None
    return "".join(found.groups())


@pytest.fixture
def visit(browser: Browser, bank: Bank) -> Iterator[Visit]:
    visit = Visit(browser, bank)
    yield visit
    assert visit.errors == []
    visit.context.close()


# -- the card


def test_a_protected_step_goes_on_by_itself_after_the_login_and_nobody_types_a_code(visit: Visit) -> None:
    visit.prompted()
    held = visit.held()
    window = visit.opened()
    expect(visit.page.get_by_text("Waiting for your login")).to_be_visible()
    held.go_on(window)
    sign_in(window)
    expect(window.get_by_role("heading", name=DONE)).to_be_visible()
    visit.hears(THANKS)
    visit.hears(ADA_HAS)
    visit.hears(THROUGH)
    expect(visit.card).to_have_count(0)
    # The login lasts: nothing is asked again.
    visit.ask(BALANCE, ADA_HAS)
    visit.says(ADA_HAS, 2)
    visit.says(PROMPT, 1)


def test_the_card_can_be_used_by_keys_alone_and_the_focus_comes_back(visit: Visit) -> None:
    visit.prompted()
    for _ in range(20):
        if visit.card.evaluate("link => link.matches(':focus')"):
            break
        visit.page.keyboard.press("Shift+Tab")
    with visit.context.expect_page() as window:
        visit.page.keyboard.press("Enter")
    sign_in(window.value)
    visit.page.bring_to_front()
    visit.hears(ADA_HAS)
    expect(visit.page.get_by_role("textbox")).to_be_focused()


@pytest.mark.parametrize("bot", ["northbank", "coded", "confirmed", "unbound"])
def test_the_provider_cannot_lead_the_chat_page_elsewhere(browser: Browser, bank: Bank, bot: str) -> None:
    visit = Visit(browser, bank, bot)
    visit.prompted()
    window = visit.opened()
    if bot == "confirmed":
        window.get_by_role("button", name="Yes, log in").click()
    expect(window.get_by_label("User name")).to_be_visible()
    assert window.evaluate("opener") is None
    visit.context.close()


def test_a_closed_window_leaves_the_card_as_it_was(visit: Visit) -> None:
    visit.prompted()
    held = visit.held()
    window = visit.opened()
    expect(visit.page.get_by_text("Waiting for your login")).to_be_visible()
    held.go_on(window)
    expect(window.get_by_label("User name")).to_be_visible()
    window.close()
    visit.page.bring_to_front()
    expect(visit.page.get_by_text("Waiting for your login")).to_have_count(0)
    sign_in(visit.opened())
    visit.hears(ADA_HAS)


def test_the_login_completes_while_the_user_does_something_else(visit: Visit) -> None:
    visit.prompted()
    window = visit.opened()
    expect(window.get_by_label("User name")).to_be_visible()
    visit.ask(BRANCH, CITY)
    expect(visit.card).to_be_visible()
    sign_in(window)
    visit.hears(THANKS)
    visit.hears(THROUGH)
    visit.ask("Oslo", OPEN)


def test_the_login_completes_after_a_reload_of_the_chat(visit: Visit) -> None:
    visit.prompted()
    window = visit.opened()
    expect(window.get_by_label("User name")).to_be_visible()
    visit.page.reload()
    expect(visit.card).to_be_visible()
    sign_in(window)
    visit.hears(ADA_HAS)
    visit.hears(THROUGH)
    visit.page.reload()
    visit.hears(ADA_HAS)
    visit.hears(THROUGH)


def test_a_chat_page_that_was_reloaded_meanwhile_still_proves_whose_login_it_is(visit: Visit) -> None:
    held = visit.held()
    visit.prompted()
    window = visit.opened()
    expect(window.get_by_role("heading", name="One moment")).to_be_visible()
    visit.page.reload()
    expect(visit.card).to_be_visible()
    held.go_on(window)
    sign_in(window)
    # With a code to type the page would say so.
    expect(window.get_by_role("heading", name=DONE)).to_be_visible()
    visit.hears(ADA_HAS)


def test_every_tab_of_the_chat_shows_the_login_that_one_of_them_began(visit: Visit) -> None:
    visit.prompted()
    first, visit.page = visit.page, visit.tab()
    visit.hears(PROMPT)
    sign_in(visit.opened())
    for tab in (first, visit.page):
        visit.hears(ADA_HAS, tab)
        visit.hears(THROUGH, tab)


def test_the_card_opens_twice_and_one_login_is_enough(visit: Visit) -> None:
    address = visit.prompted()
    expect(visit.opened().get_by_label("User name")).to_be_visible()
    with visit.context.expect_page() as second:
        visit.page.evaluate("address => void open(address)", address)
    sign_in(second.value)
    visit.hears(ADA_HAS)


# -- with a code, or a question


def test_a_pasted_link_ends_with_a_code_that_is_typed_into_the_chat_and_kept_nowhere(visit: Visit) -> None:
    window = visit.pasted(visit.prompted())
    sign_in(window)
    code = code_on(window)
    expect(visit.page.get_by_role("log").get_by_text(THANKS)).to_have_count(0)
    visit.ask(code, THANKS)
    visit.hears(ADA_HAS)
    visit.page.reload()
    visit.hears(ADA_HAS)
    expect(visit.page.get_by_text(code)).to_have_count(0)


def test_a_wrong_code_can_be_tried_again_and_the_third_is_the_last(visit: Visit) -> None:
    window = visit.pasted(visit.prompted())
    sign_in(window)
    wrong = f"{(int(code_on(window)) + 1) % 1_000_000:06d}"
    visit.ask(wrong, "Tries left: 2.")
    visit.ask(wrong, "Tries left: 1.")
    visit.ask(wrong, "Please log in again.")
    expect(visit.page.get_by_role("log").get_by_text(OVER)).to_have_count(1)
    # The provider still knows who is there.
    visit.opened()
    visit.hears(ADA_HAS)


def test_a_bot_that_wants_the_code_shows_it_to_a_proven_browser_too(browser: Browser, bank: Bank) -> None:
    visit = Visit(browser, bank, "coded")
    visit.prompted()
    window = visit.opened()
    sign_in(window)
    visit.ask(code_on(window), ADA_HAS)
    assert visit.errors == []
    visit.context.close()


def test_a_bot_that_asks_names_itself_before_the_login(browser: Browser, bank: Bank) -> None:
    visit = Visit(browser, bank, "confirmed")
    visit.prompted()
    window = visit.opened()
    expect(window.get_by_role("heading", name="Is this your chat?")).to_be_visible()
    expect(window.get_by_text("Northbank confirmed").first).to_be_visible()
    window.get_by_role("button", name="Yes, log in").click()
    sign_in(window)
    visit.hears(ADA_HAS)
    assert visit.errors == []
    visit.context.close()


def test_a_bot_may_send_the_browser_on_to_a_page_of_its_own(browser: Browser, bank: Bank) -> None:
    visit = Visit(browser, bank, "unbound")
    visit.context.route(f"{SHOP}/*", lambda route: route.fulfill(body="<h1>Welcome</h1>", content_type="text/html"))
    visit.prompted()
    window = visit.opened()
    sign_in(window)
    expect(window).to_have_url(f"{SHOP}/welcome")
    visit.hears(ADA_HAS)
    visit.context.close()


# -- in somebody's page


def _shop(bank: Bank, path: str = "") -> str:
    return (
        "<!doctype html><html lang='en'><title>Shop</title><main><h1>Shop</h1><div id='here' style='height: 600px'>"
        f"</div></main><script src='{bank.service.url}/static/widget.js' data-bot='embedded' data-channel='web' "
        f"data-token='{WEB_TOKEN}-embedded' data-container='here'></script>{path}"
    )


def test_the_widget_in_a_page_of_another_origin_proves_whose_login_it_is(browser: Browser, bank: Bank) -> None:
    visit = Visit(browser, bank, "embedded")
    visit.context.route(f"{SHOP}/*", lambda route: route.fulfill(body=_shop(bank), content_type="text/html"))
    visit.page.goto(f"{SHOP}/")
    visit.prompted()
    window = visit.opened()
    sign_in(window)
    expect(window.get_by_role("heading", name=DONE)).to_be_visible()
    visit.hears(ADA_HAS)
    visit.context.close()


def test_a_page_that_is_not_let_is_not_even_asked(browser: Browser, bank: Bank) -> None:
    visit = Visit(browser, bank, "embedded")
    address = visit.prompted()
    evil = (
        "<!doctype html><title>Evil</title><script>heard = []; onmessage = (event) => heard.push(event.data)</script>"
    )
    visit.context.route(f"{EVIL}/*", lambda route: route.fulfill(body=evil, content_type="text/html"))
    page = visit.context.new_page()
    page.goto(f"{EVIL}/")
    with visit.context.expect_page() as window:
        page.evaluate("address => void open(address)", address)
    sign_in(window.value)
    code_on(window.value)
    assert page.evaluate("heard") == []
    visit.context.close()


# -- somebody else's link


@pytest.mark.parametrize("way", ["pasted", "from a chat of the victim's own"])
@pytest.mark.parametrize("bot", ["northbank", "coded"])
def test_a_forwarded_link_gives_the_attacker_nothing(browser: Browser, bank: Bank, bot: str, way: str) -> None:
    attacker, victim = Visit(browser, bank, bot), Visit(browser, bank, bot)
    address = attacker.prompted()
    if way == "pasted":
        window = victim.pasted(address)
    else:
        with victim.context.expect_page() as opened:
            victim.page.evaluate("address => void open(address)", address)
        window = opened.value
    sign_in(window)
    code = code_on(window)
    # The victim sees a code for a chat that is not theirs: typed into their own it is a text like any other.
    victim.page.get_by_role("textbox").fill(code)
    victim.page.keyboard.press("Enter")
    # What is said next is heard after it: the code has had its turn.
    victim.ask(BRANCH, CITY)
    attacker.ask(BALANCE, PROMPT)
    attacker.says(PROMPT, 2)
    for one in (attacker, victim):
        expect(one.page.get_by_role("log").get_by_text(THANKS)).to_have_count(0)
        expect(one.page.get_by_role("log").get_by_text(ADA_HAS)).to_have_count(0)
        one.context.close()


# -- what goes wrong


def test_a_cancelled_login_says_what_to_do_and_the_next_card_has_a_new_link(browser: Browser, bank: Bank) -> None:
    visit = Visit(browser, bank)
    address = visit.prompted()
    window = visit.opened()
    window.get_by_role("button", name="Cancel").click()
    expect(window.get_by_role("heading", name="The login was cancelled")).to_be_visible()
    expect(window.get_by_text("Please ask for a new link in the chat.")).to_be_visible()
    # The chat lies under this window, which its one action closes.
    with window.expect_event("close"):
        window.get_by_role("link", name="Back to the chat").click()
    visit.page.get_by_role("textbox").fill(BALANCE)
    visit.page.keyboard.press("Enter")
    visit.hears(OVER)
    expect(visit.card).to_have_count(1)
    assert visit.card.get_attribute("href") != address
    sign_in(visit.opened())
    visit.hears(ADA_HAS)
    visit.context.close()


def test_a_link_that_was_used_says_so(browser: Browser, bank: Bank) -> None:
    visit, other = Visit(browser, bank), Visit(browser, bank)
    address = visit.prompted()
    sign_in(visit.opened())
    visit.hears(ADA_HAS)
    window = other.pasted(address)
    expect(window.get_by_role("heading", name="This link is no longer valid")).to_be_visible()
    other.context.close()
    visit.context.close()


def test_without_script_the_pages_lead_through_the_login_all_the_same(browser: Browser, bank: Bank) -> None:
    visit = Visit(browser, bank)
    plain = browser.new_context(java_script_enabled=False)
    window = plain.new_page()
    window.goto(visit.prompted())
    window.get_by_text("Go on", exact=True).click()
    sign_in(window)
    visit.ask(code_on(window), ADA_HAS)
    plain.close()
    assert visit.errors == []
    visit.context.close()


# -- pictures


def _look(page: Page, name: str) -> None:
    """Narrow and wide, once in each scheme: nothing that axe finds, nothing wider than its window."""
    # What moves is still on its way.
    page.emulate_media(reduced_motion="reduce")
    for number, (size, viewport) in enumerate(SIZES.items()):
        page.set_viewport_size({"width": viewport["width"], "height": viewport["height"]})
        scheme = scheme_at(name, number)
        page.emulate_media(color_scheme=scheme)
        picture(page, f"login-{name}-{size}-{scheme}")
        assert axe(page) == [], (name, size, scheme)
        assert overflow(page) == 0, (name, size, scheme)


def test_the_card_and_its_states_look_well(browser: Browser, bank: Bank) -> None:
    visit = Visit(browser, bank)
    visit.prompted()
    _look(visit.page, "card")
    held = visit.held()
    window = visit.opened()
    visit.page.bring_to_front()
    expect(visit.page.get_by_text("Waiting for your login")).to_be_visible()
    _look(visit.page, "card-waiting")
    expect(visit.page.get_by_text("Waiting for your login")).to_be_visible()
    held.go_on(window)
    window.get_by_role("button", name="Cancel").click()
    expect(window.get_by_role("heading", name="The login was cancelled")).to_be_visible()
    _look(window, "page-cancelled")
    visit.page.get_by_role("textbox").fill(BALANCE)
    visit.page.keyboard.press("Enter")
    visit.hears(OVER)
    _look(visit.page, "card-over")
    window.close()
    window = visit.opened()
    sign_in(window)
    visit.hears(ADA_HAS)
    _look(visit.page, "card-through")
    visit.context.close()


def test_the_pages_of_a_login_look_well(browser: Browser, bank: Bank) -> None:
    visit = Visit(browser, bank)
    # The page would go on by itself before anybody could look at it.
    visit.context.route("**/static/login-start.js", lambda route: route.abort())
    address = visit.prompted()
    window = visit.pasted(address)
    expect(window.get_by_role("heading", name="One moment")).to_be_visible()
    _look(window, "page-start")
    window.get_by_text("Go on", exact=True).click()
    sign_in(window)
    code_on(window)
    _look(window, "page-code")
    window.goto(address + "x")
    _look(window, "page-unknown")
    window.goto(address)
    _look(window, "page-over")
    visit.context.close()


def test_the_last_page_of_a_login_looks_well(browser: Browser, bank: Bank) -> None:
    visit = Visit(browser, bank, "confirmed")
    visit.prompted()
    window = visit.opened()
    expect(window.get_by_role("heading", name="Is this your chat?")).to_be_visible()
    _look(window, "page-confirm")
    window.get_by_role("button", name="Yes, log in").click()
    sign_in(window)
    expect(window.get_by_role("heading", name=DONE)).to_be_visible()
    _look(window, "page-done")
    visit.context.close()


@pytest.mark.parametrize("bot", LANGUAGES)
def test_cards_and_pages_look_well_in_other_languages(browser: Browser, bank: Bank, bot: str) -> None:
    visit = Visit(browser, bank, bot)
    visit.prompted()
    _look(visit.page, f"card-{bot}")
    window = visit.opened()
    expect(window.locator("form button").first).to_be_visible()
    expect(window.locator("html")).to_have_attribute("lang", LANGUAGES[bot])
    _look(window, f"page-confirm-{bot}")
    visit.context.close()


def test_on_a_phone_the_login_is_one_tap(browser: Browser, bank: Bank) -> None:
    visit = Visit(browser, bank, **PHONE)
    visit.prompted()
    with visit.context.expect_page() as window:
        visit.card.tap()
    sign_in(window.value)
    visit.hears(ADA_HAS)
    assert overflow(visit.page) == 0
    visit.context.close()
