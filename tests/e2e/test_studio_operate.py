"""The studio's Operate against the real service: versions, channels, the look, dead letters, the doctor and keys."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.cli.test_dead import desk
from tests.e2e.page_checks import axe, overflow, picture, scheme_at
from tests.e2e.studio_visit import SIZES, Visit
from tests.live import Service, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TABS = ("versions", "channels", "look", "tokens", "dead-letters", "doctor", "keys", "backup")
STEPS = [{"type": "command", "command": "stay-silent 1", "live-agent": "desk"}]
FLOW = {"conversations": {"help": {"type": "support", "steps": STEPS}}}


def bot(name: str, address: str) -> str:
    platform = {
        "id": "tg",
        "type": "messenger-3",
        "bot-token": {"env": "BOT_ECHO_NOT_SET"},
        "bot-name": "echo_bot",
        "webhook-secret": "secret-of-the-webhook",
    }
    channels = [{"id": "web", "type": "web"}, {"id": "rest", "type": "rest"}, platform]
    return json.dumps({"id": "echo", "name": name, "live-agents": {"desk": address}, "channels": channels}, indent=2)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, studio_store: dict[str, str]) -> Iterator[Service]:
    """A bot whose deliveries to live agents are refused."""
    folder = tmp_path_factory.mktemp("operate")
    (folder / "echo").mkdir()
    with desk(refusals=100) as (address, _):
        (folder / "echo" / "bot.json").write_text(bot("Echo", address))
        (folder / "echo" / "flow.json").write_text(json.dumps(FLOW))
        service = Service([folder / "echo"], folder / "data", environment=studio_store)
        yield service
        service.stop()


class Room(Visit):
    def shows(self, tab: str) -> Page:
        self.opens(f"operate?tab={tab}", "echo")
        expect(self.page.get_by_role("tabpanel").get_by_role("heading").first).to_be_visible()
        return self.page

    def changes_bot(self, **members: Any) -> None:
        """Publish bot.json with other members, as Build does."""
        change = """async ([members]) => {
          const ask = async (method, path, body) => (await fetch('/v1/studio/bots/echo' + path,
            {method, headers: {'Content-Type': 'application/json'}, ...(body && {body: JSON.stringify(body)})})).json();
          const draft = await ask('GET', '/draft');
          const text = JSON.stringify({...JSON.parse(draft.files['bot.json']), ...members}, null, 2);
          const {revision} = await ask('PUT', '/draft', {revision: draft.revision, files: {'bot.json': text}});
          return ask('POST', '/draft/publish', {revision, note: 'Another name'});
        }"""
        assert "version" in self.page.evaluate(change, [members])


@pytest.fixture
def room(browser: Browser, service: Service, session: Any) -> Iterator[Room]:
    room = Room(browser, service, storage_state=session, reduced_motion="reduce")
    yield room
    assert room.errors == []
    room.context.close()


def _gives_up_a_delivery(service: Service, sender: str) -> None:
    assert service.say("echo", sender, "help").status == 200


def test_in_forced_colours_what_is_chosen_is_told_apart(room: Room) -> None:
    page = room.shows("versions")
    page.emulate_media(forced_colors="active")
    of = "one => getComputedStyle(one).backgroundColor"
    for chosen in (page.get_by_role("tab", name="Versions"), page.get_by_role("link", name="Operate")):
        assert chosen.evaluate(of) not in (page.get_by_role("tab", name="Look").evaluate(of), "rgba(0, 0, 0, 0)")


def test_the_old_address_of_settings_leads_to_the_tokens(room: Room) -> None:
    room.opens("settings", "echo")
    expect(room.page.get_by_role("tab", name="Tokens", selected=True)).to_be_visible()
    expect(room.page.get_by_role("heading", name="Server access tokens")).to_be_visible()


def test_tabs_are_walked_with_keys_and_have_addresses(room: Room) -> None:
    page = room.shows("versions")
    page.get_by_role("tab", name="Versions").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Channels")).to_be_focused()
    assert page.url.endswith("?tab=channels")
    page.keyboard.press("End")
    expect(page.get_by_role("tab", name="Backup", selected=True)).to_be_focused()
    page.reload()
    expect(page.get_by_role("heading", name="Backup")).to_be_visible()


def test_a_backup_is_made_and_downloaded_once(room: Room) -> None:
    page = room.shows("backup")
    page.get_by_role("button", name="Back up now").click()
    link = page.get_by_role("link", name="Download")
    with page.expect_download() as download:
        link.click()
    content = download.value.path().read_bytes()
    assert content.startswith(b"SQLite format 3")
    expect(link).to_have_count(0)


def test_a_version_is_compared_and_made_active_again(room: Room) -> None:
    page = room.shows("versions")
    room.changes_bot(name="Echo two")
    page.reload()
    expect(page.get_by_role("cell", name="Another name")).to_be_visible()
    expect(page.get_by_role("list", name="What changes")).to_contain_text("Echo two")
    page.get_by_text("As lines").click()
    expect(page.get_by_role("region", name="As lines")).to_contain_text('+  "name": "Echo two"')
    back = page.get_by_role("button", name=re.compile("^Make active: ")).first
    back.focus()
    page.keyboard.press("Enter")
    expect(room.button("Cancel")).to_be_focused()
    expect(page.get_by_role("dialog")).to_contain_text("0 running talks end on")
    room.button("Make active").click()
    expect(page.get_by_text("is active.")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="Another name")).to_contain_text("Rolled back")


def test_a_channel_says_why_it_is_closed_and_is_checked(room: Room) -> None:
    page = room.shows("channels")
    closed = page.get_by_role("article").filter(has_text="messenger-3")
    expect(closed).to_contain_text("Closed")
    expect(closed).to_contain_text("BOT_ECHO_NOT_SET")
    room.button("Check channel web").click()
    expect(page.get_by_text("No platform is behind this channel.")).to_be_visible()
    room.button("Check channel tg").click()
    expect(closed.get_by_role("list")).to_contain_text("wrong")


def test_the_look_is_seen_while_it_is_typed_and_saved_into_the_bot(room: Room) -> None:
    page = room.shows("look")
    chat = page.locator("dialoom-chat")
    expect(chat.get_by_text("Which day suits you?")).to_be_visible()
    expect(chat.get_by_role("button", name="Tomorrow")).to_be_visible()
    page.get_by_label("Brand colour", exact=True).fill("#b00020")
    expect(page.get_by_text("White stands on it")).to_be_visible()
    brand = "element => getComputedStyle(element).getPropertyValue('--look-brand')"
    wait_until(lambda: chat.evaluate(brand) == "#b00020")
    page.get_by_label("Background", exact=True).fill("#888888")
    expect(page.get_by_text("Texts cannot be read on #888888")).to_be_visible()
    page.get_by_label("Background", exact=True).fill("")
    room.button("Save").click()
    expect(page.get_by_text("The look is saved.")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Brand colour", exact=True)).to_have_value("#b00020")


def test_a_dead_letter_is_sent_again_or_dropped(room: Room, service: Service) -> None:
    _gives_up_a_delivery(service, "ada")
    page = room.shows("dead-letters")
    wait_until(lambda: page.get_by_role("button", name="Look again").click() or page.get_by_text("403").count())
    row = page.get_by_role("row").filter(has_text="live-agent desk").first
    expect(row).to_contain_text("403")
    row.get_by_role("button", name="Drop").click()
    expect(room.button("Keep it")).to_be_focused()
    room.button("Drop").click()
    expect(page.get_by_text("No delivery was given up.")).to_be_visible()


def test_the_doctor_and_the_keys_are_those_of_the_service(room: Room, service: Service) -> None:
    page = room.shows("doctor")
    expect(page.get_by_text("BOT_ECHO_NOT_SET").first).to_be_visible()
    page = room.shows("keys")
    expect(page.get_by_text("dialoom keys rotate")).to_be_visible()
    expect(page.get_by_text("Seals and opens")).to_be_visible()
    key = _key(service.data)
    assert key not in page.content()


def _key(data: Path) -> str:
    return (data / "vault.keys").read_text().split()[0]


@pytest.mark.parametrize(("width", "height"), SIZES, ids=str)
def test_every_tab_reads_well(browser: Browser, service: Service, session: Any, width: int, height: int) -> None:
    looks = {"viewport": {"width": width, "height": height}, "reduced_motion": "reduce"}
    _gives_up_a_delivery(service, f"at {width}")
    language = "de-DE" if width == 360 else "en-GB"
    room = Room(browser, service, storage_state=session, locale=language, **looks)
    for tab in TABS:
        scheme = scheme_at(tab, SIZES.index((width, height)))
        room.page.emulate_media(color_scheme=scheme)
        page = room.shows(tab)
        page.wait_for_load_state("networkidle")
        picture(page, f"operate-{tab}-{width}-{scheme}")
        assert axe(page) == [], tab
        assert overflow(page) <= 0, tab
    assert room.errors == []
    room.context.close()
