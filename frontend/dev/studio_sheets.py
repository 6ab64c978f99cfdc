"""Takes the studio's rooms and their states in two languages, two themes and several sizes, and puts them on sheets.

    python frontend/dev/studio_sheets.py <folder for the sheets> [<state> ...]

One sheet a state and theme: a row a language, a column a size; each picture also by itself in ``one/``. Against a real
service with the shop, a bot in which nobody has talked yet, and a bot of long German words whose users wait for a
person. Needs Playwright, a Chromium, the built front end, and the project with its tests.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from contact_sheets import sheet
from look import launch
from playwright.sync_api import Browser, Page, sync_playwright
from tests.e2e.studio_records import fill
from tests.e2e.test_studio import new_link
from tests.live import ROOT, Service

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIZES = {"360": (360, 740), "768": (768, 900), "1280": (1280, 800)}
LANGUAGES = ("en-GB", "de-DE")
THEMES: tuple[Any, ...] = ("light", "dark")
NARROW = ("conversations", "hand-off", "operate")
"""Rooms that are used on a phone too."""
LONG = "Kraftfahrzeugzulassungsbescheinigungsangelegenheiten"
ASKED = "Worum geht es bei Ihrer Terminvereinbarungsangelegenheit?"
STEPS: list[dict[str, Any]] = [
    {"type": "question", "entity": "anliegenbeschreibung", "entity-type": "Text", "messages": [ASKED]},
    {"type": "message", "messages": ["Eine Mitarbeiterin meldet sich gleich."]},
    {"type": "command", "command": "stay-silent 60", "live-agent": "fahrzeugzulassung"},
]


def long_words(folder: Path) -> Path:
    """Write the bot of long words."""
    channels = [{"id": "web", "type": "web"}]
    bot = {"id": "amt", "name": LONG, "language": "de", "channels": channels}
    flow = {"conversations": {"zulassung": {"type": "goal", "display-name": f"{LONG} klären", "steps": STEPS}}}
    folder.mkdir()
    (folder / "bot.json").write_text(json.dumps(bot, indent=2))
    (folder / "flow.json").write_text(json.dumps(flow, indent=2))
    expressions = ["zulassung", "ich möchte mein Auto zulassen", "Auto anmelden"]
    values = [{"value": "zulassung", "expressions": expressions}]
    training = {"entity-definitions": [{"name": "Conversation", "lookup-strategy": "trait", "data": values}]}
    (folder / "training.json").write_text(json.dumps(training, indent=2))
    return folder


@contextmanager
def served() -> Iterator[Service]:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        shutil.copytree(ROOT / "examples" / "shop", folder / "shop")
        shutil.copytree(ROOT / "examples" / "blank", folder / "blank")
        service = Service([folder / "shop", folder / "blank", long_words(folder / "amt")], folder / "data")
        try:
            fill(service, folder)
            yield service
        finally:
            service.stop()


def waiting_users(browser: Browser, service: Service) -> None:
    """Two users of the bot of long words wait for a person."""
    for text in ("Meine Kraftfahrzeughaftpflichtversicherungsbestätigung fehlt", "Es eilt"):
        page = browser.new_page(locale="de-DE")
        page.goto(f"{service.url}/chat/amt/web")
        for said in ("Auto anmelden", text):
            field = page.get_by_role("textbox")
            field.fill(said)
            field.press("Enter")
            page.locator(".bubble").filter(has_text=said).wait_for()
            page.wait_for_timeout(700)
        page.get_by_text("Eine Mitarbeiterin meldet sich gleich.").wait_for()
        page.context.close()


# -- states


def room(address: str, *steps: Callable[[Page], None]) -> Callable[[Page], None]:
    """Return what brings a page to the address and then does the steps."""

    def reach(page: Page) -> None:
        page.goto(address)
        page.locator("main > *").first.wait_for()
        page.wait_for_load_state("networkidle")
        for step in steps:
            step(page)

    return reach


def click(selector: str, at: int = 0) -> Callable[[Page], None]:
    return lambda page: page.locator(selector).nth(at).click()


def press(key: str) -> Callable[[Page], None]:
    return lambda page: page.keyboard.press(key)


def wait(milliseconds: int) -> Callable[[Page], None]:
    return lambda page: page.wait_for_timeout(milliseconds)


def refused(path: str, address: str, status: int = 500) -> Callable[[Page], None]:
    def reach(page: Page) -> None:
        page.route(path, lambda route: route.fulfill(status=status, json={}))
        room(address, wait(400))(page)
        page.unroute(path)

    return reach


def no_bots(page: Page) -> None:
    def answer(route: Any) -> None:
        found = route.fetch()
        route.fulfill(response=found, json=found.json() | {"bots": []})

    page.route("**/v1/studio/session", answer)
    room("/studio")(page)
    page.unroute("**/v1/studio/session")


def signed_out(page: Page) -> None:
    page.context.clear_cookies()
    page.goto("/studio")
    page.locator("studio-signed-out h1").wait_for()


def merged(page: Page) -> None:
    """Somebody else saves while this page has changes."""
    room("/studio/shop/build", click("build-outline [role=treeitem]", 2))(page)
    page.locator("build-form textarea").first.fill("Was darf es denn heute sein?")
    change = """async () => {
      const ask = async (method, path, body) => (await fetch('/v1/studio/bots/shop' + path,
        {method, headers: {'Content-Type': 'application/json'}, ...(body && {body: JSON.stringify(body)})})).json();
      const {revision, files} = await ask('GET', '/draft');
      const text = files['flow.json'].replace('"messages"', ' "messages"');
      await ask('PUT', '/draft', {revision, files: {'flow.json': text}});
    }"""
    page.evaluate(change)
    page.keyboard.press("Control+s")
    page.locator("build-merge dialog").wait_for()
    page.wait_for_timeout(600)


def changed(page: Page) -> None:
    page.locator("build-form textarea").first.fill("What would you like to order today, and for whom?")


def tried(page: Page) -> None:
    page.locator(".try").click()
    field = page.locator("dialoom-field").get_by_role("textbox")
    for said in ("I want a mug", "Mugs"):
        field.fill(said)
        field.press("Enter")
        page.wait_for_timeout(1200)


def taken(page: Page) -> None:
    page.locator(".row").first.click()
    page.locator("section.chat").wait_for()
    take = page.locator("section.chat .bar .button.main")
    page.wait_for_timeout(300)
    if take.count():
        take.click()
    page.locator(".write textarea").wait_for()


def sentence_tried(page: Page) -> None:
    page.locator("understand-try").get_by_role("textbox").fill("I want a blue mug, please")
    page.wait_for_timeout(1200)


WHY = "studio-try-out [role=tab]"
TYPE = "studio-understand nav button"
STEP = click("build-outline [role=treeitem]", 2)
STATES: dict[str, Callable[[Page], None]] = {
    "home": room("/studio", wait(400)),
    "home-empty": no_bots,
    "home-new": room("/studio", click("studio-home header .button"), wait(300)),
    "build": room("/studio/shop/build"),
    "build-form": room("/studio/shop/build", STEP, wait(300)),
    "build-long": room("/studio/amt/build", click("build-outline [role=treeitem]", 1), wait(300)),
    "build-json": room("/studio/shop/build", click("studio-build .views button", 2), wait(1200)),
    "build-map": room("/studio/shop/build", click("studio-build .views button", 1), wait(1500)),
    "build-try": room("/studio/shop/build", STEP, tried),
    "build-why": room("/studio/shop/build", STEP, tried, click(WHY, 1), wait(400)),
    "build-publish": room("/studio/shop/build", STEP, changed, click("studio-build header .button.main"), wait(2500)),
    "build-merge": merged,
    "build-failed": refused("**/shop/draft", "/studio/shop/build"),
    "understand": room("/studio/shop/understand", wait(400)),
    "understand-type": room("/studio/shop/understand", click(TYPE, 1), wait(300), click("understand-types .list", 1)),
    "understand-new": room("/studio/shop/understand", click(f"{TYPE}[aria-expanded]"), wait(300)),
    "understand-try": room("/studio/shop/understand", sentence_tried),
    "understand-missed": room("/studio/shop/understand?view=missed", wait(800)),
    "understand-report": room("/studio/shop/understand?view=report", wait(2000)),
    "test": room("/studio/shop/test", wait(400)),
    "test-run": room("/studio/shop/test", click("studio-test header .button"), wait(3500), click("nav.list button", 2)),
    "conversations": room("/studio/shop/conversations"),
    "conversations-open": room("/studio/shop/conversations", click("tbody tr", 1), wait(500)),
    "conversations-erase": room(
        "/studio/shop/conversations", click("tbody tr", 1), wait(500), click("studio-transcript .plain.bad"), wait(300)
    ),
    "conversations-none": room("/studio/blank/conversations", wait(300)),
    "conversations-long": room("/studio/amt/conversations", click("tbody tr", 0), wait(500)),
    "conversations-failed": refused("**/shop/conversations?*", "/studio/shop/conversations"),
    "insights": room("/studio/shop/insights", wait(600)),
    "insights-none": room("/studio/blank/insights", wait(400)),
    "insights-failed": refused("**/bots/shop/insights*", "/studio/shop/insights"),
    "hand-off": room("/studio/amt/hand-off", wait(400)),
    "hand-off-open": room("/studio/amt/hand-off", wait(400), taken),
    "hand-off-none": room("/studio/blank/hand-off", wait(400)),
    "hand-off-failed": refused("**/amt/hand-offs*", "/studio/amt/hand-off"),
    **{
        f"operate-{tab}": room(f"/studio/shop/operate?tab={tab}", wait(500))
        for tab in ("versions", "channels", "look", "tokens", "dead-letters", "doctor", "keys")
    },
    "operate-long": room("/studio/amt/operate?tab=channels", wait(500)),
    "operate-new-token": room(
        "/studio/shop/operate?tab=tokens", wait(400), click("studio-access-tokens .button"), wait(300)
    ),
    "operate-failed": refused("**/v1/studio/bots/shop", "/studio/shop/operate"),
    "people": room("/studio/shop/people", wait(400)),
    "people-failed": refused("**/v1/studio/people", "/studio/shop/people"),
    "palette": room("/studio/shop/build", press("Control+k"), wait(600), *map(press, "mug"), wait(300)),
    "signed-out": signed_out,
}  # fmt: skip


def sizes_of(state: str) -> list[str]:
    return [size for size in SIZES if size != "360" or state.startswith(NARROW) or state in ("signed-out", "home")]


def pictures(
    browser: Browser, service: Service, session: Any, state: str, language: str
) -> dict[tuple[str, str], bytes]:
    """Return the pictures of the state by theme and size."""
    found = {}
    for size in sizes_of(state):
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=width < 500, is_mobile=width < 500,
            locale=language, reduced_motion="reduce", storage_state=session, base_url=service.url,
        )  # fmt: skip
        page = context.new_page()
        page.set_default_timeout(12_000)
        try:
            STATES[state](page)
        except Exception as error:  # noqa: BLE001 - what is shown then is worth looking at all the same
            sys.stdout.write(f"{state} {language} {size}: {str(error).splitlines()[0]}\n")
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            page.wait_for_timeout(200)
            found[theme, size] = page.screenshot()
        context.close()
    return found


def main() -> None:
    folder, chosen = Path(sys.argv[1]), sys.argv[2:] or STATES
    (folder / "one").mkdir(parents=True, exist_ok=True)
    with served() as service, sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_page()
        page.goto(new_link(service))
        page.get_by_role("heading", level=1, name="Bots").wait_for()
        session = page.context.storage_state()
        waiting_users(browser, service)
        for state in [
            one
            for one in STATES
            if any(one == name or (name.endswith("*") and one.startswith(name[:-1])) for name in chosen)
        ]:
            taken = {language: pictures(browser, service, session, state, language) for language in LANGUAGES}
            for theme in THEMES:
                rows = [[(size, taken[language][theme, size]) for size in sizes_of(state)] for language in LANGUAGES]
                sheet(browser, f"{state}, {theme}", rows, folder / f"{state}-{theme}.png")
                for language, row in zip(LANGUAGES, rows, strict=True):
                    for size, content in row:
                        (folder / "one" / f"{state}-{language[:2]}-{theme}-{size}.png").write_bytes(content)
            sys.stdout.write(f"{state}\n")
            sys.stdout.flush()
        browser.close()


if __name__ == "__main__":
    main()
