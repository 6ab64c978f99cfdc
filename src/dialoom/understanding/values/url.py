"""Url: a web address somewhere in the text, as the user wrote it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dialoom.understanding.candidate import Stretch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.understanding.values.message import Message

_ANY = r"[^\s<>\"“”]"
_ADDRESS = re.compile(
    rf"(?<![\w@./-])(?:https?://{_ANY}++|www\.{_ANY}[^\s<>\"“”.]{{0,255}}\.{_ANY}++"
    r"|(?:[a-z0-9-]{1,63}\.){1,5}(?:com|org|net|edu|gov|io|eu|de|fr|es|it|nl|pt|bg|uk|ch|at|be)"
    rf"(?:[/?#]{_ANY}*+|(?![\w@-])))",
    re.IGNORECASE,
)
_TRAILING = ".,;:!?'’»…"


class UrlReader:
    """Addresses with http, https or www, and bare names under the commonest top domains."""

    def find(self, said: Message) -> Iterator[Stretch]:
        for found in _ADDRESS.finditer(said.text):
            written = found[0].rstrip(_TRAILING)
            unopened = written.count(")") - written.count("(")
            end = len(written)
            while end and (written[end - 1] in _TRAILING or (written[end - 1] == ")" and unopened > 0)):
                unopened -= written[end - 1] == ")"
                end -= 1
            written = written[:end]
            if "." in written or written.lower().partition("://")[2]:
                yield Stretch(found.start(), found.start() + len(written), written)
