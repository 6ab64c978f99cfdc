"""Opens, leaves and ends conversations, and forgets the entities of one that ends (section 5, rules 5 and 9)."""

from __future__ import annotations

import msgspec

from dialoom.engine.compiled import (
    MAX_NESTED_CONVERSATIONS,
    CompiledConversation,
    Confirmation,
    EntitiesConfirmation,
)
from dialoom.engine.memory import Memory
from dialoom.engine.record import Record
from dialoom.engine.running_turn import FlowBroken, OpenConversation, Output, Stack

MAX_PAST_RUNS = 2
"""Completed runs whose values are remembered, enough to see that the user gave the same value twice."""


def begin(memory: Memory, stack: Stack, record: Record, key: str) -> None:
    """Open a conversation on top of all others."""
    push(memory, stack, record, OpenConversation(stack.flow.scripts[key]))


def push(memory: Memory, stack: Stack, record: Record, conversation: OpenConversation) -> None:
    script = conversation.script
    if len(stack) >= MAX_NESTED_CONVERSATIONS:
        raise FlowBroken(
            script.key,
            f"More than {MAX_NESTED_CONVERSATIONS} conversations would be open inside each other.",
            is_endless=True,
        )
    _forget_shared_confirmations(memory, stack, script)
    stack.append(conversation)
    stack.ask = None
    if script.is_goal:
        record.start_goal(script.key)
    stack.name_goal(memory)


def enter(memory: Memory, stack: Stack, output: Output, key: str) -> None:
    """Begin the conversation that the message named, or go on with it where it is open already.

    A goal drops the support conversations above the goal that it interrupts; the interrupted goal is remembered. A
    support conversation drops those above it, and never a goal.
    """
    script = stack.flow.scripts[key]
    inherited: set[str] = set()
    if script.is_goal:
        while stack and not stack[-1].script.is_goal:
            inherited |= _own(stack.pop())
    opened = stack.find(key)
    if opened is None:
        push(memory, stack, output.record, OpenConversation(script, inherited=inherited))
        return
    if script.is_goal:
        stack.remove(opened)
        _forget_shared_confirmations(memory, stack, script)
        stack.append(opened)
    else:
        index = stack.index(opened)
        above = stack[index + 1 :]
        goals = [conversation for conversation in above if conversation.script.is_goal]
        for conversation in above:
            if conversation in goals:
                conversation.reviewed = -1
            else:
                inherited |= _own(conversation)
        stack[index:] = [*goals, opened]
    opened.inherited |= inherited
    return_to(memory, stack, output)


def go_to(memory: Memory, stack: Stack, record: Record, key: str) -> bool:
    """Replace the running conversation; false when it is the target itself, which just goes on."""
    left = stack[-1]
    if left.script.key == key:
        return False
    stack.pop()
    stack.ask = None
    if left.script.key == "restart":
        record.end_if_ending()
    if left.script.is_goal and stack.goal is None:
        record.leave_last_goal()
    inherited = _own(left)
    opened = stack.find(key)
    if opened is None:
        push(memory, stack, record, OpenConversation(stack.flow.scripts[key], inherited=inherited))
    else:
        stack.remove(opened)
        stack.append(opened)
        opened.inherited |= inherited
        stack.name_goal(memory)
    return True


def end_all(memory: Memory, stack: Stack, output: Output) -> None:
    """End every open conversation without a text."""
    if stack.goal is not None:
        output.record.end(output.record.ended("abandoned"))
    _drop_all(memory, stack, output)


def stop_goal(memory: Memory, stack: Stack, output: Output) -> None:
    """End the open goal as abandoned, with what was asked inside it; the one below goes on."""
    goal = stack.goal
    if goal is None:
        return
    output.say(stack.flow.stopped, goal.script.key)
    above = stack[stack.index(goal) :]
    del stack[stack.index(goal) :]
    if stack.goal is None:
        output.record.end(output.record.ended("abandoned"))
    needed = set(stack.flow.persistent)
    for below in stack:
        needed |= below.script.fillers.keys()
    for conversation in above:
        for name in _own(conversation) - ((needed - _confirmations(conversation.script)) | stack.flow.persistent):
            memory.forget(name)
    stack.ask = None
    stack.name_goal(memory)
    if stack:
        return_to(memory, stack, output)


def stop(memory: Memory, stack: Stack, output: Output) -> None:
    """End all that is open after a limit was hit, the record as failed, and forget the values that it asked for: the
    next message would run into the same limit."""
    ended = output.record.ending or output.record.ended("failure")
    output.record.end(msgspec.structs.replace(ended, status="failure"))
    _drop_all(memory, stack, output)


def _drop_all(memory: Memory, stack: Stack, output: Output) -> None:
    """Leave all that is open, and forget the values that it asked for."""
    for conversation in stack:
        for name in _own(conversation) - stack.flow.persistent:
            memory.forget(name)
    stack.clear()
    stack.ask = output.own = None
    stack.name_goal(memory)


def complete(memory: Memory, stack: Stack, output: Output) -> None:
    """End the running conversation at its last step: forget what is its own, go back to the one below."""
    done = stack[-1]
    if done.script.is_goal and not any(below.script.is_goal for below in stack[:-1]):
        output.record.end_if_ending()
        output.record.end(output.record.ended("success"))
    stack.pop()
    if done.script.is_goal:
        _finish_goal(memory, stack, done)
    else:
        _forget_support(memory, stack, done)
    stack.name_goal(memory)
    if stack:
        return_to(memory, stack, output)


def drop_support(memory: Memory, stack: Stack) -> None:
    """End the support conversation on top: forget what is its own, and say nothing of going back."""
    _forget_support(memory, stack, stack.pop())
    stack.name_goal(memory)


def return_to(memory: Memory, stack: Stack, output: Output) -> None:
    """Go on with the conversation below, and say so in one text."""
    script = stack[-1].script
    stack.ask = None
    memory.name_conversation(script)
    output.say(stack.flow.return_texts, script.key)
    stack.name_goal(memory)


def _own(conversation: OpenConversation) -> set[str]:
    """Return what is forgotten when a conversation ends: of a goal the entities of its own steps, of a support
    conversation the values that it was told."""
    script = conversation.script
    return conversation.inherited | (set(script.fillers) if script.is_goal else conversation.given)


def _confirmations(script: CompiledConversation) -> set[str]:
    """Return the entities of a conversation that a yes or no to its own confirmations fills."""
    nodes = (node for node in script.nodes if isinstance(node.step, Confirmation | EntitiesConfirmation))
    return {node.fills for node in nodes if node.fills is not None}


def _forget_shared_confirmations(memory: Memory, stack: Stack, script: CompiledConversation) -> None:
    """Forget a yes that was said to another open conversation: it confirms nothing here."""
    own = _confirmations(script) if stack and script.is_goal else set[str]()
    for below in stack if own else ():
        for name in own & _confirmations(below.script):
            memory.forget(name)


def _finish_goal(memory: Memory, stack: Stack, done: OpenConversation) -> None:
    """Move the entities of a goal to long-term memory; those that a goal still open has a step for stay, but for its
    confirmations."""
    flow = stack.flow
    needed = set[str]()
    for below in stack:
        if below.script.is_goal:
            needed |= below.script.fillers.keys()
    needed = (needed - _confirmations(done.script)) | flow.persistent
    for name in _own(done) - needed:
        value = memory.entities.get(name)
        if value is not None and name in flow.remembered and name in done.script.fillers:
            memory.past = {**memory.past, name: [value, *memory.past.get(name, [])][:MAX_PAST_RUNS]}
        memory.forget(name)


def _forget_support(memory: Memory, stack: Stack, done: OpenConversation) -> None:
    goal = stack.goal
    needed = stack.flow.persistent if goal is None else stack.flow.persistent | goal.script.question_entities
    for name in _own(done) - needed:
        memory.forget(name)
