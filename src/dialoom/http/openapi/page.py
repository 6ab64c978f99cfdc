"""Renders the reference as HTML that needs no script. Every text is escaped here."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from http import HTTPStatus

from dialoom.http.openapi.examples import curl, in_address, laid_out
from dialoom.http.openapi.schemas import Form

METHODS = ("get", "post", "put", "patch", "delete")
_IN_CURL = frozenset({"query", "sort", "limit", "sender", "wait"})
"""Parameters that an example of a call shows, where they have an example."""
_ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath fill='%234263eb' "
    "d='M4 8a4 4 0 0 1 4-4h16a4 4 0 0 1 4 4v10a4 4 0 0 1-4 4H14l-7 6v-6a3 3 0 0 1-3-3z'/%3E%3C/svg%3E"
)
_CODE = re.compile(r"`([^`]+)`")


def page(description: Form, style: str) -> str:
    return "\n".join(_Writing(description).page(style))


def slug(words: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")


class _Writing:
    """Writes the page of one description."""

    def __init__(self, description: Form) -> None:
        self._all = description
        self._base: str = description["servers"][0]["url"]
        self._operations: dict[str, list[tuple[str, str, Form]]] = {tag["name"]: [] for tag in description["tags"]}
        for path, members in description["paths"].items():
            for method in METHODS:
                if method in members:
                    shown = members[method]
                    parameters = [*members.get("parameters", ()), *shown["parameters"]]
                    self._operations[shown["tags"][0]].append((method, path, shown | {"parameters": parameters}))

    def page(self, style: str) -> Iterator[str]:
        info = self._all["info"]
        title = f"{info['title']} API {info['version']}"
        yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
        yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
        yield '<meta name="color-scheme" content="light dark">'
        yield f'<title>{escape(title)}</title>\n<link rel="icon" href="{escape(_ICON)}">'
        # As it is: its hash stands in the page's policy.
        yield f"<style>{style}</style>\n</head>"
        yield '<body>\n<a class="skip" href="#content">To the content</a>'
        yield f'<header><p class="name">{escape(info["title"])} <span>API {escape(info["version"])}</span></p>'
        yield f'<p><code>{escape(self._base)}</code> · <a href="openapi.json">OpenAPI 3.1</a></p></header>'
        yield from self._contents()
        yield f'<main id="content">\n<h1>{escape(info["summary"])}</h1>\n{_prose(info["description"])}'
        yield from self._tokens()
        for tag in self._all["tags"]:
            yield f'<section id="{slug(tag["name"])}">\n<h2>{escape(tag["name"])}</h2>\n{_prose(tag["description"])}'
            for method, path, operation in self._operations[tag["name"]]:
                yield from self._operation(method, path, operation)
            yield "</section>"
        yield from self._schemas()
        yield "</main>\n</body>\n</html>\n"

    def _contents(self) -> Iterator[str]:
        yield '<nav aria-label="Contents">\n<ul>\n<li><a href="#tokens">Tokens</a></li>'
        for name, operations in self._operations.items():
            yield f'<li><a href="#{slug(name)}">{escape(name)}</a>\n<ul>'
            for method, _, operation in operations:
                id, summary = escape(operation["operationId"]), escape(operation["summary"])
                yield f'<li><a href="#{id}">{_badge(method)} <span>{summary}</span></a></li>'
            yield "</ul></li>"
        yield '<li><a href="#schemas">Schemas</a></li>\n</ul>\n</nav>'

    def _tokens(self) -> Iterator[str]:
        yield '<section id="tokens">\n<h2>Tokens</h2>\n<dl>'
        for name, scheme in self._all["components"]["securitySchemes"].items():
            meaning = _prose(scheme["description"])
            yield f'<div id="token-{slug(name)}"><dt><code>{escape(name)}</code></dt><dd>{meaning}</dd></div>'
        yield "</dl>\n</section>"

    # -- an operation

    def _operation(self, method: str, path: str, operation: Form) -> Iterator[str]:
        id = escape(operation["operationId"])
        yield f'<article id="{id}" class="operation">'
        yield f'<h3><a href="#{id}">{escape(operation["summary"])}</a></h3>'
        yield f'<p class="path">{_badge(method)} <code>{escape(path)}</code></p>\n{_prose(operation["description"])}'
        yield _token_line(operation["security"])
        if operation["parameters"]:
            yield "<h4>Parameters</h4>\n<dl>"
            yield from map(self._parameter, operation["parameters"])
            yield "</dl>"
        if "requestBody" in operation:
            yield "<h4>Body</h4>"
            yield from self._media(operation["requestBody"]["content"])
        call = escape(self._curl(method, path, operation))
        yield f"<h4>Call it</h4>\n<pre><code>{call}</code></pre>\n<h4>Answers</h4>"
        for status, response in operation["responses"].items():
            yield from self._response(status, response)
        yield "</article>"

    def _parameter(self, parameter: Form) -> str:
        schema = parameter["schema"]
        about = [_link(schema), "required" if parameter["required"] else "", f"in the {parameter['in']}"]
        shown = "".join(
            f'<p class="shows">{_inline(summary)}: <code>{escape(in_address(value))}</code></p>'
            for summary, value in self._examples(parameter.get("examples", {}))
        )
        return _entry(parameter["name"], [*about, *_limits(schema)], f"{_prose(parameter['description'])}{shown}")

    def _response(self, status: str, response: Form) -> Iterator[str]:
        meaning: str = response["description"]
        is_short = "\n" not in meaning
        title = meaning if is_short else f"{HTTPStatus(int(status)).phrase}."
        yield f"<details><summary><b>{escape(status)}</b> {_inline(title)}</summary>\n<div>"
        if not is_short:
            yield _prose(meaning)
        # Those of all answers are told in the introduction.
        own = {name: header for name, header in response["headers"].items() if "$ref" not in header}
        if own:
            yield "<dl>"
            for name, header in own.items():
                yield _entry(
                    name,
                    ["header"],
                    f"{_prose(header['description'])}<p><code>{escape(str(header['example']))}</code></p>",
                )
            yield "</dl>"
        yield from self._media(response.get("content", {}))
        yield "</div></details>"

    def _media(self, content: Mapping[str, Form]) -> Iterator[str]:
        for media, described in content.items():
            yield f"<p><code>{escape(media)}</code> · {_link(described['schema'])}</p>"
            yield _prose(described["schema"].get("description", ""))
            for summary, value in self._examples(described.get("examples", {})):
                yield _example(summary, value)

    def _examples(self, examples: Mapping[str, Form]) -> Iterator[tuple[str, object]]:
        named = self._all["components"]["examples"]
        for example in examples.values():
            shown = named[example["$ref"].rpartition("/")[2]] if "$ref" in example else example
            yield shown["summary"], shown["value"]

    def _curl(self, method: str, path: str, operation: Form) -> str:
        given: list[tuple[str, object]] = []
        for parameter in operation["parameters"]:
            if parameter["in"] == "path":
                path = path.replace(f"{{{parameter['name']}}}", parameter["example"])
            elif parameter["name"] in _IN_CURL and (found := [*self._examples(parameter.get("examples", {}))]):
                given.append((parameter["name"], found[0][1]))
        token = body = None
        for scheme in (operation["security"] or [{}])[0]:
            kind = self._all["components"]["securitySchemes"][scheme]["type"]
            token = scheme if kind == "apiKey" else "Bearer"
        for media, described in operation.get("requestBody", {}).get("content", {}).items():
            body = media, next((value for _, value in self._examples(described.get("examples", {}))), None)
        return curl(method, self._base + path, given, token, body)

    # -- schemas

    def _schemas(self) -> Iterator[str]:
        yield '<section id="schemas">\n<h2>Schemas</h2>'
        for name, schema in self._all["components"]["schemas"].items():
            # The anchor stands inside: going there opens what holds it.
            yield f'<details><summary><code>{escape(name)}</code></summary>\n<div id="schema-{escape(name)}">'
            yield f"{_prose(schema['description']) if 'description' in schema else ''}{_fields(schema)}</div></details>"
        yield "</section>"


def _fields(schema: Form) -> str:
    """Return the properties of an object or of an array's elements, with those of objects inside."""
    inner = schema.get("items", schema)
    if "properties" not in inner:
        return f"<p>{_link(schema)}</p>" if schema is not inner else ""
    entries = []
    for name, one in inner["properties"].items():
        about = [_link(one), "" if name in inner.get("required", ()) else "may be missing", *_limits(one)]
        shown = [
            f'<p class="shows">For example <code>{escape(json.dumps(value, ensure_ascii=False))}</code></p>'
            for value in one.get("examples", ())
        ]
        nested = _fields(one) if "properties" in one or "properties" in one.get("items", {}) else ""
        entries.append(_entry(name, about, f"{_prose(one.get('description', ''))}{''.join(shown)}{nested}"))
    return f"<dl>{''.join(entries)}</dl>"


def _entry(name: str, about: Iterable[str], meaning: str) -> str:
    """Return an entry of a list. ``about`` and ``meaning`` are HTML already."""
    kind = " · ".join(part for part in about if part)
    return f'<div><dt><code>{escape(name)}</code> <span class="kind">{kind}</span></dt><dd>{meaning}</dd></div>'


def _link(schema: Form) -> str:
    """Return the kind of a value, with a link to its schema where it has a name."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#schema-{name}">{name}</a>'
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(map(_link, schema[key]))
    if "const" in schema:
        return escape(json.dumps(schema["const"]))
    if "contentSchema" in schema:
        return f"text of {_link(schema['contentSchema'])}"
    kinds = schema.get("type", "any value")
    words = " or ".join([kinds] if isinstance(kinds, str) else kinds)
    return f"array of {_link(schema['items'])}" if words == "array" and "items" in schema else escape(words)


def _limits(schema: Form) -> Iterator[str]:
    if "enum" in schema:
        yield "one of " + ", ".join(f"<code>{escape(str(value))}</code>" for value in schema["enum"])
    for key, words in (("minimum", "from"), ("maximum", "to"), ("default", "default")):
        if key in schema:
            yield escape(f"{words} {json.dumps(schema[key])}")


def _token_line(security: Iterable[Form]) -> str:
    words = []
    for one in security:
        for name, scopes in one.items():
            scope = f" with the scope <code>{escape(', '.join(scopes))}</code>" if scopes else ""
            words.append(f'<a href="#token-{slug(name)}">{escape(name)}</a>{scope}')
    return f'<p class="token">Token: {" or ".join(words) if words else "none"}</p>'


def _example(summary: str, value: object) -> str:
    return f'<p class="shows">{_inline(summary)}</p><pre><code>{escape(laid_out(value))}</code></pre>'


def _badge(method: str) -> str:
    return f'<span class="method {method}">{method.upper()}</span>'


def _prose(words: str) -> str:
    return "".join(f"<p>{_inline(part)}</p>" for part in words.split("\n\n") if part)


def _inline(words: str) -> str:
    return _CODE.sub(r"<code>\1</code>", escape(words))
