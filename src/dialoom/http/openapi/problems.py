"""Describes the problems of the HTTP interface: when each comes, an example, its headers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from dialoom.errors import RequestError
from dialoom.http.admin.admission import SCHEME
from dialoom.http.openapi.schemas import Form
from dialoom.http.problems import MEDIA_TYPE, PROBLEMS, problem, status_of
from dialoom.query.errors import CODES

BODY = (
    "bad-json",
    "bad-body",
    "bad-text",
    "incomplete",
    "too-large",
    "content-type",
    "body-too-slow",
    "too-many-bodies",
)
"""What each operation that reads JSON may answer with."""
QUERY: Mapping[str, str | None] = {
    "unknown-operator": "/Errors/$gtt",
    "operator-not-allowed": "/$where",
    "bad-operand": "/Data.context.tags/$size",
    "not-json": "",
    "bad-sort": "",
    "bad-cursor": None,
    "bad-fields": None,
}
"""Of the codes of queries those that are shown as examples, with the pointer of each; the others are named."""
_UNTIMED = frozenset({"stopping", "not-built"})
"""Problems with 503 that name no time: another process is to be asked, or the operator."""
_RETRY: Form = {
    "description": "Seconds after which the same request may be sent again.",
    "required": True,
    "schema": {"type": "integer", "minimum": 1},
    "example": 2,
}
_CHALLENGE: Form = {
    "description": "The scheme of the token that is wanted (RFC 9110 section 11.6.1).",
    "schema": {"type": "string"},
    "example": SCHEME,
}
_HEADERS: Mapping[int, Form] = {401: {"WWW-Authenticate": _CHALLENGE}, 429: {"Retry-After": _RETRY}}


def responses(codes: Iterable[str]) -> Form:
    """Return the responses of an operation that may answer with these problems, by status."""
    by_status: dict[int, list[str]] = {}
    for code in codes:
        by_status.setdefault(status_of(code), []).append(code)
    return {str(status): _response(status, by_status[status]) for status in sorted(by_status)}


def examples(codes: Iterable[str]) -> Form:
    """Return an example of each problem, for ``components``: operations refer to them."""
    return {code: _example(code) for code in sorted(codes)}


def _response(status: int, codes: list[str]) -> Form:
    sentences = [f"`{code}`: {PROBLEMS[code][1]}." for code in codes if code not in QUERY]
    if any(code in QUERY for code in codes):
        words = ", ".join(f"`{code}`" for code in CODES)
        sentences.append(f"A query, sort or page that is not allowed, `pointer` says where in it: {words}.")
    media = {
        "schema": {"$ref": "#/components/schemas/Problem"},
        "examples": {code: {"$ref": f"#/components/examples/{code}"} for code in codes},
    }
    described: Form = {"description": "\n\n".join(sentences), "content": {MEDIA_TYPE: media}}
    if status in _HEADERS:
        described["headers"] = _HEADERS[status]
    elif status == 503:
        described["headers"] = {"Retry-After": _RETRY | {"required": not _UNTIMED & {*codes}}}
    return described


def _example(code: str) -> Form:
    when = PROBLEMS[code][1].rstrip(".")
    sentence = f"{when[:1].upper()}{when[1:]}."
    error = RequestError(code, sentence, pointer=QUERY.get(code))
    return {"summary": sentence, "value": msgspec.to_builtins(problem(error))}
