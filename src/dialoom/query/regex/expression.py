"""Compiles the regular expressions of history queries: PCRE2's patterns, searched in linear time by RE2."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from dialoom.query.errors import invalid
from dialoom.query.regex.characters import Source
from dialoom.query.regex.newlines import depends_on_last_newline, without_last_newline, write_out_any_newline
from dialoom.query.regex.pattern import Flags, read_tree
from dialoom.query.regex.required_text import ANY_TEXT, RequiredText, required_text, trimmed
from dialoom.regex.search import LinearSearch, RegexError, to_re2
from dialoom.regex.tree import Assertion, Node, compile_cost, is_nullable

MAX_CHARACTERS: Final = 4_096
MAX_PROGRAM_BYTES: Final = 1024 * 1024
"""Bytes of one compiled expression with its automaton. The slowest that fits searches 8,000 characters in a second; the
interpreter is free meanwhile."""
MAX_COST: Final = 50_000
"""Cost of all expressions of a query together: 50 ms to compile. The interpreter is not free meanwhile."""
MIN_SEARCHED_CHARS: Final = 8_192
"""Characters that every expression can search, however much it costs: no user sends more."""
MAX_SEARCHED_CHARS: Final = 65_536
_MAX_SEARCH_STEPS: Final = 16_000_000
"""Cost times characters between those two. A search takes a second at most, mostly far less."""
_BETWEEN_BYTES: Final = frozenset((Assertion.NO_WORD,))

_FLAGS: Final[Mapping[str, str]] = {"i": "caseless", "m": "lines", "s": "all", "x": "spaced"}
REFUSED_OPTIONS: Final[Mapping[str, str]] = {
    "A": "begins every search at the start of the text",
    "D": "lets $ hold at the very end only",
    "l": "follows the locale of the server",
    "q": "takes the pattern for a plain text",
    "y": "begins every search at the start of the text",
}
"""Letters with which other languages would find something else than without. The rest is ignored, as drivers do."""


class Expression(msgspec.Struct, frozen=True, eq=False):
    """A regular expression, compiled. Two are never equal: what they were made from is the query's text."""

    pattern: str
    options: str
    needs: RequiredText
    found: Callable[[str], bool]
    """Returns whether it is found in the text."""
    cost: int = 0
    longest: int | None = None
    """Characters of the longest text that it can search in time; None for any."""


def read_expression(pattern: str, options: str, pointer: str, left: int = MAX_COST) -> Expression:
    """Return the expression; ``QueryError`` if it is wrong, too large, or cannot be searched in linear time.

    ``left``: what of the query's ``MAX_COST`` it may use.
    """
    if len(pattern) > MAX_CHARACTERS:
        detail = f"The regular expression has {len(pattern):,} characters; at most {MAX_CHARACTERS:,} are allowed."
        raise invalid("regex-too-large", detail, pointer)
    flags = Flags()._replace(**{_FLAGS[letter]: True for letter in options if letter in _FLAGS})
    source = Source(pattern, pointer)
    tree = read_tree(source, flags)
    tree = trimmed(write_out_any_newline(tree, source) if "\\R" in pattern else tree)
    needs = required_text(tree)
    if needs.exact and not needs.any_case:
        return Expression(pattern, options, needs, _plainly(needs))
    shorter = without_last_newline(tree) if depends_on_last_newline(tree) else None
    price = compile_cost(tree) + (0 if shorter is None else compile_cost(shorter))
    if price > left:
        detail = (
            "The regular expressions of the query are too large together once their repetitions are written out. Ask "
            "for fewer times, above all of properties such as \\p{L}, each of which stands for hundreds of ranges."
        )
        raise source.too_large(detail)
    longest = min(max(_MAX_SEARCH_STEPS // price, MIN_SEARCHED_CHARS), MAX_SEARCHED_CHARS)
    return Expression(pattern, options, needs, _searched(tree, shorter, needs, source), price, longest)


def _plainly(needs: RequiredText) -> Callable[[str], bool]:
    """Return the search for what needs no regular expression."""
    among, begins, contains = needs.among, needs.begins, needs.contains
    if needs == ANY_TEXT:
        return lambda _text: True
    if among:
        return lambda text: text in among
    if contains:
        return lambda text: any(word in text for word in contains)
    return lambda text: text.startswith(begins)


def _searched(tree: Node, shorter: Node | None, needs: RequiredText, source: Source) -> Callable[[str], bool]:
    # Python's own small letters are not those of needs: it makes some of what is no ASCII letter.
    begins, contains = needs.begins, () if needs.any_case else needs.contains
    text = _from_character(tree)
    search = _compiled(text, source)
    search_without_last = None
    if depends_on_last_newline(tree):
        text_without_last = "" if shorter is None else _from_character(shorter)
        search_without_last = search if text_without_last == text else _compiled(text_without_last, source)

    def found(text: str) -> bool:
        # Python's own search is ten times quicker than to call RE2, and most texts go no further.
        if not text.startswith(begins) or (contains and not any(word in text for word in contains)):
            return False
        if search_without_last and text.endswith("\n"):
            return search_without_last(text[:-1])
        return search(text)

    return found


def _compiled(text: str, source: Source) -> Callable[[str], bool]:
    try:
        expression = LinearSearch(text, max_bytes=MAX_PROGRAM_BYTES)
    except RegexError:
        # The tree is sound, so that only its size is left. RE2's own words hold the whole pattern.
        detail = "The regular expression is too large once its repetitions are written out; ask for fewer times."
        raise source.too_large(detail) from None
    return lambda text: expression.search(text.encode("utf-8", "surrogatepass")) is not None


def _from_character(tree: Node) -> str:
    # RE2 also begins inside of the bytes of a character, where \B holds: a match, if nothing need follow.
    text = to_re2(tree)
    return rf"\A[\x00-\x{{10FFFF}}]*?(?:{text})" if is_nullable(tree, _BETWEEN_BYTES) else text
