"""Email and Url: addresses somewhere in the text, as the user wrote them.

Whether the domain of an email address exists is never asked: no I/O here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dialoom.understanding.candidate import Stretch

if TYPE_CHECKING:
    from dialoom.understanding.values.message import Message

_EMAIL = re.compile(r"[^\s@,;:<>()\[\]\"“”]{1,64}@[^\s@,;:<>()\[\]\"“”!?]{3,255}")
_RUN_TOGETHER = re.compile(r"(.{1,64}@.{1,254}\.[^\W\d_]{2,63})[+(]?\d[\d.+()/-]{0,30}")
"""An address with a phone number right behind it: "ada@example.com555-1234". No top domain ends in digits."""
_ANY = r"[^\s<>\"“”]"
_URL = re.compile(
    rf"(?<![\w@./-])(?:https?://{_ANY}++|www\.{_ANY}[^\s<>\"“”.]{{0,255}}\.{_ANY}++"
    r"|(?:[a-z0-9-]{1,63}\.){1,5}(?:com|org|net|edu|gov|io|eu|de|fr|es|it|nl|pt|bg|uk|ch|at|be)"
    rf"(?:[/?#]{_ANY}*+|(?![\w@-])))",
    re.IGNORECASE,
)
_TRAILING = ".,;:!?'’»…"


def load_address_rules() -> None:
    """Load the library and its tables of domains: 20 ms."""
    import email_validator  # noqa: F401 - imported for the effect


class EmailReader:
    """Addresses that ``email-validator`` finds well-formed; the value has its domain in lower case."""

    def find(self, said: Message) -> Iterator[Stretch]:
        if "@" not in said.text:
            return
        from email_validator import EmailNotValidError, validate_email

        for found in _EMAIL.finditer(said.text):
            written = found[0].rstrip(".'’»*_-…").removeprefix("mailto:")
            start = found.start() + (len(found[0]) - len(found[0].lstrip("'‘«*")))
            written = written.lstrip("'‘«*")
            if (run_together := _RUN_TOGETHER.fullmatch(written)) is not None:
                written = run_together[1]
            try:
                address = validate_email(written, check_deliverability=False)
            except EmailNotValidError:
                continue
            yield Stretch(start, start + len(written), address.normalized)


class UrlReader:
    """Addresses with http, https or www, and bare names under the commonest top domains."""

    def find(self, said: Message) -> Iterator[Stretch]:
        for found in _URL.finditer(said.text):
            written = found[0].rstrip(_TRAILING)
            unopened = written.count(")") - written.count("(")
            end = len(written)
            while end and (written[end - 1] in _TRAILING or (written[end - 1] == ")" and unopened > 0)):
                unopened -= written[end - 1] == ")"
                end -= 1
            written = written[:end]
            if "." in written or written.lower().partition("://")[2]:
                yield Stretch(found.start(), found.start() + len(written), written)
