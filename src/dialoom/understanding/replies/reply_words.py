"""The words of a language for replies, and what the words of a reply say beside a plain yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import pairwise

from dialoom.languages import reader_words
from dialoom.understanding.replies.forms import Forms, without_clitics
from dialoom.understanding.replies.phrases import GappedPhrases, Phrases, folded_words, single_words, with_short_forms
from dialoom.understanding.replies.plain_answer import Kind, PlainAnswer, Topic
from dialoom.understanding.replies.plain_words import plain_words
from dialoom.understanding.words import words_for


class ReplyWords:
    """The words of a language for replies."""

    def __init__(self, language: str) -> None:
        own, replies = words_for(language), reader_words(language).replies
        self._plain = plain = plain_words(language)
        self.yes, self.no, self.polite = (plain.phrases[kind] for kind in (Kind.YES, Kind.NO, Kind.POLITE))
        self.denying, self.permitting = plain.phrases[Kind.DENYING], plain.phrases[Kind.PERMITTING]
        self.beside, self.doing, self.clauses = plain.beside, plain.doing, plain.turning
        strong = {*own.strong, *words_for("en").strong}
        self._clear_no = Phrases(one for one in strong if self.no.at(folded_words(one), 0) == len(folded_words(one)))
        self.doubts = Phrases(with_short_forms(replies.doubts))
        self._another = Phrases(replies.another)
        self.asking_for = single_words(replies.asking_for)
        self.wishes = Phrases((*replies.wishes, *own.polite, *own.fillers))
        self._fillers = Phrases(own.fillers)
        self._unsuitable = GappedPhrases(replies.unsuitable)
        self._refusing = GappedPhrases((*replies.unsuitable, *replies.unable))
        self._asking = Phrases(replies.asking)
        self._being = Phrases(replies.being)
        self._undoing = Forms(single_words(replies.undoing))
        self._new = single_words(own.articles)
        stating = [one for one in map(folded_words, (*replies.denying, *own.no)) if len(one) == 1]
        self._stating = plain.beside.union(self._new, *stating)
        self._putting_off = GappedPhrases(replies.putting_off)
        doubts = {words[0] for words in map(folded_words, replies.doubts) if len(words) == 1}
        self._waiting = single_words(own.units) & doubts
        self._continuing = Phrases(replies.continuing)
        self.wrong = Phrases((*replies.changing, *replies.wrong))
        self._complaint = Phrases(replies.wrong)
        self.all_but = Phrases(replies.all_but)
        self.naming = frozenset((*self.wrong.first_words, *self.all_but.first_words))
        """With these begins what says that a named question is to be asked again."""
        self.unchanged = Phrases(replies.unchanged)
        # The last words of "is right", "is correct".
        pairs = [words for words in map(folded_words, replies.unchanged) if len(words) == 2]
        answers = set(map(folded_words, own.yes))
        self.approving = frozenset(last for _, last in pairs if (last,) in answers)
        self.becoming = Phrases(replies.becoming)
        self._none = frozenset(map(folded_words, replies.none))
        self.types = {name: tuple(map(folded_words, names)) for name, names in replies.types.items()}

    def plain_answer(self, words: Sequence[str], question: frozenset[str], known: frozenset[str]) -> bool | None:
        """Return the yes or no that is all that was said, beside courtesies and what is spoken of anyway; else None.

        ``question``: the words of the question. ``known``: other words that it is about.
        """
        return PlainAnswer(self._plain, Topic(self._plain, question, known)).read(words)

    def doubts_a_yes(self, words: Sequence[str]) -> bool:
        """Return whether a word of doubt stands behind the first word."""
        return self.doubts.any_in(words[1:] if words[:1] and words[0] in self._plain.yes_or_if else words)

    def goes_on(self, words: Sequence[str], about: AbstractSet[str]) -> bool:
        """Return whether a reply asks to go on with what it is about, and nothing else: "no, continue booking"."""
        if not self._continuing.any_in(words):
            return False
        rest = self._continuing.without(words)
        forms = Forms(about)
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
                return self._plain.changing.isdisjoint(words) and meant.isdisjoint(words)
            if not length:
                return False
            start += length
        return False

    def asks(self, words: Sequence[str]) -> bool:
        """Return whether a question word or the like begins the words: "how do I cancel"."""
        return bool(words) and self._asking.at(words, 0) > 0

    def asks_for_one_more(self, words: Sequence[str], own: AbstractSet[str]) -> bool:
        """Return whether words ask for another of what is spoken of (``own``): "another table", "noch einen für"."""
        behind = (words[after : after + 1] for _, after in self._another.find(words))
        return any(not one or one[0] in own or one[0] in self.beside for one in behind)

    def does_another(self, words: Sequence[str], own: frozenset[str]) -> bool:
        """Return whether words ask to undo something or for something new, by a verb that is none of what is spoken of
        (``own``): "cancel the one on Friday", "order a taxi for Friday"."""
        plain = self._plain
        verbs = own & plain.doing
        known = Forms(own.union(*(plain.alike.get(verb, ()) for verb in verbs)))
        said = plain.joined(words)
        others = [one for word in said if word not in known for one in without_clitics(word, plain.clitics)]
        if any(one in self._undoing for one in others) and not any(word in self._undoing for word in own):
            return True
        things = (after for before, after in pairwise(said) if before in self._new)
        return not plain.doing.isdisjoint(others) and any(one not in known and one not in self.beside for one in things)

    def states(self, words: Sequence[str]) -> bool:
        """Return whether words say what something is or is not, and nothing else: "isn't the ... a"."""
        return self._being.any_in(words) and self._stating.issuperset(self._being.without(words))

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
        forms = Forms(question)
        return any(word in self.doing for word in words) and all(word in forms for word in words)

    def says_verb(self, words: Sequence[str], about: AbstractSet[str]) -> bool:
        """Return whether a verb of what is spoken of is among the words, in any form."""
        forms = Forms(about)
        return any(word in self.doing and word in forms for word in words)

    def only_names(self, words: Sequence[str], known: AbstractSet[str]) -> bool:
        """Return whether a reply has known words in any form and words such as "the", and no verb of its own."""
        forms, passed = Forms(known), self.beside | self.clauses
        return all((word in forms and word not in self.doing) or word in passed for word in words)

    def is_none(self, words: Sequence[str]) -> bool:
        """Return whether the reply leaves an optional question without a value: "no" in any form ("nö"), "none"."""
        said = (words, self.polite.without(words))
        return any(tuple(one) in self._none or (one and self._clear_no.at(one, 0) == len(one)) for one in said)

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


@cache
def reply_words(language: str) -> ReplyWords:
    """Return the words for replies of a language tag such as ``en-GB``."""
    return ReplyWords(language)
