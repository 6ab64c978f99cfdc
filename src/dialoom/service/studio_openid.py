"""Signs people in to the studio by OpenID Connect: keeps what each sign-in asked for, ties it to its browser, and says
who came back. The checks are those of every login (``openid``); which role is had is for ``access.studio_roles``, what
the browser gets for ``http.studio.openid``.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final
from urllib.parse import urlsplit

import msgspec

from dialoom.auth.provider import Asked, CallbackParams, OidcClient, Person
from dialoom.auth.secret import Secret
from dialoom.auth.vault import Vault
from dialoom.errors import RequestError
from dialoom.service.access.key_check import NO_BOT
from dialoom.service.access.studio_roles import grant_of, read_roles
from dialoom.service.access.studio_rows import StudioRows
from dialoom.service.access.studio_sign_in import Grant
from dialoom.service.clock import Clock
from dialoom.service.login.openid import OpenId
from dialoom.service.login.providers import in_time
from dialoom.service.settings import Settings
from dialoom.storage.store import Store

CALLBACK: Final = "/v1/studio/sign-in/openid/callback"
"""Where the provider sends the browser back to."""
SIGN_IN_LIFETIME_MS: Final = 10 * 60 * 1000
MAX_NAME_CHARS: Final = 80


class _Begun(msgspec.Struct, frozen=True):
    """What is sealed of a sign-in until it ends. ``browser``: SHA-256 of the secret in its cookie."""

    nonce: str
    verifier: str
    browser: str
    to: str


class Arrival(msgspec.Struct, frozen=True):
    """Says who came back from the provider. ``grant``: None where no row fits; ``to``: where the person was."""

    person: Person
    name: str
    grant: Grant | None
    to: str


class StudioOpenId:
    """Begins and ends sign-ins. ``base_url`` without a slash at its end."""

    def __init__(
        self, store: Store, vault: Vault, clock: Clock, open_id: OpenId, settings: Settings, base_url: str
    ) -> None:
        self._rows = StudioRows(store, vault, clock, "sign-in")
        self._clock = clock
        self._open_id = open_id
        self._redirect_uri = base_url + CALLBACK
        self._roles = read_roles(settings.studio_openid_roles, "the settings")
        self._client: OidcClient | None = None
        self.provider: str | None = None
        """What people call the provider; None where nobody signs in by one."""
        if settings.studio_openid_issuer is not None:
            self._client = OidcClient(
                issuer=settings.studio_openid_issuer,
                client_id=settings.studio_openid_client_id or "",
                client_secret=Secret(settings.studio_openid_client_secret or ""),
                scope=settings.studio_openid_scope,
            )
            self.provider = settings.studio_openid_name or urlsplit(settings.studio_openid_issuer).netloc

    async def begin(self, browser: str, to: str) -> str:
        """Return the address of the provider that the browser is sent to. ``browser``: the secret in its cookie;
        ``to``: the path where it goes in the end. Raises ``ProviderFailed``."""
        client = self._known()
        state = secrets.token_urlsafe(32)
        # RFC 7636 section 4.1: 43 to 128 characters; 32 bytes make 43.
        begun = _Begun(secrets.token_urlsafe(32), secrets.token_urlsafe(32), _hash(browser), to)
        address = await in_time(self._open_id.address(client, self._asked(state, begun)))
        expires_at = self._clock.now() + SIGN_IN_LIFETIME_MS
        await self._rows.add(NO_BOT, _hash(state), msgspec.json.encode(begun), expires_at)
        return address

    async def finish(self, browser: str | None, params: CallbackParams) -> Arrival:
        """Take the sign-in for its one use, of however many processes, and return who it is. Raises ``RequestError``
        ``login-over``, ``login-browser`` (nothing is used up then) and ``login-cancelled``, and ``ProviderFailed``."""
        client, state = self._known(), params.state or ""
        row = await self._rows.get(NO_BOT, _hash(state))
        if row is None:
            raise _over()
        begun = msgspec.json.decode(row.body, type=_Begun)
        if browser is None or not hmac.compare_digest(_hash(browser), begun.browser):
            raise RequestError("login-browser", "This sign-in was not begun in this browser. Begin one in the studio.")
        if not await self._rows.delete(NO_BOT, row.id):
            raise _over()
        if await in_time(self._open_id.is_cancelled(client.issuer, params)):
            raise RequestError("login-cancelled", "The sign-in was cancelled. Begin another one in the studio.")
        person = await in_time(self._open_id.person(client, self._asked(state, begun), params))
        return Arrival(person, _name_of(person), grant_of(self._roles, person), begun.to)

    def _known(self) -> OidcClient:
        if self._client is None:
            raise RequestError("not-found", "Nobody signs in to this studio by OpenID Connect.")
        return self._client

    def _asked(self, state: str, begun: _Begun) -> Asked:
        return Asked(state=state, nonce=begun.nonce, verifier=begun.verifier, redirect_uri=self._redirect_uri)


def _over() -> RequestError:
    detail = "This sign-in was used already, or its 10 minutes are over. Begin another one in the studio."
    return RequestError("login-over", detail)


def _name_of(person: Person) -> str:
    """Return what sessions, hand-offs and the log call a person."""
    name = person.name or person.preferred_username or person.email or person.subject
    return name[:MAX_NAME_CHARS]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("ascii", "replace")).hexdigest()
