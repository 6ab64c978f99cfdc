"""Request headers: a rendered text that cannot begin another header."""

from __future__ import annotations

import re
from typing import Final, final

from dialoom.errors import TemplateError
from dialoom.template.frame import Scope
from dialoom.template.template import Template, compile

FORBIDDEN: Final = re.compile(r"[\r\n\x00]")
"""RFC 9110 section 5.5: these in a field value are dangerous and must not be sent."""


@final
class Header:
    """A compiled header value."""

    __slots__ = ("is_constant", "names", "needs_formats", "source", "template")

    def __init__(self, template: Template) -> None:
        self.template = template
        self.source: str = template.source
        self.names: frozenset[str] = template.names
        self.needs_formats: bool = template.needs_formats
        self.is_constant: bool = template.is_constant

    def text(self, scope: Scope) -> str:
        text = self.template.plain(scope)
        if FORBIDDEN.search(text):
            raise TemplateError("The header's text holds a line break. Take it out with $replace, or encode the value.")
        return text


def compile_header(source: str) -> Header:
    return Header(compile(source))
