"""Searches for places through the operator's geocoder, or without one in the table of towns, and says what the service
adds to a location picker.

The geocoder's answer is that of Nominatim (https://nominatim.org/release-docs/latest/api/Search/): a list of objects
with ``lat`` and ``lon`` as text, ``display_name``, ``name`` and ``licence``. Browsers ask the service alone.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec

from dialoom.engine.effects import Request
from dialoom.engine.events import NoResponse
from dialoom.errors import RemoteError, RequestError
from dialoom.service.access.rate import Limiter, read_rate
from dialoom.service.remote_cache import Cache
from dialoom.template.values import read_number
from dialoom.understanding.towns import ATTRIBUTION as TOWNS_ATTRIBUTION
from dialoom.understanding.towns import coordinates, towns_named

if TYPE_CHECKING:
    from dialoom.data.fetcher import Fetcher
    from dialoom.service.clock import Clock
    from dialoom.service.settings import Settings

MAX_QUERY_CHARS = 200
MAX_PLACES = 5
SEARCH_SECONDS = 5.0
"""Somebody looks at the dialog and waits."""
MAX_TURN_SECONDS = 3.0
"""Seconds that a search waits until the rate of all searches lets it out."""
MAX_KEPT_ANSWERS = 512
"""A few kB each."""


class FoundPlace(msgspec.Struct, frozen=True):
    title: str
    subtitle: str
    latitude: float
    longitude: float


class FoundPlaces(msgspec.Struct, frozen=True):
    places: tuple[FoundPlace, ...]
    attribution: str
    """Whose data it is, as the geocoder says it; its licence may demand that users see it."""


class Places:
    """Keeps the geocoder's answers for some minutes, and sends it no more than the operator's rate from all users
    together: public geocoders shut out whoever asks more often."""

    def __init__(self, settings: Settings, fetcher: Fetcher, clock: Clock) -> None:
        self._geocoder = settings.geocoder_url
        self._fetcher = fetcher
        self._clock = clock
        self._kept: Cache[tuple[str, str], FoundPlaces] = Cache(clock, MAX_KEPT_ANSWERS)
        rate = read_rate(settings.geocoder_rate)
        self._rate = Limiter(rate, now=lambda: clock.elapsed() / 1000) if rate is not None else None
        self._additions = _additions(settings)

    def added(self, dialog: Any) -> Any:
        """Return a dialog as clients read it, with what a location picker can do here."""
        if not isinstance(dialog, dict) or dialog.get("type") != "location-picker":
            return dialog
        return dialog | self._additions

    async def find(self, query: str, language: str) -> FoundPlaces:
        """Return the places of this name. ``language``: in which their names are wanted, a BCP 47 tag. Raises
        ``RequestError``: 400 for no words, 502 where the geocoder gives no usable answer or too many others search."""
        words = " ".join(query.split())
        if not words or len(words) > MAX_QUERY_CHARS:
            raise RequestError("bad-parameter", f'"q" is the name of a place, 1 to {MAX_QUERY_CHARS} characters.')
        if self._geocoder is None:
            return await asyncio.to_thread(_towns, words, language)
        ask = partial(self._asked, self._geocoder, words, language)
        try:
            return await self._kept.get((words.casefold(), language), ask)
        except RemoteError as error:
            raise RequestError("geocoder", str(error)) from error

    async def close(self) -> None:
        """Cancel the searches that run."""
        await self._kept.close()

    async def _asked(self, geocoder: str, words: str, language: str) -> FoundPlaces:
        """Ask the geocoder. Raises ``RemoteError``."""
        await self._turn()
        answer = await self._fetcher.fetch(_request(geocoder, words, language))
        if isinstance(answer, NoResponse) or answer.status != 200:
            raise _failed()
        try:
            found = msgspec.json.decode(answer.body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise _failed() from error
        if not isinstance(found, list):
            raise _failed()
        return _read([one for one in found if isinstance(one, dict)])

    async def _turn(self) -> None:
        """Wait until the rate of all searches has room for one more. Raises ``RemoteError`` when that takes long."""
        left = MAX_TURN_SECONDS
        while self._rate is not None and (wait := self._rate.take("")):
            if wait > left:
                raise RemoteError("refused", "Too many people search for places. Try again in a few seconds.")
            left -= wait
            await self._clock.sleep(wait)


def _additions(settings: Settings) -> dict[str, Any]:
    added: dict[str, Any] = {"search": True}
    if settings.map_tiles_url is not None:
        added["map"] = {"tiles": settings.map_tiles_url, "attribution": settings.map_attribution}
    return added


def _request(geocoder: str, words: str, language: str) -> Request:
    parts = urlsplit(geocoder)
    own = {"q": words, "format": "jsonv2", "limit": str(MAX_PLACES), "accept-language": language}
    # What the operator's address has itself, such as a key, goes along.
    query = urlencode([*((name, value) for name, value in parse_qsl(parts.query) if name not in own), *own.items()])
    return Request(
        method="GET",
        url=parts._replace(query=query, fragment="").geturl(),
        headers=(("Accept", "application/json"),),
        timeout=SEARCH_SECONDS,
        trusted_host=True,
    )


def _towns(words: str, language: str) -> FoundPlaces:
    if (point := coordinates(words)) is not None:
        return FoundPlaces((FoundPlace(words, "", *point),), "")
    found = towns_named(words, language)[:MAX_PLACES]
    places = tuple(FoundPlace(one.name, "", one.latitude, one.longitude) for one in found)
    return FoundPlaces(places, TOWNS_ATTRIBUTION if places else "")


def _read(found: list[dict[str, Any]]) -> FoundPlaces:
    """Return the places of an answer; one without a name or a position is left out."""
    places: list[FoundPlace] = []
    for one in found[:MAX_PLACES]:
        north, east = read_number(one.get("lat")), read_number(one.get("lon"))
        whole, name = _text(one.get("display_name")), _text(one.get("name"))
        title = name or whole.partition(",")[0].strip()
        if title and north is not None and east is not None and -90 <= north <= 90 and -180 <= east <= 180:
            places.append(FoundPlace(title, whole if whole != title else "", float(north), float(east)))
    licences = dict.fromkeys(filter(None, (_text(one.get("licence")) for one in found)))
    return FoundPlaces(tuple(places), " · ".join(licences))


def _text(value: Any) -> str:
    return value[:500] if isinstance(value, str) else ""


def _failed() -> RemoteError:
    return RemoteError("refused", "The search for places gave no answer. Try again later, or give the coordinates.")
