"""The npm ``botframework-webchat`` in a page of another origin, which gets its token from a server of its own.

Its package is installed by ``python hatch_build.py packages tests/webchat``, which ``make test`` runs, or by the first test
that needs it. The lock file names the package alone: its bundle holds the 250 others that it was made from.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.live import ROOT, call

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parent
BUNDLE = FOLDER / "node_modules" / "botframework-webchat" / "dist" / "webchat.js"
SECRET = "secret-of-the-web-chat-test"

PAGE = """<!doctype html>
<html lang="en">
<title>Web Chat</title>
<style>html, body { margin: 0; height: 100% } #chat { height: 100% }</style>
<div id="chat"></div>
<script>
  window.sockets = [];
  window.WebSocket = class extends WebSocket {
    constructor(...given) { super(...given); window.sockets.push(this); }
  };
</script>
<script src="/webchat.js"></script>
<script type="module">
  const domain = new URLSearchParams(location.search).get("domain");
  let kept = JSON.parse(sessionStorage.getItem("kept") ?? "null");
  const isNew = !kept;
  if (isNew) {
    kept = await (await fetch("/chat-token", { method: "POST" })).json();
    sessionStorage.setItem("kept", JSON.stringify(kept));
  }
  const { token, conversationId } = kept;
  const directLine = window.WebChat.createDirectLine({ domain, token, ...(isNew ? {} : { conversationId }) });
  window.WebChat.renderWebChat({ directLine, locale: "en-US" }, document.getElementById("chat"));
</script>
</html>
"""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        if self.path == "/webchat.js":
            self._answer("text/javascript", BUNDLE.read_bytes())
        else:
            self._answer("text/html", PAGE.encode())

    def do_POST(self) -> None:
        self._answer("application/json", json.dumps(self.server.token()).encode())

    def _answer(self, content_type: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", f"{content_type}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    domain = ""

    def token(self) -> Any:
        """Ask the service for a token, as the docs tell a page's server to."""
        body = {"user": {"id": "ada", "name": "Ada Lovelace"}}
        answer = call("POST", f"{self.domain}/tokens/generate", body, {"Authorization": f"Bearer {SECRET}"})
        assert answer.status == 200, answer.body
        return answer.json


@contextlib.contextmanager
def web_chat_pages() -> Iterator[_Server]:
    """The page's server, to be told the ``domain`` of the bot's channel."""
    subprocess.run([sys.executable, str(ROOT / "hatch_build.py"), "packages", str(FOLDER)], check=True)
    with _Server(("127.0.0.1", 0), _Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
