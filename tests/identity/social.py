"""A social network of the documented shape: login dialog, code exchange, inspection of tokens, calls with a proof.

It is strict where the documents are: a code serves once, for the address it was made for; a wrong ``appsecret_proof`` is
refused. ``wrong`` makes it lie in one way (``WRONGS``).
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import html
import json
import secrets
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

APP_ID = "410041"
APP_SECRET = "f00d-of-the-social-app"
OWN_TOKEN = f"{APP_ID}|{APP_SECRET}"
"""With which the app itself calls."""
USER_ID = "7741000"
DIALOG = "/dialog/oauth"
EXCHANGE = "/oauth/access_token"
INSPECTION = "/debug_token"
PERSON = "/me"

WRONGS = {
    "other-app": "the inspection names another app",
    "not-valid": "the inspection says that the token is not valid",
    "expired": "the inspection says that the token has expired",
    "no-data": "the inspection has no data",
    "error": "the inspection is an error in an object",
    "no-user": "the inspection names no user",
    "no-person": "the token belongs to a page, not to a person",
    "no-token": "the exchange gives no token",
    "token-number": "the token is a number",
    "not-json": "the exchange is no JSON",
    "form": "the exchange is a form, as it was many years ago",
    "list": "the exchange is a list",
    "status": "the exchange answers 500 with a token in it",
    "redirect": "the exchange redirects",
    "mac-token": "the token is of a type other than bearer",
}


class Network:
    """What it knows. ``lives``: seconds that a token lives, as the exchange says; 0 for one without an end."""

    def __init__(self, lives: int = 5184000) -> None:
        self.lives = lives
        self.wrong: str | None = None
        self.counts: Counter[str] = Counter()
        self.codes: dict[str, str] = {}
        self.tokens: dict[str, int] = {}
        self.given: list[str] = []
        """Codes and tokens, none of which may be seen anywhere else."""

    def code(self, redirect: str) -> str:
        code = f"AQ{secrets.token_urlsafe(40)}"
        self.codes[code] = redirect
        self.given.append(code)
        return code

    def exchange(self, asked: dict[str, str]) -> tuple[int, Any]:
        if self.wrong == "not-json":
            return 200, b"<p>Welcome</p>"
        if asked.get("client_id") != APP_ID or asked.get("client_secret") != APP_SECRET:
            return 400, _error("Error validating client secret.", 1)
        if self.codes.pop(asked.get("code", ""), None) != asked.get("redirect_uri"):
            return 400, _error("This authorization code has been used, or its redirect_uri is another.", 100)
        token = f"EAA{secrets.token_urlsafe(60)}"
        self.given.append(token)
        # Inspected at once, it is still good by what the inspection says, however slow this machine is.
        self.tokens[token] = int(time.time()) + max(self.lives, 600) if self.lives else 0
        answer: dict[str, Any] = {"access_token": token, "token_type": "bearer"}
        if self.lives:
            answer["expires_in"] = self.lives
        match self.wrong:
            case "no-token":
                del answer["access_token"]
            case "token-number":
                answer["access_token"] = 17
            case "mac-token":
                answer["token_type"] = "mac"
            case "form":
                return 200, urlencode(answer).encode()
            case "list":
                return 200, [answer]
            case "status":
                return 500, answer
            case "redirect":
                return 302, b""
        return 200, answer

    def inspect(self, asked: dict[str, str]) -> tuple[int, Any]:
        token = asked.get("input_token", "")
        if asked.get("access_token") != OWN_TOKEN or asked.get("appsecret_proof") != proof(OWN_TOKEN):
            return 400, _error("Invalid OAuth access token signature.", 190)
        if token not in self.tokens:
            return 200, {"data": {"error": {"code": 190, "message": "Malformed access token"}, "is_valid": False}}
        now = int(time.time())
        data: dict[str, Any] = {
            "app_id": APP_ID,
            "type": "USER",
            "application": "Northbank",
            "expires_at": self.tokens[token],
            "data_access_expires_at": now + 7776000,
            "is_valid": True,
            "issued_at": now,
            "scopes": ["public_profile"],
            "user_id": USER_ID,
        }
        match self.wrong:
            case "other-app":
                data["app_id"] = "666"
            case "not-valid":
                data["is_valid"] = False
            case "expired":
                data["expires_at"] = now - 3600
            case "no-user":
                del data["user_id"]
            case "no-person":
                data["type"] = "PAGE"
            case "no-data":
                return 200, {}
            case "error":
                data = {"error": {"code": 190, "message": "Session has expired"}, "is_valid": False, "scopes": []}
        return 200, {"data": data}

    def person(self, asked: dict[str, str], authorization: str) -> tuple[int, Any]:
        token = asked.get("access_token") or authorization.removeprefix("Bearer ")
        if token not in self.tokens:
            return 401, _error("Invalid OAuth access token.", 190)
        if not hmac.compare_digest(asked.get("appsecret_proof", proof(token)), proof(token)):
            return 400, _error("Invalid appsecret_proof provided in the API argument", 100)
        return 200, {"id": USER_ID, "name": "Ada Lovelace"}


def proof(token: str) -> str:
    """``appsecret_proof`` of a token."""
    return hmac.new(APP_SECRET.encode(), token.encode(), hashlib.sha256).hexdigest()


def _error(message: str, code: int) -> dict[str, Any]:
    return {"error": {"message": message, "type": "OAuthException", "code": code, "fbtrace_id": "A1"}}


class _Door(BaseHTTPRequestHandler):
    network: Network

    def do_GET(self) -> None:
        self._reply(urlsplit(self.path).query)

    def do_POST(self) -> None:
        self._reply(self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode())

    def _reply(self, query: str) -> None:
        path, asked = urlsplit(self.path).path, dict(parse_qsl(query))
        self.network.counts[path] += 1
        match path:
            case "/dialog/oauth" if self.command == "GET":
                self._page(asked)
            case "/dialog/continue":
                self._back(asked, code=self.network.code(asked["redirect_uri"]))
            case "/dialog/cancel":
                self._back(asked, error="access_denied", error_reason="user_denied", error_description="Cancelled.")
            case "/oauth/access_token":
                self._send(*self.network.exchange(asked))
            case "/debug_token":
                self._send(*self.network.inspect(asked))
            case "/me":
                self._send(*self.network.person(asked, self.headers.get("Authorization", "")))
            case _:
                self._send(404, _error("Unknown path components", 2500))

    def _page(self, asked: dict[str, str]) -> None:
        if asked.get("client_id") != APP_ID or asked.get("response_type") != "code" or not asked.get("state"):
            self._send(400, b"<h1>This app is not set up right</h1>", "text/html")
            return
        kept = "".join(
            f'<input type="hidden" name="{name}" value="{html.escape(asked[name])}">'
            for name in ("redirect_uri", "state")
        )
        forms = "".join(
            f'<form action="/dialog/{way}">{kept}<button>{way.title()}</button></form>'
            for way in ("continue", "cancel")
        )
        body = (
            f'<!doctype html><html lang="en"><title>Social</title><main><h1>Continue as Ada?</h1>{forms}</main></html>'
        )
        self._send(200, body.encode(), "text/html; charset=utf-8")

    def _back(self, asked: dict[str, str], **named: str) -> None:
        self.send_response(302)
        # What follows the # is the network's own habit.
        self.send_header("Location", f"{asked['redirect_uri']}?{urlencode(named | {'state': asked['state']})}#_=_")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send(self, status: int, content: Any, type: str = "application/json; charset=UTF-8") -> None:
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        if status == 302:
            self.send_header("Location", EXCHANGE)
        self.send_header("Content-Type", type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


class Social:
    """It on a free port of this machine."""

    def __init__(self, server: ThreadingHTTPServer, network: Network) -> None:
        self.network = network
        self.url = f"http://127.0.0.1:{server.server_port}"
        self.dialog_url = self.url + DIALOG
        self.graph_url = self.url


@contextlib.contextmanager
def social(lives: int = 5184000) -> Iterator[Social]:
    network = Network(lives)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Door", (_Door,), {"network": network}))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield Social(server, network)
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
