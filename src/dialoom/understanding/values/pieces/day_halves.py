"""The two halves of the day: which hour of the day a clock with a dial shows, and which other one it may mean."""

from __future__ import annotations

from dialoom.languages.sections import PartOfDay
from dialoom.understanding.values.message import SmallNumbers
from dialoom.understanding.values.pieces.time_pieces import clock

MAX_DIAL_HOUR = 12


class DayHalves:
    """``twelve_hours``: whether digits with their minutes are said by a twelve-hour clock."""

    def __init__(self, numbers: SmallNumbers, *, twelve_hours: bool) -> None:
        self._numbers = numbers
        self._twelve_hours = twelve_hours

    def minutes(self, hour: int, minute: int, part: PartOfDay | None, *, is_exact: bool) -> int | None:
        """Return minutes since midnight; None for an hour or minute that no clock shows."""
        if hour > 24 or minute > 59 or (hour == 24 and minute):
            return None
        if part == "am":
            hour = 0 if hour == 12 else hour
        elif part == "pm":
            hour += 12 if hour < 12 else 0
        elif part == "night":
            hour = 0 if hour == 12 else hour + 12 if 6 <= hour < 12 else hour
        elif not is_exact and 1 <= hour <= 7:
            hour += 12
        return hour % 24 * 60 + minute

    def others(self, hour: str, minutes: int, part: PartOfDay | None, is_digital: bool) -> tuple[str, ...]:
        """Return the time in the other half of the day, where the words leave open which is meant: not with "am", nor
        in digits with their minutes where people count to 24."""
        is_exact = part is not None or hour.startswith("0") or (is_digital and not self._twelve_hours)
        if is_exact or not 1 <= self._numbers.value(hour) <= MAX_DIAL_HOUR:
            return ()
        return (clock(minutes + 720),)
