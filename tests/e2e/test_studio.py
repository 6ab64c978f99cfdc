"""The studio as an administrator uses it: in by a link from the service's machine, tokens made, shown, copied, revoked."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Page, expect

from dialoom.widget import static_folder
from tests.e2e.held_request import HeldRequest
from tests.e2e.page_checks import axe, overflow, picture, scheme_at
from tests.e2e.studio_visit import EXAMPLES, SIZES, Visit
from tests.live import ROOT, Service, call
from tests.widget.test_static import loaded_ever

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, studio_store: dict[str, str]) -> Iterator[Service]:
    """Two bots, so that there is something to choose."""
    folder = tmp_path_factory.mktemp("studio")
    other = folder / "blank"
    other.mkdir()
    (other / "bot.json").write_text(json.dumps({"id": "night-desk", "name": "Night desk"}))
    steps = [{"type": "message", "messages": ["Hello"]}]
    (other / "flow.json").write_text(json.dumps({"conversations": {"help": {"type": "support", "steps": steps}}}))
    service = Service([EXAMPLES / "shop", other], folder / "data", environment=studio_store)
    yield service
    service.stop()


@pytest.fixture
def visit(browser: Browser, service: Service, session: Any) -> Iterator[Visit]:
    visit = Visit(browser, service, storage_state=session).opens_tokens()
    yield visit
    assert visit.errors == []
    visit.context.close()


@pytest.mark.parametrize(("locale", "language"), [("en-GB", "en"), ("de-AT", "de"), ("fr-FR", "en")])
def test_a_reader_loads_the_scripts_of_one_language(
    browser: Browser, service: Service, session: Any, locale: str, language: str
) -> None:
    visit = Visit(browser, service, storage_state=session, locale=locale)
    names = {"en": "Understand Conversations Hand-off", "de": "Verstehen Gespräche Übergabe"}[language].split()
    for room, name in zip(("understand", "conversations", "hand-off"), names, strict=True):
        visit.opens(room)
        expect(visit.page.get_by_role("heading", level=1, name=name)).to_be_visible()
        visit.page.reload()
        expect(visit.page.get_by_role("heading", level=1, name=name)).to_be_visible()
    assert visit.page.locator("html").get_attribute("lang") == language
    loaded = {address.rpartition("/")[2] for address in visit.requests if address.endswith(".js")}
    assert loaded <= {path.name for path in loaded_ever(static_folder(), f"studio.{language}.html")}
    assert visit.errors == []
    visit.context.close()


def make(visit: Visit, name: str) -> str:
    visit.button("New token").click()
    visit.page.get_by_label("Name").fill(name)
    visit.page.keyboard.press("Enter")
    expect(visit.page.get_by_role("heading", name="Your new token")).to_be_visible()
    visit.button("Copy the new token").click()
    expect(visit.page.get_by_text("Copied", exact=True)).to_be_visible()
    token = visit.clipboard()
    visit.button("Done").click()
    expect(visit.page.get_by_role("heading", name="Your new token")).to_have_count(0)
    return token


def switch(page: Page, bot: str) -> None:
    page.get_by_role("button", name=re.compile("choose another bot$")).click()
    page.get_by_role("link", name=bot).click()


def test_a_link_signs_in_once(browser: Browser, service: Service) -> None:
    link = service.studio_link()
    visit = Visit(browser, service, link).comes_in()
    secret = link.partition("=")[2]
    expect(visit.page).to_have_url(f"{service.url}/studio")
    assert not any(secret in url for url in visit.requests)
    assert visit.page.evaluate("document.cookie") == ""
    visit.page.go_back()
    assert secret not in visit.page.url
    assert visit.errors == []
    visit.context.close()
    late = Visit(browser, service, link)
    expect(late.page.get_by_role("heading", name="This link does not work any more")).to_be_visible()
    expect(late.page.get_by_text("dialoom studio link")).to_be_visible()
    assert axe(late.page) == []
    late.context.close()
    assert secret not in service.output


def test_a_token_is_made_used_shown_copied_and_revoked(visit: Visit) -> None:
    token = make(visit, "Nightly report")
    assert token.startswith("dlm_")
    assert visit.reads_history("shop", token) == 200
    page = visit.page
    assert token not in page.content()
    row = page.get_by_role("row").filter(has_text="Nightly report")
    expect(row).to_contain_text("Live")
    visit.button("Show token Nightly report").click()
    expect(page.get_by_text(token)).to_be_visible()
    visit.button("Hide token Nightly report").click()
    expect(page.get_by_text(token)).to_have_count(0)
    page.evaluate("navigator.clipboard.writeText('')")
    visit.button("Copy token Nightly report").click()
    expect(page.get_by_text("Copied", exact=True)).to_be_visible()
    assert visit.clipboard() == token
    visit.button("Revoke token Nightly report").click()
    expect(page.get_by_role("heading", name="Revoke “Nightly report”?")).to_be_visible()
    expect(visit.button("Keep it")).to_be_focused()
    page.keyboard.press("Escape")
    expect(visit.button("Revoke token Nightly report")).to_be_focused()
    assert visit.reads_history("shop", token) == 200
    page.keyboard.press("Enter")
    visit.button("Revoke").click()
    expect(page.get_by_text("Token “Nightly report” is revoked.")).to_be_visible()
    expect(row).to_have_count(0)
    assert visit.reads_history("shop", token) == 401
    page.get_by_role("button", name="Show revoked").click()
    expect(row).to_contain_text("Revoked")


def test_keys_alone_make_and_revoke_a_token(visit: Visit) -> None:
    page = visit.page
    visit.button("New token").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Name")).to_be_focused()
    page.keyboard.type("By keys")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(visit.button("Copy the new token")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Your new token")).to_have_count(0)
    expect(visit.button("New token")).to_be_focused()
    row = page.get_by_role("row").filter(has_text="By keys")
    expect(row).to_contain_text("read, erase")
    page.get_by_role("button", name=re.compile("^Show token ")).first.focus()
    for key in ("End", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect(visit.button("Revoke token By keys")).to_be_focused()
    page.keyboard.press("Enter")
    expect(visit.button("Keep it")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(row).to_have_count(0)
    expect(page.get_by_role("heading", name="Server access tokens")).to_be_focused()


def test_another_bot_is_chosen_at_the_left_and_by_its_address(visit: Visit) -> None:
    page = visit.page
    switch(page, "Night desk")
    expect(page.get_by_role("heading", level=1, name="Night desk")).to_be_visible()
    expect(page).to_have_title("Night desk · Operate · Dialoom")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Night desk")
    page.goto(f"{visit.service.url}/studio/night-desk/operate?tab=channels")
    expect(page.get_by_role("heading", level=1, name="Night desk")).to_be_visible()
    expect(page.get_by_text(f"{visit.service.url}/v1/bots/night-desk", exact=True)).to_be_visible()
    page.goto(f"{visit.service.url}/studio/nobody/operate")
    expect(page.get_by_role("heading", name="There is no bot “nobody” here")).to_be_visible()
    # The browser says so itself, too.
    assert [error for error in visit.errors if "404" not in error] == []
    visit.errors.clear()


def test_the_embedded_line_and_the_chat_page_work_as_they_are_copied(visit: Visit) -> None:
    page = visit.opens("operate?tab=channels").page
    page.get_by_role("button", name=re.compile("^Copy the line for your page")).first.click()
    expect(page.get_by_text("Copied", exact=True)).to_be_visible()
    line = visit.clipboard()
    assert f'<script src="{visit.service.url}/static/widget.js"' in line
    assert '\n  data-token="dlc_' in line
    with page.expect_popup() as opened:
        page.get_by_role("link", name=re.compile("chat.shop.web")).first.click()
    expect(opened.value.get_by_role("textbox")).to_be_visible()


def test_the_call_of_the_rest_channel_works_as_it_is_copied(visit: Visit) -> None:
    page = visit.opens("operate?tab=channels").page
    page.get_by_role("button", name="Copy the call of the endpoint").first.click()
    expect(page.get_by_text("Copied", exact=True)).to_be_visible()
    command = visit.clipboard()
    assert command.startswith(f"curl -X POST '{visit.service.url}/v1/bots/shop/channels/")
    page.get_by_role("button", name=re.compile("^Copy token .* of rest$")).click()
    expect(page.get_by_text("Copied", exact=True)).to_have_count(2)
    words = shlex.split(command.replace("\\\n", " ").replace("$TOKEN", visit.clipboard()))
    headers = dict(words[at + 1].split(": ", 1) for at, word in enumerate(words) if word == "-H")
    answer = call("POST", words[3], words[words.index("-d") + 1].encode(), headers)
    assert answer.status == 200, answer.body
    assert answer.json[0]["text"]


def test_signing_out_ends_the_session_also_for_the_way_back(browser: Browser, service: Service) -> None:
    visit = Visit(browser, service, service.studio_link()).comes_in()
    (cookie,) = visit.context.cookies(f"{visit.service.url}/v1/studio/session")
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Strict", "/v1/studio")
    visit.button("Sign out").click()
    expect(visit.page.get_by_role("heading", name="You are signed out")).to_be_focused()
    stolen = {"Cookie": f"{cookie['name']}={cookie['value']}"}
    assert call("GET", f"{visit.service.url}/v1/studio/session", None, stolen).status == 401
    visit.page.reload()
    expect(visit.page.get_by_role("heading", name="Sign in to the studio")).to_be_visible()
    assert [error for error in visit.errors if "401" not in error] == []
    visit.context.close()


def test_another_site_neither_frames_the_studio_nor_asks_it_for_anything(visit: Visit) -> None:
    service = visit.service
    visit.context.route(
        "https://evil.test/", lambda route: route.fulfill(body="<title>Evil</title>", content_type="text/html")
    )
    page = visit.context.new_page()
    page.goto("https://evil.test/")
    tried = page.evaluate(
        """async (service) => {
          const ask = (path, init) => fetch(service + path, {credentials: "include", mode: "no-cors", ...init})
            .then((answer) => answer.type, (error) => "refused");
          return [await ask("/v1/studio/session"), await ask("/v1/studio/bots/shop/tokens", {method: "POST", body: "{}"})];
        }""",
        service.url,
    )
    # What comes through no-cors is opaque; the service took nothing of it, as the tokens show.
    assert set(tried) <= {"refused", "opaque"}
    framed = page.evaluate(
        """(service) => new Promise((done) => {
          const frame = document.createElement("iframe");
          frame.onload = () => { try { done(frame.contentWindow.length >= 0 && frame.contentDocument === null) } catch { done(true) } };
          frame.src = service + "/studio";
          document.body.append(frame);
        })""",
        service.url,
    )
    assert framed
    assert not any("studio" in frame.url for frame in page.frames)
    page.close()


@pytest.mark.parametrize(("width", "height"), SIZES, ids=str)
def test_every_state_reads_well(browser: Browser, service: Service, session: Any, width: int, height: int) -> None:
    looks = {"viewport": {"width": width, "height": height}, "reduced_motion": "reduce"}
    visit = Visit(browser, service, storage_state=session, **looks).comes_in()
    page = visit.page
    page.get_by_role("button", name="New bot").click()
    expect(page.get_by_role("heading", name="Make a bot")).to_be_visible()

    def looks_well(state: str) -> None:
        scheme = scheme_at(state, SIZES.index((width, height)))
        page.emulate_media(color_scheme=scheme)
        picture(page, f"studio-{state}-{width}-{scheme}")
        assert axe(page) == [], state
        assert overflow(page) <= 0, state

    looks_well("new-bot")
    visit.opens_tokens()
    looks_well("tokens")
    page.get_by_role("button", name=re.compile("^Show token ")).first.click()
    expect(page.get_by_role("button", name=re.compile("^Hide token ")).first).to_be_visible()
    looks_well("shown")
    page.get_by_role("button", name=re.compile("^Revoke token ")).first.click()
    expect(visit.button("Keep it")).to_be_focused()
    looks_well("revoke")
    page.keyboard.press("Escape")
    expect(visit.button("Keep it")).to_have_count(0)
    visit.button("New token").click()
    page.get_by_label("Name").fill("Nightly report")
    looks_well("new-token")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Your new token")).to_be_visible()
    looks_well("made-token")
    visit.button("Done").click()
    page.get_by_role("tab", name="Channels").click()
    expect(page.get_by_role("heading", name="Channels")).to_be_visible()
    page.screenshot(path=ROOT / "test-results" / f"studio-whole-{width}.png", full_page=True)
    assert visit.errors == []
    visit.context.clear_cookies()
    page.reload()
    expect(page.get_by_role("heading", name="Sign in to the studio")).to_be_visible()
    looks_well("door")
    visit.context.close()


def test_a_dialog_that_is_opened_again_at_once_is_whole(visit: Visit) -> None:
    """A dialog's close event comes a task after the closing: also when the dialog is open again by then."""
    page: Page = visit.page

    for room, name, field in (("", "New bot", "Blank"), ("/shop/build", "New conversation", "Goal")):
        page.goto(f"{visit.service.url}/studio{room}")
        visit.button(name).click()
        field_inside = page.get_by_role("dialog").get_by_role("radio", name=field)
        expect(field_inside).to_be_visible()
        page.get_by_role("dialog").evaluate(
            """(dialog, button) => new Promise((done) => {
                dialog.addEventListener("close", () => setTimeout(done), { once: true });
                dialog.close();
                button.click();
            })""",
            visit.button(name).element_handle(),
        )
        expect(field_inside).to_be_visible()
    assert visit.errors == []


def test_loading_that_takes_long_is_shown(visit: Visit) -> None:
    page: Page = visit.page
    held = HeldRequest(page, "**/v1/studio/bots/night-desk")
    switch(page, "Night desk")
    expect(page.get_by_role("progressbar", name="Loading")).to_be_visible()
    picture(page, "studio-loading")
    assert axe(page) == []
    held.go_on(page)
    expect(page.get_by_role("heading", level=1, name="Night desk")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)
