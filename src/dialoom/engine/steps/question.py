"""A question that has no value, or one whose value is to be checked or asked for again: is it asked, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.engine.options import asking, value_replies
from dialoom.engine.options.value_replies import reply_of
from dialoom.engine.running_turn import Outcome
from dialoom.engine.values import reactions

if TYPE_CHECKING:
    from dialoom.engine.compiled import Place, Question
    from dialoom.engine.running_turn import Open, RunningTurn


def run_question(p: RunningTurn, conversation: Open, place: Place) -> Outcome:
    question: Question = place.step
    choices = None
    if p.memory.has(question.entity):
        is_right, choices = reactions.still_holds(p, conversation, place)
        if is_right and conversation.reviewed != place.index:
            return Outcome.ON
    if p.is_passing_by:
        return Outcome.WAIT
    p.act(place.path)
    fitting = conversation.unsure.get(place.index)
    if fitting is not None:
        texts = p.render(question.ambiguities or question.texts, place.path)
        shown = tuple(reply for reply in (reply_of(p, place, value) for value in fitting) if reply is not None)
        asking.put(p, conversation, place, texts, shown, is_ambiguity=True)
        return Outcome.WAIT
    past = None if p.memory.has(question.entity) else value_replies.suggested(p, conversation, place)
    if past is not None:
        asking.put_suggestion(p, conversation, place, value_replies.suggestion_texts(p, place, past))
    else:
        asking.put(p, conversation, place, p.render(question.texts, place.path), choices)
    return Outcome.WAIT
