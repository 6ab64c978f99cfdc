"""Dates, times, numbers and amounts as a language writes them. What a template asks for is left to ``helpers``."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

from dialoom.template.formats.dates import moment_text
from dialoom.template.formats.numbers import currency_text, decimal_text
from dialoom.template.values.moments import in_zone


def prepare(language: str, timezone: str) -> None:
    """Read from disk what formats in this language and zone need, so that a turn never waits for it.

    Worth a call, outside of the event loop, for each bot one of whose templates says ``needs_formats``.
    """
    moment = in_zone(datetime(2015, 6, 15, tzinfo=UTC), timezone)
    moment_text(moment, "full", language)
    moment_text(moment, "MMMM dddd w", language)
    currency_text(Decimal(1), "USD", language)
    decimal_text(Decimal(1), None, None, language)
