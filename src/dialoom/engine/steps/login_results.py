"""Handles a login that comes, fails or is typed in as a code; by then any conversation may run (login.md).

Whether a step needs a login is decided in ``steps.protected``; links, codes and tokens are checked by the service.
"""

from __future__ import annotations

from dialoom.engine.compiled import Login
from dialoom.engine.conversations import sessions
from dialoom.engine.effects import Failed, Heard, LogIn
from dialoom.engine.events import CodeRefused, LoggedIn, LoginFailed
from dialoom.engine.memory import Memory
from dialoom.engine.running_turn import Output, RunningTurn, Stack
from dialoom.engine.steps import protected, walk
from dialoom.engine.values import changes
from dialoom.flow.channels import CHANNEL_ROWS
from dialoom.messages import BotMessage

_HIDDEN = "***"
"""How a typed code reads in the transcript, as all that is masked there does."""


def log_in(turn: RunningTurn, event: LoggedIn) -> None:
    """Store the login in memory, and go on with what runs if it waits for that."""
    settings = turn.flow.login
    if settings is None and not event.is_typed:
        return  # the version that asked for it is gone, and with it whatever needs it
    _come(turn, is_message=event.is_typed)
    if settings is not None:
        _take(turn.memory, turn.stack, settings, event)
        turn.record.effects.append(LogIn())
    if turn.session.is_silent or event.is_renewed:
        return
    if settings is not None and not event.is_typed and not _may_speak(event, settings):
        turn.login.is_unsaid = True
        return
    _acknowledge(turn.stack, turn.output)
    if turn.stack and turn.stack.ask is None and (turn.login.is_awaited or event.is_typed):
        walk.proceed(turn)


def _come(turn: RunningTurn, *, is_message: bool) -> None:
    """Extend the session and take the event's context, since the user acted, if only in the browser. The session does
    not count as welcomed by it: the first message still gets ``welcome``."""
    if is_message:
        turn.record.heard = Heard({}, None, _HIDDEN)
        turn.record.is_open = True
    sessions.stay(turn)
    sessions.take_context(turn.memory, turn.stack, turn.event)


def _take(memory: Memory, stack: Stack, settings: Login, event: LoggedIn) -> None:
    step = _step(stack)
    protected.refuse_deep(event.value, step)
    before = memory.get(settings.entity)
    old, new = before.get("sub") if isinstance(before, dict) else None, event.value.get("sub")
    if old is not None and new is not None and old != new:
        # Somebody else logs in here: what was fetched for the one before is not theirs to see.
        changes.lose(memory, stack, settings.entity, None, is_told=True)
    changes.store(memory, stack, settings.entity, event.value, None, None, step)


def _may_speak(event: LoggedIn, settings: Login) -> bool:
    """Return whether the channel lets the bot speak after a login without being spoken to (service-description.md
    section 3, Channel rules after login)."""
    row = CHANNEL_ROWS.get(event.profile.provider)
    return row is None or row.speaks_after_login or settings.has_workchat


def _acknowledge(stack: Stack, output: Output) -> None:
    if stack.flow.login is not None:
        output.say(stack.flow.login.acknowledgements, _step(stack))


def _step(stack: Stack) -> str:
    return "" if stack.running is None else stack.running.script.key


def catch_up(turn: RunningTurn) -> None:
    """Acknowledge a login that could not be told at once, when the next message comes (channels.md 5).

    Where a protected step waits for the login the message is not understood, unless it names a goal: it was sent to
    wake the bot up.
    """
    if turn.login.is_unsaid and not turn.session.is_silent:
        turn.login.is_unsaid = False
        turn.login.is_passed_over = turn.login.is_awaited and turn.stack.ask is None
        _acknowledge(turn.stack, turn.output)


def refuse_code(turn: RunningTurn, event: CodeRefused) -> None:
    """Tell the user that the code was wrong or is void. The message is never understood as anything else."""
    _come(turn, is_message=True)
    if turn.session.is_silent:
        return
    system = turn.flow.system
    if event.left > 0:
        turn.output.send(BotMessage(system.login_code_wrong.replace("{left}", str(event.left))), _step(turn.stack))
        return
    turn.output.send(BotMessage(system.login_code_void), _step(turn.stack))
    if turn.stack:
        walk.proceed(turn)


def fail(turn: RunningTurn, event: LoginFailed) -> None:
    """Record a failed login and say nothing: the browser has told the user, and the next message that needs a login
    brings a new link."""
    sessions.take_context(turn.memory, turn.stack, turn.event)
    if event.reason:
        sessions.stay(turn)
        turn.record.add(Failed("", event.reason))
