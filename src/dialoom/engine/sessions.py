"""Where a session begins and ends, and what its end forgets (flow-language.md section 5, rules 1, 7 and 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.engine import value_changes
from dialoom.engine.effects import SetTimer

if TYPE_CHECKING:
    from dialoom.engine.running_turn import RunningTurn
    from dialoom.messages.records import Status

TIMER = "session"


def take_context(p: RunningTurn) -> None:
    """The context that came along, before anything else looks at memory."""
    if p.event.context:
        value_changes.tell(p, p.event.context)
    p.name_goal()


def end_if_over(p: RunningTurn) -> None:
    """What every event does first: end a session that has timed out unnoticed."""
    if 0 < p.over_at <= p.event.now:
        end(p, keep=p.flow.persistent)


def end(p: RunningTurn, *, keep: frozenset[str]) -> None:
    """End the session, and with it the record that is open."""
    p.end_record(p.end_of_record(ended_status(p)), p.first)
    leave(p)
    p.memory.keep_only(keep)
    p.memory.context = {name: value for name, value in p.memory.context.items() if name in keep}
    p.over_at = p.silent_until = 0
    p.is_welcomed = False


def leave(p: RunningTurn) -> None:
    """Drop all that is open."""
    p.stack.clear()
    p.ask = p.before = p.named = None
    p.is_login_awaited = p.is_login_unsaid = False


def ended_status(p: RunningTurn) -> Status:
    """How a record ends whose goal was not completed: closed if there never was one."""
    return "abandoned" if p.has_had_goal or p.goal is not None else "closed"


def stay(p: RunningTurn) -> None:
    """The user was active: the session goes on from now."""
    p.has_stayed = True
    p.over_at = max(p.event.now, 1) + p.flow.session_ms


def is_silent(p: RunningTurn) -> bool:
    """Whether a person has the chat now, or the bot was told to say nothing."""
    return p.silent_until > p.event.now


def set_timer(p: RunningTurn) -> None:
    p.effects.append(SetTimer(TIMER, p.flow.session_ms / 1000))
