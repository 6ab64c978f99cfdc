"""Walks over the steps of the open conversations, from the first, until one waits for the user (section 5, rule 8)."""

from __future__ import annotations

from dialoom.engine.compiled import Node, Question, StaySilent, is_acting
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
    nodes = conversation.script.nodes
    if conversation.reviewed >= 0 and (outcome := _review(p, conversation)) is not Outcome.ON:
        return outcome
    index = 0
    while index < len(nodes):
        node = nodes[index]
        p.visit(node.path)
        if _is_done(p, conversation, node):
            if p.trace is not None:
                p.trace.leave(_why_done(p, conversation, node))
            index += 1
        elif not _holds(p, node):
            if p.trace is not None:
                _leave_unmet(p, p.trace, node)
            index = node.after
        else:
            outcome = _run(p, conversation, node)
            if p.trace is not None:
                p.trace.leave(_what_came(p, node, outcome))
            if outcome is Outcome.ON:
                index += 1
            elif outcome is Outcome.AGAIN:
                index = 0
            else:
                return outcome
    return Outcome.ON


def _review(p: RunningTurn, conversation: Open) -> Outcome:
    """Ask again what the user chose at an entities-confirmation, before all else."""
    nodes, index = conversation.script.nodes, conversation.reviewed
    if index < len(nodes) and _holds(p, nodes[index]):
        p.visit(nodes[index].path)
        outcome = _run(p, conversation, nodes[index])
        if p.trace is not None:
            p.trace.leave(_what_came(p, nodes[index], outcome))
        if outcome is Outcome.WAIT:
            return Outcome.WAIT
    review.answered(p, conversation)
    return Outcome.ON if p.running is conversation else Outcome.LEFT


def _run(p: RunningTurn, conversation: Open, node: Node) -> Outcome:
    """Let the step act; a protected one asks for the login first where there is none."""
    if node.type.acts and protected.is_needed(p, node):
        if not p.is_passing_by:
            protected.prompt(p, node)
            p.is_login_awaited = True
        return Outcome.WAIT
    if is_acting(node.step):
        if p.is_guess:
            raise ActsOnGuess
        conversation.answered.clear()
    if p.failures is not None and p.failures.step == node.path:
        if p.is_not_retried:
            return Outcome.WAIT
        outcome = run_step(p, conversation, node)
        p.failures = None
        return outcome
    return run_step(p, conversation, node)


def _is_done(p: RunningTurn, conversation: Open, node: Node) -> bool:
    """Return whether the walk passes the step: its value is there, or it has run."""
    index = node.index
    if index in conversation.ran:
        return True
    entity = node.fills
    if entity is None or not node.type.is_done_by_value:
        return False
    if not p.memory.has(entity):
        step = node.step
        return isinstance(step, Question) and step.is_optional and p.memory.is_null(entity)
    return index not in conversation.recheck and index not in conversation.reoffer


def _holds(p: RunningTurn, node: Node) -> bool:
    if not node.conditions:
        return True
    try:
        scope = p.memory.scope()
        return all(condition.truth(scope) for condition in node.conditions)
    except TemplateError as error:
        raise FlowBroken(node.path, str(error)) from error


# ---- the trace ---------------------------------------------------------------------------------------------------


def _why_done(p: RunningTurn, conversation: Open, node: Node) -> StepOutcome:
    if node.index in conversation.ran:
        return "has-run"
    return "left-empty" if node.fills is None or not p.memory.has(node.fills) else "has-value"


def _leave_unmet(p: RunningTurn, trace: TraceWriter, node: Node) -> None:
    """Write down the first condition that is false."""
    scope = p.memory.scope()
    index = next(index for index, condition in enumerate(node.conditions) if not condition.truth(scope))
    trace.leave("condition-false", condition=index, condition_text=node.conditions[index].source)


def _what_came(p: RunningTurn, node: Node, outcome: Outcome) -> StepOutcome:
    """Return what came of a step that was not passed."""
    if outcome is not Outcome.WAIT:
        return "has-value" if isinstance(node.step, Question) else "ran"
    if p.ask is not None:
        return "asked"
    if p.is_login_awaited:
        return "login-needed"
    return "ran" if isinstance(node.step, StaySilent) else "held-back"
