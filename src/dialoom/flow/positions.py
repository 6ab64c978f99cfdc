"""Reads JSON text into values and remembers where each value and each key stands.

``json`` forgets positions and takes doubled keys, NaN and lone surrogates; a flow's author needs the first and must
hear of the others. What the values mean is left to ``flow.read``.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from json import JSONDecodeError
from json.decoder import scanstring  # type: ignore[attr-defined]  # there since Python 3.0, left out of typeshed
from typing import Any, NamedTuple

Path = tuple[str | int, ...]
"""Keys and indexes from the top of a file to a value."""

MAX_DEPTH = 64
"""Levels of nesting that a file may have: far above any real flow, far below Python's recursion limit."""

MAX_PROBLEMS = 1000
"""Mistakes of one text, after which the rest is not read."""

_MAX_INTEGER_DIGITS = 308
"""Digits of a whole number: more do not fit a float, and Python refuses to read more than 4300."""

_space = re.compile(r"[ \t\n\r]*").match
_number = re.compile(r"(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?").match
_word = re.compile(r"[A-Za-z_$][\w$.-]*").match
_line_end = re.compile("\n").finditer
_unfit_characters = re.compile("[\x00\ud800-\udfff]")
_unfit = _unfit_characters.search
_CONSTANTS = {"true": True, "false": False, "null": None}
_INSTEAD = {"True": "true", "TRUE": "true", "False": "false", "FALSE": "false", "None": "null", "undefined": "null"}


class Problem(NamedTuple):
    """Something wrong with the text itself, at ``offset`` characters from its start."""

    rule: str
    offset: int
    message: str
    path: Path


Spot = tuple[int, "dict[str, tuple[int, Spot]] | list[Spot] | None"]
"""Where a value starts, and the spots of what it holds (of an object's member the key's offset, too)."""


class Document(NamedTuple):
    """A file that was scanned. ``value`` is of use only where ``is_broken`` is false."""

    text: str
    value: Any
    root: Spot
    problems: tuple[Problem, ...]
    is_broken: bool
    copies: tuple[tuple[int, int], ...] = ()
    """Where members start and end whose key comes again in their object, as far as this reading held them."""
    line_ends: tuple[int, ...] = ()

    def offset(self, path: Sequence[str | int], *, key: bool = False) -> int:
        """Return where the value (or its key) starts; of a value that is not there, where the nearest one around it
        does."""
        spot, key_at = self.root, self.root[0]
        for part in path:
            held = spot[1]
            if isinstance(held, dict) and isinstance(part, str) and part in held:
                key_at, spot = held[part]
            elif isinstance(held, list) and isinstance(part, int) and part < len(held):
                spot = held[part]
                key_at = spot[0]
            else:
                return spot[0]
        return key_at if key else spot[0]

    def inside(self, path: Sequence[str | int], characters: int) -> int:
        """Return where the character stands that comes ``characters`` after the start of the text at ``path``."""
        at = self.offset(path)
        if not self.text.startswith('"', at):
            return at
        at += 1
        while characters > 0 and self.text[at : at + 1] not in ('"', ""):
            at += _width(self.text, at)
            characters -= 1
        return at

    def holds(self, path: Sequence[str | int]) -> bool:
        """Return whether something stands at ``path`` in the text itself."""
        held = self.root[1]
        for part in path:
            if isinstance(held, dict) and isinstance(part, str) and part in held:
                held = held[part][1][1]
            elif isinstance(held, list) and isinstance(part, int) and part < len(held):
                held = held[part][1]
            else:
                return False
        return True

    def end(self, start: int) -> int:
        """Return where the value or key ends that starts at ``start``."""
        return _Scanner(self.text, None).value(start, 0)[2]

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset; both count from 1, columns in characters."""
        line = bisect_left(self.line_ends, offset)
        return line + 1, offset - (self.line_ends[line - 1] if line else -1)


def _width(text: str, at: int) -> int:
    """Return how many characters of the file make one of the value: ``a``, ``\\n``, ``\\u00e4`` or a surrogate
    pair."""
    if text[at] != "\\":
        return 1
    if text[at + 1 : at + 2] != "u":
        return 2
    is_pair = text[at + 2 : at + 4].lower() in ("d8", "d9", "da", "db") and text[at + 6 : at + 8] == "\\u"
    return 12 if is_pair else 6


class _Broken(Exception):
    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset


def scan(text: str, *, copy: int | None = None) -> Document:
    """Read ``text``; never raises. A byte order mark is passed over.

    Of a key that stands in an object several times the last value is kept, as ``json`` does, or, with ``copy``, that of
    this place among them (0 is the first).
    """
    text = text.removeprefix("\ufeff")
    scanner = _Scanner(text, copy)
    start = after_space(text, 0)
    try:
        value, root, end = scanner.value(start, 0)
        end = after_space(text, end)
        if end < len(text):
            raise _Broken(end, _after_the_end(text[end]))
    except _Broken as broken:
        problem = Problem("broken-json", broken.offset, str(broken), tuple(scanner.path))
        problems = (*scanner.problems, problem)
        return Document(text, None, (start, None), problems, is_broken=True, line_ends=scanner.line_ends)
    copies = tuple(scanner.copies)
    return Document(
        text, value, root, tuple(scanner.problems), is_broken=False, copies=copies, line_ends=scanner.line_ends
    )


def after_space(text: str, at: int) -> int:
    """Return the offset of the first character from ``at`` on that is no white space of JSON."""
    found = _space(text, at)
    return found.end() if found else at


def _after_the_end(character: str) -> str:
    if character in "}]":
        return f"This {character} closes nothing. Remove it, or look for one too many above."
    return "The file's value ends before this. A file holds one object: remove the rest."


class _Scanner:
    """One pass over a text. ``path`` is the way to the value being read, for the sentence about broken text."""

    def __init__(self, text: str, copy: int | None) -> None:
        self.text = text
        self.copy = copy
        self.line_ends = tuple(found.start() for found in _line_end(text))
        self.copies: list[tuple[int, int]] = []
        self.path: list[str | int] = []
        self.problems: list[Problem] = []
        # Only an escape or an odd character in the text itself can make an unfit one: most files skip the search.
        self.may_be_unfit = "\\u" in text or _unfit(text) is not None

    def value(self, at: int, depth: int) -> tuple[Any, Spot, int]:
        text = self.text
        first = text[at : at + 1]
        if first == '"':
            found, end = self.string(at)
            return found, (at, None), end
        if first == "{":
            return self.object(at, depth + 1)
        if first == "[":
            return self.list(at, depth + 1)
        number = _number(text, at)
        if number:
            return self.number(number, at), (at, None), number.end()
        word = _word(text, at)
        if word and word.group() in _CONSTANTS:
            return _CONSTANTS[word.group()], (at, None), word.end()
        raise _Broken(at, self.no_value(at, word.group() if word else ""))

    def string(self, at: int) -> tuple[str, int]:
        try:
            found, end = scanstring(self.text, at + 1, True)
        except JSONDecodeError as error:
            raise _Broken(error.pos, _about_string(error)) from None
        if self.may_be_unfit and (unfit := _unfit(found)):
            name = "a NUL character" if unfit.group() == "\0" else "half of a surrogate pair"
            self.problem("unfit-text", at, f"This text holds {name}, which cannot be stored or sent. Remove it.")
            found = _unfit_characters.sub("\ufffd", found)
        return found, end

    def number(self, found: re.Match[str], at: int) -> int | float:
        whole, fraction, exponent = found.groups()
        if fraction is None and exponent is None and len(whole) <= _MAX_INTEGER_DIGITS:
            return int(whole)
        number = float(found.group())
        if number in (float("inf"), float("-inf")):
            self.problem("unfit-number", at, "This number is too large. Write it as a text, in quotes.")
            return 0
        return number

    def object(self, at: int, depth: int) -> tuple[dict[str, Any], Spot, int]:
        text = self.text
        self.check_depth(at, depth)
        values: dict[str, Any] = {}
        spots: dict[str, tuple[int, Spot]] = {}
        ends: dict[str, int] = {}
        earlier: dict[str, int] = {}
        here = after_space(text, at + 1)
        if text.startswith("}", here):
            return values, (at, spots), here + 1
        while True:
            if not text.startswith('"', here):
                raise _Broken(here, self.no_key(at, here))
            key, end = self.string(here)
            end = after_space(text, end)
            if not text.startswith(":", end):
                raise _Broken(end, "A colon must follow the key.")
            self.path.append(key)
            is_kept = True
            if key in values:
                number = earlier[key] = earlier.get(key, 0) + 1
                is_kept = self.copy is None or number <= self.copy
                self.copies.append((spots[key][0], ends[key]))
                line = self.line(spots[key][0])
                self.problem("doubled-key", here, f'"{key}" stands here twice, first in line {line}. Keep one of them.')
            value, spot, end = self.value(after_space(text, end + 1), depth)
            self.path.pop()
            if is_kept:
                values[key], spots[key], ends[key] = value, (here, spot), end
            end = after_space(text, end)
            mark = text[end : end + 1]
            if mark == "}":
                return values, (at, spots), end + 1
            if mark != ",":
                raise _Broken(end, self.no_comma(at, end))
            here = after_space(text, end + 1)

    def list(self, at: int, depth: int) -> tuple[list[Any], Spot, int]:
        text = self.text
        self.check_depth(at, depth)
        values: list[Any] = []
        spots: list[Spot] = []
        here = after_space(text, at + 1)
        if text.startswith("]", here):
            return values, (at, spots), here + 1
        while True:
            self.path.append(len(values))
            value, spot, end = self.value(here, depth)
            self.path.pop()
            values.append(value)
            spots.append(spot)
            end = after_space(text, end)
            mark = text[end : end + 1]
            if mark == "]":
                return values, (at, spots), end + 1
            if mark != ",":
                raise _Broken(end, self.no_comma(at, end))
            here = after_space(text, end + 1)

    def check_depth(self, at: int, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise _Broken(at, f"Objects and lists are nested more than {MAX_DEPTH} deep here. Make it flatter.")

    def problem(self, rule: str, offset: int, message: str) -> None:
        if len(self.problems) == MAX_PROBLEMS:
            raise _Broken(offset, f"There are more than {MAX_PROBLEMS} mistakes above. Correct those first.")
        self.problems.append(Problem(rule, offset, message, tuple(self.path)))

    def line(self, offset: int) -> int:
        return bisect_left(self.line_ends, offset) + 1

    # ---- sentences about broken text; they never quote it, since a file that is no JSON may be a key or a password --

    def opened(self, at: int) -> str:
        return f"the {self.text[at]} of line {self.line(at)}"

    def no_value(self, at: int, word: str) -> str:
        text = self.text
        if at >= len(text):
            return (
                "The file ends where a value should stand." if text.strip() else "The file is empty. Write {} at least."
            )
        if word in _INSTEAD:
            return f"JSON has no {word}. Write {_INSTEAD[word]}."
        if word in ("NaN", "Infinity") or text.startswith("-Infinity", at):
            return "JSON has no NaN and no Infinity. Write a number, or a text in quotes."
        if text.startswith(("//", "/*", "#"), at):
            return 'JSON has no comments. Write them as a text under the key "note".'
        if text[at] in "]}":
            return f"A comma stands before this {text[at]}, or a value is missing. Remove the comma or write the value."
        if text[at] == "'":
            return "Texts stand in double quotes: \"...\" instead of '...'."
        if word:
            return "This word must stand in double quotes to be a text."
        return "This character starts no value. A text, number, object, list, true, false or null is expected."

    def no_key(self, opened: int, at: int) -> str:
        text = self.text
        if at >= len(text):
            return f"The file ends before {self.opened(opened)} is closed."
        if text[at] == "}":
            return "A comma stands before this }. Remove the comma."
        if text.startswith(("//", "/*", "#"), at):
            return 'JSON has no comments. Write them as a text under the key "note".'
        return 'A key in double quotes is expected here, as in "note": "...".'

    def no_comma(self, opened: int, at: int) -> str:
        text = self.text
        if at >= len(text):
            return f"The file ends before {self.opened(opened)} is closed."
        if text.startswith(("//", "/*", "#"), at):
            return 'JSON has no comments. Write them as a text under the key "note".'
        closing = "}" if text[opened] == "{" else "]"
        if text[at] in "}]":
            return f"This {text[at]} does not close {self.opened(opened)}: a {closing} is missing."
        return f"A comma or {closing} is missing before this (inside {self.opened(opened)})."


def _about_string(error: JSONDecodeError) -> str:
    if error.msg.startswith("Unterminated"):
        return "The text that starts here has no closing quote."
    if error.msg.startswith("Invalid control"):
        if error.doc[error.pos : error.pos + 1] in "\r\n":
            return 'The line ends inside a text. Close the text with ", or write \\n for a line break.'
        return "A control character stands inside a text. Write a tab as \\t, others as \\u00XX, or remove it."
    return r'After a \ only " \ / b f n r t and u with four digits may stand. Write \\ for a backslash.'
