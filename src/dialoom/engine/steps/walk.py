"""Walks over the steps of the open conversations, from the first, until one waits for the user (section 5, rule 8)."""

from __future__ import annotations

from dialoom.engine.compiled import Place, Question, StaySilent, is_acting
from dialoom.engine.conversations import stack
from dialoom.engine.options import review
from dialoom.engine.running_turn import ActsOnGuess, FlowBroken, Open, Outcome, RunningTurn
from dialoom.engine.steps import protected, run_step
from dialoom.engine.trace import StepOutcome, TraceWriter
from dialoom.errors import TemplateError


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


def run_beside(p: RunningTurn, key: str) -> None:
    """Run a conversation beside the open question, which stays open and is not asked again. A goal begins as always."""
    ask, below = p.ask, len(p.stack)
    if p.flow.scripts[key].is_goal:
        stack.enter(p, key)
        proceed(p)
        return
    stack.begin(p, key)
    while len(p.stack) > below:
        outcome = _walk(p, p.stack[-1])
        if outcome is Outcome.WAIT:
            return
        if outcome is Outcome.ON and len(p.stack) > below + 1:
            stack.complete(p)
        elif outcome is Outcome.ON:
            stack.drop_support(p)
    if len(p.stack) == below:
        p.ask = ask


def _walk(p: RunningTurn, conversation: Open) -> Outcome:
    """Walk over the steps. Return ON at their end, WAIT when the user is asked, LEFT when another conversation runs
    now."""
    places = conversation.script.places
    if conversation.reviewed >= 0 and (outcome := _review(p, conversation)) is not Outcome.ON:
        return outcome
    index = 0
    while index < len(places):
        place = places[index]
        p.visit(place.path)
        if _is_done(p, conversation, place):
            if p.trace is not None:
                p.trace.leave(_why_done(p, conversation, place))
            index += 1
        elif not _holds(p, place):
            if p.trace is not None:
                _leave_unmet(p, p.trace, place)
            index = place.after
        else:
            outcome = _run(p, conversation, place)
            if p.trace is not None:
                p.trace.leave(_what_came(p, place, outcome))
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
        outcome = _run(p, conversation, places[index])
        if p.trace is not None:
            p.trace.leave(_what_came(p, places[index], outcome))
        if outcome is Outcome.WAIT:
            return Outcome.WAIT
    review.answered(p, conversation)
    return Outcome.ON if p.running is conversation else Outcome.LEFT


def _run(p: RunningTurn, conversation: Open, place: Place) -> Outcome:
    """Let the step act; a protected one asks for the login first where there is none."""
    if place.type.acts and protected.is_needed(p, place):
        if not p.is_passing_by:
            protected.prompt(p, place)
            p.is_login_awaited = True
        return Outcome.WAIT
    if is_acting(place.step):
        if p.is_guess:
            raise ActsOnGuess
        conversation.answered.clear()
    if p.failures is not None and p.failures.step == place.path:
        if p.is_not_retried:
            return Outcome.WAIT
        outcome = run_step(p, conversation, place)
        p.failures = None
        return outcome
    return run_step(p, conversation, place)


def _is_done(p: RunningTurn, conversation: Open, place: Place) -> bool:
    """Return whether the walk passes the step: its value is there, or it has run."""
    index = place.index
    if index in conversation.ran:
        return True
    entity = place.fills
    if entity is None or not place.type.is_done_by_value:
        return False
    if not p.memory.has(entity):
        step = place.step
        return isinstance(step, Question) and step.is_optional and p.memory.is_null(entity)
    return index not in conversation.recheck and index not in conversation.reoffer


def _holds(p: RunningTurn, place: Place) -> bool:
    if not place.conditions:
        return True
    try:
        scope = p.memory.scope()
        return all(condition.truth(scope) for condition in place.conditions)
    except TemplateError as error:
        raise FlowBroken(place.path, str(error)) from error


# ---- the trace ---------------------------------------------------------------------------------------------------


def _why_done(p: RunningTurn, conversation: Open, place: Place) -> StepOutcome:
    if place.index in conversation.ran:
        return "has-run"
    return "left-empty" if place.fills is None or not p.memory.has(place.fills) else "has-value"


def _leave_unmet(p: RunningTurn, trace: TraceWriter, place: Place) -> None:
    """Write down the first condition that is false."""
    scope = p.memory.scope()
    index = next(index for index, condition in enumerate(place.conditions) if not condition.truth(scope))
    trace.leave("condition-false", condition=index, condition_text=place.conditions[index].source)


def _what_came(p: RunningTurn, place: Place, outcome: Outcome) -> StepOutcome:
    """Return what came of a step that was not passed."""
    if outcome is not Outcome.WAIT:
        return "has-value" if isinstance(place.step, Question) else "ran"
    if p.ask is not None:
        return "asked"
    if p.is_login_awaited:
        return "login-needed"
    return "ran" if isinstance(place.step, StaySilent) else "held-back"
