"""The built-in types, one file each; which of them a language's recogniser reads is listed here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from dialoom.languages import currencies
from dialoom.understanding.candidate import longest
from dialoom.understanding.values.addresses import EmailReader, UrlReader, load_address_rules
from dialoom.understanding.values.amount import AmountReader
from dialoom.understanding.values.confirmation import ConfirmationReader
from dialoom.understanding.values.date import DateReader
from dialoom.understanding.values.datetime import DatetimeReader
from dialoom.understanding.values.duration import DurationReader, Lengths
from dialoom.understanding.values.message import TextReader, message, whole
from dialoom.understanding.values.neighbours import UNREAD, Neighbours
from dialoom.understanding.values.number import NumberReader
from dialoom.understanding.values.phone import PhoneReader, load_numbering_plans
from dialoom.understanding.values.slips import Slips
from dialoom.understanding.values.time import TimeReader
from dialoom.understanding.words import words_for
from dialoom.understanding.words.counted import things_for

if TYPE_CHECKING:
    from dialoom.understanding.values.message import Message, Reader

__all__ = ["READ_TYPES", "load_libraries", "readers_for", "reads_in"]


class Readers(dict[str, "Reader"]):
    """The readers of a language by type, each made when a message first needs it: all together take 80 ms, most of it
    for patterns of the language's words."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language
        self.words = words_for(language)
        self.english = words_for("en")
        currencies()  # these files are read here, so that no message waits for the disk

    def __missing__(self, type_: str) -> Reader:
        reader = self[type_] = _MAKERS[type_](self)
        return reader

    @cached_property
    def lengths(self) -> Lengths:
        return Lengths(self.words)

    @cached_property
    def numbers(self) -> NumberReader:
        return NumberReader(self.words, self.language)

    @cached_property
    def slips(self) -> Slips:
        return Slips(self.words)

    @cached_property
    def neighbours(self) -> Neighbours:
        return Neighbours(self.words)

    @cached_property
    def dates(self) -> DateReader:
        return DateReader(self.words, self.language, self.lengths, self.slips, self.neighbours)

    @cached_property
    def times(self) -> TimeReader:
        return TimeReader(self.words, self.lengths, self.slips, self.neighbours, self.language)

    def unread(self, said: Message, type_: str) -> Iterator[tuple[int, int]]:
        """Yield where words of a Date, Time or Datetime are no one value ("31 February", "at the latest 9")."""
        for place in self.neighbours.changed_numbers(said.folded.text):
            yield said.folded.span(*place)
        for part, reader in (("Date", self.dates), ("Time", self.times)):
            if type_ in (part, "Datetime"):
                reader.find(said)
                yield from said.kept[reader, UNREAD]

    @cached_property
    def amounts(self) -> AmountReader:
        return AmountReader(self.words, self.language, self.numbers, things_for(self.language))


_MAKERS: dict[str, Callable[[Readers], Reader]] = {
    "Text": lambda _: TextReader(),
    "Number": lambda readers: readers.numbers,
    "Date": lambda readers: readers.dates,
    "Time": lambda readers: readers.times,
    "Datetime": lambda readers: DatetimeReader(readers.words, readers.dates, readers.times, readers.lengths),
    "Duration": lambda readers: DurationReader(readers.words, readers.lengths),
    "Amount": lambda readers: readers.amounts,
    "Email": lambda _: EmailReader(),
    "PhoneNumber": lambda _: PhoneReader(),
    "Url": lambda _: UrlReader(),
    "Confirmation": lambda readers: ConfirmationReader(readers.words, readers.english),
}
READ_TYPES = frozenset(_MAKERS)
"""The built-in types that can be read from text."""


@lru_cache(maxsize=64)
def readers_for(language: str) -> Readers:
    """Return the readers of a language, which all bots of the language share."""
    return Readers(language)


def reads_in(language: str, type_: str, text: str, now: datetime) -> Any:
    """Return a whole text as a value of a built-in type, read in a language; None when it is none."""
    said = message(text, now)
    one = whole(said, longest(readers_for(language)[type_].find(said)))
    return None if one is None else one.value


def load_libraries() -> None:
    """Load what readers import when they first need it. Once a process."""
    load_numbering_plans()
    load_address_rules()
