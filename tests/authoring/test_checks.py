"""The lint of a draft: once for each set of texts, some at a time."""

from __future__ import annotations

import asyncio
import json
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from dialoom.authoring.drafts.drafts import MAX_CHECKS, Checks
from dialoom.flow.variables import Variables

if TYPE_CHECKING:
    from collections.abc import Mapping

STEPS = [{"type": "message", "messages": ["Hello"]}]


def texts(name: str) -> dict[str, str]:
    flow = {"conversations": {"help": {"type": "support", "steps": STEPS}}}
    return {"bot.json": json.dumps({"id": "tea", "name": name}), "flow.json": json.dumps(flow)}


class Lint:
    """Counts how often texts are read, and how many are at once; holds all until it is let go."""

    def __init__(self) -> None:
        self.read: list[str] = []
        self.go_on = threading.Event()
        self.begun = threading.Semaphore(0)

    def __call__(self, files: Mapping[str, str], **_: Any) -> list[Any]:
        self.read.append(json.loads(files["bot.json"])["name"])
        self.begun.release()
        assert self.go_on.wait(30)
        return []


def checks(lint: Lint) -> Checks:
    return Checks(SimpleNamespace(variables=Variables()), lint)  # type: ignore[arg-type]  # nothing else of bots is read


async def test_the_same_texts_are_checked_once() -> None:
    lint = Lint()
    lint.go_on.set()
    checking = checks(lint)
    for name in ("Tea", "Tea", "Coffee", "Tea"):
        assert await checking.findings(texts(name)) == []
    assert lint.read == ["Tea", "Coffee"]


async def test_who_stops_waiting_for_a_check_leaves_nothing_to_do() -> None:
    lint = Lint()
    checking = checks(lint)
    asked = [asyncio.create_task(checking.findings(texts(f"Tea {number}"))) for number in range(MAX_CHECKS + 3)]
    for _ in range(MAX_CHECKS):
        assert await asyncio.to_thread(lint.begun.acquire, timeout=30)
    for one in asked[MAX_CHECKS:-1]:
        one.cancel()
    await asyncio.wait(asked[MAX_CHECKS:-1])
    assert len(lint.read) == MAX_CHECKS
    lint.go_on.set()
    await asyncio.gather(*asked, return_exceptions=True)
    assert sorted(lint.read) == [f"Tea {number}" for number in (*range(MAX_CHECKS), MAX_CHECKS + 2)]
