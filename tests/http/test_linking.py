"""The start page of account linking, which says that this version has no login."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.support import BASE, FLOW, Client, serving
from tests.http.test_web import Stream, browser

from dialoom.flow.texts import system_texts

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

START = "/v1/account-linking/start"


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with serving(tmp_path) as client:
        yield client


@pytest.mark.parametrize("query", ["", "state=abc", "state=%3Cscript%3Ealert(1)%3C/script%3E&x=1"])
async def test_the_page_says_what_is_so_and_shows_nothing_of_the_request(client: Client, query: str) -> None:
    page = await client.call("GET", START, None, None, query)
    assert page.status == 501
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["cache-control"] == "no-store"
    assert b"cannot log you in" in page.body
    assert b"<script" not in page.body
    assert b"abc" not in page.body


async def test_its_policy_allows_its_own_style_and_nothing_else(client: Client) -> None:
    page = await client.call("GET", START)
    style = re.search(rb"<style>(.*?)</style>", page.body, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1]).digest()).decode()
    assert page.headers["content-security-policy"] == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


async def test_it_is_read_with_get_alone(client: Client) -> None:
    assert (await client.call("HEAD", START)).body == b""
    refused = await client.call("POST", START, {})
    assert (refused.status, refused.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    ("accepted", "language", "direction"),
    [
        (None, "en", "ltr"),
        ("de-AT,de;q=0.9,en;q=0.8", "de", "ltr"),
        ("sv, en;q=0.5, AR-eg;q=0.7", "ar", "rtl"),
        ("fr;q=0, *;q=0.1", "en", "ltr"),
        ("de;q=nan, th;q=0.1", "th", "ltr"),
        (";;,,=" * 5000, "en", "ltr"),
    ],
)
async def test_it_speaks_the_browsers_language(
    client: Client, accepted: str | None, language: str, direction: str
) -> None:
    page = await client.call("GET", START, None, {"accept-language": accepted} if accepted else None)
    text = page.body.decode()
    assert f'<html lang="{language}" dir="{direction}">' in text
    assert system_texts(language).login_not_yet_text in text
    assert page.headers["vary"] == "accept-language"


PROTECTED: dict[str, Any] = {
    "conversations": FLOW["conversations"]
    | {
        "tea": {
            "type": "goal",
            "display-name": "tea",
            "steps": [{"type": "message", "protected": True, "messages": ["Yours alone."]}],
        }
    },
    "settings": {
        "authentication": {
            "entity": "login",
            "messages": ["Please log in."],
            "acknowledgements": ["Thanks."],
            "display": {"type": "login", "template": {"title": "Log in"}},
            "oidc": {"issuer": "https://id.example", "client-id": "a", "client-secret": "s"},
        }
    },
}


async def test_a_login_link_is_handed_out_wherever_the_message_is_read_and_stands_in_no_record(tmp_path: Path) -> None:
    async with serving(tmp_path, PROTECTED) as client:
        answers = [(await client.say("tea", id=id)).json for id in ("1", "1", "2")]
        links = {answer[-1]["template"]["buttons"][0]["url"] for answer in answers}
        assert len(links) == 1  # a further prompt sends the same link
        assert links.pop().startswith(f"{BASE}{START}?state=")
        mine = await browser(client)
        await mine.send(text="tea")
        (read,) = [message["dialog"]["url"] for message in await mine.read() if "dialog" in message]
        assert read.startswith(f"{BASE}{START}?state=")
        stream = Stream(client, mine.headers)
        (streamed,) = [data["dialog"]["url"] for _, data in await stream.events(2) if "dialog" in data]
        await stream.close()
        again = await browser(client, resume=mine.session["resume"])
        assert again.session["messages"][-1]["dialog"]["url"] == streamed == read
        history = await client.history("messages")
        assert b'"type":"login"' in history.body
        assert b"state=" not in history.body
