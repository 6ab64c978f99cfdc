"""Secrets: that they name a variable that is open to bots, and do not stand in a file in clear (flow-language.md 1)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dialoom.flow.channels import CHANNEL_ROWS, types_with_token
from dialoom.flow.check.known import Known
from dialoom.flow.finding import Fault
from dialoom.flow.pieces import MIN_TOKEN_CHARACTERS, SECRETS, Piece
from dialoom.flow.positions import Path

KINDS = ("bot", "channel", "credential", "oidc", "socialnet", "data-source")

_SECRET_HEADERS = frozenset({"authorization", "proxy-authorization", "cookie"})
_is_secret_name = re.compile(
    r"(.*[-_])?(password|passwd|secret|client[-_]?secret|api[-_]?key|(access|auth|refresh)[-_]?token)", re.IGNORECASE
).fullmatch
_is_token_name = re.compile(r"(.*[-_])?(token|key|sig|signature)", re.IGNORECASE).fullmatch
_looks_made = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[\w.~+/=-]{16,}").fullmatch
"""Long, with letters and digits and no blank: nobody's word."""
_PARAMETER = re.compile(r"[?&]([\w.-]+)=([^&#]+)")
_IN_CLEAR = "A secret stands here in clear."
_OR_METHOD = "or name an authentication-method."
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def variables(piece: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a secret's variable that is not open to the bot, so that a flow cannot read the service's own
    settings."""
    for path, secret in _secrets(piece):
        name = secret.get("env") if isinstance(secret, dict) else None
        if isinstance(name, str) and known.bot is not None and not known.variables.are_open_to(known.bot, name):
            # Its name is not shown: people write the secret itself there.
            message = f"This variable is not open to the bot. {known.variables.advice(known.bot)}"
            yield Fault(path=(*path, "env"), message=message)


def short_tokens(piece: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a token of the service's own that is short enough to guess. Tokens of platforms have the length
    that the platform gives them."""
    key = "access-token" if piece.kind == "bot" else "token"
    token = piece.text(key)
    if piece.kind == "channel" and piece.text("type") not in types_with_token():
        return
    if token is not None and len(token) < MIN_TOKEN_CHARACTERS:
        message = (
            f"This token has fewer than {MIN_TOKEN_CHARACTERS} characters and can be guessed. Leave it out, and the "
            f"service makes one; or take one from: openssl rand -hex 16"
        )
        yield Fault(path=piece.at(key), message=message)


def literals(piece: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for each secret that stands in the file in clear."""
    if piece.kind == "data-source":
        yield from _in_request(piece)
        return
    for path, secret in _secrets(piece):
        if not isinstance(secret, str) or not secret:
            continue
        key = str(path[-1])
        # A public token stands in page source and gives no right but to open a chat (channels.md section 3).
        row = CHANNEL_ROWS.get(piece.text("type") or "") if piece.kind == "channel" else None
        if row is not None and key == "token" and row.caller == "page":
            continue
        # The public key of an asymmetric algorithm is no secret.
        if key == "user-secret" and piece.text("user-token-algorithm") in ("ES256", "RS256"):
            continue
        yield Fault(path=path, message=f'{_IN_CLEAR} Write {{"env": "BOT_..."}} and set that variable.')


def _in_request(source: Piece) -> Iterator[Fault]:
    for path, value in _secrets(source):
        name = str(path[-1])
        is_named = name.lower() in _SECRET_HEADERS or _is_named_secret(name, value)
        if isinstance(value, str) and value and "{{" not in value and is_named:
            yield Fault(path=path, message=f'{_IN_CLEAR} Write {{"env": "BOT_..."}} {_OR_METHOD}')
    for path, name, value in _texts(source.at("payload"), "", source.value.get("payload")):
        if value and "{{" not in value and _is_named_secret(name, value):
            yield Fault(path=path, message=f'{_IN_CLEAR} Send it in a header as {{"env": "BOT_..."}}, {_OR_METHOD}')
    endpoint = source.text("endpoint") or ""
    for found in _PARAMETER.finditer(endpoint):
        if "{{" not in found[2] and _is_named_secret(found[1], found[2]):
            message = f'{_IN_CLEAR} Send it in a header as {{"env": "BOT_..."}}, {_OR_METHOD}'
            yield Fault(path=source.at("endpoint"), message=message, characters=found.start(2))


def _is_named_secret(name: str, value: object) -> bool:
    """Return whether the key says that its value is a secret; ``token`` and ``key`` say so only of a value that looks
    generated."""
    parted = _HUMP.sub("-", name)
    if _is_secret_name(parted):
        return True
    return bool(_is_token_name(parted)) and isinstance(value, str) and _looks_made(value) is not None


def _secrets(piece: Piece) -> Iterator[tuple[Path, object]]:
    for key in SECRETS.get(piece.kind, ()):
        if key in piece.value:
            yield piece.at(key), piece.value[key]
    headers = piece.value.get("headers") if piece.kind == "data-source" else None
    if isinstance(headers, dict):
        for name, value in headers.items():
            yield piece.at("headers", name), value


def _texts(path: Path, name: str, value: object) -> Iterator[tuple[Path, str, str]]:
    """Yield every text of a payload with its path and the key that it stands under."""
    if isinstance(value, str):
        yield path, name, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _texts((*path, index), name, item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts((*path, key), str(key), item)
