"""A regular expression that an author wrote, for JavaScript or Python: searched by RE2, whatever the text.

What it is searched for is left to understanding and to the validations.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from dialoom.flow.patterns.tree import (
    PatternError,
    SlowPatternError,
    has_boundary,
    marked,
    marked_character,
    needs_marks,
    read_pattern,
)
from dialoom.regex.search import LinearSearch, RegexError
from dialoom.regex.tree import Either, Node, Repeat, Seq, Set
from dialoom.regex.write import written

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["AuthorPattern", "PatternError", "SlowPatternError", "TextSearch"]

MAX_TEXT_CHARACTERS: Final = 8_192
"""Of a text that patterns look at: a user sends 8,000."""
MAX_COST: Final = 5_000
"""Of one pattern. The most expensive texts of 8,000 characters then take 50 ms, mostly far less than one."""
MAX_TIMES: Final = 1_000
"""RE2's own limit, for repetitions of repetitions together."""

_OF_JAVASCRIPT = re.compile(r"\(\?<(?=[A-Za-z_])|(?<!\\)\\k<(\w+)>")


class AuthorPattern:
    """A pattern that can be searched in time that grows with the text alone."""

    __slots__ = ("_aheads", "_search", "cost", "tree")

    def __init__(self, text: str) -> None:
        """Raises ``PatternError``; its offset counts characters of the author's text."""
        try:
            self.tree, aheads = read_pattern(as_python(text))
            self._search = _of_tree(self.tree)
            self._aheads = tuple((_of_tree(ahead.tree), ahead.is_wanted) for ahead in aheads)
        except PatternError as error:
            longer = 0
            for one in _OF_JAVASCRIPT.finditer(text):
                longer += one.start() + longer < error.offset
            error.offset = max(error.offset - longer, 0)
            raise
        self.cost = sum(map(cost, (self.tree, *(ahead.tree for ahead in aheads))))
        if self.cost > MAX_COST:
            raise _too_large()

    def starts_in(self, text: str) -> Callable[[int], bool]:
        """Tells of a place in the text whether what the pattern looks ahead for lets a match begin there."""
        opened = [(search.opened(text), is_wanted) for search, is_wanted in self._aheads]
        return lambda start: all(one.is_at(start) == is_wanted for one, is_wanted in opened)

    def is_in(self, text: str) -> bool:
        """Whether the pattern is found in a text. In one longer than any user sends nothing is found."""
        return len(text) <= MAX_TEXT_CHARACTERS and self._search.is_in(text) and self.starts_in(text)(0)

    def is_whole(self, text: str) -> bool:
        """Whether the pattern fits a text as a whole."""
        return len(text) <= MAX_TEXT_CHARACTERS and self._search.is_whole(text) and self.starts_in(text)(0)


class OpenedText(NamedTuple):
    expression: LinearSearch
    data: bytes
    offsets: Sequence[int] | None
    """Where each character of the text begins in the data, and where the last ends; None: where it is in the text."""

    def offset(self, character: int) -> int:
        return character if self.offsets is None else self.offsets[character]

    def is_at(self, start: int) -> bool:
        """Whether a match begins just here."""
        return self.expression.match(self.data, self.offset(start)) is not None


class TextSearch:
    """An expression made of trees, for texts of any script: with ``\\b`` in it there are two (``marked_character``)."""

    __slots__ = ("_expression", "_has_boundary", "_marked", "_plain", "_with_groups")

    def __init__(
        self, expression: Callable[[Callable[[Node], str]], str], *trees: Node, with_groups: bool = False
    ) -> None:
        """``expression`` joins the trees as a function writes each. Raises ``SlowPatternError``."""
        self._expression = expression
        self._with_groups = with_groups
        self._has_boundary = any(map(has_boundary, trees))
        self._marked: LinearSearch | None = None
        for written_trees in [trees, tuple(map(marked, trees))] if self._has_boundary else [trees]:
            if sum(map(cost, written_trees)) > MAX_COST:
                raise _too_large()
        try:
            self._plain = LinearSearch(expression(written), with_groups=with_groups)
        except RegexError:
            # The tree is sound, so that only its size is left. RE2's own words hold the whole pattern.
            raise _too_large() from None

    def is_in(self, text: str) -> bool:
        expression, data = self._data(text)
        return expression.search(data) is not None

    def is_whole(self, text: str) -> bool:
        expression, data = self._data(text)
        return expression.fullmatch(data) is not None

    def opened(self, text: str) -> OpenedText:
        """The text with the expression for it, for one who asks where something is found."""
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
                self._expression(lambda node: written(marked(node))), with_groups=self._with_groups
            )
        return self._marked, "".join(map(marked_character, text)).encode("utf-8", "replace")


def _of_tree(tree: Node) -> TextSearch:
    return TextSearch(lambda write: write(tree), tree)


def _too_large() -> SlowPatternError:
    return SlowPatternError(
        "takes too long once its repetitions are written out. Ask for fewer times (+ costs as much as {2}; for lengths "
        "there is the validation length), above all of \\w and \\d, where [A-Za-z0-9_] and [0-9] cost far less"
    )


def cost(node: Node, *, is_repeated: bool = False) -> int:
    """What a search takes at each character of the worst text: about a nanosecond each (0.8 to 1.3, measured).

    A character that stands for itself outside of repetitions costs next to nothing: of many names with bars between
    only those that begin alike are looked at together.
    """
    match node:
        case Set():
            return 1 if not is_repeated and _is_one_character(node) else 4 * _weight(node)
        case Seq(nodes) | Either(nodes):
            return sum(cost(inner, is_repeated=is_repeated) for inner in nodes)
        case Repeat(inner, least, most):
            return (least + 1 if most is None else most) * max(cost(inner, is_repeated=True), 1)
        case _:
            return 1


def _is_one_character(one: Set) -> bool:
    return not one.negated and not one.properties and len(one.spans) <= 4 and all(a == b for a, b in one.spans)


def _weight(one: Set) -> int:
    """Alternatives that RE2 tries at a byte. A set beyond ASCII has many, up to some forty."""
    beyond = 12 * len(one.properties) + sum(1 for _, last in one.spans if last > 0x7F)
    within = sum(1 for first, _ in one.spans if first <= 0x7F)
    return 1 + within + (min(max(beyond, 6), 36) if beyond or one.negated else 0)


def as_python(pattern: str) -> str:
    """The few things that JavaScript writes in another way."""
    return _OF_JAVASCRIPT.sub(lambda one: "(?P<" if one[1] is None else f"(?P={one[1]})", pattern)
