"""Whether a reply to a yes-or-no question is a yes or a no (flow-language.md section 5, rule 4, e).

What it tells or asks beside that is proposed by others, and weighed in ``decision``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dialoom.engine.compiled import Texts
from dialoom.engine.interpret.cached import CachedProperty
from dialoom.engine.interpret.proposals import No, Yes
from dialoom.engine.interpret.said import QUESTION_MARKS, Said
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.interpret.slots import GUESS, Stretch
from dialoom.understanding.replies import DAY, folded_words, reply_words
from dialoom.understanding.words.counted import things_for

BY = "yes and no"
_WHEN = ("Date", "Time", "Datetime", "Duration")
"""Types whose values say when: with one that nobody asked for, a yes is not to the question as it stands."""
_SENTENCES = re.compile(r".+?(?:[.!?？؟](?=\s|$)|$)", re.DOTALL)
_DAYS = ("Date", "Datetime")
_NUMBERS = ("Number", "Time", "Date")
_VALUE = "\x00"
"""Stands for a value: "book it for" has no end, "book it for Tuesday, thanks" has one."""


class Reply:
    """A reply to the open question. ``used``: the stretches of the text that are values of questions."""

    def __init__(self, s: Situation, said: Said, used: Sequence[Stretch]) -> None:
        self._s, self._said, self._used = s, said, used
        self._words = reply_words(s.language)

    @CachedProperty
    def plain(self) -> bool | None:
        """The yes or no that is all that was said. A complaint alone ("that's wrong") ends nothing where a yes acts."""
        is_complaint = self._alone is False and self._words.is_complaint(self._said.folded)
        return None if is_complaint and self._s.is_strict else self._alone

    @CachedProperty
    def _alone(self) -> bool | None:
        node, words = self._s.node, self._words
        texts = () if node is None else node.step.texts
        question, whole = texts_words(self._s, texts), texts_words(self._s, texts, is_whole=True)
        if words.doing.isdisjoint(question):
            question |= whole & words.doing  # "I send it to Anna. Shall I?"
        units = frozenset(word for word in whole - words.beside - words.clauses if not words.doubts.any_in((word,)))
        return plain_answer(self._s, self._said, self._used, question, self._s.goal_words, units)

    @CachedProperty
    def refuses(self) -> bool:
        """Return whether it says that a value is wrong or does not suit: "I can't at 10"."""
        return self._words.refuses(self._said.folded)

    @property
    def denies_values(self) -> bool:
        """Return whether it begins with a value and is nothing but a no beside: "Tuesday doesn't suit"."""
        if self._alone is not False or not self._used:
            return False
        first = min(one.start for one in self._used)
        return all(word in self._words.beside for word in folded_words(self._said.text[:first]))

    @CachedProperty
    def leads_with_no(self) -> bool:
        """Return whether it begins with a no, whatever follows."""
        return self.plain is None and self._leading is False

    @CachedProperty
    def _leading(self) -> bool | None:
        found = self._s.recognise(("Confirmation",), self._said.text)["Confirmation"]
        return bool(found[0].value) if found else None

    def answer(self, *, is_strict: bool) -> Yes | No | None:
        """Return the yes or no of the reply; None for one that is neither. ``is_strict``: a yes may have nothing beside
        it that could change it."""
        is_yes, confidence = self.plain, 1.0
        if is_yes is None:
            is_yes, confidence = self._leading, GUESS
            words = self._said.folded
            if is_strict and is_yes is False and self._words.is_complaint(words):
                return None  # "my booking is wrong" ends nothing
            if is_yes and (is_strict or self._words.doubts_a_yes(words)):
                return None
        if is_yes is None:
            return None
        return Yes(by=BY, confidence=confidence) if is_yes else No(by=BY, confidence=confidence)


def plain_answer(
    s: Situation,
    said: Said,
    used: Sequence[Stretch],
    question: frozenset[str],
    known: frozenset[str],
    units: frozenset[str] = frozenset(),
) -> bool | None:
    """Return the yes or no that is all that was said. ``question`` and ``known``: see ``ReplyWords.plain_answer``.
    ``units``: words that, behind a number, say what it counts."""
    units = units.union(things_for(s.language))
    spans = [Stretch(one.type, one.start, _end_with_unit(said, one, units), one.values) for one in used]
    words: list[str] = []
    start = 0
    for one in sorted(spans, key=lambda span: span.start):
        words += [*folded_words(said.text[start : max(start, one.start)]), DAY if one.type in _DAYS else _VALUE]
        start = max(start, one.end)
    words += folded_words(said.text[start:])
    found = reply_words(s.language).plain_answer(words, question, known | {_VALUE, DAY})
    if not found:
        return found
    return None if said.is_question or s.sure_values(_WHEN, said.without(spans).text) else True


def _end_with_unit(said: Said, one: Stretch, units: frozenset[str]) -> int:
    """Return where a value ends, with what it counts: "2 people"."""
    behind = None if one.type != "Number" else next((word for word in said.words if word.start >= one.end), None)
    is_unit = behind is not None and behind.folded in units and said.text[one.end : behind.start].isspace()
    return behind.end if behind is not None and is_unit else one.end


def texts_words(s: Situation, texts: Texts, *, is_whole: bool = False) -> frozenset[str]:
    """Return the words of a question, all of its alternatives; of several sentences those that ask.
    ``is_whole``: those of all sentences."""
    words: set[str] = set()
    for text in s.rendered(texts):
        sentences = _SENTENCES.findall(text)
        asking = [one for one in sentences if not QUESTION_MARKS.isdisjoint(one)]
        words.update(*(folded_words(one) for one in (not is_whole and asking) or sentences))
    return frozenset(words)
