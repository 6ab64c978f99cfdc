"""What a language's table of words holds; the tables themselves are data, one file a language, and the readers of
``values`` are the only ones that use them. All texts are folded (see ``normalise.fold``) when a reader is built.
"""

from __future__ import annotations

from typing import Literal

import msgspec

DateOrder = Literal["day-month", "month-day", "year-month"]
PartOfDay = Literal["am", "pm", "night"]
Unit = Literal["second", "minute", "hour", "day", "week", "month", "year"]


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """The words that a language has for numbers, days, hours, yes and no."""

    language: str = ""

    # ---- numbers
    numbers: dict[str, int] = {}
    """Words of one number each, compounds that are written as one word among them."""
    multipliers: dict[str, int] = {}
    """hundred, thousand ..."""
    number_joiners: tuple[str, ...] = ()
    """What may stand between tens and units, or after a hundred."""
    articles: tuple[str, ...] = ()
    """Number words that are articles or pronouns as well: a number only as the whole text or with a unit."""
    not_one_after: tuple[str, ...] = ()
    """Words after which "one" is a pronoun."""
    countable: tuple[str, ...] = ()
    """Nouns before which it is a number all the same: "make that one ticket"."""
    halves: tuple[str, ...] = ()
    """One half as the whole number: "half"."""
    and_half: tuple[str, ...] = ()
    """One half more, after a number or a unit: "two and a half hours", "an hour and a half"."""
    with_half: dict[str, float] = {}
    """Words of a number with its half: German "anderthalb"."""
    minus: tuple[str, ...] = ()
    not_numbers: tuple[str, ...] = ()
    """Phrases that hold a number word and tell none: "one way", Spanish "por ciento"."""
    point: tuple[str, ...] = ()
    """Between a whole number and its decimals: "two point five"."""
    cents: tuple[str, ...] = ()
    """The hundredth part of a currency, after an amount: "five dollars and 50 cents"."""
    with_cents: tuple[str, ...] = ()
    """Between an amount and its hundredths, besides the joiners: Spanish "con"."""
    spaced: bool = True
    """Whether words are written with spaces between them."""

    # ---- days
    order: DateOrder = "day-month"
    months: dict[str, int] = {}
    weekdays: dict[str, int] = {}
    """Monday is 0."""
    days: dict[str, int] = {}
    """Words for a day by its distance from today."""
    not_days: tuple[str, ...] = ()
    """Phrases that hold such a word and are none: German "guten Morgen"."""
    ordinals: dict[str, int] = {}
    counted_days: bool = False
    """Whether days of the month are said with plain numbers: "tres de marzo"."""
    ordinal_suffixes: tuple[str, ...] = ()
    """What follows the digits of a day of the month: "rd", "er", "."."""
    bare_days: tuple[str, ...] = ()
    """What makes the digits after it a day of the month without more: French "le 12"."""
    bare_suffix: bool = True
    """Whether digits with an ordinal suffix are a day of the month by themselves."""
    ordinal_nouns: tuple[str, ...] = ()
    """Nouns that take an ordinal away from the calendar: "the 3rd floor"."""
    before_days: tuple[str, ...] = ()
    """The same where the sentence ends after the digits or goes on with an hour: "on the 12"."""
    until: tuple[str, ...] = ()
    """Between two days of one month: "from the 3rd to the 5th of March"."""
    of: tuple[str, ...] = ()
    """Between day and month, month and year."""
    on: tuple[str, ...] = ()
    """Before the day: "the", "den"."""
    on_weekday: tuple[str, ...] = ()
    """Between "next week" and a weekday: Bulgarian "в"."""
    next_week: tuple[str, ...] = ()
    """Before or after a weekday: the one in the week (from Monday) after this one."""
    after_next: tuple[str, ...] = ()
    """Before or after a weekday: the one in the week after that."""
    last: tuple[str, ...] = ()
    """Before or after a weekday: the last one before today."""
    coming: tuple[str, ...] = ()
    """Before or after a weekday: the first one after today."""
    this: tuple[str, ...] = ()
    """Before or after a weekday: the first one from today on."""
    months_near: dict[str, int] = {}
    """A month by its distance from this one, as it follows a day: "of this month", "of next month"."""
    start_of: tuple[str, ...] = ()
    middle_of: tuple[str, ...] = ()
    end_of: tuple[str, ...] = ()
    """Before the name of a month or one of ``months_near``."""
    feasts: dict[str, tuple[int, int]] = {}
    """Days of the year that have a name: month and day."""
    streets: tuple[str, ...] = ()
    """Before what would be a date, and makes it the name of a street: "rue du 8 mai"."""
    streets_after: tuple[str, ...] = ()
    """The same behind it: "12 May Street"."""
    not_slips: tuple[str, ...] = ()
    """Words that are one letter away from a month or weekday and mean something else."""
    units: dict[str, Unit] = {}
    lengths: dict[str, tuple[float, Unit]] = {}
    """Phrases for a length of time that no number tells: "half an hour"."""
    counted: tuple[tuple[str, Unit, int], ...] = ()
    """Phrases of lengths counted from now with ``{n}`` for the number, their unit and direction (1 ahead, -1 back), for
    languages whose grammar the other fields cannot hold."""
    within: tuple[str, ...] = ()
    """Before a length of time: "in three days"."""
    from_now: tuple[str, ...] = ()
    """After a length of time: "three days from now"."""
    ago: tuple[str, ...] = ()
    """After a length of time, backwards."""
    ago_before: tuple[str, ...] = ()
    """Before a length of time, backwards: "vor drei Tagen"."""

    # ---- hours
    twelve_hours: bool = False
    """Whether "4:30" in digits is said by a twelve-hour clock."""
    at: tuple[str, ...] = ()
    """Before a bare hour."""
    near: tuple[str, ...] = ()
    """Before a bare hour too, but before other numbers as well: only where no noun follows ("about 5 people")."""
    range_before: tuple[str, ...] = ()
    """Before the first of two hours, where "3 to 5" is no "three minutes to five"."""
    lasting: tuple[str, ...] = ()
    """Before hours that are a length and no time of day: "pendant 2 heures"."""
    hour_words: tuple[str, ...] = ()
    """After a bare hour: "o'clock", "Uhr", "h"."""
    minute_words: tuple[str, ...] = ()
    fixed_times: dict[str, int] = {}
    """Words for a minute of the day: noon, midnight."""
    now: tuple[str, ...] = ()
    """A message that says no more than this means this day and minute."""
    parts: dict[str, PartOfDay] = {}
    """Before or after an hour."""
    before_hour: dict[str, int] = {}
    """Minutes that a phrase before the hour adds: "half past", German "halb" (-30)."""
    after_hour: dict[str, int] = {}
    """Minutes that a phrase after the hour adds: "y media"."""
    past: tuple[str, ...] = ()
    """Between minutes and the hour that they follow: "ten past four"."""
    to: tuple[str, ...] = ()
    """Between minutes and the hour that they precede."""
    after_to: tuple[str, ...] = ()
    """Between an hour and the minutes that it lacks: "las cuatro menos diez"."""

    # ---- yes and no
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    strong: tuple[str, ...] = ()
    """Those of them that answer even when a sentence goes on: "no make it four"."""
    polite: tuple[str, ...] = ()
    """What may follow a yes or no."""
    neither: tuple[str, ...] = ()
    """Phrases that hold a word of yes or no and are neither."""
    fillers: tuple[str, ...] = ()
    """What may stand before a yes or no: "well", "oh"."""

    # ---- sentences
    common: tuple[str, ...] = ()
    """Words that say little about what a sentence is about."""
