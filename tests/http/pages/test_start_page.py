"""``/`` says what runs here; a browser that gets no page gets a card, a program problem details."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.http.support import serving

from dialoom.http.pages.refusals import refusal_card
from dialoom.languages import LANGUAGES

if TYPE_CHECKING:
    from pathlib import Path

BROWSER = {"accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
LOST = ["/nope", "/chat/nope/web", "/chat/tea/nope", "/chat/tea/rest", "/v1/bots/nope/channels/web/pick/x"]


async def test_the_start_page_lists_bots_with_the_addresses_of_their_channels(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        found = await client.call("GET", "/", headers=BROWSER)
        text = found.body.decode()
        assert found.status == 200
        assert 'href="chat/tea/web"' in text
        assert "/v1/bots/tea/channels/rest/rest/{name}" in text
        assert 'href="studio"' in text
        assert 'href="docs"' in text


@pytest.mark.parametrize(
    ("headers", "peer", "settings"),
    [
        ({"host": "bots.example"}, "127.0.0.1", {}),
        ({"x-forwarded-for": "203.0.113.9"}, "127.0.0.1", {}),
        ({}, "203.0.113.9", {}),
        ({}, "127.0.0.1", {"base_url": "https://bots.example"}),
        ({}, "127.0.0.1", {"host": "0.0.0.0"}),
    ],
)
async def test_nobody_else_sees_the_names_of_the_bots(
    tmp_path: Path, headers: dict[str, str], peer: str, settings: dict[str, str]
) -> None:
    async with serving(tmp_path, **settings) as client:
        text = (await client.call("GET", "/", headers=BROWSER | headers, peer=peer)).body.decode()
        assert "Dialoom runs here" in text
        assert "chat/tea" not in text
        assert "Version" not in text


@pytest.mark.parametrize("path", LOST)
async def test_a_browser_gets_a_card_in_its_language_with_a_way_on(tmp_path: Path, path: str) -> None:
    async with serving(tmp_path) as client:
        found = await client.call("GET", path, headers=BROWSER | {"accept-language": "de-CH, en;q=0.5"})
        text = found.body.decode()
        assert found.headers["content-type"] == "text/html; charset=utf-8"
        assert "default-src 'none'" in found.headers["content-security-policy"]
        assert 'lang="de"' in text
        assert 'href="/"' in text


@pytest.mark.parametrize("path", LOST)
async def test_a_program_gets_problem_details(tmp_path: Path, path: str) -> None:
    async with serving(tmp_path) as client:
        for headers in ({}, {"accept": "*/*"}, {"accept": "application/json"}):
            found = await client.call("GET", path, headers=headers)
            assert found.headers["content-type"] == "application/problem+json"


async def test_the_api_answers_browsers_with_problem_details_too(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        for path in ("/v1/nope", "/v1/bots/tea/conversations"):
            found = await client.call("GET", path, headers=BROWSER)
            assert found.headers["content-type"] == "application/problem+json"


async def test_the_card_keeps_status_and_headers_of_the_refusal(tmp_path: Path) -> None:
    async with serving(tmp_path, rate_address="1/h") as client:
        found = await client.call("GET", "/chat/nope/web", headers=BROWSER, peer="203.0.113.9")
        again = await client.call("GET", "/chat/nope/web", headers=BROWSER, query={"a": '"<b>'}, peer="203.0.113.9")
        assert (found.status, again.status) == (404, 429)
        assert int(again.headers["retry-after"]) > 0
        assert 'href="?a=%22%3Cb%3E"' in again.body.decode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_says_what_to_do(language: str) -> None:
    for code in ("not-found", "file-address", "overloaded"):
        card = refusal_card(language, code, "?")
        assert card.title
        assert all(card.texts)
        assert card.button is not None
        assert card.button.words
