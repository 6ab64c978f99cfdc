"""Checks the channels of bot.json (channels.md section 6): keys of single platforms, origins, addresses to post to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

from dialoom.flow.channels import CHANNEL_ROWS, types_with_token
from dialoom.flow.check.known import Known, shown_address
from dialoom.flow.finding import Fault
from dialoom.flow.pieces import Piece

# Whole and literal: there is no memory to render it with. A fragment is never sent.
_is_plain = re.compile(r"https?://[^/?#@\s{}\\]+([/?][^#\s{}\\]*)?", re.IGNORECASE).fullmatch
_is_origin = re.compile(r"https?://[^/?#@\s*]+", re.IGNORECASE).fullmatch


def platform_keys(channel: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for each key that belongs to another type of channel."""
    kind = channel.text("type")
    if kind is None:
        return
    for row in CHANNEL_ROWS.values():
        for key in row.keys:
            if row.type != kind and key in channel.value:
                message = f'"{key}" belongs to a {row.type} channel; this one is {kind}. Remove it, or change the type.'
                yield Fault(path=channel.at(key), message=message, at_key=True)


def origins(channel: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for each of ``allowed-origins`` that is no origin in full: ``*`` is never allowed."""
    for index, origin in enumerate(channel.list("allowed-origins")):
        if not isinstance(origin, str) or _is_origin(origin):
            continue
        if "*" in origin:
            message = f'{shown_address(origin)} would let pages in that are not named. List each origin, as in "https://www.example.com".'
        else:
            message = f'{shown_address(origin)} is no origin: scheme, host and port without a path, as in "https://www.example.com".'
            shorter = origin.rstrip("/")
            if _is_origin(shorter):
                message += f' Did you mean "{shorter}"?'
        yield Fault(path=channel.at("allowed-origins", index), message=message)


def user_tokens(channel: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for each setting of user tokens without the key that checks them, or on a channel whose users
    cannot bring a token."""
    kind = channel.text("type")
    has_key = channel.value.get("user-secret") is not None
    for key in ("user-secret", "user-token-algorithm", "require-user-token"):
        if not channel.value.get(key):
            continue
        if kind is not None and kind not in types_with_token():
            allowed = ", ".join(types_with_token())
            message = f'"{key}" is for {allowed} channels; this one is {kind}, whose platform knows the user.'
            yield Fault(path=channel.at(key), message=f"{message} Remove it.", at_key=True)
        elif not has_key:
            message = f'"{key}" needs "user-secret", the key that checks the tokens. Add it, or remove "{key}".'
            yield Fault(path=channel.at(key), message=message, at_key=True)


def logins_from_pages(channel: Piece, _: Known) -> Iterator[Fault]:
    """Warn of ``login-from-page``: with it, whoever opens the page's console can log in as anybody."""
    if channel.value.get("login-from-page") is True:
        message = (
            "Any page, and any visitor in the browser's console, can now set the login unsigned. Prefer user-secret: "
            "the context of a signed user token may set it as well."
        )
        yield Fault(path=channel.at("login-from-page"), message=message, at_key=True)


def callbacks(channel: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault where ``callback-url`` or ``callback-secret`` is given alone: nothing is posted unsigned."""
    given = [key for key in ("callback-url", "callback-secret") if channel.value.get(key)]
    if given == ["callback-url"]:
        message = (
            '"callback-url" needs "callback-secret": posts are signed with it, and none goes out unsigned. Add it.'
        )
        yield Fault(path=channel.at("callback-url"), message=message, at_key=True)
    elif given == ["callback-secret"]:
        message = '"callback-secret" signs what is posted to "callback-url". Add that, or remove this.'
        yield Fault(path=channel.at("callback-secret"), message=message, at_key=True)


def callback_addresses(channel: Piece, _: Known) -> Iterator[Fault]:
    address = channel.text("callback-url")
    if address:
        yield from _address(channel, address, "callback-url")


def live_agent_addresses(bot: Piece, _: Known) -> Iterator[Fault]:
    agents = bot.value.get("live-agents")
    for name, address in agents.items() if isinstance(agents, dict) else ():
        if isinstance(address, str):
            yield from _address(bot, address, "live-agents", name)


def _address(piece: Piece, address: str, *keys: str) -> Iterator[Fault]:
    if not _can_be_posted_to(address):
        message = (
            "Nothing can be posted there: an address is http(s)://host/path, its port from 1 to 65535, without a user "
            "name, a fragment (#...) and templates. Give a user name by a credential with url-prefix."
        )
        yield Fault(path=piece.at(*keys), message=message)


def _can_be_posted_to(address: str) -> bool:
    # It raises for a port beyond 65535 or that is no number, and for half an IPv6 address.
    with suppress(ValueError):
        parts = urlsplit(address)
        return _is_plain(address) is not None and bool(parts.hostname) and parts.port != 0
    return False
