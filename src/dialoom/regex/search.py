"""Writes trees as expressions of RE2 and compiles them to searches that take linear time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from dialoom.regex.tree import Assertion, Either, Node, Repeat, Seq, Set

MAX_BYTES: Final = 2 * 1024 * 1024
"""Memory of one compiled expression with its automaton, which grows to it only where texts ask for it."""


class RegexError(ValueError):
    """RE2 cannot read an expression, or it takes too much memory."""


class LinearSearch:
    """A compiled expression over UTF-8."""

    __slots__ = ("_filter", "fullmatch", "match", "search")

    def __init__(self, text: str, *, with_groups: bool = False, max_bytes: int = MAX_BYTES) -> None:
        """Raises ``RegexError``."""
        import re2  # 4 MB, for bots and queries that have a regular expression

        options = re2.Options()
        options.log_errors = False
        options.never_capture = not with_groups
        options.max_mem = max_bytes
        # Not re2.compile: it keeps the last 128 expressions of any client as long as we run.
        self._filter = re2.Filter()
        try:
            self._filter.Add(text.encode(), options)
        except re2.error as error:
            raise RegexError(str(error)) from None
        expression = self._filter.re(0)
        self.search = expression.search
        self.match = expression.match
        self.fullmatch = expression.fullmatch


_ASSERTIONS: Final[Mapping[Assertion, str]] = {
    Assertion.START: r"\A",
    Assertion.END: r"\z",
    # A last newline has been taken away from the text (``newlines``), so that these two need not look for it.
    Assertion.END_OR_LAST: r"\z",
    Assertion.LINE_START: "(?m:^)",
    Assertion.LINE_END: "(?m:$)",
    Assertion.WORD: r"\b",
    Assertion.NO_WORD: r"\B",
}
_NO_CHARACTER: Final = r"[^\x00-\x{10FFFF}]"


def to_re2(node: Node) -> str:
    """Return the tree as text for RE2 with options that ignore nothing and capture nothing."""
    match node:
        case Assertion():
            return _ASSERTIONS[node]
        case Set():
            return _set(node)
        case Seq(nodes):
            return "".join(f"(?:{to_re2(inner)})" if isinstance(inner, Either) else to_re2(inner) for inner in nodes)
        case Either(choices):
            return "|".join(map(to_re2, choices)) if choices else _NO_CHARACTER
        case Repeat(inner, least, most, lazy):
            repeated = to_re2(inner) if isinstance(inner, Set) else f"(?:{to_re2(inner)})"
            return f"{repeated}{_times(least, most)}{'?' if lazy else ''}"
    raise AssertionError(f"{node} is written out before")


@lru_cache(maxsize=64)  # properties written out have 700 spans
def _set(node: Set) -> str:
    if not node.spans and not node.properties:
        return r"[\x00-\x{10FFFF}]" if node.negated else _NO_CHARACTER
    if len(node.spans) == 1 and not node.properties and not node.negated and node.spans[0][0] == node.spans[0][1]:
        return _code(node.spans[0][0])
    spans = "".join(_code(first) if first == last else f"{_code(first)}-{_code(last)}" for first, last in node.spans)
    return f"[{'^' if node.negated else ''}{spans}{''.join(node.properties)}]"


def _code(code: int) -> str:
    character = chr(code)
    return character if character.isascii() and character.isalnum() else f"\\x{{{code:X}}}"


def _times(least: int, most: int | None) -> str:
    match least, most:
        case 0, None:
            return "*"
        case 1, None:
            return "+"
        case 0, 1:
            return "?"
        case _, None:
            return f"{{{least},}}"
    return f"{{{least}}}" if least == most else f"{{{least},{most}}}"
