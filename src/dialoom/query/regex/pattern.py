"""Reads a pattern into a tree as PCRE2 reads it in UTF mode, without UCP (pcre2pattern).

Raises an error that names what RE2 cannot search, and what PCRE2 itself takes for an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from dialoom.query.regex.characters import NOT_NEWLINE, Brackets, Source, read_escape
from dialoom.regex.sets import folded, united
from dialoom.regex.tree import LAST, Assertion, Node, char, either, repeat, seq

MAX_DEPTH: Final = 50
MAX_TIMES: Final = 1000
"""RE2's own limit, for repetitions of repetitions together."""
_PCRE2_TIMES: Final = 65_535

_ANY: Final = united([(0, LAST)])
_SPACES: Final = frozenset(" \t\n\v\f\r\x85\u200e\u200f\u2028\u2029")

_TIMES: Final = re.compile(r"\{([0-9]+)(?:(,)([0-9]*))?\}")
_FLAGS: Final = re.compile(r"(\^?)([imsxnJU]*)(?:(-)([imsxnJU]*))?([:)])")
_NAME: Final = re.compile(r"([^\W\d]\w{0,31})([>'])")
_POSIX_OUTSIDE: Final = re.compile(r"\[([:.=])[^\]\\]*\1\]")
_CALL: Final = re.compile(r"R\)|[+-]?[0-9]+\)|&|P>")
_VERB: Final = re.compile(r"\(\*([A-Za-z_]*)([^)]*)\)?")
_IGNORED_VERBS: Final = frozenset(("UTF", "LF", "NO_JIT", "NO_START_OPT", "NO_AUTO_POSSESS", "NO_DOTSTAR_ANCHOR"))
"""What may stand at the start of a pattern and changes nothing here."""

_AROUND: Final = "Say it with $not, or with several conditions that must all hold."
_TWICE: Final = "Write the pattern out as often as it may be met."
_REFUSED_GROUPS: Final[tuple[tuple[str, str, str], ...]] = (
    ("=", "(?= (a look ahead)", _AROUND),
    ("!", "(?! (a look ahead)", _AROUND),
    ("*", "(?* (a look ahead)", _AROUND),
    ("<=", "(?<= (a look behind)", _AROUND),
    ("<!", "(?<! (a look behind)", _AROUND),
    ("<*", "(?<* (a look behind)", _AROUND),
    (">", "(?> (a group that gives nothing back)", "Leave the > away."),
    ("(", "(?( (a condition)", "Use $or."),
    ("P=", "(?P= (a reference to what a group matched)", "Write it out."),
    ("C", "(?C (a callout)", ""),
)


class Flags(NamedTuple):
    caseless: bool = False
    """i"""
    lines: bool = False
    """m"""
    all: bool = False
    """s"""
    spaced: bool = False
    """x"""
    spaced_brackets: bool = False
    """xx"""
    uncounted: bool = False
    """n"""
    doubles: bool = False
    """J"""


_FLAG_NAMES: Final[Mapping[str, str]] = {
    "i": "caseless",
    "m": "lines",
    "s": "all",
    "x": "spaced",
    "n": "uncounted",
    "J": "doubles",
}


class _Group:
    """A group that is not closed yet, or the whole pattern."""

    def __init__(self, at: int, flags: Flags) -> None:
        self.at = at
        self.flags = flags
        """Those in front of it, which hold again behind it."""
        self.choices: list[Node] = []
        self.nodes: list[Node] = []


def read_tree(source: Source, flags: Flags) -> Node:
    """Return the tree of the pattern; ``QueryError`` for what is wrong in it or cannot be searched in linear time."""
    return _PatternReader(source, flags).tree()


class _PatternReader:
    def __init__(self, source: Source, flags: Flags) -> None:
        self._source = source
        self._flags = flags
        self._open = [_Group(0, flags)]
        self._groups = 0
        self._names: set[str] = set()
        self._repeatable = False
        """True if the last node may be repeated."""
        self._repeated = False
        """True if it just was, so that a sign may follow. Comments and what else is ignored may stand between."""

    def tree(self) -> Node:
        self._verbs()
        while self._source.peek():
            self._item()
        if len(self._open) > 1:
            raise self._source.bad("the bracket is never closed", self._open[-1].at)
        return self._closed(self._open[0])

    def _verbs(self) -> None:
        source = self._source
        while (found := _VERB.match(source.text, source.at)) and found[1] in _IGNORED_VERBS and found[0].endswith(")"):
            source.at = found.end()

    def _item(self) -> None:
        source = self._source
        at = source.at
        character = source.take()
        if self._flags.spaced and character in _SPACES:
            return
        if self._flags.spaced and character == "#":
            end = source.text.find("\n", at)
            source.at = len(source.text) if end < 0 else end + 1
            return
        times = _TIMES.match(source.text, at) if character == "{" else None
        if character in ("*", "+", "?") or times:
            self._repeat(character, times, at)
        elif character in _SIGNS:
            _SIGNS[character](self, at)
        else:
            self._character(ord(character))

    def _put(self, node: Node, *, repeatable: bool = True) -> None:
        self._open[-1].nodes.append(node)
        self._repeatable, self._repeated = repeatable, False

    def _end_item(self) -> None:
        """Note that what was read last can neither be repeated nor has been."""
        self._repeatable = self._repeated = False

    def _character(self, code: int) -> None:
        self._put(united(folded([(code, code)])) if self._flags.caseless else char(code))

    def _repeat(self, sign: str, times: re.Match[str] | None, at: int) -> None:
        source = self._source
        if times:
            source.at = times.end()
            least = self._times(times[1], at)
            most = least if not times[2] else self._times(times[3], at) if times[3] else None
        else:
            least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        if self._repeated and sign == "+":
            what = "+ behind a repetition (which then gives nothing back)"
            raise source.not_linear(what, "Leave the second sign away.", at)
        if self._repeated and sign == "?":
            self._repeated = False
            return
        if not self._repeatable:
            raise source.bad(f"{sign} has nothing in front of it to repeat", at)
        if most is not None and most < least:
            raise source.bad("the numbers of times are the wrong way round", at)
        if max(least, most or 0) > MAX_TIMES:
            raise source.too_large(f"A regular expression may ask for at most {MAX_TIMES:,} times.")
        nodes = self._open[-1].nodes
        nodes.append(repeat(nodes.pop(), least, most))
        self._repeatable, self._repeated = False, True

    def _times(self, digits: str, at: int) -> int:
        number = int(digits.lstrip("0")[:6] or "0")
        if number > _PCRE2_TIMES:
            raise self._source.bad(f"a number of times is greater than {_PCRE2_TIMES}", at)
        return number

    def _backslash(self, at: int) -> None:
        source = self._source
        if source.takes("Q"):
            end = source.text.find("\\E", source.at)
            quoted = source.text[source.at :] if end < 0 else source.text[source.at : end]
            source.at = len(source.text) if end < 0 else end + 2
            for character in quoted:
                self._character(ord(character))
        elif not source.takes("E"):
            found = read_escape(source, self._groups, bracketed=False)
            if isinstance(found, int):
                self._character(found)
            elif found is not None:
                self._put(found, repeatable=not isinstance(found, Assertion))
            else:
                self._end_item()

    def _bracket(self, at: int) -> None:
        source = self._source
        if _POSIX_OUTSIDE.match(source.text, at):
            raise source.bad("[: stands only inside of square brackets, as in [[:alpha:]]", at)
        flags = self._flags
        brackets = Brackets(source, self._groups, caseless=flags.caseless, spaced=flags.spaced_brackets)
        self._put(brackets.read())

    def _dot(self, _at: int) -> None:
        self._put(_ANY if self._flags.all else NOT_NEWLINE)

    def _caret(self, _at: int) -> None:
        self._put(Assertion.LINE_START if self._flags.lines else Assertion.START, repeatable=False)

    def _dollar(self, _at: int) -> None:
        self._put(Assertion.LINE_END if self._flags.lines else Assertion.END_OR_LAST, repeatable=False)

    def _bar(self, _at: int) -> None:
        group = self._open[-1]
        group.choices.append(seq(group.nodes))
        group.nodes = []
        self._end_item()

    def _opening(self, at: int) -> None:
        source = self._source
        if source.peek() == "*":
            verb = _VERB.match(source.text, at)
            if verb and (verb[1] or verb[2].startswith(":")):
                raise source.not_linear(f"(*{verb[1]}", "Leave it away.", at)
        if not source.takes("?"):
            self._begin(at, counted=not self._flags.uncounted)
        elif source.takes("#"):
            end = source.text.find(")", source.at)
            if end < 0:
                raise source.bad("the comment is never closed", at)
            source.at = end + 1
        else:
            self._special(at)

    def _special(self, at: int) -> None:
        """Read a group behind whose bracket there is a question mark."""
        source = self._source
        for sign, what, instead in _REFUSED_GROUPS:
            if source.text.startswith(sign, source.at):
                raise source.not_linear(what, instead, at)
        if _CALL.match(source.text, source.at):
            raise source.not_linear(f"(?{source.peek()} (a pattern inside of itself)", _TWICE, at)
        if source.takes("|"):
            self._begin(at, counted=False)
        elif source.takes("P<") or source.takes("<") or source.takes("'"):
            self._named(at)
        else:
            self._flagged(at)

    def _named(self, at: int) -> None:
        source = self._source
        closing = "'" if source.text[source.at - 1] == "'" else ">"
        name = source.match(_NAME)
        if not name or name[2] != closing:
            raise source.bad("the name of a group is letters, digits and _, at most 32, and begins with no digit", at)
        if name[1] in self._names and not self._flags.doubles:
            raise source.bad("two groups have the same name", at)
        self._names.add(name[1])
        self._begin(at, counted=True)

    def _flagged(self, at: int) -> None:
        source = self._source
        found = source.match(_FLAGS)
        if not found or (found[1] and found[3]):
            raise source.bad("behind (? stands nothing that is known", at)
        outside = self._flags
        flags = Flags(doubles=outside.doubles) if found[1] else outside
        on, off = found[2], found[4] or ""
        flags = flags._replace(**{_FLAG_NAMES[letter]: True for letter in on if letter in _FLAG_NAMES})
        if "x" in on:
            flags = flags._replace(spaced_brackets="xx" in on)
        flags = flags._replace(**{_FLAG_NAMES[letter]: False for letter in off if letter in _FLAG_NAMES})
        if "x" in off:
            flags = flags._replace(spaced_brackets=False)
        if found[5] == ":":
            self._begin(at, counted=False)
        else:
            self._end_item()
        self._flags = flags

    def _begin(self, at: int, *, counted: bool) -> None:
        if len(self._open) > MAX_DEPTH:
            raise self._source.too_large(f"A regular expression may nest groups at most {MAX_DEPTH} deep.")
        self._groups += counted
        self._open.append(_Group(at, self._flags))
        self._end_item()

    def _closing(self, at: int) -> None:
        if len(self._open) == 1:
            raise self._source.bad("a bracket is closed that was never opened", at)
        group = self._open.pop()
        self._flags = group.flags
        self._put(self._closed(group))

    def _closed(self, group: _Group) -> Node:
        return either([*group.choices, seq(group.nodes)])


_SIGNS: Final[Mapping[str, Callable[[_PatternReader, int], None]]] = {
    "\\": _PatternReader._backslash,
    "[": _PatternReader._bracket,
    ".": _PatternReader._dot,
    "^": _PatternReader._caret,
    "$": _PatternReader._dollar,
    "|": _PatternReader._bar,
    "(": _PatternReader._opening,
    ")": _PatternReader._closing,
}
