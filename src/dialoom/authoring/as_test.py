"""Writes a talk down as a conversation test: what the user did, what the bot said to it, mocks of the outside calls."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from dialoom.authoring.play import messages_of
from dialoom.engine.events import NoResponse, Response

if TYPE_CHECKING:
    from dialoom.engine import Turn
    from dialoom.engine.effects import Request

_NOISE = frozenset(
    {"connection", "content-length", "content-type", "date", "keep-alive", "server", "transfer-encoding", "vary"}
)
"""Headers that say nothing to a flow, or that a mock has by itself."""
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class SeenTurn(NamedTuple):
    """Holds a turn as a test writes it. ``bot``: the messages, in the form of the rest channel."""

    user: dict[str, Any]
    bot: Sequence[Any]


def as_test(
    title: str,
    channel: str,
    began: int,
    turns: Iterable[SeenTurn],
    calls: Iterable[tuple[Request, Response | NoResponse]],
    lists: Mapping[str, Sequence[Any]] = _NOTHING,
    context: Mapping[str, Any] = _NOTHING,
) -> dict[str, Any]:
    """Return a test file of one scenario that plays the turns. ``began``: milliseconds since 1970. ``lists``: of the
    dynamic data. ``context``: what each turn brings."""
    mocks: dict[str, dict[str, Any]] = {}
    for request, response in calls:
        if isinstance(response, Response):
            mocks.setdefault(request.url, {})[request.method] = _mock(response)
    moment = datetime.fromtimestamp(began // 1000, UTC).isoformat().replace("+00:00", "Z")
    steps = [{"user": turn.user, "bot": [list(turn.bot)]} for turn in turns]
    scenario = {"it": title, "channel": channel, "now": moment, "steps": steps}
    outside = {
        "mocks": mocks,
        "context": dict(context),
        "dynamic-data": {type: list(elements) for type, elements in lists.items()},
    }
    return {"name": title, **{key: value for key, value in outside.items() if value}, "scenarios": [scenario]}


def call_obstacles(calls: Iterable[tuple[Request, Response | NoResponse]]) -> list[str]:
    """Return a sentence for each outside call that mocks cannot hold."""
    found: dict[str, None] = {}
    answers: dict[str, Any] = {}
    for request, response in calls:
        call = f"{request.method} {request.url}"
        if isinstance(response, NoResponse):
            found[f"{call} got no answer, and a test has no mock for that."] = None
        elif answers.setdefault(call, _mock(response)) != _mock(response):
            found[f"{call} was answered in different ways, and a test has one mock for it: the last."] = None
    return list(found)


def without_token(done: dict[str, Any]) -> dict[str, Any]:
    """Return what the user did without the token of a login: no mock reads it, and the file is for others to read."""
    login = done.get("login")
    return {**done, "login": {**login, "access_token": "token"}} if isinstance(login, dict) else done


def expected(turn: Turn) -> list[dict[str, Any]]:
    """Return what the bot said as a test expects it: without what other parts of the message say as well."""
    return [
        {key: value for key, value in message.items() if key not in {"richQuickReplies", "template"}}
        for message in messages_of(turn)
    ]


def _mock(response: Response) -> Any:
    """Return the mock of an answer: its body alone where that is all, else with its status (and type, where it is no
    JSON)."""
    text = response.body.decode("utf-8", "replace")
    try:
        body: Any = json.loads(text) if text else None
    except ValueError:
        body = text
    headers = {name: values for name, values in response.headers.items() if name not in _NOISE}
    if response.status == 200 and not headers and body is not None and not isinstance(body, str):
        return body
    return {"$status": response.status, **({"$headers": headers} if headers else {}), "$body": body}
