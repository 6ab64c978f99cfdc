"""Questions that the service asks by itself: whether to stop, whether a guess is right, which question or which wish is
meant (flow-language.md sections 2, 3 and 5). They stand above what is open, which stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dialoom.engine.compiled import Flow, Question
from dialoom.engine.interpret.options import named_options
from dialoom.engine.interpret.proposals import Fill
from dialoom.engine.interpret.replies.yes_no import plain_answer, texts_words
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.interpret.slots import CONVERSATION, Slot
from dialoom.engine.options import asking, match_option, value_replies
from dialoom.engine.running_turn import Output, Stack
from dialoom.engine.state import Ask, Choice, OwnQuestion, OwnQuestionKind, Wish
from dialoom.engine.values.reactions import Found
from dialoom.messages import BotMessage
from dialoom.messages.plain import plain_title
from dialoom.template import Scope
from dialoom.understanding import chosen_places, normalise, places_named
from dialoom.understanding.replies import Phrases, folded_words, reply_words


def ask_to_stop(stack: Stack, output: Output, key: str) -> None:
    """Ask whether the open goal is to be stopped."""
    _ask(stack, output, "stop", stack.flow.yes_no, key)


def ask_about_guess(stack: Stack, output: Output, key: str, text: str) -> None:
    """Ask whether the user wants the conversation that a text was guessed to mean."""
    output.memory.name_conversation(stack.flow.scripts[key])
    _ask(stack, output, "guess", stack.flow.yes_no, key, text)
    stack.name_goal(output.memory)


def ask_which(stack: Stack, output: Output, slots: Sequence[Slot], value: str = "") -> None:
    """Ask which of several questions is to be asked again. ``value``: what was told for it, if anything."""
    choices = []
    for slot in slots:
        name = slot.node.step.names[0] if slot.node.step.names else slot.entity
        choices.append(Choice(name, name))
    _ask(stack, output, "which", tuple(choices), slots[0].key, value, nodes=tuple(slot.node.index for slot in slots))


def ask_to_change(stack: Stack, output: Output, fill: Fill, text: str) -> None:
    """Ask whether a text corrects an answer, or is the answer to the open question."""
    found = fill.found
    step = found.node.step
    if not isinstance(step, Question):
        return
    value = found.value[0] if isinstance(found.value, list) else found.value
    reply = value_replies.reply_of(output.memory, found.node, step, value)
    told = {"question": step.names[0] if step.names else step.entity, "value": reply.title if reply else ""}
    _ask(stack, output, "change", stack.flow.yes_no, found.key, text, (found.node.index,), output.memory.scope_of(told))


def ask_what_was_meant(stack: Stack, output: Output, wishes: Sequence[Wish], text: str) -> None:
    """Offer one or two wishes for a text that was not understood. What is open stays so, its options below."""
    system, running = stack.flow.system, stack.running
    names = [name_of(stack.flow, wish) for wish in wishes]
    labels = (*names, system.no if len(wishes) == 1 else system.neither[0])
    key = "" if running is None else running.script.key
    stack.asks += 1
    own = OwnQuestion("meant", stack.asks, tuple(Choice(label, label) for label in labels), text, wishes=tuple(wishes))
    asked = system.meant_question if len(wishes) == 1 else system.meant_either
    replies, dialog = asking.shown_below(output.memory, stack)
    replies = (*asking.keyed_options(own.choices, as_ask(own)), *replies)
    output.send(BotMessage(_filled(asked, names), replies, dialog), key)
    output.own = own


def name_of(flow: Flow, wish: Wish) -> str:
    """Return the name under which a wish is offered: that of the conversation, or an answer's first expression."""
    type, value = wish
    if type != CONVERSATION:
        return flow.expressions.get(wish, value)
    return flow.scripts[value].display_name


def _filled(text: str, names: Sequence[str]) -> str:
    """Return a text with names in place of ``{a}`` and ``{b}``; a name may have braces of its own."""
    parts = re.split(r"\{([ab])\}", text)
    return "".join(names["ab".index(part)] if index % 2 else part for index, part in enumerate(parts))


def _ask(
    stack: Stack,
    output: Output,
    kind: OwnQuestionKind,
    choices: tuple[Choice, ...],
    key: str,
    text: str = "",
    nodes: tuple[int, ...] = (),
    scope: Scope | None = None,
) -> None:
    stack.asks += 1
    own = OwnQuestion(kind, stack.asks, choices, text, nodes, key)
    texts = output.render(stack.flow.own_questions[kind], key, scope)
    for said in texts[:-1]:
        output.send(BotMessage(said), key)
    output.send(BotMessage(texts[-1] if texts else "", asking.keyed_options(choices, as_ask(own))), key)
    output.own = own


def as_ask(own: OwnQuestion) -> Ask:
    """Return the question in the form in which a choice is read."""
    return Ask(-1, own.number, own.choices)


def chosen_by(s: Situation, own: OwnQuestion, text: str) -> int | None:
    """Return the index of the option that a text means; None for a text that is no answer to the question.

    Only a plain yes counts as one: each of these questions asks before something is done.
    """
    named = match_option.named_by(own.choices, text)
    if named is not None:
        return own.choices.index(named)
    if own.kind == "which":
        return _which(s, own, text)
    if own.kind == "meant":
        return _meant_by(s, own, text)
    if own.kind == "stop" and normalise(text) in s.flow.commands.stop:
        return 0
    script = s.flow.scripts.get(own.key)
    about = set(s.goal_words) if own.kind == "stop" else set(folded_words(own.text))
    if script is not None:
        about.update(folded_words(script.display_name))
    if own.kind == "stop":
        known, words = reply_words(s.language), folded_words(text)
        if known.goes_on(words, about):
            return 1
        stopping = Phrases(s.flow.commands.stop)
        if stopping.any_in(words):
            text = " ".join(stopping.without(words))  # "yes, leave it"
    is_yes = plain_answer(s, Said(text), (), texts_words(s, s.flow.own_questions[own.kind]), frozenset(about))
    words, known = folded_words(text), reply_words(s.language)
    if is_yes and own.kind == "stop" and known.says_verb(words, about) and not known.denying.any_in(words):
        return None  # "yes, book it" says to go on
    return None if is_yes is None else 1 - is_yes


def ask_again(stack: Stack, output: Output, own: OwnQuestion) -> None:
    """Ask which question is meant once more: a yes says nothing of that, and least of all what stands below it."""
    _ask(stack, output, own.kind, own.choices, own.key, own.text, own.nodes)


def says_yes_below(s: Situation, own: OwnQuestion, text: str, found: Sequence[Found]) -> bool | None:
    """Return the yes or no that a text is, where it would answer the question below one that asks which answer is meant
    or whether to stop; None where it answers nothing there."""
    answer = next((one.value for one in found if one.node is s.node), None)
    if own.kind not in ("which", "stop") or answer is None:
        return None
    if s.asks_text:
        return plain_answer(s, Said(text), (), s.goal_words, s.goal_words)
    return bool(answer) if s.awaits_yes else None


def _which(s: Situation, own: OwnQuestion, text: str) -> int | None:
    """Return the option that a text names by a word of its title, beside words such as "the"."""
    known, said = reply_words(s.language), folded_words(text)
    words = known.without_yes(said)
    if not words or Said(text).is_question:
        return None
    titles = [frozenset(folded_words(choice.title)) - known.beside for choice in own.choices]
    found = [index for index, title in enumerate(titles) if not title.isdisjoint(words)]
    rest = known.polite.without([one for one in words if not any(one in title for title in titles)])
    return found[0] if len(found) == 1 and known.beside.issuperset(rest) else None


def _meant_by(s: Situation, own: OwnQuestion, text: str) -> int | None:
    """Return which offered wish a text chooses: by its name or an expression, by place, or by a yes to the only one;
    the last index for a no to all of them. A yes and polite words may stand before it."""
    count, known = len(own.wishes), reply_words(s.language)
    said = folded_words(text)
    chosen = known.without_yes(said) or said
    index = _named(s, own, known.without_wishes(chosen))
    index = _by_position(s, own, text, " ".join(chosen)) if index is None else index
    if index is not None:
        return index
    if _turns_down(s.flow, said):
        return count
    # "Not block, unblock" names one of two: only of a single one the name may be said again beside a yes or a no.
    name = frozenset(folded_words(own.choices[0].title)) if count == 1 else frozenset[str]()
    question = frozenset(folded_words(own.text)) if count == 1 else name
    is_yes = plain_answer(s, Said(text), (), question, name)
    return count if is_yes is False else 0 if is_yes and count == 1 else None


def _named(s: Situation, own: OwnQuestion, words: tuple[str, ...]) -> int | None:
    """Return the option of which words are the name, or an expression of what it stands for."""
    titles = {folded_words(choice.title): index for index, choice in enumerate(own.choices)}
    if words in titles:
        return titles[words]
    text = " ".join(words)
    wishes = (s.recogniser.trained_expression(text), (CONVERSATION, s.flow.sure_names.get(words)))
    return next((index for index, wish in enumerate(own.wishes) if wish in wishes), None)


def _by_position(s: Situation, own: OwnQuestion, text: str, chosen: str) -> int | None:
    """Return the option that a text names by its place: "the second". What the open question reads in a bare "2" goes
    first. ``chosen``: the text without a yes before it."""
    named = places_named(chosen, s.language)
    if named is None or s.recogniser.trained_expression(text) is not None:
        return None
    node = s.node
    if node is not None and not named.is_explicit:
        type = node.step.type if isinstance(node.step, Question) else "Confirmation"
        if named_options(s, Said(text)) is not None:
            return None
        if s.recognise((type,), text)[type]:
            return None
    titles = [plain_title(choice.title) for choice in own.choices]
    # "The last one" is the last of those that are offered, "3" the reply behind them.
    for shown in (titles[:-1], titles):
        if len(indexes := chosen_places(named, shown, s.language)) == 1:
            return indexes[0]
    return None


def _turns_down(flow: Flow, said: Sequence[str]) -> bool:
    """Return whether words turn down all that was offered, and say nothing else: "no, neither, thanks"."""
    known, neither = reply_words(flow.language), Phrases(flow.system.neither)
    if not neither.any_in(said) and not known.is_none(said):
        return False
    rest = neither.without(said)
    index = 0
    while index < len(rest):
        length = max(known.no.at(rest, index), known.polite.at(rest, index))
        if not length and rest[index] not in known.beside:
            return False
        index += length or 1
    return True
