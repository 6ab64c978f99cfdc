"""What the words of a reply say beside its values: a plain yes or no, doubt, a change, a wish. Which question and which
conversation is meant is left to the engine (flow-language.md section 5, rule 4).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from dialoom.languages import reader_words
from dialoom.understanding.normalise import MAX_KEPT_TEXTS, words_of
from dialoom.understanding.values.confirmation import NO_SIGNS, YES_SIGNS
from dialoom.understanding.words import words_for
from dialoom.understanding.words.roles import roles_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

_LENGTHENED = re.compile(r"(.)\1{2,}")
"""A letter that is drawn out: "yesss", "nooo"."""
_SHARED = 4
"""Letters that two forms of a word begin with alike: "book" and "booked"."""
_ENDING = 3
"""Letters that one of them may have more."""


class Phrases:
    """A set of phrases, found word by word, at each place the longest."""

    __slots__ = ("_by_first",)

    def __init__(self, phrases: Iterable[str]) -> None:
        by_first: dict[str, set[tuple[str, ...]]] = {}
        for phrase in phrases:
            words = folded_words(phrase)
            if words:
                by_first.setdefault(words[0], set()).add(words)
        self._by_first = {first: sorted(found, key=len, reverse=True) for first, found in by_first.items()}

    def at(self, words: Sequence[str], index: int) -> int:
        """Return how many words the longest phrase has that stands there; 0 without one."""
        for phrase in self._by_first.get(words[index], ()):
            if tuple(words[index : index + len(phrase)]) == phrase:
                return len(phrase)
        return 0

    def find(self, words: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield the first word and the one behind the last of each phrase, in order, none inside another."""
        index = 0
        while index < len(words):
            length = self.at(words, index)
            if length:
                yield index, index + length
            index += length or 1

    def any_in(self, words: Sequence[str]) -> bool:
        return next(self.find(words), None) is not None


class ReplyWords:
    """The words of a language for replies. The yes and no of English are understood everywhere, unless they mean
    something else there."""

    def __init__(self, language: str) -> None:
        own, english, replies = words_for(language), words_for("en"), reader_words(language).replies
        own_yes, own_no = set(own.yes), set(own.no)
        yes = own_yes | (set(english.yes) - own_no - set(replies.unfinished)) | set(YES_SIGNS)
        no = own_no | (set(english.no) - own_yes) | set(NO_SIGNS)
        doubts = {folded_words(one) for one in replies.doubts}
        # "si" is Spanish for "if" as well: alone it is a yes.
        answers = {folded_words(one) for one in own_yes}
        unsure = frozenset(words[0] for words in doubts if len(words) == 1 and words not in answers)
        changes = {word for one in replies.changing for word in folded_words(one)}
        polite = {*own.polite, *own.fillers, *english.polite}
        self.doubts = Phrases(replies.doubts)
        self.yes = Phrases(one for one in yes if one in own_yes or unsure.isdisjoint(folded_words(one)))
        self._hedged = Phrases(replies.hedges)
        self.no = Phrases(no)
        self.neither = Phrases((*own.neither, *english.neither))
        self.polite = Phrases(one for one in polite if unsure.isdisjoint(folded_words(one)))
        self.wrong = Phrases((*replies.changing, *replies.wrong))
        self._complaint = Phrases(replies.wrong)
        self._clear_no = Phrases(one for one in no if one in {*own.strong, *english.strong})
        self.all_but = Phrases(replies.all_but)
        self.unchanged = Phrases(replies.unchanged)
        self.denying = Phrases(replies.denying)
        self.wishes = Phrases((*replies.wishes, *own.polite, *own.fillers))
        self.none = frozenset(folded_words(one) for one in replies.none)
        self.beside = frozenset(word for one in replies.beside for word in folded_words(one)) - unsure
        self.doing = frozenset(word for one in replies.doing for word in folded_words(one))
        self.types = {name: tuple(map(folded_words, names)) for name, names in replies.types.items()}
        self._never_plain = unsure | changes
        self._unfinished = frozenset(word for one in replies.unfinished for word in folded_words(one))
        self._or = roles_for(language).alternatives

    def plain_answer(self, words: Sequence[str], question: frozenset[str], known: frozenset[str]) -> bool | None:
        """Return the yes or no that is all that was said, beside polite words and what is spoken of anyway; else None.

        ``question``: the words of the question. ``known``: other words that it is about. Of a question between two
        things no word may be said again: "yes, reject it" to "approve or reject?".
        """
        words = [_LENGTHENED.sub(r"\1", word) for word in words]
        is_choice = not self._or.isdisjoint(question)
        about = set() if is_choice else {word for word in question | known if word not in self._never_plain}
        verbs = set() if is_choice else question & self.doing
        if len(verbs) == 1:
            about |= verbs
        verb_forms = _Forms(verbs)
        said = set[bool]()
        index, does, denies = 0, False, False
        while index < len(words):
            hedged, neither = self._hedged.at(words, index), self.neither.at(words, index)
            lengths = {True: self.yes.at(words, index), False: self.no.at(words, index)}
            longest = max(lengths.values())
            if max(hedged, neither) >= max(longest, 1):
                return None
            if longest:
                said |= {value for value, length in lengths.items() if length == longest}
                index += longest
                continue
            word = words[index]
            does = does or (len(verbs) == 1 and word in self.doing and word in verb_forms)
            denied, polite = self.denying.at(words, index), self.polite.at(words, index)
            denies = denies or denied > 0
            is_about = word in about or (word not in self._never_plain and word in verb_forms)
            if not denied and not polite and not is_about and word not in self.beside:
                return None
            index += denied or polite or 1
        is_yes = not denies if not said and does else said.pop() if len(said) == 1 else None
        if is_yes and (denies or (words[-1] in self._unfinished and not self.yes.at(words, len(words) - 1))):
            return None
        return is_yes

    def is_complaint(self, words: Sequence[str]) -> bool:
        """Whether the reply says that something is wrong, and is no clear no."""
        return self._complaint.any_in(words) and not self._clear_no.any_in(words)

    def says(self, words: Sequence[str], expression: AbstractSet[str]) -> bool:
        """Whether a sentence says an expression: it has all words of it, no more than as many besides, and no doubt."""
        if not expression <= set(words):
            return False
        rest = [word for word in words if word not in expression]
        besides = [word for start, end in _outside(rest, self.wishes) for word in rest[start:end]]
        return not self.doubts.any_in(rest) and sum(word not in self.beside for word in besides) <= len(expression)

    def is_none(self, words: Sequence[str]) -> bool:
        """Whether the reply leaves an optional question without a value: "no", "none"."""
        left = [word for start, end in _outside(words, self.polite) for word in words[start:end]]
        return tuple(words) in self.none or tuple(left) in self.none

    def asks_for_change(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """Return where words of change or wrong stand; none of them where the reply says that nothing is wrong."""
        unchanged = [place for start, end in self.unchanged.find(words) for place in range(start, end)]
        found = [place for place in self.wrong.find(words) if place[0] not in unchanged]
        return [] if unchanged and not found else found

    def without_wishes(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return the words without those that people put before and behind a wish."""
        start, end = 0, len(words)
        while start < end and (length := self.wishes.at(words, start)):
            start += length
        while end > start:
            length = next((n for n in range(min(end - start, 4), 0, -1) if self.wishes.at(words, end - n) == n), 0)
            if not length:
                break
            end -= length
        return tuple(words[start:end])


@lru_cache(maxsize=MAX_KEPT_TEXTS)
def folded_words(text: str) -> tuple[str, ...]:
    """Return the words of a text as they are compared."""
    return tuple([word.folded for word in words_of(text)])


@cache
def reply_words(language: str) -> ReplyWords:
    """Return the words for replies of a language tag such as ``en-GB``."""
    return ReplyWords(language)


def _outside(words: Sequence[str], phrases: Phrases) -> Iterator[tuple[int, int]]:
    edges = [0, *(place for found in phrases.find(words) for place in found), len(words)]
    return ((start, end) for index, (start, end) in enumerate(pairwise(edges)) if index % 2 == 0)


class _Forms:
    """Words and their other forms: "booked" is in the forms of "book"."""

    def __init__(self, words: AbstractSet[str]) -> None:
        self._words = words
        self._by_start: dict[str, list[str]] | None = None

    def __contains__(self, word: str) -> bool:
        if word in self._words:
            return True
        if len(word) < _SHARED or word.isdigit():
            return False
        if self._by_start is None:
            self._by_start = {}
            for other in self._words:
                self._by_start.setdefault(other[:_SHARED], []).append(other)
        return any(_is_form(word, other) for other in self._by_start.get(word[:_SHARED], ()))


def _is_form(word: str, other: str) -> bool:
    if len(other) < _SHARED or abs(len(other) - len(word)) > _ENDING:
        return False
    return _common(word, other) >= min(len(word), len(other)) - 1


def _common(one: str, other: str) -> int:
    """Return how many letters two words begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))
