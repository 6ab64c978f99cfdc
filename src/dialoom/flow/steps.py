"""The types of steps: what each has in the file, and one row of what it does. How a step runs is in ``engine.steps``.

The checks, the picture, the schema, the reference and the engine read the same rows.
"""

from __future__ import annotations

import re
from typing import assert_never

import msgspec
from msgspec import UNSET, UnsetType

from dialoom.flow.parts import Confirm, DataSource, Described, Display, Json, QuickReply, Reactions, Texts


class _Step(Described, frozen=True, kw_only=True, tag_field="type"):
    conditions: tuple[str, ...] = ()
    protected: bool = False


class Question(_Step, frozen=True, kw_only=True, tag="question"):
    entity: str
    entity_type: str
    messages: Texts = ()
    display: Display | None = None
    entity_display: str | None = None
    capture_multiple_values: bool = False
    is_explicit: bool = False
    optional: bool = False
    names: tuple[str, ...] = ()
    currency: str | None = None
    reactions: Reactions = Reactions()


class Message(_Step, frozen=True, kw_only=True, tag="message"):
    messages: Texts = ()
    display: QuickReply | None = None


class Webhook(_Step, frozen=True, kw_only=True, tag="webhook"):
    data_source: DataSource
    entity: str | None = None
    messages: Texts = ()


class Confirmation(_Step, frozen=True, kw_only=True, tag="confirmation"):
    entity: str
    messages: Texts = ()
    display: Confirm | None = None


class EntitiesConfirmation(_Step, frozen=True, kw_only=True, tag="entities-confirmation"):
    entity: str
    entities: tuple[str, ...]
    messages: Texts = ()


class RunConversation(_Step, frozen=True, kw_only=True, tag="conversation"):
    conversation: str


class Command(_Step, frozen=True, kw_only=True, tag="command"):
    command: str
    """``stay-silent [minutes]``, ``go-to <conversation>``, ``invalidate-entity [name]``, ``set-entity``, ``logout``."""
    entity: str | None = None
    entities: tuple[str, ...] | None = None
    data: Json | UnsetType = UNSET
    live_agent: str | None = None


Step = Question | Message | Webhook | Confirmation | EntitiesConfirmation | RunConversation | Command


# ---- what each type does -----------------------------------------------------------------------------------------


class StepType(msgspec.Struct, frozen=True, kw_only=True):
    """The row of one type of step."""

    struct: type[Step]
    does: str
    """What the step does, as the reference and the schema say it."""
    verb: str
    """The word before the step in the picture of a flow."""
    asks: bool = False
    """Asks the user for the value of its entity, and waits for the answer."""
    is_done_by_value: bool = False
    """Has nothing to do while its entity has a value."""
    has_derived_value: bool = False
    """Loses its value when a value that came before it changes."""
    acts: bool = True
    """Does something itself, so that a protected one needs the login; else other steps do."""

    @property
    def name(self) -> str:
        """Return the ``type`` of the step in the file."""
        return str(self.struct.__struct_config__.tag)


_ROWS = (
    StepType(struct=Question, does="asks, and stores the answer", verb="ask", asks=True, is_done_by_value=True),
    StepType(struct=Message, does="says something", verb="say"),
    StepType(struct=Webhook, does="calls a service", verb="call", is_done_by_value=True, has_derived_value=True),
    StepType(
        struct=Confirmation,
        does="asks for Yes or No",
        verb="confirm",
        asks=True,
        is_done_by_value=True,
        has_derived_value=True,
    ),
    StepType(
        struct=EntitiesConfirmation,
        does="shows answers for review",
        verb="confirm",
        asks=True,
        is_done_by_value=True,
        has_derived_value=True,
    ),
    StepType(struct=RunConversation, does="runs the steps of another conversation in place", verb="run", acts=False),
    StepType(struct=Command, does="goes elsewhere, forgets, sets, is silent", verb="do"),
)

STEP_TYPES = {row.name: row for row in _ROWS}
"""Every type by its name in the file."""
_BY_STRUCT = {row.struct: row for row in _ROWS}


def type_of(step: Step) -> StepType:
    """Return the row of a step."""
    return _BY_STRUCT[step.__class__]


def in_picture(step: Step) -> tuple[str, str | None]:
    """Return the step as a line of the flow's picture, and the key of the conversation that it leads to."""
    match step:
        case Question():
            many = "[]" if step.capture_multiple_values else ""
            return f"{step.entity}: {step.entity_type}{many}", None
        case Message():
            return _first(step.messages), None
        case Webhook():
            stored = f" → {step.entity}" if step.entity else ""
            return f"{_address(step.data_source)}{stored}", None
        case Confirmation():
            return step.entity, None
        case EntitiesConfirmation():
            return ", ".join(step.entities), None
        case RunConversation():
            return step.conversation, step.conversation
        case Command():
            words = step.command.split()
            target = words[1] if words[:1] == ["go-to"] and len(words) > 1 else None
            named = step.entity or ", ".join(step.entities or ())
            return f"{step.command} {named}".strip(), target
        case _:
            assert_never(step)


def _first(texts: Texts) -> str:
    first = texts[0] if texts else ""
    return first if isinstance(first, str) else (first[0] if first else "")


def _address(source: DataSource) -> str:
    """Return method and address without the query, which may hold data that a picture must not show."""
    if not source.endpoint:
        return source.entity or ""
    address = re.split(r"[?#]", source.endpoint.partition("://")[2] or source.endpoint, maxsplit=1)[0]
    host, slash, path = address.partition("/")
    return f"{source.method or 'GET'} {host.rpartition('@')[2]}{slash}{path}"
