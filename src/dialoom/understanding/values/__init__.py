"""The built-in types, one file each; which of them a language's recogniser reads is listed here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.understanding.values.amount import AmountReader
from dialoom.understanding.values.confirmation import ConfirmationReader
from dialoom.understanding.values.date import DateReader
from dialoom.understanding.values.datetime import DatetimeReader
from dialoom.understanding.values.duration import DurationReader
from dialoom.understanding.values.email import EmailReader, load_address_rules
from dialoom.understanding.values.lengths import Lengths
from dialoom.understanding.values.number import NumberReader
from dialoom.understanding.values.phone import PhoneReader, load_numbering_plans
from dialoom.understanding.values.text import TextReader
from dialoom.understanding.values.time import TimeReader
from dialoom.understanding.values.url import UrlReader
from dialoom.understanding.words import words_for

if TYPE_CHECKING:
    from dialoom.understanding.values.message import Reader

__all__ = ["load_libraries", "readers_for"]


def load_libraries() -> None:
    """What readers import when they first need it, so that no message waits for it. Once a process."""
    load_numbering_plans()
    load_address_rules()


def readers_for(language: str) -> dict[str, Reader]:
    """A reader for each built-in type that can be read from text, with the words of a language."""
    words = words_for(language)
    lengths, numbers = Lengths(words), NumberReader(words, language)
    dates, times = DateReader(words, language, lengths), TimeReader(words, lengths)
    return {
        "Text": TextReader(),
        "Number": numbers,
        "Date": dates,
        "Time": times,
        "Datetime": DatetimeReader(words, dates, times, lengths),
        "Duration": DurationReader(words, lengths),
        "Amount": AmountReader(words, language, numbers),
        "Email": EmailReader(),
        "PhoneNumber": PhoneReader(),
        "Url": UrlReader(),
        "Confirmation": ConfirmationReader(words, words_for("en")),
    }
