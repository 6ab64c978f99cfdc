"""The studio's whole path by keys alone: no pointer, the focus seen at each stop, nothing that holds it."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.studio_visit import Visit
from tests.http.support import BOT, TRAINING, write_bot
from tests.live import ROOT, Service
from tests.service.outbox.test_hand_over import handing_over

if TYPE_CHECKING:
    from collections.abc import Iterator

ASKED, NOW = "What is your name?", "How shall I call you?"
STOP = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const marked = at.getAttribute('aria-activedescendant') && at.getRootNode().querySelector('[aria-selected=true]') || at;
  const box = marked.getBoundingClientRect();
  const isRinged = one => {
    const {outlineWidth, outlineStyle, boxShadow} = getComputedStyle(one);
    return parseFloat(outlineWidth) > 0 && outlineStyle !== 'none' || boxShadow !== 'none';
  };
  const label = at.getAttribute('aria-label') || at.labels?.[0]?.textContent || at.textContent || at.title || '';
  return {
    name: label.trim().replace(/\\s+/g, ' '), tag: at.localName,
    isSeen: at === document.body || box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0,
    hasRing: at === document.body || at.matches(':focus-visible') && (isRinged(marked) || at.matches('textarea, input') && isRinged(at.parentElement) || at.closest('tr') && isRinged(at.closest('tr'))),
  };
}"""
"""The name of what has the focus, and whether one sees that it has it."""
MAX_STOPS = 60


class Keys:
    """A person with a keyboard before a page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def write(self, text: str, *keys: str) -> None:
        self.page.keyboard.type(text)
        self.press(*keys)

    def stop(self) -> str:
        found: Any = self.page.evaluate(STOP)
        assert found["isSeen"], f"the focus is out of sight: {found}"
        assert found["hasRing"], f"nothing shows the focus: {found}"
        return str(found["name"])

    def to(self, name: str, key: str = "Tab") -> None:
        """Go from stop to stop until one whose name is this pattern."""
        seen = []
        for _ in range(MAX_STOPS):
            self.press(key)
            seen.append(self.stop())
            if re.fullmatch(name, seen[-1]):
                return
        raise AssertionError(f"{name!r} is not on the way: {seen}")

    def find(self, text: str, choice: str) -> None:
        """Take what the palette offers for the text."""
        self.press("Control+k")
        palette = self.page.locator("studio-palette")
        expect(palette.get_by_role("combobox")).to_be_focused()
        self.write(text)
        expect(palette.get_by_role("option", selected=True)).to_contain_text(choice)
        self.press("Enter")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("keyboard")
    shutil.copytree(ROOT / "examples" / "blank", folder / "blank")
    tea = write_bot(folder / "tea", BOT, handing_over(), TRAINING)
    service = Service([folder / "blank", tea], folder / "data")
    yield service
    service.stop()


def waiting_user(browser: Browser, service: Service) -> Page:
    page = browser.new_context(locale="en-GB").new_page()
    page.goto(f"{service.url}/chat/tea/web")
    for text, answer in (("tea", "What about?"), ("a refund", "Someone will be with you.")):
        page.get_by_role("textbox").fill(text)
        page.keyboard.press("Enter")
        expect(page.get_by_text(answer)).to_be_visible()
    return page


def test_the_whole_path_by_keys(browser: Browser, service: Service) -> None:
    user = waiting_user(browser, service)
    visit = Visit(browser, service, service.studio_link(name="Ada"), reduced_motion="reduce").comes_in()
    page, keys = visit.page, Keys(visit.page)
    bubbles = page.locator(".bubble")
    heading = page.get_by_role("heading")

    keys.to("New bot")
    keys.press("Enter")
    expect(heading.filter(has_text="Make a bot")).to_be_visible()
    keys.press("Escape")
    assert keys.stop() == "New bot"
    keys.press("Enter", "ArrowDown", "ArrowDown", "ArrowDown")
    expect(page.get_by_role("radio", name="Blank")).to_be_checked()
    keys.to("Name")
    keys.write("By keys", "Enter")

    row = page.get_by_role("treeitem", name=ASKED)
    expect(row).to_be_visible()
    keys.to("Publish")
    keys.to("Outline")
    for _ in range(20):
        if row.get_attribute("aria-selected") == "true":
            break
        keys.press("ArrowDown")
        keys.stop()
    keys.press("Enter")
    expect(page.get_by_role("textbox", name="Wording 1")).to_be_focused()
    keys.press("Control+a")
    keys.write(NOW)
    expect(page.get_by_role("treeitem", name=NOW)).to_be_visible()
    keys.press("Escape", "Control+z")
    expect(row).to_be_visible()
    keys.press("Control+Shift+z")
    expect(page.get_by_role("treeitem", name=NOW)).to_be_visible()

    keys.find("try out", "Try out")
    expect(bubbles.filter(has_text="small bot")).to_be_visible()
    expect(page.locator("dialoom-field").get_by_role("textbox")).to_be_focused()
    keys.write("introduce me", "Enter")
    expect(bubbles.filter(has_text=NOW)).to_be_visible()
    keys.write("Ann", "Enter")
    expect(bubbles.filter(has_text="Nice to meet you, Ann!")).to_be_visible()
    keys.to("Chat", "Shift+Tab")
    keys.press("ArrowRight")
    assert keys.stop() == "Why"
    keys.to("introduction 2.*")
    keys.press("Enter")
    expect(page.locator("build-outline [aria-selected=true]")).to_contain_text("Nice to meet you")
    assert keys.stop().startswith("Outline")
    keys.to("Why")
    keys.press("ArrowLeft")
    keys.to("Take back your last message")
    keys.press("Enter")
    expect(page.locator("dialoom-field").get_by_role("textbox")).to_be_focused()
    keys.write("Bob", "Enter")
    expect(bubbles.filter(has_text="Nice to meet you, Bob!")).to_be_visible()
    keys.to("Save as test", "Shift+Tab")
    keys.press("Enter")
    expect(page.get_by_label("What it shows")).to_be_focused()
    keys.write("Bob is greeted", "Enter")
    keys.to("Done")
    keys.press("Enter")
    assert keys.stop() == "Save as test"

    keys.find("publish", "Publish")
    dialog = page.locator("build-publish dialog")
    expect(dialog.get_by_text(re.compile("tests? failed"))).to_be_visible()
    keys.to("Accept the new replies")
    keys.press("Enter")
    expect(dialog.locator(".state.good")).to_contain_text("tests passed")
    keys.to("Publish")
    keys.press("Enter")
    expect(dialog.get_by_role("heading", name="Published")).to_be_visible()
    keys.to("Take it back")
    keys.press("Enter")
    expect(page.get_by_text("is active again")).to_be_visible()
    expect(dialog).to_be_hidden()
    assert keys.stop() == "Save as test"

    keys.find("tea house", "Tea house")
    expect(page.get_by_role("treeitem").first).to_be_visible()
    keys.find("hand-off", "Hand-off")
    expect(page.locator("studio-hand-off .row")).to_have_count(1)
    keys.press("ArrowDown", "t")
    expect(page.get_by_label("Answer", exact=True)).to_be_focused()
    keys.write("It is t, the key that takes.", "Enter")
    expect(user.get_by_text("It is t, the key that takes.")).to_be_visible()
    keys.to("Give back to the bot", "Shift+Tab")
    keys.press("Enter")
    expect(page.get_by_text("Nobody waits")).to_be_visible()

    keys.find("conversations", "Conversations")
    expect(page.locator("tbody tr")).to_have_count(1)
    keys.to("Find what was said, or who")
    keys.write("refund", "Enter")
    expect(page).to_have_url(re.compile("refund"))
    keys.to("web_.*")
    keys.press("ArrowDown", "Enter")
    expect(page.locator("studio-transcript")).to_be_visible()
    keys.press("Escape")
    expect(page.locator("studio-transcript")).to_have_count(0)
    keys.stop()

    keys.find("someone will", "Someone will be with you.")
    expect(page.locator("build-outline [aria-selected=true]")).to_contain_text("Someone will be with you.")
    assert keys.stop().startswith("Outline")
    assert visit.errors == []
    visit.context.close()
    user.context.close()
