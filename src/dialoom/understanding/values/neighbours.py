"""Words beside a day or an hour that change what it means and cannot be read: "every Tuesday", "10 or later".

With one of them nothing is taken (understanding.md, Recognition 5). Words that are read with the value are left to
``date`` and ``time``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dialoom.languages import Words
from dialoom.understanding.values.message import ENDS, STARTS, SmallNumbers, one_of

MAX_BESIDE_CHARS = 48
"""Characters before a value in which such a word is looked for."""
UNREAD = "unread"
"""With a reader the key in ``Message.kept`` of where it saw what it could not read as one value."""


class Neighbours:
    """The words of a language that change a value beside them."""

    def __init__(self, words: Words) -> None:
        joining = one_of((*words.at, *words.on, *words.on_weekday, *words.bare_days))
        self._before = re.compile(rf"{STARTS}{one_of(words.unread_before)}\s+(?:{joining}\s*)?$")
        self._after = re.compile(rf"[\s,]{{0,3}}{one_of((*words.unread_after, *words.ago))}{ENDS}")
        changing = one_of((*words.unread_before, *words.unread_after))
        number = SmallNumbers(words).pattern
        joined = rf"(?:{one_of((*words.at, *words.near, *words.on, *words.bare_days))}\s*)?"
        self._number = re.compile(
            rf"{STARTS}(?:{changing}\s+{joined}{number}|{number}\s+{one_of(words.unread_after)}){ENDS}"
        )
        self._leading = re.compile(rf"{one_of((*words.at, *words.near, *words.on, *words.bare_days))}\s+")

    def changed_numbers(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where such a word stands beside a bare number in a folded text: "at the latest 9"."""
        for found in self._number.finditer(text):
            yield found.span()

    def change(self, text: str, start: int, end: int) -> bool:
        """Return whether a word beside this stretch of a folded text, or one that runs into it ("not [before 10]"),
        makes it mean something else."""
        if self._after.match(text, end) is not None:
            return True
        leading = self._leading.match(text, start, end)
        begins = {start} if leading is None else {start, leading.end()}
        return any(self._before.search(text, max(0, one - MAX_BESIDE_CHARS), one) for one in begins)
