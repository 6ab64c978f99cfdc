"""What event streams cost the HTTP server alone: ``python -m bench.bare_streams`` serves the paths of the web channel.
A message to it is answered by an event in the stream of the same token; nothing is understood or kept.

It stands beside the service in one run of ``bench.streams``.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import socket
from typing import Any

import uvicorn

from bench.turns import TALK

EVENT = b'id: 1\nevent: message\ndata: {"id":"1","from":"bot","text":%b}\n\n' % json.dumps(TALK[0][1]).encode()

streams: dict[bytes, asyncio.Queue[bytes]] = {}
tokens = itertools.count()


async def app(scope: Any, receive: Any, send: Any) -> None:
    bearer = dict(scope["headers"])[b"authorization"]
    if scope["path"].endswith("/events"):
        await _stream(bearer, send)
        return
    await receive()
    if scope["path"].endswith("/sessions"):
        answer = {"token": f"token-{next(tokens)}", "cursor": "0"}
    else:
        answer = {"id": "1"}
        streams[bearer].put_nowait(EVENT)
    body = json.dumps(answer).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _stream(bearer: bytes, send: Any) -> None:
    queue = streams[bearer] = asyncio.Queue()
    headers = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"retry: 1000\n\n", "more_body": True})
    while True:
        try:
            async with asyncio.timeout(15):
                event = await queue.get()
        except TimeoutError:
            event = b": still here\n\n"
        await send({"type": "http.response.body", "body": event, "more_body": True})


def main() -> None:
    door = socket.create_server(("127.0.0.1", 0), backlog=1024)
    print(f"API description: http://127.0.0.1:{door.getsockname()[1]}/", flush=True)
    config = uvicorn.Config(
        app,
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        loop="uvloop",
        http="httptools",
        timeout_graceful_shutdown=1,
    )
    uvicorn.Server(config).run(sockets=[door])


if __name__ == "__main__":
    main()
