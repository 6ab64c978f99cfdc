"""Languages whose months, weekdays, near days and lengths of time come from ``dateparser``, else names from CLDR.

Of the library only the tables are used: its own reader reads house numbers and prices as dates and loses what stands
beside a date, while our readers are bounded and the same for every language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from dialoom.languages import Words, base_language
from dialoom.languages.sections import PartOfDay, Unit

_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_UNITS: tuple[Unit, ...] = ("second", "minute", "hour", "day", "week", "month", "year")
_COUNT = "(\\d++[.,]?\\d*+)"
"""How the library's patterns write a number."""
_UNSPACED = frozenset({"zh", "ja", "th", "lo", "km", "my"})


def words_of_library(tag: str, own: Words | None) -> Words:
    """Return what libraries know of a tag's language together with words of its own; an empty table where nobody knows
    it."""
    known = _from_library(base_language(tag)) or _from_cldr(tag)
    return known if own is None else _together(known, own)


def _from_library(primary: str) -> Words | None:
    # Imported for such languages only, when a bot's recogniser is made: 0.2 s, which the others do without.
    if not re.fullmatch(r"[a-z]{2,3}", primary):
        return None
    try:
        info: Mapping[str, Any] = import_module(f"dateparser.data.date_translation_data.{primary}").info
    except ImportError:
        return None
    is_spaced = primary not in _UNSPACED
    counted = tuple(_counted(info))
    parts: tuple[tuple[str, PartOfDay], ...] = (("am", "am"), ("pm", "pm"))
    return Words(
        spaced=is_spaced,
        months={name: number for number, key in enumerate(_MONTHS, 1) for name in _names(info, key, is_spaced)},
        weekdays={name: number for number, key in enumerate(_WEEKDAYS) for name in _names(info, key, is_spaced)},
        days=dict(_days(info)),
        units={
            **{name: unit for unit in _UNITS for name in info.get(unit, ()) if len(name) > 1},
            **(dict(_units(counted)) if is_spaced else {}),
        },
        parts={name: part for key, part in parts for name in info.get(key, ()) if len(name) > 1},
        counted=counted,
        counted_days=True,
    )


def _names(info: Mapping[str, Any], key: str, is_spaced: bool) -> Iterator[str]:
    for name in info.get(key, ()):
        # "3月" and "3" are read as numbers already; "ma" and "di" are words of the language as well.
        if len(name) > (2 if is_spaced else 1) and not any(sign.isdecimal() or sign == "(" for sign in name):
            yield name


def _days(info: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    for key, phrases in info.get("relative-type", {}).items():
        if (ahead := re.fullmatch(r"in (\d+) day|(\d+) day ago", key)) is not None:
            for phrase in phrases:
                yield phrase, int(ahead[1]) if ahead[1] else -int(ahead[2])


def _counted(info: Mapping[str, Any]) -> Iterator[tuple[str, Unit, int]]:
    for key, patterns in info.get("relative-type-regex", {}).items():
        for unit in _UNITS:
            direction = {f"in \\1 {unit}": 1, f"\\1 {unit} ago": -1}.get(key)
            for pattern in patterns if direction is not None else ():
                # Short forms for the screen ("−3 d") nobody types.
                if _COUNT in pattern and pattern[0] not in "-−–+":
                    yield pattern.replace(_COUNT, "{n}"), unit, direction or 1


def _units(counted: tuple[tuple[str, Unit, int], ...]) -> Iterator[tuple[str, Unit]]:
    """Yield inflected units, as they stand behind the number: Finnish "(kolmen) päivän (kuluttua)"."""
    for pattern, unit, _ in counted:
        following = pattern.partition("{n}")[2].split()
        if following and len(following[0]) > 1:
            yield following[0], unit


def _from_cldr(tag: str) -> Words:
    from babel import Locale, UnknownLocaleError

    try:
        locale = Locale.parse(tag.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return Words()
    months = {
        name: number
        for context, width in (("stand-alone", "wide"), ("format", "wide"), ("format", "abbreviated"))
        for number, name in locale.months[context][width].items()
        if len(name) > 2 and not any(sign.isdecimal() for sign in name)
    }
    weekdays = {
        name: number
        for context in ("stand-alone", "format")
        for number, name in locale.days[context]["wide"].items()
        if len(name) > 2
    }
    return Words(months=months, weekdays=weekdays, counted_days=True)


def _together(one: Words, more: Words) -> Words:
    """Return what two tables of one language know together."""
    joined: dict[str, Any] = {}
    for field in Words.__struct_fields__:
        first, second = getattr(one, field), getattr(more, field)
        if isinstance(first, dict):
            joined[field] = {**first, **second}
        elif isinstance(first, tuple):
            joined[field] = (*first, *second)
        else:
            joined[field] = first
    return Words(**joined)
