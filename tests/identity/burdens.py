"""A provider that wastes time or room, in one way under each issuer of its: ``<url>/<way>``.

Which answers of a provider are refused for what they say is another matter (``tests/service/login``); these are right up
to the place where they hang, drip or never end.
"""

from __future__ import annotations

import base64
import contextlib
import gzip
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

MIB = 1024 * 1024
FLOOD = 64 * MIB
BOMB = 256 * MIB
PLACES = ("metadata", "token", "keys")
WAYS = tuple(f"{place}-{manner}" for place in PLACES for manner in ("hangs", "drips", "floods", "bombs"))


class _Door(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    over: threading.Event
    bomb: bytes

    def do_GET(self) -> None:
        way = self.path.split("/")[1]
        self._reply(way, "metadata" if ".well-known" in self.path else "keys")

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self._reply(self.path.split("/")[1], "token")

    def _reply(self, way: str, place: str) -> None:
        burdened, _, manner = way.partition("-")
        self.close_connection = True
        # Whoever asked may hang up: that is the point.
        with contextlib.suppress(ConnectionError):
            if place == burdened:
                getattr(self, f"_{manner}")()
            else:
                answer = self._tokens(way) if place == "token" else self._metadata(way)
                self._head(length=len(body := json.dumps(answer).encode()))
                self.wfile.write(body)

    def _metadata(self, way: str) -> dict[str, Any]:
        host, port = self.server.server_address[:2]
        base = f"http://{host!s}:{port}/{way}"
        return {
            "issuer": base,
            "authorization_endpoint": f"{base}/authorize",
            "token_endpoint": f"{base}/token",
            "jwks_uri": f"{base}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "keys": [],
        }

    def _tokens(self, way: str) -> dict[str, Any]:
        """As far as can be seen without its key, the ID token is right."""
        claims = {"iss": self._metadata(way)["issuer"], "sub": "someone"}
        parts = [json.dumps(part).encode() for part in ({"alg": "RS256", "kid": "one"}, claims)]
        signed = ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in (*parts, b"s" * 256))
        return {"access_token": "a-token", "token_type": "Bearer", "id_token": signed}

    def _head(self, length: int, encoding: str | None = None) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(length))
        self.send_header("Connection", "close")  # else another call may come on a connection that is being closed
        if encoding is not None:
            self.send_header("Content-Encoding", encoding)
        self.end_headers()

    def _hangs(self) -> None:
        self.over.wait()

    def _drips(self) -> None:
        self._head(length=MIB)
        self.wfile.write(b"{")
        while not self.over.wait(0.4):
            self.wfile.write(b" ")

    def _floods(self) -> None:
        self._head(length=FLOOD)
        for _ in range(FLOOD // MIB):
            self.wfile.write(b" " * MIB)

    def _bombs(self) -> None:
        self._head(length=len(self.bomb), encoding="gzip")
        self.wfile.write(self.bomb)

    def log_message(self, format: str, *args: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # connections that wait to be accepted: five, the default, is less than all ways at once

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever asked hung up: that is the point."""


@contextlib.contextmanager
def burdens() -> Iterator[str]:
    """Gives its address."""
    over = threading.Event()
    packed = gzip.compress(b" " * MIB, 6) * (BOMB // MIB)  # members one after the other are one stream (RFC 1952 2.2)
    server = _Server(("127.0.0.1", 0), type("Door", (_Door,), {"over": over, "bomb": packed}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        thread.join(5)
