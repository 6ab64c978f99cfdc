"""Email: an address somewhere in the text. Whether its domain exists is never asked: no I/O here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dialoom.understanding.candidate import Stretch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.understanding.values.message import Message

_ADDRESS = re.compile(r"[^\s@,;:<>()\[\]\"“”]{1,64}@[^\s@,;:<>()\[\]\"“”!?]{3,255}")


def load_address_rules() -> None:
    """Have the library and its tables of domains ready: 45 ms, which reading and checking a flow does without."""
    import email_validator  # noqa: F401 - imported for the effect


class EmailReader:
    """Addresses that ``email-validator`` finds well-formed; the value has its domain in lower case."""

    def find(self, said: Message) -> Iterator[Stretch]:
        if "@" not in said.text:
            return
        from email_validator import EmailNotValidError, validate_email

        for found in _ADDRESS.finditer(said.text):
            written = found[0].rstrip(".'’»*_-…").removeprefix("mailto:")
            start = found.start() + (len(found[0]) - len(found[0].lstrip("'‘«*")))
            written = written.lstrip("'‘«*")
            try:
                address = validate_email(written, check_deliverability=False)
            except EmailNotValidError:
                continue
            yield Stretch(start, start + len(written), address.normalized)
