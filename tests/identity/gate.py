"""A data source that answers when it is let, so that a user's turn lasts as long as a test wants."""

from __future__ import annotations

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ANSWER = json.dumps({"dollar": 1.08}).encode()


class _Door(BaseHTTPRequestHandler):
    asked: threading.Event
    opened: threading.Event

    def do_GET(self) -> None:
        self.asked.set()
        self.opened.wait()
        # Who asked may be gone by then.
        with contextlib.suppress(ConnectionError):
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(ANSWER)))
            self.end_headers()
            self.wfile.write(ANSWER)

    def log_message(self, format: str, *args: object) -> None:
        pass


class Gate:
    def __init__(self, port: int, asked: threading.Event, opened: threading.Event) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.asked, self._opened = asked, opened

    def open(self) -> None:
        """For all who wait there, and for all who come."""
        self._opened.set()


@contextlib.contextmanager
def gate() -> Iterator[Gate]:
    asked, opened = threading.Event(), threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Door", (_Door,), {"asked": asked, "opened": opened}))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield Gate(server.server_port, asked, opened)
    finally:
        opened.set()
        server.shutdown()
        server.server_close()
        thread.join(5)
