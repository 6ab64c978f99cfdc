"""The shop's back end, over real HTTP."""

from __future__ import annotations

import signal
import subprocess
import sys
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.examples.back_ends import EXAMPLES, Desk, load, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = EXAMPLES / "shop" / "backend.py"
NOW = datetime(2027, 3, 1, 9, 15, tzinfo=UTC)  # a Monday
ORDER = {
    "product": "fjord-mug",
    "colour": "Blue",
    "quantity": 2,
    "extras": ["Gift wrapping"],
    "country": "NL",
    "date": "2027-03-04",
    "address": "Ada Lovelace, Oudegracht 12, Utrecht",
    "email": "ada@example.com",
    "total": 37.5,
}


backend = load("shop")


@pytest.fixture
def counter(tmp_path: Path) -> Iterator[Desk]:
    with serving(backend.Server(backend.Shop(tmp_path, now=lambda: NOW), 0)) as desk:
        yield desk


def test_every_product_has_a_price_and_a_picture(counter: Desk) -> None:
    status, products = counter.ask("GET", "/products")
    assert status == 200
    for product in products:
        assert product["price"] > 0
        with urllib.request.urlopen(product["image"], timeout=60) as picture:
            assert picture.headers["Content-Type"] == "image/svg+xml"
            assert b"<svg" in picture.read()


def test_what_sells_best_comes_first(counter: Desk) -> None:
    before = [one["id"] for one in counter.ask("GET", "/products?category=Mugs")[1]]
    assert before[0] == "fjord-mug"
    wanted = ORDER | {"product": "pebble-cup", "colour": "White", "total": 32.5}
    assert counter.ask("POST", "/orders", wanted)[0] == 201
    after = counter.ask("GET", "/products?category=mugs")[1]
    assert [one["id"] for one in after] == ["pebble-cup", *(id for id in before if id != "pebble-cup")]
    assert after[0]["stock"] == 38


def test_a_delivery_skips_sundays_and_the_past(counter: Desk) -> None:
    assert counter.ask("GET", "/delivery?country=NL")[1]["earliest"] == "2027-03-03"
    days = {"2027-03-02": False, "2027-03-03": True, "2027-03-07": False, "2027-05-31": False, "2027-05-29": True}
    found = {day: counter.ask("GET", f"/delivery?country=nl&date={day}")[1]["possible"] for day in days}
    assert found == days


def test_what_comes_on_a_sunday_comes_on_the_monday(counter: Desk) -> None:
    assert counter.ask("GET", "/delivery?country=JP")[1]["earliest"] == "2027-03-15"


@pytest.mark.parametrize(
    ("country", "quantity", "delivery"),
    [("NL", 1, 4.5), ("NL", 4, 0), ("be", 1, 7.5), ("AT", 1, 12.5), ("JP", 20, 29), (None, 1, 0), ("", 1, 0)],
)
def test_a_delivery_costs_what_its_zone_says(
    counter: Desk, country: str | None, quantity: int, delivery: float
) -> None:
    quote = counter.ask("POST", "/quotes", {"product": "fjord-mug", "quantity": quantity, "country": country})[1]
    assert quote["delivery"] == delivery
    assert quote["total"] == round(quote["goods"] + quote["extras"] + quote["delivery"], 2)


def test_extras_are_counted_once(counter: Desk) -> None:
    wanted = {"product": "fjord-mug", "quantity": 2, "extras": ["Gift wrapping", "Greeting card"]}
    assert counter.ask("POST", "/quotes", wanted) == (
        200,
        {"goods": 29, "extras": 6.5, "delivery": 0.0, "total": 35.5, "currency": "EUR"},
    )


def test_the_nearest_pick_up_point_comes_first(counter: Desk) -> None:
    points = counter.ask("GET", "/pick-up-points?latitude=53.2&longitude=6.5")[1]
    assert points[0]["name"] == "Books Lente"
    assert [one["km"] for one in points] == sorted(one["km"] for one in points)


def test_an_order_is_kept_and_found_by_its_number(counter: Desk) -> None:
    status, made = counter.ask("POST", "/orders", ORDER, "k1")
    assert (status, made["number"], made["name"], made["price"]) == (201, "S-1001", "Fjord mug", 37.5)
    assert counter.ask("GET", "/orders/s1001") == (200, made)
    assert counter.ask("GET", "/orders") == (200, [made])


def test_the_same_key_gives_the_same_order(counter: Desk) -> None:
    first = counter.ask("POST", "/orders", ORDER, "k1")
    assert counter.ask("POST", "/orders", ORDER, "k1") == first
    assert len(counter.ask("GET", "/orders")[1]) == 1
    assert counter.ask("POST", "/orders", ORDER | {"email": "eve@example.com"}, "k1")[0] == 422
    assert counter.ask("POST", "/orders", ORDER, "k2")[1]["number"] == "S-1002"


def test_the_same_key_at_the_same_moment_orders_once(counter: Desk) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: counter.ask("POST", "/orders", ORDER, "k1"), range(8)))
    assert {(status, answer["number"]) for status, answer in answers} == {(201, "S-1001")}
    assert counter.ask("GET", "/products?category=Mugs")[1][0]["stock"] == 38


def test_no_more_is_sold_than_there_is(counter: Desk) -> None:
    wanted = ORDER | {"product": "tall-tea-mug", "colour": "White", "quantity": 1, "extras": [], "total": 22}
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: counter.ask("POST", "/orders", wanted, f"k{n}"), range(8)))
    assert sorted(status for status, _ in answers) == [201] * 3 + [409] * 5
    refused = next(answer for status, answer in answers if status == 409)
    assert (refused["reason"], refused["left"]) == ("stock", 0)


def test_an_order_at_another_price_is_refused(counter: Desk) -> None:
    status, answer = counter.ask("POST", "/orders", ORDER | {"total": 1})
    assert (status, answer["reason"], answer["total"]) == (409, "price", 37.5)
    assert counter.ask("GET", "/orders") == (200, [])


def test_what_is_picked_up_needs_a_point_and_no_address(counter: Desk) -> None:
    wanted = ORDER | {"country": "", "address": None, "date": None, "total": 33, "point": "Shop Utrecht"}
    assert counter.ask("POST", "/orders", wanted)[0] == 201
    assert counter.ask("POST", "/orders", wanted | {"point": ""})[0] == 422


@pytest.mark.parametrize(
    "change",
    [
        {"product": "no"},
        {"quantity": 0},
        {"quantity": 21},
        {"quantity": "2"},
        {"quantity": True},
        {"extras": ["A castle"]},
        {"extras": "Gift wrapping"},
        {"colour": "Gold"},
        {"product": "linen-shirt", "size": "Tiny"},
        {"email": "ada"},
        {"address": ""},
        {"date": None},
        {"country": "Holland"},
    ],
)
def test_an_order_with_something_wrong_is_refused_and_not_kept(counter: Desk, change: dict[str, Any]) -> None:
    status, answer = counter.ask("POST", "/orders", ORDER | change)
    assert status in {400, 422}
    assert answer["error"].endswith(".")
    assert counter.ask("GET", "/orders") == (200, [])


def test_a_claim_belongs_to_an_order(counter: Desk) -> None:
    claim = {"order": "S-1001", "trouble": "The handle is off", "photo": None, "solution": "A new one"}
    assert counter.ask("POST", "/claims", claim)[0] == 404
    counter.ask("POST", "/orders", ORDER)
    assert counter.ask("POST", "/claims", claim | {"trouble": ""})[0] == 422
    status, made = counter.ask("POST", "/claims", claim, "k1")
    assert (status, made["number"], made["status"]) == (201, "R-1002", "open")
    assert counter.ask("POST", "/claims", claim, "k1") == (status, made)
    assert counter.ask("GET", "/claims/R-1002") == (200, made)
    assert counter.ask("GET", "/orders/R-1002")[0] == 404


def test_who_wants_a_person_is_on_the_list(counter: Desk) -> None:
    assert counter.ask("POST", "/calls", {"customer": "ada", "order": None})[0] == 201
    assert [call["customer"] for call in counter.ask("GET", "/calls")[1]] == ["ada"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("PUT", "/orders", 405),
        ("GET", "/quotes", 405),
        ("GET", "/orders/S-9999", 404),
        ("GET", "/orders/S-1000", 404),
        ("GET", "/orders/x", 404),
        ("GET", "/products?category=Boats", 404),
        ("GET", "/delivery?country=Holland", 400),
        ("GET", "/delivery?country=NL&date=tomorrow", 400),
        ("GET", "/pick-up-points", 400),
        ("GET", "/pick-up-points?latitude=nan&longitude=5", 400),
        ("GET", "/pick-up-points?latitude=91&longitude=5", 400),
        ("GET", "/images/none.svg", 404),
        ("GET", "/images/..%2Fgoods.json", 404),
        ("GET", "/images/../goods.json", 404),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(counter: Desk, method: str, path: str, status: int) -> None:
    got, answer = counter.ask(method, path)
    assert got == status
    assert answer["error"].endswith(".")


@pytest.mark.parametrize(
    ("path", "body"), [("/orders", b"{"), ("/orders", b"[]"), ("/claims", b"5"), ("/quotes", b'""')]
)
def test_a_body_that_is_no_object_is_refused(counter: Desk, path: str, body: bytes) -> None:
    assert counter.ask("POST", path, body)[0] in {400, 422}


def test_pictures_have_the_public_address(tmp_path: Path) -> None:
    shop = backend.Shop(tmp_path)
    with backend.Server(shop, 0, "https://shop.example/"):
        images = {one["image"] for one in shop.products("Candles")}
    assert "https://shop.example/images/fig-candle.svg" in images


def test_it_prints_its_address_and_keeps_its_orders(tmp_path: Path) -> None:
    command = [sys.executable, str(FILE), "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        counter = Desk(process.stdout.readline().split()[-1])
        day = counter.ask("GET", "/delivery?country=NL")[1]["earliest"]
        assert counter.ask("POST", "/orders", ORDER | {"date": day}, "k1")[0] == 201
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0
    assert [order["number"] for order in backend.Shop(tmp_path).papers("order")] == ["S-1001"]


def test_a_port_in_use_is_said_and_ends_with_1(counter: Desk, tmp_path: Path) -> None:
    port = counter.url.rpartition(":")[2]
    done = subprocess.run(
        [sys.executable, str(FILE), "--port", port, "--data", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "--port" in done.stderr
