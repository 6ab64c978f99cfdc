"""From what the user said or chose to what it means here (flow-language.md section 5 rules 2 and 3).

Nothing is stored or said here. Values are given to questions by ``assign``; what follows is left to ``respond``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from dialoom.engine.compiled import AskingNode, CompiledConversation, EntitiesConfirmation, Question
from dialoom.engine.interpret import replies
from dialoom.engine.interpret.asides import asides, hours_left_open, without
from dialoom.engine.interpret.assign import assign
from dialoom.engine.interpret.bare_numbers import Settled, settle
from dialoom.engine.interpret.leaning import as_asked, bare_amount, with_limits
from dialoom.engine.interpret.named_questions import NamedQuestions, named_questions
from dialoom.engine.interpret.senses import (
    NOTHING,
    RESTART,
    Meaning,
    blanked,
    expression,
    is_other,
    key_of,
    may_start,
    recognise,
    shown,
    talked_in,
    whole,
    wish,
    words_for_values,
)
from dialoom.engine.interpret.slots import GUESS, ONLY_ASKED, Slot, Stretch, answered_slots, slots_of
from dialoom.engine.interpret.slots import WISH as CONVERSATION
from dialoom.engine.interpret.typed_places import places_read
from dialoom.engine.interpret.value_words import name_words
from dialoom.engine.options import chosen, match_option, offered, value_replies
from dialoom.engine.running_turn import RunningTurn
from dialoom.engine.state import Choice
from dialoom.engine.values import validations
from dialoom.engine.values.reactions import Found
from dialoom.errors import TemplateError
from dialoom.flow.channels import CHANNEL_ROWS
from dialoom.messages.plain import plain_title
from dialoom.template.values import plain_text
from dialoom.understanding import Candidate
from dialoom.understanding.normalise import normalise, words_of
from dialoom.understanding.replies import Phrases, folded_words, reply_words
from dialoom.understanding.words import correcting_words

_DASHES = frozenset("-–—")


def interpret_text(p: RunningTurn, text: str, choice: Choice | None = None) -> Meaning:
    """``choice``: the option of the open question that was chosen; ``text`` then says what it says."""
    node, running = p.open_node(), p.running
    if not text.strip():
        return NOTHING
    if node is not None and running is not None:
        key, is_page_phrase = running.script.key, False
        if choice is None:
            choices = _choices(p, node)
            choice = match_option.named_by(choices, text)
            if choice is None:
                listed = chosen.named_in_list(p, node, choices, text)
                if listed and (several := interpret_choices(p, listed)).found:
                    return several
            is_page_phrase = choice is None and _is_page_phrase(p, text)
            choice = choice or (None if is_page_phrase else match_option.named_inside(choices, text))
        choice = choice or _heard_by_position(p, node, text)
        meaning = None if choice is not None else command_meant(p, node, text)
        meaning = meaning or _answer(p, key, node, text, choice)
        if meaning is None and choice is None and not is_page_phrase:
            meaning = _placed(p, key, node, text) or _typed_place(p, key, node, text)
        if meaning is not None:
            return meaning
    elif (meaning := command_meant(p, node, text)) is not None:
        return meaning
    return _free(p, node, text)


def command_meant(p: RunningTurn, node: AskingNode | None, text: str) -> Meaning | None:
    """BACK, STOP and SKIP, where the whole message is a phrase of theirs and no trained expression (flow-language.md
    section 2)."""
    commands, phrase = p.flow.commands, normalise(text)
    if node is not None and asks_yes_or_no(node) and _says_question_again(p, node, text):
        return None
    question = node.step if node is not None and isinstance(node.step, Question) else None
    if question is not None and question.is_optional and not _is_suggestion(p):
        is_none = question.type != "Confirmation" and _says_none(p, question, text)
        is_value = p.flow.recogniser.value_named(question.type, text) is not None
        if (phrase in commands.skip or is_none) and not is_value and expression(p, text) is None:
            return Meaning(passes=True)
    if phrase not in commands.back and phrase not in commands.stop:
        return None
    if p.goal is None or expression(p, text) is not None:
        return None
    return Meaning(command="back" if phrase in commands.back else "stop")


def _says_none(p: RunningTurn, question: Question, text: str) -> bool:
    """Return whether a text leaves an optional question empty: "none", "no phone", "-"."""
    known, said = reply_words(p.flow.language), folded_words(text)
    if not said:
        return bool(text.strip()) and all(sign in _DASHES for sign in text.strip())
    names = Phrases(
        (*question.names, " ".join(name_words(question.entity)), *map(" ".join, known.types.get(question.type, ())))
    )
    return known.is_none(said) or (names.any_in(said) and known.is_none(names.without(said)))


def _says_question_again(p: RunningTurn, node: AskingNode, text: str) -> bool:
    """Return whether a text has only words of a yes-or-no question: "cancel" to "Shall I cancel it?" stops nothing."""
    words = folded_words(text)
    return bool(words) and reply_words(p.flow.language).are_of(words, replies.texts_words(p, node.step.texts))


def _placed(p: RunningTurn, key: str, node: AskingNode, text: str) -> Meaning | None:
    picked = () if p.ask is None else chosen.named_by_place(p, node, p.ask, text)
    picked = picked or chosen.named_with_slip(p, node, text)
    if len(picked) > 1:
        meaning = interpret_choices(p, picked)
        return meaning if meaning.found else None
    return _answer(p, key, node, text, picked[0]) if picked else None


def _heard_by_position(p: RunningTurn, node: AskingNode, text: str) -> Choice | None:
    """Return the option of a ``Text`` question that was chosen by its place ("the second one"), where users hear the
    options: elsewhere the words are the answer."""
    row = CHANNEL_ROWS.get(p.event.profile.provider)
    if row is None or not row.is_spoken or not isinstance(node.step, Question) or node.step.type != "Text":
        return None
    picked = () if p.ask is None else chosen.named_by_place(p, node, p.ask, text)
    return picked[0] if len(picked) == 1 else None


def _typed_place(p: RunningTurn, key: str, node: AskingNode, text: str) -> Meaning | None:
    """What a text means as a place where one is asked for; a trained expression is none."""
    question = node.step
    if not isinstance(question, Question) or question.type != "Location" or _is_suggestion(p):
        return None
    found = [] if expression(p, text) is not None else places_read(text, p.flow.language)
    if not found:
        return None
    value = [found[0]] if question.takes_many else found[0]
    one = Found(key, node, found if len(found) > 1 else value, is_asked=True, is_ambiguous=len(found) > 1)
    return Meaning(found=(one,), understanding=whole(question.type, text, found[0]))


def _is_page_phrase(p: RunningTurn, text: str) -> bool:
    """Return whether the text turns the page, so that a late "Next 5" does not choose an option that is called 5."""
    return normalise(text) in p.flow.commands.next_page | p.flow.commands.previous_page


def _choices(p: RunningTurn, node: AskingNode) -> tuple[Choice, ...]:
    return () if p.ask is None else offered.of_ask(p, node, p.ask)


# ---- the open question -------------------------------------------------------------------------------------------


def _answer(p: RunningTurn, key: str, node: AskingNode, text: str, choice: Choice | None) -> Meaning | None:
    """What the open question makes of a text alone: its options, and any text where ``Text`` is asked for."""
    question = node.step
    if not isinstance(question, Question):
        if choice is None:
            return None
        is_yes = choice == _choices(p, node)[0]
        if isinstance(question, EntitiesConfirmation) and not is_yes:
            return Meaning(again=choice)
        return _yes_or_no_to(key, node, text, is_yes)
    if _is_suggestion(p):
        said_yes = _yes_or_no(p, text, choice)
        if said_yes is not None:
            return _to_suggestion(p, key, node, question, said_yes, (), whole("Confirmation", text, said_yes))
        choices = offered.offered(p, node) if offered.counts_as_value(p, node) else ()
        choice = match_option.named_by(choices, text) or match_option.named_inside(choices, text)
    said = text if choice is None else _said(choice)
    if question.type in p.flow.qna_types:
        return _asked_answer(p, question.type, said)
    if question.type == "Text":
        return _any_text(p, key, node, question, said, text)
    if choice is None:
        return None
    value = value_of_choice(p, question, choice)
    if value is None:
        return None
    if question.type == CONVERSATION and key_of(value) == RESTART:
        return Meaning(named=RESTART, understanding=whole(question.type, text, value))
    return Meaning(
        found=(Found(key, node, [value] if question.takes_many else value, is_asked=True),),
        later=_names_conversation(p, question, said, text, value),
        understanding=whole(question.type, text, value),
    )


def _is_suggestion(p: RunningTurn) -> bool:
    return p.ask is not None and p.ask.is_suggestion


def _yes_or_no(p: RunningTurn, text: str, choice: Choice | None) -> bool | None:
    if choice is not None:
        return choice == p.flow.yes_no[0]
    is_yes = p.flow.recogniser.reads("Confirmation", text, p.memory.now())
    return None if is_yes is None else bool(is_yes)


def _to_suggestion(
    p: RunningTurn,
    key: str,
    node: AskingNode,
    question: Question,
    is_yes: bool,
    more: tuple[Found, ...],
    understanding: dict[str, Any],
) -> Meaning:
    """A yes or a no to the suggested value. ``more``: what else the message tells."""
    value = None if p.running is None else value_replies.suggested(p, p.running, node, question)
    if not is_yes or value is None:
        return Meaning(found=more, declines=True, understanding=understanding)
    return Meaning(found=(Found(key, node, value, is_asked=True), *more), understanding=understanding)


def _said(choice: Choice) -> str:
    # A place says what it is called.
    is_place = isinstance(choice.value, dict) and "latitude" in choice.value
    return plain_title(choice.title) if is_place else plain_text(choice.value)


def _any_text(p: RunningTurn, key: str, node: AskingNode, question: Question, said: str, text: str) -> Meaning:
    """``Text`` takes any text but a trained expression of another conversation or QnA, its own options included."""
    trained = expression(p, said) or expression(p, text)
    if trained is not None:
        type, value = trained
        understanding = whole(type, text, {"value": value})
        if type in p.flow.qna_types:
            return Meaning(answer=trained, understanding=understanding)
        if type == CONVERSATION and value != key and (value == RESTART or value in p.flow.scripts):
            return Meaning(named=value, understanding=understanding)
    if _is_refused(p, node.path, question, said) and (elsewhere := _value_elsewhere(p, text)) is not None:
        return elsewhere
    if said == text and (reopening := _reopening(p, text)) is not None:
        return reopening
    found = Found(key, node, [said] if question.takes_many else said, is_asked=True)
    return Meaning(found=(found,), understanding=whole("Text", text, said))


def _is_refused(p: RunningTurn, path: str, question: Question, said: str) -> bool:
    """Return whether a validation that asks nobody turns the text away; what fails in one is told when it runs."""
    try:
        return any(
            check.kind not in ("custom", "image") and not validations.holds(p, check, question, said, path)
            for check in question.checks
        )
    except TemplateError:
        return False


def _value_elsewhere(p: RunningTurn, text: str) -> Meaning | None:
    """What a text that is no answer to the open question tells others: "make it 16:00" where a name is asked for."""
    here = talked_in(p)
    recognised = recognise(p, [type for script in here for type in script.types], text)
    slots = with_limits(p, slots_of(here, p.memory, None), recognised)
    found, used, _ = assign(slots, recognised, p.flow.sense_types, words_for_values(p, text))
    if not found or not _is_told(p, text, used):
        return None
    return Meaning(found=tuple(found), understanding=shown(recognised))


def _reopening(p: RunningTurn, text: str) -> Meaning | None:
    """What a text at a question for ``Text`` wants asked again; None unless nothing else was said: "the number plate
    light is wrong" is an answer."""
    replies, said = reply_words(p.flow.language), folded_words(text)
    if not replies.wrong.any_in(said) and not replies.all_but.any_in(said):
        return None
    here = talked_in(p)
    recognised = recognise(p, [type for script in here for type in script.types], text)
    slots = with_limits(p, slots_of(here, p.memory, None), recognised)
    found, used, _ = assign(slots, recognised, p.flow.sense_types, words_for_values(p, text))
    named = named_questions(p, text, answered_slots(here, p.memory, None), used)
    if not named.groups or not named.says_nothing_else:
        return None
    return _named_again(p, named, found, recognised)


def _named_again(
    p: RunningTurn, named: NamedQuestions, found: list[Found], recognised: dict[str, list[Candidate]]
) -> Meaning:
    """The named questions asked again, or filled where a value came along."""
    found = [*found, *named.texts]
    filled = {id(one.node) for one in found}
    # Of several that fit one name a value says which is meant.
    groups = [group for group in named.groups if all(id(slot.node) not in filled for slot in group)]
    left = [group[0] for group in groups if len(group) == 1]
    if len(named.groups) == len(left) == 1 and found and all(one.node.step.entity != left[0].entity for one in found):
        own = assign(left, recognised, p.flow.sense_types)[0]
        if own and any(one.value == own[0].value for one in found):
            found, left = [*(one for one in found if one.value != own[0].value), *own], []
    which = next((group for group in groups if len(group) > 1), ())
    return Meaning(found=tuple(found), reopened=tuple(left), which=which, understanding=shown(recognised))


def _asked_answer(p: RunningTurn, type: str, text: str) -> Meaning | None:
    """A question of a QnA type is never filled: one of its values asks for the answer."""
    named = p.flow.recogniser.value_named(type, text)
    if named is None:
        return None
    return Meaning(answer=(type, named["value"]), understanding=whole(type, text, named))


def _names_conversation(p: RunningTurn, question: Question, said: str, text: str, value: Any) -> str | None:
    """The conversation that an answer names as well: by its type, or by being a trained expression."""
    if question.type == CONVERSATION:
        return key_of(value)
    for words in dict.fromkeys((said, text)):
        trained = expression(p, words)
        if trained is not None and trained[0] == CONVERSATION:
            return trained[1]
    return None


def value_of_choice(p: RunningTurn, question: Question, choice: Choice) -> Any:
    """A chosen option as a value of the question's type; None when it names none."""
    recogniser, type = p.flow.recogniser, question.type
    said = _said(choice)
    if type == "Text":
        return said
    if recogniser.kind(type) in ("keywords", "trait"):
        named = recogniser.value_named(type, said)
        if named is not None or choice.element is None:
            return named
        element = choice.element if isinstance(choice.element, dict) else {}
        return {**element, "value": choice.value}
    if recogniser.kind(type) == "built-in" and type in ("Location", "File", CONVERSATION):
        return choice.value if choice.element is None else choice.element
    value = recogniser.reads(type, said, p.memory.now())
    return bare_amount(p, question, said) if value is None else value


def interpret_choices(p: RunningTurn, picked: tuple[Choice, ...]) -> Meaning:
    """Several options chosen at once; a question for one value takes none of several."""
    node, running = p.open_node(), p.running
    if node is None or running is None or not isinstance(node.step, Question):
        return NOTHING
    question = node.step
    values: list[Any] = []
    for choice in picked:
        value = value_of_choice(p, question, choice)
        if value is not None and value not in values:
            values.append(value)
    if not values or (len(values) > 1 and not question.takes_many):
        return NOTHING
    value = values if question.takes_many else values[0]
    text = ", ".join(plain_title(choice.title) for choice in picked)
    found = Found(running.script.key, node, value, is_asked=True)
    return Meaning(found=(found,), understanding=whole(question.type, text, value))


def interpret_value(p: RunningTurn, type: str, values: list[Any]) -> Meaning:
    """A place or files: for the open question, else the first of that type without a value, else the last with one."""
    node, running = p.open_node(), p.running
    opened = None if node is None or running is None else (running.script.key, node)
    slots = [slot for slot in slots_of(talked_in(p), p.memory, opened) if slot.type == type]
    if not slots or not values:
        return NOTHING
    slot = next((slot for slot in slots if slot.is_open), None)
    slot = slot or next((slot for slot in slots if slot.current is None), slots[-1])
    value = values if slot.takes_many else values[0]
    found = Found(slot.key, slot.node, value, slot.is_open)
    return Meaning(found=(found,), understanding=whole(type, "", value))


def interpret_files(p: RunningTurn, files: list[Any], text: str) -> Meaning | None:
    """Return what files mean together with the words beside them: both fill questions. None where the words alone say
    what is wanted: no question takes a file, or they ask for something while none is open that does."""
    taken = interpret_value(p, "File", files)
    if not text.strip():
        return taken
    if not taken.found:
        return None
    said = interpret_text(p, text)
    has_values_alone = said == Meaning(found=said.found, understanding=said.understanding, later=said.later)
    if has_values_alone:
        understanding = said.understanding | taken.understanding
        return msgspec.structs.replace(said, found=(*taken.found, *said.found), understanding=understanding)
    return taken if taken.found[0].is_asked else None


# ---- free text ---------------------------------------------------------------------------------------------------


def _free(p: RunningTurn, node: AskingNode | None, text: str) -> Meaning:
    """Values for questions first. Only where they leave the open question without an answer, and do not make up the
    whole text, is it asked what the sentence means as a whole: an answer is never taken for another wish."""
    here = talked_in(p)
    opened = None if node is None else (here[0].key, node)
    if node is not None and asks_yes_or_no(node) and not _is_suggestion(p):
        return _reply(p, here, node, text)
    question = node.step if node is not None and isinstance(node.step, Question) else None
    recognised = as_asked(p, question, text, recognise(p, _question_types(p, here, node), text))
    slots = with_limits(p, slots_of(here, p.memory, opened), recognised)
    value_words = words_for_values(p, text)
    settled = settle(p, text, slots, recognised, value_words, is_reply=False)
    recognised = settled.recognised
    found, used, denied = assign(slots, recognised, p.flow.sense_types, value_words)
    is_yes = None
    if node is not None and recognised.get("Confirmation"):
        is_yes = replies.Reply(p, node, text, used).answer(is_strict=replies.is_strict(p, node))
    is_suggestion = _is_suggestion(p) and not any(one.is_asked for one in found)
    if node is not None and question is not None and is_yes is not None and is_suggestion:
        return _to_suggestion(p, here[0].key, node, question, is_yes, tuple(found), shown(recognised))
    answer = next((one for one in found if one.is_asked), None)
    if answer is not None:
        later = None
        if isinstance(answer.node.step, Question):
            if answer.node.step.type == CONVERSATION and key_of(answer.value) == RESTART:
                return Meaning(named=RESTART, understanding=shown(recognised))
            later = _names_conversation(p, answer.node.step, text, text, answer.value)
        return Meaning(found=tuple(found), later=later, understanding=shown(recognised))
    if settled.which and _is_told(p, text, (*used, settled.number_at)):
        return _asks_which(settled, tuple(found), tuple(denied))
    if found and _is_told(p, text, used):
        return Meaning(found=tuple(found), reopened=tuple(denied), understanding=shown(recognised))
    if expression(p, text) is None:
        named = named_questions(p, text, answered_slots(here, p.memory, node), used)
        if named.groups or named.texts:
            return _named_again(p, named, found, recognised)
    meaning = wish(p, text, recognised, found, used)
    if meaning.named is None and meaning.answer is None and denied:
        return msgspec.structs.replace(meaning, reopened=tuple(denied))
    return meaning


def asks_yes_or_no(node: AskingNode) -> bool:
    """Return whether the answers are a yes and a no."""
    return not isinstance(node.step, Question) or node.step.type == "Confirmation"


def _reply(p: RunningTurn, here: list[CompiledConversation], node: AskingNode, text: str) -> Meaning:
    """What a reply to a confirmation means (flow-language.md section 5, rule 4): first what its words ask for, then
    its values, then a question that it names, then a yes or a no."""
    key = here[0].key
    recognised = recognise(p, [type for script in here for type in script.types], text)
    if chosen.may_be_place(text, p.flow.language, _choices(p, node)):
        recognised = {type: [one for one in found if one.confidence > GUESS] for type, found in recognised.items()}
    slots = [slot for slot in slots_of(here, p.memory, (key, node)) if not slot.is_open]
    slots = with_limits(p, slots, recognised)
    is_strict = replies.is_strict(p, node)
    answered = answered_slots(here, p.memory, None)
    set_aside = asides(p, text, recognised, answered) if is_strict else []
    value_words = words_for_values(p, text)
    settled = settle(p, text, slots, without(recognised, set_aside), value_words, is_reply=True)
    recognised = settled.recognised
    found, used, denied = assign(slots, recognised, p.flow.sense_types, value_words)
    used += settled.repeated
    filled = [one for one in found if one.is_ambiguous or p.memory.get(one.node.step.entity) != one.value]
    known = [slot.node for slot in denied] + [one.node for one in filled]
    denied += [slot for slot in settled.refused if slot.node not in known]
    if is_strict:
        denied += [slot for slot in hours_left_open(p, text, filled, used, slots) if slot not in denied]
    reply = replies.Reply(p, node, text, used)
    # In "the Volvo, not the Audi" the no is not about the value that it begins with.
    others = [
        one for one in _values(p, recognised) if all(one.end <= own.start or own.end <= one.start for own in used)
    ]
    denies_values = reply.denies_values and not others
    if reply.refuses or denies_values:
        denied += [slot for slot in slots if any(one.node is slot.node and one not in filled for one in found)]
        filled = [] if denies_values else filled
    if not denied and not settled.which and (not found or reply.refuses):
        made, refused = reply.bare_number(slots)
        if refused or not found:
            filled, denied = made, refused
    is_no = reply.leads_with_no or isinstance(node.step, EntitiesConfirmation)
    named = named_questions(p, text, answered, used, is_reply=True, is_no=is_no)
    is_named = bool(named.groups or named.texts)
    if reply.plain is None and not is_named:
        other = _asked_beside(p, node, text, [*used, *set_aside], recognised)
        if other is not None:
            return other
    # Where a yes does nothing yet, a value that was not known before comes beside it; else it is looked at first.
    corrects = any(is_strict or p.memory.has(one.node.step.entity) for one in filled)
    is_yes = (
        None if corrects or denied or is_named or settled.which or settled.made else reply.answer(is_strict=is_strict)
    )
    if is_yes is not None:
        answer = Found(key, node, is_yes, is_asked=True)
        understanding = {**shown(recognised), **whole("Confirmation", text, is_yes)}
        return Meaning(found=(answer, *filled), understanding=understanding)
    if settled.made:
        return Meaning(found=(*filled, *settled.made), understanding=shown(recognised))
    if settled.which and not reply.refuses and not is_named:
        return _asks_which(settled, tuple(filled), tuple(denied))
    if filled or denied or is_named:
        meaning = _named_again(p, named, filled, recognised)
        return msgspec.structs.replace(meaning, reopened=(*meaning.reopened, *denied))
    return Meaning(is_no_yes=True, understanding=shown(recognised))


def _asks_which(settled: Settled, found: tuple[Found, ...], denied: tuple[Slot, ...]) -> Meaning:
    """A number that may be for several questions: which is meant is asked."""
    return Meaning(
        found=found,
        reopened=denied,
        which=settled.which,
        which_value=settled.number,
        understanding=shown(settled.recognised),
    )


def _asked_beside(
    p: RunningTurn,
    node: AskingNode,
    text: str,
    used: Iterable[Stretch | Candidate],
    recognised: dict[str, list[Candidate]],
) -> Meaning | None:
    """What the words outside the values ask for by themselves: another conversation or a QnA answer. What is no
    expression must be asked for without yes and no, polite words and values that nobody takes as well: "okay no thanks"
    is no "thanks", "nicht morgen" no "guten Morgen". Words of the confirmation alone ask for nothing: "3 parcels"."""
    rest = blanked(text, used)
    meaning = wish(p, rest, {}, [], ())
    is_asked = meaning.answer is not None or (meaning.named is not None and is_other(p, meaning.named))
    if not is_asked or expression(p, rest) is not None:
        return meaning if is_asked else None
    words = words_of(rest)
    spans = reply_words(p.flow.language).answering([word.folded for word in words])
    characters = list(blanked(rest, _values(p, recognised)))
    for first, last in ((words[start].start, words[end - 1].end) for start, end in spans):
        characters[first:last] = " " * (last - first)
    asked = "".join(characters)
    words_there = replies.texts_words(p, node.step.texts, is_whole=True)
    if reply_words(p.flow.language).only_names(folded_words(asked), words_there):
        return None
    bare = wish(p, asked, {}, [], ())
    if (bare.named, bare.answer) != (meaning.named, meaning.answer):
        return None
    return meaning if meaning.named is None or may_start(p, meaning.named, asked) else None


def _values(p: RunningTurn, recognised: dict[str, list[Candidate]]) -> list[Candidate]:
    """Return the stretches that are values beyond doubt, whether a question takes them or not."""
    return [
        one
        for type, found in recognised.items()
        if type not in p.flow.sense_types and type not in ONLY_ASKED
        for one in found
        if one.confidence > GUESS
    ]


def _yes_or_no_to(key: str, node: AskingNode, text: str, is_yes: bool) -> Meaning:
    found = Found(key, node, is_yes, is_asked=True)
    return Meaning(found=(found,), understanding=whole("Confirmation", text, is_yes))


def _question_types(p: RunningTurn, here: list[CompiledConversation], node: AskingNode | None) -> list[str]:
    types = [] if node is None else [node.step.type if isinstance(node.step, Question) else "Confirmation"]
    for script in here:
        types += script.types
    if _is_suggestion(p):
        types.append("Confirmation")
    if types and types[0] in p.flow.always_sought:
        # Senses compete with each other, so they are sought together or not at all.
        types += p.flow.always_sought
    return types


def _is_told(p: RunningTurn, text: str, used: Iterable[Stretch]) -> bool:
    """Return whether the text says nothing but the values, or besides only words that say that they are meant ("no
    wait"). A trained expression of other words is what it is trained for."""
    inside = [False] * len(text)
    for stretch in used:
        inside[stretch.start : stretch.end] = [True] * (stretch.end - stretch.start)
    if not any(character.isalnum() and not hit for character, hit in zip(text, inside, strict=True)):
        return True
    meant = correcting_words(p.flow.language)
    if not all(word.folded in meant or all(inside[word.start : word.end]) for word in words_of(text)):
        return False
    return p.flow.recogniser.trained_expression(text) is None


# ---- what is recorded --------------------------------------------------------------------------------------------
