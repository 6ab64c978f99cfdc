"""Pages with one chat each, for ``bench.page_load``: ours, and the rivals as their packages on npm bring them.

Everything of a rival's comes from one server on this machine that compresses by gzip, as our service does. The answers
of Typebot and deep-chat are made up there; Web Chat talks to our service by Direct Line.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import json
import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = {
    "botframework-webchat": "4.18.1",
    "deep-chat": "2.4.2",
    "@typebot.io/js": "0.10.7",
    "@botpress/webchat": "4.5.2",
}
BUNDLES = {
    "botframework-webchat": "dist/webchat.js",
    "deep-chat": "dist/deepChat.bundle.js",
    "@typebot.io/js": "dist/web.js",
}
"""The file that each one's documentation has a page load."""
REACT = ("react@19.2.0", "react-dom@19.2.0")
GREETING, REPLY = "Welcome to the shop!", "Please say tea."
SECRET, TOKEN = "secret-of-the-bench-line", "bench-token-of-the-shop-0123456789"

BOTPRESS = """
import { createElement as h, useState } from "react";
import { createRoot } from "react-dom/client";
import { Fab, Webchat } from "@botpress/webchat";
function App() {
  const [isOpen, setOpen] = useState(false);
  const display = isOpen ? "flex" : "none";
  const style = { position: "fixed", bottom: 90, right: 20, width: 400, height: 600, display };
  const button = { position: "fixed", bottom: 20, right: 20, width: 64, height: 64 };
  return [
    h(Webchat, { key: 1, clientId: "00000000-0000-0000-0000-000000000000", style }),
    h(Fab, { key: 2, onClick: () => setOpen(!isOpen), style: button }),
  ];
}
createRoot(document.getElementById("root")).render(h(App));
"""
"""As its readme puts the two into a page."""


class Chat(NamedTuple):
    """Where its parts are in the page: selectors, each one in the shadow root of the element before."""

    name: str
    page: str
    """HTML after the page's own heading, or an address."""
    field: tuple[str, ...]
    talk: tuple[str, ...]
    launcher: tuple[str, ...] = ()
    send: tuple[str, ...] = ()
    """Where Enter begins a new line on phones."""
    needs_cloud: bool = False


def chats(service: str) -> list[Chat]:
    """Ours first; ``service``: its address."""
    line = f"{service}/v1/bots/shop/channels/line/directline/v3/directline"
    ours = (
        f'<script src="{service}/static/widget.js" data-bot="shop" data-channel="web" data-token="{TOKEN}" '
        'data-name="Shop" defer></script>'
    )
    web_chat = f"""<div id="chat" style="height: 500px"></div><script src="/botframework-webchat"></script>
        <script type="module">
        const answer = await fetch("/direct-line-token", {{ method: "POST" }});
        const directLine = WebChat.createDirectLine({{ domain: "{line}", token: (await answer.json()).token }});
        WebChat.renderWebChat({{ directLine, locale: "en-US" }}, document.getElementById("chat"));
        </script>"""
    deep_chat = """<script type="module" src="/deep-chat"></script>
        <deep-chat connect='{"url": "/deep-chat-reply"}' style="width: 90vw; height: 400px"></deep-chat>"""
    typebot = """<script type="module">
        import Typebot from "/@typebot.io/js";
        Typebot.initBubble({ typebot: "shop", apiHost: location.origin });
        </script>"""
    botpress = """<link rel="stylesheet" href="/botpress.css"><div id="root"></div>
        <script type="module" src="/botpress.js"></script>"""
    chat = ("dialoom-chat", "dialoom-field", "textarea")
    return [
        Chat(
            "dialoom, widget",
            ours,
            ("div.dialoom", *chat),
            ("div.dialoom", "dialoom-chat"),
            ("div.dialoom", ".launcher"),
        ),
        Chat("dialoom, hosted page", f"{service}/chat/shop/web", chat, ("dialoom-chat",)),
        Chat("Web Chat", web_chat, ("[data-id=webchat-sendbox-input]",), ("#chat",)),
        Chat("deep-chat", deep_chat, ("deep-chat", "#text-input"), ("deep-chat",), send=("deep-chat", ".input-button")),
        Chat(
            "Typebot",
            typebot,
            ("typebot-bubble", "input.text-input"),
            ("typebot-bubble",),
            ("typebot-bubble", "button"),
        ),
        Chat("Botpress", botpress, (), (), (".bpFab, .bpFabContainer",), needs_cloud=True),
    ]


def write_bot(folder: Path, origin: str) -> Path:
    """The shop's bot: it greets, asks with a dialog when told "tea", and says one sentence to anything else."""
    channels = [
        {"id": "web", "type": "web", "token": TOKEN, "allowed-origins": [origin]},
        {"id": "line", "type": "directline", "secret": SECRET, "allowed-origins": [origin]},
    ]
    sizes = [{"title": "Small", "value": "small"}, {"title": "Large", "value": "large"}]
    display = {"type": "single-select", "title": "Choose a size", "button-text": "Take it", "data": sizes}
    question = {"type": "question", "entity": "size", "entity-type": "Text", "messages": ["Which?"], "display": display}
    said = {name: {"type": "message", "messages": [text]} for name, text in (("welcome", GREETING), ("help", REPLY))}
    flow = {name: {"type": "support", "steps": [step]} for name, step in said.items()}
    flow["tea"] = {"type": "goal", "steps": [question]}
    named = [{"value": name, "expressions": [name]} for name in ("tea", "help")]
    trait = {"name": "Conversation", "lookup-strategy": "trait", "data": named}
    folder.mkdir()
    files: dict[str, Any] = {
        "bot.json": {"id": "shop", "name": "Shop", "access-token": "bench-history-token-of-shop", "channels": channels},
        "flow.json": {"conversations": flow},
        "training.json": {"entity-definitions": [trait]},
    }
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content), "utf-8")
    return folder


def install(folder: Path) -> dict[str, bytes]:
    """Return what the rivals' pages load, by path, fetched from the npm registry into ``folder``."""
    files: dict[str, bytes] = {}
    for package, bundle in BUNDLES.items():
        packed = _npm(folder, "pack", "--silent", f"{package}@{VERSIONS[package]}").strip().splitlines()[-1]
        with tarfile.open(folder / packed) as archive:
            found = archive.extractfile(f"package/{bundle}")
            assert found is not None
            files[f"/{package}"] = found.read()
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    botpress = f"@botpress/webchat@{VERSIONS['@botpress/webchat']}"
    _npm(folder, "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", botpress, *REACT)
    (folder / "main.js").write_text(BOTPRESS)
    (folder / "index.html").write_text('<div id="root"></div><script type="module" src="/main.js"></script>')
    subprocess.run([sys.executable, str(ROOT / "hatch_build.py"), "packages", str(ROOT / "frontend")], check=True)
    vite = ROOT / "frontend" / "node_modules" / "vite" / "bin" / "vite.js"
    subprocess.run(["node", str(vite), "build", str(folder), "--logLevel", "error"], check=True, cwd=folder)
    for file in (folder / "dist" / "assets").iterdir():
        files[f"/botpress{file.suffix}"] = file.read_bytes()
    return files


def _npm(folder: Path, *words: str) -> str:
    return subprocess.run(["npm", *words], check=True, cwd=folder, stdout=subprocess.PIPE, text=True).stdout


def _bubble(text: str) -> dict[str, Any]:
    rich = [{"type": "p", "children": [{"text": text}]}]
    return {"id": text, "type": "text", "content": {"type": "richText", "richText": rich}}


ASKED = {"id": "field", "type": "text input"}
TYPEBOT = {"id": "shop", "version": "6.1", "theme": {}, "settings": {"typingEmulation": {"enabled": False}}}
ANSWERS: dict[str, Any] = {
    "/deep-chat-reply": {"text": REPLY},
    "/api/v1/typebots/shop/startChat": {
        "sessionId": "one", "resultId": "one", "typebot": TYPEBOT, "messages": [_bubble(GREETING)], "input": ASKED,
    },
    "/api/v1/sessions/one/continueChat": {"messages": [_bubble(REPLY)], "input": ASKED},
}  # fmt: skip
"""To what is posted there."""


class PageServer(ThreadingHTTPServer):
    """Serves ``/page/<number of a chat>``, the rivals' files, and answers in place of their clouds."""

    daemon_threads = True

    def __init__(self, files: dict[str, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.packed = {path: gzip.compress(body) for path, body in files.items()}
        self.origin = f"http://127.0.0.1:{self.server_port}"
        self.chats: list[Chat] = []
        self.service = ""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that leaves a page breaks off what it was fetching; what else goes wrong, the measuring misses."""

    def address(self, chat: Chat) -> str:
        if chat.page.startswith("http"):
            return chat.page
        return f"{self.origin}/page/{self.chats.index(chat)}"

    def answer(self, path: str) -> Any:
        from tests.live import call

        if path != "/direct-line-token":
            return ANSWERS[path]
        line = f"{self.service}/v1/bots/shop/channels/line/directline/v3/directline"
        body = {"user": {"id": "ada", "name": "Ada Lovelace"}}
        return call("POST", f"{line}/tokens/generate", body, {"Authorization": f"Bearer {SECRET}"}).json


@contextlib.contextmanager
def serving(files: dict[str, bytes]) -> Iterator[PageServer]:
    with PageServer(files) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path.startswith("/page/"):
            page = self.server.chats[int(path.removeprefix("/page/"))].page
            self._send("text/html", gzip.compress(_page(page).encode()))
        elif packed := self.server.packed.get(path):
            self._send("text/css" if path.endswith(".css") else "text/javascript", packed)
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self._send("application/json", gzip.compress(json.dumps(self.server.answer(self.path)).encode()))

    def _send(self, content_type: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", f"{content_type}; charset=utf-8")
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@functools.cache
def _page(chat: str) -> str:
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, '
        'initial-scale=1"><title>Shop</title><link rel="icon" href="data:,"><h1>Shop</h1><p>Tea from all over the '
        f"world.</p>{chat}</html>"
    )
