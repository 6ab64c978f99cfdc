"""Walks over the steps of the open conversations, from the first, until one waits for the user (section 5, rule 8)."""

from __future__ import annotations

from dialoom.engine.compiled import Node, Question, StaySilent, is_acting
from dialoom.engine.conversations import stack
from dialoom.engine.options import review
from dialoom.engine.running_turn import ActsOnGuess, FlowBroken, OpenConversation, Outcome, RunningTurn
from dialoom.engine.steps import protected, run_step
from dialoom.engine.trace import StepOutcome, TraceWriter
from dialoom.errors import TemplateError


def proceed(turn: RunningTurn) -> None:
    """Go on with the running conversation, and with those below as it completes."""
    turn.ask = None
    turn.is_login_awaited = False
    while turn.stack:
        outcome = _walk(turn, turn.stack[-1])
        if outcome is Outcome.WAIT:
            return
        if outcome is Outcome.ON:
            stack.complete(turn)


def run_beside(turn: RunningTurn, key: str) -> None:
    """Run a conversation beside the open question, which stays open and is not asked again. A goal begins as always."""
    ask, below = turn.ask, len(turn.stack)
    if turn.flow.scripts[key].is_goal:
        stack.enter(turn, key)
        proceed(turn)
        return
    stack.begin(turn, key)
    while len(turn.stack) > below:
        outcome = _walk(turn, turn.stack[-1])
        if outcome is Outcome.WAIT:
            return
        if outcome is Outcome.ON and len(turn.stack) > below + 1:
            stack.complete(turn)
        elif outcome is Outcome.ON:
            stack.drop_support(turn)
    if len(turn.stack) == below:
        turn.ask = ask


def _walk(turn: RunningTurn, conversation: OpenConversation) -> Outcome:
    """Walk over the steps. Return ON at their end, WAIT when the user is asked, LEFT when another conversation runs
    now."""
    nodes = conversation.script.nodes
    if conversation.reviewed >= 0 and (outcome := _review(turn, conversation)) is not Outcome.ON:
        return outcome
    index = 0
    while index < len(nodes):
        node = nodes[index]
        turn.visit(node.path)
        if _is_done(turn, conversation, node):
            if turn.trace is not None:
                turn.trace.leave(_why_done(turn, conversation, node))
            index += 1
        elif not _holds(turn, node):
            if turn.trace is not None:
                _leave_unmet(turn, turn.trace, node)
            index = node.after
        else:
            outcome = _run(turn, conversation, node)
            if turn.trace is not None:
                turn.trace.leave(_what_came(turn, node, outcome))
            if outcome is Outcome.ON:
                index += 1
            elif outcome is Outcome.AGAIN:
                index = 0
            else:
                return outcome
    return Outcome.ON


def _review(turn: RunningTurn, conversation: OpenConversation) -> Outcome:
    """Ask again what the user chose at an entities-confirmation, before all else."""
    nodes, index = conversation.script.nodes, conversation.reviewed
    if index < len(nodes) and _holds(turn, nodes[index]):
        turn.visit(nodes[index].path)
        outcome = _run(turn, conversation, nodes[index])
        if turn.trace is not None:
            turn.trace.leave(_what_came(turn, nodes[index], outcome))
        if outcome is Outcome.WAIT:
            return Outcome.WAIT
    review.answered(turn, conversation)
    return Outcome.ON if turn.running is conversation else Outcome.LEFT


def _run(turn: RunningTurn, conversation: OpenConversation, node: Node) -> Outcome:
    """Let the step act; a protected one asks for the login first where there is none."""
    if node.type.acts and protected.is_needed(turn, node):
        if not turn.is_passing_by:
            protected.prompt(turn, node)
            turn.is_login_awaited = True
        return Outcome.WAIT
    if is_acting(node.step):
        if turn.is_guess:
            raise ActsOnGuess
        conversation.answered.clear()
    if turn.failures is not None and turn.failures.step == node.path:
        if turn.is_not_retried:
            return Outcome.WAIT
        outcome = run_step(turn, conversation, node)
        turn.failures = None
        return outcome
    return run_step(turn, conversation, node)


def _is_done(turn: RunningTurn, conversation: OpenConversation, node: Node) -> bool:
    """Return whether the walk passes the step: its value is there, or it has run."""
    index = node.index
    if index in conversation.ran:
        return True
    entity = node.fills
    if entity is None or not node.type.is_done_by_value:
        return False
    if not turn.memory.has(entity):
        step = node.step
        return isinstance(step, Question) and step.is_optional and turn.memory.is_null(entity)
    return index not in conversation.recheck and index not in conversation.reoffer


def _holds(turn: RunningTurn, node: Node) -> bool:
    if not node.conditions:
        return True
    try:
        scope = turn.memory.scope()
        return all(condition.truth(scope) for condition in node.conditions)
    except TemplateError as error:
        raise FlowBroken(node.path, str(error)) from error


# ---- the trace ---------------------------------------------------------------------------------------------------


def _why_done(turn: RunningTurn, conversation: OpenConversation, node: Node) -> StepOutcome:
    if node.index in conversation.ran:
        return "has-run"
    return "left-empty" if node.fills is None or not turn.memory.has(node.fills) else "has-value"


def _leave_unmet(turn: RunningTurn, trace: TraceWriter, node: Node) -> None:
    """Write down the first condition that is false."""
    scope = turn.memory.scope()
    index = next(index for index, condition in enumerate(node.conditions) if not condition.truth(scope))
    trace.leave("condition-false", condition=index, condition_text=node.conditions[index].source)


def _what_came(turn: RunningTurn, node: Node, outcome: Outcome) -> StepOutcome:
    """Return what came of a step that was not passed."""
    if outcome is not Outcome.WAIT:
        return "has-value" if isinstance(node.step, Question) else "ran"
    if turn.ask is not None:
        return "asked"
    if turn.is_login_awaited:
        return "login-needed"
    return "ran" if isinstance(node.step, StaySilent) else "held-back"
