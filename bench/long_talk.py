"""What a message costs in a long talk: ``python -m bench.long_talk [MESSAGES...]``, by default 40, 200 and 1,000; about
a minute. It needs Chromium.

For each length the browser's work (its main thread, all of it) from a message that is sent until it is at rest, the
median of seven, and how often it laid the page out; the last column is the work against that in the shortest talk.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from tests.browser import find
from tests.live import Service, call, echo_bot

from bench.machine import heading, table

LENGTHS = (40, 200, 1000)
RUNS = 7
REST_MS = 900
"""Longer than the answer and its scrolling take."""
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def main(lengths: tuple[int, ...] = LENGTHS) -> None:
    print(heading("A message in a talk of so many"))
    limits = {"DIALOOM_RATE_USER": "off", "DIALOOM_RATE_ADDRESS": "off"}
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        folder = Path(temporary)
        bot = echo_bot(folder / "echo", "I **hear** you, whatever you say.")
        service = Service([bot], folder / "data", environment=limits)
        browser = playwright.chromium.launch(executable_path=find(), args=ARGUMENTS)
        try:
            found = [(length, *_measure(browser, service, length)) for length in lengths]
        finally:
            browser.close()
            service.stop()
    rows = [[f"{length:,}", f"{ms:.0f}", f"{layouts:.0f}", f"{ms / found[0][1]:.2f}"] for length, ms, layouts in found]
    print(table(["messages", "ms", "layouts", "ratio"], rows))


def _measure(browser: Browser, service: Service, length: int) -> tuple[float, float]:
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.goto(f"{service.url}/chat/echo/web")
    page.get_by_text("Write a message to begin.").wait_for()
    _fill(page, service, length)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable")
    page.get_by_role("textbox").click()
    costs = []
    for run in range(RUNS):
        before = _metrics(devtools.send("Performance.getMetrics"))
        page.keyboard.insert_text(f"Another {run}")
        page.keyboard.press("Enter")
        page.wait_for_timeout(REST_MS)
        after = _metrics(devtools.send("Performance.getMetrics"))
        costs.append({name: after[name] - before[name] for name in ("TaskDuration", "LayoutCount")})
    page.context.close()
    milliseconds = statistics.median(cost["TaskDuration"] * 1000 for cost in costs)
    return milliseconds, statistics.median(cost["LayoutCount"] for cost in costs)


def _fill(page: Page, service: Service, length: int) -> None:
    kept = "localStorage.getItem(Object.keys(localStorage).find(key => key.endsWith(':session')))"
    token = json.loads(page.evaluate(kept))["token"]
    for number in range(length // 2):
        body = {"id": f"said-{number}", "text": f"This is number {number}, which says a few words."}
        headers = {"Authorization": f"Bearer {token}"}
        call("POST", f"{service.url}/v1/bots/echo/channels/web/web/messages", body, headers)
    page.get_by_text(f"number {length // 2 - 1},").wait_for()
    page.wait_for_timeout(REST_MS)


def _metrics(answer: dict[str, list[dict[str, float]]]) -> dict[str, float]:
    return {str(metric["name"]): metric["value"] for metric in answer["metrics"]}


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or LENGTHS)
