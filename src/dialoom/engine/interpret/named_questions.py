"""Finds the questions that a message wants asked again: "the email is wrong", "everything but the date".

The rule is "a named question" of flow-language.md section 5, rule 4.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import msgspec

from dialoom.engine.interpret.new_text import new_text
from dialoom.engine.interpret.value_words import name_words, other_words
from dialoom.engine.values.reactions import Found
from dialoom.understanding.normalise import words_of
from dialoom.understanding.replies import folded_words, reply_words
from dialoom.understanding.words.roles import roles_for

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dialoom.engine.interpret.slots import Slot, Stretch
    from dialoom.engine.running_turn import RunningTurn
    from dialoom.understanding.normalise import Word
    from dialoom.understanding.replies import ReplyWords

_BREAKS = frozenset(",;:.!?\n–—，、。；！？،؛؟")
"""Signs that part what stands before them from what follows."""
_OWN, _TYPE = 2, 1
"""How much a name says: one of the question's own, or only the word for its type."""


class NamedQuestions(msgspec.Struct, frozen=True):
    groups: tuple[tuple[Slot, ...], ...] = ()
    """For each name the questions that fit it equally; none where the message wants nothing asked again."""
    says_nothing_else: bool = False
    """True if all that was said is names, words of change, values and words such as "the"."""
    texts: tuple[Found, ...] = ()
    """Texts that came along for named questions: "change the name to Anna"."""


NONE = NamedQuestions()


def named_questions(
    p: RunningTurn,
    text: str,
    slots: Sequence[Slot],
    used: Sequence[Stretch],
    *,
    is_reply: bool = False,
    is_no: bool = False,
) -> NamedQuestions:
    """Return the questions that a message names to be asked again. ``slots``: the questions that may be meant.
    ``used``: the stretches of the text that are values. ``is_reply``: to a confirmation. ``is_no``: it
    begins with a no, or answers what is to be changed: enough beside a name and nothing else ("no, the time")."""
    replies = reply_words(p.flow.language)
    inside = bytearray(len(text))
    for one in used:
        inside[one.start : one.end] = b"\1" * (one.end - one.start)
    words = [word for word in words_of(text) if not inside[word.start]]
    said = [word.folded for word in words]
    breaks = {
        position
        for position, (last, word) in enumerate(itertools.pairwise(words), 1)
        if not _BREAKS.isdisjoint(text[last.end : word.start])
    }
    changes = replies.asks_for_change(said, is_reply=is_reply, breaks=breaks)
    if not slots or not said or not (changes or is_no or is_reply or replies.all_but.any_in(said)):
        return NONE
    exceptions = list(replies.all_but.find(said))
    best = _positions_of_names(p, slots, said, replies)
    new_texts = _new_texts(p, text, words, best, slots, used, changes, is_reply=is_reply)
    texts = tuple(one.found for one in new_texts)
    wanted = [one for one in best if changes or is_no or _is_excepted(said, one[2], exceptions, replies)]
    right = [one for one in wanted if _is_right(said, one[2], one[2] + one[1], replies)]
    wanted = [one for one in wanted if one not in right]
    best = [one for one in best if one not in right]
    if not wanted:
        return NamedQuestions(texts=texts)
    alternatives = roles_for(p.flow.language).alternatives
    joining = [word in replies.beside or word in alternatives for word in said]
    for start, end in (*changes, *(one.span for one in new_texts)):
        joining[start:end] = [True] * (end - start)

    def is_joined(last: int, first: int) -> bool:
        """Return whether only words of change and words such as "and the", or a comma, stand between two names."""
        if last == first:
            return "," in text[words[last - 1].end : words[first].start]
        return last < first and all(joining[last:first])

    surest = max(wanted, key=lambda one: (any(one[1] + one[2] == text.span[0] for text in new_texts), *one[:2]))
    groups = _regions(surest, best, is_joined)
    covered = {
        position for _, length, start, _ in itertools.chain(*groups) for position in range(start, start + length)
    }
    spans = (*changes, *exceptions, *(one.span for one in new_texts))
    covered |= {position for start, end in spans for position in range(start, end)}
    rest = [word for position, word in enumerate(words) if position not in covered]
    says_nothing_else = _says_nothing(rest, replies)
    if is_no and not changes and not exceptions and not says_nothing_else:
        return NONE
    if not alternatives.isdisjoint(said):
        groups = [list(itertools.chain(*groups))]  # "the date or the time is wrong"
    named = tuple(tuple(slots[number] for *_, number in group) for group in groups)
    return NamedQuestions(named, says_nothing_else, texts)


class _NewText(msgspec.Struct, frozen=True):
    found: Found
    span: tuple[int, int]
    """The words of the text, with those that lead to it."""


def _new_texts(
    p: RunningTurn,
    text: str,
    words: Sequence[Word],
    best: Sequence[_Position],
    slots: Sequence[Slot],
    used: Sequence[Stretch],
    changes: Sequence[tuple[int, int]],
    *,
    is_reply: bool,
) -> list[_NewText]:
    """Return the texts that the message gives to questions of the type Text by their own names, one each."""
    replies = reply_words(p.flow.language)
    new_texts: dict[int, _NewText] = {}
    sharing: dict[tuple[int, int], set[int]] = {}
    for _, length, start, number in best:
        sharing.setdefault((start, start + length), set()).add(number)
    others: dict[int, list[int]] = {}
    first_change = min((end for _, end in changes), default=len(words))
    for rank, length, start, number in best:
        slot, name, is_change = slots[number], (start, start + length), first_change <= start
        if rank != _OWN or slot.type != "Text" or number in new_texts or not (is_change or is_reply):
            continue
        if len(sharing[name]) > 1:
            continue
        if number not in others:
            names = (words[at].start for _, _, at, other in best if other != number)
            others[number] = [*(one.start for one in used), *names]
        span = new_text(text, words, name, others[number], replies, p.flow.language, is_change=is_change)
        if span is not None:
            value = text[_with_number(text, words, span[0]) : words[span[1] - 1].end]
            found = Found(slot.key, slot.node, [value] if slot.takes_many else value, is_asked=False)
            new_texts[number] = _NewText(found, (name[1], span[1]))
    return list(new_texts.values())


def _with_number(text: str, words: Sequence[Word], first: int) -> int:
    """Return where a text begins, with a number right before it that was read as a value: "14 Mill Road"."""
    start, last = words[first].start, words[first - 1].end
    between = text[last:start].strip()
    return start - len(text[last:start].lstrip()) if between.isdecimal() else start


_Position = tuple[int, int, int, int]
"""Where a name stands: how much it says, its length in words, its first word, the number of its question."""


def _regions(
    surest: _Position, positions: list[_Position], is_joined: Callable[[int, int], bool]
) -> list[list[_Position]]:
    """Return for each name of the message the questions that fit it: for the surest name, and for those joined to one
    of them."""
    left = sorted(positions, key=lambda one: (-one[0], -one[1], one[2], one[3]))
    regions = [[one for one in left if one[:3] == surest[:3]]]
    taken = {number for *_, number in regions[0]}
    more: tuple[int, int, int] | None = surest[:3]
    while more is not None:
        more = None
        spans = [(region[0][2], region[0][2] + region[0][1]) for region in regions]
        for rank, length, start, number in left:
            end = start + length
            if number in taken or any(start < last and first < end for first, last in spans):
                continue
            if any(is_joined(last, start) or is_joined(end, first) for first, last in spans):
                more = (rank, length, start)
                group = [one for one in left if one[:3] == more and one[3] not in taken]
                regions.append(group)
                taken |= {one[3] for one in group}
                break
    return regions


def _names(p: RunningTurn, slots: Sequence[Slot], replies: ReplyWords) -> list[list[tuple[int, tuple[str, ...]]]]:
    """Return for each question its names as words, each with how much it says."""
    other = other_words(p.flow.language)
    entities = [name_words(slot.entity) for slot in slots]
    names = []
    for slot, entity in zip(slots, entities, strict=True):
        forms = [(_OWN, folded_words(name)) for name in slot.node.step.names]
        if not other.issuperset(entity):
            forms.append((_OWN, entity))
        # A word of the name that no other question has is enough.
        forms += [(_OWN, (word,)) for word in entity if word not in other and sum(word in one for one in entities) == 1]
        type_names = replies.types.get(slot.type, ())
        forms += [(_TYPE, name) for name in type_names or (name_words(slot.type),)]
        names.append([form for form in forms if form[1]])
    return names


def _positions_of_names(
    p: RunningTurn, slots: Sequence[Slot], said: Sequence[str], replies: ReplyWords
) -> list[_Position]:
    """Return where the names of the questions stand in the message, of each question the surest first."""
    positions: dict[str, list[int]] = {}
    for position, word in enumerate(said):
        positions.setdefault(_singular(word), []).append(position)
    best: list[_Position] = []
    for number, forms in enumerate(_names(p, slots, replies)):
        found = [
            (rank, end - start, start, number)
            for rank, form in forms
            for start, end in _positions(said, form, positions)
        ]
        best += sorted(set(found), reverse=True)
    return best


def _positions(said: Sequence[str], form: tuple[str, ...], positions: dict[str, list[int]]) -> list[tuple[int, int]]:
    """Return where a name stands in the message. ``positions``: of each word of the message, in the singular."""
    wanted = [_singular(word) for word in form]
    return [
        (start, start + len(form))
        for start in positions.get(wanted[0], ())
        if [_singular(word) for word in said[start : start + len(form)]] == wanted
    ]


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def _is_excepted(said: Sequence[str], start: int, exceptions: list[tuple[int, int]], replies: ReplyWords) -> bool:
    """Return whether "everything but" stands before the name, nothing but words such as "the" between."""
    end = max((end for _, end in exceptions if end <= start), default=-1)
    return end >= 0 and all(word in replies.beside for word in said[end:start])


def _is_right(said: Sequence[str], start: int, end: int, replies: ReplyWords) -> bool:
    """Return whether a name is called right: "right day", "the time is right"."""
    return (start > 0 and said[start - 1] in replies.approving) or (
        end < len(said) and replies.unchanged.at(said, end) > 0
    )


def _says_nothing(rest: Sequence[Word], replies: ReplyWords) -> bool:
    said = [word.folded for word in rest]
    index = 0
    while index < len(said):
        length = max(replies.polite.at(said, index), replies.no.at(said, index), replies.yes.at(said, index))
        if not length and said[index] not in replies.beside:
            return False
        index += length or 1
    return True
