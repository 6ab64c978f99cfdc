"""Opens, leaves and ends conversations, and forgets the entities of one that ends (section 5, rules 5 and 9)."""

from __future__ import annotations

import msgspec

from dialoom.engine.compiled import (
    MAX_NESTED_CONVERSATIONS,
    CompiledConversation,
    Confirmation,
    EntitiesConfirmation,
)
from dialoom.engine.running_turn import FlowBroken, OpenConversation, RunningTurn

MAX_PAST_RUNS = 2
"""Completed runs whose values are remembered, enough to see that the user gave the same value twice."""


def begin(turn: RunningTurn, key: str) -> None:
    """Open a conversation on top of all others."""
    push(turn, OpenConversation(turn.flow.scripts[key]))


def push(turn: RunningTurn, conversation: OpenConversation) -> None:
    script = conversation.script
    if len(turn.stack) >= MAX_NESTED_CONVERSATIONS:
        raise FlowBroken(
            script.key,
            f"More than {MAX_NESTED_CONVERSATIONS} conversations would be open inside each other.",
            is_endless=True,
        )
    _forget_shared_confirmations(turn, script)
    turn.stack.append(conversation)
    turn.ask = None
    if script.is_goal:
        turn.start_goal(script.key)
    turn.name_goal()


def enter(turn: RunningTurn, key: str) -> None:
    """Begin the conversation that the message named, or go on with it where it is open already.

    A goal drops the support conversations above the goal that it interrupts; the interrupted goal is remembered. A
    support conversation drops those above it, and never a goal.
    """
    script = turn.flow.scripts[key]
    inherited: set[str] = set()
    if script.is_goal:
        while turn.stack and not turn.stack[-1].script.is_goal:
            inherited |= _own(turn.stack.pop())
    opened = _opened(turn, key)
    if opened is None:
        push(turn, OpenConversation(script, inherited=inherited))
        return
    if script.is_goal:
        turn.stack.remove(opened)
        _forget_shared_confirmations(turn, script)
        turn.stack.append(opened)
    else:
        index = turn.stack.index(opened)
        above = turn.stack[index + 1 :]
        goals = [conversation for conversation in above if conversation.script.is_goal]
        for conversation in above:
            if conversation in goals:
                conversation.reviewed = -1
            else:
                inherited |= _own(conversation)
        turn.stack[index:] = [*goals, opened]
    opened.inherited |= inherited
    return_to(turn)


def go_to(turn: RunningTurn, key: str) -> bool:
    """Replace the running conversation; false when it is the target itself, which just goes on."""
    left = turn.stack[-1]
    if left.script.key == key:
        return False
    turn.stack.pop()
    turn.ask = None
    if left.script.key == "restart":
        turn.end_record_if_ending()
    if left.script.is_goal and turn.goal is None:
        turn.leave_last_goal()
    inherited = _own(left)
    opened = _opened(turn, key)
    if opened is None:
        push(turn, OpenConversation(turn.flow.scripts[key], inherited=inherited))
    else:
        turn.stack.remove(opened)
        turn.stack.append(opened)
        opened.inherited |= inherited
        turn.name_goal()
    return True


def end_all(turn: RunningTurn) -> None:
    """End every open conversation without a text."""
    if turn.goal is not None:
        turn.end_record(turn.end_of_record("abandoned"))
    _drop_all(turn)


def stop_goal(turn: RunningTurn) -> None:
    """End the open goal as abandoned, with what was asked inside it; the one below goes on."""
    goal = turn.goal
    if goal is None:
        return
    turn.say(turn.flow.stopped, goal.script.key)
    above = turn.stack[turn.stack.index(goal) :]
    del turn.stack[turn.stack.index(goal) :]
    if turn.goal is None:
        turn.end_record(turn.end_of_record("abandoned"))
    needed = set(turn.flow.persistent)
    for below in turn.stack:
        needed |= below.script.fillers.keys()
    for conversation in above:
        for name in _own(conversation) - ((needed - _confirmations(conversation.script)) | turn.flow.persistent):
            turn.memory.forget(name)
    turn.ask = None
    turn.name_goal()
    if turn.stack:
        return_to(turn)


def stop(turn: RunningTurn) -> None:
    """End all that is open after a limit was hit, the record as failed, and forget the values that it asked for: the
    next message would run into the same limit."""
    ended = turn.ending or turn.end_of_record("failure")
    turn.end_record(msgspec.structs.replace(ended, status="failure"))
    _drop_all(turn)


def _drop_all(turn: RunningTurn) -> None:
    """Leave all that is open, and forget the values that it asked for."""
    for conversation in turn.stack:
        for name in _own(conversation) - turn.flow.persistent:
            turn.memory.forget(name)
    turn.stack.clear()
    turn.ask = turn.own = None
    turn.name_goal()


def complete(turn: RunningTurn) -> None:
    """End the running conversation at its last step: forget what is its own, go back to the one below."""
    done = turn.stack[-1]
    if done.script.is_goal and not any(below.script.is_goal for below in turn.stack[:-1]):
        turn.end_record_if_ending()
        turn.end_record(turn.end_of_record("success"))
    turn.stack.pop()
    if done.script.is_goal:
        _finish_goal(turn, done)
    else:
        _forget_support(turn, done)
    turn.name_goal()
    if turn.stack:
        return_to(turn)


def drop_support(turn: RunningTurn) -> None:
    """End the support conversation on top: forget what is its own, and say nothing of going back."""
    _forget_support(turn, turn.stack.pop())
    turn.name_goal()


def return_to(turn: RunningTurn) -> None:
    """Go on with the conversation below, and say so in one text."""
    script = turn.stack[-1].script
    turn.ask = None
    turn.memory.name_conversation(script.key, script.display_name)
    turn.say(turn.flow.return_texts, script.key)
    turn.name_goal()


def _opened(turn: RunningTurn, key: str) -> OpenConversation | None:
    return next((conversation for conversation in turn.stack if conversation.script.key == key), None)


def _own(conversation: OpenConversation) -> set[str]:
    """Return what is forgotten when a conversation ends: of a goal the entities of its own steps, of a support
    conversation the values that it was told."""
    script = conversation.script
    return conversation.inherited | (set(script.fillers) if script.is_goal else conversation.given)


def _confirmations(script: CompiledConversation) -> set[str]:
    """Return the entities of a conversation that a yes or no to its own confirmations fills."""
    nodes = (node for node in script.nodes if isinstance(node.step, Confirmation | EntitiesConfirmation))
    return {node.fills for node in nodes if node.fills is not None}


def _forget_shared_confirmations(turn: RunningTurn, script: CompiledConversation) -> None:
    """Forget a yes that was said to another open conversation: it confirms nothing here."""
    own = _confirmations(script) if turn.stack and script.is_goal else set[str]()
    for below in turn.stack if own else ():
        for name in own & _confirmations(below.script):
            turn.memory.forget(name)


def _finish_goal(turn: RunningTurn, done: OpenConversation) -> None:
    """Move the entities of a goal to long-term memory; those that a goal still open has a step for stay, but for its
    confirmations."""
    memory, flow = turn.memory, turn.flow
    needed = set[str]()
    for below in turn.stack:
        if below.script.is_goal:
            needed |= below.script.fillers.keys()
    needed = (needed - _confirmations(done.script)) | flow.persistent
    for name in _own(done) - needed:
        value = memory.entities.get(name)
        if value is not None and name in flow.remembered and name in done.script.fillers:
            memory.past = {**memory.past, name: [value, *memory.past.get(name, [])][:MAX_PAST_RUNS]}
        memory.forget(name)


def _forget_support(turn: RunningTurn, done: OpenConversation) -> None:
    goal = turn.goal
    needed = turn.flow.persistent if goal is None else turn.flow.persistent | goal.script.question_entities
    for name in _own(done) - needed:
        turn.memory.forget(name)
