"""Reads a reply that is nothing but a yes or a no, beside courtesies and what is spoken of anyway (flow-language.md
section 5, rule 4, e).

The reply is cut into parts from its first word on, each the longest phrase of some kind that stands there. Any part
that could change a yes ends the reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum, auto
from typing import TYPE_CHECKING

import msgspec

from dialoom.understanding.replies.forms import Forms, without_clitics
from dialoom.understanding.replies.signs import is_decoration, is_sign

if TYPE_CHECKING:
    from dialoom.understanding.replies.phrases import Phrases
    from dialoom.understanding.replies.typed_words import TypedWords

MAX_PLAIN_WORDS = 100
"""Words of a reply that may be a plain yes or no. The longest question and all of its values said again have fewer."""


class Kind(IntEnum):
    """What a part of a reply says. Of the first five the longest counts, of two that are as long the first; then the
    first of the others."""

    COURTESY = auto()
    """Goodbyes, and what is polite beside a yes and too little of one alone: "no problem"."""
    REGRET = auto()
    """Beside a yes or no it changes neither: "sorry, yes"."""
    UNCLEAR = auto()
    """Holds a word of yes or no and is neither, or too little of one to act on."""
    NO = auto()
    YES = auto()
    DENYING = auto()
    """Stands before what is not wanted."""
    PERMITTING = auto()
    """Stands beside the question's own verb: "you can book it"."""
    POLITE = auto()
    WORD = auto()
    """None of these."""


class PlainWords(msgspec.Struct, frozen=True, kw_only=True):
    """The words of a language that may stand in a plain yes or no."""

    phrases: dict[Kind, Phrases]
    by_first: dict[str, tuple[Kind, ...]]
    """The kinds of phrases that begin with a word."""
    typed: TypedWords
    praise: Phrases
    """What says how good something is: a yes, unless the thing is named beside it."""
    being: frozenset[str]
    """Verbs with which a question begins: "is Friday ok"."""
    alone: frozenset[tuple[str, ...]]
    """What is a yes only as the whole reply."""
    yes_or_if: frozenset[str]
    """Words of yes that mean "if" as well: Spanish "si"."""
    unsure: frozenset[str]
    changing: frozenset[str]
    never: frozenset[str]
    """Both of them."""
    beside: frozenset[str]
    doing: frozenset[str]
    first_persons: frozenset[str]
    clitics: frozenset[str]
    softening: frozenset[str]
    turning: frozenset[str]
    """Beside a no they change nothing: "thanks but no"."""
    hesitant: Phrases
    unfinished: frozenset[str]
    joining: frozenset[str]
    """Those of them that thanks may follow: "yes and thanks"."""
    alternatives: frozenset[str]
    alike: dict[str, frozenset[str]]
    """A verb, in each of its forms, to those that ask for the same: "book" to "reserve"."""
    separable: frozenset[str]

    def joined(self, words: Sequence[str]) -> list[str]:
        """Return words with what stands apart from a verb put before it: "sag ihn ab" as "absag ihn"."""
        found = list(words)
        for after in range(len(words) - 1, 0, -1):
            whole = (f"{words[after]}{verb}" for verb in words[:after]) if words[after] in self.separable else ()
            at = next((index for index, one in enumerate(whole) if one in self.doing), None)
            if at is not None:
                found[at] = f"{words[after]}{words[at]}"
                del found[after]
                break
        return found


class Topic:
    """What a question is about: words that may be said again, and its verb. Of a question between two things no word
    may be said again: "yes, reject it" to "approve or reject?"."""

    def __init__(self, plain: PlainWords, question: frozenset[str], known: frozenset[str]) -> None:
        self._plain = plain
        is_choice = not plain.alternatives.isdisjoint(question)
        # "Shall I change it?" is about a change, "Right, or shall I change it?" and "Nothing to change?" are not.
        is_open = is_choice or not plain.unsure.isdisjoint(question)
        self._never = plain.never if is_open else plain.never - (question & plain.changing)
        verbs = frozenset() if is_choice else question & plain.doing
        self._forms = Forms(verbs.union(*(plain.alike.get(verb, ()) for verb in verbs)))
        self._has_one_verb = len(verbs) == 1
        self.words = frozenset() if is_choice else (question | known) - self._never
        if self._has_one_verb:
            self.words |= verbs

    def has(self, word: str, *, is_verb: bool) -> bool:
        """Return whether a word is one of the question, its verb in any form included."""
        return word in self.words or (is_verb and word not in self._never)

    def has_verb(self, word: str) -> bool:
        return word in self._forms or any(one in self._forms for one in without_clitics(word, self._plain.clitics))

    def is_done(self, word: str) -> bool:
        """Return whether a word is the only verb of the question, in a form that asks to do it: "book", "resérvala"."""
        doing = self._plain.doing
        return self._has_one_verb and any(
            one in doing and one in self._forms for one in without_clitics(word, self._plain.clitics)
        )


class PlainAnswer:
    """One reply as it is read."""

    def __init__(self, plain: PlainWords, topic: Topic) -> None:
        self._plain, self._topic = plain, topic
        self._said: set[bool] = set()
        self._is_clear = self._names_thing = False
        """A yes was said that is more than praise; what the question is about was named."""
        self._does = self._denies = self._hesitates = self._turns = self._permits = False
        """The question's own verb was said, something was denied, the user hesitates, a yes was turned, "you can"."""
        self._is_behind_verb = self._is_maybe_if = False
        self._polite_end = 0
        self._is_open = self._is_cut = False
        """The last word, or one before a courtesy, is one that no reply ends with."""

    def read(self, words: Sequence[str]) -> bool | None:
        """Return the yes or no that is all that was said; None for a reply that says more or less."""
        if len(words) > MAX_PLAIN_WORDS:
            return None
        typed = self._plain.typed
        words = [typed.meant(word, self._topic.words) for word in words if not is_decoration(word)]
        words = self._plain.joined(words)
        if tuple(words) in self._plain.alone:
            return True
        if len(words) > 1 and words[0] in self._plain.being and not self._plain.phrases[Kind.YES].at(words, 1):
            return None
        index = 0
        while index < len(words):
            kind, length = self._part_at(words, index)
            if kind is Kind.YES and self._plain.praise.at(words, index) < length:
                self._is_clear = True
            if not self._take(kind, words, index):
                return None
            self._notice_end(kind, words, index, length)
            index += length
        return self._meaning()

    def _part_at(self, words: Sequence[str], index: int) -> tuple[Kind, int]:
        """Return what stands there, and how many words it has."""
        plain = self._plain
        kinds = plain.by_first.get(words[index], ())
        found = [(kind, length) for kind in kinds if (length := plain.phrases[kind].at(words, index))]
        deciding = [one for one in found if one[0] <= Kind.YES]
        if deciding:
            kind, length = max(deciding, key=lambda one: one[1])
            if kind is Kind.YES and length == 1 and index and self._is_if(words, index):
                kind = Kind.UNCLEAR
            return kind, self._with_polite(words, index, length) if kind in (Kind.YES, Kind.NO) else length
        if not found or words[index] in plain.turning:  # "but not" denies, "thanks but no" is a no
            return Kind.WORD, 1
        return found[0]

    def _is_of_user(self, words: Sequence[str], index: int) -> bool:
        """Return whether a verb stands there as what the user does, or gives thanks for: "I book it", Italian "la
        prenoto io", "thanks for booking"."""
        start = index
        while start and words[start - 1] in self._plain.unfinished:
            start -= 1
        if 0 < start < index and start == self._polite_end:
            return True
        before = next((one for one in words[:index][::-1] if one not in self._plain.clitics), "")
        return not self._plain.first_persons.isdisjoint((before, *words[index + 1 : index + 2]))

    def _is_if(self, words: Sequence[str], index: int) -> bool:
        """Return whether a yes that may be an "if" as well is one: Spanish "si" before anything but polite words."""
        if words[index] not in self._plain.yes_or_if:
            return False
        phrases, rest = self._plain.phrases, index + 1
        while rest < len(words) and (
            length := max(phrases[kind].at(words, rest) for kind in (Kind.YES, Kind.POLITE, Kind.COURTESY, Kind.REGRET))
        ):
            rest += length
        return rest < len(words)

    def _with_polite(self, words: Sequence[str], index: int, length: int) -> int:
        """Return the length of an answer with the polite words that it ends in the midst of: of "oui merci beaucoup"
        the answer is "oui merci"."""
        polite = self._plain.phrases[Kind.POLITE]
        return max(length, *(at - index + polite.at(words, at) for at in range(index + 1, index + length)), 0)

    def _take(self, kind: Kind, words: Sequence[str], index: int) -> bool:
        """Return whether a part may stand in a plain answer, and keep what it says."""
        if kind in (Kind.YES, Kind.NO):
            self._is_maybe_if = self._is_maybe_if or words[index] in self._plain.yes_or_if
            self._said.add(kind is Kind.YES)
            return True
        is_hesitant = kind is Kind.REGRET or self._plain.hesitant.at(words, index) > 0
        self._hesitates = self._hesitates or is_hesitant
        self._denies = self._denies or kind is Kind.DENYING
        self._permits = self._permits or kind is Kind.PERMITTING
        return self._take_word(words, index) if kind is Kind.WORD else kind is not Kind.UNCLEAR

    def _take_word(self, words: Sequence[str], index: int) -> bool:
        word = words[index]
        is_verb = self._topic.has_verb(word)
        is_done = is_verb and self._topic.is_done(word)
        if is_verb and not is_done and self._is_maybe_if:
            return False  # "si reservas" is an "if", "sí, reserva" is none
        self._hesitates = self._hesitates or (is_verb and self._is_of_user(words, index))
        is_soft = self._is_behind_verb and word in self._plain.softening
        self._does = self._does or is_done
        self._is_behind_verb = self._is_behind_verb or is_verb or word in self._plain.doing
        if is_soft or word in self._plain.beside:
            return True
        if self._topic.has(word, is_verb=is_verb):
            self._names_thing = self._names_thing or not is_verb
            return True
        is_turn = word in self._plain.turning or is_sign(word)
        self._turns = self._turns or is_turn
        return is_turn

    def _notice_end(self, kind: Kind, words: Sequence[str], index: int, length: int) -> None:
        """Keep whether a reply that ends here, or with courtesies behind, lacks its end: "yes for, thanks"."""
        plain, last = self._plain, words[index + length - 1]
        if self._is_open and words[index - 1] not in plain.joining:
            is_polite = kind in (Kind.COURTESY, Kind.REGRET) or plain.phrases[Kind.POLITE].at(words, index) > 0
            self._is_cut = self._is_cut or is_polite
        is_answer = kind in (Kind.YES, Kind.NO)
        is_whole = is_answer and (length > 1 or index == 0 or words[index - 1] == last)
        is_whole = is_whole or (last in plain.clitics and index > 0 and self._topic.is_done(words[index - 1]))
        self._is_open = last in plain.unfinished and not is_whole
        if kind in (Kind.COURTESY, Kind.REGRET, Kind.POLITE):
            self._polite_end = index + length

    def _meaning(self) -> bool | None:
        if not self._said and self._does and not self._hesitates:
            self._said.add(not self._denies)
        is_yes = self._said.pop() if len(self._said) == 1 else None
        if is_yes and self._names_thing and not self._is_clear and not self._does:
            return None  # "nice table", "that room looks awesome"
        is_changed = self._denies or self._turns or (self._permits and not self._does)
        return None if is_yes and (is_changed or self._is_open or self._is_cut) else is_yes
