"""Takes the values of the three files apart into the objects that the language names: steps, displays, data sources ...

Checks run over these pieces, not over the model, so that one mistake hides no other: a piece is found whatever is wrong
around it. Whatever has the wrong type is passed over here; ``flow.shape`` tells of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from dialoom.flow.channels import SECRET_CHANNEL_KEYS
from dialoom.flow.positions import Path

SECRETS: dict[str, tuple[str, ...]] = {
    "bot": ("access-token",),
    "channel": SECRET_CHANNEL_KEYS,
    "credential": ("username", "password", "token", "certificate", "key"),
    "oidc": ("client-secret",),
    "socialnet": ("app-secret",),
}
"""Which keys of which piece hold a secret: a text or ``{"env": ...}``. The values of ``headers`` are secrets too."""

MIN_TOKEN_CHARACTERS = 16
"""Of a token that ``bot.json`` gives; those that the service makes have 47."""

SECRET_KEYS = frozenset(key for keys in SECRETS.values() for key in keys)


class Piece(NamedTuple):
    """One object of a file. ``owner`` is the piece it stands in, if that matters to a check."""

    kind: str
    file: str
    path: Path
    value: dict[str, Any]
    owner: Piece | None = None

    def text(self, key: str) -> str | None:
        """Return the text under ``key``; None if there is none."""
        found = self.value.get(key)
        return found if isinstance(found, str) else None

    def list(self, key: str) -> list[Any]:
        """Return the list under ``key``; empty if there is none."""
        found = self.value.get(key)
        return found if isinstance(found, list) else []

    def at(self, *keys: str | int) -> Path:
        """Return the path in the file of what these keys lead to."""
        return (*self.path, *keys)

    @property
    def step(self) -> Piece | None:
        """Return the step that this piece is or stands in; None if there is none."""
        piece: Piece | None = self
        while piece is not None and piece.kind != "step":
            piece = piece.owner
        return piece

    def inner(self, kind: str, key: str) -> Iterator[Piece]:
        """Yield the object under ``key``, if there is one, as a piece of its own."""
        found = self.value.get(key)
        if isinstance(found, dict):
            yield Piece(kind, self.file, (*self.path, key), found, self)

    def members(self, kind: str, key: str) -> Iterator[Piece]:
        """Yield the objects in the list or the map under ``key`` as pieces."""
        found = self.value.get(key)
        pairs: list[tuple[str | int, Any]] = []
        if isinstance(found, list):
            pairs = list(enumerate(found))
        elif isinstance(found, dict):
            pairs = list(found.items())
        for name, value in pairs:
            if isinstance(value, dict):
                yield Piece(kind, self.file, (*self.path, key, name), value, self)


def pieces(values: Mapping[str, Any]) -> list[Piece]:
    """Return every piece of every file, a piece before what stands in it."""
    found: list[Piece] = []
    for file, top in (("bot.json", _bot), ("flow.json", _flow), ("training.json", _training)):
        value = values.get(file)
        if isinstance(value, dict):
            found.extend(top(value))
    return found


def _bot(value: dict[str, Any]) -> Iterator[Piece]:
    bot = Piece("bot", "bot.json", (), value)
    yield bot
    if isinstance(value.get("channels"), list):
        yield from bot.members("channel", "channels")
    if isinstance(value.get("credentials"), dict):
        yield from bot.members("credential", "credentials")


def _flow(value: dict[str, Any]) -> Iterator[Piece]:
    flow = Piece("flow", "flow.json", (), value)
    yield flow
    yield from flow.inner("commands", "commands")
    for settings in flow.inner("settings", "settings"):
        yield settings
        yield from settings.inner("commands", "commands")
        for authentication in settings.inner("authentication", "authentication"):
            yield from _authentication(authentication)
    if isinstance(value.get("conversations"), dict):
        for conversation in flow.members("conversation", "conversations"):
            yield conversation
            if isinstance(conversation.value.get("steps"), list):
                for step in conversation.members("step", "steps"):
                    yield from _step(step)


def _authentication(authentication: Piece) -> Iterator[Piece]:
    yield authentication
    for kind in ("oidc", "socialnet", "workchat"):
        yield from authentication.inner(kind, kind)
    yield from authentication.inner("confirmation-page", "confirmation-page-contents")
    for display in authentication.inner("login-card", "display"):
        yield from display.inner("option-template", "template")


def _step(step: Piece) -> Iterator[Piece]:
    yield step
    yield from step.inner("data-source", "data-source")
    for display in step.inner("display", "display"):
        yield display
        yield from display.inner("data-source", "data-source")
        yield from display.inner("option-template", "template")
        for places in display.inner("places", "places"):
            yield places
            yield from places.inner("data-source", "data-source")
            yield from places.inner("place-template", "template")
    for reactions in step.inner("reactions", "reactions"):
        yield reactions
        if isinstance(reactions.value.get("validations"), list):
            for validation in reactions.members("validation", "validations"):
                yield validation
                for parameters in validation.inner("parameters", "parameters"):
                    yield parameters
                    yield from parameters.inner("data-source", "data-source")


def _training(value: dict[str, Any]) -> Iterator[Piece]:
    training = Piece("training", "training.json", (), value)
    yield training
    if not isinstance(value.get("entity-definitions"), list):
        return
    for definition in training.members("definition", "entity-definitions"):
        yield definition
        if isinstance(definition.value.get("data"), list):
            yield from definition.members("value", "data")
        else:
            yield from definition.inner("pattern", "data")
        for dynamic in definition.inner("dynamic-data", "dynamic-data"):
            yield dynamic
            yield from dynamic.inner("data-source", "data-source")
