"""Makes and checks tokens: who may read a bot's history, who may speak on its channels, which session a browser has.

Server access tokens and rest tokens are secrets: a keyed hash finds them, the vault keeps them sealed. Tokens of web
and mobile channels are public identifiers that stand in page source. Session tokens are signed, not stored.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Sequence
from typing import TypeVar

import msgspec

from dialoom.auth import secret, user_token
from dialoom.auth.user_token import SignedUser
from dialoom.auth.vault import Vault
from dialoom.errors import RequestError, SettingError, StoreError, VaultError
from dialoom.flow.channels import Channel
from dialoom.flow.model import Bot
from dialoom.flow.parts import Secret as Given
from dialoom.service.bots.bots import Bots
from dialoom.service.bots.preflight import tokens_of
from dialoom.service.clock import Clock
from dialoom.storage.sealed import Sealed
from dialoom.storage.store import Store, TokenRow

T = TypeVar("T")

GIVEN_ID = "bot.json"
"""Id of a token that the bot's author wrote into ``bot.json``."""
FIRST_ID = "first"
"""Id of the token that a bot gets when it has none; with a colon and the channel, of the channel's."""
ALGORITHM = "HS256"
"""Of user tokens, where the channel names no other."""
TRUSTED_MS = 1000
"""Milliseconds for which a looked-up token counts without another look."""
MAX_REMEMBERED_TOKENS = 4096


class Token(msgspec.Struct, frozen=True):
    """Holds a new token with its text, to be shown once."""

    row: TokenRow
    text: str


class Tokens:
    def __init__(self, store: Store, vault: Vault, bots: Bots, clock: Clock) -> None:
        self._store = store
        self._vault = vault
        self._bots = bots
        self._clock = clock
        self._known: dict[bytes, tuple[int, TokenRow | None]] = {}
        self._asking: dict[tuple[int, bytes], asyncio.Future[TokenRow | None]] = {}
        self._changes = 0
        """A look-up that began before the last of them counts for nobody who asks behind it."""

    async def prepare(self, bot: str) -> list[Token]:
        """Make sure that the bot's history and each of its open channels has a token; return the new ones."""
        deployed = self._bots.active(bot)
        assert deployed is not None
        rows = [row for row in await self._store.tokens(bot) if row.revoked_at is None]
        made = []
        for kind, channel, given in tokens_of(deployed.bot):
            if channel in deployed.closed:
                continue
            mine = [row for row in rows if row.kind == kind and row.channel == channel]
            text = None if given is None else self._bots.secret(bot, given)
            mine = await self._keep_given(bot, kind, channel, text, mine)
            if not mine:
                id = FIRST_ID if channel is None else f"{FIRST_ID}:{channel}"
                first = await self.keep_first(bot, id, kind=kind, channel=channel, name="made at the first start")
                made += [] if first is None else [first]
        return made

    async def keep_first(
        self, bot: str, id: str, *, kind: str = "server", channel: str | None = None, name: str
    ) -> Token | None:
        """Make the token with this id, unless it is there: None then. Of several processes at once one makes it."""
        if await self._has(bot, id):
            return None
        try:
            return await self._add(bot, id, kind, channel, ("read",), name, _text(kind))
        except StoreError:
            if await self._has(bot, id):
                return None  # another process was first
            raise

    async def _has(self, bot: str, id: str, hashes: Sequence[bytes] = ()) -> bool:
        """Return whether a valid token has this id, and one of these hashes if any are given."""
        rows = [row for row in await self._store.tokens(bot) if row.id == id and row.revoked_at is None]
        return any(not hashes or row.hash in hashes for row in rows)

    async def check_given(
        self, bot: Bot, kind: str, channel: str | None, given: Given | None, taken: dict[bytes, str]
    ) -> None:
        """Check that ``prepare`` can keep a token of ``bot.json``. ``taken``: where each stands, by its hash, of the
        bots that are looked at together. Raises ``SettingError``."""
        if given is None:
            return
        owner = f'Bot "{bot.id}", ' + ("access-token" if channel is None else f'channel "{channel}", token')
        text = self._bots.secret(bot.id, given)
        other = taken.setdefault(self._vault.hash_token(text), owner)
        row = await find_token(self._store, self._vault, text)
        if other == owner and (row is None or _is_for(row, bot.id, kind, channel)):
            return
        if other == owner and row is not None:
            other = f'Bot "{row.bot}", token {row.id}' + ("" if row.revoked_at is None else ", which was revoked")
        raise SettingError(f"{owner}: this token is that of another place ({other}). Give each place its own.")

    async def check_user_key(self, bot: Bot, channel: Channel) -> None:
        """Check that a channel's ``user-secret`` can verify user tokens. Raises ``SettingError``."""
        if channel.user_secret is None:
            return
        key = secret.Secret(self._bots.secret(bot.id, channel.user_secret))
        try:
            await asyncio.to_thread(user_token.check_user_key, key, channel.user_token_algorithm or ALGORITHM)
        except SettingError as error:
            raise SettingError(f'Bot "{bot.id}", channel "{channel.id}": {error}') from error

    async def _keep_given(
        self, bot: str, kind: str, channel: str | None, text: str | None, mine: list[TokenRow]
    ) -> list[TokenRow]:
        """Store the token of ``bot.json`` and revoke one that stood there before; return the valid ones."""
        id = GIVEN_ID if channel is None else f"{GIVEN_ID}:{channel}"
        hashes = () if text is None else self._vault.token_hashes(text)
        for row in [row for row in mine if row.id == id and row.hash not in hashes]:
            await self.revoke(bot, row.id)
            mine.remove(row)
        if text is not None and not any(row.hash in hashes for row in mine):
            try:
                await self._add(bot, id, kind, channel, ("read",), "", text)
            except StoreError:
                if not await self._has(bot, id, hashes):
                    raise
                # Another process, which has the same file, was first.
            return [row for row in await self._store.tokens(bot) if row.id == id]
        return mine

    async def create(
        self,
        bot: str,
        *,
        kind: str = "server",
        channel: str | None = None,
        scopes: tuple[str, ...] = ("read",),
        name: str = "",
    ) -> Token:
        return await self._add(bot, secrets.token_hex(4), kind, channel, scopes, name, _text(kind))

    async def _add(
        self, bot: str, id: str, kind: str, channel: str | None, scopes: tuple[str, ...], name: str, text: str
    ) -> Token:
        row = TokenRow(
            bot=bot,
            id=id,
            kind="server" if kind == "server" else "channel",
            hash=self._vault.hash_token(text),
            sealed=self._vault.seal(text.encode(), token_row_name(bot, id)),
            channel=channel,
            scopes=scopes,
            name=name,
            created_at=self._clock.now(),
        )
        await self._store.add_token(row)
        self._forget()
        return Token(row, text)

    async def list(self, bot: str) -> list[TokenRow]:
        return await self._store.tokens(bot)

    async def revoke(self, bot: str, id: str) -> bool:
        try:
            return await self._store.revoke(bot, id, self._clock.now())
        finally:
            # Also when no answer came: it may have happened.
            self._forget()

    def _forget(self) -> None:
        self._changes += 1
        self._known.clear()

    def reveal(self, row: TokenRow) -> str | None:
        """Return the text of a token, for the operator."""
        return _opened(self._vault, row)

    def is_ours(self, row: TokenRow) -> bool:
        return opens(self._vault, row)

    def resealed(self, row: TokenRow) -> tuple[Sealed, Sealed] | None:
        """Return a row as it is and as sealed by the newest key; None where that key sealed it, or it is not sealed."""
        if row.sealed is None or row.sealed.startswith(self._vault.mark):
            return None
        name = token_row_name(row.bot, row.id)
        text = self._vault.open(row.sealed, name)
        after = Sealed((row.id,), self._vault.seal(text, name), self._vault.hash_token(text.decode()))
        return Sealed((row.id,), row.sealed, row.hash), after

    # -- checks of requests

    async def check_server(self, text: str | None, bot: str, scope: str) -> None:
        """Check a server token, before the bot is looked up, so that nothing is revealed (history-api.md, Errors)."""
        row = await self._find(text)
        if row is None or row.kind != "server":
            raise unauthorized("Bot-Server-Access-Token")
        if row.bot != bot:
            raise RequestError("other-bot", "This token is for another bot.")
        if scope not in row.scopes:
            raise RequestError("scope", f'This token has no right to "{scope}". Make one that has.')

    async def check_channel(self, text: str | None, bot: str, channel: str) -> None:
        """Check a channel token: it is valid on the paths of its own channel alone (channels.md section 3)."""
        row = await self._find(text)
        if row is None or row.kind != "channel":
            raise unauthorized("Bearer")
        if row.bot != bot or row.channel != channel:
            raise RequestError("other-channel", "This token is for another channel.")

    def check_user(self, text: str | None, bot: str, channel: Channel, pointer: str) -> SignedUser | None:
        """Return the user of a signed token; None without one, where the channel allows that. Raises 401."""
        if text is None:
            if not channel.require_user_token:
                return None
            raise RequestError(
                "user-token-required",
                "This channel takes signed users only. Have the page's server sign a user token and send it along.",
                pointer=pointer,
                headers={"WWW-Authenticate": "Bearer"},
            )
        if channel.user_secret is None:
            raise user_token.refused("this channel has no user-secret to check it with", pointer)
        key = secret.Secret(self._bots.secret(bot, channel.user_secret))
        algorithm = channel.user_token_algorithm or ALGORITHM
        expected = user_token.Expected(algorithm, channel.id, self._clock.now() / 1000)
        return user_token.read_user_token(text, key, expected, pointer)

    async def _find(self, text: str | None) -> TokenRow | None:
        if not text:
            return None
        # Remembered under a plain hash: the keyed one costs 5 % of a turn, and no token is looked up by its own text.
        fingerprint = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        now = self._clock.now()
        known = self._known.get(fingerprint)
        # One from the future is old: the clock was put back.
        age = now - known[0] if known is not None and known[0] <= now else TRUSTED_MS
        if known is not None and age < TRUSTED_MS // 2:
            return known[1]
        # All requests of a token that has to be looked up wait for one look-up: under load there would be hundreds. One
        # that is used all the time is looked up before its time is over, so that nobody waits.
        key = (self._changes, fingerprint)
        asking = self._asking.get(key)
        if asking is None:
            asking = self._asking[key] = asyncio.ensure_future(self._look_up(text, fingerprint, now))
            asking.add_done_callback(lambda done: self._asked(key, done))
        if known is not None and age < TRUSTED_MS:
            return known[1]
        assert asking is not None
        return await asyncio.shield(asking)

    def _asked(self, key: tuple[int, bytes], done: asyncio.Future[TokenRow | None]) -> None:
        """End a look-up: those that wait for it get its error; if none does, the next request looks up again."""
        del self._asking[key]
        if not done.cancelled():
            done.exception()

    async def _look_up(self, text: str, fingerprint: bytes, now: int) -> TokenRow | None:
        changes = self._changes
        row = await find_token(self._store, self._vault, text)
        if row is not None and row.revoked_at is not None:
            row = None
        if len(self._known) >= MAX_REMEMBERED_TOKENS:
            self._known.clear()
        if changes == self._changes:
            self._known[fingerprint] = (now, row)
        return row

    # -- signed tokens of browsers

    def sign(self, value: msgspec.Struct, purpose: str) -> str:
        return self._vault.sign(msgspec.json.encode(value), purpose)

    def verify(self, text: str | None, purpose: str, type: type[T]) -> T | None:
        """Return the signed value; None when the signature is not valid for this purpose."""
        if not text:
            return None
        try:
            return msgspec.json.decode(self._vault.verify(text, purpose), type=type)
        except (VaultError, msgspec.DecodeError):
            return None

    def is_lasting(self, text: str | None) -> bool:
        """Return whether a verified text was signed by the newest key; else it is to be signed again."""
        return bool(text) and self._vault.is_signed_by_newest(text or "")


async def find_token(store: Store, vault: Vault, text: str) -> TokenRow | None:
    """Find a token by its text, under whichever key it was hashed."""
    for hash in vault.token_hashes(text):
        if (row := await store.token(hash)) is not None:
            return row
    return None


def _opened(vault: Vault, row: TokenRow) -> str | None:
    return None if row.sealed is None else vault.open(row.sealed, token_row_name(row.bot, row.id)).decode()


def opens(vault: Vault, row: TokenRow) -> bool:
    """Return whether these keys find a token by its text. Raises ``VaultError`` when they cannot even open it."""
    text = _opened(vault, row)
    return text is not None and row.hash in vault.token_hashes(text)


def _text(kind: str) -> str:
    """Make the text of a new token of this kind."""
    return f"{'dlm' if kind == 'server' else 'dlc'}_{secrets.token_urlsafe(32)}"


def _is_for(row: TokenRow, bot: str, kind: str, channel: str | None) -> bool:
    """Return whether a stored token may be the one of ``bot.json`` for this place: it was before, or is now."""
    if row.bot != bot:
        return False
    id = GIVEN_ID if channel is None else f"{GIVEN_ID}:{channel}"
    return row.id == id or (row.revoked_at is None and (row.kind, row.channel) == (kind, channel))


def token_row_name(bot: str, id: str) -> str:
    return f"token\0{bot}\0{id}"


def unauthorized(scheme: str) -> RequestError:
    return RequestError(
        "unauthorized",
        f"There is no valid token with this request. Send the header Authorization: {scheme} <token>.",
        headers={"WWW-Authenticate": scheme},
    )
