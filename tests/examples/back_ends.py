"""The back ends of the examples as a client meets them. Each is one file that stands alone, so it is loaded by its place."""

from __future__ import annotations

import importlib.util
import json
import threading
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

EXAMPLES = Path(__file__).parents[2] / "examples"


def load(example: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"{example}_backend", EXAMPLES / example / "backend.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Desk:
    """Asks a back end over HTTP: the status, and the JSON of the answer."""

    def __init__(self, url: str) -> None:
        self.url = url

    def ask(self, method: str, path: str, body: Any = None, key: str | None = None) -> tuple[int, Any]:
        headers = {"Content-Type": "application/json"} | ({"Idempotency-Key": key} if key else {})
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                text = answer.read()
                return answer.status, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())


@contextmanager
def serving(server: Any) -> Iterator[Desk]:
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01))
    thread.start()
    yield Desk(server.url)
    server.shutdown()
    thread.join()
    server.server_close()
