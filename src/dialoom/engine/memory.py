"""Memory in one turn: entities over context, and the view of it that templates read.

What a changed value sets off is left to ``values.changes``; copies are shallow and made at the first write.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from math import isfinite
from typing import Any

import msgspec

from dialoom.engine.compiled import CompiledConversation, Flow
from dialoom.engine.state import State
from dialoom.engine.trace import TraceWriter
from dialoom.errors import TemplateError
from dialoom.messages import Profile
from dialoom.template import Scope
from dialoom.template.values import CustomValue, DateText, DatetimeText, DisplayedValue, TimeText

MAX_BYTES = 4 * 1024 * 1024
"""Of a user's memory as JSON (flow-language.md section 5)."""
MAX_DEPTH = 100
"""Of lists and objects in each other: what reads and stores them is bounded too."""

_TEXT_KINDS: dict[str, type[str]] = {"Date": DateText, "Time": TimeText, "Datetime": DatetimeText}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST = 253_370_764_800_000
"""9999-01-01: a year before the end of the calendar, so that "next year" can still be said."""
_OURS = frozenset({"user", "_system", "conversation", "conversationDisplayName"})
"""Names of the view that do not stand for an entity alone."""


class Memory:
    """``conversation``: the open goal, or what the first message of a session names."""

    __slots__ = (
        "_flow",
        "_now",
        "_profile",
        "_shown",
        "_weight",
        "context",
        "conversation",
        "entities",
        "kinds",
        "past",
        "trace",
        "zone_name",
    )

    def __init__(self, flow: Flow, state: State, profile: Profile, now: int, trace: TraceWriter | None = None) -> None:
        self._flow = flow
        self.trace = trace
        self._profile = profile
        self._now = now
        self.entities = dict(state.entities)
        self.kinds = dict(state.kinds)
        self.context = state.context
        self.past = state.past
        self.conversation: CompiledConversation | None = None
        self._shown: tuple[dict[str, Any], Scope] | None = None
        """What templates see; None where that has changed."""
        self._weight: int | None = None
        own = profile.timezone
        self.zone_name = own if flow.uses_user_timezone and own is not None and own in flow.zones else flow.timezone

    # -- values

    def get(self, name: str) -> Any:
        """Return the stored value; None when there is none."""
        value = self.entities.get(name)
        return self.context.get(name) if value is None else value

    def has(self, name: str) -> bool:
        """Return whether there is a value: false and 0 are values, null is none."""
        return self.get(name) is not None

    def is_null(self, name: str) -> bool:
        """Return whether the entity is there without a value: so an optional question is kept that was left out."""
        return name in self.entities and self.get(name) is None

    def put(self, name: str, value: Any, kind: str | None = None) -> None:
        """Store plain JSON; ``kind`` is the type that it was read as, where that decides how it prints."""
        if self.trace is not None:
            self.trace.change(name, self.get(name), value)
        self.entities[name] = value
        if kind is not None and (kind in _TEXT_KINDS or kind == "Amount" or kind in self._flow.custom_types):
            self.kinds[name] = kind
        else:
            self.kinds.pop(name, None)
        if name in _OURS or name in self._flow.display_names:
            self._shown = None
        elif self._shown is not None:
            try:
                self._show(self._shown[0], name)
            except TemplateError:
                self._shown = None  # told where memory is looked at next: there it is known which step does

    def drop(self, name: str) -> None:
        """Forget a value, also one that the context gave."""
        if self.trace is not None:
            self.trace.change(name, self.get(name), None)
        self.entities.pop(name, None)
        self.kinds.pop(name, None)
        if name in self.context:
            self.context = {key: value for key, value in self.context.items() if key != name}
        self._shown = None

    def forget(self, name: str) -> None:
        """Forget an entity; what the context says under that name shows again."""
        if name in self.entities:
            if self.trace is not None:
                self.trace.change(name, self.get(name), self.context.get(name))
            del self.entities[name]
            self.kinds.pop(name, None)
            self._shown = None

    def keep_only(self, names: frozenset[str]) -> None:
        """Forget all entities but these; the context stays."""
        if self.trace is not None:
            for name in (name for name in self.entities if name not in names):
                self.trace.change(name, self.get(name), self.context.get(name))
        self.entities = {name: value for name, value in self.entities.items() if name in names}
        self.kinds = {name: kind for name, kind in self.kinds.items() if name in names}
        self._shown = None

    def tell(self, context: dict[str, Any]) -> None:
        """Put keys of the context into memory; they replace entities of the same names."""
        if self.trace is not None:
            for name, value in context.items():
                self.trace.change(name, self.get(name), value)
        self.context = {**self.context, **context}
        for name in context:
            self.entities.pop(name, None)
            self.kinds.pop(name, None)
        self._shown = self._weight = None

    def untell(self, context: dict[str, Any]) -> None:
        """Take keys of the context out of memory again."""
        if self.trace is not None:
            for name in context:
                self.trace.change(name, self.get(name), None)
        self.context = {name: value for name, value in self.context.items() if name not in context}
        self._shown = self._weight = None

    # -- how much it is

    def is_too_much(self) -> bool:
        """Return whether all that is kept passes the limit."""
        self._weight = _bytes([self.entities, self.context, self.past])
        return self._weight > MAX_BYTES

    def is_too_much_with(self, name: str, old: Any) -> bool:
        """Return whether all that is kept passes the limit, after ``name`` was put. ``old``: its value before.

        All is weighed once a turn, then only what changes: a turn of many values in a full memory stays linear. What is
        forgotten is not taken off, so that the sum may be too high; then all is weighed again.
        """
        if self._weight is None:
            return self.is_too_much()
        self._weight += _bytes(self.entities[name]) + (_bytes(name) + 2 if old is None else -_bytes(old))
        return self._weight > MAX_BYTES and self.is_too_much()

    # -- what templates see

    def name_conversation(self, conversation: CompiledConversation | None) -> None:
        if conversation is not self.conversation:
            self.conversation = conversation
            self._shown = None

    def scope(self) -> Scope:
        """Return what templates see. Raises ``TemplateError`` where an ``entity-display`` fails."""
        if self._shown is None:
            view = self._make_view()
            for name in self._flow.displays:
                if name not in _OURS:
                    self._show(view, name)
            # Last: a display that fails must fail every time, not leave a view without it behind.
            self._shown = view, Scope(view, locale=self._flow.language, timezone=self.zone_name)
        return self._shown[1]

    def scope_of(self, element: Any) -> Scope:
        """Return a scope with the element of a list as context and the memory as ``@root``."""
        scope = self.scope()
        return Scope(scope.memory, element, scope.locale, scope.timezone)

    @contextmanager
    def holding(self, name: str, value: Any, kind: str | None) -> Iterator[None]:
        """Keep ``value`` in memory under ``name`` inside of the ``with`` block."""
        entities, kinds = self.entities, self.kinds
        self.entities, self.kinds = dict(entities), dict(kinds)
        trace, self.trace = self.trace, None  # nothing is stored here
        self.put(name, value, kind)
        self.trace = trace
        try:
            yield
        finally:
            self.entities, self.kinds = entities, kinds
            self._shown = None

    def answered(self, response: Any) -> Scope:
        """Return the scope of a validation's condition: the memory and ``_response``."""
        scope = self.scope()
        return Scope({**scope.memory, "_response": response}, locale=scope.locale, timezone=scope.timezone)

    def _make_view(self) -> dict[str, Any]:
        view = dict(self.context)
        kinds = self.kinds
        for name, value in self.entities.items():
            kind = kinds.get(name)
            view[name] = value if kind is None else worded(value, kind)
        user = self._user()
        own = view.get("user")
        view["user"] = {**user, **own} if isinstance(own, dict) else user
        view["_system"] = {
            "debug": False,
            "culture": self._flow.language,
            "channel": {"ProviderName": self._profile.provider},
        }
        if self.conversation is not None:
            view["conversation"] = self.conversation.key
            view["conversationDisplayName"] = self.conversation.display_name
        return view

    def _user(self) -> dict[str, Any]:
        profile = self._profile
        return {
            "Id": profile.id,
            "FirstName": profile.first_name,
            "LastName": profile.last_name,
            "ExternalId": profile.external_id,
            "Channel": profile.channel,
            "Avatar": profile.avatar,
            "Locale": profile.locale,
            "Timezone": profile.timezone,
        }

    def _show(self, view: dict[str, Any], name: str) -> None:
        """Bring one entity of the view up to date, with its ``entity-display``."""
        stored = self.get(name)
        if stored is None:
            return
        kind = self.kinds.get(name)
        view[name] = value = stored if kind is None else worded(stored, kind)
        display = self._flow.displays.get(name)
        if display is not None:
            text = display.text(Scope(view, locale=self._flow.language, timezone=self.zone_name))
            view[name] = (
                CustomValue(value, bare=value.bare, display=text)
                if isinstance(value, CustomValue)
                else DisplayedValue(value, text)
            )

    # -- time

    def now(self) -> datetime:
        """Return the time of the event in the zone that "today" is meant in."""
        moment = _EPOCH + timedelta(milliseconds=min(max(self._now, 0), _LATEST))
        return moment.astimezone(self._flow.zones[self.zone_name])


def worded(value: Any, kind: str) -> Any:
    """Return a stored value in the form that prints and compares as its type does."""
    if isinstance(value, list):
        return [worded(item, kind) for item in value]
    text = _TEXT_KINDS.get(kind)
    if text is not None:
        return text(value) if isinstance(value, str) else value
    if isinstance(value, dict) and "value" in value:
        return CustomValue(value, bare=value["value"])
    return value


def stored(value: Any) -> Any:
    """Return a value that a template gave as plain JSON that can be kept: with its metadata, dates as they are
    stored."""
    if isinstance(value, DisplayedValue):
        value = value.value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, dict):
        return {str(key): stored(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [stored(item) for item in value]
    if isinstance(value, float) and not isfinite(value):
        return None
    return value if value is None or isinstance(value, bool | int | float) else None


def kind_of(value: Any) -> str | None:
    """Return the built-in type that a template's value prints as, or None."""
    for kind, text in _TEXT_KINDS.items():
        if isinstance(value, text):
            return kind
    return None


def _bytes(value: Any) -> int:
    """Return how many bytes a value has as JSON."""
    try:
        return len(msgspec.json.encode(value))
    except UnicodeEncodeError:  # half a character, which only an event that came past the service can hold
        return len(str(value).encode("utf-8", "replace"))


def is_deeper(document: Any, levels: int) -> bool:
    """Return whether lists and objects go deeper; level by level, since recursion would use up Python's stack."""
    level = [document]
    for _ in range(levels):
        level = [
            item
            for value in level
            if isinstance(value, dict | list)
            for item in (value.values() if isinstance(value, dict) else value)
            if isinstance(item, dict | list)
        ]
        if not level:
            return False
    return True
