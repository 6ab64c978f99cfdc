"""Compiles regular expressions written for RE2, which are searched in linear time. Who reads others translates them."""

from __future__ import annotations

from typing import Final

MAX_BYTES: Final = 2 * 1024 * 1024
"""Memory of one compiled expression with its automaton, which grows to it only where texts ask for it."""


class RegexError(ValueError):
    """RE2 cannot read an expression, or it takes too much memory."""


class LinearSearch:
    """A compiled expression over UTF-8."""

    __slots__ = ("_keeper", "fullmatch", "match", "search")

    def __init__(self, text: str, *, with_groups: bool = False, max_bytes: int = MAX_BYTES) -> None:
        """Raises ``RegexError``."""
        import re2  # 4 MB, for bots and queries that have a regular expression

        options = re2.Options()
        options.log_errors = False
        options.never_capture = not with_groups
        options.max_mem = max_bytes
        # Not re2.compile: it keeps the last 128 expressions of any client as long as we run.
        self._keeper = re2.Filter()
        try:
            self._keeper.Add(text.encode(), options)
        except re2.error as error:
            raise RegexError(str(error)) from None
        expression = self._keeper.re(0)
        self.search = expression.search
        self.match = expression.match
        self.fullmatch = expression.fullmatch
