"""Questions that the service asks by itself: whether to stop, whether a guess is right, which question is meant
(flow-language.md sections 2, 3 and 5). They stand above what is open, which stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from dialoom.engine.compiled import Question
from dialoom.engine.interpret.proposals import Fill
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.interpret.slots import Slot
from dialoom.engine.interpret.yes_no import plain_answer, texts_words
from dialoom.engine.options import asking, match_option, value_replies
from dialoom.engine.running_turn import RunningTurn
from dialoom.engine.state import Ask, Choice, OwnQuestion, OwnQuestionKind
from dialoom.messages import BotMessage
from dialoom.template import Scope
from dialoom.understanding import normalise
from dialoom.understanding.replies import Phrases, folded_words, reply_words


def ask_to_stop(p: RunningTurn, key: str) -> None:
    """Ask whether the open goal is to be stopped."""
    _ask(p, "stop", p.flow.yes_no, key)


def ask_about_guess(p: RunningTurn, key: str, text: str) -> None:
    """Ask whether the user wants the conversation that a text was guessed to mean."""
    script = p.flow.scripts[key]
    p.memory.name_conversation(key, script.display_name)
    _ask(p, "guess", p.flow.yes_no, key, text)
    p.name_goal()


def ask_which(p: RunningTurn, slots: Sequence[Slot], value: str = "") -> None:
    """Ask which of several questions is to be asked again. ``value``: what was told for it, if anything."""
    choices = []
    for slot in slots:
        name = slot.node.step.names[0] if slot.node.step.names else slot.entity
        choices.append(Choice(name, name))
    _ask(p, "which", tuple(choices), slots[0].key, value, nodes=tuple(slot.node.index for slot in slots))


def ask_to_change(p: RunningTurn, fill: Fill, text: str) -> None:
    """Ask whether a text corrects an answer, or is the answer to the open question."""
    found = fill.found
    step = found.node.step
    if not isinstance(step, Question):
        return
    value = found.value[0] if isinstance(found.value, list) else found.value
    reply = value_replies.reply_of(p, found.node, step, value)
    told = {"question": step.names[0] if step.names else step.entity, "value": reply.title if reply else ""}
    _ask(p, "change", p.flow.yes_no, found.key, text, scope=p.memory.scope_of(told))


def _ask(
    p: RunningTurn,
    kind: OwnQuestionKind,
    choices: tuple[Choice, ...],
    key: str,
    text: str = "",
    nodes: tuple[int, ...] = (),
    scope: Scope | None = None,
) -> None:
    p.asks += 1
    own = OwnQuestion(kind, p.asks, choices, text, nodes, key)
    texts = p.render(p.flow.own_questions[kind], key, scope)
    for said in texts[:-1]:
        p.send(BotMessage(said), key)
    p.send(BotMessage(texts[-1] if texts else "", asking.keyed_options(choices, as_ask(own))), key)
    p.own = own


def as_ask(own: OwnQuestion) -> Ask:
    """Return the question in the form in which a choice is read."""
    return Ask(-1, own.number, own.choices)


def chosen_by(p: RunningTurn, own: OwnQuestion, text: str) -> int | None:
    """Return the index of the option that a text means; None for a text that is no answer to the question.

    Only a plain yes counts as one: each of these questions asks before something is done.
    """
    named = match_option.named_by(own.choices, text)
    if named is not None:
        return own.choices.index(named)
    if own.kind == "which":
        return None
    if own.kind == "stop" and normalise(text) in p.flow.commands.stop:
        return 0
    script, s = p.flow.scripts.get(own.key), Situation(p)
    about = set(s.goal_words) if own.kind == "stop" else set(folded_words(own.text))
    if script is not None:
        about.update(folded_words(script.display_name))
    if own.kind == "stop":
        known, words = reply_words(p.flow.language), folded_words(text)
        if known.goes_on(words, about):
            return 1
        stopping = Phrases(p.flow.commands.stop)
        if stopping.any_in(words):
            text = " ".join(stopping.without(words))  # "yes, leave it"
    is_yes = plain_answer(s, Said(text), (), texts_words(s, p.flow.own_questions[own.kind]), frozenset(about))
    return None if is_yes is None else 1 - is_yes
