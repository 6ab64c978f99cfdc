"""What is proposed for one message: each proposer is asked when a row of ``decision`` first looks at what it says, so
that one which cannot matter here costs nothing.
"""

from __future__ import annotations

import msgspec

from dialoom.engine.interpret import commands, options
from dialoom.engine.interpret.cached import CachedProperty
from dialoom.engine.interpret.proposals import (
    Answer,
    Back,
    Choose,
    Deny,
    No,
    Proposal,
    Skip,
    Start,
    Stop,
    Yes,
)
from dialoom.engine.interpret.replies.asides import asides, without
from dialoom.engine.interpret.replies.named_questions import NamedQuestions, named_questions
from dialoom.engine.interpret.replies.other_deeds import CLAUSES, asks_for_another, only_asks
from dialoom.engine.interpret.replies.reply_changes import Changes, reply_changes
from dialoom.engine.interpret.replies.text_corrections import TextCorrection, text_correction
from dialoom.engine.interpret.replies.yes_no import Reply, texts_words
from dialoom.engine.interpret.said import Said, Spanned
from dialoom.engine.interpret.situation import Situation, type_of
from dialoom.engine.interpret.slots import GUESS, Slot
from dialoom.engine.interpret.values.asked_numbers import as_asked
from dialoom.engine.interpret.values.assign import Assigned
from dialoom.engine.interpret.values.bare_numbers import BareNumbers
from dialoom.engine.interpret.values.message_values import Values, values_of
from dialoom.engine.interpret.wishes.second_wishes import TwoWishes, second_wish
from dialoom.engine.interpret.wishes.sense import Recognised
from dialoom.engine.interpret.wishes.wish import Wished, asked_beside, sure_values, wish
from dialoom.engine.options.typed_places import Place, places_read
from dialoom.engine.state import Choice
from dialoom.understanding import Candidate
from dialoom.understanding.by_position import places_named
from dialoom.understanding.replies import reply_words

MAX_ANSWER_WORDS = 4


class Proposed:
    """``tapped``: the option of the open question that was chosen; ``said`` then holds what it says."""

    def __init__(self, situation: Situation, said: Said, tapped: Choice | None = None) -> None:
        self.s, self.said, self.tapped = situation, said, tapped

    def all(self) -> list[Proposal]:
        """Return all that was proposed by those who were asked."""
        made = self.__dict__
        values = [made[name] for name in ("values", "elsewhere", "reply_values") if name in made]
        names = [made[name] for name in ("named", "named_elsewhere", "reply_named") if name in made]
        found: list[Proposal | None] = [made.get(name) for name in ("option", "placed", "command")]
        found += [fill for one in values for fill in (*one.assigned.fills, *one.stray)]
        found += [Deny(by="values", slot=slot) for one in values for slot in one.assigned.denied]
        found += [again for one in names for again in one.again]
        found += [made[name][0] for name in ("wish", "beside") if made.get(name) is not None]
        return [one for one in found if one is not None]

    # -- what may be proposed here

    @property
    def awaits_yes(self) -> bool:
        return self.s.awaits_yes

    @property
    def asks_text(self) -> bool:
        """Return whether any text answers the open question, and no option was named."""
        question = self.s.question
        is_text = question is not None and question.type == "Text"
        return is_text and not self.s.is_suggestion if self.tapped is None else is_text

    @property
    def is_answered_by_option(self) -> bool:
        return self.tapped is not None or self.option is not None

    @property
    def is_page_phrase(self) -> bool:
        commands = self.s.flow.commands
        return self.said.phrase in commands.next_page | commands.previous_page

    @CachedProperty
    def may_name(self) -> bool:
        """Return whether the text has a word of wrong or of change."""
        replies, words = reply_words(self.s.language), self.said.folded
        return not replies.naming.isdisjoint(words) and (replies.wrong.any_in(words) or replies.all_but.any_in(words))

    # -- options, commands, places

    @CachedProperty
    def option(self) -> Choose | None:
        return options.named_options(self.s, self.said)

    @CachedProperty
    def placed(self) -> Choose | None:
        return options.placed_options(self.s, self.said)

    @CachedProperty
    def command(self) -> Back | Stop | Skip | None:
        return commands.command(self.s, self.said)

    @CachedProperty
    def two_wishes(self) -> TwoWishes | None:
        is_possible = self.tapped is None and self.s.node is not None and not self.asks_text
        return second_wish(self.s, self.said, self.words_there) if is_possible else None

    @CachedProperty
    def expression(self) -> tuple[str, str] | None:
        return self.s.expression(self.said.text)

    @CachedProperty
    def places(self) -> list[Place]:
        """Return the places that a text may name where one is asked for; a trained expression is none."""
        question = self.s.question
        if question is None or question.type != "Location" or self.s.is_suggestion or self.expression is not None:
            return []
        return places_read(self.said.text, self.s.language)

    # -- values and wishes, where no yes or no is awaited

    @CachedProperty
    def values(self) -> Values:
        s = self.s
        return self._values(as_asked(s, self.said, s.recognise(self._types(), self.said.text)), s.slots())

    @CachedProperty
    def elsewhere(self) -> Values:
        """Return the values that a text at a question for ``Text`` tells others."""
        types = [type for script in self.s.here for type in script.types]
        return self._values(self.s.recognise(types, self.said.text), self.s.slots(self.s.here))

    @CachedProperty
    def text_correction(self) -> TextCorrection | None:
        return text_correction(self.s, self.said, lambda: self.elsewhere)

    def _types(self) -> list[str]:
        s = self.s
        types = [] if s.node is None else [type_of(s.node.step)]
        types += [type for script in s.here for type in script.types]
        if s.is_suggestion:
            types.append("Confirmation")
        # Senses compete with each other, so they are sought together or not at all.
        return [*types, *s.flow.always_sought] if types and types[0] in s.flow.always_sought else types

    def _values(self, recognised: dict[str, list[Candidate]], slots: list[Slot], *, is_reply: bool = False) -> Values:
        return values_of(self.s, self.said, recognised, slots, lambda: self.words_open, is_reply=is_reply)

    @CachedProperty
    def named(self) -> NamedQuestions:
        s = self.s
        return named_questions(self.said, s.answered(s.node), self.values.assigned.used, s.language)

    @CachedProperty
    def named_elsewhere(self) -> NamedQuestions:
        return named_questions(self.said, self.s.answered(), self.elsewhere.assigned.used, self.s.language)

    @CachedProperty
    def wish(self) -> Wished:
        return wish(self.s, self.said, self.values.recognised, self.values.assigned)

    @CachedProperty
    def answer_to_suggestion(self) -> Yes | No | None:
        reply = Reply(self.s, self.said, self.values.assigned.used)
        return reply.answer(is_strict=self.s.is_strict)

    # -- a reply to a confirmation

    @CachedProperty
    def reply_slots(self) -> list[Slot]:
        return [slot for slot in self.s.slots() if not slot.is_open]

    @CachedProperty
    def reply_values(self) -> Values:
        s, types = self.s, [type for script in self.s.here for type in script.types]
        if self._is_answer_alone(types):
            return Values({}, BareNumbers({}), Assigned())
        recognised = s.recognise(types, self.said.text)
        position = places_named(self.said.text, s.language)
        if position is not None and all(number <= len(s.choices) for number in position.numbers):
            # Of a yes and a no "2" is too much to guess, but it is nothing likelier than that either, such as an hour.
            recognised = {type: [one for one in found if one.confidence > GUESS] for type, found in recognised.items()}
        set_aside = asides(s, self.said, recognised, s.answered(), self.words_open) if s.is_strict else []
        if only_asks(s, self.said, sure_values(s, recognised)):
            set_aside = [one for type, found in recognised.items() if s.is_value_type(type) for one in found]
        values = self._values(without(recognised, set_aside), self.reply_slots, is_reply=True)
        return msgspec.structs.replace(values, asides=tuple(set_aside))

    def _is_answer_alone(self, types: list[str]) -> bool:
        """Return whether a reply is a yes or a no and polite words, of which none is a value: the commonest one, in
        which no values need to be sought."""
        replies, words = reply_words(self.s.language), self.said.folded
        if not 0 < len(words) <= MAX_ANSWER_WORDS:
            return False
        if sum(after - first for first, after in replies.answering(words)) < len(words):
            return False
        return all(self.s.recogniser.value_named(type, self.said.text) is None for type in types)

    @CachedProperty
    def reply(self) -> Reply:
        return Reply(self.s, self.said, self.reply_values.used)

    @CachedProperty
    def reply_named(self) -> NamedQuestions:
        s = self.s
        is_no = self.reply.leads_with_no or s.reviews
        return named_questions(self.said, s.answered(), self.reply_values.used, s.language, is_reply=True, is_no=is_no)

    @CachedProperty
    def changes(self) -> Changes:
        values = self.reply_values
        # Of the sure values those that no question takes, and numbers that are said again.
        sure: list[Spanned] = [*sure_values(self.s, values.recognised), *values.numbers.repeated]
        taken = values.assigned.used
        others = any(all(one.end <= own.start or own.end <= one.start for own in taken) for one in sure)
        return reply_changes(
            self.s,
            self.said,
            self.reply,
            self.reply_slots,
            values.assigned,
            values.numbers,
            has_other_values=others,
        )

    @property
    def is_changed(self) -> bool:
        """Return whether a reply must be confirmed again, so that no yes or no beside it counts. Where a yes does
        nothing yet, a value that was not known before comes beside it; else it is looked at first."""
        numbers, changes = self.reply_values.numbers, self.changes
        if self.is_about_another:
            return True
        corrects = any(self.s.is_strict or self.s.has(fill.what) for fill in changes.fills)
        return corrects or bool(changes.denied or self.reply_named or numbers.which)

    @CachedProperty
    def is_about_another(self) -> bool:
        """Return whether a reply asks for another deed with a value of its own, or asks what a value is, so that no yes
        or no beside it counts."""
        values = sure_values(self.s, self.reply_values.recognised) + list(self.reply_values.asides)
        if not values or only_asks(self.s, self.said, values):
            return bool(values)
        clauses = (
            one
            for one in CLAUSES.finditer(self.said.text)
            if any(one.start() <= value.start < one.end() for value in values)
        )
        return any(asks_for_another(self.s, one[0], self.words_open) for one in clauses)

    @CachedProperty
    def beside(self) -> tuple[Start | Answer, Recognised] | None:
        """Return what the words outside the values ask for by themselves."""
        values = self.reply_values
        return asked_beside(self.s, self.said, [*values.used, *values.asides], values.recognised, self.words_there)

    @CachedProperty
    def words_open(self) -> frozenset[str]:
        """Return the words of the open question, or of the confirmation, and of the goal."""
        node = self.s.node
        return (
            self.s.goal_words
            if node is None
            else self.s.goal_words | texts_words(self.s, node.step.texts, is_whole=True)
        )

    @CachedProperty
    def words_there(self) -> frozenset[str]:
        """Return the words of an open confirmation."""
        node = self.s.node
        is_asked = node is not None and self.awaits_yes
        return texts_words(self.s, node.step.texts, is_whole=True) if node is not None and is_asked else frozenset()
