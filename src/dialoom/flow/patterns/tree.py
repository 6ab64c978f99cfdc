"""From an author's regular expression, read as Python reads it, to the tree that RE2's text is written from.

Python's own parser reads the pattern, so that every pattern means here what it means there, but that the letters of
``\\d``, ``\\w`` and ``\\b`` hold combining marks too and ``$`` holds at the very end alone.
"""

from __future__ import annotations

import itertools
import re
import re._constants as sre
import re._parser as parser
import sys
import unicodedata
import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from dialoom.regex.sets import folded, merged, others, united
from dialoom.regex.tree import (
    NEWLINE,
    NOTHING,
    Assertion,
    Either,
    Node,
    Repeat,
    Seq,
    Set,
    Span,
    char,
    either,
    repeat,
    seq,
)

MAX_DEPTH: Final = 50
_UNDERSCORE: Final = (0x5F, 0x5F)
_ASCII: Final = ((0x00, 0x7F),)
_DIGITS: Final = Set((), (r"\p{Nd}",))
_WORDS: Final = Set((_UNDERSCORE,), (r"\p{L}", r"\p{M}", r"\p{N}"))
_SPACES: Final = (
    (0x09, 0x0D), (0x1C, 0x20), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A),
    (0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000),
)  # fmt: skip
"""What ``str.isspace`` holds for."""
_EVERY_I: Final = tuple((ord(one), ord(one)) for one in "Iiİı")
SPACE: Final = united(_SPACES)
ANY: Final = united([(0, sys.maxunicode)])

_ASSERTIONS: Final[Mapping[Any, Assertion]] = {
    sre.AT_BEGINNING_STRING: Assertion.START,
    sre.AT_END_STRING: Assertion.END,
    sre.AT_BOUNDARY: Assertion.WORD,
    sre.AT_NON_BOUNDARY: Assertion.NO_WORD,
}

_AROUND: Final = "Match what stands there as well, or say it with a second validation"
_REFUSED: Final = (
    ("ahead", r"\(\?[=!]", "a look ahead that does not stand right behind the first ^", _AROUND),
    ("behind", r"\(\?<[=!]", "a look behind", _AROUND),
    ("condition", r"\(\?\(", "a condition", "Write both cases with |"),
    ("atomic", r"\(\?>", "a group that gives nothing back", "Leave the > away"),
    ("reference", r"\\[1-9]|\(\?P=", "a reference to what a group matched", "Write out what may stand there"),
    ("possessive", r"[*+?}]\+", "a repetition that gives nothing back", "Leave the second sign away"),
)
_CONSTRUCTS: Final = re.compile(
    "|".join(f"(?P<{name}>{form})" for name, form, _, _ in _REFUSED) + r"|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL
)

_REPETITIONS: Final = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?|(?P<sign>(?:[*+?]|\{(?:\d+(?:,\d*)?|,\d+)\})\??)|.", re.DOTALL
)


class PatternError(ValueError):
    """A pattern cannot be read. ``offset`` counts characters of the pattern."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.offset = offset


class SlowPatternError(PatternError):
    """A pattern can be read, and not be searched in time that grows with the text alone."""


class Ahead(NamedTuple):
    """``(?=...)`` or ``(?!...)`` directly behind the outer ``^``: asked on its own where a match begins."""

    tree: Node
    is_wanted: bool


class ReadPattern(NamedTuple):
    tree: Node
    aheads: tuple[Ahead, ...]
    repetitions: tuple[tuple[Node, int], ...]
    """With the place of the sign that repeats; empty where Python's parser has moved some of them."""

    def place_of(self, repetition: Node | None) -> int:
        return next((place for node, place in self.repetitions if node == repetition), 0)


def read_pattern(source: str, flags: int = 0) -> ReadPattern:
    """Read a pattern into a tree; ``flags`` of ``re`` count besides its own. Raises ``PatternError``."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "possible nested set" and the like are no mistakes of a flow's author
            re.compile(source, flags)
            parsed = parser.parse(source, flags)
            branches = _outer_branches(source, parsed.state.flags)
        reader, flags = _Reader(source), parsed.state.flags
        items = list(parsed)
        aheads = _leading_aheads(items, flags)
        looked_for = tuple(Ahead(reader.read(inner, flags, 1), wanted) for inner, wanted in aheads)
        if aheads:
            tree = reader.read([*items[:1], *items[len(aheads) + 1 :]], flags, 0)
        else:
            tree = either(reader.read(branch, flags, 0) for branch in branches)
        places = [found.start() for found in _REPETITIONS.finditer(source) if found.lastgroup]
        known = zip(reader.repetitions, places, strict=True) if len(places) == len(reader.repetitions) else ()
        return ReadPattern(tree, looked_for, tuple(known))
    except re.error as error:
        raise PatternError(f"cannot be read: {error.msg}", error.pos or 0) from None
    except (OverflowError, RecursionError):
        raise PatternError("is too large") from None


def _leading_aheads(items: list[tuple[Any, Any]], flags: int) -> list[tuple[Any, bool]]:
    """Return the lookaheads directly behind ``^`` at the start, each with what it looks for and whether that is
    wanted."""
    if not items or items[0][0] is not sre.AT or items[0][1] is not sre.AT_BEGINNING or flags & re.MULTILINE:
        return []
    is_ahead = ((kind in (sre.ASSERT, sre.ASSERT_NOT) and value[0] == 1) for kind, value in items[1:])
    count = sum(1 for _ in itertools.takewhile(bool, is_ahead))
    return [(value[1], kind is sre.ASSERT) for kind, value in items[1 : 1 + count]]


def _outer_branches(source: str, flags: int) -> Sequence[Iterable[tuple[Any, Any]]]:
    """Return what stands between the bars of the pattern that are in no group.

    Python's whole parser takes what all of them begin with out of them, so that ``^a$|^b$`` is read as ``^(?:a$|b$)``,
    in which no ``$`` is an outer one.
    """
    state, tokens = parser.State(), parser.Tokenizer(source)
    state.flags, state.str = flags, source
    branches = [parser._parse(tokens, state, flags & re.VERBOSE, 1, True)]
    while tokens.match("|"):
        branches.append(parser._parse(tokens, state, flags & re.VERBOSE, 1, False))
    return branches


class _Reader:
    def __init__(self, source: str) -> None:
        self._source = source
        self.repetitions: list[Node] = []
        """In the order of the signs that repeat."""

    def read(self, items: Iterable[tuple[Any, Any]], flags: int, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise PatternError(f"nests groups more than {MAX_DEPTH} deep")
        return seq([self._item(kind, value, flags, depth) for kind, value in items])

    def _item(self, kind: Any, value: Any, flags: int, depth: int) -> Node:
        match kind:
            case sre.LITERAL | sre.NOT_LITERAL:
                return _of_spans([(value, value)], flags, negated=kind is sre.NOT_LITERAL)
            case sre.IN:
                return _brackets(value, flags)
            case sre.ANY:
                return ANY if flags & re.DOTALL else united([(NEWLINE, NEWLINE)], negated=True)
            case sre.BRANCH:
                return either(self.read(branch, flags, depth + 1) for branch in value[1])
            case sre.SUBPATTERN:
                _, added, dropped, inner = value
                return self.read(inner, (flags | added) & ~dropped, depth + 1)
            case sre.MAX_REPEAT | sre.MIN_REPEAT:
                least, most, inner = value
                most = None if most is sre.MAXREPEAT else most
                node = repeat(self.read(inner, flags, depth + 1), least, most, lazy=kind is sre.MIN_REPEAT)
                self.repetitions.append(node)
                return node
            case sre.AT if value is sre.AT_BEGINNING:
                return Assertion.LINE_START if flags & re.MULTILINE else Assertion.START
            case sre.AT if value is sre.AT_END:
                return Assertion.LINE_END if flags & re.MULTILINE else Assertion.END
            case sre.AT:
                return _ASSERTIONS[value]
            case sre.FAILURE:
                return NOTHING
        raise self._refused()

    def _refused(self) -> SlowPatternError:
        """Return an error for the first construct that RE2 does not have, with its place."""
        for found in _CONSTRUCTS.finditer(self._source):
            for name, _, what, instead in _REFUSED:
                if found.lastgroup == name:
                    message = f"uses {what}, which cannot be searched in linear time. {instead}"
                    return SlowPatternError(message, found.start())
        return SlowPatternError("uses what cannot be searched in linear time")


def _of_spans(spans: Iterable[Span], flags: int, *, negated: bool = False) -> Set:
    return united(_any_case(spans) if flags & re.IGNORECASE else spans, negated=negated)


def _any_case(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans in any case; where one of the four i's is (with and without a dot), all are, as for Python."""
    result = folded(spans)
    has_i = any(first <= code <= last for first, last in result for code, _ in _EVERY_I)
    return merged([*result, *_EVERY_I]) if has_i else result


def _brackets(items: Iterable[tuple[Any, Any]], flags: int) -> Set:
    written: list[Span] = []
    named: list[Span] = []
    sets: list[Set] = []
    negated = False
    for kind, value in items:
        match kind:
            case sre.NEGATE:
                negated = True
            case sre.LITERAL:
                written.append((value, value))
            case sre.RANGE:
                written.append(value)
            case _:
                one, is_complement = _category(value, flags)
                named += others(spans_of(one)) if is_complement else one.spans
                sets += [one] if one.properties and not is_complement else []
    spans = [*(_any_case(written) if flags & re.IGNORECASE else written), *named]
    return united(spans, sets, negated=negated)


def _category(value: Any, flags: int) -> tuple[Set, bool]:
    """Return the set of ``\\d``, ``\\s`` or ``\\w``, and whether its complement is meant."""
    name = str(value).removeprefix("CATEGORY_")
    one = {"DIGIT": _DIGITS, "SPACE": SPACE, "WORD": _WORDS}[name.removeprefix("NOT_")]
    if flags & re.ASCII:
        one = united(_intersection(spans_of(one), _ASCII if one is not SPACE else ((0x09, 0x0D), (0x20, 0x20))))
    return one, name.startswith("NOT_")


# ---- sets of characters --------------------------------------------------------------------------------------------


@cache
def spans_of(one: Set) -> tuple[Span, ...]:
    """Return the characters of a set, properties written out."""
    spans = merged([*one.spans, *(span for name in one.properties for span in property_spans(name))])
    return others(spans) if one.negated else spans


@cache
def property_spans(name: str) -> tuple[Span, ...]:
    """Return the characters of ``\\p{L}``, ``\\p{M}``, ``\\p{N}`` or ``\\p{Nd}``. Takes some 50 ms, once."""
    wanted = name[3:-1]
    codes = [code for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)).startswith(wanted)]
    return merged((code, code) for code in codes)


def _intersection(spans: Iterable[Span], kept: Iterable[Span]) -> tuple[Span, ...]:
    return others([*others(spans), *others(kept)])


# ---- word boundaries -----------------------------------------------------------------------------------------------

# RE2's \b knows ASCII alone. So a text with letters beyond it is searched with a "_" on both sides of each of them,
# and the pattern asks for them so. A "_" of the text itself becomes a character that stands in no text.
_FOR_UNDERSCORE: Final = 0xFFFF
_STAND_IN: Final = (_FOR_UNDERSCORE, _FOR_UNDERSCORE)
_MARK: Final = char(_UNDERSCORE[0])


def has_boundary(node: Node) -> bool:
    match node:
        case Assertion():
            return node in (Assertion.WORD, Assertion.NO_WORD)
        case Seq(nodes) | Either(nodes):
            return any(map(has_boundary, nodes))
        case Repeat(inner):
            return has_boundary(inner)
        case _:
            return False


def marked(node: Node) -> Node:
    """Return the tree that finds the same as ``node`` in a text whose characters ``marked_character`` has written."""
    match node:
        case Set():
            return _marked_set(node)
        case Seq(nodes):
            return seq(map(marked, nodes))
        case Either(choices):
            return either(map(marked, choices))
        case Repeat(inner, least, most, lazy):
            return repeat(marked(inner), least, most, lazy=lazy)
        case _:
            return node


@cache
def _letters() -> tuple[Span, ...]:
    """Return the characters of words beyond ASCII, and the one that stands for ``_``."""
    return merged([*(span for span in spans_of(_WORDS) if span[0] > 0x7F), _STAND_IN])


@cache
def _marked_set(one: Set) -> Node:
    spans = spans_of(one)
    plain = _intersection(spans, others([*_letters(), _UNDERSCORE]))
    has_underscore = any(first <= _UNDERSCORE[0] <= last for first, last in spans)
    letters = _intersection(spans, others([_STAND_IN]))
    letters = _intersection([*letters, _STAND_IN] if has_underscore else letters, _letters())
    return either(([united(plain)] if plain else []) + ([seq([_MARK, united(letters), _MARK])] if letters else []))


def needs_marks(text: str) -> bool:
    return not text.isascii() or "_" in text


def marked_character(character: str) -> str:
    if character == "_":
        return f"_{chr(_FOR_UNDERSCORE)}_"
    is_letter = character > "\x7f" and unicodedata.category(character)[0] in "LMN"
    return f"_{character}_" if is_letter else character
