"""Finds the questions that a message wants asked again: "the email is wrong", "everything but the date".

The rule is "a named question" of flow-language.md section 5, rule 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from dialoom.engine.interpret.value_words import name_words, other_words
from dialoom.understanding.normalise import words_of
from dialoom.understanding.replies import folded_words, reply_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.engine.interpret.slots import Slot, Stretch
    from dialoom.engine.running_turn import RunningTurn
    from dialoom.understanding.normalise import Word
    from dialoom.understanding.replies import ReplyWords

_OWN, _TYPE = 2, 1
"""How much a name says: one of the question's own, or only the word for its type."""


class NamedQuestions(msgspec.Struct, frozen=True):
    slots: tuple[Slot, ...] = ()
    """The questions that fit the name equally; none where the message wants nothing asked again."""
    says_nothing_else: bool = False
    """Whether all that was said is names, words of change, values and words such as "the"."""


NONE = NamedQuestions()


def named_questions(
    p: RunningTurn, text: str, slots: Sequence[Slot], used: Sequence[Stretch], *, is_no: bool = False
) -> NamedQuestions:
    """Return the questions that a message names to be asked again. ``slots``: the questions that may be meant.
    ``used``: the stretches of the text that are values. ``is_no``: it begins with a no, which is enough beside a name
    and nothing else: "no, the time"."""
    replies = reply_words(p.flow.language)
    inside = bytearray(len(text))
    for one in used:
        inside[one.start : one.end] = b"\1" * (one.end - one.start)
    words = [word for word in words_of(text) if not inside[word.start]]
    said = [word.folded for word in words]
    changes = replies.asks_for_change(said)
    if not slots or not said or (not changes and not is_no and not replies.all_but.any_in(said)):
        return NONE
    exceptions = list(replies.all_but.find(said))
    places: dict[str, list[int]] = {}
    for place, word in enumerate(said):
        places.setdefault(_singular(word), []).append(place)
    best: list[tuple[tuple[int, int], int, int, int]] = []
    for number, forms in enumerate(_names(p, slots, replies)):
        found = [(rank, start, end) for rank, form in forms for start, end in _places(said, form, places)]
        if not changes and not is_no:
            found = [one for one in found if _is_excepted(said, one[1], exceptions, replies)]
        if found:
            rank, start, end = max(found, key=lambda one: (one[0], one[2] - one[1]))
            best.append(((rank, end - start), number, start, end))
    if not best:
        return NONE
    most = max(rank for rank, *_ in best)
    meant = [one for one in best if one[0] == most]
    covered = {place for _, _, start, end in meant for place in range(start, end)}
    covered |= {place for start, end in (*changes, *exceptions) for place in range(start, end)}
    rest = [word for place, word in enumerate(words) if place not in covered]
    says_nothing_else = _says_nothing(rest, replies)
    if is_no and not changes and not exceptions and not says_nothing_else:
        return NONE
    return NamedQuestions(tuple(slots[number] for _, number, _, _ in meant), says_nothing_else)


def _names(p: RunningTurn, slots: Sequence[Slot], replies: ReplyWords) -> list[list[tuple[int, tuple[str, ...]]]]:
    """Return for each question its names as words, each with how much it says."""
    other = other_words(p.flow.language)
    entities = [name_words(slot.entity) for slot in slots]
    names = []
    for slot, entity in zip(slots, entities, strict=True):
        forms = [(_OWN, folded_words(name)) for name in slot.place.step.names]
        if not other.issuperset(entity):
            forms.append((_OWN, entity))
        # A word of the name that no other question has is enough.
        forms += [(_OWN, (word,)) for word in entity if word not in other and sum(word in one for one in entities) == 1]
        type_names = replies.types.get(slot.type, ())
        forms += [(_TYPE, name) for name in type_names or (name_words(slot.type),)]
        names.append([form for form in forms if form[1]])
    return names


def _places(said: Sequence[str], form: tuple[str, ...], places: dict[str, list[int]]) -> list[tuple[int, int]]:
    """Return where a name stands in the message. ``places``: of each word of the message, in the singular."""
    wanted = [_singular(word) for word in form]
    return [
        (start, start + len(form))
        for start in places.get(wanted[0], ())
        if [_singular(word) for word in said[start : start + len(form)]] == wanted
    ]


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def _is_excepted(said: Sequence[str], start: int, exceptions: list[tuple[int, int]], replies: ReplyWords) -> bool:
    """Return whether "everything but" stands before the name, nothing but words such as "the" between."""
    end = max((end for _, end in exceptions if end <= start), default=-1)
    return end >= 0 and all(word in replies.beside for word in said[end:start])


def _says_nothing(rest: Sequence[Word], replies: ReplyWords) -> bool:
    said = [word.folded for word in rest]
    index = 0
    while index < len(said):
        length = max(replies.polite.at(said, index), replies.no.at(said, index), replies.yes.at(said, index))
        if not length and said[index] not in replies.beside:
            return False
        index += length or 1
    return True
