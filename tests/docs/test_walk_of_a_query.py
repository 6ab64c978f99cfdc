"""The walk of a query in ``docs/why/design.md`` names the files that a real request runs through, in their order."""

from __future__ import annotations

import re
import sys
import threading
from pathlib import Path
from typing import Any

import dialoom
from tests.http.support import serving

SOURCE = f"{Path(dialoom.__file__).parent}/"
PAGE = (Path(__file__).parents[2] / "docs" / "why" / "design.md").read_text("utf-8")
ROOMS = ("http/history", "query", "storage")
REQUESTS = 5


class Trace:
    """Notes the files in which functions are called while ``is_on``, in the order of the first call."""

    def __init__(self) -> None:
        self.is_on = False
        self.files: list[str] = []

    def __call__(self, frame: Any, event: str, _argument: Any) -> None:
        if self.is_on and event == "call" and frame.f_code.co_filename.startswith(SOURCE):
            name = frame.f_code.co_filename.removeprefix(SOURCE)
            if name.startswith(ROOMS) and name not in self.files:
                self.files.append(name)


async def test_the_walk_of_a_query_names_the_files_of_a_request(tmp_path: Path) -> None:
    trace = Trace()
    threading.setprofile(trace)
    try:
        async with serving(tmp_path) as client:
            for sender in ("ada", "bob"):
                await client.say("tea", sender=sender)
            # The jobs that are due at the start read and write beside the requests for as long as they take.
            await client.service.scheduled_jobs.look()
            await client.service.scheduled_jobs.settled()
            walks = []
            for _ in range(REQUESTS):
                trace.files = []
                trace.is_on = True
                sys.setprofile(trace)
                answer = await client.history(
                    "conversations", query={"Goal": "tea"}, sort={"StartedAt": -1}, limit=1, fields="User"
                )
                sys.setprofile(None)
                trace.is_on = False
                walks.append(trace.files)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    assert [record.keys() for record in answer.json] == [{"_id", "User"}]
    walk = PAGE.split("## The walk of a query\n")[1].split("\n## ")[0]
    # What only some requests run through is work of the chats, done beside them; it may also come first in a file.
    common = [[file for file in files if all(file in others for others in walks)] for files in walks]
    assert re.findall(r"^\| `([\w/]+\.py)` \| .+ \|$", walk, re.MULTILINE) in common
