"""``settings.authentication``: which blocks go together, and what a flow may not override (login.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dialoom.flow.channels import CHANNEL_ROWS
from dialoom.flow.check.known import Known, shown_address
from dialoom.flow.finding import Fault
from dialoom.flow.pieces import Piece

_RESERVED = ("client_id", "redirect_uri", "response_type", "state", "nonce")
_is_safe_issuer = re.compile(
    r"https://.+|http://(localhost|127\.\d+\.\d+\.\d+|\[::1\])([:/].*)?", re.IGNORECASE
).fullmatch


def providers(authentication: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault unless exactly one of ``oidc`` and ``socialnet`` is given and ``workchat.strategy`` names it."""
    blocks = [name for name in ("oidc", "socialnet") if authentication.value.get(name) is not None]
    if not blocks:
        message = 'No provider is given. Add one block, "oidc" or "socialnet".'
        yield Fault(path=authentication.path, message=message)
    elif len(blocks) == 2:
        message = '"oidc" and "socialnet" cannot stand together. Keep one of them.'
        yield Fault(path=authentication.at("socialnet"), message=message, at_key=True)
    workchat = authentication.value.get("workchat")
    if len(blocks) == 1 and isinstance(workchat, dict):
        strategy = workchat.get("strategy")
        if strategy in ("oidc", "socialnet") and strategy != blocks[0]:
            message = f'The strategy must be "{blocks[0]}", as that provider is given.'
            yield Fault(path=authentication.at("workchat", "strategy"), message=message)


def reserved_params(oidc: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for each of ``authorization-params`` that the service itself sends to the provider."""
    params = oidc.value.get("authorization-params")
    for name in params if isinstance(params, dict) else ():
        if name in _RESERVED or name.startswith("code_challenge"):
            message = f'"{name}" is sent by the service itself and cannot be set. Remove it.'
            yield Fault(path=oidc.at("authorization-params", name), message=message, at_key=True)


def issuers(oidc: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for an issuer that is not reached over https; plain http is allowed on this machine only."""
    issuer = oidc.text("issuer")
    if issuer is not None and not _is_safe_issuer(issuer):
        message = f"{shown_address(issuer)} is no https address. Plain http is allowed on loopback only."
        yield Fault(path=oidc.at("issuer"), message=message)


def redirects(authentication: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a ``confirmation-page-redirect-url-web`` that is no literal address."""
    address = authentication.text("confirmation-page-redirect-url-web")
    if address is not None and ("{{" in address or not re.match(r"https?://[^/\s]", address, re.IGNORECASE)):
        message = f"{shown_address(address)} is no literal http(s) address. Templates are not allowed here."
        yield Fault(path=authentication.at("confirmation-page-redirect-url-web"), message=message)


def bindings(authentication: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for each key of a ``binding`` that is no channel label."""
    binding = authentication.value.get("binding")
    labels = tuple(row.type for row in CHANNEL_ROWS.values() if row.is_label)
    for label in binding if isinstance(binding, dict) else ():
        if label not in labels:
            path = authentication.at("binding", label)
            message = f'"{label}" is no channel label.'
            yield Fault(path=path, message=message, word=label, allowed=labels, at_key=True)


def protected_steps(step: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a protected step of a bot without ``authentication``."""
    if step.value.get("protected") is True and not known.has_authentication:
        message = 'A protected step needs "authentication" in the settings. Add it, or remove "protected".'
        yield Fault(path=step.at("protected"), message=message, at_key=True)
