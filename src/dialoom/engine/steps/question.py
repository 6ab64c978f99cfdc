"""A question: asks for its value while it has none, or one that is to be checked or asked for again."""

from __future__ import annotations

from dialoom.engine import compiled
from dialoom.engine.compiled import Node
from dialoom.engine.interpret.values.value_words import name_words
from dialoom.engine.options import asking, value_replies
from dialoom.engine.options.value_replies import reply_of
from dialoom.engine.running_turn import OpenConversation, Outcome, RunningTurn
from dialoom.engine.steps.parts import Parts
from dialoom.engine.values import reactions
from dialoom.flow.parts import MultiSelect, texts_of
from dialoom.flow.steps import Question
from dialoom.understanding.asked_counts import AskedCount, asked_count


def compile_step(parts: Parts, step: Question) -> compiled.Question:
    checks = tuple(parts.check(validation, step.entity) for validation in step.reactions.validations)
    return compiled.Question(
        entity=step.entity,
        type=step.entity_type,
        texts=parts.texts(step.messages),
        offer=None if step.display is None else parts.offer(step.display, step.entity_type),
        takes_many=step.capture_multiple_values or isinstance(step.display, MultiSelect),
        is_explicit=step.is_explicit,
        is_optional=step.optional,
        names=step.names,
        currency=parts.currency(step) if step.entity_type == "Amount" else None,
        counts=_count(parts, step) if step.entity_type == "Number" else AskedCount(),
        checks=checks,
        acknowledgements=parts.texts(step.reactions.acknowledgements),
        ambiguities=parts.texts(step.reactions.ambiguities),
        suggestions=parts.texts(step.reactions.suggestions),
        check_names=frozenset().union(*(check.names for check in checks)),
    )


def _count(parts: Parts, step: Question) -> AskedCount:
    return asked_count(name_words(step.entity), texts_of(step.messages), parts.recogniser.language)


def run_step(turn: RunningTurn, opened: OpenConversation, node: Node, step: compiled.Question) -> Outcome:
    choices = None
    if turn.memory.has(step.entity):
        is_right, choices = reactions.still_holds(turn.stack, turn.calls, turn.output, opened, node, step)
        if is_right and opened.reviewed != node.index:
            return Outcome.ON
    if turn.rules.is_passing_by:
        return Outcome.WAIT
    turn.limits.act(node.path)
    fitting = opened.unsure.get(node.index)
    if fitting is not None:
        texts = turn.output.render(step.ambiguities or step.texts, node.path)
        replies = (reply_of(turn.memory, node, step, value) for value in fitting)
        shown = tuple(reply for reply in replies if reply is not None)
        asking.put(turn, opened, node, texts, shown, is_ambiguity=True)
        return Outcome.WAIT
    past = None if turn.memory.has(step.entity) else value_replies.suggested(turn.flow, turn.memory, opened, node, step)
    if past is not None:
        with turn.memory.holding(step.entity, past, step.type):
            texts = turn.output.render(step.suggestions, node.path)
        asking.put_suggestion(turn, opened, node, texts)
    else:
        asking.put(turn, opened, node, turn.output.render(step.texts, node.path), choices)
    return Outcome.WAIT
