"""What each row of ``decision`` makes of what is proposed: its meaning, or None where the row does not hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from dialoom.engine.compiled import EntitiesConfirmation, Question
from dialoom.engine.interpret import options
from dialoom.engine.interpret.meaning import NOTHING, Meaning, found_of, shown, whole
from dialoom.engine.interpret.proposals import Answer, Fill, Start, Yes
from dialoom.engine.interpret.proposed import Proposed
from dialoom.engine.interpret.replies.named_questions import NamedQuestions
from dialoom.engine.interpret.said import Spanned
from dialoom.engine.interpret.situation import RESTART, Situation, key_of
from dialoom.engine.interpret.slots import CONVERSATION, Slot
from dialoom.engine.interpret.values.assign import assign
from dialoom.engine.interpret.values.message_values import Values
from dialoom.engine.interpret.wishes.denied_wishes import denied_wishes
from dialoom.engine.interpret.wishes.did_you_mean import wishes_to_offer
from dialoom.engine.interpret.wishes.sense import Recognised
from dialoom.engine.interpret.wishes.wish import is_short_guess
from dialoom.engine.values.reactions import Found
from dialoom.messages.plain import plain_title
from dialoom.understanding.words import correcting_words

# ---- options and commands ----------------------------------------------------------------------------------------


def tapped(m: Proposed) -> Meaning | None:
    return None if m.tapped is None else chosen(m, (m.tapped,))


def named_option(m: Proposed) -> Meaning | None:
    return None if m.tapped is not None or m.option is None else chosen(m, m.option.choices)


def placed_option(m: Proposed) -> Meaning | None:
    """By position or with a slip, where the text is no answer otherwise."""
    is_open = m.s.node is not None and not m.is_answered_by_option and not m.is_page_phrase
    return chosen(m, m.placed.choices) if is_open and m.placed is not None else None


def command(m: Proposed) -> Meaning | None:
    if m.is_answered_by_option or m.command is None:
        return None
    if m.command.kind == "skip":
        return Meaning(passes=True)
    return Meaning(command="back" if m.command.kind == "back" else "stop")


def chosen(m: Proposed, choices: tuple[Any, ...]) -> Meaning | None:
    """Return what chosen options of the open question mean; None where they are no value of it."""
    s, node = m.s, m.s.node
    if node is None:
        return None
    question = s.question
    if question is None:
        return _confirmed(m, choices[0]) if len(choices) == 1 else None
    if s.is_suggestion:
        return _suggestion(m, choices[0] == s.flow.yes_no[0]) if len(choices) == 1 else None
    said = options.text_of(choices[0])
    if len(choices) == 1 and question.type in s.flow.qna_types:
        return qna_value(m, said)
    if len(choices) == 1 and question.type == "Text":
        return any_text(m, said)
    return _option_values(m, question, choices)


def _confirmed(m: Proposed, choice: Any) -> Meaning:
    node = m.s.node
    assert node is not None
    is_yes = choice == m.s.choices[0]
    if isinstance(node.step, EntitiesConfirmation) and not is_yes:
        return Meaning(again=choice)
    found = Found(m.s.key, node, is_yes, is_asked=True)
    return Meaning(found=(found,), understanding=whole("Confirmation", m.said.text, is_yes))


def _option_values(m: Proposed, question: Question, choices: tuple[Any, ...]) -> Meaning | None:
    s, node = m.s, m.s.node
    values = options.values_of(s, choices)
    if not values or node is None:
        return None
    text = m.said.text if len(choices) == 1 else ", ".join(plain_title(choice.title) for choice in choices)
    understanding = whole(question.type, text, values if len(choices) > 1 and question.takes_many else values[0])
    if question.type == CONVERSATION and key_of(values[0]) == RESTART:
        return Meaning(named=RESTART, understanding=understanding)
    found = Found(s.key, node, values if question.takes_many else values[0], is_asked=True)
    texts = (options.text_of(choices[0]), m.said.text) if len(choices) == 1 else ()
    return Meaning(
        found=(found,), later=_names_conversation(s, question, texts, values[0]), understanding=understanding
    )


def _names_conversation(s: Situation, question: Question, texts: Iterable[str], value: Any) -> str | None:
    """Return the conversation that an answer names as well: by its type, or by being a trained expression."""
    if question.type == CONVERSATION:
        return key_of(value)
    for text in dict.fromkeys(texts):
        trained = s.expression(text)
        if trained is not None and trained[0] == CONVERSATION:
            return trained[1]
    return None


# ---- what is open and no yes or no -------------------------------------------------------------------------------


def suggested(m: Proposed) -> Meaning | None:
    """At a suggested past value: a yes, a no, or another value."""
    s = m.s
    if not s.is_suggestion or m.is_answered_by_option:
        return None
    is_yes = s.reads("Confirmation", m.said.text)
    if is_yes is not None:
        return _suggestion(m, bool(is_yes))
    own = s.own_choices()
    choice = options.named_in(own, m.said)
    question = s.question
    if choice is None or question is None:
        return None
    said = options.text_of(choice)
    if question.type in s.flow.qna_types:
        return qna_value(m, said)
    return any_text(m, said) if question.type == "Text" else _option_values(m, question, (choice,))


def _suggestion(
    m: Proposed, is_yes: bool, more: tuple[Found, ...] = (), understanding: dict[str, Any] | None = None
) -> Meaning:
    """A yes or a no to the suggested value. ``more``: what else the message tells."""
    understanding = whole("Confirmation", m.said.text, is_yes) if understanding is None else understanding
    value, node = m.s.suggested_value() if is_yes else None, m.s.node
    if value is None or node is None:
        return Meaning(found=more, declines=True, understanding=understanding)
    return Meaning(found=(Found(m.s.key, node, value, is_asked=True), *more), understanding=understanding)


def qna_question(m: Proposed) -> Meaning | None:
    question = m.s.question
    is_asked = question is not None and question.type in m.s.flow.qna_types
    return qna_value(m, m.said.text) if is_asked and not m.is_answered_by_option else None


def qna_value(m: Proposed, text: str) -> Meaning | None:
    """A question of a QnA type is never filled: one of its values asks for the answer."""
    type = "" if m.s.question is None else m.s.question.type
    named = m.s.recogniser.value_named(type, text)
    if named is None:
        return None
    return Meaning(answer=(type, named["value"]), understanding=whole(type, m.said.text, named))


def typed_place(m: Proposed) -> Meaning | None:
    s, node, question = m.s, m.s.node, m.s.question
    if question is None or node is None or m.is_answered_by_option or m.is_page_phrase or not m.places:
        return None
    places = m.places
    value = [places[0]] if question.takes_many else places[0]
    is_ambiguous = len(places) > 1
    one = Found(s.key, node, places if is_ambiguous else value, is_asked=True, is_ambiguous=is_ambiguous)
    return Meaning(found=(one,), understanding=whole(question.type, m.said.text, places[0]))


# ---- an open question for Text -----------------------------------------------------------------------------------


def any_text(m: Proposed, said: str) -> Meaning | None:
    """Return what an option of a question for ``Text`` means, or a text that was typed at it."""
    rows = (text_in_full, text_elsewhere, text_naming, text)
    return next((meaning for row in rows if (meaning := row(m, said)) is not None), None)


def text_in_full(m: Proposed, said: str = "") -> Meaning | None:
    """A trained expression of another conversation or QnA is no text."""
    s = m.s
    if not m.asks_text:
        return None
    trained = (s.expression(said) if said else None) or m.expression
    if trained is None:
        return None
    type, value = trained
    understanding = whole(type, m.said.text, {"value": value})
    if type in s.flow.qna_types:
        return Meaning(answer=trained, understanding=understanding)
    if type == CONVERSATION and value != s.key and (value == RESTART or value in s.flow.scripts):
        return Meaning(named=value, understanding=understanding)
    return None


def text_elsewhere(m: Proposed, said: str = "") -> Meaning | None:
    """A text that its question's own checks turn away may tell another question something: "make it 16:00"."""
    question, node = m.s.question, m.s.node
    if not m.asks_text or question is None or node is None:
        return None
    checks = (check for check in question.checks if check.kind not in ("custom", "image"))
    if not any(m.s.fails(check, question, said or m.said.text, node.path) for check in checks):
        return None
    values = m.elsewhere
    if not values.assigned.fills or not is_told(m, values.assigned.used):
        return None
    return Meaning(found=found_of(values.assigned.fills), understanding=shown(values.recognised))


def text_naming(m: Proposed, said: str = "") -> Meaning | None:
    """A text that names a question to be asked again and says nothing else: "the number plate light is wrong" is an
    answer."""
    if not m.asks_text or said not in ("", m.said.text) or not m.may_name:
        return None
    named = m.named_elsewhere
    return again(m, named, m.elsewhere) if named.again and named.says_nothing_else else None


def text_correcting(m: Proposed, said: str = "") -> Meaning | None:
    """A text that begins with a correcting word and tells an answered question its value."""
    if not m.asks_text or m.is_answered_by_option:
        return None
    if m.text_correction is None:
        return None
    fills, is_sure, is_of_several = m.text_correction
    if is_of_several:
        return which(m.elsewhere, found_of(fills), m.elsewhere.assigned.denied)
    understanding = shown(m.elsewhere.recognised)
    if is_sure:
        return Meaning(found=found_of(fills), reopened=m.elsewhere.assigned.denied, understanding=understanding)
    return Meaning(change=fills[0], understanding=understanding)


def corrects(m: Proposed) -> Meaning:
    """The user said that a text is meant as the correction that it may be."""
    fills = () if m.text_correction is None else m.text_correction.fills
    return Meaning(found=found_of(fills), understanding=shown(m.elsewhere.recognised))


def text(m: Proposed, said: str = "") -> Meaning | None:
    question, node = m.s.question, m.s.node
    if not m.asks_text or question is None or node is None:
        return None
    said = said or m.said.text
    found = Found(m.s.key, node, [said] if question.takes_many else said, is_asked=True)
    return Meaning(found=(found,), understanding=whole("Text", m.said.text, said))


# ---- a reply to a confirmation -----------------------------------------------------------------------------------


def asked_beside(m: Proposed) -> Meaning | None:
    if not m.awaits_yes or m.reply.plain is not None or m.reply_named or m.beside is None:
        return None
    asked, recognised = m.beside
    return _asked(asked, recognised)


def yes_or_no(m: Proposed) -> Meaning | None:
    if not m.awaits_yes or m.s.node is None or m.is_changed:
        return None
    answer = m.reply.answer(is_strict=m.s.is_strict)
    if answer is None:
        return None
    is_yes = isinstance(answer, Yes)
    found = Found(m.s.key, m.s.node, is_yes, is_asked=True)
    understanding = {**shown(m.reply_values.recognised), **whole("Confirmation", m.said.text, is_yes)}
    return Meaning(found=(found, *found_of(m.changes.fills)), understanding=understanding)


def corrected(m: Proposed) -> Meaning | None:
    """Values that differ from the stored ones, questions that are named, values that are denied."""
    if not m.awaits_yes:
        return None
    changes, numbers, values = m.changes, m.reply_values.numbers, m.reply_values
    found = found_of(changes.fills)
    if numbers.which and not m.reply_named:
        return which(values, found, changes.denied)
    if not changes.fills and not changes.denied and not m.reply_named:
        return None
    meaning = again(m, m.reply_named, values, changes.fills)
    return msgspec.structs.replace(meaning, reopened=(*meaning.reopened, *changes.denied))


def not_a_yes(m: Proposed) -> Meaning | None:
    return Meaning(is_no_yes=True, understanding=shown(m.reply_values.recognised)) if m.awaits_yes else None


def which(values: Values, found: tuple[Found, ...], denied: tuple[Slot, ...]) -> Meaning:
    """A number that may be for several questions: which is meant is asked."""
    numbers = values.numbers
    return Meaning(
        found=found,
        reopened=denied,
        which=numbers.which,
        which_value=numbers.number,
        understanding=shown(values.recognised),
    )


def again(m: Proposed, named: NamedQuestions, values: Values, fills: tuple[Fill, ...] | None = None) -> Meaning:
    """The named questions asked again, or filled where a value came along."""
    fills = values.assigned.fills if fills is None else fills
    found = [*found_of(fills), *found_of(named.texts)]
    filled = {id(one.node) for one in found}
    # Of several that fit one name a value says which is meant.
    groups = [one.slots for one in named.again if all(id(slot.node) not in filled for slot in one.slots)]
    left = [group[0] for group in groups if len(group) == 1]
    if len(named.again) == len(left) == 1 and found and all(one.node.step.entity != left[0].entity for one in found):
        own = assign(left, values.recognised, m.s.flow.sense_types).fills
        if own and any(one.value == own[0].found.value for one in found):
            found, left = [*(one for one in found if one.value != own[0].found.value), *found_of(own)], []
    several = next((group for group in groups if len(group) > 1), ())
    return Meaning(found=tuple(found), reopened=tuple(left), which=several, understanding=shown(values.recognised))


# ---- values and wishes -------------------------------------------------------------------------------------------


def asked_value(m: Proposed) -> Meaning | None:
    """The reader of the open question took a value; a yes or a no to a suggested value is one."""
    s, node, values = m.s, m.s.node, m.values
    fills = values.assigned.fills
    answer = next((fill for fill in fills if fill.found.is_asked), None)
    if s.is_suggestion and node is not None and answer is None and values.recognised.get("Confirmation"):
        reply = m.answer_to_suggestion
        if reply is not None:
            return _suggestion(m, isinstance(reply, Yes), found_of(fills), shown(values.recognised))
    if answer is None or not isinstance(answer.found.node.step, Question):
        return None
    question, value = answer.found.node.step, answer.found.value
    if question.type == CONVERSATION and key_of(value) == RESTART:
        return Meaning(named=RESTART, understanding=shown(values.recognised))
    later = _names_conversation(s, question, (m.said.text,), value)
    return Meaning(found=found_of(fills), later=later, understanding=shown(values.recognised))


def told_values(m: Proposed) -> Meaning | None:
    """Values for questions, and nothing else but words that say that they are meant."""
    values = m.values
    assigned, numbers = values.assigned, values.numbers
    if numbers.which and is_told(m, (*assigned.used, numbers.number_at)):
        return which(values, found_of(assigned.fills), assigned.denied)
    if not assigned.fills or not is_told(m, assigned.used):
        return None
    return Meaning(found=found_of(assigned.fills), reopened=assigned.denied, understanding=shown(values.recognised))


def named_question(m: Proposed) -> Meaning | None:
    return again(m, m.named, m.values) if m.expression is None and m.named else None


def wished(m: Proposed) -> Meaning | None:
    asked = m.wish.asked
    if asked is None or is_short_guess(m.s, m.said, asked):
        return None
    return _asked(asked, m.wish.recognised)


def other_values(m: Proposed) -> Meaning | None:
    """Values among other words, and values that are denied."""
    assigned = m.values.assigned
    if not assigned.fills and not assigned.denied:
        return None
    found = found_of(assigned.fills)
    return Meaning(found=found, reopened=assigned.denied, understanding=shown(m.wish.recognised))


def did_you_mean(m: Proposed) -> Meaning | None:
    """The likeliest wishes are offered, without the one that is denied."""
    if m.s.is_suggestion:
        return None
    offered = wishes_to_offer(m.s, m.said, denied_wishes(m.s, m.said, m.wish.denied))
    return Meaning(offered=offered, understanding=shown(m.wish.recognised)) if offered else None


def nothing(m: Proposed) -> Meaning:
    return msgspec.structs.replace(NOTHING, understanding=shown(m.wish.recognised))


def _asked(asked: Start | Answer, recognised: Recognised) -> Meaning:
    if isinstance(asked, Answer):
        return Meaning(answer=(asked.type, asked.value), understanding=shown(recognised))
    return Meaning(
        named=asked.key, found=found_of(asked.fills), confidence=asked.confidence, understanding=shown(recognised)
    )


def is_told(m: Proposed, used: Iterable[Spanned]) -> bool:
    """Return whether the text says nothing but the values, or besides only words that say that they are meant ("no
    wait"). A trained expression of other words is what it is trained for."""
    rest = m.said.without(used)
    if not any(map(str.isalnum, rest.text)):
        return True
    meant = correcting_words(m.s.language)
    return meant.issuperset(rest.folded) and m.s.recogniser.trained_expression(m.said.text) is None
