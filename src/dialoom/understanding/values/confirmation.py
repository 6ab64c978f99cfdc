"""Confirmation: yes or no. A message answers when it begins with a yes or no, or is nothing else.

"No, make it four" is a no and leaves the rest to other types; "no idea" and "not sure" are neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dialoom.languages import Words
from dialoom.understanding.candidate import Stretch
from dialoom.understanding.normalise import fold
from dialoom.understanding.values.message import ENDS, one_of, plain

if TYPE_CHECKING:
    from dialoom.understanding.values.message import Message

YES_SIGNS = "👍👌✅✔☑🆗🙆💯"
NO_SIGNS = "👎❌✖❎🚫🙅⛔"
_SIGN = re.compile(rf"[{YES_SIGNS}{NO_SIGNS}][\ufe0f\U0001f3fb-\U0001f3ff]{{0,4}}")


class ConfirmationReader:
    """Yes and no of a language; the English words are understood everywhere, unless they mean something else there."""

    def __init__(self, words: Words, english: Words) -> None:
        own_yes, own_no = {plain(fold(one)) for one in words.yes}, {plain(fold(one)) for one in words.no}
        # Portuguese "no" is "in the".
        foreign = {plain(fold(one)) for one in words.common} - {plain(fold(one)) for one in (*words.yes, *words.no)}
        self._no = own_no | ({plain(fold(one)) for one in english.no} - own_yes - foreign)
        self._yes = own_yes | ({plain(fold(one)) for one in english.yes} - self._no - foreign)
        unread = (one for one in words.unread_before if plain(fold(one)).split(" ")[0] in self._no)
        neither = (*words.neither, *english.neither, *unread)
        known = self._yes | self._no
        strong = one_of(one for one in (*words.strong, *english.strong) if plain(fold(one)) in known)
        polite = one_of((*words.polite, *english.polite, *words.farewells, *words.regrets))
        fillers = one_of((*words.fillers, *english.fillers, *words.regrets))
        every = (*words.yes, *words.no, *english.yes, *english.no)
        answers = one_of(one for one in every if plain(fold(one)) in known)
        after = rf"(?=\s*(?:$|[^\w\s]|{polite}{ENDS}|{answers}{ENDS}))"
        # "no idea" is asked about before "no", and of the answers the longest wins: "of course not" is no "of course".
        self._start = re.compile(
            rf"\W*+(?:{fillers}[\s,]{{1,5}}){{0,8}}(?:(?P<neither>{one_of(neither)}){ENDS}"
            rf"|(?P<answer>{answers}){ENDS}{after}|(?P<strong>{strong}){ENDS})"
        )
        self._next = re.compile(rf"\W*+(?:(?:{polite}|{fillers}){ENDS}\W*+){{0,8}}(?P<answer>{answers}){ENDS}{after}")

    def find(self, said: Message) -> Iterator[Stretch]:
        found = self._start.match(said.folded.text)
        if found is None:
            yield from self._signs(said)
        elif not found["neither"]:
            group = "answer" if found["answer"] else "strong"
            value = self._is_yes(found[group])
            following = self._next.match(said.folded.text, found.end())
            if following is None or self._is_yes(following["answer"]) == value:
                start, end = said.folded.span(found.start(group), found.end(group))
                yield Stretch(start, end, value)

    def _is_yes(self, phrase: str) -> bool:
        return plain(phrase) in self._yes

    def _signs(self, said: Message) -> Iterator[Stretch]:
        signs = list(_SIGN.finditer(said.text))
        if signs and len({sign[0][0] in YES_SIGNS for sign in signs}) == 1:
            yield Stretch(signs[0].start(), signs[0].end(), signs[0][0][0] in YES_SIGNS)
