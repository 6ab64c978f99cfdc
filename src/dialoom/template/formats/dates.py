"""Dates and times by language: named forms and the tokens of moment.js. Which moment is meant is left to the helper."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any, Final, Literal

from dialoom.errors import TemplateError
from dialoom.template.formats.locales import locale_of, weeks_of

if TYPE_CHECKING:
    from babel import Locale

Moment = datetime | date | time

Form = Literal["short", "medium", "long", "full"]

NAMED: Final[Mapping[str, tuple[Form | None, Form | None]]] = {
    "short": ("short", "short"),
    "medium": ("medium", "medium"),
    "long": ("long", "short"),
    "full": ("full", "short"),
    "shortDate": ("short", None),
    "mediumDate": ("medium", None),
    "longDate": ("long", None),
    "fullDate": ("full", None),
    "shortTime": (None, "short"),
    "mediumTime": (None, "medium"),
}
"""Form of the date and of the time for each named format."""

TOKENS: Final = re.compile(
    r"\[([^\[\]]*)\]|(YYYY|YY|Y|Qo|Q|MMMM|MMM|MM|Mo|M|DDDD|DDD|Do|DD|D|dddd|ddd|dd|do|d|E|e|WW|W|ww|w|GGGG|GG|gggg|gg"
    r"|HH|H|hh|h|kk|k|mm|m|ss|s|S{1,9}|A|a|ZZ|Z|X|x|LTS|LT|LLLL|LLL|LL|L|llll|lll|ll|l)"
)

LONG_FORMS: Final[Mapping[str, str]] = {
    "LT": "shortTime",
    "LTS": "mediumTime",
    "L": "shortDate",
    "l": "shortDate",
    "LL": "longDate",
    "ll": "mediumDate",
    "LLL": "long",
    "lll": "medium",
    "LLLL": "full",
    "llll": "full",
}

ORDINALS: Final[Mapping[str, str]] = {
    "de": "{}.",
    "es": "{}º",
    "fi": "{}.",
    "hr": "{}.",
    "it": "{}º",
    "nl": "{}e",
    "pt": "{}º",
    "zh": "{}日",
}
"""A day's number in a date; English and French have rules of their own, any other language takes the bare number."""


def moment_text(moment: Moment, form: str, language: str) -> str:
    """Return the moment in a named form, or after tokens as moment.js has them."""
    locale = locale_of(language)
    named = NAMED.get(form)
    if named is not None:
        return _named_text(moment, *named, locale)

    def fill(match: re.Match[str]) -> str:
        if match[2] is None:
            return match[1] or ""
        return _token_text(moment, match[2], locale)

    return TOKENS.sub(fill, form)


def _named_text(moment: Moment, day_form: Form | None, clock_form: Form | None, locale: Locale) -> str:
    from babel.dates import format_date, format_time, get_datetime_format

    day = clock = ""
    if day_form is not None and not isinstance(moment, time):
        day = format_date(moment, day_form, locale=locale)
    if clock_form is not None and isinstance(moment, (datetime, time)):
        clock = format_time(moment.replace(tzinfo=None), clock_form, locale=locale)
    if day_form is not None and clock_form is not None and day and clock:
        text = str(get_datetime_format(day_form, locale=locale)).replace("{0}", clock).replace("{1}", day)
        text = text.replace("'", "")
    else:
        text = day or clock
    if not text:
        kind = "time has no date" if isinstance(moment, time) else "date has no time"
        raise TemplateError(f"a {kind}. Ask for another format, or give the missing part as an argument.")
    return text.replace("\u202f", " ")  # CLDR puts a narrow space before AM and PM that many fonts lack


def _token_text(moment: Moment, token: str, locale: Locale) -> str:
    long_form = LONG_FORMS.get(token)
    if long_form is not None:
        return _named_text(moment, *NAMED[long_form], locale)
    if token in CLOCK_TOKENS or token.startswith("S"):
        clock = moment if isinstance(moment, time) else moment.time() if isinstance(moment, datetime) else time()
        if token.startswith("S"):
            return f"{clock.microsecond:06}".ljust(len(token), "0")[: len(token)]
        return CLOCK_TOKENS[token](clock, locale)
    if isinstance(moment, time):
        raise TemplateError("a time has no date. Give the date first: $date date time 'format'.")
    if token in MOMENT_TOKENS:
        whole = moment if isinstance(moment, datetime) else datetime.combine(moment, time())
        return MOMENT_TOKENS[token](whole)
    return DAY_TOKENS[token](moment, locale)


def _period(clock: time, locale: Locale) -> str:
    names: Any = locale.day_periods["format"]
    return str(names["abbreviated"]["am" if clock.hour < 12 else "pm"])


CLOCK_TOKENS: Final[Mapping[str, Callable[[time, Locale], str]]] = {
    "HH": lambda clock, _: f"{clock.hour:02}",
    "H": lambda clock, _: f"{clock.hour}",
    "hh": lambda clock, _: f"{clock.hour % 12 or 12:02}",
    "h": lambda clock, _: f"{clock.hour % 12 or 12}",
    "kk": lambda clock, _: f"{clock.hour or 24:02}",
    "k": lambda clock, _: f"{clock.hour or 24}",
    "mm": lambda clock, _: f"{clock.minute:02}",
    "m": lambda clock, _: f"{clock.minute}",
    "ss": lambda clock, _: f"{clock.second:02}",
    "s": lambda clock, _: f"{clock.second}",
    "A": lambda clock, locale: _period(clock, locale).upper(),
    "a": lambda clock, locale: _period(clock, locale).lower(),
}


def _offset(moment: datetime, colon: str) -> str:
    offset = moment.utcoffset()
    minutes = 0 if offset is None else int(offset.total_seconds() // 60)
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}{colon}{abs(minutes) % 60:02}"


def _milliseconds(moment: datetime) -> int:
    offset = moment.utcoffset()
    days = moment.toordinal() - date(1970, 1, 1).toordinal()
    seconds = days * 86400 + moment.hour * 3600 + moment.minute * 60 + moment.second
    seconds -= 0 if offset is None else int(offset.total_seconds())
    return seconds * 1000 + moment.microsecond // 1000


MOMENT_TOKENS: Final[Mapping[str, Callable[[datetime], str]]] = {
    "Z": lambda moment: _offset(moment, ":"),
    "ZZ": lambda moment: _offset(moment, ""),
    "X": lambda moment: str(_milliseconds(moment) // 1000),
    "x": lambda moment: str(_milliseconds(moment)),
}


def _ordinal(number: int, locale: Locale) -> str:
    language = locale.language
    if language == "en":
        ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        return f"{number}{ending}"
    if language == "fr":
        return "1er" if number == 1 else str(number)
    return ORDINALS.get(language, "{}").format(number)


def _name(kind: str, width: str, number: int, locale: Locale) -> str:
    names: Any = getattr(locale, kind)["format"]
    return str(names[width][number])


def _week(day: date, locale: Locale) -> tuple[int, int]:
    """Return year and number of the week as the language counts weeks."""
    first, least = weeks_of(locale)
    for year in (day.year + 1, day.year, day.year - 1):
        if not 1 <= year <= 9999:
            continue
        shift = (date(year, 1, 1).weekday() - first) % 7
        begin = date(year, 1, 1).toordinal() - shift + (0 if 7 - shift >= least else 7)
        if begin <= day.toordinal():
            return year, (day.toordinal() - begin) // 7 + 1
    return day.year, 1


def _quarter(day: date) -> int:
    return (day.month + 2) // 3


def _year_day(day: date) -> int:
    return day.timetuple().tm_yday


DAY_TOKENS: Final[Mapping[str, Callable[[date, Locale], str]]] = {
    "YYYY": lambda day, _: f"{day.year:04}",
    "YY": lambda day, _: f"{day.year % 100:02}",
    "Y": lambda day, _: f"{day.year}",
    "Q": lambda day, _: f"{_quarter(day)}",
    "Qo": lambda day, locale: _ordinal(_quarter(day), locale),
    "MMMM": lambda day, locale: _name("months", "wide", day.month, locale),
    "MMM": lambda day, locale: _name("months", "abbreviated", day.month, locale),
    "MM": lambda day, _: f"{day.month:02}",
    "Mo": lambda day, locale: _ordinal(day.month, locale),
    "M": lambda day, _: f"{day.month}",
    "DDDD": lambda day, _: f"{_year_day(day):03}",
    "DDD": lambda day, _: f"{_year_day(day)}",
    "Do": lambda day, locale: _ordinal(day.day, locale),
    "DD": lambda day, _: f"{day.day:02}",
    "D": lambda day, _: f"{day.day}",
    "dddd": lambda day, locale: _name("days", "wide", day.weekday(), locale),
    "ddd": lambda day, locale: _name("days", "abbreviated", day.weekday(), locale),
    "dd": lambda day, locale: _name("days", "short", day.weekday(), locale),
    "do": lambda day, locale: _ordinal(day.isoweekday() % 7, locale),
    "d": lambda day, _: f"{day.isoweekday() % 7}",
    "E": lambda day, _: f"{day.isoweekday()}",
    "e": lambda day, locale: f"{(day.weekday() - weeks_of(locale)[0]) % 7}",
    "WW": lambda day, _: f"{day.isocalendar().week:02}",
    "W": lambda day, _: f"{day.isocalendar().week}",
    "GGGG": lambda day, _: f"{day.isocalendar().year:04}",
    "GG": lambda day, _: f"{day.isocalendar().year % 100:02}",
    "ww": lambda day, locale: f"{_week(day, locale)[1]:02}",
    "w": lambda day, locale: f"{_week(day, locale)[1]}",
    "gggg": lambda day, locale: f"{_week(day, locale)[0]:04}",
    "gg": lambda day, locale: f"{_week(day, locale)[0] % 100:02}",
}
