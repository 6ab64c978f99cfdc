"""The shop's own back end: a small REST service that the example bot calls. Standard library only.

    python backend.py [--port 8090] [--data FOLDER] [--public-url ADDRESS]

What it sells stands in ``goods.json`` beside it, pictures in ``images/``. It keeps orders, claims and calls for a
person in FOLDER/orders.db. An order or claim is asked for with an ``Idempotency-Key``: the same key gives the same one,
however often it is sent.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import signal
import sqlite3
import sys
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import date, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit
from zoneinfo import ZoneInfo

HERE = Path(__file__).resolve().parent
GOODS = json.loads((HERE / "goods.json").read_text("utf-8"))
SIZES = {"S": "Small", "M": "Medium", "L": "Large", "XL": "Extra large"}
MOST_PIECES = 20
DAYS_AHEAD = 90
SUNDAY = 6
BODY_LIMIT = 64 * 1024
EARTH_RADIUS = 6371.0

TABLE = """
create table if not exists papers (
    number integer primary key autoincrement,
    kind text not null, key text, request text not null, content text not null, made_at text not null
);
create unique index if not exists one_paper_a_key on papers (kind, key);
create table if not exists sold (product text primary key, pieces integer not null);
"""

Paper = dict[str, Any]


class Refusal(Exception):
    """An answer other than 2xx: a sentence for the caller, and what else there is to know."""

    def __init__(self, status: int, sentence: str, **more: object) -> None:
        super().__init__(sentence)
        self.status = status
        self.more = more


def clock_on_the_wall() -> datetime:
    return datetime.now(ZoneInfo("Europe/Amsterdam"))


class Shop:
    """Goods, prices, orders. ``now`` is the shop's own clock."""

    def __init__(self, folder: Path, now: Callable[[], datetime] = clock_on_the_wall) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "orders.db"
        self.now = now
        self.public_url = ""
        with closing(self.open()) as database:
            database.executescript(TABLE)

    def open(self) -> sqlite3.Connection:
        database = sqlite3.connect(self.file, timeout=10, isolation_level=None)
        database.row_factory = sqlite3.Row
        return database

    # ---- what there is -------------------------------------------------------------------------------------------

    def products(self, category: str | None) -> list[dict[str, Any]]:
        """All products of a category, what sells best first."""
        with closing(self.open()) as database:
            sold = {row["product"]: row["pieces"] for row in database.execute("select * from sold")}
        found = [one for one in GOODS["products"] if category is None or one["category"].lower() == category.lower()]
        if not found:
            raise Refusal(404, f"There is no category {category!r}.")
        found.sort(key=lambda one: -sold.get(one["id"], 0))
        return [self.shown(one, sold.get(one["id"], 0)) for one in found]

    def shown(self, product: dict[str, Any], sold: int) -> dict[str, Any]:
        return {
            **product,
            "sizes": [{"code": code, "name": SIZES[code]} for code in product["sizes"]],
            "stock": product["stock"] - sold,
            "image": f"{self.public_url}/images/{product['id']}.svg",
        }

    def delivery(self, country: str, day: str | None) -> dict[str, object]:
        """What it costs to a country, and whether a parcel can arrive on a day."""
        zone = zone_of(country)
        earliest = self.now().date()
        for _ in range(zone["days"]):
            earliest += timedelta(days=1)
            if earliest.weekday() == SUNDAY:
                earliest += timedelta(days=1)
        latest = self.now().date() + timedelta(days=DAYS_AHEAD)
        found = {"price": zone["price"], "earliest": earliest.isoformat(), "latest": latest.isoformat()}
        if day is not None:
            when = read_day(day)
            found["possible"] = earliest <= when <= latest and when.weekday() != SUNDAY
        return found

    def points(self, latitude: float, longitude: float) -> list[dict[str, Any]]:
        """Where parcels can be picked up, the nearest first."""
        points = [
            {**one, "km": round(distance(latitude, longitude, one["latitude"], one["longitude"]), 1)}
            for one in GOODS["pick-up-points"]
        ]
        return sorted(points, key=lambda one: one["km"])

    # ---- prices and orders ---------------------------------------------------------------------------------------

    def quote(self, wanted: object) -> dict[str, Any]:
        """The price of what is wanted, in euros."""
        if not isinstance(wanted, dict):
            raise Refusal(422, "The body is an object.")
        product = product_named(wanted.get("product"))
        pieces = wanted.get("quantity")
        if not isinstance(pieces, int) or isinstance(pieces, bool) or not 1 <= pieces <= MOST_PIECES:
            raise Refusal(422, f"The quantity is a number from 1 to {MOST_PIECES}.")
        names = wanted.get("extras") or []
        prices = {one["name"]: one["price"] for one in GOODS["extras"]}
        if not isinstance(names, list) or not all(name in prices for name in names):
            raise Refusal(422, f"Extras are a list of: {', '.join(prices)}.")
        goods = round(product["price"] * pieces, 2)
        extras = round(sum(prices[name] for name in names), 2)
        delivery = self.cost(wanted.get("country"), goods + extras)
        total = round(goods + extras + delivery, 2)
        return {"goods": goods, "extras": extras, "delivery": delivery, "total": total, "currency": "EUR"}

    def cost(self, country: object, value: float) -> float:
        """Of the delivery; what is picked up costs nothing."""
        if not country:
            return 0.0
        zone = zone_of(str(country))
        is_free = zone["free_from"] is not None and value >= zone["free_from"]
        return 0.0 if is_free else float(zone["price"])

    def order(self, wanted: object, key: str | None) -> Paper:
        return self.once("order", wanted, key, self.sell)

    def sell(self, database: sqlite3.Connection, wanted: Paper) -> Paper:
        quote, product = self.quote(wanted), product_named(wanted.get("product"))
        check_order(product, wanted)
        if wanted.get("total") != quote["total"]:
            raise Refusal(409, f"The price is {quote['total']} by now.", reason="price", total=quote["total"])
        row = database.execute("select pieces from sold where product = ?", (product["id"],)).fetchone()
        sold, pieces = row["pieces"] if row else 0, wanted["quantity"]
        left = product["stock"] - sold
        if pieces > left:
            raise Refusal(409, f"Only {left} of {product['name']} are left.", reason="stock", left=left)
        database.execute("insert or replace into sold values (?, ?)", (product["id"], sold + pieces))
        return {**wanted, "name": product["name"], "price": quote["total"], "status": "packing"}

    def claim(self, wanted: object, key: str | None) -> Paper:
        return self.once("claim", wanted, key, self.take_claim)

    def take_claim(self, database: sqlite3.Connection, wanted: Paper) -> Paper:
        if not wanted.get("trouble"):
            raise Refusal(422, "A claim says what is wrong.")
        order = self.paper("order", str(wanted.get("order")))
        return {**wanted, "order": order["number"], "status": "open"}

    def call(self, wanted: object, key: str | None) -> Paper:
        """Somebody wants to talk to a person."""
        return self.once("call", wanted, key, lambda _, wanted: wanted)

    # ---- papers --------------------------------------------------------------------------------------------------

    def once(
        self, kind: str, wanted: object, key: str | None, make: Callable[[sqlite3.Connection, Paper], Paper]
    ) -> Paper:
        """Write a paper, or give the one that was written under this key before."""
        if not isinstance(wanted, dict):
            raise Refusal(422, "The body is an object.")
        request = json.dumps(wanted, sort_keys=True)
        with closing(self.open()) as database:
            # One after the other: what is there is looked at and changed in one go.
            database.execute("begin immediate")
            row = database.execute("select * from papers where kind = ? and key = ?", (kind, key)).fetchone()
            if row is not None and row["request"] != request:
                raise Refusal(422, "This Idempotency-Key was used for something else.")
            if row is None:
                made = (
                    kind,
                    key,
                    request,
                    json.dumps(make(database, wanted)),
                    self.now().isoformat(timespec="seconds"),
                )
                row = database.execute(
                    "insert into papers (kind, key, request, content, made_at) values (?,?,?,?,?) returning *", made
                ).fetchone()
            database.execute("commit")
        return paper_of(row)

    def papers(self, kind: str) -> list[Paper]:
        with closing(self.open()) as database:
            return [paper_of(row) for row in database.execute("select * from papers where kind = ?", (kind,))]

    def paper(self, kind: str, name: str) -> Paper:
        digits = re.fullmatch(r"[SRH]-?(\d{1,9})", name.upper(), re.ASCII)
        with closing(self.open()) as database:
            row = database.execute(
                "select * from papers where kind = ? and number = ?", (kind, int(digits[1]) - 1000 if digits else 0)
            ).fetchone()
        if row is None:
            raise Refusal(404, f"There is no {kind} {name}.")
        return paper_of(row)


LETTERS = {"order": "S", "claim": "R", "call": "H"}


def paper_of(row: sqlite3.Row) -> Paper:
    number = f"{LETTERS[row['kind']]}-{1000 + row['number']}"
    return {**json.loads(row["content"]), "number": number, "made_at": row["made_at"]}


def product_named(id: object) -> dict[str, Any]:
    found = next((one for one in GOODS["products"] if one["id"] == id), None)
    if found is None:
        raise Refusal(422, f"There is no product {id!r}. GET /products lists all.")
    return dict(found)


def check_order(product: dict[str, Any], wanted: Paper) -> None:
    """A size and a colour of those that there are, where there are several; who gets it, and where."""
    sizes = [SIZES[code] for code in product["sizes"]]
    if sizes and wanted.get("size") not in sizes:
        raise Refusal(422, f"{product['name']} comes in the sizes {', '.join(sizes)}.")
    if len(product["colours"]) > 1 and wanted.get("colour") not in product["colours"]:
        raise Refusal(422, f"{product['name']} comes in {', '.join(product['colours'])}.")
    if not isinstance(wanted.get("email"), str) or "@" not in wanted["email"]:
        raise Refusal(422, "An order needs the e-mail address of the customer.")
    if wanted.get("country") and not (wanted.get("address") and wanted.get("date")):
        raise Refusal(422, "A delivery needs an address and a date.")
    if not wanted.get("country") and not wanted.get("point"):
        raise Refusal(422, "An order goes to a country or to a pick-up point.")


def zone_of(country: str) -> dict[str, Any]:
    """The zone that names the country, else the last: the rest of the world."""
    if not re.fullmatch("[A-Za-z]{2}", country):
        raise Refusal(400, f"{country!r} is no country. Write two letters, such as NL.")
    zones: list[dict[str, Any]] = GOODS["zones"]
    return next((zone for zone in zones if country.upper() in zone["countries"]), zones[-1])


def distance(latitude: float, longitude: float, other_latitude: float, other_longitude: float) -> float:
    """Kilometres along the ground, by the haversine formula."""
    one, other = math.radians(latitude), math.radians(other_latitude)
    across = math.radians(other_longitude - longitude)
    half = math.sin((other - one) / 2) ** 2 + math.cos(one) * math.cos(other) * math.sin(across / 2) ** 2
    return 2 * EARTH_RADIUS * math.asin(math.sqrt(half))


def read_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Refusal(400, f"{text!r} is no day. Write it as 2027-03-04.") from None


def read_degrees(text: str | None, most: int) -> float:
    try:
        degrees = float(text or "")
    except ValueError:
        degrees = math.nan
    if not abs(degrees) <= most:
        raise Refusal(400, "latitude and longitude are degrees, such as 52.09 and 5.12.")
    return degrees


def picture(name: str) -> bytes:
    """One of the pictures; a name that leads elsewhere is none."""
    file = HERE / "images" / name
    if not re.fullmatch(r"[a-z-]+\.svg", name) or not file.is_file():
        raise Refusal(404, f"There is no picture {name}.")
    return file.read_bytes()


class Counter(BaseHTTPRequestHandler):
    """One call: the path decides what is asked of the shop. Connections are not kept: a stop waits for none."""

    timeout = 10  # a caller who connects and says nothing
    shop: Shop

    def answer(self) -> tuple[int, object]:
        address = urlsplit(self.path)
        query = dict(parse_qsl(address.query))
        parts = [unquote(part) for part in address.path.strip("/").split("/")]
        shop, key = self.shop, self.headers.get("Idempotency-Key")
        match self.command, parts:
            case "GET", ["images", name]:
                return 200, picture(name)
            case "GET", ["products"]:
                return 200, shop.products(query.get("category"))
            case "GET", ["extras"]:
                return 200, GOODS["extras"]
            case "GET", ["delivery"]:
                return 200, shop.delivery(query.get("country", ""), query.get("date"))
            case "GET", ["pick-up-points"]:
                return 200, shop.points(
                    read_degrees(query.get("latitude"), 90), read_degrees(query.get("longitude"), 180)
                )
            case "POST", ["quotes"]:
                return 200, shop.quote(self.read_json())
            case "POST", ["orders"]:
                return 201, shop.order(self.read_json(), key)
            case "POST", ["claims"]:
                return 201, shop.claim(self.read_json(), key)
            case "POST", ["calls"]:
                return 201, shop.call(self.read_json(), key)
            case "GET", [("orders" | "claims" | "calls") as kind]:
                return 200, shop.papers(kind[:-1])
            case "GET", [("orders" | "claims") as kind, name]:
                return 200, shop.paper(kind[:-1], name)
        if parts[0] in {"products", "extras", "delivery", "pick-up-points", "quotes", "orders", "claims", "calls"}:
            raise Refusal(405, f"{self.command} is not allowed here.")
        raise Refusal(404, f"There is nothing at {address.path}.")

    def read_json(self) -> object:
        length = self.headers.get("Content-Length", "0")
        if not length.isdigit() or int(length) > BODY_LIMIT:
            raise Refusal(413, f"A body has at most {BODY_LIMIT} bytes.")
        try:
            return json.loads(self.rfile.read(int(length)))
        except ValueError:
            raise Refusal(400, "The body is no JSON.") from None

    def reply(self) -> None:
        try:
            status, content = self.answer()
        except Refusal as refusal:
            status, content = refusal.status, {"error": str(refusal), **refusal.more}
        is_picture = isinstance(content, bytes)
        body = content if isinstance(content, bytes) else json.dumps(content, ensure_ascii=False).encode()
        # A caller who was killed meanwhile: what was ordered stays ordered.
        with suppress(BrokenPipeError, ConnectionResetError):
            self.send_response(status)
            self.send_header("Content-Type", "image/svg+xml" if is_picture else "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    do_GET = do_POST = do_DELETE = do_PUT = do_PATCH = reply  # noqa: N815 - the names that http.server looks for

    def log_message(self, format: str, *args: object) -> None:
        """Quiet: the addresses hold what customers asked for."""


class Server(ThreadingHTTPServer):
    daemon_threads = False  # a stop waits for the orders that are under way
    request_queue_size = 128

    def __init__(self, shop: Shop, port: int, public_url: str | None = None) -> None:
        super().__init__(("127.0.0.1", port), type("CounterOfShop", (Counter,), {"shop": shop}))
        shop.public_url = (public_url or self.url).rstrip("/")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="The shop's back end, for the example bot.")
    parser.add_argument("--port", type=int, default=8090, help="port on 127.0.0.1; 0 takes a free one (default: 8090)")
    parser.add_argument("--data", type=Path, default=Path("data/shop"), help="folder of the orders")
    parser.add_argument("--public-url", help="address under which customers see the pictures (default: its own)")
    options = parser.parse_args(arguments)
    shop = Shop(options.data)
    try:
        server = Server(shop, options.port, options.public_url)
    except OSError as error:
        print(f"Port {options.port} cannot be used ({error.strerror}). Choose another with --port.", file=sys.stderr)
        return 1

    def stop(*_: object) -> None:
        # In a thread of its own: shutdown() waits for the loop that this handler interrupts.
        threading.Thread(target=server.shutdown).start()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    print(f"The shop keeps its orders in {shop.file}.\nIts back end is at {server.url}", flush=True)
    with server:
        server.serve_forever(poll_interval=0.1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
