"""Data sources and secrets: what a request needs, and that no secret stands in clear (flow-language.md 1 and 7)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dialoom.flow.pieces import SECRETS
from dialoom.flow.report import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.flow.check.known import Known
    from dialoom.flow.pieces import Piece
    from dialoom.flow.positions import Path

_SECRET_HEADERS = frozenset({"authorization", "proxy-authorization", "cookie", "x-api-key", "api-key"})
# The literal part may end within the scheme, as in "http{{s}}://".
_begins_as_web_address = re.compile(r"https?://|https?:?/?$", re.IGNORECASE).match
_is_token = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+").fullmatch
_is_variable = re.compile(r"BOT_[A-Za-z0-9_]+").fullmatch


def origins_of_data(source: Piece, _: Known) -> Iterator[Fault]:
    """A data-source is a request or a value in memory, one of the two."""
    given = [key for key in ("endpoint", "entity") if source.value.get(key) is not None]
    if not given:
        message = 'A data-source needs an "endpoint" to call or an "entity" to read.'
        yield Fault(path=source.path, message=message, allowed=("endpoint", "entity"))
    elif len(given) == 2:
        message = '"endpoint" and "entity" cannot stand together. Keep one of them.'
        yield Fault(path=source.at("entity"), message=message, at_key=True)
    elif source.text(given[0]) == "":
        yield Fault(path=source.at(given[0]), message=f'"{given[0]}" is empty.')


def header_names(source: Piece, _: Known) -> Iterator[Fault]:
    """Names of headers as HTTP allows them (RFC 9110 section 5.1)."""
    headers = source.value.get("headers")
    for name in headers if isinstance(headers, dict) else ():
        if not _is_token(name):
            message = f'"{name[:80]}" is no header name: letters, digits and "-" only.'
            yield Fault(path=source.at("headers", name), message=message, at_key=True)


def literal_addresses(source: Piece, _: Known) -> Iterator[Fault]:
    """The literal beginning of an endpoint is an http(s) address; such a call always fails."""
    literal = (source.text("endpoint") or "").split("{{")[0]
    if literal and not _begins_as_web_address(literal):
        message = "This is no http(s) address, so that every call of it fails. Begin it with https:// or http://."
        yield Fault(path=source.at("endpoint"), message=message)


def missing_methods(source: Piece, _: Known) -> Iterator[Fault]:
    """A request without ``method``."""
    if source.text("endpoint") and "method" not in source.value:
        yield Fault(path=source.path, message='"method" is missing: GET is taken.')


def variables(piece: Piece, known: Known) -> Iterator[Fault]:
    """A secret's variable begins with ``BOT_``, so that a flow cannot read the service's own settings."""
    for path, secret in _secrets(piece):
        name = secret.get("env") if isinstance(secret, dict) else None
        if isinstance(name, str) and not _is_variable(name) and name not in known.variables:
            message = (
                f'"{name[:80]}" is not open to bots. Begin its name with "BOT_", or list it in the setting BOT_ENV.'
            )
            yield Fault(path=(*path, "env"), message=message)


def literal_secrets(piece: Piece, _: Known) -> Iterator[Fault]:
    """A secret that stands in the file in clear."""
    for path, secret in _secrets(piece):
        if not isinstance(secret, str) or not secret:
            continue
        key = str(path[-1])
        is_header = piece.kind == "data-source"
        if is_header and ("{{" in secret or key.lower() not in _SECRET_HEADERS):
            continue
        # Tokens of web and mobile stand in page source and give no right but to open a chat (channels.md section 3).
        if piece.kind == "channel" and key == "token" and piece.text("type") in ("web", "mobile"):
            continue
        other = " or an authentication-method" if is_header else ""
        message = f'A secret stands here in clear. Write {{"env": "BOT_..."}}{other} and set that variable.'
        yield Fault(path=path, message=message)


def _secrets(piece: Piece) -> Iterator[tuple[Path, object]]:
    for key in SECRETS.get(piece.kind, ()):
        if key in piece.value:
            yield piece.at(key), piece.value[key]
    headers = piece.value.get("headers") if piece.kind == "data-source" else None
    if isinstance(headers, dict):
        for name, value in headers.items():
            yield piece.at("headers", name), value
