"""When two texts of an author are one to the understanding that will read them.

A little stricter than ``dialoom.understanding``, which stands above this room: what is equal here is equal there.
"""

from __future__ import annotations

import re
import unicodedata

_has_host = re.compile(
    r"(?:https?://[\w*.-]{1,80}|(?:\*\.|[a-z0-9-]{1,20}\.){1,3}[a-z]{2,12}|\*)(?::\d{1,5})?/?(?![\w*.-])"
).match
_ACCENTS = ("\u0300", "\u036f")


def plain(text: str) -> str:
    """The words of a text without case, accents and punctuation; a text without words only trimmed."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    if not folded.isascii():
        spread = unicodedata.normalize("NFD", folded)
        folded = "".join(sign for sign in spread if not _ACCENTS[0] <= sign <= _ACCENTS[1])
    words = "".join(sign if _is_of_a_word(sign) else " " for sign in folded).split()
    return " ".join(words) or folded.strip()


def _is_of_a_word(sign: str) -> bool:
    return sign.isalnum() or (not sign.isascii() and unicodedata.category(sign) in ("Mn", "Mc", "So"))


def leniently(text: str) -> str:
    """Letters and digits without accents and case: as lenient as the understanding that will read the option."""
    spread = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in spread if character.isalnum())


def shown_address(address: str) -> str:
    """Return an address for a finding, up to its host. What has not the form of an address is not shown,
    nor one with ``@`` in it, since a password may stand before it."""
    found = None if "@" in address else _has_host(address)
    if found is None:
        return "This address"
    return f'"{address}"' if found.end() == len(address) else f'"{found[0]}…"'
