"""PhoneNumber: 5 to 15 digits with the usual separators and an optional plus, as the user wrote them.

Whether a number exists in a country's numbering plan is the validation ``phone``'s question (its ``region``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dialoom.understanding.candidate import Stretch
from dialoom.understanding.values.addresses import EmailReader

if TYPE_CHECKING:
    from dialoom.understanding.values.message import Message

UNSURE = 0.5
"""Confidence of digits that might be anything: fewer than seven, or an international number that no plan has."""
MIN_SURE_DIGITS = 7

_NUMBER = re.compile(r"(?<![\w@+.,:/-])(?:\+|00)?[(\d](?:[\s\u00a0./()-]{0,3}\d){3,16}(?![\w@]|[.,:/-]\d)")
_DATE = re.compile(r"\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:\d{4}|\d{2})|\d{1,3}(?:\.\d{3}){1,5}")


class PhoneReader:
    """Phone numbers of any country."""

    def find(self, said: Message) -> Iterator[Stretch]:
        first, last = len(said.text) - len(said.text.lstrip()), len(said.text.rstrip(" .!"))
        for found in _NUMBER.finditer(_without_addresses(said)):
            written = found[0]
            digits = sum(sign.isdecimal() for sign in written)
            if not 5 <= digits <= 15 or _DATE.fullmatch(written) or not _has_paired_brackets(written):
                continue
            is_sure = digits >= MIN_SURE_DIGITS and (not written.startswith("+") or _is_possible(written))
            is_whole = found.start() <= first and found.end() >= last
            if is_sure or is_whole:
                yield Stretch(found.start(), found.end(), written, 1.0 if is_sure else UNSURE)


def _without_addresses(said: Message) -> str:
    """The text with blanks for e-mail addresses and a sign behind each: a number may follow without a space."""
    text = said.text
    for address in EmailReader().find(said):
        end = address.end + (text[address.end : address.end + 1] in tuple(",;/"))
        text = f"{text[: address.start]}{' ' * (end - address.start)}{text[end:]}"
    return text


def _has_paired_brackets(written: str) -> bool:
    depth = 0
    for sign in written:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth not in (0, 1):
            return False
    return depth == 0


def _is_possible(written: str) -> bool:
    import phonenumbers  # there already since the recogniser was made

    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(written))
    except phonenumbers.NumberParseException:
        return False


def load_numbering_plans() -> None:
    """Load the plans of all countries: else the first number of each would read a file in the midst of a turn.

    Once a process: with the import 80 ms and 3 MB. Every bot needs them, since numbers are left out of what a sentence
    is about.
    """
    import phonenumbers

    phonenumbers.PhoneMetadata.load_all()
