"""Checks that texts in a language of their own can be read: templates, conditions, endpoints, headers, selectors.

What they give is left to ``dialoom.template``, and which names they may use to the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dialoom import template
from dialoom.errors import TemplateError
from dialoom.flow.check.known import Known
from dialoom.flow.check.whole import TEXTS, texts_of
from dialoom.flow.finding import Fault
from dialoom.flow.fixes.derive import sure_name
from dialoom.flow.pieces import Piece
from dialoom.flow.positions import Path

KINDS = frozenset(TEXTS)
"""The kinds of pieces that hold such texts."""


def syntax(piece: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for each text of ``piece`` that cannot be compiled, at the character where it goes wrong."""
    for path, text, _sees_memory in texts_of(piece):
        yield from _fault(_COMPILERS.get(path[len(piece.path)], template.compile), path, text)


def loose_selectors(source: Piece, _: Known) -> Iterator[Fault]:
    """Warn of a selector that is no JSONPath of RFC 9535 and is read as the one that it plainly means."""
    text = source.text("selector") or ""
    if (strict := template.strict_form(text)) != text and not any(_fault(template.compile_selector, (), text)):
        message = f'This is no JSONPath (RFC 9535). It is read as "{strict}": write that.'
        yield Fault(path=source.at("selector"), message=message, slip=(text, strict))


_COMPILERS: dict[str | int, Callable[[str], object]] = {
    "endpoint": template.compile_endpoint,
    "selector": template.compile_selector,
    "headers": template.compile_header,
}


def _fault(compile_text: Callable[[str], object], path: Path, text: str) -> Iterator[Fault]:
    try:
        compile_text(text)
    except TemplateError as error:
        slip = None if error.word is None else (error.word, sure_name(error.word, error.allowed))
        yield Fault(path=path, message=str(error), characters=error.offset, slip=slip)
