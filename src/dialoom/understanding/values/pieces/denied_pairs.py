"""Two days or hours that one word denies: "not the 8th or 9th".

They are read as one stretch with two values, so that what denies the first denies the second; where nothing is denied
after all ("why not the 8th or 9th?") it is the same ambiguity as ever.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from dialoom.languages import Words, reader_words
from dialoom.understanding.candidate import Stretch
from dialoom.understanding.normalise import fold
from dialoom.understanding.values.message import STARTS, one_of
from dialoom.understanding.values.neighbours import MAX_BESIDE_CHARS
from dialoom.understanding.words.roles import roles_for


class DeniedPairs:
    """What denies and what joins two values in a language."""

    def __init__(self, words: Words, language: str) -> None:
        replies, roles = reader_words(language).replies, roles_for(language)
        denying = (*(() if replies is None else replies.denying), *roles.not_)
        leading = rf"(?:{one_of((*words.at, *words.on, *words.on_weekday, *words.bare_days))}\s*)?"
        self._before = re.compile(rf"{STARTS}{one_of(denying)}\s+{leading}$")
        self._between = re.compile(rf"\s*{one_of(roles.alternatives)}\s+{leading}")

    def joined(self, text: str, found: Sequence[Stretch]) -> list[Stretch]:
        """Return the values of a text in its order, those that are denied together with one place."""
        groups: list[list[Stretch]] = []
        for one in found:
            if groups and self._are_denied(text, groups[-1], one):
                groups[-1].append(one)
            else:
                groups.append([one])
        return [replace(one, start=group[0].start, end=group[-1].end) for group in groups for one in group]

    def _are_denied(self, text: str, group: Sequence[Stretch], one: Stretch) -> bool:
        end, start = group[-1].end, group[0].start
        if not 0 < one.start - end <= MAX_BESIDE_CHARS or self._between.fullmatch(fold(text[end : one.start])) is None:
            return False
        return len(group) > 1 or self._before.search(fold(text[max(0, start - MAX_BESIDE_CHARS) : start])) is not None
