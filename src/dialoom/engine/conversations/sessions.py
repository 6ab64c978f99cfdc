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


def take_context(p: RunningTurn) -> None:
    """Put the event's context into memory, before anything else reads it."""
    if p.event.context:
        changes.tell(p, p.event.context)
    p.name_goal()


def end_if_over(p: RunningTurn) -> None:
    """End a session that has timed out, and forget a login that nobody has used for long; every event does so first."""
    login = p.flow.login
    if login is not None and 0 < p.login_over_at <= p.event.now:
        changes.lose(p, login.entity, None, is_told=True)
        p.login_over_at = 0
    if 0 < p.over_at <= p.event.now:
        end(p, keep=lasting(p))


def lasting(p: RunningTurn) -> frozenset[str]:
    """Return the entities that outlive a session: those that the flow names, and the login, until it expires or the
    user logs out (login.md, The flow, 4)."""
    login = p.flow.login
    if login is None or not (login.is_refreshed or logins.is_valid(p.memory.get(login.entity), p.event.now)):
        return p.flow.persistent
    return p.flow.persistent | {login.entity}


def end(p: RunningTurn, *, keep: frozenset[str]) -> None:
    """End the session, and with it the record that is open."""
    p.end_record(p.end_of_record(ended_status(p)), p.first)
    leave(p)
    p.memory.keep_only(keep)
    p.memory.context = {name: value for name, value in p.memory.context.items() if name in keep}
    p.over_at = p.silent_until = 0
    p.is_welcomed = False


def leave(p: RunningTurn) -> None:
    """Close all open conversations and the open question."""
    p.stack.clear()
    p.ask = p.own = p.before = p.named = p.suggestion_pages = None
    p.is_login_awaited = p.is_login_unsaid = False
    p.next_wishes = ()
    p.misses = 0


def ended_status(p: RunningTurn) -> Status:
    """Return how a record ends whose goal was not completed: closed if there never was one."""
    return "abandoned" if p.has_had_goal or p.goal is not None else "closed"


def stay(p: RunningTurn) -> None:
    """Extend the session, since the user was active."""
    p.has_stayed = True
    p.over_at = max(p.event.now, 1) + p.flow.session_ms
    silence = logins.forgotten_after(p.flow, p.event.profile)
    p.login_over_at = 0 if silence is None else max(p.event.now, 1) + silence


def is_silent(p: RunningTurn) -> bool:
    """Return whether a person has the chat now, or the bot was told to say nothing."""
    return p.silent_until > p.event.now


def set_timer(p: RunningTurn) -> None:
    p.effects.append(SetTimer(TIMER, p.flow.session_ms / 1000))


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
