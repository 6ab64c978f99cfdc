"""Finds the questions that a message wants asked again: "the email is wrong", "everything but the date".

The rule is "a named question" of flow-language.md section 5, rule 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import NamedTuple

import msgspec

from dialoom.engine.interpret.proposals import AskAgain, Fill
from dialoom.engine.interpret.replies.new_text import new_text
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.slots import Slot, Stretch
from dialoom.engine.interpret.values.value_words import name_words, other_words
from dialoom.engine.values.reactions import Found
from dialoom.understanding.replies import ReplyWords, folded_words, reply_words
from dialoom.understanding.words.counted import singular
from dialoom.understanding.words.roles import roles_for

BY = "named questions"
_BREAKS = frozenset(",;:.!?\n–—，、。；！？،؛؟")
"""Signs that part what stands before them from what follows."""
_OWN, _TYPE = 2, 1
"""How much a name says: one of the question's own, or only the word for its type."""


_Question = tuple[str, tuple[str, ...], str]
"""Its entity, its names and its type."""


@lru_cache(maxsize=1024)
def _name_forms(language: str, questions: tuple[_Question, ...]) -> list[list[tuple[int, list[str]]]]:
    """Return for each question its names as words without plurals, each with how much it says."""
    other, types = other_words(language), reply_words(language).types
    entities = [name_words(entity) for entity, _, _ in questions]
    found = []
    for (_, names, type), entity in zip(questions, entities, strict=True):
        forms = [(_OWN, folded_words(name)) for name in names]
        if not other.issuperset(entity):
            forms.append((_OWN, entity))
        # A word of the name that no other question has is enough.
        forms += [(_OWN, (word,)) for word in entity if word not in other and sum(word in one for one in entities) == 1]
        forms += [(_TYPE, name) for name in types.get(type, ()) or (name_words(type),)]
        found.append([(rank, [singular(word, language) for word in form]) for rank, form in forms if form])
    return found


class NamedQuestions(msgspec.Struct, frozen=True):
    again: tuple[AskAgain, ...] = ()
    """One for each name; none where the message wants nothing asked again."""
    texts: tuple[Fill, ...] = ()
    """Texts that came along for named questions: "change the name to Anna"."""
    says_nothing_else: bool = False
    """True if all that was said is names, words of change, values and words such as "the"."""

    def __bool__(self) -> bool:
        return bool(self.again or self.texts)


NONE = NamedQuestions()


class _Name(NamedTuple):
    """Holds the position of a question's name among the words. Sorts by how much the name says, then by its length."""

    rank: int
    length: int
    start: int
    slot: int

    @property
    def end(self) -> int:
        return self.start + self.length


class _NewText(NamedTuple):
    fill: Fill
    start: int
    end: int
    """The words of the text, with those that lead to it."""


def named_questions(
    said: Said,
    slots: Sequence[Slot],
    used: Iterable[Stretch],
    language: str,
    *,
    is_reply: bool = False,
    is_no: bool = False,
) -> NamedQuestions:
    """Return the questions that a message names to be asked again. ``slots``: the questions that may be meant.
    ``used``: the stretches of the text that are values. ``is_reply``: to a confirmation. ``is_no``: it
    begins with a no, or answers what is to be changed: enough beside a name and nothing else ("no, the time")."""
    naming = _Naming(said, slots, list(used), language, is_reply=is_reply)
    is_possible = naming.changes or naming.exceptions or is_no or is_reply
    return naming.find(is_no=is_no) if slots and naming.folded and is_possible else NONE


class _Naming:
    """The names of questions in one message. Words are counted outside its values."""

    def __init__(
        self, said: Said, slots: Sequence[Slot], used: list[Stretch], language: str, *, is_reply: bool
    ) -> None:
        inside = bytearray(len(said.text))
        for one in used:
            inside[one.start : one.end] = b"\1" * (one.end - one.start)
        self._said, self._slots, self._used, self._language = said, slots, used, language
        self._is_reply = is_reply
        self._replies: ReplyWords = reply_words(language)
        self._words = [word for word in said.words if not inside[word.start]]
        self.folded = [word.folded for word in self._words]
        gaps = enumerate(pairwise(self._words), 1)
        breaks = {at for at, (last, word) in gaps if not _BREAKS.isdisjoint(said.text[last.end : word.start])}
        self.changes = self._replies.asks_for_change(self.folded, is_reply=is_reply, breaks=breaks)
        """First word and the one behind the last of each phrase of change or wrong."""
        self.exceptions = list(self._replies.all_but.find(self.folded))
        """The same of each phrase such as "everything but"."""

    def find(self, *, is_no: bool) -> NamedQuestions:
        names = self._names()
        texts = self._new_texts(names)
        fills = tuple(text.fill for text in texts)
        wanted = [name for name in names if self.changes or is_no or self._is_excepted(name)]
        right = {name for name in wanted if self._is_right(name)}
        wanted = [name for name in wanted if name not in right]
        if not wanted:
            return NamedQuestions(texts=fills)
        ends = {text.start for text in texts}
        surest = max(wanted, key=lambda name: (name.end in ends, *name[:2]))
        groups = self._groups(surest, [name for name in names if name not in right], texts)
        says_nothing_else = self._says_nothing_else(groups, texts)
        if is_no and not self.changes and not self.exceptions and not says_nothing_else:
            return NONE
        if not roles_for(self._language).alternatives.isdisjoint(self.folded):
            groups = [list(chain(*groups))]  # "the date or the time is wrong"
        again = tuple(AskAgain(by=BY, slots=tuple(self._slots[name.slot] for name in group)) for group in groups)
        return NamedQuestions(again, fills, says_nothing_else)

    # -- names

    def _names(self) -> list[_Name]:
        """Return where the names of the questions stand, of each question the surest first."""
        positions: dict[str, list[int]] = {}
        words = [singular(word, self._language) for word in self.folded]
        for position, word in enumerate(words):
            positions.setdefault(word, []).append(position)
        found: list[_Name] = []
        questions = tuple([(slot.entity, slot.node.step.names, slot.type) for slot in self._slots])
        for number, forms in enumerate(_name_forms(self._language, questions)):
            mine: set[_Name] = set()
            for rank, form in forms:
                for start in positions.get(form[0], ()):
                    if words[start : start + len(form)] == form:
                        mine.add(_Name(rank, len(form), start, number))
            found += sorted(mine, reverse=True)
        return found

    def _is_excepted(self, name: _Name) -> bool:
        """Return whether "everything but" stands before the name, nothing but words such as "the" between."""
        end = max((end for _, end in self.exceptions if end <= name.start), default=-1)
        return end >= 0 and all(word in self._replies.beside for word in self.folded[end : name.start])

    def _is_right(self, name: _Name) -> bool:
        """Return whether a name is called right: "right day", "the time is right"."""
        before = name.start > 0 and self.folded[name.start - 1] in self._replies.approving
        return before or (name.end < len(self.folded) and self._replies.unchanged.at(self.folded, name.end) > 0)

    # -- names that belong together

    def _groups(self, surest: _Name, names: list[_Name], texts: Sequence[_NewText]) -> list[list[_Name]]:
        """Return for each name of the message the questions that fit it: for the surest name, and for those joined to
        one of them."""
        alternatives = roles_for(self._language).alternatives
        joining = [word in self._replies.beside or word in alternatives for word in self.folded]
        for start, end in (*self.changes, *((text.start, text.end) for text in texts)):
            joining[start:end] = [True] * (end - start)
        left = sorted(names, key=lambda name: (-name.rank, -name.length, name.start, name.slot))
        groups: list[list[_Name]] = []
        taken: set[int] = set()
        more: _Name | None = surest
        while more is not None:
            place = more[:3]
            group = [name for name in left if name[:3] == place and name.slot not in taken]
            groups.append(group)
            taken |= {name.slot for name in group}
            more = next(
                (name for name in left if name.slot not in taken and self._is_next(name, groups, joining)), None
            )
        return groups

    def _is_next(self, name: _Name, groups: list[list[_Name]], joining: list[bool]) -> bool:
        """Return whether a name is joined to one of those that are taken, and overlaps with none."""
        spans = [(group[0].start, group[0].end) for group in groups]
        if any(name.start < last and first < name.end for first, last in spans):
            return False
        return any(
            self._is_joined(last, name.start, joining) or self._is_joined(name.end, first, joining)
            for first, last in spans
        )

    def _is_joined(self, last: int, first: int, joining: list[bool]) -> bool:
        """Return whether only words of change and words such as "and the", or a comma, stand between two names."""
        if last == first:
            return "," in self._said.text[self._words[last - 1].end : self._words[first].start]
        return last < first and all(joining[last:first])

    def _says_nothing_else(self, groups: list[list[_Name]], texts: Sequence[_NewText]) -> bool:
        spans = [(name.start, name.end) for name in chain(*groups)]
        spans += [*self.changes, *self.exceptions, *((text.start, text.end) for text in texts)]
        covered = {position for start, end in spans for position in range(start, end)}
        rest = [word for position, word in enumerate(self.folded) if position not in covered]
        for start, end in reversed(self._replies.answering(rest)):
            del rest[start:end]
        return all(word in self._replies.beside for word in self._replies.wishes.without(rest))

    # -- new texts

    def _new_texts(self, names: Sequence[_Name]) -> list[_NewText]:
        """Return the texts that the message gives to questions of the type Text by their own names, one each."""
        sharing: dict[tuple[int, int], set[int]] = {}
        for name in names:
            sharing.setdefault((name.start, name.end), set()).add(name.slot)
        first_change = min((end for _, end in self.changes), default=len(self._words))
        found: dict[int, _NewText] = {}
        others: dict[int, list[int]] = {}
        for name in names:
            is_change = first_change <= name.start
            is_alone = name.rank == _OWN and len(sharing[name.start, name.end]) == 1
            is_text = self._slots[name.slot].type == "Text" and name.slot not in found
            if is_alone and is_text and (is_change or self._is_reply):
                if name.slot not in others:
                    starts = (self._words[other.start].start for other in names if other.slot != name.slot)
                    others[name.slot] = [*(one.start for one in self._used), *starts]
                text = self._new_text(name, others[name.slot], is_change=is_change)
                if text is not None:
                    found[name.slot] = text
        return list(found.values())

    def _new_text(self, name: _Name, others: Sequence[int], *, is_change: bool) -> _NewText | None:
        """Return the text that a name is given. ``others``: characters at which other values and names begin."""
        place = (name.start, name.end)
        span = new_text(self._said.text, self._words, place, others, self._replies, self._language, is_change=is_change)
        if span is None:
            return None
        slot, text = self._slots[name.slot], self._said.text
        value = text[self._with_number(span[0]) : self._words[span[1] - 1].end]
        found = Found(slot.key, slot.node, [value] if slot.takes_many else value, is_asked=False)
        return _NewText(Fill(by=BY, found=found), name.end, span[1])

    def _with_number(self, first: int) -> int:
        """Return where a text begins, with a number right before it that was read as a value: "14 Mill Road"."""
        start, last = self._words[first].start, self._words[first - 1].end
        between = self._said.text[last:start]
        return start - len(between.lstrip()) if between.strip().isdecimal() else start
