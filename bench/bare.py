"""What the HTTP server alone costs: the same requests, the same answers, nothing understood and nothing kept.

``python -m bench.bare FOLDER`` prints its address as the service does. It stands beside ``bench.turns`` in one run.
"""

from __future__ import annotations

import json
import socket
from typing import Any

import uvicorn

ANSWERS = {
    "register": "What is your name?",
    "Ada": "Hello Ada, how old are you?",
    "36": "Which colour do you like?",
    "navy": "Thank you, Ada: 36 and Blue.",
}


async def app(scope: Any, receive: Any, send: Any) -> None:
    body = json.loads((await receive())["body"])
    answer = json.dumps([{"id": "1", "text": ANSWERS[body["message"]["text"]]}]).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(answer)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": answer})


def main() -> None:
    door = socket.create_server(("127.0.0.1", 0))
    print(f"API description: http://127.0.0.1:{door.getsockname()[1]}/", flush=True)
    config = uvicorn.Config(app, lifespan="off", log_config=None, access_log=False, loop="uvloop", http="httptools")
    uvicorn.Server(config).run(sockets=[door])


if __name__ == "__main__":
    main()
