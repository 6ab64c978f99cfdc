"""Knows the larger towns of the world by their names, for places that are typed or spoken where nobody else knows them.

The table ``towns.tsv.gz`` is made from the towns of at least 30,000 people of GeoNames (see ``NOTICE``), the most
populous first: name, latitude, longitude, country (of the United States with the state), and other names. Of those the
smaller towns have fewer. It is read when it is first needed, in about a third of a second (``load_towns``).
"""

from __future__ import annotations

import gzip
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from dialoom.understanding.normalise import normalise

_TABLE = Path(__file__).parent / "towns.tsv.gz"
ATTRIBUTION = "GeoNames, CC BY 4.0"
"""Whose data it is: wherever towns are listed for somebody to choose from a dialog, it is shown."""
MAX_CHARS = 80
"""Characters of a message that may name a town."""
MAX_ALIKE = 10
"""Towns of one name that are offered."""
_COMMA = re.compile("[,;،，、]")
_COORDINATES = re.compile(
    r"\s*([+-]?\d{1,2}(?:[.,]\d{1,9})?)\s*°?\s*([NS])?\s*[,;\s]\s*([+-]?\d{1,3}(?:[.,]\d{1,9})?)\s*°?\s*([EW])?\s*",
    re.IGNORECASE | re.ASCII,
)


class Town(NamedTuple):
    name: str
    """With its country where there are several of its name."""
    latitude: float
    longitude: float


class _Table(NamedTuple):
    rows: list[str]
    by_name: dict[str, list[int]]
    """Normalised name to the numbers of its rows: those that have it as their own, then those that have it besides."""


@cache
def load_towns() -> _Table:
    """Read the table."""
    rows = gzip.decompress(_TABLE.read_bytes()).decode().splitlines()
    own: dict[str, list[int]] = {}
    other: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        name, _, _, _, *others = row.split("\t")
        own.setdefault(normalise(name), []).append(number)
        for one in others:
            other.setdefault(normalise(one), []).append(number)
    return _Table(rows, other | own)


def towns_named(text: str, language: str) -> tuple[Town, ...]:
    """Return the towns that a text names, the most populous first: "Sofia", "Springfield, United States". Their
    countries are named in the language of a tag."""
    if len(text) > MAX_CHARS:
        return ()
    table = load_towns()
    name, *behind = (part.strip() for part in _COMMA.split(text))
    found = [table.rows[number].split("\t") for number in table.by_name.get(normalise(name), ())]
    for part in behind:
        found = [row for row in found if normalise(part) in _regions(row[3], language)]
    is_alone = len(found) == 1
    towns: dict[str, Town] = {}
    for row in found:
        title = row[0] if is_alone else f"{row[0]}, {_title(row[3], language)}"
        towns.setdefault(title, Town(title, float(row[1]), float(row[2])))
    return tuple(towns.values())[:MAX_ALIKE]


def coordinates(text: str) -> tuple[float, float] | None:
    """Return latitude and longitude of a text that is nothing else: "42.5, 23.25"; None for any other text."""
    found = _COORDINATES.fullmatch(text) if len(text) <= MAX_CHARS else None
    if found is None:
        return None
    north, east = (float(found[index].replace(",", ".")) for index in (1, 3))
    north *= -1 if (found[2] or "").upper() == "S" else 1
    east *= -1 if (found[4] or "").upper() == "W" else 1
    return (north, east) if -90 <= north <= 90 and -180 <= east <= 180 else None


def _title(region: str, language: str) -> str:
    """Return the name of a country, behind that of the state where there is one."""
    country, _, state = region.partition("-")
    named = _countries(language).get(country, country)
    return f"{state}, {named}" if state else named


def _regions(region: str, language: str) -> set[str]:
    """Return what people write behind the name of a town in this region, normalised."""
    country, _, state = region.partition("-")
    names = (_countries(language).get(country, ""), _countries("en").get(country, ""), country, state)
    return {normalise(name) for name in names if name}


@cache
def _countries(language: str) -> dict[str, str]:
    from babel import Locale, UnknownLocaleError  # heavy, and a start needs no towns

    try:
        return dict(Locale.parse(language, sep="-").territories)
    except (UnknownLocaleError, ValueError):
        return dict(Locale("en").territories)
