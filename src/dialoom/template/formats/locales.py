"""The data of a language. ``babel`` is imported when the first template that formats by language is compiled: it costs
60 ms and 10 MB that most bots need not pay.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel import Locale


@lru_cache(maxsize=256)
def locale_of(name: str) -> Locale:
    """Return the data of a BCP 47 tag, or of its language alone; English where there is none."""
    from babel import Locale, UnknownLocaleError

    for tag in (name, name.partition("-")[0]):
        try:
            return Locale.parse(tag.replace("-", "_"))
        except (UnknownLocaleError, ValueError, TypeError):
            continue
    return Locale("en")


def weeks_of(locale: Locale) -> tuple[int, int]:
    """Return the first day of the week (Monday is 0), and how many days of January make week 1, where it is spoken."""
    if locale.territory is None:
        from babel.core import get_global

        likely = get_global("likely_subtags").get(str(locale))
        locale = locale_of(str(likely).replace("_", "-")) if likely else locale
    return locale.first_week_day, locale.min_week_days


def import_library() -> None:
    """Reads the library from disk now, while a flow is loaded, and not in the middle of a turn."""
    import babel.dates
    import babel.numbers  # noqa: F401 - imported for the effect
