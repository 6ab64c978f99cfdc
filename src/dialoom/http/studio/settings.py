"""Serves the studio's Settings of one bot: its id and addresses, its server access tokens, its channels.

What is shown first holds no secret: a token is given alone, when it is asked for. Who may ask is for
``http.studio.studio``.
"""

from __future__ import annotations

import logging
from typing import Annotated, Literal
from urllib.parse import quote

import msgspec
from msgspec import Meta

from dialoom.errors import RequestError
from dialoom.flow.channels import Channel, row_of
from dialoom.http.problems import not_found
from dialoom.http.server.exchange import Exchange
from dialoom.service.access.tokens import GIVEN_ID
from dialoom.service.clock import iso
from dialoom.service.service import Service
from dialoom.storage.store import TokenRow

log = logging.getLogger(__name__)

SCOPES = ("read", "erase")
NAME = r"^[^\x00-\x1f\x7f-\x9f]*[^\x00-\x20\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*\Z"
"""Not blank, and without control characters: names of tokens are shown on terminals too."""
LABEL = "my-app"
"""Stands for the caller's own label in the address of a rest channel."""


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Accepts the body of a change that has nothing to say: it is there for its content type."""


class NewToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=80, pattern=NAME)]
    scopes: Annotated[tuple[Literal["read", "erase"], ...], Meta(min_length=1, max_length=len(SCOPES))]


class TokenView(msgspec.Struct, frozen=True, rename="camel"):
    """Shows a token without its text. ``is_of_file``: it stands in ``bot.json``."""

    id: str
    name: str
    scopes: tuple[str, ...]
    created_at: str
    revoked_at: str | None
    is_of_file: bool


class MadeView(msgspec.Struct, frozen=True):
    row: TokenView
    token: str


class ChannelView(msgspec.Struct, frozen=True, rename="camel"):
    """Shows a channel. ``address``: where users open it, programs post to, or its platform calls."""

    id: str
    type: str
    name: str | None
    address: str
    allowed_origins: tuple[str, ...]
    requires_user_token: bool
    tokens: tuple[TokenView, ...]


class BotView(msgspec.Struct, frozen=True):
    id: str
    name: str
    version: str
    service: str
    """The service's own address, where the widget's file lies."""
    api: str
    reference: str
    tokens: tuple[TokenView, ...]
    channels: tuple[ChannelView, ...]


class StudioSettings:
    def __init__(self, service: Service, base_url: str) -> None:
        self._service = service
        self._base_url = base_url

    async def bot(self, exchange: Exchange, bot: str) -> None:
        deployed = self._service.bots.known(bot)
        rows = await self._service.tokens.list(bot)
        view = BotView(
            id=deployed.bot.id,
            name=deployed.bot.name,
            version=deployed.version[:12],
            service=self._base_url,
            api=self._api(bot),
            reference=f"{self._base_url}/docs",
            tokens=tuple(_view(row) for row in rows if row.kind == "server"),
            channels=tuple(self._channel(bot, channel, rows) for channel in deployed.bot.channels),
        )
        await exchange.answer(200, msgspec.json.encode(view))

    async def make(self, exchange: Exchange, bot: str) -> None:
        """Make a server access token; its text is given this once."""
        self._service.bots.known(bot)
        wish = await exchange.read(NewToken)
        scopes = tuple(scope for scope in SCOPES if scope in wish.scopes)
        made = await self._service.tokens.create(bot, scopes=scopes, name=wish.name.strip())
        exchange.about = made.row.id
        log.info("studio: token %s of bot %s was made", made.row.id, bot)
        await exchange.answer(201, msgspec.json.encode(MadeView(_view(made.row), made.text)))

    async def show(self, exchange: Exchange, bot: str, id: str) -> None:
        """Answer with one token in clear, of the bot or of a channel."""
        self._service.bots.known(bot)
        await exchange.read(Nothing)
        row = await self._live(bot, id)
        text = self._service.tokens.reveal(row)
        if text is None:
            raise _unknown(bot, id)
        log.info("studio: token %s of bot %s was shown", row.id, bot)
        await exchange.answer(200, msgspec.json.encode({"token": text}))

    async def revoke(self, exchange: Exchange, bot: str, id: str) -> None:
        """End a server access token at once. Those of channels go with ``dialoom token revoke``."""
        self._service.bots.known(bot)
        await exchange.read(Nothing)
        row = await self._live(bot, id)
        if row.kind != "server" or not await self._service.tokens.revoke(bot, row.id):
            raise _unknown(bot, id)
        log.info("studio: token %s of bot %s was revoked", row.id, bot)
        await exchange.answer(204, b"")

    async def _live(self, bot: str, id: str) -> TokenRow:
        rows = await self._service.tokens.list(bot)
        row = next((row for row in rows if row.id == id and row.revoked_at is None), None)
        if row is None:
            raise _unknown(bot, id)
        return row

    def _api(self, bot: str) -> str:
        return f"{self._base_url}/v1/bots/{quote(bot, safe='')}"

    def _channel(self, bot: str, channel: Channel, rows: list[TokenRow]) -> ChannelView:
        tokens = (_view(row) for row in rows if row.channel == channel.id and row.revoked_at is None)
        return ChannelView(
            id=channel.id,
            type=channel.type,
            name=channel.name,
            address=self.address(bot, channel),
            allowed_origins=channel.allowed_origins or (),
            requires_user_token=channel.require_user_token,
            tokens=tuple(tokens),
        )

    def address(self, bot: str, channel: Channel) -> str:
        """Return the address of a channel, as channels.md has it (sections 2, 4 and 6)."""
        row = row_of(channel)
        if row.caller == "page":
            return self._service.addresses.chat(bot, channel.id)
        under = f"{self._api(bot)}/channels/{quote(channel.id, safe='')}"
        return f"{under}/{row.address.format(name=LABEL)}"


def _view(row: TokenRow) -> TokenView:
    return TokenView(
        id=row.id,
        name=row.name,
        scopes=row.scopes,
        created_at=iso(row.created_at),
        revoked_at=None if row.revoked_at is None else iso(row.revoked_at),
        is_of_file=row.id == GIVEN_ID or row.id.startswith(f"{GIVEN_ID}:"),
    )


def _unknown(bot: str, id: str) -> RequestError:
    return not_found(f'Bot "{bot}" has no live token "{id[:80]}" here. Load the page again to see them.')
