"""Who may search for places, and where pages are told that they can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.http.support import BASE, FLOW, MOCKS, Client, serving

from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.service.chat.transcript import said_again
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

WEB = "/v1/bots/tea/channels/web/web"
REST = "/v1/bots/tea/channels/rest/rest/test"
TILES = "http://127.0.0.1:7001/{z}/{x}/{y}.png"
ASKED = "https://places.example/search?q=Altona&format=jsonv2&limit=5&accept-language=de"
ALTONA = {"lat": "53.5", "lon": "9.9", "name": "Altona", "display_name": "Altona, Hamburg", "licence": "© Somebody"}
FOUND = {
    "places": [{"title": "Altona", "subtitle": "Altona, Hamburg", "latitude": 53.5, "longitude": 9.9}],
    "attribution": "© Somebody",
}
WHERE: dict[str, Any] = {
    "type": "goal",
    "display-name": "a place",
    "steps": [
        {
            "type": "question",
            "entity": "place",
            "entity-type": "Location",
            "messages": ["Where?"],
            "display": {"type": "location-picker"},
        }
    ],
}


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    flow = {"conversations": FLOW["conversations"] | {"where": WHERE}}
    named = {"geocoder_url": "https://places.example/search", "map_tiles_url": TILES, "map_attribution": "© M"}
    async with serving(tmp_path, flow, MockFetcher({**MOCKS, ASKED: {"GET": [ALTONA]}}), **named) as client:
        yield client


async def test_a_session_searches_and_its_picker_says_that_it_can(client: Client) -> None:
    session = (await client.open(locale="de")).json
    headers = {"Authorization": f"Bearer {session['token']}", "Origin": BASE}
    await client.call("POST", f"{WEB}/messages", {"id": "1", "text": "a place"}, headers)
    messages = (await client.call("GET", f"{WEB}/messages", None, headers, {"after": 0, "wait": 5})).json["messages"]
    dialog = messages[-1]["dialog"]
    assert (dialog["search"], dialog["map"]) == (True, {"tiles": TILES, "attribution": "© M"})
    answer = await client.call("GET", f"{WEB}/places", None, headers, {"q": "Altona"})
    assert (answer.status, answer.json) == (200, FOUND)


async def test_nobody_searches_without_a_session(client: Client) -> None:
    for headers in ({"Origin": BASE}, {"Origin": BASE, "Authorization": "Bearer forged"}):
        answer = await client.call("GET", f"{WEB}/places", None, headers, {"q": "Altona"})
        assert (answer.status, answer.json["code"]) == (401, "session")


async def test_a_picker_page_searches_with_its_ticket_alone(client: Client) -> None:
    token = {"Authorization": "Bearer rest-token-of-tea"}
    body = {"sender": {"id": "ada", "locale": "de"}, "message": {"text": "a place"}}
    await client.call("POST", REST, body, token)
    key = ChatKey("tea", "rest", "ada")
    (stored,) = await client.service.store.last_said(key, 1)
    said = said_again(client.service.vault, key, stored)
    path = (client.service.addresses.with_picker(key, said).picker or "").removeprefix(BASE)
    assert (await client.call("GET", f"{path}/question")).json["dialog"]["search"] is True
    assert (await client.call("GET", f"{path}/places", None, None, {"q": "Altona"})).json == FOUND
    forged = await client.call("GET", f"{path}x/places", None, None, {"q": "Altona"})
    assert (forged.status, forged.json["code"]) == (404, "picker-unknown")
