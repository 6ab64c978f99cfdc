"""Makes and reads the addresses of the service that messages carry: hosted picker pages and login links.

No record holds one: they are put in when a message is handed out, so that history shows nobody where to log in.

A picker address ends with a ticket: sealed, so that no one reads or makes one, and short-lived. It is bound to the
chat, to the message that carries it and to the asking; that it serves once is the inbox's doing (``pickers``).

A login address ends with a state: sealed as well, but the same for the same link, so that every message that carries
the link shows one address. It says whose link it is; whether that is over is read from the chat (``login.links``).
"""

from __future__ import annotations

import base64
import binascii
from urllib.parse import quote

import msgspec

from dialoom.auth.provider.callback import MAX_STATE_CHARS
from dialoom.auth.vault import Vault
from dialoom.errors import VaultError
from dialoom.service.chat.transcript import Spoken
from dialoom.service.clock import Clock
from dialoom.storage.store import ChatKey

TICKET_LIFETIME_MS = 30 * 60 * 1000
"""Milliseconds (channels.md section 1: short-lived)."""
MAX_TICKET_CHARS = 2048
LOGIN_START = "/v1/account-linking/start"


class PickerTicket(msgspec.Struct, frozen=True, array_like=True):
    """Identifies the question of a picker page. ``message``: id of the record of the message that carries it, so that a
    question asked again has a new one."""

    user: str
    message: str
    ask: str
    """The ``Dialog.key``."""
    expires: int

    @property
    def made_at(self) -> int:
        return self.expires - TICKET_LIFETIME_MS


class _State(msgspec.Struct, frozen=True, array_like=True):
    """Names the chat and the link of a login address."""

    bot: str
    channel: str
    user: str
    link: str


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(PickerTicket)
# A user's id of 256 characters has to go through a provider and back: JSON would make up to six bytes of each.
_state_encoder = msgspec.msgpack.Encoder()
_state_decoder = msgspec.msgpack.Decoder(_State)


class SignedLinks:
    """Signs and checks addresses. ``base_url`` comes without a slash at its end; never taken from a request."""

    def __init__(self, base_url: str, vault: Vault, clock: Clock) -> None:
        self.base_url = base_url
        self._vault = vault
        self._clock = clock

    def chat(self, bot: str, channel: str) -> str:
        """Return the address of the hosted chat page."""
        return f"{self.base_url}/chat/{quote(bot, safe='')}/{quote(channel, safe='')}"

    def put_in(self, key: ChatKey, spoken: Spoken) -> Spoken:
        """Return the message with the addresses that it needs, as channels send it."""
        return self.with_login(key, self.with_picker(key, spoken))

    # -- picker pages

    def with_picker(self, key: ChatKey, spoken: Spoken) -> Spoken:
        """Return the message with the address of the page where its dialog can be answered, if it has one."""
        dialog = spoken.message.dialog
        if dialog is None or not dialog.key or dialog.type == "login":
            return spoken
        ticket = PickerTicket(key.user, spoken.id, dialog.key, self._clock.now() + TICKET_LIFETIME_MS)
        text = _text(self._vault.seal(_encoder.encode(ticket), _row_name(key.bot, key.channel)))
        path = f"/v1/bots/{quote(key.bot, safe='')}/channels/{quote(key.channel, safe='')}/pick/{text}"
        return msgspec.structs.replace(spoken, picker=self.base_url + path)

    def ticket(self, bot: str, channel: str, text: str) -> PickerTicket | None:
        """Return the ticket of a picker address; None when it was not made here for this channel."""
        if len(text) > MAX_TICKET_CHARS:
            return None
        try:
            return _decoder.decode(self._vault.open(_bytes(text), _row_name(bot, channel)))
        except (binascii.Error, UnicodeEncodeError, VaultError, msgspec.DecodeError):
            return None

    # -- login links

    def with_login(self, key: ChatKey, spoken: Spoken) -> Spoken:
        """Return the message with an address in its login dialog, if it has one."""
        dialog = spoken.message.dialog
        if dialog is None or dialog.type != "login" or not dialog.key:
            return spoken
        linked = msgspec.structs.replace(dialog, url=self.login(key, dialog.key))
        return msgspec.structs.replace(spoken, message=msgspec.structs.replace(spoken.message, dialog=linked))

    def login(self, key: ChatKey, link: str) -> str:
        """Return the address of a login link: the same in every message that carries the link."""
        state = _text(self._vault.seal_alike(_state_encoder.encode(_State(*key, link)), _LOGIN_ROW))
        return f"{self.base_url}{LOGIN_START}?state={state}"

    def read_state(self, text: str) -> tuple[ChatKey, str] | None:
        """Return the chat and the link's id of an address or a provider's ``state``; None when it was not made here."""
        if len(text) > MAX_STATE_CHARS:
            return None
        try:
            sealed = _bytes(text)
            if _text(sealed) != text:
                return None  # one link has one text
            state = _state_decoder.decode(self._vault.open(sealed, _LOGIN_ROW))
        except (binascii.Error, UnicodeEncodeError, VaultError, msgspec.DecodeError):
            return None
        return ChatKey(state.bot, state.channel, state.user), state.link


_LOGIN_ROW = "login link"


def _row_name(bot: str, channel: str) -> str:
    return f"pick\0{bot}\0{channel}"


def _text(sealed: bytes) -> str:
    return base64.urlsafe_b64encode(sealed).rstrip(b"=").decode("ascii")


def _bytes(text: str) -> bytes:
    """Decode base64url. Raises ``binascii.Error`` and ``UnicodeEncodeError``."""
    return base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), b"-_", validate=True)
