"""Collects what no single piece shows: where templates stand, which steps set an entity, what reads it.

For checks of a bot as a whole. What has the wrong shape is taken out before (``flow.read``), so that every piece here
has the shape of the language, though a key that it needs may be missing. Context can bring any value, so that nothing
here says that an entity can have none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from dialoom.errors import TemplateError
from dialoom.flow.pieces import Piece
from dialoom.flow.positions import Path
from dialoom.template.names import Names
from dialoom.template.nodes import Node
from dialoom.template.parser import parse
from dialoom.template.render import KNOWN

BUILT_IN_CONVERSATIONS = ("welcome", "help", "restart")

_WITHOUT_MEMORY = frozenset({"dynamic-data"})

# Where the texts of each language stand: kind of piece, key. Every text under the key counts, however deep.
TEXTS: dict[str, tuple[str, ...]] = {
    "step": ("conditions", "messages", "entity-display", "data"),
    "reactions": ("acknowledgements", "ambiguities", "suggestions"),
    "validation": ("error-message",),
    "parameters": ("condition", "min", "max", "values"),
    "settings": ("invalid-replies", "not-a-yes", "stopped", "general-failure", "previous-conversation-messages"),
    "authentication": ("messages", "acknowledgements"),
    "confirmation-page": ("title", "text"),
    "display": ("title", "button-text", "min", "max", "off"),
    "option-template": ("title", "subtitle", "image", "value"),
    "place-template": ("title", "subtitle", "latitude", "longitude"),
    "data-source": ("payload",),
    "value": ("answers", "ssmlAnswers"),
    "dynamic-data": ("value-template", "synonym-templates"),
}

_OPTION_KEYS = ("title", "subtitle", "image", "value")


class Written(NamedTuple):
    """A text with expressions. ``names`` are the entities that it reads; ``sure`` those that cannot be keys of an
    element instead, with their offsets in the text."""

    piece: Piece
    path: Path
    text: str
    tree: tuple[Node, ...]
    names: frozenset[str]
    sure: Mapping[str, int]
    sees_memory: bool
    """True if a plain name is an entity; in the template of an option it is a key of the element."""


class Whole:
    """All pieces of a bot, and what follows from them; worked out when first asked for."""

    def __init__(self, found: Sequence[Piece]) -> None:
        self.found = found

    def of_kind(self, kind: str) -> list[Piece]:
        return self._by_kind.get(kind, [])

    @cached_property
    def _by_kind(self) -> dict[str, list[Piece]]:
        kinds: dict[str, list[Piece]] = {}
        for piece in self.found:
            kinds.setdefault(piece.kind, []).append(piece)
        return kinds

    @cached_property
    def login_entity(self) -> str | None:
        """Return the entity that holds the token after a login."""
        return next((one.text("entity") for one in self.of_kind("authentication")), None)

    @cached_property
    def writers(self) -> dict[str, list[Piece]]:
        """Return the steps that give each entity its value, by entity."""
        written: dict[str, list[Piece]] = {}
        for step in self.of_kind("step"):
            if name := step.text("entity"):
                written.setdefault(name, []).append(step)
        return written

    @cached_property
    def asked_types(self) -> dict[str, str]:
        """Return the entities that questions ask for, each with the type that the first of them gives it."""
        types: dict[str, str] = {}
        for step in self.of_kind("step"):
            entity, type_ = step.text("entity"), step.text("entity-type")
            if entity and type_ and step.text("type") == "question":
                types.setdefault(entity, type_)
        return types

    def steps_of(self, conversation: str) -> list[Piece]:
        return self._by_conversation.get(conversation, [])

    @cached_property
    def _by_conversation(self) -> dict[str, list[Piece]]:
        found: dict[str, list[Piece]] = {}
        for step in self.of_kind("step"):
            found.setdefault(str(step.path[1]), []).append(step)
        return found

    @cached_property
    def texts(self) -> list[Written]:
        """Return every text with an expression in it; those of dynamic data are left out."""
        return [one for piece in self.found for one in _written(piece)]

    @cached_property
    def by_text(self) -> dict[tuple[str, Path], Written]:
        """Return ``texts`` by file and path."""
        return {(one.piece.file, one.path): one for one in self.texts}

    @cached_property
    def closed_types(self) -> dict[str, dict[str, None]]:
        """Return the types whose values all stand in training.json, with these values."""
        found: dict[str, dict[str, None]] = {}
        for value in self.of_kind("value"):
            definition = value.owner
            if definition is None or definition.text("lookup-strategy") not in ("keywords", "trait"):
                continue
            name, text = definition.text("name"), value.text("value")
            if name and text and name != "Conversation" and "dynamic-data" not in definition.value:
                found.setdefault(name, {})[text] = None
        return found

    # ---- conversations -------------------------------------------------------------------------------------------

    @cached_property
    def started(self) -> dict[str, Piece]:
        """Return the values of the trait ``Conversation``, which the user can start, with their pieces of
        training.json."""
        return {
            name: value
            for value in self.of_kind("value")
            if value.owner is not None
            and value.owner.text("name") == "Conversation"
            and (name := value.text("value")) is not None
        }

    @cached_property
    def leads(self) -> dict[str, set[str]]:
        """Return for each conversation those that its steps run or go to."""
        leads: dict[str, set[str]] = {}
        for step in self.of_kind("step"):
            if (name := target(step)) is not None:
                leads.setdefault(str(step.path[1]), set()).add(name)
        return leads

    @cached_property
    def goals(self) -> frozenset[str]:
        """Return the keys of the conversations that are goals."""
        return frozenset(str(one.path[-1]) for one in self.of_kind("conversation") if one.text("type") == "goal")

    @cached_property
    def started_by_name(self) -> frozenset[str]:
        """Return the goals that no step leads to: the user starts them by saying what they are called."""
        return self.goals.difference(*self.leads.values())

    @cached_property
    def helping(self) -> frozenset[str]:
        """Return the conversation that runs where nothing was understood several times, as a set."""
        found = [piece.value.get("misunderstood") for piece in self.of_kind("settings")]
        return frozenset(str(one.get("conversation")) for one in found if isinstance(one, dict))

    @cached_property
    def reached(self) -> frozenset[str]:
        """Return the conversations that something starts."""
        return self.reached_from({*BUILT_IN_CONVERSATIONS, *self.started, *self.started_by_name, *self.helping})

    def reached_from(self, roots: set[str]) -> frozenset[str]:
        reached, waiting = set(roots), list(roots)
        while waiting:
            new = self.leads.get(waiting.pop(), set()) - reached
            reached |= new
            waiting.extend(new)
        return frozenset(reached)


def target(step: Piece) -> str | None:
    """Return the conversation that a step runs in place or goes to."""
    if step.text("type") == "conversation":
        return step.text("conversation")
    return goes_to(step)


def goes_to(step: Piece) -> str | None:
    """Return the conversation of the command ``go-to``; None for any other step."""
    words = (step.text("command") or "").split(maxsplit=1) if step.text("type") == "command" else []
    return words[1].strip() if len(words) == 2 and words[0] == "go-to" else None


def _written(piece: Piece) -> Iterator[Written]:
    owner = piece.owner.kind if piece.owner is not None else ""
    if piece.kind in _WITHOUT_MEMORY or owner in _WITHOUT_MEMORY:
        return
    for path, text, sees_memory in texts_of(piece):
        if "{{" in text:
            try:
                tree = parse(text)
            except TemplateError:
                continue  # told by bad-template
            names = Names(tree, KNOWN)
            read = names.top | names.root if sees_memory else names.root
            sure = names.sure | names.root if sees_memory else names.root
            offsets = {name: text.find(name, offset) for name, offset in sure.items()}
            yield Written(piece, path, text, tree, frozenset(read), offsets, sees_memory)


def literals(value: Any) -> list[Any]:
    """Return the values of a list that are no templates."""
    found = value if isinstance(value, list) else []
    return [one for one in found if not (isinstance(one, str) and "{{" in one)]


# ---- texts --------------------------------------------------------------------------------------------------------


def texts_of(piece: Piece) -> Iterator[tuple[Path, str, bool]]:
    """Yield the texts of ``piece`` that are templates, with their paths and whether a plain name in them is an entity:
    in the template of an option it is a key of the element."""
    sees_memory = piece.kind not in ("option-template", "place-template", "dynamic-data")
    for key in TEXTS.get(piece.kind, ()):
        for path, text in _leaves(piece.at(key), piece.value.get(key)):
            yield path, text, sees_memory
    if piece.kind == "data-source":
        for path, text in _of_source(piece):
            yield path, text, True
    elif piece.kind == "display":
        yield from _of_display(piece)


def _of_source(source: Piece) -> Iterator[tuple[Path, str]]:
    headers = source.value.get("headers")
    for key in ("endpoint", "selector"):
        if text := source.text(key):
            yield source.at(key), text
    for name, value in headers.items() if isinstance(headers, dict) else ():
        if isinstance(value, str):
            yield source.at("headers", name), value


def _of_display(display: Piece) -> Iterator[tuple[Path, str, bool]]:
    text = display.text("template")
    if text is not None:
        yield display.at("template"), text, False
    # With a template the elements of data are plain data; without one they are the texts of the options themselves.
    if display.value.get("template") is not None:
        return
    for index, option in enumerate(display.list("data")):
        if isinstance(option, str):
            yield display.at("data", index), option, True
        elif isinstance(option, dict):
            for key in _OPTION_KEYS:
                if isinstance(option.get(key), str):
                    yield display.at("data", index, key), option[key], True


def _leaves(path: Path, value: Any) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _leaves((*path, index), item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves((*path, key), item)
