"""The search for places: what the geocoder is asked, and what of its answer is handed on."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest

from dialoom.engine.events import NoResponse, Response
from dialoom.errors import RequestError, SettingError
from dialoom.service.chat.places import FoundPlaces, Places
from dialoom.service.remote_cache import MAX_AGE_MS
from dialoom.service.settings import read_settings
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from dialoom.engine.effects import Request

LICENCE = "Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright"
ALTONA = {
    "lat": "53.5527",
    "lon": "9.9352",
    "name": "Altona",
    "display_name": "Altona, Hamburg, Deutschland",
    "licence": LICENCE,
}


async def passing(rounds: int) -> None:
    """Let tasks run on to where they wait."""
    for _ in range(rounds):
        await asyncio.sleep(0)


class Geocoder:
    """Answers every call alike."""

    def __init__(self, body: Any, status: int = 200) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.answer: Response | NoResponse = Response(status=status, reason="", headers={}, body=content)
        self.requests: list[Request] = []

    async def fetch(self, request: Request, **_: Any) -> Response | NoResponse:
        self.requests.append(request)
        return self.answer

    async def close(self) -> None:
        pass


def places(geocoder: Geocoder, clock: MovedClock | None = None, **settings: str) -> Places:
    given = {"GEOCODER_URL": "https://places.example/search?key=k1&limit=50", **settings}
    read = read_settings({}, {f"DIALOOM_{name}": value for name, value in given.items() if value})
    return Places(read, geocoder, clock or MovedClock())


async def test_the_geocoder_is_asked_in_the_users_language_with_what_its_address_has() -> None:
    geocoder = Geocoder([ALTONA])
    await places(geocoder).find("  Altona   Hamburg ", "de-AT")
    (request,) = geocoder.requests
    parts = urlsplit(request.url)
    assert (parts.netloc, parts.path) == ("places.example", "/search")
    asked = {"q": ["Altona Hamburg"], "format": ["jsonv2"], "limit": ["5"], "accept-language": ["de-AT"]}
    assert parse_qs(parts.query) == asked | {"key": ["k1"]}
    assert request.trusted_host  # the operator has named it: egress treats it as a host that stands in a flow


async def test_the_same_words_in_the_same_language_are_asked_for_once_in_ten_minutes() -> None:
    geocoder, clock = Geocoder([ALTONA]), MovedClock()
    here = places(geocoder, clock, GEOCODER_RATE="off")
    first = await here.find("Altona", "de")
    assert await here.find(" altona ", "de") == first
    assert len(geocoder.requests) == 1
    await here.find("Altona", "en")
    assert len(geocoder.requests) == 2
    clock.move(MAX_AGE_MS / 1000)
    await here.find("Altona", "de")
    assert len(geocoder.requests) == 3


async def test_all_users_together_keep_to_one_search_a_second_and_wait_for_their_turn() -> None:
    geocoder, clock = Geocoder([ALTONA]), MovedClock()
    here = places(geocoder, clock)
    await here.find("Altona", "de")
    second = asyncio.create_task(here.find("Berlin", "de"))
    await passing(3)
    assert len(geocoder.requests) == 1
    clock.move(1)
    await second
    assert len(geocoder.requests) == 2


async def test_a_search_whose_turn_does_not_come_is_refused() -> None:
    geocoder, clock = Geocoder([ALTONA]), MovedClock()
    here = places(geocoder, clock, GEOCODER_RATE="1/min")
    await here.find("Altona", "de")
    with pytest.raises(RequestError, match="Too many people") as refused:
        await here.find("Berlin", "de")
    assert refused.value.code == "geocoder"
    assert len(geocoder.requests) == 1


async def test_places_have_a_name_and_a_position_and_say_whose_data_it_is() -> None:
    odd = [{"lat": "95", "lon": "1", "name": "Nowhere"}, {"name": "No position"}, {"lat": 1, "lon": 2}, 7]
    unnamed = {"lat": "1.5", "lon": "-2", "display_name": "Mill Lane, Oxford", "licence": LICENCE}
    found = await places(Geocoder([ALTONA, *odd, unnamed])).find("x", "en")
    assert [(one.title, one.subtitle, one.latitude, one.longitude) for one in found.places] == [
        ("Altona", "Altona, Hamburg, Deutschland", 53.5527, 9.9352),
        ("Mill Lane", "Mill Lane, Oxford", 1.5, -2.0),
    ]
    assert found.attribution == LICENCE


@pytest.mark.parametrize("geocoder", [Geocoder([], 500), Geocoder(b"<html>"), Geocoder({"error": "no"})])
async def test_an_answer_that_is_none_is_told_without_its_reason(geocoder: Geocoder) -> None:
    with pytest.raises(RequestError) as refused:
        await places(geocoder).find("Altona", "en")
    assert refused.value.code == "geocoder"
    assert "places.example" not in refused.value.detail


async def test_no_call_goes_out_that_the_rules_for_flows_forbid() -> None:
    geocoder = Geocoder([])
    geocoder.answer = NoResponse("egress", "GET http://10.0.0.1: the host's address is private")
    with pytest.raises(RequestError) as refused:
        await places(geocoder).find("Altona", "en")
    assert "10.0.0.1" not in refused.value.detail


@pytest.mark.parametrize("words", ["", "   ", "x" * 201])
async def test_words_are_there_and_not_too_many(words: str) -> None:
    with pytest.raises(RequestError) as refused:
        await places(Geocoder([])).find(words, "en")
    assert refused.value.code == "bad-parameter"


async def test_without_a_geocoder_towns_are_found_by_their_names() -> None:
    none = places(Geocoder([]), GEOCODER_URL="")
    found = await none.find(" sofia ", "en")
    assert [(one.title, one.latitude, one.longitude) for one in found.places] == [("Sofia", 42.7, 23.32)]
    assert found.attribution == "GeoNames, CC BY 4.0"
    assert [one.title for one in (await none.find("London", "de")).places] == [
        "London, Vereinigtes Königreich",
        "London, Kanada",
    ]
    assert (await none.find("Nowhereville", "en")) == FoundPlaces((), "")
    assert none.added({"type": "location-picker"}) == {"type": "location-picker", "search": True}


def test_a_location_picker_alone_says_what_the_operator_has_set() -> None:
    tiles = "https://tiles.example/{z}/{x}/{y}.png"
    here = places(Geocoder([]), MAP_TILES_URL=tiles, MAP_ATTRIBUTION="© Somebody")
    assert here.added({"type": "date-picker"}) == {"type": "date-picker"}
    added = {"search": True, "map": {"tiles": tiles, "attribution": "© Somebody"}}
    assert here.added({"type": "location-picker", "key": "3"}) == {"type": "location-picker", "key": "3", **added}


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("GEOCODER_URL", "http://places.example/search"),
        ("GEOCODER_URL", "https://user:pw@places.example/search"),
        ("GEOCODER_URL", "places.example"),
        ("MAP_TILES_URL", "https://tiles.example/{z}/{x}.png"),
        ("MAP_TILES_URL", "https://tiles.example; script-src *//{z}/{x}/{y}.png"),
    ],
)
def test_an_address_that_could_not_be_used_is_refused_without_being_shown(name: str, url: str) -> None:
    with pytest.raises(SettingError) as refused:
        read_settings({}, {f"DIALOOM_{name}": url})
    assert "pw" not in str(refused.value)
