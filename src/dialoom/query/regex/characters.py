"""Reads the characters and sets of characters of a PCRE2 pattern: escapes and square brackets (pcre2pattern)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from dialoom.errors import QueryError
from dialoom.query.errors import invalid
from dialoom.regex.sets import ESCAPES, POSIX, folded, others, property_set, united
from dialoom.regex.tree import NEWLINE, AnyNewline, Assertion, Set, Span


class Source:
    """The text of a pattern with the position that is read, and the errors that name it."""

    def __init__(self, text: str, pointer: str) -> None:
        self.text = text
        self.at = 0
        self._pointer = pointer

    def peek(self) -> str:
        """Return the next character; nothing at the end."""
        return self.text[self.at : self.at + 1]

    def take(self) -> str:
        """Return the next character and go behind it."""
        taken = self.peek()
        self.at += len(taken)
        return taken

    def takes(self, word: str) -> bool:
        """Return whether the word stands next, and go behind it."""
        if not self.text.startswith(word, self.at):
            return False
        self.at += len(word)
        return True

    def match(self, form: re.Pattern[str]) -> re.Match[str] | None:
        """Return what stands next in this form, and go behind it."""
        found = form.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def bad(self, what: str, at: int | None = None) -> QueryError:
        start = self.at if at is None else at
        return invalid("bad-regex", f"The regular expression is wrong at character {start + 1}: {what}.", self._pointer)

    def not_linear(self, what: str, instead: str = "", at: int | None = None) -> QueryError:
        start = self.at if at is None else at
        used = f"At character {start + 1} the regular expression uses {what}"
        detail = f"{used}, which cannot be searched in linear time. {instead}".rstrip()
        return invalid("regex-not-linear", detail, self._pointer)

    def too_large(self, what: str) -> QueryError:
        return invalid("regex-too-large", what, self._pointer)


# -- escapes

_CONTROLS: Final[Mapping[str, int]] = {"a": 0x07, "e": 0x1B, "f": 0x0C, "n": 0x0A, "r": 0x0D, "t": 0x09}
_ASSERTIONS: Final[Mapping[str, Assertion]] = {
    "A": Assertion.START,
    # Where the search begins, which is always the start.
    "G": Assertion.START,
    "Z": Assertion.END_OR_LAST,
    "z": Assertion.END,
    "b": Assertion.WORD,
    "B": Assertion.NO_WORD,
}
_OCTAL: Final = re.compile(r"[0-7]{1,3}")
_OCTAL_BEHIND_ZERO: Final = re.compile(r"[0-7]{0,2}")
_OCTAL_IN_BRACES: Final = re.compile(r"\{([0-7]+)\}")
_HEX: Final = re.compile(r"[0-9A-Fa-f]{0,2}")
_HEX_IN_BRACES: Final = re.compile(r"\{([0-9A-Fa-f]+)\}")
_CODE_POINT: Final = re.compile(r"\{U\+([0-9A-Fa-f]+)\}")
_QUANTIFIER: Final = re.compile(r"\{[0-9]+(?:,[0-9]*)?\}")
_NUMBER: Final = re.compile(r"[0-9]+")
_PROPERTY: Final = re.compile(r"\{([^{}]*)\}|([A-Za-z])")

NOT_NEWLINE: Final = united([(NEWLINE, NEWLINE)], negated=True)
_NO_REFERENCES: Final = "Write the characters themselves, or ask with several conditions."


def read_escape(source: Source, groups: int, *, bracketed: bool) -> int | Set | Assertion | AnyNewline | None:
    """Return a character, a set, an assertion, or None for ``\\K``, which changes only where a match begins.

    The backslash is taken already. ``groups`` counts those that were opened: it tells octal numbers from references.
    """
    at = source.at - 1
    letter = source.take()
    if not letter:
        raise source.bad("a backslash stands at the end", at)
    if not (letter.isascii() and letter.isalnum()):
        return ord(letter)
    if letter in _CONTROLS:
        return _CONTROLS[letter]
    if letter.lower() in ESCAPES:
        spans = ESCAPES[letter.lower()]
        return united(spans if letter.islower() else others(spans))
    if letter in "pP":
        return _property(source, letter, at)
    if letter in "01234567" or (letter in "89" and not bracketed):
        return _number(source, letter, groups, at, bracketed=bracketed)
    if letter in "cxo" or (letter == "N" and source.peek() == "{" and not _QUANTIFIER.match(source.text, source.at)):
        return _code(source, letter, at)
    if bracketed:
        return _in_brackets(source, letter, at)
    return _outside_brackets(source, letter, at)


def _in_brackets(source: Source, letter: str, at: int) -> int:
    if letter == "b":
        return 0x08
    if letter in "89":
        return ord(letter)
    raise source.bad(f"\\{letter} cannot stand in square brackets", at)


def _outside_brackets(source: Source, letter: str, at: int) -> Set | Assertion | AnyNewline | None:
    if letter in _ASSERTIONS:
        return _ASSERTIONS[letter]
    match letter:
        case "N":
            return NOT_NEWLINE
        case "R":
            return AnyNewline(at)
        case "K":
            return None
        case "X":
            raise source.not_linear("\\X (a grapheme)", "Ask for single characters with a dot.", at)
        case "C":
            raise source.not_linear("\\C (a single byte)", "Ask for single characters with a dot.", at)
        case "g" | "k":
            if source.peek() in ("<", "'") and letter == "g":
                raise source.not_linear("\\g (a pattern inside of itself)", _NO_REFERENCES, at)
            raise source.not_linear(f"\\{letter} (a reference to what a group matched)", _NO_REFERENCES, at)
    raise source.bad(f"\\{letter} means nothing", at)


def _number(source: Source, digit: str, groups: int, at: int, *, bracketed: bool) -> int:
    if digit == "0":
        found = source.match(_OCTAL_BEHIND_ZERO)
        return int("0" + (found[0] if found else ""), 8)
    source.at -= 1
    if not bracketed:
        number = _NUMBER.match(source.text, source.at)
        digits = number[0] if number else digit
        if len(digits) == 1 or digit in "89" or (len(digits) < 9 and int(digits) <= groups):
            raise source.not_linear(f"\\{digits} (a reference to what a group matched)", _NO_REFERENCES, at)
    found = source.match(_OCTAL)
    return int(found[0], 8) if found else ord(digit)


def _code(source: Source, letter: str, at: int) -> int:
    """Read ``\\cX``, ``\\x41``, ``\\x{41}``, ``\\o{101}`` and ``\\N{U+41}`` as the character's number."""
    if letter == "c":
        control = source.take()
        if not " " <= control <= "~":
            raise source.bad("\\c takes a printable ASCII character", at)
        return ord(control.upper()) ^ 0x40
    if letter == "x" and source.peek() != "{":
        found = source.match(_HEX)
        return int("0" + (found[0] if found else ""), 16)
    form = {"x": _HEX_IN_BRACES, "o": _OCTAL_IN_BRACES, "N": _CODE_POINT}[letter]
    found = source.match(form)
    if not found:
        written = {"x": "\\x{41}", "o": "\\o{101}", "N": "\\N{U+41}"}[letter]
        raise source.bad(f"\\{letter} takes a number in braces, as in {written}", at)
    digits = found[1].lstrip("0")
    code = int(digits or "0", 8 if letter == "o" else 16) if len(digits) <= 11 else -1
    if not 0 <= code <= 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        raise source.bad("no character has this number", at)
    return code


def _property(source: Source, letter: str, at: int) -> Set:
    found = source.match(_PROPERTY)
    if not found:
        raise source.bad(f"\\{letter} takes a property, as in \\{letter}{{Lu}}", at)
    name = re.sub(r"[\s_-]", "", found[1] or found[2] or "")
    negated = (letter == "P") != name.startswith("^")
    name = name.removeprefix("^").capitalize()
    result = property_set(name, negated)
    if result is None:
        instead = "There are the general categories, such as \\p{L}, \\p{Lu} or \\p{Nd}."
        raise source.not_linear(f"\\{letter}{found[0]} (a property)", instead, at)
    return result


# -- square brackets

_POSIX: Final = re.compile(r"\[:(\^?)([^\]\\:]*):\]")
_COLLATING: Final = re.compile(r"\[([.=])[^\]\\]*\1\]")
_SPACES: Final = (" ", "\t")


class Brackets:
    """Reads one pair of brackets; the opening one is taken already."""

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
        """Go behind ``\\Q`` and ``\\E``, which change how the rest is read, and behind spaces that mean nothing."""
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
        """Return the next character; None for a set, which is added at once."""
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
