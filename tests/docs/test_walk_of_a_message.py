"""The walk of an inbound message that docs/why/speed.md lists is the one that a message takes."""

from __future__ import annotations

import re
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dialoom
from tests.http.raw import listening
from tests.http.support import serving

if TYPE_CHECKING:
    from types import FrameType

PACKAGE = Path(dialoom.__file__).parent
SPEED = Path(__file__).parents[2] / "docs" / "why" / "speed.md"
ENDS = {("engine/turn.py", "turn"), ("storage/sqlite/writer.py", "submit"), ("storage/sqlite/writes.py", "write_turns")}
"""Functions at which a message is handed to nobody else: the engine's, the event loop's last and the thread's last."""
BODY = b'{"sender": {"id": "user-%d"}, "message": {"id": "m-1", "text": "tea"}}'
MESSAGES = 5
HEAD = (
    b"POST /v1/bots/tea/channels/rest/rest/test HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer rest-token-of-tea\r\n"
    b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n"
)


class _Walk:
    """Notes the files of the package through which the functions in ``ENDS`` are called."""

    def __init__(self) -> None:
        self.files: dict[str, None] = {}
        self.ends: set[tuple[str, str]] = set()

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or not frame.f_code.co_filename.startswith(str(PACKAGE)):
            return
        name = self._name(frame)
        if (name, frame.f_code.co_name) == ("http/server/protocol.py", "data_received"):
            self.files[name] = None
        elif (name, frame.f_code.co_name) in ENDS:
            self.ends.add((name, frame.f_code.co_name))
            stack: list[str] = []
            above: FrameType | None = frame
            while above is not None:
                if above.f_code.co_filename.startswith(str(PACKAGE)):
                    stack.append(self._name(above))
                above = above.f_back
            self.files |= dict.fromkeys(reversed(stack))

    @staticmethod
    def _name(frame: FrameType) -> str:
        return Path(frame.f_code.co_filename).relative_to(PACKAGE).as_posix()


async def test_a_message_walks_through_the_files_that_the_docs_list(tmp_path: Path) -> None:
    walk = _Walk()
    walks = []
    threading.setprofile(walk)  # for the store's thread, which begins with the service
    try:
        async with serving(tmp_path) as client, listening(client.app) as door:
            browser = await door.open()
            for number in range(MESSAGES):
                walk.files, walk.ends = {}, set()
                body = BODY % number
                sys.setprofile(walk)
                await browser.send(HEAD % len(body) + body)
                answer = await browser.reader.readuntil(b"Which tea?")
                sys.setprofile(None)
                assert answer.lstrip().startswith(b"HTTP/1.1 200") or number
                assert walk.ends == ENDS
                walks.append(walk.files)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]  # its stub does not know that None ends it
    section = SPEED.read_text("utf-8").partition("### The walk of an inbound message")[2].partition("\n## ")[0]
    # What only some messages run through is other work of the service, which may also come first in a file.
    common = [[file for file in files if all(file in others for others in walks)] for files in walks]
    assert re.findall(r"^\d+\. `([^`]+)`", section, re.MULTILINE) in common
