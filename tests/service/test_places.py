"""The search for places: what the geocoder is asked, and what of its answer is handed on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest

from dialoom.engine.events import NoResponse, Response
from dialoom.errors import RequestError, SettingError
from dialoom.service.chat.places import Places
from dialoom.service.settings import read_settings

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


def places(geocoder: Geocoder, **settings: str) -> Places:
    given = {"GEOCODER_URL": "https://places.example/search?key=k1&limit=50", **settings}
    return Places(read_settings({}, {f"DIALOOM_{name}": value for name, value in given.items() if value}), geocoder)


async def test_the_geocoder_is_asked_in_the_users_language_with_what_its_address_has() -> None:
    geocoder = Geocoder([ALTONA])
    await places(geocoder).find("  Altona   Hamburg ", "de-AT")
    (request,) = geocoder.requests
    parts = urlsplit(request.url)
    assert (parts.netloc, parts.path) == ("places.example", "/search")
    asked = {"q": ["Altona Hamburg"], "format": ["jsonv2"], "limit": ["5"], "accept-language": ["de-AT"]}
    assert parse_qs(parts.query) == asked | {"key": ["k1"]}
    assert request.trusted_host  # the operator has named it: egress treats it as a host that stands in a flow


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


async def test_without_a_geocoder_nothing_is_searched_and_pickers_say_so() -> None:
    none = places(Geocoder([]), GEOCODER_URL="")
    with pytest.raises(RequestError) as refused:
        await none.find("Altona", "en")
    assert refused.value.code == "no-geocoder"
    assert none.added({"type": "location-picker"}) == {"type": "location-picker"}


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
