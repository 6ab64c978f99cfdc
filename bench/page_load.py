"""What a chat costs the page around it, beside rivals: ``python -m bench.page_load [RUNS]``, 5 runs by default; about
ten minutes. It needs Chromium, Node and the npm registry.

Two tables of medians: bytes and requests on a desk without limits, and times on a phone (Chromium's device mode of a
Pixel 7, CPU four times slower, 1.6 Mbit/s down, 0.75 up, 150 ms). The throttling is Chromium's own, which slows neither
handshakes nor web sockets. Times are taken in the page, in the frame in which a part is first there.
"""

from __future__ import annotations

import gzip
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright
from tests.browser import find
from tests.live import Service

from bench.chat_pages import REPLY, VERSIONS, Chat, PageServer, chats, install, serving, write_bot
from bench.machine import heading, table

RUNS = 5
DEVICE = "Pixel 7"
CPU_RATE = 4
NETWORK = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
UNTOUCHED_SECONDS = 5.0
"""For which a page is left alone: what a chat fetches ahead comes meanwhile."""
TYPING_SECONDS = 2.0
"""Between the field's being there and the sending of a message."""
MAX_WAIT_MS = 90_000
TEXT = "help"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-features=LocalNetworkAccessChecks",
    # What a rival asks of its own servers fails at once.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]

WATCH = """(chat) => {
  const seen = (window.seenAt = {});
  const at = (path) => path.reduce((root, selector) => (root?.shadowRoot ?? root)?.querySelector(selector), document);
  const deepest = (x, y) => {
    let found = document.elementFromPoint(x, y);
    while (found?.shadowRoot?.elementFromPoint(x, y) && found !== found.shadowRoot.elementFromPoint(x, y))
      found = found.shadowRoot.elementFromPoint(x, y);
    return found;
  };
  const text = (node) => (node.shadowRoot ? text(node.shadowRoot) : "") +
    [...node.childNodes].map((one) => (one.nodeType === 3 ? one.data : one.nodeType === 1 ? text(one) : "")).join("");
  const middle = (path) => {
    const element = path.length ? at(path) : null;
    const box = element?.getBoundingClientRect();
    if (!box?.width || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return null;
    return { element, x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  window.middleOf = (part) => { const { x, y } = middle(chat[part]); return { x, y }; };
  addEventListener("click", (event) => (seen.press ??= event.timeStamp), true);
  for (const name of ["click", "keydown"])
    addEventListener(name, (event) => { if (window.isTyped) seen.sent ??= event.timeStamp; }, true);
  const look = (now) => {
    if (!document.body) return requestAnimationFrame(look);
    if (!seen.launcher && middle(chat.launcher)) seen.launcher = performance.now();
    if (!seen.field) {
      const field = middle(chat.field);
      const hit = field && !field.element.disabled && !field.element.readOnly && deepest(field.x, field.y);
      if (hit && (field.element === hit || field.element.contains(hit))) seen.field = performance.now();
    }
    if (seen.sent && !seen.reply && text(at(chat.talk)).includes(chat.reply)) seen.reply = performance.now();
    if (!seen.reply) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""


class Traffic:
    """What a page has fetched, headers included, with the page's time of each piece."""

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self.devtools = context.new_cdp_session(page)
        self._pieces: list[tuple[float, float]] = []
        self._asked: list[float] = []
        self._wall_offset = 0.0
        self.devtools.on("Network.requestWillBeSent", self._note_request)
        self.devtools.on("Network.responseReceived", self._note_head)
        self.devtools.on("Network.dataReceived", self._note_data)
        self.devtools.send("Network.enable")

    def _note_request(self, event: Any) -> None:
        self._wall_offset = self._wall_offset or event["wallTime"] - event["timestamp"]
        if event["request"]["url"].startswith("http"):
            self._asked.append(event["timestamp"])

    def _note_head(self, event: Any) -> None:
        self._pieces.append((event["timestamp"], event["response"]["encodedDataLength"]))

    def _note_data(self, event: Any) -> None:
        self._pieces.append((event["timestamp"], event["encodedDataLength"]))

    def until(self, wall_seconds: float) -> tuple[float, int]:
        """Return the kB received and the number of requests made by then."""
        end = wall_seconds - self._wall_offset
        return sum(size for at, size in self._pieces if at <= end) / 1000, sum(at <= end for at in self._asked)


class Visit:
    """One load of a chat's page in a browser that knows nothing of it."""

    def __init__(self, browser: Browser, server: PageServer, chat: Chat, device: dict[str, Any], slow: bool) -> None:
        self.chat = chat
        self.context = browser.new_context(**device, locale="en-GB")
        self.page = self.context.new_page()
        self.traffic = Traffic(self.context, self.page)
        if slow:
            self.traffic.devtools.send("Network.emulateNetworkConditions", NETWORK)
            self.traffic.devtools.send("Emulation.setCPUThrottlingRate", {"rate": CPU_RATE})
        parts = {name: getattr(chat, name) for name in ("launcher", "field", "send", "talk")} | {"reply": REPLY}
        self.page.add_init_script(f"({WATCH})({json.dumps(parts)})")
        self.page.goto(server.address(chat), wait_until="commit", timeout=MAX_WAIT_MS)

    def wait(self, what: str) -> float:
        """Return the milliseconds after the navigation at which it was there."""
        self.page.wait_for_function("what => window.seenAt?.[what]", arg=what, polling=100, timeout=MAX_WAIT_MS)
        return float(self.page.evaluate("what => window.seenAt[what]", what))

    def press(self, part: str) -> None:
        middle = self.page.evaluate("part => middleOf(part)", part)
        self.page.mouse.click(middle["x"], middle["y"])

    def talk(self) -> dict[str, float]:
        """Open the chat where it is closed, say something and wait for the answer."""
        found: dict[str, float] = {}
        if self.chat.launcher:
            found["launcher"] = self.wait("launcher")
        if self.chat.needs_cloud:
            return found
        if self.chat.launcher:
            self.press("launcher")
        found["field"] = self.wait("field")
        if self.chat.launcher:
            found["press to field"] = found["field"] - self.wait("press")
        time.sleep(TYPING_SECONDS)
        self.press("field")
        self.page.keyboard.insert_text(TEXT)
        self.page.evaluate("window.isTyped = true")
        self.press("send") if self.chat.send else self.page.keyboard.press("Enter")
        found["sent to reply"] = self.wait("reply") - self.wait("sent")
        return found

    def paints(self) -> dict[str, float]:
        read = (
            "Object.fromEntries(performance.getEntriesByType('paint').map(({ name, startTime }) => [name, startTime]))"
        )
        return dict(self.page.evaluate(read))

    def fetched(self, milliseconds: float) -> tuple[float, int]:
        """By that time after the navigation."""
        return self.traffic.until((self.page.evaluate("performance.timeOrigin") + milliseconds) / 1000)

    def leave_alone(self) -> None:
        self.page.wait_for_timeout(UNTOUCHED_SECONDS * 1000)

    def now(self) -> float:
        return float(self.page.evaluate("performance.now()"))


def _sizes(begin: Callable[[Chat, bool], Visit], chat: Chat) -> dict[str, float]:
    found: dict[str, float] = {}
    visit = begin(chat, False)
    if chat.launcher:
        launcher = visit.wait("launcher")
        visit.leave_alone()
        found["launcher kB"], found["launcher requests"] = visit.fetched(launcher)
        found["untouched kB"], found["untouched requests"] = visit.fetched(visit.now())
    visit.context.close()
    visit = begin(chat, False)
    times = visit.talk()
    if "field" in times:
        found["field kB"], found["field requests"] = visit.fetched(times["field"])
        found["reply kB"], found["reply requests"] = visit.fetched(visit.now())
    if chat.name.startswith("dialoom"):
        visit.page.keyboard.insert_text("tea")
        visit.page.keyboard.press("Enter")
        visit.page.get_by_role("button", name="Choose a size").click()
        visit.page.get_by_role("option", name="Large").wait_for()
        found["dialog kB"], found["dialog requests"] = visit.fetched(visit.now())
    visit.context.close()
    return found


def _times(begin: Callable[[Chat, bool], Visit], chat: Chat) -> dict[str, float]:
    visit = begin(chat, True)
    found = visit.talk()
    found |= visit.paints()
    visit.context.close()
    if chat.launcher and not chat.needs_cloud:
        visit = begin(chat, True)
        visit.wait("launcher")
        visit.leave_alone()
        visit.press("launcher")
        found["press later"] = visit.wait("field") - visit.wait("press")
        visit.context.close()
    return found


def _medians(runs: Sequence[dict[str, float]]) -> dict[str, float]:
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def _cell(found: dict[str, float], name: str) -> str:
    if name not in found:
        return ""
    if name.endswith(" kB"):
        return f"{found[name]:,.1f} ({found[name.removesuffix('kB') + 'requests']:.0f})"
    return f"{found[name]:,.0f}"


def _print(title: str, columns: dict[str, str], rows: dict[str, dict[str, float]]) -> None:
    print(heading(title))
    print(table(("", *columns.values()), [[name, *(_cell(row, key) for key in columns)] for name, row in rows.items()]))
    print(flush=True)


SIZES = {
    "launcher kB": "launcher visible",
    "untouched kB": f"page left alone {UNTOUCHED_SECONDS:.0f} s",
    "field kB": "ready to type",
    "reply kB": "first reply",
    "dialog kB": "dialog open",
}
TIMES = {
    "first-paint": "first paint",
    "first-contentful-paint": "contentful",
    "launcher": "launcher visible",
    "press to field": "press to field",
    "press later": "pressed later",
    "field": "ready to type",
    "sent to reply": "sent to reply",
}


def _measure(driver: Playwright, server: PageServer, runs: int) -> None:
    version = ", ".join(f"{name} {number}" for name, number in VERSIONS.items())
    browser = driver.chromium.launch(executable_path=find(), args=ARGUMENTS)
    phone = {key: value for key, value in driver.devices[DEVICE].items() if key != "default_browser_type"}
    print(f"Chromium {browser.version}; {version}")
    for path, packed in server.packed.items():
        print(f"  {path}: {len(packed) / 1000:,.1f} kB by gzip, {len(gzip.decompress(packed)) / 1000:,.1f} without")
    print(flush=True)

    def begin(chat: Chat, slow: bool) -> Visit:
        return Visit(browser, server, chat, phone if slow else {"viewport": {"width": 1280, "height": 800}}, slow)

    sizes, times = dict[str, list[Any]](), dict[str, list[Any]]()
    for _ in range(runs):
        for chat in server.chats:
            sizes.setdefault(chat.name, []).append(_sizes(begin, chat))
            times.setdefault(chat.name, []).append(_times(begin, chat))
    title = f"kB received (requests made) until; median of {runs}"
    _print(title, SIZES, {name: _medians(found) for name, found in sizes.items()})
    title = f"Milliseconds on a slow phone; median of {runs}"
    _print(title, TIMES, {name: _medians(found) for name, found in times.items()})
    browser.close()


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "npm").mkdir()
        with serving(install(folder / "npm")) as server:
            service = Service([write_bot(folder / "shop", server.origin)], folder / "data")
            server.service, server.chats = service.url, chats(service.url)
            try:
                with sync_playwright() as driver:
                    _measure(driver, server, runs)
            finally:
                service.stop()


if __name__ == "__main__":
    main()
