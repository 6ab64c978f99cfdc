"""Begins and ends sessions, and tells which events do so before anything else (flow-language.md section 5,
rules 1, 7 and 9).
"""

from __future__ import annotations

from dialoom.engine.compiled import Commands, Flow
from dialoom.engine.events import Began, Event, Picked, Said
from dialoom.engine.memory import Memory
from dialoom.engine.options import chosen
from dialoom.engine.record import Record
from dialoom.engine.running_turn import RunningTurn, Stack
from dialoom.engine.state import Ask, State
from dialoom.engine.values import changes, logins
from dialoom.messages.plain import plain_title
from dialoom.messages.records import Status
from dialoom.template.values import plain_text
from dialoom.understanding import normalise

TIMER = "session"


def take_context(memory: Memory, stack: Stack, event: Event) -> None:
    """Put the event's context into memory, before anything else reads it."""
    if event.context:
        changes.tell(memory, stack, event.context)
    stack.name_goal(memory)


def end_if_over(turn: RunningTurn) -> None:
    """End a session that has timed out, and forget a login that nobody has used for long; every event does so first."""
    login = turn.flow.login
    if login is not None and 0 < turn.login.over_at <= turn.event.now:
        changes.lose(turn.memory, turn.stack, login.entity, None, is_told=True)
        turn.login.over_at = 0
    if 0 < turn.session.over_at <= turn.event.now:
        end(turn, keep=lasting(turn.flow, turn.memory, turn.event.now))


def lasting(flow: Flow, memory: Memory, now: int) -> frozenset[str]:
    """Return the entities that outlive a session: those that the flow names, and the login, until it expires or the
    user logs out (login.md, The flow, 4)."""
    login = flow.login
    if login is None or not (login.is_refreshed or logins.is_valid(memory.get(login.entity), now)):
        return flow.persistent
    return flow.persistent | {login.entity}


def end(turn: RunningTurn, *, keep: frozenset[str]) -> None:
    """End the session, and with it the record that is open."""
    turn.record.end(turn.record.ended(ended_status(turn.stack, turn.record)), turn.record.first)
    leave(turn)
    turn.memory.keep_only(keep)
    turn.memory.context = {name: value for name, value in turn.memory.context.items() if name in keep}
    turn.session.over_at = turn.session.silent_until = 0
    turn.session.is_welcomed = False


def leave(turn: RunningTurn) -> None:
    """Close all open conversations and the open question."""
    stack, output, login = turn.stack, turn.output, turn.login
    stack.clear()
    stack.ask = stack.before = stack.named = None
    stack.misses = 0
    output.own = output.suggestion_pages = None
    login.is_awaited = login.is_unsaid = False
    turn.record.next_wishes = ()


def ended_status(stack: Stack, record: Record) -> Status:
    """Return how a record ends whose goal was not completed: closed if there never was one."""
    return "abandoned" if record.has_had_goal or stack.goal is not None else "closed"


def stay(turn: RunningTurn) -> None:
    """Extend the session, since the user was active."""
    turn.session.has_stayed = True
    turn.session.over_at = max(turn.event.now, 1) + turn.flow.session_ms
    silence = logins.forgotten_after(turn.flow, turn.event.profile)
    turn.login.over_at = 0 if silence is None else max(turn.event.now, 1) + silence


def restarts_chat(flow: Flow, state: State, event: Event) -> bool:
    """Return whether ``turn`` with these three looks at no conversation, question or option that is open in ``state``.

    ``flow`` is the one that would run the event, and may be another than that which ``state`` is from.
    """
    if isinstance(event, Began) and event.clear:
        return True
    return 0 < state.over_at <= event.now or restart_text(flow.commands, state.ask, event) is not None


def restart_text(commands: Commands, ask: Ask | None, event: Event) -> str | None:
    """Return what the user said or chose, as it reads in the transcript, when it is the RESTART command; else None.

    Of the open question only the snapshot of its options counts, so that no flow is asked what they are: options that
    hold a RESTART phrase are always kept (``steps.parts``).
    """
    if isinstance(event, Said):
        said = shown = event.text
    elif isinstance(event, Picked):
        pick = chosen.read(event, ask, () if ask is None else ask.choices or ())
        if pick.text is not None:
            said = shown = pick.text
        elif len(pick.choices) == 1:
            said, shown = plain_text(pick.choices[0].value), plain_title(pick.choices[0].title)
        else:
            return None
    else:
        return None
    return shown if normalise(said) in commands.restart else None
