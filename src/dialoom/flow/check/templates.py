"""Texts in a language of their own: templates, conditions, endpoints, headers, selectors. Only that they can be read.

What they give is left to ``dialoom.template``, and which names they may use to the engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dialoom import template
from dialoom.errors import TemplateError
from dialoom.flow.report import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
    for key in _TEXTS[piece.kind]:
        for path, text in _leaves(piece.at(key), piece.value.get(key)):
            yield from _fault(template.compile, path, text)
    if piece.kind == "data-source":
        yield from _of_source(piece)
    elif piece.kind == "display":
        yield from _of_display(piece)


def _of_source(source: Piece) -> Iterator[Fault]:
    endpoint, selector, headers = source.text("endpoint"), source.text("selector"), source.value.get("headers")
    if endpoint:
        yield from _fault(template.compile_endpoint, source.at("endpoint"), endpoint)
    if selector:
        yield from _fault(template.compile_selector, source.at("selector"), selector)
    for name, value in headers.items() if isinstance(headers, dict) else ():
        if isinstance(value, str):
            yield from _fault(template.compile_header, source.at("headers", name), value)


def _of_display(display: Piece) -> Iterator[Fault]:
    text = display.text("template")
    if text is not None:
        yield from _fault(template.compile, display.at("template"), text)
    # With a template the elements of data are plain data; without one they are the texts of the options themselves.
    if display.value.get("template") is not None:
        return
    for index, option in enumerate(display.list("data")):
        if isinstance(option, str):
            yield from _fault(template.compile, display.at("data", index), option)
        elif isinstance(option, dict):
            for key in _OPTION_KEYS:
                if isinstance(option.get(key), str):
                    yield from _fault(template.compile, display.at("data", index, key), option[key])


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
