"""People sign in to the studio at a real OpenID provider, in a browser and by HTTP alone."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from dialoom.service.studio_openid import CALLBACK
from tests.e2e.page_checks import SCHEMES, axe, overflow, picture
from tests.e2e.studio_visit import EXAMPLES, Visit
from tests.identity.browser import Browser as Agent
from tests.identity.provider import ADA, CLIENT, MALLORY, SECRET, Provider, provider
from tests.live import Service, free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

START = "/v1/studio/sign-in/openid"
SIZES = ((360, 740), (1280, 800))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, Provider]]:
    port = free_port()
    with provider(f"http://127.0.0.1:{port}{CALLBACK}") as there:
        settings = {
            "DIALOOM_STUDIO_OPENID_ISSUER": there.issuer,
            "DIALOOM_STUDIO_OPENID_CLIENT_ID": CLIENT,
            "DIALOOM_STUDIO_OPENID_CLIENT_SECRET": SECRET,
            "DIALOOM_STUDIO_OPENID_SCOPE": "openid profile email groups",
            "DIALOOM_STUDIO_OPENID_ROLES": "group:bot-admins=administrator email:ada@northbank.example=agent",
        }
        service = Service([EXAMPLES / "blank"], tmp_path_factory.mktemp("openid") / "data", port, settings)
        yield service, there
        service.stop()


def pictures(visit: Visit, name: str) -> None:
    for scheme in SCHEMES:
        visit.page.emulate_media(color_scheme=scheme)
        for width, height in SIZES:
            visit.page.set_viewport_size({"width": width, "height": height})
            assert overflow(visit.page) <= 0
            picture(visit.page, f"{name}-{scheme}-{width}")
        assert axe(visit.page) == []


def log_in(visit: Visit, person: tuple[str, str]) -> None:
    visit.page.get_by_label("User name").fill(person[0])
    visit.page.get_by_label("Password").fill(person[1])
    visit.page.get_by_role("button", name="Sign in").click()


def test_who_is_known_to_the_provider_comes_in_where_they_were(
    browser: Browser, house: tuple[Service, Provider]
) -> None:
    service, there = house
    visit = Visit(browser, service)
    page = visit.opens("people", "blank").page
    button = page.get_by_role("link", name=f"Sign in with {urlsplit(there.issuer).netloc}")
    expect(button).to_be_visible()
    pictures(visit, "studio-openid")
    button.press("Enter")
    log_in(visit, ADA)
    expect(page).to_have_url(f"{service.url}/studio/blank/people")
    expect(page.get_by_role("row", name="Ada Lovelace (you) Administrator")).to_contain_text("northbank-7741")
    expect(page.get_by_role("row", name=f"Ada Lovelace northbank-7741 ({there.issuer}) signed in")).to_be_visible()
    picture(page, "studio-openid-people")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
    expect(button).to_be_visible()
    assert [line for line in visit.errors if "401" not in line] == []
    visit.context.close()


@pytest.mark.parametrize(("locale", "title"), [("en-GB", "You have no role"), ("de-DE", "Sie haben keine Rolle")])
def test_who_has_no_role_reads_what_to_ask_for(
    browser: Browser, house: tuple[Service, Provider], locale: str, title: str
) -> None:
    service, _ = house
    visit = Visit(browser, service, locale=locale)
    visit.page.get_by_role("link", name="127.0.0.1").click()
    log_in(visit, MALLORY)
    expect(visit.page.get_by_role("heading", name=title)).to_be_visible()
    expect(visit.page.get_by_text("DIALOOM_STUDIO_OPENID_ROLES")).to_be_visible()
    expect(visit.page.get_by_text("ada@northbank.example")).to_have_count(0)
    pictures(visit, f"studio-openid-no-role-{locale[:2]}")
    visit.page.get_by_role("link", name="tudio").click()
    expect(visit.page).to_have_url(f"{service.url}/studio")
    visit.context.close()


def test_an_address_that_somebody_else_is_sent_signs_in_them_to_nothing(house: tuple[Service, Provider]) -> None:
    service, there = house
    mallory, ada = Agent(), Agent()
    back = mallory.sign_in(mallory.open(service.url + START), ADA, until=service.url).location
    assert back.startswith(service.url + CALLBACK)
    assert ada.ask(back).status == 403
    assert ada.cookie("dialoom_studio_") is None
    # Nothing was used up: it is the other browser's all the same, once.
    assert mallory.ask(back).location == f"{service.url}/studio"
    assert mallory.ask(back).status == 410
    said = service.output
    assert [secret for secret in there.secrets() if secret in said] == []
