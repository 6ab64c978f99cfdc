"""A bot is edited while a service that counts watches what its try-out sends: nothing that nobody has asked for."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.e2e.page_checks import axe, overflow, picture
from tests.e2e.studio_visit import Visit
from tests.e2e.test_studio_try_out import bubble, edit, say
from tests.live import Service
from tests.shop import Shop, running_shop

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BOT = {"id": "tea", "name": "Tea room", "language": "en"}
TRAINING = {
    "entity-definitions": [
        {
            "name": "Conversation",
            "lookup-strategy": "trait",
            "data": [{"value": "order", "expressions": ["order tea", "some tea please", "I want tea"]}],
        }
    ]
}


def flow(address: str) -> str:
    """Return a flow that orders at this address."""
    count = {"type": "question", "entity": "count", "entity-type": "Text", "messages": ["How many?"]}
    source = {"endpoint": address, "method": "POST", "payload": {"count": "{{count}}"}}
    order = {"type": "webhook", "entity": "made", "data-source": source, "messages": ["Order {{made.number}} is made."]}
    more = {"type": "question", "entity": "note", "entity-type": "Text", "messages": ["Anything else?"]}
    return json.dumps({"conversations": {"order": {"type": "goal", "steps": [count, order, more]}}}, indent=2)


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    with running_shop() as shop:
        yield shop


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, shop: Shop, studio_store: dict[str, str]) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("writes") / "tea"
    folder.mkdir()
    (folder / "bot.json").write_text(json.dumps(BOT))
    (folder / "flow.json").write_text(flow(f"{shop.url}/orders"))
    (folder / "training.json").write_text(json.dumps(TRAINING))
    service = Service([folder], folder.parent / "data", environment=studio_store)
    yield service
    service.stop()


@contextlib.contextmanager
def building(browser: Browser, service: Service, session: Any, **options: Any) -> Iterator[Page]:
    """A new browser in Build with the try-out beside."""
    visit = Visit(browser, service, storage_state=session, reduced_motion="reduce", **options).opens("build", "tea")
    expect(visit.page.get_by_role("treeitem", name="How many?")).to_be_visible()
    name = "Ausprobieren" if options.get("locale") == "de" else "Try out"
    visit.page.get_by_role("button", name=name, exact=True).first.click()
    yield visit.page
    assert visit.errors == []
    visit.context.close()


@pytest.fixture
def page(browser: Browser, service: Service, session: Any, shop: Shop) -> Iterator[Page]:
    shop.orders.clear()
    shop.keys.clear()
    with building(browser, service, session) as page:
        yield page


def asks(page: Page) -> Locator:
    return page.locator("studio-try-asks")


def choose_real(page: Page) -> None:
    page.locator("studio-try-out .setup > summary").click()
    page.get_by_label("Outside calls").select_option("real")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_text("Real calls: what you say here acts.")).to_be_visible()


def order_two(page: Page) -> None:
    say(page, "order tea")
    expect(bubble(page, "How many?")).to_be_visible()
    say(page, "2")


def edit_and_take_back(page: Page, shop: Shop, made: str) -> None:
    """Delete the question that the order needs, take that back, do it again, and edit the order's address."""
    page.get_by_role("treeitem", name="How many?").click()
    page.keyboard.press("Delete")
    expect(asks(page)).to_contain_text(f"This would send POST {shop.url}/orders. Send it, or answer it yourself?")
    expect(asks(page)).to_contain_text('{"count":null}')
    page.keyboard.press("Control+z")
    expect(asks(page)).to_have_count(0)
    expect(bubble(page, made)).to_be_visible()
    page.keyboard.press("Control+Shift+z")
    expect(asks(page)).to_be_visible()
    page.keyboard.press("Control+z")
    expect(asks(page)).to_have_count(0)
    edit(page, "flow.json", flow(f"{shop.url}/elsewhere"))
    expect(asks(page)).to_contain_text(f"{shop.url}/elsewhere")
    expect(asks(page)).to_contain_text("Not played yet: “2”")


def test_with_real_calls_edits_undo_and_another_address_send_the_order_no_second_time(page: Page, shop: Shop) -> None:
    choose_real(page)
    order_two(page)
    expect(bubble(page, "Order 1 is made.")).to_be_visible()
    edit_and_take_back(page, shop, "Order 1 is made.")
    assert shop.orders == [("/orders", {"count": "2"})]


def test_with_recorded_calls_an_order_asks_first_and_goes_out_once(page: Page, shop: Shop) -> None:
    order_two(page)
    expect(asks(page)).to_contain_text('{"count":"2"}')
    assert shop.orders == []
    page.get_by_role("button", name="Send it").press("Enter")
    expect(bubble(page, "Order 1 is made.")).to_be_visible()
    expect(bubble(page, "2")).to_have_count(1)
    edit_and_take_back(page, shop, "Order 1 is made.")
    assert shop.orders == [("/orders", {"count": "2"})]
    page.get_by_role("button", name="Send it").click()
    expect(bubble(page, "Order 2 is made.")).to_be_visible()
    assert shop.orders[1:] == [("/elsewhere", {"count": "2"})]
    assert len(set(shop.keys)) == 2


def test_the_author_answers_by_keys_alone_and_nothing_is_sent(page: Page, shop: Shop) -> None:
    order_two(page)
    page.get_by_role("button", name="Answer it yourself").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Body (JSON)")).to_be_focused()
    page.keyboard.type('{"number": 77}')
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(bubble(page, "Order 77 is made.")).to_be_visible()
    page.get_by_role("button", name="Take back your last message").click()
    expect(bubble(page, "Order 77 is made.")).to_have_count(0)
    say(page, "2")
    expect(bubble(page, "Order 77 is made.")).to_be_visible()
    assert shop.orders == []


def test_the_message_that_would_write_is_taken_back(page: Page, shop: Shop) -> None:
    order_two(page)
    expect(asks(page)).to_be_visible()
    page.get_by_role("button", name="Take back your last message").click()
    expect(asks(page)).to_have_count(0)
    expect(bubble(page, "2")).to_have_count(0)
    say(page, "3")
    expect(asks(page)).to_contain_text('{"count":"3"}')
    page.reload()
    expect(asks(page)).to_contain_text("Not played yet: “3”")
    assert shop.orders == []


def test_while_it_asks_a_message_stays_in_the_field_and_the_focus_is_where_nothing_is_sent(
    page: Page, shop: Shop
) -> None:
    order_two(page)
    expect(page.get_by_role("button", name="Answer it yourself")).to_be_focused()
    expect(bubble(page, "2")).to_have_count(1)
    field = page.get_by_role("textbox", name="Answer the question above first")
    field.fill("hm")
    field.press("Enter")
    expect(page.get_by_text("Answer the question above first")).to_be_visible()
    expect(field).to_have_value("hm")
    expect(page.get_by_text("Not sent")).to_have_count(0)
    page.get_by_role("button", name="Send it").click()
    expect(bubble(page, "Order 1 is made.")).to_be_visible()
    assert shop.orders == [("/orders", {"count": "2"})]


def test_after_an_answer_that_was_lost_it_asks_what_is_to_become_of_the_call(page: Page, shop: Shop) -> None:
    choose_real(page)
    say(page, "order tea")
    expect(bubble(page, "How many?")).to_be_visible()

    def lose(route: Route) -> None:
        route.fetch()
        route.fulfill(body="")  # cut off on its way

    page.route("**/try-outs/*/turns", lose, times=1)
    say(page, "2")
    expect(bubble(page, "Order 1 is made.")).to_be_visible()
    expect(page.get_by_text("Not sent")).to_have_count(0)
    edit(page, "flow.json", flow(f"{shop.url}/elsewhere"))
    expect(asks(page)).to_contain_text(f"{shop.url}/elsewhere")
    expect(page.get_by_text("another tab")).to_have_count(0)
    assert shop.orders == [("/orders", {"count": "2"})]


def wait_for_order(page: Page, shop: Shop) -> None:
    for _ in range(100):
        if shop.orders:
            return
        page.wait_for_timeout(50)
    raise AssertionError("nothing was ordered")


def test_an_edit_that_is_made_and_taken_back_during_a_slow_call_leaves_no_working_dots(page: Page, shop: Shop) -> None:
    choose_real(page)
    say(page, "order tea")
    expect(bubble(page, "How many?")).to_be_visible()
    shop.goes_on.clear()
    try:
        say(page, "2")
        wait_for_order(page, shop)
        other = flow(f"{shop.url}/orders").replace("How many?", "How many cups?")
        for text in (other, flow(f"{shop.url}/orders"), other):
            edit(page, "flow.json", text)
            page.wait_for_timeout(600)
    finally:
        shop.goes_on.set()
    expect(bubble(page, "How many cups?")).to_be_visible()
    expect(bubble(page, "Order 1 is made.")).to_be_visible()
    page.wait_for_timeout(1_000)
    expect(page.locator("dialoom-chat .typing")).to_have_count(0)
    assert shop.orders == [("/orders", {"count": "2"})]


def test_after_the_service_was_killed_in_a_call_the_page_says_what_is_not_known_and_then_asks(
    browser: Browser, shop: Shop, tmp_path: Path
) -> None:
    shop.orders.clear()
    folder = tmp_path / "tea"
    folder.mkdir()
    for name, text in (
        ("bot", json.dumps(BOT)),
        ("flow", flow(f"{shop.url}/orders")),
        ("training", json.dumps(TRAINING)),
    ):
        (folder / f"{name}.json").write_text(text)
    service = Service([folder], tmp_path / "data")
    try:
        visit = Visit(browser, service, service.studio_link()).comes_in()
        page = visit.opens("build", "tea").page
        page.get_by_role("button", name="Try out", exact=True).first.click()
        choose_real(page)
        say(page, "order tea")
        expect(bubble(page, "How many?")).to_be_visible()
        shop.goes_on.clear()
        say(page, "2")
        wait_for_order(page, shop)
        service.kill()
        expect(page.get_by_text("Whether this was sent is not known")).to_be_visible()
        expect(page.get_by_text("Not sent")).to_have_count(0)
        shop.goes_on.set()
        service = service.again()
        expect(asks(page)).to_contain_text("It was sent once, and what came of it is not known.", timeout=60_000)
        expect(asks(page)).to_contain_text("Not played yet: “2”")
        expect(bubble(page, "2")).to_have_count(1)
        expect(page.get_by_text("Not sent")).to_have_count(0)
        page.get_by_role("button", name="Send it").click()
        expect(bubble(page, "Order 2 is made.")).to_be_visible()
        assert len(set(shop.keys[-2:])) == 1
        visit.context.close()
    finally:
        shop.goes_on.set()
        service.stop()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en-GB", "de"])
def test_what_asks_and_what_acts_can_be_read(
    browser: Browser, service: Service, session: Any, scheme: Any, language: str
) -> None:
    with building(browser, service, session, color_scheme=scheme, locale=language) as page:
        order_two(page)
        expect(asks(page)).to_be_visible()
        picture(page, f"studio-try-asks-{language[:2]}-{scheme}")
        assert axe(page) == []
        assert overflow(page) <= 0
        asks(page).get_by_role("button").first.click()
        expect(asks(page).get_by_role("textbox")).to_be_focused()
        picture(page, f"studio-try-answer-{language[:2]}-{scheme}")
        page.locator("studio-try-out .setup > summary").click()
        page.locator("studio-try-setup [name=calls]").select_option("real")
        page.locator("studio-try-setup [type=submit]").click()
        expect(page.locator("studio-try-out .acting")).to_be_visible()
        picture(page, f"studio-try-acts-{language[:2]}-{scheme}")
        assert axe(page) == []
