"""Walks over the steps of the open conversations, from the first, until one waits for the user (section 5, rule 8)."""

from __future__ import annotations

from dialoom.engine.compiled import Node, Question, StaySilent, is_acting
from dialoom.engine.conversations import opening
from dialoom.engine.memory import Memory
from dialoom.engine.options import review
from dialoom.engine.running_turn import (
    ActsOnGuess,
    FlowBroken,
    LoginProgress,
    OpenConversation,
    Outcome,
    RunningTurn,
    Stack,
)
from dialoom.engine.steps import protected, run_step
from dialoom.engine.trace import StepOutcome, TraceWriter
from dialoom.errors import TemplateError


def proceed(turn: RunningTurn) -> None:
    """Go on with the running conversation, and with those below as it completes."""
    turn.stack.ask = None
    turn.login.is_awaited = False
    while turn.stack:
        outcome = _walk(turn, turn.stack[-1])
        if outcome is Outcome.WAIT:
            return
        if outcome is Outcome.ON:
            opening.complete(turn.memory, turn.stack, turn.output)


def run_beside(turn: RunningTurn, key: str) -> None:
    """Run a conversation beside the open question, which stays open and is not asked again. A goal begins as always."""
    ask, below = turn.stack.ask, len(turn.stack)
    if turn.flow.scripts[key].is_goal:
        opening.enter(turn.memory, turn.stack, turn.output, key)
        proceed(turn)
        return
    opening.begin(turn.memory, turn.stack, turn.record, key)
    while len(turn.stack) > below:
        outcome = _walk(turn, turn.stack[-1])
        if outcome is Outcome.WAIT:
            return
        if outcome is Outcome.ON and len(turn.stack) > below + 1:
            opening.complete(turn.memory, turn.stack, turn.output)
        elif outcome is Outcome.ON:
            opening.drop_support(turn.memory, turn.stack)
    if len(turn.stack) == below:
        turn.stack.ask = ask


def _walk(turn: RunningTurn, conversation: OpenConversation) -> Outcome:
    """Walk over the steps. Return ON at their end, WAIT when the user is asked, LEFT when another conversation runs
    now."""
    nodes, memory, trace = conversation.script.nodes, turn.memory, turn.trace
    if conversation.reviewed >= 0 and (outcome := _review(turn, conversation)) is not Outcome.ON:
        return outcome
    index = 0
    while index < len(nodes):
        node = nodes[index]
        turn.limits.visit(node.path)
        if _is_done(memory, conversation, node):
            if trace is not None:
                trace.leave(_why_done(memory, conversation, node))
            index += 1
        elif not _holds(memory, node):
            if trace is not None:
                _leave_unmet(memory, trace, node)
            index = node.after
        else:
            outcome = _run(turn, conversation, node)
            if trace is not None:
                trace.leave(_what_came(turn.stack, turn.login, node, outcome))
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
    if index < len(nodes) and _holds(turn.memory, nodes[index]):
        turn.limits.visit(nodes[index].path)
        outcome = _run(turn, conversation, nodes[index])
        if turn.trace is not None:
            turn.trace.leave(_what_came(turn.stack, turn.login, nodes[index], outcome))
        if outcome is Outcome.WAIT:
            return Outcome.WAIT
    review.answered(turn.stack, conversation)
    return Outcome.ON if turn.stack.running is conversation else Outcome.LEFT


def _run(turn: RunningTurn, conversation: OpenConversation, node: Node) -> Outcome:
    """Let the step act; a protected one asks for the login first where there is none."""
    if node.type.acts and protected.is_needed(turn, node):
        if not turn.rules.is_passing_by:
            protected.prompt(turn, node)
            turn.login.is_awaited = True
        return Outcome.WAIT
    if is_acting(node.step):
        if turn.rules.is_guess:
            raise ActsOnGuess
        conversation.answered.clear()
    if turn.calls.failures is not None and turn.calls.failures.step == node.path:
        if turn.rules.is_not_retried:
            return Outcome.WAIT
        outcome = run_step(turn, conversation, node)
        turn.calls.failures = None
        return outcome
    return run_step(turn, conversation, node)


def _is_done(memory: Memory, conversation: OpenConversation, node: Node) -> bool:
    """Return whether the walk passes the step: its value is there, or it has run."""
    index = node.index
    if index in conversation.ran:
        return True
    entity = node.fills
    if entity is None or not node.type.is_done_by_value:
        return False
    if not memory.has(entity):
        step = node.step
        return isinstance(step, Question) and step.is_optional and memory.is_null(entity)
    return index not in conversation.recheck and index not in conversation.reoffer


def _holds(memory: Memory, node: Node) -> bool:
    if not node.conditions:
        return True
    try:
        scope = memory.scope()
        return all(condition.truth(scope) for condition in node.conditions)
    except TemplateError as error:
        raise FlowBroken(node.path, str(error)) from error


# ---- the trace ---------------------------------------------------------------------------------------------------


def _why_done(memory: Memory, conversation: OpenConversation, node: Node) -> StepOutcome:
    if node.index in conversation.ran:
        return "has-run"
    return "left-empty" if node.fills is None or not memory.has(node.fills) else "has-value"


def _leave_unmet(memory: Memory, trace: TraceWriter, node: Node) -> None:
    """Write down the first condition that is false."""
    scope = memory.scope()
    index = next(index for index, condition in enumerate(node.conditions) if not condition.truth(scope))
    trace.leave("condition-false", condition=index, condition_text=node.conditions[index].source)


def _what_came(stack: Stack, login: LoginProgress, node: Node, outcome: Outcome) -> StepOutcome:
    """Return what came of a step that was not passed."""
    if outcome is not Outcome.WAIT:
        return "has-value" if isinstance(node.step, Question) else "ran"
    if stack.ask is not None:
        return "asked"
    if login.is_awaited:
        return "login-needed"
    return "ran" if isinstance(node.step, StaySilent) else "held-back"
