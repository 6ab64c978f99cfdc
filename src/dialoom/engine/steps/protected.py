"""Decides whether a protected step may act, asks for a login where not, and logs out (login.md, The flow, 1 and 2).

What a login that comes causes is in ``login_results``, what a token says in ``values.logins``. Logging in itself, the
link's address, renewing a token and giving it back are left to the service.
"""

from __future__ import annotations

from typing import Any

import msgspec

from dialoom.engine.compiled import Node
from dialoom.engine.effects import LogOut, Refresh, WaitingForCall
from dialoom.engine.memory import MAX_DEPTH, is_deeper
from dialoom.engine.running_turn import Calls, FlowBroken, RunningTurn
from dialoom.engine.values import changes
from dialoom.engine.values.logins import is_there, is_valid
from dialoom.errors import TemplateError
from dialoom.messages import BotMessage, Dialog


def is_needed(turn: RunningTurn, node: Node) -> bool:
    """Return whether the user must log in before this step acts. Where the flow wants that, an expired login is renewed
    first: once a turn, or one that expires at once would be renewed for ever."""
    if not node.is_protected:
        return False
    login = turn.flow.login
    if login is None:
        raise FlowBroken(node.path, 'The step is protected, and the settings have no "authentication".')
    value = turn.memory.get(login.entity)
    if is_valid(value, turn.event.now):
        return False
    if not login.is_refreshed or turn.login.has_refreshed or not is_there(value):
        return True
    turn.login.has_refreshed = True
    renewed = _renewed(turn.calls, node)
    if renewed is None:
        return True
    changes.renew(turn.memory, turn.stack, login.entity, renewed, node.path)
    return not is_valid(renewed, turn.event.now)


def _renewed(calls: Calls, node: Node) -> dict[str, Any] | None:
    """Return the renewed login; None where it cannot be renewed. Raises ``WaitingForCall`` until that is known."""
    key = f"{calls.event.id}:login"
    fetched = calls.results.get(key)
    if fetched is None:
        raise WaitingForCall(Refresh(key, node.path))
    if calls.trace is not None:
        calls.trace.call(node.path, None, fetched)
    if fetched.response is None:
        return None
    try:
        value = msgspec.json.decode(fetched.response.body)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None
    if not isinstance(value, dict):
        return None
    refuse_deep(value, node.path)
    return value


def refuse_deep(value: dict[str, Any], step: str) -> None:
    """Raise ``FlowBroken`` for a login that is nested too deep for memory."""
    if is_deeper(value, MAX_DEPTH):
        raise FlowBroken(step, f"What the login gave is nested deeper than {MAX_DEPTH} levels.")


def prompt(turn: RunningTurn, node: Node) -> None:
    """Send the texts that ask for the login; the last one carries the card, whose address the service puts in."""
    login = turn.flow.login
    assert login is not None
    turn.limits.act(node.path)
    texts = turn.output.render(login.texts, node.path)
    try:
        scope = turn.memory.scope()
        title = login.title.text(scope)
        image = None if login.image is None else login.image.text(scope)
    except TemplateError as error:
        raise FlowBroken(node.path, str(error)) from error
    for text in texts[:-1]:
        turn.output.send(BotMessage(text), node.path)
    turn.output.send(
        BotMessage(texts[-1] if texts else "", dialog=Dialog("login", title, image=image or None)),
        node.path,
    )


def log_out(turn: RunningTurn, node: Node | None) -> None:
    """Forget the login, and have the service revoke its tokens. ``node``: the step that does it; None without one.

    Later than that step alone counts as not run: what made the login needed is not undone by its end.
    """
    if turn.flow.login is not None:
        changes.lose(turn.memory, turn.stack, turn.flow.login.entity, node)
    turn.login.is_unsaid = False
    turn.record.effects.append(LogOut())
