"""A small service that takes orders and counts them, for tests of what bots send."""

from __future__ import annotations

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


class Shop(ThreadingHTTPServer):
    """``orders`` has path and body of each, ``keys`` its ``Idempotency-Key``. ``goes_on``: cleared, it does not answer."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Counter)
        self.orders: list[tuple[str, Any]] = []
        self.keys: list[str] = []
        self.goes_on = threading.Event()
        self.goes_on.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Counter(BaseHTTPRequestHandler):
    server: Shop

    def do_POST(self) -> None:
        order = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.orders.append((self.path, order))
        self.server.keys.append(self.headers["Idempotency-Key"])
        body = json.dumps({"number": len(self.server.orders)}).encode()
        self.server.goes_on.wait(30)
        self.send_response(201)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Nothing: the test counts."""


@contextlib.contextmanager
def running_shop() -> Iterator[Shop]:
    shop = Shop()
    thread = threading.Thread(target=shop.serve_forever)
    thread.start()
    try:
        yield shop
    finally:
        shop.shutdown()
        thread.join()
        shop.server_close()
