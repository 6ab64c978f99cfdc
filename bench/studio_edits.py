"""How long the studio's Build holds a browser while one edits a bot of 200 conversations and 1,000 steps:
``python -m bench.studio_edits [RUNS]``, 3 runs by default, five minutes. It needs Chromium.

Each act is done several times in a real Chromium against the real service; a row shows its longest task on the page's
main thread (what a person feels as a pause), by the clock and by the thread's own CPU, which other work on the machine
does not lengthen. ``--profile ACT`` prints where the CPU of an act goes.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from tests.browser import find
from tests.live import Service

from bench.large_bot import write_bot
from bench.machine import heading, table

RUNS = 3
ACTS_EACH = 6
"""Times that an act is done in a run."""
PAUSE_MS = 50
BETWEEN_MS = 120
"""Milliseconds between two acts: of a fast hand."""
SETTLE_MS = 1500
"""For which the page is watched after the last act: the check's answer and the try-out come meanwhile."""
FINDINGS = 1000
BOT = "large"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
CATEGORIES = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"]
LINK = "#sign-in="

Act = Callable[["Room", int], None]


class Room:
    """Build, open in a browser of its own."""

    def __init__(self, browser: Browser, service: Service, session: Any) -> None:
        self.browser = browser
        self.context = browser.new_context(
            viewport={"width": 1440, "height": 900}, locale="en-GB", storage_state=session
        )
        self.page: Page = self.context.new_page()
        self.page.goto(f"{service.url}/studio/{BOT}/build")
        self.page.locator("build-outline [role=treeitem]").first.wait_for()
        self.page.wait_for_timeout(SETTLE_MS)

    def button(self, name: str) -> Any:
        return self.page.get_by_role("button", name=name, exact=True)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def tree(self) -> None:
        self.page.get_by_role("tree", name="Outline").focus()

    def open_step(self) -> None:
        self.tree()
        self.press("Home", "ArrowDown", "ArrowDown", "Enter")
        self.page.get_by_role("textbox", name="Wording 1").wait_for()

    def open_files(self) -> None:
        self.button("Files").click()
        editor = self.page.get_by_role("textbox", name="JSON of flow.json")
        editor.wait_for()
        editor.click(position={"x": 300, "y": 210})
        self.press("End", "ArrowLeft", "ArrowLeft")

    def try_out(self) -> None:
        self.button("Try out").click()
        self.page.locator(".bubble").first.wait_for(timeout=120_000)
        field = self.page.locator("dialoom-field").get_by_role("textbox")
        field.fill("book a table in town")
        field.press("Enter")
        self.page.locator(".bubble").nth(2).wait_for(timeout=60_000)


def _type(room: Room, number: int) -> None:
    room.page.keyboard.type("abcdefgh"[number % 8])


def _drag(room: Room, number: int) -> None:
    rows = room.page.locator("build-outline [role=treeitem]")
    rows.nth(3 + number).drag_to(rows.nth(9 + number))


def _add(room: Room, _: int) -> None:
    room.tree()
    room.press("a")
    room.page.get_by_role("menu").wait_for()
    room.press("ArrowDown", "Enter")


def _add_conversation(room: Room, number: int) -> None:
    room.button("New conversation").click()
    room.page.get_by_label("Name").fill(f"Opening hours {number}")
    room.button("Create").click()


def _view(room: Room, number: int) -> None:
    room.button("Map").click()
    room.page.locator("build-map svg.map").wait_for()
    room.page.wait_for_timeout(300)
    room.button("Outline").click()


def _palette(room: Room, number: int) -> None:
    room.press("Control+k")
    room.page.keyboard.type(["book", "refund", "table"][number % 3], delay=30)
    room.page.wait_for_timeout(100)
    room.press("Escape")


def _findings(room: Room, number: int) -> None:
    if not number:
        room.page.route("**/draft/check", _many)
    room.press("x")


def _many(route: Any) -> None:
    found = [
        {
            "file": "flow.json",
            "path": f"conversations/{key}/steps/{index}/messages/0",
            "rule": "unknown-tag",
            "message": f"Nothing fills this name ({index}).",
            "level": "error" if index % 2 else "warning",
            "line": 1,
            "column": 1,
            "isFixable": index == 0,
        }
        for key in KEYS
        for index in range(5)
    ]
    route.fulfill(status=200, content_type="application/json", body=json.dumps({"findings": found[:FINDINGS]}))


KEYS: list[str] = []
"""Of the bot's conversations, set by ``main``."""


def _nothing(room: Room) -> None:
    pass


def _prepared(*parts: Callable[[Room], None]) -> Callable[[Room], None]:
    def prepare(room: Room) -> None:
        for part in parts:
            part(room)

    return prepare


def _in_tree(*keys: str) -> Act:
    def act(room: Room, _: int) -> None:
        room.tree()
        room.press(*keys)

    return act


def _undo(room: Room, number: int) -> None:
    room.press("Control+Shift+z" if number % 2 else "Control+z")


def _list_findings(room: Room) -> None:
    room.page.get_by_role("button", name="findings").first.click()
    room.page.route("**/draft/check", _many)
    room.tree()


ACTS: dict[str, tuple[Callable[[Room], None], Act]] = {
    "type in a field of the form": (Room.open_step, _type),
    "type in the JSON of the file": (Room.open_files, _type),
    "select rows by arrows": (Room.tree, _in_tree("ArrowDown")),
    "page through rows": (Room.tree, _in_tree("PageDown")),
    "move a step by key": (Room.open_step, _in_tree("Alt+ArrowDown")),
    "drag a step": (_nothing, _drag),
    "add a step": (Room.open_step, _add),
    "remove a step": (Room.open_step, _in_tree("ArrowDown", "Delete")),
    "add a conversation": (_nothing, _add_conversation),
    "undo and redo": (_prepared(Room.open_step, lambda room: room.page.keyboard.type("a")), _undo),
    "open the map": (_nothing, _view),
    "undo with the map open": (
        _prepared(Room.open_step, lambda room: room.page.keyboard.type("a"), lambda room: room.button("Map").click()),
        _undo,
    ),
    "find in the palette": (_nothing, _palette),
    "1,000 findings come": (Room.open_step, _findings),
    "1,000 findings come, list open": (_prepared(Room.open_step, _list_findings), _in_tree("Control+d")),
    "1,000 findings come, JSON open": (Room.open_files, _findings),
    "the try-out replays itself": (_prepared(Room.try_out, Room.open_step), _type),
}


def _tasks(trace: bytes) -> list[tuple[float, float]]:
    """Return wall and CPU milliseconds of each task on the main threads of pages."""
    events = json.loads(trace)["traceEvents"]
    mains = {
        (one["pid"], one["tid"])
        for one in events
        if one["name"] == "thread_name" and one["args"].get("name") == "CrRendererMain"
    }
    return [
        (one["dur"] / 1000, one.get("tdur", 0) / 1000)
        for one in events
        if one["name"].endswith("RunTask") and (one["pid"], one["tid"]) in mains and "dur" in one
    ]


def _measure(browser: Browser, service: Service, session: Any, name: str) -> list[tuple[float, float]]:
    prepare, act = ACTS[name]
    room = Room(browser, service, session)
    prepare(room)
    room.page.wait_for_timeout(SETTLE_MS)
    browser.start_tracing(page=room.page, categories=CATEGORIES)
    for number in range(ACTS_EACH):
        act(room, number)
        room.page.wait_for_timeout(BETWEEN_MS)
    room.page.wait_for_timeout(SETTLE_MS)
    tasks = _tasks(browser.stop_tracing())
    room.context.close()
    return tasks


def _profile(browser: Browser, service: Service, session: Any, name: str) -> None:
    """Print the functions that take most of an act's CPU, by themselves."""
    prepare, act = ACTS[name]
    room = Room(browser, service, session)
    prepare(room)
    room.page.wait_for_timeout(SETTLE_MS)
    devtools = room.context.new_cdp_session(room.page)
    devtools.send("Profiler.enable")
    devtools.send("Profiler.setSamplingInterval", {"interval": 200})
    devtools.send("Profiler.start")
    for number in range(ACTS_EACH):
        act(room, number)
        room.page.wait_for_timeout(BETWEEN_MS)
    room.page.wait_for_timeout(SETTLE_MS)
    profile = devtools.send("Profiler.stop")["profile"]
    room.context.close()
    nodes = {node["id"]: node for node in profile["nodes"]}
    own = Counter[int]()
    for id, took in zip(profile["samples"], profile["timeDeltas"], strict=True):
        own[id] += took
    parents = {child: node["id"] for node in profile["nodes"] for child in node.get("children", ())}
    by_self, by_all = Counter[str](), Counter[str]()
    for id, took in own.items():
        by_self[_function(nodes[id])] += took
        at: int | None = id
        seen = set()
        while at is not None:
            seen.add(_function(nodes[at]))
            at = parents.get(at)
        for one in seen:
            by_all[one] += took
    for title, found in (("by itself", by_self), ("with what it calls", by_all)):
        print(title)
        for function, took in found.most_common(32):
            print(f"  {took / 1000 / ACTS_EACH:8.2f} ms an act  {function}")


def _function(node: Any) -> str:
    frame = node["callFrame"]
    file = frame["url"].rsplit("/", 1)[-1]
    return f"{frame['functionName'] or '?'} {file}:{frame['lineNumber']}:{frame['columnNumber']}"


def _session(browser: Browser, service: Service) -> Any:
    words = ("studio", "link", "--data", str(service.data), "--port", str(service.port))
    command = [sys.executable, "-m", "dialoom.cli", *words]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    link = next(word for word in said.split() if LINK in word)
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(link)
    page.get_by_role("heading", level=1, name="Bots").wait_for()
    kept = context.storage_state()
    context.close()
    return kept


def main() -> None:
    words = sys.argv[1:]
    profiled = words[words.index("--profile") + 1] if "--profile" in words else ""
    runs = next((int(word) for word in words if word.isdigit()), RUNS)
    chosen = [name for name in ACTS if name in words] or [*ACTS]
    with tempfile.TemporaryDirectory() as made, sync_playwright() as driver:
        folder = write_bot(Path(made) / BOT)
        KEYS[:] = json.loads((folder / "flow.json").read_text())["conversations"]
        service = Service([folder], Path(made) / "data")
        browser = driver.chromium.launch(executable_path=find(), args=ARGUMENTS)
        try:
            session = _session(browser, service)
            if profiled:
                _profile(browser, service, session, profiled)
                return
            print(heading(f"The longest task of an act, in milliseconds; of {runs} runs"), flush=True)
            rows = [_row(name, [_measure(browser, service, session, name) for _ in range(runs)]) for name in chosen]
            print(table(("", "clock, least", "median", "CPU, least", "median", f"over {PAUSE_MS}"), rows))
        finally:
            browser.close()
            service.stop()


def _row(name: str, runs: list[list[tuple[float, float]]]) -> list[object]:
    wall = [max(took for took, _ in run) for run in runs]
    cpu = [max(used for _, used in run) for run in runs]
    over = min(sum(used > PAUSE_MS for _, used in run) for run in runs)
    figures = [f"{one:.1f}" for one in (min(wall), statistics.median(wall), min(cpu), statistics.median(cpu))]
    print(name, figures, over, file=sys.stderr, flush=True)
    return [name, *figures, over]


if __name__ == "__main__":
    main()
