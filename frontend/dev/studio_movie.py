"""Films the studio's path for the README: change a question, see the try-out replay, why, save as test, publish, back.

    python frontend/dev/studio_movie.py docs/images

Writes ``studio.webp`` (animated) and ``studio.png`` (a still of it, for those who asked their system for less motion).
Real frames of the real service; the pointer is drawn on them. Needs Playwright, a Chromium, the built front end, the
project with its tests, and Pillow (``pip install pillow``; nothing else here needs it).
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from look import launch
from PIL import Image, ImageDraw
from playwright.sync_api import Locator, Page, sync_playwright
from tests.e2e.test_studio import new_link
from tests.live import ROOT, Service

if TYPE_CHECKING:
    from collections.abc import Iterable

WINDOW = {"width": 1240, "height": 640}
RAIL = 208
"""Pixels of the window that are left out on its left: nothing happens there."""
WIDTH = 840
"""Pixels of a frame of the picture; the window is taken at twice its size and made smaller, for clean text."""
SCALE = WIDTH / (WINDOW["width"] - RAIL)
ASKED, NOW = "What is your name?", "How shall I call you?"
MAX_BYTES = 1_500_000
ARROW = ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (12, 12))


class Film:
    """Frames with the milliseconds that each is shown."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[tuple[Image.Image, int]] = []
        self.at = (WINDOW["width"] / 2, WINDOW["height"] / 2)

    def take(self, milliseconds: int) -> None:
        clip: Any = {"x": RAIL, "y": 0, "width": WINDOW["width"] - RAIL, "height": WINDOW["height"]}
        picture = Image.open(io.BytesIO(self.page.screenshot(clip=clip))).convert("RGB")
        picture = picture.resize((WIDTH, round(WINDOW["height"] * SCALE)), Image.Resampling.LANCZOS)
        x, y = (self.at[0] - RAIL) * SCALE, self.at[1] * SCALE
        drawn = ImageDraw.Draw(picture)
        drawn.polygon([(x + left, y + down) for left, down in ARROW], fill="black", outline="white")
        self.frames.append((picture, milliseconds))

    def click(self, target: Locator, before: int = 250, after: int = 600) -> None:
        """Show the pointer on its way to the target, press it, show what comes of it."""
        target.scroll_into_view_if_needed()
        box = target.bounding_box()
        assert box is not None
        goal = (box["x"] + min(box["width"] / 2, 90), box["y"] + box["height"] / 2)
        start = self.at
        for part in (0.4, 0.8):
            self.at = (start[0] + (goal[0] - start[0]) * part, start[1] + (goal[1] - start[1]) * part)
            self.take(80)
        self.at = goal
        self.page.mouse.move(*goal)
        self.take(before)
        target.click()
        self.page.wait_for_timeout(500)
        self.take(after)

    def write(self, text: str, every: int = 4, milliseconds: int = 100) -> None:
        for start in range(0, len(text), every):
            self.page.keyboard.type(text[start : start + every])
            self.page.wait_for_timeout(30)
            self.take(milliseconds)

    def send(self, text: str, answer: str, after: int) -> None:
        self.write(text)
        self.page.keyboard.press("Enter")
        self.page.locator(".bubble").filter(has_text=answer).first.wait_for()
        self.page.wait_for_timeout(600)
        self.take(after)


def path(page: Page, film: Film) -> None:
    """Walk the path. What comes before the first frame is the talk that the author had already."""
    page.get_by_role("treeitem", name=ASKED).wait_for()
    button(page, "Try out").click()
    field = page.locator("dialoom-field").get_by_role("textbox")
    field.wait_for()
    page.wait_for_timeout(800)
    field.fill("introduce me")
    field.press("Enter")
    page.locator(".bubble").filter(has_text=ASKED).wait_for()
    page.wait_for_timeout(700)
    page.mouse.click(560, 500)

    film.take(700)
    film.click(page.get_by_role("treeitem", name=ASKED), after=350)
    page.get_by_role("textbox", name="Wording 1").click()
    page.keyboard.press("Control+a")
    film.take(250)
    film.write(NOW)
    page.locator(".bubble").filter(has_text=NOW).wait_for()
    page.wait_for_timeout(700)
    film.take(1300)
    film.click(field, before=200, after=150)
    film.send("Ann", "Nice to meet you, Ann!", 700)
    film.click(page.get_by_role("tab", name="Why"), after=1600)
    film.click(page.get_by_role("tab", name="Chat"), before=200, after=250)
    film.click(button(page, "Save as test"), after=200)
    film.write("Ann is greeted", every=5)
    page.keyboard.press("Enter")
    page.wait_for_timeout(500)
    film.take(450)
    film.click(button(page, "Done"), before=150, after=250)
    film.click(button(page, "Publish"), before=300, after=0)
    film.frames.pop()
    dialog = page.locator("build-publish dialog")
    more = dialog.get_by_role("button", name="Accept the new replies")
    dialog.locator(".state").first.wait_for()
    page.wait_for_timeout(1500)
    film.take(700)
    if more.count():
        film.click(more, before=250, after=0)
        film.frames.pop()
        dialog.locator(".state.good").wait_for()
        page.wait_for_timeout(400)
        film.take(600)
    film.click(dialog.get_by_role("button", name="Publish"), before=250, after=0)
    film.frames.pop()
    dialog.get_by_role("heading", name="Published").wait_for()
    page.wait_for_timeout(400)
    film.take(600)
    film.click(button(page, "Take it back"), before=250, after=1600)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def save(frames: Iterable[tuple[Image.Image, int]], folder: Path) -> None:
    pictures, times = zip(*frames, strict=True)
    name = folder / "studio.webp"
    pictures[0].save(
        name, save_all=True, append_images=pictures[1:], duration=list(times), loop=0, quality=78, method=6
    )
    pictures[0].save(folder / "studio.png", optimize=True)
    size, seconds = name.stat().st_size, sum(times) / 1000
    sys.stdout.write(f"{name}: {len(pictures)} frames, {seconds:.1f} s, {size:,} bytes\n")
    assert size < MAX_BYTES, "The picture is too large: fewer frames or a lower quality."


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        shutil.copytree(ROOT / "examples" / "blank", Path(place) / "blank")
        service = Service([Path(place) / "blank"], Path(place) / "data")
        try:
            browser = launch(playwright)
            page = browser.new_page(viewport=WINDOW, device_scale_factor=2, locale="en-GB", reduced_motion="reduce")
            page.goto(new_link(service))
            page.locator("studio-home").wait_for()
            page.goto(f"{service.url}/studio/blank/build")
            film = Film(page)
            path(page, film)
            if len(sys.argv) > 2:
                for number, (picture, _) in enumerate(film.frames):
                    picture.save(Path(sys.argv[2]) / f"{number:03}.png")
            save(film.frames, folder)
            browser.close()
        finally:
            service.stop()


if __name__ == "__main__":
    main()
