"""What the words of a reply say beside its values: a plain yes or no, doubt, a change, a wish. Which question and which
conversation is meant is left to the engine (flow-language.md section 5, rule 4).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import pairwise

from dialoom.languages import reader_words
from dialoom.understanding.normalise import MAX_KEPT_TEXTS, kept_within_turn, words_of
from dialoom.understanding.values.confirmation import NO_SIGNS, YES_SIGNS
from dialoom.understanding.words import words_for
from dialoom.understanding.words.roles import roles_for

_LENGTHENED = re.compile(r"(.)\1{2,}")
"""A letter that is drawn out: "yesss", "nooo"."""
_DOUBLED = re.compile(r"(.)\1$")
"""A last letter that is said twice: "jaa"."""
_ANYTHING = "*"
MAX_PLAIN_WORDS = 100
"""Words of a reply that may be a plain yes or no. The longest question and all of its values said again have fewer."""
_SHARED = 4
"""Letters that two forms of a word begin with alike: "book" and "booked"."""
_ENDING = 3
"""Letters that one of them may have more."""
_STEM = 5
"""Letters that two forms of a verb begin with alike, whatever their endings: "annuleer" and "annuleren"."""


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
        free = 0
        for index, word in enumerate(words):
            if index >= free and word in self._by_first and (length := self.at(words, index)):
                free = index + length
                yield index, free

    def without(self, words: Sequence[str]) -> list[str]:
        """Return the words outside the phrases."""
        edges = [0, *(place for found in self.find(words) for place in found), len(words)]
        return [word for start, end in list(pairwise(edges))[::2] for word in words[start:end]]

    def any_in(self, words: Sequence[str]) -> bool:
        return next(self.find(words), None) is not None


class GappedPhrases:
    """A set of phrases, some with a gap in which a few words may stand, found anywhere in a reply."""

    __slots__ = ("_pattern",)

    def __init__(self, phrases: Iterable[str]) -> None:
        folded = [
            " ".join(part if part == _ANYTHING else " ".join(folded_words(part)) for part in one.split())
            for one in phrases
        ]
        longest = sorted(set(folded), key=lambda one: (-len(one), one))
        said = "|".join(
            re.escape(one).replace(rf" {re.escape(_ANYTHING)} ".replace(" ", r"\ "), r" (?:\S+ ){0,4}?")
            for one in longest
        )
        self._pattern = re.compile(rf"(?<!\S)(?:{said})(?!\S)") if longest else None

    def find(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """Return the first word and the one behind the last of each phrase."""
        text = " ".join(words)
        if self._pattern is None:
            return []
        spans = (found.span() for found in self._pattern.finditer(text))
        return [(text.count(" ", 0, start), text.count(" ", 0, end) + 1) for start, end in spans]

    def are_in(self, words: Sequence[str]) -> bool:
        """Return whether one of the phrases is said."""
        return self._pattern is not None and self._pattern.search(" ".join(words)) is not None


class ReplyWords:
    """The words of a language for replies. The yes and no of English are understood everywhere, unless they mean
    something else there."""

    def __init__(self, language: str) -> None:
        own, english, replies = words_for(language), words_for("en"), reader_words(language).replies
        own_yes, own_no = set(own.yes), set(own.no)
        yes = own_yes | (set(english.yes) - own_no - set(replies.unfinished)) | set(YES_SIGNS)
        no = own_no | (set(english.no) - own_yes) | set(NO_SIGNS)
        yes, no = _with_short_forms(yes), _with_short_forms(no)
        doubts = {folded_words(one) for one in replies.doubts}
        # "si" is Spanish for "if" as well: alone it is a yes.
        answers = {folded_words(one) for one in own_yes}
        unsure = frozenset(words[0] for words in doubts if len(words) == 1 and words not in answers)
        self._unsure_answers = frozenset(words[0] for words in doubts & answers if len(words) == 1)
        changes = {word for one in replies.changing for word in folded_words(one)}
        polite = {*own.polite, *own.fillers, *english.polite}
        self.doubts = Phrases(_with_short_forms(replies.doubts))
        self.yes = Phrases(one for one in yes if one in own_yes or unsure.isdisjoint(folded_words(one)))
        self._hedged = Phrases(_with_short_forms(replies.hedges))
        self.no = Phrases(no)
        # "No later than 10" says no more than "not before 10".
        unread = (one for one in own.unread_before if self.no.at(folded_words(one), 0))
        self.neither = Phrases(_with_short_forms((*own.neither, *english.neither, *unread)))
        self.polite = Phrases(one for one in polite if unsure.isdisjoint(folded_words(one)))
        self._fillers = Phrases(own.fillers)
        self._hesitant = Phrases(set(own.fillers) - {*own.polite, *replies.wishes})
        self._answers = frozenset(words[0] for words in map(folded_words, yes | no) if len(words) == 1)
        self._unsure = unsure
        self._alone = frozenset(folded_words(one) for one in replies.alone)
        self._unsuitable = GappedPhrases(replies.unsuitable)
        self._refusing = GappedPhrases((*replies.unsuitable, *replies.unable))
        self._asking = Phrases(replies.asking)
        self._putting_off = GappedPhrases(replies.putting_off)
        self.clauses = frozenset(word for one in replies.clauses for word in folded_words(one))
        units = {word for unit in own.units for word in folded_words(unit)}
        self._waiting = frozenset(words[0] for words in doubts if len(words) == 1) & units
        self._softening = frozenset(word for one in replies.softening for word in folded_words(one))
        self.continuing = Phrases(replies.continuing)
        self.wrong = Phrases((*replies.changing, *replies.wrong))
        self._complaint = Phrases(replies.wrong)
        self._clear_no = Phrases(one for one in no if one in {*own.strong, *english.strong})
        self.all_but = Phrases(replies.all_but)
        self.unchanged = Phrases(replies.unchanged)
        # The last words of "is right", "is correct".
        parts = [folded_words(one) for one in replies.unchanged]
        self.approving = frozenset(words[-1] for words in parts if len(words) == 2 and (words[-1],) in answers)
        self.denying = Phrases(replies.denying)
        self.becoming = Phrases(replies.becoming)
        self.wishes = Phrases((*replies.wishes, *own.polite, *own.fillers))
        self.none = frozenset(folded_words(one) for one in replies.none)
        self.beside = frozenset(word for one in replies.beside for word in folded_words(one)) - unsure
        self.doing = frozenset(word for one in replies.doing for word in folded_words(one))
        self.types = {name: tuple(map(folded_words, names)) for name, names in replies.types.items()}
        self._never_plain = unsure | changes
        self._changes = changes
        self._unfinished = frozenset(word for one in replies.unfinished for word in folded_words(one))
        self._or = roles_for(language).alternatives

    def plain_answer(self, words: Sequence[str], question: frozenset[str], known: frozenset[str]) -> bool | None:
        """Return the yes or no that is all that was said, beside polite words and what is spoken of anyway; else None.

        ``question``: the words of the question. ``known``: other words that it is about. Of a question between two
        things no word may be said again: "yes, reject it" to "approve or reject?".
        """
        if len(words) > MAX_PLAIN_WORDS:
            return None
        if tuple(words) in self._alone:
            return True
        words = [self._as_known(word) for word in words]
        is_choice = not self._or.isdisjoint(question)
        # "Shall I change it?" is about a change, "Right, or shall I change it?" and "Nothing to change?" are not.
        is_plain = is_choice or not self._unsure.isdisjoint(question)
        never = self._never_plain if is_plain else self._never_plain - (question & self._changes)
        about = set() if is_choice else {word for word in question | known if word not in never}
        verbs = set() if is_choice else question & self.doing
        verb_forms = _Forms(verbs)
        about |= verbs if len(verbs) == 1 else set()
        said = set[bool]()
        index, does, denies, hesitates, is_verb, last = 0, False, False, False, False, 0
        while index < len(words):
            hedged, neither = self._hedged.at(words, index), self.neither.at(words, index)
            lengths = {True: self.yes.at(words, index), False: self.no.at(words, index)}
            longest = max(lengths.values())
            denied, polite = self.denying.at(words, index), self.polite.at(words, index)
            hesitates = hesitates or self._hesitant.at(words, index) > 0
            if hedged and polite >= max(longest, hedged, neither):  # "no problem" alone is too little, and no doubt
                index, last = index + polite, 0
                continue
            if max(hedged, neither) >= max(longest, 1):
                return None
            if longest and not (longest == 1 and index and self._is_doubt(words, index)):
                said |= {value for value, length in lengths.items() if length == longest}
                index, last = self._past_polite(words, index, longest), longest
                continue
            word, last = words[index], 0
            does = does or (len(verbs) == 1 and word in self.doing and word in verb_forms)
            denies = denies or denied > 0
            is_about = word in about or (word not in never and word in verb_forms)
            is_about = is_about or (is_verb and word in self._softening)
            is_verb = is_verb or word in self.doing or word in verb_forms
            if not denied and not polite and not is_about and word not in self.beside:
                return None
            index += denied or polite or 1
        is_yes = not denies if not said and does and not hesitates else said.pop() if len(said) == 1 else None
        is_cut = words[-1:] != [] and words[-1] in self._unfinished
        if is_yes and (denies or (is_cut and (not last or (last == 1 < len(words) and words[-2] != words[-1])))):
            return None
        return is_yes

    def _past_polite(self, words: Sequence[str], index: int, length: int) -> int:
        """Return the word behind an answer, and behind the polite words that it ends in the midst of: of "oui merci
        beaucoup" the answer is "oui merci"."""
        ends = (place + self.polite.at(words, place) for place in range(index + 1, index + length))
        return max(index + length, *ends, 0)

    def _as_known(self, word: str) -> str:
        """Return a word without letters that are drawn out: "yesss", "jaa"."""
        word = _LENGTHENED.sub(r"\1", word)
        if word in self._answers or not _DOUBLED.search(word) or word[:-1] not in self._answers:
            return word
        return word[:-1]

    def _is_doubt(self, words: Sequence[str], index: int) -> bool:
        """Return whether a yes that may be an "if" as well is one: Spanish "si" before anything but polite words."""
        if words[index] not in self._unsure_answers:
            return False
        rest = index + 1
        while rest < len(words) and (length := max(self.yes.at(words, rest), self.polite.at(words, rest))):
            rest += length
        return rest < len(words)

    def doubts_a_yes(self, words: Sequence[str]) -> bool:
        """Return whether a word of doubt stands behind the first word."""
        return self.doubts.any_in(words[1:] if words[:1] and words[0] in self._unsure_answers else words)

    def goes_on(self, words: Sequence[str], about: AbstractSet[str]) -> bool:
        """Return whether a reply asks to go on with what it is about, and nothing else: "no, continue booking"."""
        if not self.continuing.any_in(words):
            return False
        rest = self.continuing.without(words)
        forms = _Forms(about)
        index = 0
        while index < len(rest):
            length = max(self.no.at(rest, index), self.polite.at(rest, index))
            if not length and rest[index] not in self.beside and rest[index] not in forms:
                return False
            index += length or 1
        return True

    def asks_to_wait(self, words: Sequence[str]) -> bool:
        """Return whether a stretch of time is one that people name when they want to wait: "a minute", "1 sec"."""
        return not self._waiting.isdisjoint(words)

    def tells_elsewhere(self, words: Sequence[str], meant: AbstractSet[str]) -> bool:
        """Return whether values beside these words are no corrections: the words ask something or put the answer off
        ("do you work on Monday", "I'll tell you on Monday"). ``meant``: words that say that a value is wanted."""
        if self._putting_off.are_in(words):
            return True
        start = 0
        while start < len(words):
            length = max(self.yes.at(words, start), self.no.at(words, start), self.polite.at(words, start))
            length = max(length, self._fillers.at(words, start), int(words[start] in self.clauses))
            asked = self._asking.at(words, start)
            if asked and asked >= length:
                return self._changes.isdisjoint(words) and meant.isdisjoint(words)
            if not length:
                return False
            start += length
        return False

    def refuses(self, words: Sequence[str]) -> bool:
        """Return whether the words say of a value that it is wrong or does not suit."""
        return self._refusing.are_in(words) or self._complaint.any_in(words)

    def is_complaint(self, words: Sequence[str]) -> bool:
        """Return whether the reply says that something is wrong, and is no clear no."""
        return self._complaint.any_in(words) and not self._clear_no.any_in(words)

    def says(self, words: Sequence[str], expression: AbstractSet[str]) -> bool:
        """Return whether a sentence says an expression: it has all words of it, and besides only words of a wish and
        words such as "the". Any other word may turn it: "did you cancel it", "I spoke to a person yesterday"."""
        if not expression <= set(words):
            return False
        rest = [word for word in words if word not in expression]
        besides = self.wishes.without(rest)
        return not self.doubts.any_in(rest) and all(word in self.beside for word in besides)

    def begins_wish(self, words: Sequence[str]) -> bool:
        """Return whether a phrase such as "I would like to" begins the words, "but" before it at most, and no doubt
        follows."""
        start = next((index for index, word in enumerate(words) if word not in self.clauses), 0)
        length = self.wishes.at(words, start) if words else 0
        return length > 1 and not self.polite.at(words, start) and not self.doubts.any_in(words[start + length :])

    def are_of(self, words: Sequence[str], question: frozenset[str]) -> bool:
        """Return whether a reply names what the question asks for, in any form: "stornieren" to "Storniere ich es?"."""
        forms = _Forms(question)
        return any(word in self.doing for word in words) and all(word in forms for word in words)

    def only_names(self, words: Sequence[str], known: AbstractSet[str]) -> bool:
        """Return whether a reply has known words in any form and words such as "the", and no verb of its own."""
        forms, passed = _Forms(known), self.beside | self.clauses
        return all((word in forms and word not in self.doing) or word in passed for word in words)

    def is_none(self, words: Sequence[str]) -> bool:
        """Return whether the reply leaves an optional question without a value: "no" in any form ("nö"), "none"."""
        said = (words, self.polite.without(words))
        return any(tuple(one) in self.none or (one and self._clear_no.at(one, 0) == len(one)) for one in said)

    def only_introduces(self, words: Sequence[str], *, is_change: bool) -> bool:
        """Return whether the words before a named question leave what follows as the user's wish: no doubt among them,
        and without a word of change nothing but a yes, a no and words such as "but my"."""
        known = self.clauses | self.beside
        index = 0
        while index < len(words):
            length = max(self.yes.at(words, index), self.no.at(words, index), self.polite.at(words, index))
            if not length and words[index] not in known and (not is_change or self.doubts.at(words, index)):
                return False
            index += length or 1
        return True

    def may_be_text(self, words: Sequence[str]) -> bool:
        """Return whether words may be the text that is meant: no doubt, no "another" and no "wrong" among them."""
        return not self.doubts.any_in(words) and not self.wrong.any_in(words) and not self.refuses(words)

    def polite_end(self, words: Sequence[str]) -> int:
        """Return how many polite words the words end with."""
        return next(
            (length for length in range(len(words), 0, -1) if self.polite.at(words, len(words) - length) == length), 0
        )

    def answering(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """Return where a yes, a no and polite words stand: the first word and the one behind the last of each."""
        found: list[tuple[int, int]] = []
        index = 0
        while index < len(words):
            length = max(self.yes.at(words, index), self.no.at(words, index), self.polite.at(words, index))
            if length:
                found.append((index, index + length))
            index += length or 1
        return found

    def asks_for_change(
        self, words: Sequence[str], *, is_reply: bool = False, breaks: AbstractSet[int] = frozenset()
    ) -> list[tuple[int, int]]:
        """Return where words of change or wrong stand; none of them where the reply says that nothing is wrong.
        ``is_reply``: to a confirmation, where "doesn't suit me" is one as well. ``breaks``: the words that stand behind
        a comma or the like: "no, change the time" is no "no change"."""
        unchanged = [
            place
            for start, end in self.unchanged.find(words)
            if breaks.isdisjoint(range(start + 1, end))
            for place in range(start, end)
        ]
        found = [*self.wrong.find(words), *(self._unsuitable.find(words) if is_reply else ())]
        found = [place for place in found if place[0] not in unchanged]
        return [] if unchanged and not found else found

    def without_yes(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return the words without a yes and polite words before them."""
        start = 0
        while start < len(words) and (length := max(self.yes.at(words, start), self.polite.at(words, start))):
            start += length
        return tuple(words[start:])

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


@kept_within_turn(MAX_KEPT_TEXTS)
def folded_words(text: str) -> tuple[str, ...]:
    """Return the words of a text as they are compared."""
    return tuple([word.folded for word in words_of(text)])


@cache
def reply_words(language: str) -> ReplyWords:
    """Return the words for replies of a language tag such as ``en-GB``."""
    return ReplyWords(language)


def _with_short_forms(phrases: Iterable[str]) -> set[str]:
    """Return the phrases, and those with an apostrophe without it as well: "thats fine"."""
    known = set(phrases)
    return known | {one.replace(sign, "") for one in known for sign in "'’" if sign in one}


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


def _is_form(word: str, verb: str) -> bool:
    if len(verb) < _SHARED:
        return False
    common = _common(word, verb)
    if common >= _STEM and max(len(word), len(verb)) - common <= _ENDING:
        return True
    return abs(len(verb) - len(word)) <= _ENDING and common >= min(len(word), len(verb)) - 1


def _common(one: str, other: str) -> int:
    """Return how many letters two words begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))
