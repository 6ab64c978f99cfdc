"""The walk over the steps of what is open, from the first, until something waits for the user (section 5, rule 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.engine import stack
from dialoom.engine.compiled import MAX_NESTED_CONVERSATIONS
from dialoom.engine.options import review
from dialoom.engine.running_turn import FlowBroken, Outcome
from dialoom.engine.steps import STEPS, protected
from dialoom.errors import TemplateError

if TYPE_CHECKING:
    from dialoom.engine.compiled import Place
    from dialoom.engine.running_turn import Open, RunningTurn


def proceed(p: RunningTurn) -> None:
    """Go on with the running conversation, and with those below as it completes."""
    p.ask = None
    p.is_login_awaited = False
    while p.stack:
        outcome = _walk(p, p.stack[-1])
        if outcome is Outcome.WAIT:
            return
        if outcome is Outcome.ON:
            stack.complete(p)


def _walk(p: RunningTurn, conversation: Open) -> Outcome:
    """ON at the end of the steps, WAIT when the user is asked, LEFT when another conversation runs now."""
    places = conversation.script.places
    if conversation.reviewed >= 0 and (outcome := _review(p, conversation)) is not Outcome.ON:
        return outcome
    index = 0
    while index < len(places):
        place = places[index]
        p.visit(place.path)
        if _is_done(p, conversation, place):
            index += 1
        elif not _holds(p, place):
            index = place.after
        elif place.kind == "conversation":
            index += 1
        elif place.kind == "too-deep":
            raise FlowBroken(
                place.path,
                f"More than {MAX_NESTED_CONVERSATIONS} conversations run in place inside each other.",
                is_endless=True,
            )
        else:
            outcome = _run(p, conversation, place)
            if outcome is Outcome.ON:
                index += 1
            elif outcome is Outcome.AGAIN:
                index = 0
            else:
                return outcome
    return Outcome.ON


def _review(p: RunningTurn, conversation: Open) -> Outcome:
    """Ask again what the user chose at an entities-confirmation, before all else."""
    places, index = conversation.script.places, conversation.reviewed
    if index < len(places) and _holds(p, places[index]):
        p.visit(places[index].path)
        if _run(p, conversation, places[index]) is Outcome.WAIT:
            return Outcome.WAIT
    review.answered(p, conversation)
    return Outcome.ON if p.running is conversation else Outcome.LEFT


def _run(p: RunningTurn, conversation: Open, place: Place) -> Outcome:
    """Let the step act; a protected one asks for the login first where there is none."""
    if protected.is_needed(p, place):
        if not p.is_passing_by:
            protected.prompt(p, place)
            p.is_login_awaited = True
        return Outcome.WAIT
    return STEPS[place.kind](p, conversation, place)


def _is_done(p: RunningTurn, conversation: Open, place: Place) -> bool:
    """Whether the walk passes the step: a value that is there, or a step that has run."""
    kind = place.kind
    if kind == "conversation":
        return False
    has_value = place.fills is not None and kind != "command" and p.memory.has(place.fills)
    if kind == "question" or place.is_confirmation:
        return has_value and place.index not in conversation.recheck and place.index not in conversation.reoffer
    return has_value or place.index in conversation.ran


def _holds(p: RunningTurn, place: Place) -> bool:
    if not place.conditions:
        return True
    try:
        scope = p.memory.scope()
        return all(condition.truth(scope) for condition in place.conditions)
    except TemplateError as error:
        raise FlowBroken(place.path, str(error)) from error
