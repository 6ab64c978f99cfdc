"""Parts of the files that steps, settings and entity types share: texts, secrets, data sources, displays, reactions."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType, field

Json = Any
"""A JSON value: dict, list, str, int, float, bool or None."""

Texts = tuple[str | tuple[str, ...], ...]
"""Alternatives, one chosen at random; an entry that is itself a list is a sequence of messages."""


def texts_of(texts: Texts) -> tuple[str, ...]:
    """Return every text of the alternatives."""
    return tuple(text for entry in texts for text in ((entry,) if isinstance(entry, str) else entry))


class Described(msgspec.Struct, frozen=True, kw_only=True, rename="kebab", forbid_unknown_fields=True):
    """What every object of the language may carry besides its own keys."""

    schema: str | UnsetType = field(default=UNSET, name="$schema")
    note: str | UnsetType = UNSET


class FromEnvironment(Described, frozen=True, kw_only=True):
    """A secret that stands in an environment variable: ``{"env": "BOT_..."}``."""

    env: str


Secret = str | FromEnvironment


# ---- data-source and display -------------------------------------------------------------------------------------


class DataSource(Described, frozen=True, kw_only=True):
    """``data-source``: a request (``endpoint``) or a value in memory (``entity``)."""

    endpoint: str | None = None
    method: Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] = "GET"
    headers: dict[str, Secret] = {}
    payload: Json | UnsetType = UNSET
    response: Literal["body", "full"] = "body"
    selector: str | None = None
    entity: str | None = None
    authentication_method: str | None = None
    timeout: Annotated[float, Meta(gt=0, le=30)] | None = None
    """Seconds for all tries of a call together; 10 when absent, at most 30."""


class OptionTemplate(Described, frozen=True, kw_only=True):
    title: str | None = None
    subtitle: str | None = None
    image: str | None = None
    value: str | None = None


class QuickReply(Described, frozen=True, kw_only=True, tag_field="type", tag="quick-reply"):
    data: tuple[Json, ...] | None = None
    data_source: DataSource | None = None
    template: str | OptionTemplate | None = None


class PlaceTemplate(Described, frozen=True, kw_only=True):
    title: str | None = None
    subtitle: str | None = None
    latitude: str | None = None
    longitude: str | None = None


class Places(Described, frozen=True, kw_only=True):
    """``places`` of a location-picker: a list to choose from, beside the device's own position."""

    data: tuple[Json, ...] | None = None
    data_source: DataSource | None = None
    template: PlaceTemplate | None = None


class LocationPicker(Described, frozen=True, kw_only=True, tag_field="type", tag="location-picker"):
    title: str | None = None
    button_text: str | None = None
    places: Places | None = None


class DatePicker(Described, frozen=True, kw_only=True, tag_field="type", tag="date-picker"):
    """``min``, ``max`` and ``off`` say what is shown; an answer is checked by validations alone."""

    title: str | None = None
    button_text: str | None = None
    min: str | None = None
    max: str | None = None
    off: tuple[str, ...] = ()


class _Select(Described, frozen=True, kw_only=True):
    title: str | None = None
    button_text: str | None = None
    data: tuple[Json, ...] | None = None
    data_source: DataSource | None = None
    template: str | OptionTemplate | None = None


class SingleSelect(_Select, frozen=True, kw_only=True, tag_field="type", tag="single-select"):
    """A display without ``type`` is read as this one, or as multi-select with ``capture-multiple-values``."""


class MultiSelect(_Select, frozen=True, kw_only=True, tag_field="type", tag="multi-select"):
    pass


class Carousel(_Select, frozen=True, kw_only=True, tag_field="type", tag="carousel"):
    pass


class Confirm(Described, frozen=True, kw_only=True, tag_field="type", tag="confirm"):
    """The display of a confirmation."""

    style: Literal["normal", "danger"] = "normal"


Display = QuickReply | LocationPicker | DatePicker | SingleSelect | MultiSelect | Carousel


# ---- reactions ---------------------------------------------------------------------------------------------------


class ValidationParameters(Described, frozen=True, kw_only=True):
    region: str | None = None
    value: str | None = None
    min: Json = None
    max: Json = None
    values: tuple[Json, ...] | None = None
    contains: tuple[str, ...] | None = None
    condition: str | None = None
    data_source: DataSource | None = None


class Validation(Described, frozen=True, kw_only=True):
    type: Literal["phone", "email", "regex", "length", "range", "match", "image", "custom"]
    parameters: ValidationParameters = ValidationParameters()
    error_message: Texts = ()


class Reactions(Described, frozen=True, kw_only=True):
    validations: tuple[Validation, ...] = ()
    acknowledgements: Texts = ()
    ambiguities: Texts = ()
    suggestions: Texts = ()
