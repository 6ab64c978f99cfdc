"""What stands behind a backslash, outside and inside of square brackets, as PCRE2 reads it (pcre2pattern)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from dialoom.regex.sets import ESCAPES, others, property_set, united
from dialoom.regex.tree import NEWLINE, AnyNewline, Assertion, Set

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dialoom.query.regex.source import Source

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
_KEEP_WITHOUT: Final = "Write the characters themselves, or ask with several conditions."


def read_escape(source: Source, groups: int, *, bracketed: bool) -> int | Set | Assertion | AnyNewline | None:
    """A character, a set, an assertion, or nothing for ``\\K``, which changes only where a match begins.

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
    return _outside(source, letter, at)


def _in_brackets(source: Source, letter: str, at: int) -> int:
    if letter == "b":
        return 0x08
    if letter in "89":
        return ord(letter)
    raise source.bad(f"\\{letter} cannot stand in square brackets", at)


def _outside(source: Source, letter: str, at: int) -> Set | Assertion | AnyNewline | None:
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
                raise source.not_linear("\\g (a pattern inside of itself)", _KEEP_WITHOUT, at)
            raise source.not_linear(f"\\{letter} (a reference to what a group matched)", _KEEP_WITHOUT, at)
    raise source.bad(f"\\{letter} means nothing", at)


def _number(source: Source, digit: str, groups: int, at: int, *, bracketed: bool) -> int:
    if digit == "0":
        found = source.match(_OCTAL_BEHIND_ZERO)
        return int("0" + (found[0] if found else ""), 8)
    source.at -= 1
    if not bracketed:
        number = _NUMBER.match(source.text, source.at)
        told = number[0] if number else digit
        if len(told) == 1 or digit in "89" or (len(told) < 9 and int(told) <= groups):
            raise source.not_linear(f"\\{told} (a reference to what a group matched)", _KEEP_WITHOUT, at)
    found = source.match(_OCTAL)
    return int(found[0], 8) if found else ord(digit)


def _code(source: Source, letter: str, at: int) -> int:
    """``\\cX``, ``\\x41``, ``\\x{41}``, ``\\o{101}`` and ``\\N{U+41}``."""
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
