"""Square brackets of a pattern: a set of characters (pcre2pattern, Square brackets and character classes)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from dialoom.query.regex.escapes import read_escape
from dialoom.regex.sets import POSIX, folded, others, united
from dialoom.regex.tree import Set

if TYPE_CHECKING:
    from dialoom.query.regex.source import Source
    from dialoom.regex.tree import Span

_POSIX: Final = re.compile(r"\[:(\^?)([^\]\\:]*):\]")
_COLLATING: Final = re.compile(r"\[([.=])[^\]\\]*\1\]")
_SPACES: Final = (" ", "\t")


class Brackets:
    """One pair of brackets; the opening one is taken already."""

    def __init__(self, source: Source, groups: int, *, caseless: bool, spaced: bool) -> None:
        self._source = source
        self._groups = groups
        self._caseless = caseless
        self._spaced = spaced
        self._written: list[Span] = []
        self._named: list[Span] = []
        self._properties: list[Set] = []
        self._quoted = False

    def read(self) -> Set:
        source = self._source
        start = source.at - 1
        self._skip()
        negated = source.takes("^")
        self._skip()
        is_first = True
        while is_first or self._quoted or source.peek() != "]":
            if not source.peek():
                raise source.bad("the square bracket is never closed", start)
            self._item()
            is_first = False
            self._skip()
        source.take()
        written = folded(self._written) if self._caseless else self._written
        return united([*written, *self._named], self._properties, negated=negated)

    def _skip(self) -> None:
        """Over ``\\Q`` and ``\\E``, which change how the rest is read, and over spaces where they mean nothing."""
        source = self._source
        while True:
            if self._quoted:
                if not source.takes("\\E"):
                    return
                self._quoted = False
            elif source.takes("\\Q"):
                self._quoted = True
            elif self._spaced and source.peek() in _SPACES:
                source.take()
            elif not source.takes("\\E"):
                return

    def _item(self) -> None:
        source = self._source
        at = source.at
        first = self._one()
        self._skip()
        if self._quoted or source.peek() != "-":
            self._add(first, first)
            return
        hyphen = source.at
        source.take()
        self._skip()
        if not self._quoted and source.peek() == "]":
            self._add(first, first)
            self._written.append((ord("-"), ord("-")))
            return
        if not source.peek():
            raise source.bad("the square bracket is never closed", at)
        if first is None:
            raise source.bad("a hyphen behind a set makes no range; put it last", hyphen)
        last = self._one()
        if last is None:
            raise source.bad("a set cannot end a range", hyphen)
        if last < first:
            raise source.bad("the range ends before it begins", at)
        self._add(first, last)

    def _add(self, first: int | None, last: int | None) -> None:
        if first is not None and last is not None:
            self._written.append((first, last))

    def _one(self) -> int | None:
        """The next character; None for a set, which is added at once."""
        source = self._source
        if self._quoted:
            return ord(source.take())
        if source.peek() == "[" and self._posix():
            return None
        character = source.take()
        if character != "\\":
            return ord(character)
        found = read_escape(source, self._groups, bracketed=True)
        if isinstance(found, int):
            return found
        assert isinstance(found, Set)
        if found.properties:
            self._properties.append(found)
        else:
            self._named += found.spans
        return None

    def _posix(self) -> bool:
        source = self._source
        at = source.at
        found = source.match(_POSIX)
        if not found:
            if _COLLATING.match(source.text, at):
                raise source.bad("[. and [= are not supported", at)
            return False
        name = found[2]
        if name in ("<", ">"):
            raise source.not_linear(f"[[:{name}:]] (where a word begins or ends)", "Ask with \\b.", at)
        if name not in POSIX:
            raise source.bad(f"[:{name}:] names no set", at)
        # In PCRE2 case is ignored in just these two.
        spans = POSIX["alpha" if self._caseless and name in ("lower", "upper") else name]
        self._named += others(spans) if found[1] else spans
        return True
