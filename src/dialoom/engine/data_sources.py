"""Data sources: from the flow's words to a request, from an answer to the value that is stored (section 7).

Calling is left to whoever runs the turn: a call whose answer is not known yet ends the run with ``WaitingForCall``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from dialoom.engine.compiled import Source
from dialoom.engine.effects import Fetch, Request, WaitingForCall
from dialoom.engine.events import Response
from dialoom.engine.memory import MAX_DEPTH, is_deeper, stored
from dialoom.engine.running_turn import Calls, FlowBroken
from dialoom.errors import TemplateError
from dialoom.template import Scope, Template
from dialoom.template.values import plain_text

RETRIED_METHODS = frozenset({"GET", "HEAD", "PUT", "DELETE"})
RETRIES = 2

# Every escape of JSON, so that an escaped backslash before a "u" is passed by. ``unfit``: what no store takes, a NUL or
# half a pair; a whole pair is matched before.
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<unfit>u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2}))|.)",
    re.DOTALL,
)

_CHARSET = re.compile(r'charset\s*=\s*"?([\w.:-]+)', re.ASCII)


class Got(msgspec.Struct, frozen=True):
    """What a data source gave: ``value`` is stored and is ``_response``, ``picked`` is where options are looked for."""

    value: Any
    picked: Any


def call(calls: Calls, source: Source, step: str) -> Got:
    """Raises ``WaitingForCall`` until the answer is there, ``FlowBroken`` when there is none to work with."""
    try:
        if source.endpoint is None:
            scope = calls.memory.scope()
            found = scope.memory.get(source.entity or "")
            picked = found if source.selector is None else source.selector.apply(found, scope)
            return Got(picked, picked)
        response = answer(calls, lambda key: rendered(source, calls.memory.scope(), key), step, "data source")
        return read(source, response, calls.memory.scope(), step)
    except TemplateError as error:
        is_value_free = source.selector is None or source.selector.is_constant
        reason = (
            str(error) if is_value_free else "The data source's texts or its selector cannot be used with this memory."
        )
        raise FlowBroken(step, reason) from error


def answer(calls: Calls, make: Callable[[str], Request], step: str, who: str) -> Response:
    """Return the answer to a call; raises ``WaitingForCall`` until there is one. ``make`` returns the request, given
    the key that it is known by when it is repeated."""
    number = calls.counts.get(step, 0)
    calls.counts[step] = number + 1
    event, failures = calls.event.id, calls.failures
    key = f"{event}:{step}:{number}"
    fetched = calls.results.get(key)
    if fetched is None:
        first = failures.event if failures is not None and failures.step == step else event
        raise WaitingForCall(Fetch(key, make(f"{calls.flow.bot.id}:{first}:{step}:{number}"), step))
    if calls.trace is not None:
        calls.trace.call(step, make(""), fetched)
    if fetched.response is None:
        detail = "no answer" if fetched.failure is None else fetched.failure.detail
        raise FlowBroken(step, f"The {who} gave no answer: {detail}")
    return fetched.response


# ---- the request -------------------------------------------------------------------------------------------------


def rendered(source: Source, scope: Scope, key: str) -> Request:
    """Render a request. Raises ``TemplateError``. ``key``: what a POST or PATCH is known by when it is repeated."""
    assert source.endpoint is not None
    url, is_literal = source.endpoint.render(scope)
    headers = [(name, header.text(scope)) for name, header in source.headers]
    body, content_type = _body(source, scope)
    if content_type and not source.content_type:
        headers.append(("Content-Type", content_type))
    may_repeat = source.method in RETRIED_METHODS
    own_key = None
    if not may_repeat and not source.has_own_key:
        own_key = safe_key(key)
    return Request(
        method=source.method,
        url=url,
        headers=tuple(headers),
        secret_headers=source.secret_headers,
        body=body,
        timeout=source.timeout,
        trusted_host=is_literal,
        credential=source.credential,
        idempotency_key=own_key,
        retries=RETRIES if may_repeat or source.has_own_key else 0,
        retries_statuses=not source.is_full,
    )


def safe_key(key: str) -> str:
    """Return the key with all characters escaped that a header cannot hold."""
    return quote(key, safe=":/-._~")


def _body(source: Source, scope: Scope) -> tuple[bytes | None, str]:
    """Return the payload as bytes, and the type that goes with it when the flow names none."""
    payload = source.payload
    if payload is None:
        return None, ""
    if isinstance(payload, Template):
        return payload.plain(scope).encode("utf-8", "replace"), "text/plain; charset=utf-8"
    value = stored(payload.render(scope))
    if source.content_type.startswith("application/x-www-form-urlencoded") and isinstance(value, dict):
        return urlencode(_fields(value)).encode("ascii"), source.content_type
    return msgspec.json.encode(value), "application/json"


def _fields(value: dict[str, Any]) -> list[tuple[str, bytes]]:
    """Return the form fields of an object: one for each element of a list, none for null."""
    return [
        (name, plain_text(element).encode("utf-8", "replace"))
        for name, item in value.items()
        for element in (item if isinstance(item, list) else [item])
        if element is not None
    ]


# ---- the answer --------------------------------------------------------------------------------------------------


def read(source: Source, response: Response, scope: Scope, step: str) -> Got:
    """Read an answer. Raises ``TemplateError``, and ``FlowBroken`` for an answer that is a failure or cannot be
    used."""
    if not source.is_full:
        refuse_failure(response, step, "data source")
    body, is_json = document(response, step)
    picked = body
    if source.selector is not None and is_json:
        picked = stored(source.selector.apply(body, scope))
    if not source.is_full:
        return Got(picked, picked)
    whole = {
        "status": response.status,
        "statusText": response.reason,
        "headers": response.headers,
        "body": body,
    }
    return Got(whole, picked)


def refuse_failure(response: Response, step: str, who: str) -> None:
    if not 200 <= response.status <= 299:
        raise FlowBroken(step, f"The {who} answered with the status {response.status}.")


def document(response: Response, step: str) -> tuple[Any, bool]:
    """Return the body as a value, and whether it was JSON. Broken JSON stays text; 204 is null."""
    if response.status == 204:
        return None, False
    content_type = ", ".join(response.headers.get("content-type", ())).lower()
    text = _text(response.body, content_type)
    media_type = content_type.partition(";")[0].strip()
    start = text.lstrip()[:1]
    if not (media_type == "application/json" or media_type.endswith("+json") or start in ("{", "[")):
        return text, False
    if "\\u" in text:
        text = _ESCAPE.sub(_fit, text)
    try:
        decoded = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return text, False
    if text.count("[") + text.count("{") > MAX_DEPTH and is_deeper(decoded, MAX_DEPTH):
        raise FlowBroken(step, f"The data source's answer is nested deeper than {MAX_DEPTH} levels.")
    return decoded, True


def _fit(escape: re.Match[str]) -> str:
    return "\\ufffd" if escape["unfit"] else escape[0]


def _text(body: bytes, content_type: str) -> str:
    """Decode the body; NUL and broken characters, which no store takes, are replaced."""
    charset = _CHARSET.search(content_type)
    name = charset[1] if charset else "utf-8"
    if name not in ("utf-8", "utf8"):
        try:
            return _whole(body.decode(name, "replace"))
        except (LookupError, ValueError):  # no such charset, or none for text
            pass
    return _whole(body.decode("utf-8-sig", "replace"))


def _whole(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd")
