"""``$date``: which moment is meant and which form is asked for. The forms themselves are left to ``formats.dates``."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import Final

from dialoom.errors import TemplateError
from dialoom.template.formats.dates import moment_text
from dialoom.template.frame import Frame
from dialoom.template.helpers.row import Helper, kind_of
from dialoom.template.values.moments import read_moment, read_time, zone_of
from dialoom.template.values.types import MISSING


def date_text(frame: Frame, value: object, second: object = MISSING, third: object = MISSING) -> str:
    """Render ``$date value [time] [format]``; a second argument that spells a time is one, and a missing one is
    none."""
    scope = frame.root.scope
    moment = read_moment(value, scope.timezone)
    if moment is None:
        raise TemplateError(f"the first argument is {kind_of(value)} that is no date. Give a date as YYYY-MM-DD.")
    clock, form = second, third
    if third is MISSING and isinstance(second, str) and read_time(second) is None:
        clock, form = MISSING, second
    if clock is not None and clock is not MISSING:
        moment = _at(moment, clock, scope.timezone)
    if form is None or form is MISSING:
        form = "shortTime" if isinstance(moment, time) else "mediumDate"
    if not isinstance(form, str):
        raise TemplateError(f"the format is {kind_of(form)}. Give a text such as 'mediumDate' or 'DD.MM.YYYY'.")
    if isinstance(moment, datetime) and moment.tzinfo is None:
        moment = moment.replace(tzinfo=zone_of(scope.timezone))
    return moment_text(moment, form, scope.locale)


def _at(moment: datetime | date | time, clock: object, zone: str) -> datetime | time:
    read = read_moment(clock, zone) if isinstance(clock, str) else None
    if isinstance(read, datetime):
        read = read.time()
    if not isinstance(read, time):
        raise TemplateError(f"the second argument is {kind_of(clock)} that is no time. Give a time as HH:mm.")
    if isinstance(moment, time):
        return read
    return datetime.combine(moment.date() if isinstance(moment, datetime) else moment, read)


ROWS: Final = (Helper("$date", date_text, 1, 3, takes_frame=True, formats=True, work=40),)
