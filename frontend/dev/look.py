"""Takes pictures of the chat in every state, size, theme and language against the mock server, and runs axe on each.

    python frontend/dev/look.py <folder for the pictures> [<part of a picture's name>]

Needs Playwright, a Chromium (``CHROMIUM`` or the system's) and the built front end. For eyes; the tests are elsewhere.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from itertools import count, product
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Playwright, sync_playwright

HERE = Path(__file__).parent
NUMBERS = count(1)
AXE = HERE.parent / "node_modules" / "axe-core" / "axe.min.js"
PORT = 5178
ROOT = f"http://127.0.0.1:{PORT}"
SIZES = {"320": (320, 200), "360": (360, 740), "768": (768, 900), "1280": (1280, 800)}
"""``320``: 400 % zoom of a window of 1280 by 800."""
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


PHOTO: Any = {"name": "insurance-card.png", "mimeType": "image/png", "buffer": b""}
LETTER: Any = {
    "name": "Überweisung Dr. Lindqvist 2030-05-12.pdf",
    "mimeType": "application/pdf",
    "buffer": b"%PDF-1.4 " * 24000,
}


def mock(**trouble: Any) -> None:
    calm: dict[str, Any] = {"stream": "", "say": 0, "all": 0, "upload": 0, "slow": 0, "delay": 120, "expire": False}
    calm |= {"hang": False, "consent": False, "push": False} | trouble
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


def opened(word: str, *acts: Any) -> Any:
    """A dialog that the bot opens with this word, and what is done in it."""

    def act(page: Page, bot: str) -> None:
        answer(word)(page, bot)
        page.locator("dialoom-choices button").first.click()
        page.locator("dialoom-sheet dialog").wait_for()
        page.wait_for_timeout(250)
        for more in acts:
            more(page)

    return act


def marks(*places: int) -> Any:
    def act(page: Page) -> None:
        for place in places:
            page.get_by_role("option").nth(place).click()

    return act


def typed(label: str, text: str) -> Any:
    def act(page: Page) -> None:
        page.locator(label).fill(text)
        page.locator(label).blur()

    return act


def keyed(*keys: str) -> Any:
    def act(page: Page) -> None:
        for key in keys:
            page.keyboard.press(key)

    return act


def spots(place: int) -> Any:
    def act(page: Page) -> None:
        page.get_by_role("radio").nth(place).check()
        page.locator(".back").wait_for()

    return act


def sought(text: str) -> Any:
    def act(page: Page) -> None:
        page.locator("dialoom-location input[type=search]").fill(text)
        page.keyboard.press("Enter")
        page.wait_for_timeout(300)

    return act


def located(page: Page) -> None:
    page.context.grant_permissions(["geolocation"])
    page.context.set_geolocation({"latitude": 53.5436, "longitude": 9.9673, "accuracy": 24})
    page.locator("dialoom-location button").first.click()
    page.locator(".back").wait_for()


def denied(page: Page) -> None:
    page.locator("dialoom-location button").first.click()
    page.locator("dialoom-location .wrong").first.wait_for()


def waiting(page: Page, bot: str) -> None:
    answer("login")(page, bot)
    page.locator("dialoom-login a").click()
    page.bring_to_front()
    page.locator("dialoom-login .waiting").wait_for()


def through(page: Page, bot: str) -> None:
    waiting(page, bot)
    urllib.request.urlopen(f"{ROOT}/mock/logged-in", b"{}").read()  # noqa: S310 - our own mock
    page.locator("dialoom-login .hint").wait_for()


def renewed(page: Page, bot: str) -> None:
    answer("login")(page, bot)
    say(page, "login")
    page.locator("dialoom-login .hint").wait_for()


def rolled(page: Page, bot: str) -> None:
    answer("cards")(page, bot)
    page.locator("dialoom-carousel ul").evaluate(
        "row => row.scrollBy(300 * (getComputedStyle(row).direction === 'rtl' ? -1 : 1), 0)"
    )


def attached(page: Page, bot: str) -> None:
    answer("photo")(page, bot)
    page.locator("dialoom-field input[type=file]").set_input_files([PHOTO, LETTER])
    page.locator(".upload small").nth(1).wait_for()
    mock(upload=500)
    page.locator("dialoom-field input[type=file]").set_input_files([LETTER])
    page.locator(".upload.failed").wait_for()


def uploading(page: Page, bot: str) -> None:
    answer("photo")(page, bot)
    mock(slow=5000)
    page.locator("dialoom-field input[type=file]").set_input_files([PHOTO])
    page.locator(".upload").wait_for()


def sent(page: Page, bot: str) -> None:
    answer("photo")(page, bot)
    page.locator("dialoom-field input[type=file]").set_input_files([PHOTO])
    page.locator(".upload small").wait_for()
    page.locator("dialoom-field textarea").press("Enter")
    page.locator(".user .picture").wait_for()
    page.locator("dialoom-field input[type=file]").set_input_files([PHOTO, PHOTO, LETTER])
    page.locator(".upload small").nth(2).wait_for()
    page.locator("dialoom-field textarea").press("Enter")
    page.locator(".user .document").wait_for()


def there(page: Page, bot: str) -> None:
    opened("place", located)(page, bot)
    page.locator("dialoom-location .foot button").click()
    page.locator(".place").wait_for()


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
    "question": (answer("single"),),
    "single": (opened("single", marks(1)),),
    "found": (opened("single", typed("dialoom-select input", "o"), keyed("ArrowDown", "ArrowDown")),),
    "notfound": (opened("single", typed("dialoom-select input", "xyzzy")),),
    "few": (opened("few"),),
    "multi": (opened("multi", marks(0, 2)),),
    "many": (opened("many", marks(1, 2, 3)),),
    "date": (opened("date"),),
    "datetyped": (opened("date", typed("dialoom-date input", "2030-05-12")),),
    "datewrong": (opened("date", typed("dialoom-date input", "soon")),),
    "place": (opened("place"),),
    "placehere": (opened("place", located),),
    "placedenied": (opened("place", denied),),
    "placewrong": (opened("place", typed("#latitude", "95"), typed("#longitude", "9.9673")),),
    "there": (there,),
    "visit": (opened("visit"),),
    "visitoff": (opened("visit", typed("dialoom-date input", "2030-01-08")),),
    "mixed": (opened("mixed", marks(1)),),
    "branch": (opened("branch", spots(1)),),
    "search": (opened("search"),),
    "searchfound": (opened("search", sought("Altona"), spots(0)),),
    "searchnone": (opened("search", sought("nowhere")),),
    "removal": (answer("removal"),),
    "cards": (answer("cards"),),
    "cardsrolled": (rolled,),
    "login": (answer("login"),),
    "waiting": (waiting,),
    "through": (through,),
    "renewed": (renewed,),
    "photo": (answer("photo"),),
    "uploading": (uploading,),
    "attached": (attached,),
    "sentfiles": (sent,),
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
EVERYWHERE = (
    "welcome",
    "talk",
    "booked",
    "long",
    "single",
    "multi",
    "date",
    "datetyped",
    "place",
    "placewrong",
    "cards",
    "login",
    "photo",
)
PICKERS = ("single", "multi", "date", "visit", "place", "branch", "cards")
DIALOGS = ("single", "few", "multi", "many", "date", "visit", "visitoff", "place", "branch", "search", "searchfound")
ENDS = ("done", "over", "failed")


def views(wanted: str) -> list[tuple[str, str, str, str]]:
    """State, bot, size and theme of each picture."""
    whole = [size for size in SIZES if size != "320"]
    found = list(product(EVERYWHERE, FIRST, whole, THEMES))
    others = [state for state in STATES if state not in EVERYWHERE]
    for state, (bot, size, theme) in product(others, SOME):
        found.append((state, bot, size, theme))
    found += [(f"pick-{state}", bot, size, theme) for state, bot, size, theme in product(PICKERS, FIRST, SIZES, THEMES)]
    found += product(DIALOGS, FIRST, ["320"], ["light", "dark"])
    found += product(DIALOGS, ["clinic"], ["360", "1280"], ["forced"])
    found += product(["visit", "visitoff", "branch", "searchfound", "mixed"], ["iyada"], ["360", "1280"], THEMES)
    found += [(f"pick-{state}", "praxis", size, theme) for state, size, theme in product(ENDS, ("360", "1280"), THEMES)]
    found += product(["empty"], ["silent"], SIZES, THEMES)
    found += product(["refused"], ["nobody"], SIZES, THEMES)
    return [view for view in found if wanted in "-".join(view)]


def picker(page: Page, state: str, bot: str) -> None:
    ticket = f"date-{next(NUMBERS)}-back" if state in ENDS else f"{state}-{next(NUMBERS)}"
    address = f"{ROOT}/v1/bots/{bot}/channels/web/pick/{ticket if state != 'over' else 'gone'}"
    if state == "failed":
        page.goto(address)
        page.locator("dialoom-date").wait_for()
        mock(all=503)
        page.reload()
        page.locator(".go").wait_for()
        return
    page.goto(address)
    if state == "over":
        page.locator(".end").wait_for()
        return
    page.locator(".dialog").wait_for()
    if state == "done":
        page.locator("dialoom-date td").nth(10).click()
        page.locator("dialoom-date .foot button").click()
        page.locator(".go").wait_for()


def picture(browser: Browser, view: tuple[str, str, str, str], folder: Path) -> int:
    state, bot, size, theme = view
    mock()
    width, height = SIZES[size]
    is_forced = theme == "forced"
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if is_forced else theme,
        forced_colors="active" if is_forced else "none", device_scale_factor=2 if width < 500 else 1,  # type: ignore[arg-type]
        has_touch=width < 500, is_mobile=width < 500, locale="en-GB",
    )  # fmt: skip
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if "Content Security" in message.text else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(f"{ROOT}/chat/{bot}/web" if not state.startswith("pick") else "about:blank")
    if state.startswith("pick"):
        picker(page, state.removeprefix("pick-"), bot)
    elif bot in FIRST:
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


def photo(browser: Browser) -> bytes:
    page = browser.new_page(viewport={"width": 640, "height": 420})
    page.set_content(
        "<body style='margin:0;background:linear-gradient(135deg,#2a6f97,#89c2d9);font:700 48px sans-serif;color:#fff'>"
        "<p style='padding:40px'>Insurance<br>card 1178</p>"
    )
    content = page.screenshot()
    page.close()
    return content


def main() -> int:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with mock_server(), sync_playwright() as playwright:
        browser = launch(playwright)
        chosen = views(sys.argv[2] if len(sys.argv) > 2 else "")
        problems = sum(picture(browser, view, folder) for view in chosen)
        browser.close()
    sys.stdout.write(f"{len(chosen)} pictures in {folder}, {problems} problems\n")
    return 1 if problems else 0


@contextlib.contextmanager
def mock_server() -> Iterator[None]:
    node = shutil.which("node") or sys.exit("There is no node on the path.")
    environment = {**os.environ, "PORT": str(PORT)}
    command = [node, HERE / "mock.mjs"]
    server = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)  # noqa: S603 - our own mock
    try:
        assert server.stdout is not None
        server.stdout.readline()
        yield
    finally:
        server.terminate()


def launch(playwright: Playwright) -> Browser:
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
    PHOTO["buffer"] = photo(browser)
    return browser


if __name__ == "__main__":
    sys.exit(main())
