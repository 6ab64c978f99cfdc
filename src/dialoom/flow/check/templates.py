"""Texts in a language of their own: templates, conditions, endpoints, headers, selectors. Only that they can be read.

What they give is left to ``dialoom.template``, and which names they may use to the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from dialoom import template
from dialoom.errors import TemplateError
from dialoom.flow.report import Fault

if TYPE_CHECKING:
    from dialoom.flow.check.known import Known
    from dialoom.flow.pieces import Piece
    from dialoom.flow.positions import Path

# Where the texts of each language stand: kind of piece, key. Every text under the key counts, however deep.
_TEXTS: dict[str, tuple[str, ...]] = {
    "step": ("conditions", "messages", "entity-display", "data"),
    "reactions": ("acknowledgements", "ambiguities", "suggestions"),
    "validation": ("error-message",),
    "parameters": ("condition", "min", "max", "values"),
    "settings": ("invalid-replies", "general-failure", "previous-conversation-messages"),
    "authentication": ("messages", "acknowledgements"),
    "confirmation-page": ("title", "text"),
    "display": ("title", "button-text"),
    "option-template": ("title", "subtitle", "image", "value"),
    "data-source": ("payload",),
    "value": ("answers", "ssmlAnswers"),
    "dynamic-data": ("value-template", "synonym-templates"),
}

KINDS = frozenset(_TEXTS)

_OPTION_KEYS = ("title", "subtitle", "image", "value")


def syntax(piece: Piece, _: Known) -> Iterator[Fault]:
    """A fault for each text of ``piece`` that cannot be compiled, at the character where it goes wrong."""
    for path, text, _sees_memory in texts_of(piece):
        yield from _fault(_COMPILERS.get(path[len(piece.path)], template.compile), path, text)


_COMPILERS: dict[str | int, Callable[[str], object]] = {
    "endpoint": template.compile_endpoint,
    "selector": template.compile_selector,
    "headers": template.compile_header,
}


def texts_of(piece: Piece) -> Iterator[tuple[Path, str, bool]]:
    """The texts of ``piece`` that are templates, and whether a plain name in them is an entity: in the template of an
    option it is a key of the element."""
    sees_memory = piece.kind not in ("option-template", "dynamic-data")
    for key in _TEXTS.get(piece.kind, ()):
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


def _fault(compile_text: Callable[[str], object], path: Path, text: str) -> Iterator[Fault]:
    try:
        compile_text(text)
    except TemplateError as error:
        yield Fault(path=path, message=str(error), characters=error.offset)


def _leaves(path: Path, value: Any) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _leaves((*path, index), item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves((*path, key), item)
