"""Selectors: JSONPath (RFC 9535) whose text is a template. Plain paths take a short way of our own.

Any other query is left to ``queries``, which is imported when the first one is met.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, final

from dialoom.errors import TemplateError
from dialoom.template.frame import Scope
from dialoom.template.template import CheckedTemplate, compile_guarded

Query = Callable[[Any], Any]

SEGMENT: Final = re.compile(
    r"""\.([A-Za-z_\u0080-\ud7ff\ue000-\U0010ffff][0-9A-Za-z_\u0080-\ud7ff\ue000-\U0010ffff]*)
    | \[(0|-?[1-9][0-9]{0,14})\]
    | \['([^'\\\x00-\x1f\ud800-\udfff]*)'\]
    | \["([^"\\\x00-\x1f\ud800-\udfff]*)"\]""",
    re.VERBOSE,
)

UNSAFE: Final = re.compile(r"[\x00-\x1f\"'\\\x7f]")
"""What ends a string literal of JSONPath or may not stand in it."""

MAX_QUERY: Final = 64 * 1024


@final
class Selector(CheckedTemplate):
    """A compiled selector."""

    __slots__ = ("_query",)

    def __init__(self, source: str) -> None:
        super().__init__(compile_guarded(source, escape_literal))
        self._query: Query | None = None
        if self.is_constant:
            self._query = compile_query(self.template.plain(NOTHING))
        else:
            _library()

    def apply(self, document: Any, scope: Scope) -> Any:
        """Return the value of a query for one node (``None`` when it is not there), or the list of any other."""
        query = self._query or compile_query(self.template.plain(scope))
        return query(document)


NOTHING: Final = Scope({})


def compile_selector(source: str) -> Selector:
    return Selector(source)


def escape_literal(text: str) -> str:
    """Return text that stays inside a string literal of JSONPath.

    A backslash before ``'`` is no escape inside ``"..."``, nor one before ``"`` inside ``'...'`` (RFC 9535 section
    2.3.1.1); the escape by number holds in both.
    """
    return UNSAFE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def compile_query(text: str) -> Query:
    """Return the query as a function of a document."""
    parts = plain_parts(text)
    if parts is not None:
        return lambda document: _walk(document, parts)
    if len(text) > MAX_QUERY:
        raise TemplateError(f"The selector has {len(text)} characters; at most {MAX_QUERY} are allowed.")
    return _library()(text)


def _library() -> Callable[[str], Query]:
    """Return what reads any query; imported while a flow is loaded, and only where one needs it: it takes 40 ms."""
    from dialoom.template.requests.jsonpath import library_query

    return library_query


def plain_parts(text: str) -> tuple[str | int, ...] | None:
    """Return the keys and indexes of a query that names one after the other; ``None`` when it does anything else."""
    if not text.startswith("$"):
        return None
    parts: list[str | int] = []
    position = 1
    while position < len(text):
        match = SEGMENT.match(text, position)
        if match is None:
            return None
        name, index, single, double = match.groups()
        parts.append(
            int(index) if index is not None else next(key for key in (name, single, double) if key is not None)
        )
        position = match.end()
    return tuple(parts)


def _walk(document: Any, parts: tuple[str | int, ...]) -> Any:
    for part in parts:
        if isinstance(part, str):
            if not isinstance(document, Mapping) or part not in document:
                return None
            document = document[part]
        else:
            if not isinstance(document, (list, tuple)) or not -len(document) <= part < len(document):
                return None
            document = document[part]
    return document
