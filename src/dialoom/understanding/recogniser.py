"""The one door of the room: which values of which types a text may hold. Built once for a version of a bot, then only
read; pure, without clock, randomness or I/O. Which question takes what, and overlaps between types, are the engine's.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from dialoom.flow.model import BUILT_IN_TYPES, EntityDefinition, KeywordsType, QnAType, RegexType, TraitType
from dialoom.flow.patterns.expression_slots import NO_SLOTS, SlotTypes
from dialoom.understanding.candidate import Candidate, Stretch, longest
from dialoom.understanding.intents.classifier import Classifier, Forms, Label, Model, put_right
from dialoom.understanding.intents.features import MAX_WORDS
from dialoom.understanding.intents.slot_words import SURE
from dialoom.understanding.intents.training import train
from dialoom.understanding.keywords import Keywords
from dialoom.understanding.normalise import Word, fold, kept_within_turn, normalise
from dialoom.understanding.patterns import Pattern
from dialoom.understanding.senses import Sense
from dialoom.understanding.slips import Slips
from dialoom.understanding.slot_values import apart, places_of, with_tokens, with_types
from dialoom.understanding.towns import load_towns
from dialoom.understanding.values import READ_TYPES, load_libraries, readers_for
from dialoom.understanding.values.message import Message, message, once, whole
from dialoom.understanding.values.pieces.time_pieces import BARE_HOUR
from dialoom.understanding.words import common_words, words_before_values

Kind = Literal["built-in", "trait", "keywords", "regex", "QnA"]
_KINDS: dict[type[EntityDefinition], Kind] = {
    TraitType: "trait",
    QnAType: "QnA",
    KeywordsType: "keywords",
    RegexType: "regex",
}

MAX_TEXT_CHARS = 2_000
"""Characters of a message in which values are sought; ``Text`` takes all of it. Bounds the time of one message."""
MAX_VALUES = 100
"""Places of one message at which values of one type are read; what stands behind them is left unread."""
_VALUES_IN_SENTENCES = ("Date", "Time", "Number", "Email", "PhoneNumber")
"""Built-in types whose words say nothing about what a sentence is about."""

_ANY_DAY = datetime(2026, 1, 1, tzinfo=UTC)
"""Where only the places of values matter, not which day "tomorrow" is."""
_HOLDING_NUMBERS = ("Date", "Time", "Duration", "PhoneNumber", "Email", "Url")
"""Types whose values may have a number in them that is no amount."""

_EVERY_KIND = "ada@example.org, +49 30 5550100, 3rd March at 15:00, twenty"


@kept_within_turn(2)
def _timeless(text: str) -> Message:
    """Return a message of no certain time, kept while it is asked for again and again."""
    return message(text, _ANY_DAY)


@lru_cache(maxsize=64)
def prepare(language: str, with_towns: bool = False) -> None:
    """Make every reader of a language and load what libraries read from disk, so that no message waits for it: 0.15 s
    for the first language of a process, 0.08 s for each further one. Not for the event loop."""
    load_libraries()
    if with_towns:
        load_towns()
    said = message(_EVERY_KIND, _ANY_DAY)
    for type_ in READ_TYPES:
        list(readers_for(language)[type_].find(said))


class _Trained(NamedTuple):
    """A classifier, and what it is asked with."""

    classifier: Classifier
    slips: Slips
    forms: Forms
    types: frozenset[str]
    slots: frozenset[str]
    """The types of the slots in its expressions."""


class Recogniser:
    """Understands messages for one version of a bot."""

    def __init__(
        self,
        definitions: tuple[EntityDefinition, ...],
        language: str,
        threshold: float = 0.65,
        margin: float = 0.1,
        model: Model | None = None,
        slots: SlotTypes = NO_SLOTS,
    ) -> None:
        """``model`` is what ``train`` made of the same definitions and ``slots``; without it the training happens
        here."""
        self.language = language
        self._kinds: dict[str, Kind] = {one.name: _KINDS[type(one)] for one in definitions}
        self._threshold = threshold
        self._margin = margin
        trained = model if model is not None else train(definitions, language, slots)
        self._correct = common_words(language)
        self._before_values = words_before_values(language)
        self._classifiers = [
            _Trained(
                one,
                Slips(one.words(), self._correct),
                Forms(one.words()),
                frozenset(type for type, _ in one.labels),
                one.slot_types(),
            )
            for one in trained.classifiers
        ]
        self._readers = readers_for(language)
        self._keywords = {
            one.name: Keywords(one, self._correct) for one in definitions if isinstance(one, KeywordsType)
        }
        self._patterns = {one.name: Pattern(one) for one in definitions if isinstance(one, RegexType)}
        senses = {one.name: one for one in definitions if isinstance(one, TraitType | QnAType)}
        # As they are asked for an expression: conversations and QnA first.
        order = sorted(senses, key=lambda name: (name != "Conversation", isinstance(senses[name], TraitType)))
        self._senses = {name: Sense(senses[name], slots) for name in order}
        self._slot_types = tuple(sorted(set(filter(None, slots.values()))))
        self._slotted = {name: sense.slotted for name, sense in self._senses.items() if sense.slotted}
        self._trained: dict[str, Label] = {}
        for name, sense in self._senses.items():
            for expression, value in sense.expressions.items():
                self._trained.setdefault(expression, (name, value))

    def with_values(self, definitions: Iterable[KeywordsType]) -> Recogniser:
        """Return the same with other values of these keywords types: their index is made again, all else is shared."""
        other = copy.copy(self)
        other._keywords = {**self._keywords, **{one.name: Keywords(one, self._correct) for one in definitions}}
        return other

    # ---- what a message holds ------------------------------------------------------------------------------------

    def recognise(self, text: str, types: Iterable[str], now: datetime) -> dict[str, list[Candidate]]:
        """Return the candidates of each asked-for type, in the order of the text; inside a type the longest have
        won."""
        asked = list(dict.fromkeys(types))
        said = message(text[:MAX_TEXT_CHARS], now)
        senses = self._sense(said, frozenset(one for one in asked if one in self._senses))
        found: dict[str, list[Candidate]] = {}
        for type_ in asked:
            stretches = senses.get(type_, []) if type_ in self._senses else self._stretches(type_, said, text)
            found[type_] = [
                Candidate(type_, one.value, one.confidence, one.start, one.end, text[one.start : one.end], one.others)
                for one in _first(stretches)
            ]
        return found

    def _stretches(self, type_: str, said: Message, text: str) -> list[Stretch]:
        if type_ in self._keywords:
            return self._keyword_values(type_, said)
        if type_ in self._patterns:
            return self._patterns[type_].find(text)
        if type_ not in READ_TYPES:
            return []
        reader = self._readers[type_]
        if type_ == "Text":
            return longest(reader.find(Message(text, said.folded, said.words, said.now)))
        return once(said, (reader, "longest"), lambda said: longest(reader.find(said)))

    def _sense(self, said: Message, types: frozenset[str]) -> dict[str, list[Stretch]]:
        """Return the one accepted value of each trait and QnA type. A trained expression is sure; else the classifier
        must reach the threshold, and lead the next value by the margin."""
        if not types or not said.text.strip():
            return {}
        found: dict[str, tuple[str, float]] = {}
        key = normalise(said.text)
        for type_ in types:
            value = self._senses[type_].expressions.get(key)
            if value is None and type_ in self._slotted:
                value = self._said_with_values(type_, said)
            if value is not None:
                found[type_] = (value, 1.0)
        for trained in self._classifiers:
            rivals = types & trained.types
            if not rivals or rivals & found.keys():
                continue
            best = self._best(said, trained, rivals)
            if best and best[0][1] >= self._threshold and (len(best) < 2 or best[0][1] - best[1][1] >= self._margin):
                (type_, value), sure = best[0]
                found[type_] = (value, sure)
        start, end = _inside(said.text)
        return {
            type_: [Stretch(start, end, self._senses[type_].value(value), sure)]
            for type_, (value, sure) in found.items()
        }

    def likeliest(
        self, text: str, types: Iterable[str], now: datetime, left_out: Collection[Label] = frozenset()
    ) -> list[Candidate]:
        """Return of each classifier of these traits and QnA types the two likeliest values, accepted or not, the surest
        first. ``left_out``: types and values that are not meant."""
        said = message(text[:MAX_TEXT_CHARS], now)
        asked = frozenset(types)
        start, end = _inside(said.text)
        found = [
            Candidate(type_, self._senses[type_].value(value), sure, start, end, text[start:end])
            for trained in self._classifiers
            if asked & trained.types
            for (type_, value), sure in self._best(said, trained, asked & trained.types, left_out)
        ]
        return sorted(found, key=lambda one: -one.confidence)

    def _best(
        self, said: Message, trained: _Trained, rivals: frozenset[str], left_out: Collection[Label] = frozenset()
    ) -> list[tuple[Label, float]]:
        """Return the two likeliest values of these types, the surest first."""
        if left_out:
            return self._find_best(said, trained, rivals, left_out)
        return once(said, (self, trained.types, rivals), lambda said: self._find_best(said, trained, rivals, left_out))

    def _find_best(
        self, said: Message, trained: _Trained, rivals: frozenset[str], left_out: Collection[Label]
    ) -> list[tuple[Label, float]]:
        """Return the two likeliest values, calculated anew. Where expressions hold slots, the values in the message are
        replaced by their types; the message as it was typed is tried, too, where expressions have words of them."""
        if not trained.slots:
            return self._best_of(said, said.words, trained, rivals, left_out)
        words, gone = with_tokens(said.words, self._tokens(said, trained.slots), self._before_values)
        found = self._best_of(said, words, trained, rivals, left_out)
        if not any(map(trained.classifier.knows, gone)):
            return found
        literal = self._best_of(said, said.words, trained, rivals, left_out)
        return max(found, literal, key=lambda best: best[0][1] if best else 0.0)

    def _best_of(
        self,
        said: Message,
        words_said: list[Word],
        trained: _Trained,
        rivals: frozenset[str],
        left_out: Collection[Label],
    ) -> list[tuple[Label, float]]:
        classifier = trained.classifier
        words = [word.folded for word in words_said]
        if not all(map(classifier.knows, words)):
            beside = self._beside_values(said, words_said, classifier.knows)
            words = [put_right(word, classifier, trained.slips) for word in beside]
        foreign = frozenset(
            word
            for word in words
            if word in self._correct and not classifier.knows(word) and not trained.forms.has(word)
        )
        return classifier.best(words, rivals, foreign, left_out) if words else []

    def _beside_values(self, said: Message, words: list[Word], knows: Callable[[str], bool]) -> list[str]:
        """Return the words of a sentence without the unknown ones that are part of a value: "see Dr. Petrova on 3rd
        March" is about seeing somebody some day, whoever and whenever."""
        inside = bytearray(len(said.text))
        for one in self._values(said):
            inside[one.start : one.end] = b"\1" * (one.end - one.start)
        return [word.folded for word in words if knows(word.folded) or 1 not in inside[word.start : word.end]]

    def _values(self, said: Message) -> list[Stretch]:
        return once(said, self, self._values_in_sentence)

    def _values_in_sentence(self, said: Message) -> Iterator[Stretch]:
        for type_ in self._keywords:
            yield from self._keyword_values(type_, said)
        for type_ in _VALUES_IN_SENTENCES:
            yield from self._readers[type_].find(said)

    def _keyword_values(self, type_: str, said: Message) -> list[Stretch]:
        keywords = self._keywords[type_]
        return once(said, keywords, lambda said: keywords.find(said.text, said.words))

    # ---- slots ---------------------------------------------------------------------------------------------------

    def _slot_values(self, said: Message) -> list[Stretch]:
        """Return the values of the types of slots in a message, overlapping ones too, each with its type as value."""
        return once(said, (self, "slots"), self._find_slot_values)

    def _find_slot_values(self, said: Message) -> Iterator[Stretch]:
        for type_ in self._slot_types:
            for one in self._stretches(type_, said, said.text):
                # A film is named "It", and hardly any "it" is that film.
                is_plain = type_ in self._keywords and self._before_values.issuperset(
                    fold(said.text[one.start : one.end]).split()
                )
                if one.confidence > SURE and not is_plain:
                    yield Stretch(one.start, one.end, type_, one.confidence)

    def _tokens(self, said: Message, types: frozenset[str]) -> list[Stretch]:
        """Return the values that these types have tokens for: none that is a part of a longer one ("8" of "at 8")."""
        others = [Stretch(one.start, one.end, "", one.confidence) for one in self._values(said)]
        mine = [one for one in self._slot_values(said) if one.value in types]
        return [one for one in apart([*mine, *others]) if one.value]

    def with_types(self, text: str, now: datetime) -> str:
        """Return a text as wishes are sought in it, with the types of slots in place of values; the text itself where
        there are none."""
        wishes = next((one for one in self._classifiers if one.slots), None)
        if wishes is None:
            return text
        said = message(text[:MAX_TEXT_CHARS], now)
        words, _ = with_tokens(said.words, self._tokens(said, wishes.slots), self._before_values)
        return with_types(said.text, words)

    def _said_with_values(self, type_: str, said: Message) -> str | None:
        """Return the value of which a message is an expression with slots."""
        if len(said.words) > MAX_WORDS:
            return None
        values = places_of(said.words, self._slot_values(said), self._before_values)
        return self._slotted[type_].value_of(said.words, values)

    # ---- single questions ----------------------------------------------------------------------------------------

    def trained_expression(self, text: str) -> Label | None:
        """Return the type and value of which a text is a trained expression, normalised; conversations and QnA
        first."""
        found = self._trained.get(normalise(text))
        if found is not None or not self._slotted or len(text) > MAX_TEXT_CHARS:
            return found
        said = _timeless(text)
        named = ((type_, self._said_with_values(type_, said)) for type_ in self._slotted)
        return next(((type_, value) for type_, value in named if value is not None), None)

    def value_named(self, type_: str, text: str) -> dict[str, Any] | None:
        """Return the value of a custom type that a text names exactly: the value itself, a synonym, else an
        expression."""
        listed = self._listed(type_)
        return None if listed is None else listed.named(text)

    def values(self, type_: str) -> list[dict[str, Any]]:
        """Return the values of a custom type in alphabetical order; none for a type that has no list of values."""
        listed = self._listed(type_)
        return [] if listed is None else listed.values()

    def has_values(self, type_: str) -> bool:
        """Return whether a custom type has a list of values with anything in it."""
        listed = self._listed(type_)
        return listed is not None and listed.has_values

    def _listed(self, type_: str) -> Keywords | Sense | None:
        return self._keywords.get(type_) or self._senses.get(type_)

    def reads(self, type_: str, text: str, now: datetime) -> Any:
        """Return a whole text as a value of a type; None when it is none, or only holds one among other words."""
        readings = self.readings(type_, text, now)
        return readings[0] if readings else None

    def readings(self, type_: str, text: str, now: datetime) -> tuple[Any, ...]:
        """Return what ``reads`` does, with what else the same words may mean behind it; nothing where they are no
        value."""
        if type_ in self._kinds:
            pattern = self._patterns.get(type_)
            value = self.value_named(type_, text) if pattern is None else pattern.reads(text.strip())
            return () if value is None else (value,)
        if len(text) > MAX_TEXT_CHARS and type_ != "Text":
            return ()
        said = message(text, now)
        one = whole(said, self._stretches(type_, said, text))
        return () if one is None else (one.value, *one.others)

    def unread(self, text: str, type_: str, now: datetime) -> list[tuple[int, int]]:
        """Return the stretches that are words of a Date, Time or Datetime and no one value ("31 February", "at the
        latest 9"): nothing in them is a value of another type."""
        return sorted(self._readers.unread(message(text[:MAX_TEXT_CHARS], now), type_))

    def bare_amounts(self, text: str, currency: str, now: datetime) -> list[Candidate]:
        """Return the numbers of a text as amounts of a currency; not those that are part of a day, an hour, a length or
        an address, nor those that count something."""
        said = message(text[:MAX_TEXT_CHARS], now)
        others = (one for type_ in _HOLDING_NUMBERS for one in self._readers[type_].find(said))
        found = self._readers.amounts.bare(said, currency, (one for one in others if one.confidence > BARE_HOUR))
        return [Candidate("Amount", one.value, 1.0, one.start, one.end, text[one.start : one.end]) for one in found]

    def currencies_in(self, texts: Iterable[str]) -> list[str]:
        """Return the currencies that texts of a bot name, each once."""
        return list(dict.fromkeys(code for text in texts for code in self._readers.amounts.named_in(text)))

    def kind(self, type_: str) -> Kind | None:
        """Return how a type is looked up; None for a type that nobody defined."""
        return self._kinds.get(type_, "built-in" if type_ in BUILT_IN_TYPES else None)


def _inside(text: str) -> tuple[int, int]:
    """Return where a text begins and ends without the blanks around it."""
    start = len(text) - len(text.lstrip())
    return start, start + len(text.strip())


def _first(stretches: list[Stretch]) -> list[Stretch]:
    """Return the stretches of the first places: values that stand side by side at one place are an ambiguity and stay
    together."""
    if len(stretches) <= MAX_VALUES:
        return stretches
    places = list(dict.fromkeys((one.start, one.end) for one in stretches))[:MAX_VALUES]
    return [one for one in stretches if (one.start, one.end) <= places[-1]]
