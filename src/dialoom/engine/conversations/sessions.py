"""Begins and ends sessions, and tells which events do so before anything else (flow-language.md section 5,
rules 1, 7 and 9).
"""

from __future__ import annotations

from dialoom.engine.compiled import Commands, Flow
from dialoom.engine.effects import SetTimer
from dialoom.engine.events import Began, Event, Picked, Said
from dialoom.engine.options import chosen
from dialoom.engine.running_turn import RunningTurn
from dialoom.engine.state import Ask, State
from dialoom.engine.values import changes, logins
from dialoom.messages.plain import plain_title
from dialoom.messages.records import Status
from dialoom.template.values import plain_text
from dialoom.understanding import normalise

TIMER = "session"


def take_context(turn: RunningTurn) -> None:
    """Put the event's context into memory, before anything else reads it."""
    if turn.event.context:
        changes.tell(turn, turn.event.context)
    turn.name_goal()


def end_if_over(turn: RunningTurn) -> None:
    """End a session that has timed out, and forget a login that nobody has used for long; every event does so first."""
    login = turn.flow.login
    if login is not None and 0 < turn.login_over_at <= turn.event.now:
        changes.lose(turn, login.entity, None, is_told=True)
        turn.login_over_at = 0
    if 0 < turn.over_at <= turn.event.now:
        end(turn, keep=lasting(turn))


def lasting(turn: RunningTurn) -> frozenset[str]:
    """Return the entities that outlive a session: those that the flow names, and the login, until it expires or the
    user logs out (login.md, The flow, 4)."""
    login = turn.flow.login
    if login is None or not (login.is_refreshed or logins.is_valid(turn.memory.get(login.entity), turn.event.now)):
        return turn.flow.persistent
    return turn.flow.persistent | {login.entity}


def end(turn: RunningTurn, *, keep: frozenset[str]) -> None:
    """End the session, and with it the record that is open."""
    turn.end_record(turn.end_of_record(ended_status(turn)), turn.first)
    leave(turn)
    turn.memory.keep_only(keep)
    turn.memory.context = {name: value for name, value in turn.memory.context.items() if name in keep}
    turn.over_at = turn.silent_until = 0
    turn.is_welcomed = False


def leave(turn: RunningTurn) -> None:
    """Close all open conversations and the open question."""
    turn.stack.clear()
    turn.ask = turn.own = turn.before = turn.named = turn.suggestion_pages = None
    turn.is_login_awaited = turn.is_login_unsaid = False
    turn.next_wishes = ()
    turn.misses = 0


def ended_status(turn: RunningTurn) -> Status:
    """Return how a record ends whose goal was not completed: closed if there never was one."""
    return "abandoned" if turn.has_had_goal or turn.goal is not None else "closed"


def stay(turn: RunningTurn) -> None:
    """Extend the session, since the user was active."""
    turn.has_stayed = True
    turn.over_at = max(turn.event.now, 1) + turn.flow.session_ms
    silence = logins.forgotten_after(turn.flow, turn.event.profile)
    turn.login_over_at = 0 if silence is None else max(turn.event.now, 1) + silence


def is_silent(turn: RunningTurn) -> bool:
    """Return whether a person has the chat now, or the bot was told to say nothing."""
    return turn.silent_until > turn.event.now


def set_timer(turn: RunningTurn) -> None:
    turn.effects.append(SetTimer(TIMER, turn.flow.session_ms / 1000))


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
