"""A message of the bot, before any channel has given it a form, and who it is said to."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

DialogType = Literal["location-picker", "date-picker", "single-select", "multi-select", "carousel", "login"]


class Option(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel", gc=False):
    """One thing that can be chosen. ``title`` is Markdown; ``value`` is what the bot receives.

    Left out of the collector's walks: it holds JSON, which has no circles, and a dialog may hold ten thousand of them.
    """

    title: str
    value: Any
    key: str = ""
    """Short, bound to the question that offered it: ``<ask>.<index>`` (channels.md 1). Empty: a mere suggestion."""
    subtitle: str | None = None
    image: str | None = None
    system: Literal["", "next", "previous"] = ""
    role: Literal["", "confirm", "danger"] = ""
    """``confirm``: it confirms what the other options would correct. ``danger``: the same, of what cannot be taken
    back."""


class Dialog(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    """A reply template that opens a dialog (or shows cards). ``options`` is whole, never paged."""

    type: DialogType
    title: str = ""
    """Text of the button that opens it."""
    button_text: str = ""
    """Text of the button that submits (carousel: that selects)."""
    options: tuple[Option, ...] = ()
    """location-picker: places, whose ``value`` is a latitude, a longitude and a name."""
    min: str | None = None
    """date-picker: the first day to choose from, ``YYYY-MM-DD``."""
    max: str | None = None
    """date-picker: the last one."""
    off: tuple[str, ...] = ()
    """date-picker: days that cannot be chosen, ``YYYY-MM-DD``, and weekdays, ``monday`` to ``sunday``."""
    url: str | None = None
    """login: where the button leads; put in by the service, which alone knows it."""
    image: str | None = None
    """login: the card's picture."""
    key: str = ""
    """Of the asking, as the options' keys begin with it: an answer that comes without an option's key (a date, a place)
    names it, so that it is never applied to another question. Empty: of no open question. login: the id of its link,
    put in by the service; it opens nothing by itself."""


class BotMessage(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    """One message. ``replies`` are the quick replies of the page shown, the system buttons last."""

    text: str = ""
    replies: tuple[Option, ...] = ()
    dialog: Dialog | None = None


class Profile(msgspec.Struct, frozen=True, omit_defaults=True):
    """The user as the channel knows them; ``user`` and ``_system`` of memory are made from it."""

    id: str
    channel: str = ""
    """The channel's id."""
    provider: str = ""
    """The channel's label (``web``, ``rest`` ...): ``ProviderName``."""
    first_name: str | None = None
    last_name: str | None = None
    external_id: str | None = None
    avatar: str | None = None
    locale: str | None = None
    timezone: str | None = None
