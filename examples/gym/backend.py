"""The gym's desk: the classes of a member, for who brings a member's token, and the members' identity provider.

    python backend.py [--port 8092] [--data FOLDER]

Both are on one port of this machine, and know nothing any more when they stop.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from identity import Identity, Reply

CLASSES = {
    "Ada Lovelace": [
        {"name": "Yoga", "day": "Tuesday", "time": "18:00"},
        {"name": "Rowing", "day": "Thursday", "time": "07:30"},
    ],
    "Grace Hopper": [{"name": "Boxing", "day": "Friday", "time": "19:00"}],
}
MEMBERS = "/members"
BODY_LIMIT = 64 * 1024


class Desk(BaseHTTPRequestHandler):
    timeout = 10  # a caller who connects and says nothing
    identity: Identity

    def answer(self) -> Reply:
        address = urlsplit(self.path)
        authorization = self.headers.get("Authorization", "")
        if address.path.startswith(f"{MEMBERS}/"):
            length = self.headers.get("Content-Length", "0")
            if not length.isdigit() or int(length) > BODY_LIMIT:
                return Reply(413, {"error": "too large"})
            form = dict(parse_qsl(self.rfile.read(int(length)).decode("utf-8", "replace")))
            path = address.path.removeprefix(MEMBERS)
            return self.identity.reply(self.command, path, dict(parse_qsl(address.query)), form, authorization)
        if (self.command, address.path) != ("GET", "/classes"):
            return Reply(404, {"error": f"There is nothing at {address.path}."})
        name = self.identity.name_of(authorization)
        if name is None:
            return Reply(401, {"error": "Nobody is signed in with this token."})
        return Reply(200, {"name": name, "classes": CLASSES[name]})

    def reply(self) -> None:
        reply = self.answer()
        body = reply.page.encode() if reply.page else json.dumps(reply.json).encode()
        self.send_response(reply.status)
        self.send_header("Content-Type", "text/html; charset=utf-8" if reply.page else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        if reply.location:
            self.send_header("Location", reply.location)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = reply  # noqa: N815 - as http.server wants them

    def log_message(self, format: str, *args: object) -> None:
        """Addresses hold codes and states: nothing is printed."""


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", port), Desk)
        identity = Identity(self.url + MEMBERS, os.environ.get("BOT_GYM_SECRET", "gym-demo"))
        self.RequestHandlerClass = type("DeskOfGym", (Desk,), {"identity": identity})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="The gym's desk and its identity provider, for the example bot.")
    parser.add_argument("--port", type=int, default=8092, help="port on 127.0.0.1; 0 takes a free one (default: 8092)")
    parser.add_argument("--data", type=Path, help="not used: nothing is kept")
    options = parser.parse_args(arguments)
    try:
        server = Server(options.port)
    except OSError as error:
        print(f"Port {options.port} cannot be used ({error.strerror}). Choose another with --port.", file=sys.stderr)
        return 1

    def stop(*_: object) -> None:
        # In a thread of its own: shutdown() waits for the loop that this handler interrupts.
        threading.Thread(target=server.shutdown).start()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    print(f"The gym's desk is at {server.url}. Members: ada and grace, password demo.", flush=True)
    with server:
        server.serve_forever(poll_interval=0.1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
