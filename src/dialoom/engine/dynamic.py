"""Values of keywords types that an endpoint gives (understanding.md, ``dynamic-data``): what to call, what an answer
means, and the flow with the new values. When to call, and keeping the last good list, are left to
``service.bots.dynamic_data``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from dialoom.engine import data_sources
from dialoom.engine.compiled import Dynamic, Flow
from dialoom.engine.effects import Request
from dialoom.engine.events import Response
from dialoom.engine.memory import stored
from dialoom.engine.running_turn import FlowBroken
from dialoom.errors import RemoteError, TemplateError
from dialoom.flow.model import KeywordsType, KeywordValue
from dialoom.template import Scope
from dialoom.understanding.normalise import fold

MAX_ELEMENTS: Final = 100_000
"""Of one list. So many are indexed in 1.7 s and 130 MB; 10,000 in 0.2 s and 24 MB."""
MAX_NAME_CHARS: Final = 200
"""Characters of a value or synonym: nobody says more, and a whole text in its place is a mistake in a template."""


class Gathered(msgspec.Struct, frozen=True):
    """A type with the values of a list, and how many elements gave none."""

    definition: KeywordsType
    taken: int
    """Elements that became a value, or part of one."""
    blank: int = 0
    """Elements whose value is empty, too long, or whose template cannot be rendered."""
    doubled: int = 0
    """Elements whose value another one before them has, or ``data``; their synonyms count all the same."""


def dynamic_types(flow: Flow) -> tuple[str, ...]:
    return tuple(flow.dynamic)


def request(flow: Flow, type: str) -> Request:
    """Return the request for the list of a type. Raises ``RemoteError`` for a source that calls nothing or cannot be
    read."""
    source = flow.dynamic[type].source
    if source.endpoint is None:
        raise RemoteError("request", f'The dynamic-data of "{type}" has no endpoint; there is no memory to read')
    try:
        return data_sources.rendered(source, _scope(flow), f"{flow.bot.id}:{type}")
    except TemplateError as error:
        raise RemoteError("request", f'The dynamic-data of "{type}" cannot be called: {error}') from error


def elements(flow: Flow, type: str, response: Response) -> list[Any]:
    """Return the list that an answer holds. Raises ``RemoteError`` for one that is no list of usable size."""
    if not 200 <= response.status <= 299:
        raise RemoteError("status", f"the endpoint answered with the status {response.status}")
    try:
        picked = data_sources.read(flow.dynamic[type].source, response, _scope(flow), f"training/{type}").picked
    except (FlowBroken, TemplateError) as error:
        raise RemoteError("list", str(error).rstrip(".")) from error
    if not isinstance(picked, list):
        raise RemoteError("list", "the answer holds no list. Pick the list inside of it with a selector")
    if len(picked) > MAX_ELEMENTS:
        raise RemoteError("list", f"the list has {len(picked)} elements, at most {MAX_ELEMENTS} are taken. Narrow it")
    return picked


def gathered(flow: Flow, type: str, elements: Iterable[Any]) -> Gathered:
    """Return the values of ``data`` as they are written, then those of the list. Of two that are spelled alike the
    first keeps its spelling and metadata; the synonyms of both count."""
    definition = next(one for one in flow.bot.training.entity_definitions if one.name == type)
    assert isinstance(definition, KeywordsType)
    values = list(definition.data)
    positions: dict[str, int] = {}
    for position, written in enumerate(values):
        positions.setdefault(_key(written.value), position)
    taken = blank = doubled = 0
    dynamic, scope = flow.dynamic[type], _scope(flow)
    for element in elements:
        value = _value(dynamic, scope, element)
        if value is None:
            blank += 1
            continue
        taken += 1
        at = positions.setdefault(_key(value.value), len(values))
        if at == len(values):
            values.append(value)
        else:
            doubled += 1
            values[at] = _merged(values[at], value)
    return Gathered(msgspec.structs.replace(definition, data=tuple(values)), taken, blank, doubled)


def _merged(first: KeywordValue, other: KeywordValue) -> KeywordValue:
    synonyms = dict.fromkeys((*first.synonyms, *other.synonyms))
    metadata = {**(other.metadata or {}), **(first.metadata or {})}
    return msgspec.structs.replace(first, synonyms=tuple(synonyms), metadata=metadata or None)


def filled(flow: Flow, elements: Mapping[str, Sequence[Any]]) -> Flow:
    """Return the flow with these values; a type that is not named, or is not dynamic any more, stays as it is. The
    classifier is shared between both flows: nothing is trained again."""
    types = [type for type in elements if type in flow.dynamic]
    if not types:
        return flow
    definitions = [gathered(flow, type, elements[type]).definition for type in types]
    return msgspec.structs.replace(flow, recogniser=flow.recogniser.with_values(definitions))


def _value(dynamic: Dynamic, scope: Scope, element: Any) -> KeywordValue | None:
    """Make a value of an element, which becomes its metadata; None when it gives no name."""
    within = Scope(scope.memory, element, scope.locale, scope.timezone)
    try:
        name = dynamic.value.plain(within).strip()
        synonyms = [template.plain(within).strip() for template in dynamic.synonyms]
    except TemplateError:
        return None
    if not name or len(name) > MAX_NAME_CHARS:
        return None
    fitting = dict.fromkeys(one for one in synonyms if one and len(one) <= MAX_NAME_CHARS and one != name)
    metadata = stored(element) if isinstance(element, dict) else None
    return KeywordValue(value=name, synonyms=tuple(fitting), metadata=metadata)


def _key(value: str) -> str:
    return fold(value.strip())


def _scope(flow: Flow) -> Scope:
    """Return a scope with an empty memory: a list is the same for every user."""
    return Scope({}, locale=flow.language, timezone=flow.timezone)
