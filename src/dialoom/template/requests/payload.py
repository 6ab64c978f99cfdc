"""Request bodies and headers: templates in every text leaf of a JSON value, and texts that cannot begin another
header (flow-language.md section 6).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, final

from dialoom.errors import TemplateError
from dialoom.template.frame import Scope
from dialoom.template.template import CheckedTemplate, Template, compile

Fill = Callable[[Scope], Any]

MAX_DEPTH = 100


@final
class Payload:
    """A compiled body."""

    __slots__ = ("_fill", "is_constant", "names", "needs_formats")

    names: frozenset[str]
    is_constant: bool
    needs_formats: bool

    def __init__(self, value: Any) -> None:
        templates: list[Template] = []
        self._fill = _compile(value, templates, 0)
        self.names = frozenset[str]().union(*(template.names for template in templates))
        self.needs_formats = any(template.needs_formats for template in templates)
        self.is_constant = all(template.is_constant for template in templates)

    def render(self, scope: Scope) -> Any:
        return self._fill(scope)


def compile_payload(value: Any) -> Payload:
    """Compiles a body; keys stay as they are."""
    return Payload(value)


def _compile(value: Any, templates: list[Template], depth: int) -> Fill:
    if depth > MAX_DEPTH:
        raise TemplateError(f"The payload is nested deeper than {MAX_DEPTH} levels.")
    if isinstance(value, str):
        template = compile(value)
        templates.append(template)
        return template.leaf
    if isinstance(value, Mapping):
        fields = [(key, _compile(element, templates, depth + 1)) for key, element in value.items()]
        return lambda scope: {key: fill(scope) for key, fill in fields}
    if isinstance(value, (list, tuple)):
        elements = [_compile(element, templates, depth + 1) for element in value]
        return lambda scope: [fill(scope) for fill in elements]
    return lambda _scope: value


FORBIDDEN: Final = re.compile(r"[\r\n\x00]")
"""RFC 9110 section 5.5: these in a field value are dangerous and must not be sent."""


@final
class Header(CheckedTemplate):
    """A compiled header value."""

    __slots__ = ()

    def text(self, scope: Scope) -> str:
        text = self.template.plain(scope)
        if FORBIDDEN.search(text):
            raise TemplateError("The header's text holds a line break. Take it out with $replace, or encode the value.")
        return text


def compile_header(source: str) -> Header:
    return Header(compile(source))
