"""Finds where the secrets of a bot go, and what a change of its files would send elsewhere.

A bot's author may use what the operator holds (environment variables, credentials) only where an administrator has
published that use. Whose change is refused is for ``publishing`` and ``http.studio``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from dialoom.errors import RequestError
from dialoom.flow.pieces import SECRETS, Piece, pieces
from dialoom.flow.schema import FILES


class Use(NamedTuple):
    """Says that a secret goes somewhere. ``variable``: that holds it; "" for one that stands in the file, as ``text``.
    ``place``: the scheme and host of a call, or what else it is for. ``name``: how people are told of the secret."""

    variable: str
    text: str
    place: str
    name: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.variable, self.text, self.place


def refuse_changes(before: Mapping[str, str], after: Mapping[str, str], what_else: str) -> None:
    """Raise ``RequestError`` 403 for files that use a secret as those before do not. ``what_else``: what somebody who
    is no administrator can do instead."""
    if changes := credential_changes(before, after):
        raise RequestError(
            "administrator-needed",
            f"This needs an administrator, because it gives the bot more of what the operator keeps: "
            f"{' '.join(changes)} {what_else}",
        )


def credential_changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return a sentence for each environment variable that is named first in the files after, and for each secret that
    they send where those before do not. A secret that stands first in the files after is its author's own."""
    old_values, new_values = _values(before), _values(after)
    known = set(_variables(old_values))
    sentences = [f'It names the environment variable "{name}".' for name in _variables(new_values) if name not in known]
    old = list(_uses(old_values))
    places, texts = {use.key for use in old}, {use.text for use in old if use.text}
    sentences += [
        f"It sends {use.name} to {use.place}."
        for use in _uses(new_values)
        if use.key not in places and (use.variable in known if use.variable else use.text in texts)
    ]
    return list(dict.fromkeys(sentences))


def _values(files: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of the files that make a bot; a file that is no JSON cannot be published and has none."""
    values: dict[str, Any] = {}
    for name in FILES:
        try:
            values[name] = json.loads(files.get(name, "null").removeprefix("\ufeff"))
        except (ValueError, RecursionError):
            continue
    return values


def _variables(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for one in value:
            yield from _variables(one)
    elif isinstance(value, dict):
        if isinstance(value.get("env"), str):
            yield value["env"]
        for one in value.values():
            yield from _variables(one)


def _uses(values: Mapping[str, Any]) -> Iterator[Use]:
    all_pieces = pieces(values)
    credentials = {str(piece.path[-1]): piece for piece in all_pieces if piece.kind == "credential"}
    for piece in all_pieces:
        if piece.kind == "credential":
            yield from _secrets_to(piece, _host(piece.text("url-prefix")))
        elif piece.kind == "data-source":
            yield from _uses_of_source(piece, credentials)
        elif piece.kind == "channel":
            calls = _host(piece.text("callback-url"))
            yield from _secrets_to(piece, f"a {piece.text('type')} channel" + (f" that calls {calls}" if calls else ""))
        elif piece.kind == "oidc":
            yield from _secrets_to(piece, _host(piece.text("issuer")))
        elif piece.kind == "bot":
            yield from _secrets_to(piece, "the bot's access token")
        elif piece.kind in SECRETS:
            yield from _secrets_to(piece, f"the login by {piece.kind}")


def _uses_of_source(source: Piece, credentials: Mapping[str, Piece]) -> Iterator[Use]:
    host = _host(source.text("endpoint"))
    headers = source.value.get("headers")
    for name, value in headers.items() if isinstance(headers, dict) else ():
        # A text is an ordinary header, which templates fill.
        if isinstance(value, dict):
            yield from _use(value, host, name)
    method = source.text("authentication-method")
    if method is not None and method in credentials:
        yield from _secrets_to(credentials[method], host)


def _secrets_to(piece: Piece, place: str) -> Iterator[Use]:
    for key in SECRETS[piece.kind]:
        yield from _use(piece.value.get(key), place, str(piece.path[-1]) if piece.path else key)


def _use(secret: Any, place: str, name: str) -> Iterator[Use]:
    if not place:
        return
    if isinstance(secret, dict) and isinstance(secret.get("env"), str):
        yield Use(secret["env"], "", place, f'"{secret["env"]}"')
    elif isinstance(secret, str):
        yield Use("", secret, place, f'the credential "{name}"')


def _host(address: str | None) -> str:
    """Return scheme and host as they are written: two spellings of one host are two, which asks once too often."""
    if not address:
        return ""
    try:
        parts = urlsplit(address)
    except ValueError:
        return address[:200]
    return f"{parts.scheme}://{parts.netloc}".lower() if parts.netloc else address[:200]
