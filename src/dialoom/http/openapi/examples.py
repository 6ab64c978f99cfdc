"""Formats the examples of the reference: values laid out to be read, calls as they are typed."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable

WIDTH = 84
_INDENT = 2


def laid_out(value: object, at: int = 0) -> str:
    """Return the value as JSON, with what fits into a line on one line; a text as it is."""
    if at == 0 and isinstance(value, str):
        return value
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or at + len(flat) <= WIDTH:
        return flat
    inside = at + _INDENT
    if isinstance(value, dict):
        parts = [f"{json.dumps(name, ensure_ascii=False)}: {laid_out(one, inside)}" for name, one in value.items()]
    else:
        parts = [laid_out(one, inside) if not isinstance(one, str) else json.dumps(one) for one in value]
    start, end = "{}" if isinstance(value, dict) else "[]"
    inner = ",\n".join(" " * inside + part for part in parts)
    return f"{start}\n{inner}\n{' ' * at}{end}"


def in_address(value: object) -> str:
    """Return a value as it stands in an address before it is encoded."""
    if isinstance(value, list):
        return ",".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def curl(
    method: str,
    address: str,
    parameters: Iterable[tuple[str, object]],
    token: str | None,
    body: tuple[str, object] | None,
) -> str:
    """Return a call as it is typed. ``token``: its scheme. ``body``: media type and value, None for a file's bytes."""
    lines = [f"--data-urlencode {shlex.quote(f'{name}={in_address(value)}')}" for name, value in parameters]
    start = "curl" if method == "get" else f"curl -X {method.upper()}"
    lines.insert(0, f"{start}{' -G' if lines else ''} {shlex.quote(address)}")
    if token is not None:
        lines.append(f'-H "Authorization: {token} $TOKEN"')
    if body is not None:
        media, value = body
        lines.append(f"-H 'Content-Type: {media}'")
        lines.append("--data-binary @leaf.png" if value is None else f"-d {shlex.quote(json.dumps(value))}")
    return " \\\n  ".join(lines)
