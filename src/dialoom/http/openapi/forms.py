"""The forms that every part of the description is made of: parameters, bodies, answers, objects (OpenAPI 3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from dialoom.http.openapi.problems import refusals
from dialoom.http.server.accept import JSON

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Form = dict[str, Any]


class Answer(NamedTuple):
    """What comes when all is well. ``media``: each form of it, as ``content`` makes it."""

    status: str
    description: str
    media: Form | None = None
    headers: Form | None = None


def of(name: str) -> Form:
    return {"$ref": f"#/components/schemas/{name}"}


def text(description: str, example: str | None = None, **more: Any) -> Form:
    return {"type": "string", "description": description, **_examples(example), **more}


def maybe(described: Form) -> Form:
    """The same, or null."""
    return described | {"type": [described["type"], "null"]}


def number(description: str, example: float | None = None, *, whole: bool = True, **more: Any) -> Form:
    return {"type": "integer" if whole else "number", "description": description, **_examples(example), **more}


def flag(description: str, **more: Any) -> Form:
    return {"type": "boolean", "description": description, **more}


def listed(items: Form, description: str = "", **more: Any) -> Form:
    return {"type": "array", "items": items, **({"description": description} if description else {}), **more}


def object_of(properties: Mapping[str, Form], required: Iterable[str] = (), description: str = "", **more: Any) -> Form:
    described: Form = {"type": "object", "properties": dict(properties)}
    if needed := [*required]:
        described["required"] = needed
    return described | ({"description": description} if description else {}) | more


def content(schema: Form, examples: Mapping[str, tuple[str, Any]] | None = None, media: str = JSON) -> Form:
    """``examples``: by name, what each shows and its value."""
    shown = {name: {"summary": summary, "value": value} for name, (summary, value) in (examples or {}).items()}
    return {media: {"schema": schema} | ({"examples": shown} if shown else {})}


def place(name: str, description: str, example: str) -> Form:
    """A part of the path."""
    shape = {"type": "string", "minLength": 1}
    return {
        "name": name,
        "in": "path",
        "required": True,
        "description": description,
        "schema": shape,
        "example": example,
    }


def asked(
    name: str,
    description: str,
    schema: Form,
    examples: Mapping[str, tuple[str, Any]] | None = None,
    *,
    required: bool = False,
) -> Form:
    """A parameter behind the question mark."""
    shown = {key: {"summary": summary, "value": value} for key, (summary, value) in (examples or {}).items()}
    described = {"name": name, "in": "query", "required": required, "description": description, "schema": schema}
    return described | ({"examples": shown} if shown else {})


def header(description: str, schema: Form, example: Any, *, required: bool = False) -> Form:
    return {"description": description, "required": required, "schema": schema, "example": example}


def operation(
    id: str,
    tag: str,
    summary: str,
    description: str,
    answer: Answer,
    codes: Iterable[str],
    *,
    security: Iterable[Form] = (),
    parameters: Iterable[Form] = (),
    body: Form | None = None,
) -> Form:
    """``codes``: those of the problems that it may answer with. ``body``: as ``content`` makes it."""
    success: Form = {"description": answer.description}
    success |= {"content": answer.media} if answer.media is not None else {}
    success |= {"headers": answer.headers} if answer.headers else {}
    described: Form = {
        "operationId": id,
        "summary": summary,
        "description": description,
        "tags": [tag],
        "security": [*security],
        "parameters": [*parameters],
        "responses": {answer.status: success, **refusals(codes)},
    }
    if body is not None:
        described["requestBody"] = {"required": True, "content": body}
    return described


def _examples(example: Any) -> Form:
    return {} if example is None else {"examples": [example]}
