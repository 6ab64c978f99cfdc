"""Decides who may speak in which conversation of a Direct Line channel: its secret, tokens, conversation ids.

Nothing of it is stored. A conversation's id is sealed and says whose it is and where in the user's chat it begins; a
token is signed and names its conversation.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hmac
import logging
import secrets
import uuid
from typing import NamedTuple

import msgspec

from dialoom.channels._contract import limits
from dialoom.errors import RequestError, SettingError, VaultError
from dialoom.flow.channels import Channel
from dialoom.http.problems import not_found
from dialoom.service.observe.logs import ThrottledLog
from dialoom.service.service import Service
from dialoom.storage.store import ChatKey

log = logging.getLogger(__name__)

TOKEN_SECONDS = 1800
MAX_CONVERSATION_CHARS = 4096
"""Of an id: sealed, with a user's id and name of 256 characters each."""
_PURPOSE = "directline"


class Conversation(msgspec.Struct, frozen=True, array_like=True):
    """What a conversation's id says."""

    user: str
    name: str | None
    after: int
    """The position in the user's chat behind which it begins."""
    nonce: str


class Token(msgspec.Struct, frozen=True, array_like=True):
    """What a token says. ``expires``: milliseconds since 1970. ``origins``: the pages that may use it; any that the
    channel allows, where none is named."""

    bot: str
    channel: str
    conversation: str
    expires: int
    origins: tuple[str, ...] = ()


class Caller(NamedTuple):
    """Who calls: the holder of a token, or of the secret."""

    token: Token | None


class DirectLineAccess:
    """Makes and checks tokens and conversation ids."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._unchecked = ThrottledLog(log)

    def caller(self, text: str | None, bot: str, channel: Channel, origin: str | None) -> Caller:
        """Return who a token or the secret belongs to. Raises ``RequestError`` 401 without one, 403 for one that is not
        valid."""
        if not text:
            detail = "Send the secret of this channel, or a token made with it: Authorization: Bearer <it>."
            raise RequestError("unauthorized", detail, headers={"WWW-Authenticate": "Bearer"})
        token = self._service.tokens.verify(text, _PURPOSE, Token)
        if token is None:
            if hmac.compare_digest(text.encode("utf-8", "replace"), self._secret(bot, channel).encode()):
                return Caller(None)
            raise RequestError("directline-token", "This is no token of this channel, and not its secret.")
        if (token.bot, token.channel) != (bot, channel.id):
            raise RequestError("directline-token", "This token is for another channel.")
        if token.expires <= self._service.clock.now():
            raise RequestError("directline-expired", "The token has expired. Get a new one with the secret.")
        if token.origins and origin is not None and origin.lower() not in token.origins:
            raise RequestError("directline-token", "This token is for pages of other origins (trustedOrigins).")
        return Caller(token)

    def _secret(self, bot: str, channel: Channel) -> str:
        try:
            if channel.secret is None:
                raise SettingError(f'Channel "{channel.id}" of bot.json has no secret. Write one.')
            found = self._service.bots.secret(bot, channel.secret)
            if not found:
                raise SettingError(f'The secret of channel "{channel.id}" of bot.json is empty.')
        except SettingError as error:
            # For the operator, not for the caller.
            line = f"calls to channel {channel.id} of bot {bot} cannot be checked: {error}"
            self._unchecked.warn(line, asyncio.get_running_loop().time(), bot, channel.id)
            detail = f'Channel "{channel.id}" of bot "{bot}" takes no calls before its operator has set its secret.'
            raise not_found(detail) from None
        return found

    # -- conversations

    async def begin(self, bot: str, channel: Channel, user: str | None, name: str | None) -> str:
        """Return the id of a new conversation. ``user``: as the holder of the secret names it; else a random one."""
        if user is not None:
            limits.check_id(user, "/user/id")
        limits.check_length(name, "/user/name")
        chosen = user if user is not None else f"dl_{uuid.uuid4().hex}"
        last = await self._service.store.last_said(ChatKey(bot, channel.id, chosen), 1) if user is not None else []
        begun = Conversation(chosen, name, last[0].position if last else 0, secrets.token_hex(8))
        sealed = self._service.vault.seal(msgspec.msgpack.encode(begun), _row_name(bot, channel.id))
        return base64.urlsafe_b64encode(sealed).rstrip(b"=").decode("ascii")

    def conversation(self, bot: str, channel: Channel, id: str) -> Conversation:
        """Return what the id of a conversation says. Raises ``RequestError`` 404 for one that was not made here."""
        if len(id) <= MAX_CONVERSATION_CHARS:
            try:
                sealed = base64.b64decode(id.encode("ascii") + b"=" * (-len(id) % 4), b"-_", validate=True)
                plain = self._service.vault.open(sealed, _row_name(bot, channel.id))
                return msgspec.msgpack.decode(plain, type=Conversation)
            except (binascii.Error, UnicodeEncodeError, VaultError, msgspec.DecodeError):
                pass
        raise gone()

    # -- tokens

    def token(self, bot: str, channel: Channel, conversation: str, origins: tuple[str, ...] = ()) -> str:
        """Return a token for a conversation."""
        expires = self._service.clock.now() + TOKEN_SECONDS * 1000
        return self._service.tokens.sign(Token(bot, channel.id, conversation, expires, origins), _PURPOSE)


def gone() -> RequestError:
    """Return the refusal of a conversation that is none."""
    return RequestError("directline-conversation", "There is no such conversation here, or it was erased. Begin one.")


def _row_name(bot: str, channel: str) -> str:
    return f"directline\0{bot}\0{channel}"
