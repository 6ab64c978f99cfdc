"""Opens, leaves and ends conversations, and forgets the entities of one that ends (section 5, rules 5 and 9)."""

from __future__ import annotations

import msgspec

from dialoom.engine.compiled import (
    MAX_NESTED_CONVERSATIONS,
    CompiledConversation,
    Confirmation,
    EntitiesConfirmation,
)
from dialoom.engine.running_turn import FlowBroken, Open, RunningTurn

MAX_PAST_RUNS = 2
"""Completed runs whose values are remembered, enough to see that the user gave the same value twice."""


def begin(p: RunningTurn, key: str) -> None:
    """Open a conversation on top of all others."""
    push(p, Open(p.flow.scripts[key]))


def push(p: RunningTurn, conversation: Open) -> None:
    script = conversation.script
    if len(p.stack) >= MAX_NESTED_CONVERSATIONS:
        raise FlowBroken(
            script.key,
            f"More than {MAX_NESTED_CONVERSATIONS} conversations would be open inside each other.",
            is_endless=True,
        )
    _forget_shared_confirmations(p, script)
    p.stack.append(conversation)
    p.ask = None
    if script.is_goal:
        p.start_goal(script.key)
    p.name_goal()


def enter(p: RunningTurn, key: str) -> None:
    """Begin the conversation that the message named, or go on with it where it is open already.

    A goal drops the support conversations above the goal that it interrupts; the interrupted goal is remembered. A
    support conversation drops those above it, and never a goal.
    """
    script = p.flow.scripts[key]
    inherited: set[str] = set()
    if script.is_goal:
        while p.stack and not p.stack[-1].script.is_goal:
            inherited |= _own(p.stack.pop())
    opened = _opened(p, key)
    if opened is None:
        push(p, Open(script, inherited=inherited))
        return
    if script.is_goal:
        p.stack.remove(opened)
        _forget_shared_confirmations(p, script)
        p.stack.append(opened)
    else:
        index = p.stack.index(opened)
        above = p.stack[index + 1 :]
        goals = [conversation for conversation in above if conversation.script.is_goal]
        for conversation in above:
            if conversation in goals:
                conversation.reviewed = -1
            else:
                inherited |= _own(conversation)
        p.stack[index:] = [*goals, opened]
    opened.inherited |= inherited
    return_to(p)


def go_to(p: RunningTurn, key: str) -> bool:
    """Replace the running conversation; false when it is the target itself, which just goes on."""
    left = p.stack[-1]
    if left.script.key == key:
        return False
    p.stack.pop()
    p.ask = None
    if left.script.key == "restart":
        p.end_record_if_ending()
    if left.script.is_goal and p.goal is None:
        p.leave_last_goal()
    inherited = _own(left)
    opened = _opened(p, key)
    if opened is None:
        push(p, Open(p.flow.scripts[key], inherited=inherited))
    else:
        p.stack.remove(opened)
        p.stack.append(opened)
        opened.inherited |= inherited
        p.name_goal()
    return True


def end_all(p: RunningTurn) -> None:
    """End every open conversation without a text."""
    if p.goal is not None:
        p.end_record(p.end_of_record("abandoned"))
    _drop_all(p)


def stop_goal(p: RunningTurn) -> None:
    """End the open goal as abandoned, with what was asked inside it; the one below goes on."""
    goal = p.goal
    if goal is None:
        return
    p.say(p.flow.stopped, goal.script.key)
    above = p.stack[p.stack.index(goal) :]
    del p.stack[p.stack.index(goal) :]
    if p.goal is None:
        p.end_record(p.end_of_record("abandoned"))
    needed = set(p.flow.persistent)
    for below in p.stack:
        needed |= below.script.fillers.keys()
    for conversation in above:
        for name in _own(conversation) - ((needed - _confirmations(conversation.script)) | p.flow.persistent):
            p.memory.forget(name)
    p.ask = None
    p.name_goal()
    if p.stack:
        return_to(p)


def stop(p: RunningTurn) -> None:
    """End all that is open after a limit was hit, the record as failed, and forget the values that it asked for: the
    next message would run into the same limit."""
    ended = p.ending or p.end_of_record("failure")
    p.end_record(msgspec.structs.replace(ended, status="failure"))
    _drop_all(p)


def _drop_all(p: RunningTurn) -> None:
    """Leave all that is open, and forget the values that it asked for."""
    for conversation in p.stack:
        for name in _own(conversation) - p.flow.persistent:
            p.memory.forget(name)
    p.stack.clear()
    p.ask = p.own = None
    p.name_goal()


def complete(p: RunningTurn) -> None:
    """End the running conversation at its last step: forget what is its own, go back to the one below."""
    done = p.stack[-1]
    if done.script.is_goal and not any(below.script.is_goal for below in p.stack[:-1]):
        p.end_record_if_ending()
        p.end_record(p.end_of_record("success"))
    p.stack.pop()
    if done.script.is_goal:
        _finish_goal(p, done)
    else:
        _forget_support(p, done)
    p.name_goal()
    if p.stack:
        return_to(p)


def drop_support(p: RunningTurn) -> None:
    """End the support conversation on top: forget what is its own, and say nothing of going back."""
    _forget_support(p, p.stack.pop())
    p.name_goal()


def return_to(p: RunningTurn) -> None:
    """Go on with the conversation below, and say so in one text."""
    script = p.stack[-1].script
    p.ask = None
    p.memory.name_conversation(script.key, script.display_name)
    p.say(p.flow.return_texts, script.key)
    p.name_goal()


def _opened(p: RunningTurn, key: str) -> Open | None:
    return next((conversation for conversation in p.stack if conversation.script.key == key), None)


def _own(conversation: Open) -> set[str]:
    """Return what is forgotten when a conversation ends: of a goal the entities of its own steps, of a support
    conversation the values that it was told."""
    script = conversation.script
    return conversation.inherited | (set(script.fillers) if script.is_goal else conversation.given)


def _confirmations(script: CompiledConversation) -> set[str]:
    """Return the entities of a conversation that a yes or no to its own confirmations fills."""
    nodes = (node for node in script.nodes if isinstance(node.step, Confirmation | EntitiesConfirmation))
    return {node.fills for node in nodes if node.fills is not None}


def _forget_shared_confirmations(p: RunningTurn, script: CompiledConversation) -> None:
    """Forget a yes that was said to another open conversation: it confirms nothing here."""
    own = _confirmations(script) if p.stack and script.is_goal else set[str]()
    for below in p.stack if own else ():
        for name in own & _confirmations(below.script):
            p.memory.forget(name)


def _finish_goal(p: RunningTurn, done: Open) -> None:
    """Move the entities of a goal to long-term memory; those that a goal still open has a step for stay, but for its
    confirmations."""
    memory, flow = p.memory, p.flow
    needed = set[str]()
    for below in p.stack:
        if below.script.is_goal:
            needed |= below.script.fillers.keys()
    needed = (needed - _confirmations(done.script)) | flow.persistent
    for name in _own(done) - needed:
        value = memory.entities.get(name)
        if value is not None and name in flow.remembered and name in done.script.fillers:
            memory.past = {**memory.past, name: [value, *memory.past.get(name, [])][:MAX_PAST_RUNS]}
        memory.forget(name)


def _forget_support(p: RunningTurn, done: Open) -> None:
    goal = p.goal
    needed = p.flow.persistent if goal is None else p.flow.persistent | goal.script.question_entities
    for name in _own(done) - needed:
        p.memory.forget(name)
