"""Takes pictures of the chat in every state, size, theme and language against the mock server, and runs axe on each.

    python frontend/dev/look.py <folder for the pictures> [<part of a picture's name>]

Needs Playwright, a Chromium (``CHROMIUM`` or the system's) and the built front end. For eyes; the tests are elsewhere.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

HERE = Path(__file__).parent
AXE = HERE.parent / "node_modules" / "axe-core" / "axe.min.js"
PORT = 5178
ROOT = f"http://127.0.0.1:{PORT}"
SIZES = {"360": (360, 740), "768": (768, 900), "1280": (1280, 800)}
FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
FIRST = {"clinic": "Book an appointment", "praxis": "Vorsorgeuntersuchung vereinbaren", "iyada": "حجز موعد"}
SECOND = {"clinic": "Dr. Mei Tanaka", "praxis": "Dr. Mei Tanaka", "iyada": "د. سامي خليل"}


def mock(**trouble: Any) -> None:
    calm = {"stream": "", "say": 0, "all": 0, "delay": 120, "expire": False} | trouble
    request = urllib.request.Request(f"{ROOT}/mock", json.dumps(calm).encode(), method="POST")  # noqa: S310 - our own mock
    urllib.request.urlopen(request).read()  # noqa: S310 - our own mock


def say(page: Page, text: str) -> None:
    page.locator("textarea").fill(text)
    page.keyboard.press("Enter")


def choose(page: Page, title: str) -> None:
    page.get_by_role("button", name=title).click()


def welcome(page: Page, bot: str) -> None:
    page.get_by_role("button", name=FIRST[bot]).wait_for()


def talk(page: Page, bot: str) -> None:
    choose(page, FIRST[bot])
    page.get_by_role("button", name=SECOND[bot]).wait_for()


def booked(page: Page, bot: str) -> None:
    talk(page, bot)
    choose(page, SECOND[bot])
    page.locator(".bot .bubble").nth(4).wait_for()


def answer(word: str) -> Any:
    def act(page: Page, bot: str) -> None:
        say(page, word)
        page.locator(".bot .bubble").nth(2).wait_for()

    return act


def typing(page: Page, bot: str) -> None:
    mock(delay=4000)
    choose(page, FIRST[bot])
    page.locator(".typing").wait_for()


def failed(page: Page, _bot: str) -> None:
    mock(say=400)
    say(page, "Can I come on Saturday, and may my daughter come with me?")
    page.locator(".retry").wait_for()


def offline(page: Page, _bot: str) -> None:
    page.context.set_offline(True)
    say(page, "Are you still there?")
    page.wait_for_timeout(900)


def reconnecting(page: Page, _bot: str) -> None:
    mock(all=503, cut=True)
    page.wait_for_timeout(2500)


def counter(page: Page, _bot: str) -> None:
    page.locator("textarea").fill("word " * 1590)


def over(page: Page, _bot: str) -> None:
    page.locator("textarea").fill("word " * 1610)


def newer(page: Page, _bot: str) -> None:
    say(page, "long")
    page.locator(".long").wait_for()
    page.wait_for_timeout(600)
    page.locator(".scroller").hover()
    mock(delay=1200)
    say(page, "one more")
    page.wait_for_timeout(500)
    page.mouse.wheel(0, -400)
    page.locator(".newer").wait_for()


def empty(page: Page, _bot: str) -> None:
    page.locator(".hero").wait_for()


STATES: dict[str, tuple[Any, ...]] = {
    "welcome": (),
    "talk": (talk,),
    "booked": (booked,),
    "long": (answer("long"),),
    "single": (answer("single"),),
    "multi": (answer("multi"),),
    "date": (answer("date"),),
    "login": (answer("login"),),
    "typing": (typing,),
    "failed": (failed,),
    "offline": (offline,),
    "reconnecting": (reconnecting,),
    "counter": (counter,),
    "over": (over,),
    "newer": (newer,),
}
THEMES = ("light", "dark")
SOME = (
    ("clinic", "360", "light"),
    ("praxis", "360", "dark"),
    ("clinic", "1280", "dark"),
    ("praxis", "1280", "light"),
)
EVERYWHERE = ("welcome", "talk", "booked", "long")


def views(wanted: str) -> list[tuple[str, str, str, str]]:
    """State, bot, size and theme of each picture."""
    found = list(product(EVERYWHERE, FIRST, SIZES, THEMES))
    others = [state for state in STATES if state not in EVERYWHERE]
    for state, (bot, size, theme) in product(others, SOME):
        found.append((state, bot, size, theme))
    found += product(["empty"], ["silent"], SIZES, THEMES)
    found += product(["refused"], ["nobody"], SIZES, THEMES)
    return [view for view in found if wanted in "-".join(view)]


def picture(browser: Browser, view: tuple[str, str, str, str], folder: Path) -> int:
    state, bot, size, theme = view
    mock()
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=theme, device_scale_factor=2 if width < 500 else 1,  # type: ignore[arg-type]
        has_touch=width < 500, is_mobile=width < 500, locale="en-GB",
    )  # fmt: skip
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if "Content Security" in message.text else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(f"{ROOT}/chat/{bot}/web")
    if bot in FIRST:
        welcome(page, bot)
        for act in STATES[state]:
            act(page, bot)
    else:
        page.locator(".hero").wait_for()
    page.wait_for_timeout(700)
    name = "-".join(view)
    page.screenshot(path=folder / f"{name}.png")
    context.set_offline(False)
    page.evaluate(AXE.read_text())
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = page.evaluate("(tags) => axe.run(document, {runOnly: tags})", tags)
    for violation in found["violations"]:
        targets = [node["target"] for node in violation["nodes"]][:4]
        problems.append(f"{violation['id']}: {violation['help']} {targets} {violation['nodes'][0]['failureSummary']}")
    for problem in problems:
        sys.stdout.write(f"{name}: {problem}\n")
    context.close()
    return len(problems)


def main() -> int:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    node = shutil.which("node") or sys.exit("There is no node on the path.")
    environment = {**os.environ, "PORT": str(PORT)}
    command = [node, HERE / "mock.mjs"]
    server = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)  # noqa: S603 - our own mock
    try:
        assert server.stdout is not None
        server.stdout.readline()
        with sync_playwright() as playwright:
            chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            chosen = views(sys.argv[2] if len(sys.argv) > 2 else "")
            problems = sum(picture(browser, view, folder) for view in chosen)
            browser.close()
        sys.stdout.write(f"{len(chosen)} pictures in {folder}, {problems} problems\n")
        return 1 if problems else 0
    finally:
        server.terminate()


if __name__ == "__main__":
    sys.exit(main())
