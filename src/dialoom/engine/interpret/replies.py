"""Tells whether a reply to a yes-or-no question is a yes or a no (flow-language.md section 5, rule 4, e).

What it tells or asks beside that is read before, in ``meaning``.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from dialoom.engine.compiled import EntitiesConfirmation
from dialoom.engine.interpret.acting import yes_would_act
from dialoom.engine.interpret.assign import on_dial
from dialoom.engine.interpret.slots import GUESS
from dialoom.engine.options.value_replies import text_of
from dialoom.engine.values.reactions import Found
from dialoom.errors import TemplateError
from dialoom.understanding.normalise import words_of
from dialoom.understanding.replies import DAY, folded_words, reply_words
from dialoom.understanding.words.counted import things_for
from dialoom.understanding.words.roles import roles_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.engine.compiled import AskingNode, Texts
    from dialoom.engine.interpret.slots import Slot, Stretch
    from dialoom.engine.running_turn import RunningTurn

_WHEN = ("Date", "Time", "Datetime", "Duration")
"""Types whose values say when: with one that nobody asked for, a yes is not to the question as it stands."""
QUESTION_MARKS = frozenset("?？؟")
_SENTENCES = re.compile(r".+?(?:[.!?？؟](?=\s|$)|$)", re.DOTALL)
_DAYS = ("Date", "Datetime")
_NUMBERS = ("Number", "Time", "Date")
_DIGITS = 3
"""Of a number that may be an hour, a day or a count."""
_VALUE = "\x00"
"""Stands for a value: "book it for" has no end, "book it for Tuesday, thanks" has one."""


class Reply:
    """``used``: the stretches of the text that are values of questions."""

    def __init__(self, p: RunningTurn, node: AskingNode, text: str, used: Sequence[Stretch]) -> None:
        self._p, self._place, self._text, self._used = p, node, text, used

    @cached_property
    def plain(self) -> bool | None:
        """The yes or no that is all that was said. A complaint alone ("that's wrong") ends nothing where a yes acts."""
        words = reply_words(self._p.flow.language)
        is_complaint = self._words_alone is False and words.is_complaint(folded_words(self._text))
        return None if is_complaint and is_strict(self._p, self._place) else self._words_alone

    @cached_property
    def _words_alone(self) -> bool | None:
        texts = self._place.step.texts
        question, said = texts_words(self._p, texts), texts_words(self._p, texts, is_whole=True)
        words = reply_words(self._p.flow.language)
        if words.doing.isdisjoint(question):
            question |= said & words.doing  # "I send it to Anna. Shall I?"
        units = frozenset(word for word in said - words.beside - words.clauses if not words.doubts.any_in((word,)))
        return plain_answer(self._p, self._text, self._used, question, goal_words(self._p), units)

    @cached_property
    def refuses(self) -> bool:
        """Return whether it says that a value is wrong or does not suit: "I can't at 10"."""
        return reply_words(self._p.flow.language).refuses(folded_words(self._text))

    @property
    def denies_values(self) -> bool:
        """Return whether it begins with a value and is nothing but a no beside: "Tuesday doesn't suit"."""
        if self._words_alone is not False or not self._used:
            return False
        first = min(one.start for one in self._used)
        return all(word in reply_words(self._p.flow.language).beside for word in folded_words(self._text[:first]))

    @cached_property
    def leads_with_no(self) -> bool:
        """Return whether it begins with a no, whatever follows."""
        if self.plain is not None:
            return False
        found = self._read()
        return found is False

    def _read(self) -> bool | None:
        p = self._p
        found = p.flow.recogniser.recognise(self._text, ("Confirmation",), p.memory.now())["Confirmation"]
        return bool(found[0].value) if found else None

    def answer(self, *, is_strict: bool) -> bool | None:
        """Return the yes or no of the reply; None for one that is neither. ``is_strict``: a yes may have nothing beside
        it that could change it."""
        if self.plain is not None:
            return self.plain
        is_yes = self._read()
        words = reply_words(self._p.flow.language)
        if is_strict and is_yes is False and words.is_complaint(folded_words(self._text)):
            return None  # "my booking is wrong" ends nothing
        if is_yes and (is_strict or words.doubts_a_yes(folded_words(self._text))):
            return None
        return is_yes

    def bare_number(self, slots: Sequence[Slot]) -> tuple[list[Found], list[Slot]]:
        """Return what a number says of which no reader knows what it is: the value that it makes ("make it 11"), or the
        questions whose value it refuses ("11 is too late")."""
        numbers = [word.folded for word in words_of(self._text) if word.folded.isdecimal()]
        if len(numbers) != 1 or len(numbers[0]) > _DIGITS or not (self.refuses or self._makes):
            return [], []
        now = self._p.memory.now()
        fitting = [
            (slot, value)
            for slot in slots
            if slot.type in _NUMBERS and slot.current is not None and not slot.takes_many
            if (value := self._p.flow.recogniser.reads(slot.type, numbers[0], now)) is not None
        ]
        if self.refuses:
            return [], [slot for slot, value in fitting if on_dial(value) == on_dial(slot.current)]
        # A number that may be an hour or an amount is no day of the month.
        fitting = [one for one in fitting if one[0].type != "Date"] or fitting
        if len(fitting) > 1:
            return [], [slot for slot, _ in fitting]
        return [Found(slot.key, slot.node, value, is_asked=False) for slot, value in fitting], []

    @property
    def _makes(self) -> bool:
        making = roles_for(self._p.flow.language).making
        return any(word in making for word in folded_words(self._text))


def plain_answer(
    p: RunningTurn,
    text: str,
    used: Sequence[Stretch],
    question: frozenset[str],
    known: frozenset[str],
    units: frozenset[str] = frozenset(),
) -> bool | None:
    """Return the yes or no that is all that was said. ``question`` and ``known``: see ``ReplyWords.plain_answer``.
    ``units``: words that, behind a number, say what it counts."""
    kept = list(text)
    units = units.union(things_for(p.flow.language))
    ends = [_end_with_unit(text, one, units) for one in used]
    for one, end in zip(used, ends, strict=True):
        kept[one.start : end] = " " * (end - one.start)
    rest = "".join(kept)
    words: tuple[str, ...] = ()
    start = 0
    for one, end in sorted(zip(used, ends, strict=True), key=lambda value: value[0].start):
        words = (*words, *folded_words(text[start : max(start, one.start)]), DAY if one.type in _DAYS else _VALUE)
        start = max(start, end)
    words = (*words, *folded_words(text[start:]))
    found = reply_words(p.flow.language).plain_answer(words, question, known | {_VALUE, DAY})
    if not found:
        return found
    if not QUESTION_MARKS.isdisjoint(text):
        return None
    when = p.flow.recogniser.recognise(rest, _WHEN, p.memory.now())
    return None if any(one.confidence > GUESS for candidates in when.values() for one in candidates) else True


def _end_with_unit(text: str, one: Stretch, units: frozenset[str]) -> int:
    """Return where a value ends, with what it counts: "2 people"."""
    behind = next((word for word in words_of(text) if word.start >= one.end), None)
    is_unit = one.type == "Number" and behind is not None and behind.folded in units
    return behind.end if behind is not None and is_unit and text[one.end : behind.start].isspace() else one.end


def is_strict(p: RunningTurn, node: AskingNode) -> bool:
    """Return whether only a plain yes counts: where it would act, and where the user's values are confirmed."""
    return isinstance(node.step, EntitiesConfirmation) or yes_would_act(p, node)


def texts_words(p: RunningTurn, texts: Texts, *, is_whole: bool = False) -> frozenset[str]:
    """Return the words of a question, all of its alternatives; of several sentences those that ask.
    ``is_whole``: those of all sentences."""
    words: set[str] = set()
    for alternative in texts:
        for template in alternative:
            try:
                sentences = _SENTENCES.findall(template.text(p.memory.scope()))
            except TemplateError:
                continue
            asking = [one for one in sentences if not QUESTION_MARKS.isdisjoint(one)]
            words.update(*(folded_words(one) for one in (not is_whole and asking) or sentences))
    return frozenset(words)


def goal_words(p: RunningTurn) -> frozenset[str]:
    """Return the words for the open goal: its name, its expressions, the values that were told."""
    goal = p.goal or p.running
    if goal is None:
        return frozenset()
    script = goal.script
    words = set(script.words)
    try:
        view = p.memory.scope().memory
    except TemplateError:
        return frozenset(words)
    for name in script.fillers:
        value = view.get(name)
        if value is not None:
            words.update(folded_words(text_of(value)[:MAX_VALUE_CHARS]))
    return frozenset(words)


MAX_VALUE_CHARS = 200
"""Of a value as words that may be said again beside a yes."""
