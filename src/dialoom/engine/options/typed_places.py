"""Reads a place that was typed or spoken at an open question for a ``Location``: coordinates, or the name of a town.

The places that the question offers go before, as its options.
"""

from __future__ import annotations

from typing import Any

from dialoom.understanding.normalise import words_of
from dialoom.understanding.towns import MAX_CHARS, coordinates, towns_named
from dialoom.understanding.words.roles import roles_for

Place = dict[str, Any]
"""A value of ``Location``."""


def places_read(text: str, language: str) -> list[Place]:
    """Return the places that a text may mean, as values of ``Location``: the most populous town first."""
    if len(text) > MAX_CHARS:
        return []
    point = coordinates(text)
    if point is not None:
        return [{"latitude": point[0], "longitude": point[1]}]
    towns = towns_named(text, language) or towns_named(_without_prepositions(text, language), language)
    return [{"latitude": town.latitude, "longitude": town.longitude, "name": town.name} for town in towns]


def _without_prepositions(text: str, language: str) -> str:
    """Return a text without the small words before a place: "in Sofia", "nach Berlin"."""
    roles = roles_for(language)
    small = roles.passed | roles.second | roles.second_of_places
    word = next((word for word in words_of(text) if word.folded not in small), None)
    return "" if word is None else text[word.start :]
