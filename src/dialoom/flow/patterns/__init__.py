"""A regular expression that an author wrote, for JavaScript or Python: searched by RE2, whatever the text.

What it is searched for is left to understanding and to the validations.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from dialoom.flow.patterns.tree import (
    PatternError,
    ReadPattern,
    SlowPatternError,
    has_boundary,
    marked,
    marked_character,
    needs_marks,
    read_pattern,
)
from dialoom.regex.search import LinearSearch, RegexError, to_re2
from dialoom.regex.search_cost import search_cost
from dialoom.regex.tree import Node

__all__ = ["AuthorPattern", "PatternError", "SlowPatternError", "TextSearch"]

MAX_TEXT_CHARACTERS: Final = 8_192
"""Of a text that patterns look at: a user sends 8,000."""
MAX_BYTES: Final = 4 * 1024 * 1024
r"""Memory of an expression, which grows to it only where texts ask for it. In 2 MB the states of ``\w+\s*\w+`` for
8,000 characters of all scripts do not fit: 75 ms for each such text; in 4 MB 47 for the first and 0.4 for the next."""
MAX_COST: Final = 5_000
"""Of one pattern. The most expensive texts of 8,000 characters then take 50 ms, mostly far less than one."""

_OF_JAVASCRIPT = re.compile(r"\(\?<(?=[A-Za-z_])|(?<!\\)\\k<(\w+)>")


class AuthorPattern:
    """A pattern that can be searched in time that grows with the text alone."""

    __slots__ = ("_aheads", "_search", "cost", "tree")

    def __init__(self, text: str, *, is_case_sensitive: bool = True) -> None:
        """Raises ``PatternError``; its offset counts characters of the author's text."""
        pattern: ReadPattern | None = None
        try:
            pattern = read_pattern(as_python(text), 0 if is_case_sensitive else re.IGNORECASE)
            self.tree = pattern.tree
            self._search = _of_tree(self.tree)
            self._aheads = tuple((_of_tree(one.tree, is_anchored=True), one.is_wanted) for one in pattern.aheads)
            self.cost = self._search.cost + sum(search.cost for search, _ in self._aheads)
            if self.cost > MAX_COST:
                raise _too_expensive(
                    self.cost, max([self._search, *(one for one, _ in self._aheads)], key=_cost).dearest
                )
        except PatternError as error:
            if pattern is not None and isinstance(error, TooExpensiveError):
                error.offset = pattern.place_of(error.dearest)
            longer = 0
            for one in _OF_JAVASCRIPT.finditer(text):
                longer += one.start() + longer < error.offset
            error.offset = max(error.offset - longer, 0)
            raise

    def starts_in(self, text: str) -> Callable[[int], bool]:
        """Return a function of a place in ``text`` that tells whether the pattern's lookaheads let a match begin
        there."""
        opened = [(search.opened(text), is_wanted) for search, is_wanted in self._aheads]
        return lambda start: all(one.is_at(start) == is_wanted for one, is_wanted in opened)

    def is_in(self, text: str) -> bool:
        """Return whether the pattern is found in a text. In one longer than any user sends nothing is found."""
        return len(text) <= MAX_TEXT_CHARACTERS and self._search.is_in(text) and self.starts_in(text)(0)

    def is_whole(self, text: str) -> bool:
        """Return whether the pattern fits a text as a whole."""
        return len(text) <= MAX_TEXT_CHARACTERS and self._search.is_whole(text) and self.starts_in(text)(0)


class OpenedText(NamedTuple):
    expression: LinearSearch
    data: bytes
    offsets: Sequence[int] | None
    """Offset of each character in the encoded text, and of its end; None where both offsets are equal (ASCII)."""

    def offset(self, character: int) -> int:
        return character if self.offsets is None else self.offsets[character]

    def is_at(self, start: int) -> bool:
        """Return whether a match begins at ``start``."""
        return self.expression.match(self.data, self.offset(start)) is not None


class TextSearch:
    """An expression made of a tree, for texts of any script; with ``\\b`` there are two (``marked_character``)."""

    __slots__ = ("_expression", "_has_boundary", "_marked", "_plain", "_with_groups", "cost", "dearest")

    def __init__(
        self,
        tree: Node,
        expression: Callable[[Callable[[Node], str]], str],
        *,
        with_groups: bool = False,
        is_anchored: bool = False,
    ) -> None:
        """Compile the tree: ``expression`` writes it, by a function that writes each part. Raises
        ``SlowPatternError``."""
        self._expression = expression
        self._with_groups = with_groups
        self._has_boundary = has_boundary(tree)
        self._marked: LinearSearch | None = None
        self.cost, self.dearest = search_cost(tree, is_anchored=is_anchored)
        if self._has_boundary:
            self.cost = self.cost * 5 // 4  # for the marks
            marked(tree)  # makes the tables of Unicode, which take 50 ms, before a text asks for them
        if self.cost > MAX_COST:
            raise _too_expensive(self.cost, self.dearest)
        try:
            self._plain = LinearSearch(expression(to_re2), with_groups=with_groups, max_bytes=MAX_BYTES)
        except RegexError:
            # The tree is sound, so that only its size is left. RE2's own words hold the whole pattern.
            raise _too_large(self.dearest) from None

    def is_in(self, text: str) -> bool:
        expression, data = self._data(text)
        return expression.search(data) is not None

    def is_whole(self, text: str) -> bool:
        expression, data = self._data(text)
        return expression.fullmatch(data) is not None

    def opened(self, text: str) -> OpenedText:
        """Return the text with the expression for it, to ask at which of its places a match begins."""
        expression, data = self._data(text)
        if len(data) == len(text):
            return OpenedText(expression, data, None)
        units = text if expression is self._plain else map(marked_character, text)
        return OpenedText(
            expression, data, [0, *itertools.accumulate(len(unit.encode("utf-8", "replace")) for unit in units)]
        )

    def _data(self, text: str) -> tuple[LinearSearch, bytes]:
        if not self._has_boundary or not needs_marks(text):
            return self._plain, text.encode("utf-8", "replace")
        if self._marked is None:  # made when a text first asks for it: it takes a millisecond
            self._marked = LinearSearch(
                self._expression(lambda node: to_re2(marked(node))),
                with_groups=self._with_groups,
                max_bytes=MAX_BYTES,
            )
        return self._marked, "".join(map(marked_character, text)).encode("utf-8", "replace")


def _of_tree(tree: Node, *, is_anchored: bool = False) -> TextSearch:
    return TextSearch(tree, lambda write: write(tree), is_anchored=is_anchored)


def _cost(search: TextSearch) -> int:
    return search.cost


class TooExpensiveError(SlowPatternError):
    """A pattern whose repetitions take too long, with the one that takes longest."""

    def __init__(self, message: str, dearest: Node | None) -> None:
        super().__init__(message)
        self.dearest = dearest


_CHEAPER: Final = (
    "Ask for fewer times here, where the dearest repetition is (for lengths there is the validation length), above all "
    "of \\w and \\d, where [A-Za-z0-9_] and [0-9] cost far less"
)


def _too_expensive(cost: int, dearest: Node | None) -> TooExpensiveError:
    return TooExpensiveError(
        f"takes too long: it costs {cost:,}, and at most {MAX_COST:,} are allowed. {_CHEAPER}", dearest
    )


def _too_large(dearest: Node | None) -> TooExpensiveError:
    return TooExpensiveError(f"takes too much memory once its repetitions are written out. {_CHEAPER}", dearest)


def as_python(pattern: str) -> str:
    """Rewrite named groups and references to them from the spelling of JavaScript to that of Python."""
    return _OF_JAVASCRIPT.sub(lambda one: "(?P<" if one[1] is None else f"(?P={one[1]})", pattern)
