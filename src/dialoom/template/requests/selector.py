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
        if found := _ONLY_A_VALUE.fullmatch(source):
            raise TemplateError(
                "A selector says where in the answer something stands, and this is a value of memory. Write "
                f"$.{found[1]}"
            )
        try:
            template = compile_guarded(strict_form(source), escape_literal)
        except TemplateError:
            # The same mistake as it stands in the author's own spelling, whose characters the offset counts.
            template = compile_guarded(source, escape_literal)
        super().__init__(template)
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

_ONLY_A_VALUE: Final = re.compile(r"\s*\{\{\{?\s*([\w.-]+)\s*\}?\}\}\s*")
_KEPT: Final = re.compile(r"""\{\{.*?\}\}|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""", re.DOTALL)
_SPELLINGS: Final = (
    (re.compile(r"==="), "=="),
    (re.compile(r"!==|<>"), "!="),
    (re.compile(r"(?<![=!<>])=(?![=~])"), "=="),
    (re.compile(r"\s+and\s+"), " && "),
    (re.compile(r"\s+or\s+"), " || "),
    (re.compile(r"\[\s*\(\s*@\.length\s*-\s*([1-9][0-9]{0,14})\s*\)\s*\]"), r"[-\1]"),
    (re.compile(r"(?<!\.)\.\["), "["),
)
"""What other JSONPaths write, and RFC 9535 in another way; none of it means anything there."""


def strict_form(source: str) -> str:
    """Return the selector as RFC 9535 writes it, where it has one plain meaning; else as it is."""
    source = source.strip()
    parts, at = [], 0
    for kept in (*_KEPT.finditer(source), None):
        literal = source[at : kept.start() if kept else None]
        for pattern, strict in _SPELLINGS:
            literal = pattern.sub(strict, literal)
        parts += [literal, kept[0] if kept else ""]
        at = kept.end() if kept else at
    written = "".join(parts)
    if written.startswith((".", "[")):
        return f"${written}"
    return f"$.{written}" if _NAME.match(written) else written


_NAME: Final = re.compile(r"[A-Za-z_\u0080-\ud7ff\ue000-\U0010ffff][\w\u0080-\ud7ff]*(?=[.\[]|\Z)")


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
