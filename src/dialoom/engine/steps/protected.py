"""Decides whether a protected step may act, asks for a login where not, and logs out (login.md, The flow, 1 and 2).

What a login that comes causes is in ``login_results``. Logging in itself, the link's address, renewing a token
and giving it back are left to the service.
"""

from __future__ import annotations

import base64
import re
from datetime import UTC, datetime
from typing import Any

import msgspec

from dialoom.engine.compiled import Flow, Node
from dialoom.engine.effects import LogOut, Refresh
from dialoom.engine.memory import MAX_DEPTH, is_deeper
from dialoom.engine.running_turn import FlowBroken, RunningTurn, WaitingForCall
from dialoom.engine.state import State
from dialoom.engine.values import changes
from dialoom.errors import TemplateError
from dialoom.messages import BotMessage, Dialog
from dialoom.strict_json import is_number
from dialoom.template.values import is_true, read_number

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECONDS_FROM = 100_000_000_000
"""From here on a number of ``expires_at`` counts milliseconds: in seconds it would be the year 5138."""
_MAX_TOKEN_CHARS = 65_536
_PART = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)


def is_needed(p: RunningTurn, node: Node) -> bool:
    """Return whether the user must log in before this step acts. Where the flow wants that, an expired login is renewed
    first: once a turn, or one that expires at once would be renewed for ever."""
    if not node.is_protected:
        return False
    login = p.flow.login
    if login is None:
        raise FlowBroken(node.path, 'The step is protected, and the settings have no "authentication".')
    value = p.memory.get(login.entity)
    if is_valid(value, p.event.now):
        return False
    if not login.is_refreshed or p.has_refreshed or not _is_there(value):
        return True
    renewed = _renewed(p, node)
    if renewed is None:
        return True
    changes.renew(p, login.entity, renewed, node.path)
    return not is_valid(renewed, p.event.now)


def _renewed(p: RunningTurn, node: Node) -> dict[str, Any] | None:
    """Return the renewed login; None where it cannot be renewed. Raises ``WaitingForCall`` until that is known."""
    p.has_refreshed = True
    key = f"{p.event.id}:login"
    fetched = p.results.get(key)
    if fetched is None:
        raise WaitingForCall(Refresh(key, node.path))
    if p.trace is not None:
        p.trace.call(node.path, None, fetched)
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


def prompt(p: RunningTurn, node: Node) -> None:
    """Send the texts that ask for the login; the last one carries the card, whose address the service puts in."""
    login = p.flow.login
    assert login is not None
    p.act(node.path)
    texts = p.render(login.texts, node.path)
    try:
        scope = p.memory.scope()
        title = login.title.text(scope)
        image = None if login.image is None else login.image.text(scope)
    except TemplateError as error:
        raise FlowBroken(node.path, str(error)) from error
    for text in texts[:-1]:
        p.send(BotMessage(text), node.path)
    p.send(
        BotMessage(texts[-1] if texts else "", dialog=Dialog("login", title, image=image or None)),
        node.path,
    )


def log_out(p: RunningTurn, node: Node | None) -> None:
    """Forget the login, and have the service revoke its tokens. ``node``: the step that does it; None without one.

    Later than that step alone counts as not run: what made the login needed is not undone by its end.
    """
    if p.flow.login is not None:
        changes.lose(p, p.flow.login.entity, node)
    p.is_login_unsaid = False
    p.effects.append(LogOut())


# ---- tokens ------------------------------------------------------------------------------------------------------


def is_logged_in(flow: Flow, state: State, now: int) -> bool:
    """Return whether a protected step would act at once if a message came now: a session that is over ends first, even
    if its timer has not run yet. A login that would have to be renewed for that does not count."""
    login = flow.login
    if login is None or (0 < state.over_at <= now and login.entity not in flow.persistent):
        return False
    return is_valid(held(state, login.entity), now)


def held(state: State, entity: str) -> Any:
    """Return what the authentication entity holds, as an entity or as context."""
    value = state.entities.get(entity)
    return state.context.get(entity) if value is None else value


def is_valid(value: Any, now: int) -> bool:
    """Return whether the authentication entity holds a login that has not expired. ``now`` in milliseconds.

    A token that cannot be read counts as valid, as does one that says nothing about its end: whether it is any good is
    for the endpoint to tell that gets it. Nothing that a token holds may raise here.
    """
    if not _is_there(value):
        return False
    if not isinstance(value, dict):
        return not _is_over(_end_of_jwt(value), now)
    return not (
        _is_over(_end_of_jwt(value.get("access_token")), now) or _is_over(_moment(value.get("expires_at")), now)
    )


def _is_there(value: Any) -> bool:
    """Return whether there is a login, expired or not."""
    if not isinstance(value, dict):
        return is_true(value)
    return bool(value) and is_true(value) and ("access_token" not in value or is_true(value["access_token"]))


def _is_over(end: float | None, now: int) -> bool:
    """Return whether a token has expired: the current time must be before ``exp`` (RFC 7519 section 4.1.4). ``end`` in
    seconds."""
    return end is not None and now >= end * 1000


def _end_of_jwt(token: Any) -> float | None:
    """Return ``exp`` of a signed JSON Web Token (RFC 7519), its signature unchecked; None for all else."""
    if not isinstance(token, str) or len(token) > _MAX_TOKEN_CHARS:
        return None
    parts = token.strip().split(".")
    if len(parts) != 3:
        return None
    header, claims = map(_object, parts[:2])
    end = None if header is None or claims is None else claims.get("exp")
    return end if is_number(end) else None


def _object(part: str) -> dict[str, Any] | None:
    """Return a JSON object from base64url without padding; None for all else."""
    if not _PART.fullmatch(part):
        return None
    try:
        document = msgspec.json.decode(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, msgspec.DecodeError, RecursionError):  # ValueError: no base64, no UTF-8
        return None
    return document if isinstance(document, dict) else None


def _moment(value: Any) -> float | None:
    """Return ``expires_at`` in seconds: a number, a text that spells one, or an ISO 8601 time (UTC where it names no
    zone); None for all else."""
    number = read_number(value)
    if number is not None:
        return number if abs(number) < _MILLISECONDS_FROM else number / 1000
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value.strip())
        return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - _EPOCH).total_seconds()
    except (ValueError, OverflowError):
        return None
