"""Talks to the provider of a login, of either provider block: where the browser is sent, and what a login, a refresh
and a revocation ask of the provider. Links, browsers and chats are left to ``links``, the calls to ``openid`` and
``social``.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

import msgspec

from dialoom.auth.provider import Asked, CallbackParams, OidcClient, SocialClient
from dialoom.auth.provider.requests import DEADLINE
from dialoom.auth.secret import Secret
from dialoom.data.egress import Egress
from dialoom.data.fetcher import Fetcher
from dialoom.engine.effects import Request
from dialoom.errors import SettingError
from dialoom.flow.model import Authentication, Oidc, Socialnet
from dialoom.flow.parts import Secret as Written
from dialoom.service.bots.bots import Deployed
from dialoom.service.chat.login_values import Grant, Login
from dialoom.service.clock import Clock
from dialoom.service.login.links import Opened
from dialoom.service.login.openid import OpenId
from dialoom.service.login.provider_calls import CALLS, Calls, ProviderFailed
from dialoom.service.login.social import Social
from dialoom.service.observe.instruments import Counts

log = logging.getLogger(__name__)

MAX_LOGIN_SECONDS: Final = 12.0
"""That all calls of one login share (login.md, The flow, 3)."""
T = TypeVar("T")

CALLBACK: Final = "/v1/account-linking"
"""Where the provider sends the browser back to."""


class SocialPlaces(msgspec.Struct, frozen=True):
    """Holds the settings ``socialnet_dialog_url`` and ``socialnet_graph_url``."""

    dialog: str
    graph: str


class Providers:
    """Makes logins, refreshes and revocations of either kind of provider. ``secret`` reads a secret of the files of the
    bot with this id; raises ``SettingError``. ``base_url`` has no slash at its end. ``revocations``: counts revoked
    tokens by bot and outcome. The fetcher is its own, since answers of providers have a limit of their own
    (``provider_calls.BODY_LIMIT``), and is closed with this."""

    def __init__(
        self,
        fetcher: Fetcher,
        egress: Egress,
        secret: Callable[[str, Written], str],
        clock: Clock,
        base_url: str,
        social: SocialPlaces,
        revocations: Counts,
        *,
        call_seconds: float = DEADLINE,
        login_seconds: float = MAX_LOGIN_SECONDS,
    ) -> None:
        calls = Calls(fetcher, egress, call_seconds)
        self._fetcher = fetcher
        self._secret = secret
        self._redirect_uri = base_url + CALLBACK
        self._places = social
        self._seconds = login_seconds
        self.open_id = OpenId(calls, clock, revocations)
        self._social = Social(calls, clock)

    async def address(self, opened: Opened) -> str:
        """Return the address that the browser is sent to. Raises ``ProviderFailed``."""
        authentication, asked = opened.authentication, self._asked(opened)
        if authentication.oidc is not None:
            return await self.open_id.address(self._oidc(opened.key.bot, authentication.oidc), asked)
        return self._social.address(self._socialnet(opened.key.bot, _block(authentication)), asked)

    async def is_cancelled(self, opened: Opened, params: CallbackParams) -> bool:
        """Return whether the user cancelled. Where the answer does not tell, ``login`` fails instead."""
        oidc = opened.authentication.oidc
        return params.is_cancelled if oidc is None else await self.open_id.is_cancelled(oidc.issuer, params)

    async def login(self, opened: Opened, params: CallbackParams) -> Login:
        """Get and check the login that the browser came back for. Raises ``ProviderFailed``, within 12 s."""
        authentication, asked, version = opened.authentication, self._asked(opened), opened.about.version
        if authentication.oidc is not None:
            client = self._oidc(opened.key.bot, authentication.oidc)
            return await in_time(self.open_id.login(client, asked, params, opened.key.bot, version), self._seconds)
        app = self._socialnet(opened.key.bot, _block(authentication))
        return await in_time(self._social.login(app, asked, params, version), self._seconds)

    async def refresh(self, deployed: Deployed, grant: Grant, value: dict[str, Any]) -> Login:
        """Renew a login that has expired, without its user. ``deployed``: the version that the grant names; ``value``:
        what the authentication entity holds. Raises ``ProviderFailed``, within 12 s."""
        if grant.refresh_token is None:
            raise ProviderFailed("provider-no-refresh", "The refresh", CALLS["provider-no-refresh"])
        client = self._oidc(deployed.bot.id, _oidc_of(deployed))
        return await in_time(self.open_id.refresh(client, grant, value), self._seconds)

    async def revocation(self, deployed: Deployed, grant: Grant, token: str) -> Request:
        """Return the call that revokes a token, for the outbox. ``token``: the grant's refresh token, or the access
        token that came with it. Raises ``ProviderFailed``."""
        if grant.revocation_endpoint is None:
            raise ProviderFailed("provider-no-revocation", "The revocation", CALLS["provider-no-revocation"])
        client = self._oidc(deployed.bot.id, _oidc_of(deployed))
        is_refresh_token = token == grant.refresh_token
        return await self.open_id.revocation(
            client, grant.revocation_endpoint, token, is_refresh_token=is_refresh_token
        )

    def revoke(self, deployed: Deployed, login: Login) -> None:
        """Begin to revoke a login that no chat stores, where its provider offers that, and return at once.
        ``deployed``: the version that it came by."""
        if login.grant.revocation_endpoint is None:
            return
        try:
            self.open_id.revoke(deployed.bot.id, self._oidc(deployed.bot.id, _oidc_of(deployed)), login)
        except ProviderFailed as failure:
            log.info("a login of bot %s is not taken back: %s", deployed.bot.id, failure)

    async def close(self) -> None:
        await self.open_id.close()
        await self._fetcher.close()

    # -- the bot as the provider knows it

    def _asked(self, opened: Opened) -> Asked:
        return Asked(
            state=opened.state,
            nonce=opened.about.nonce,
            verifier=opened.about.verifier,
            redirect_uri=self._redirect_uri,
        )

    def _oidc(self, bot: str, block: Oidc) -> OidcClient:
        return OidcClient(
            issuer=block.issuer,
            client_id=block.client_id,
            client_secret=self._read(bot, block.client_secret),
            scope=block.scope,
            params=block.authorization_params,
        )

    def _socialnet(self, bot: str, block: Socialnet) -> SocialClient:
        return SocialClient(
            app_id=block.app_id,
            app_secret=self._read(bot, block.app_secret),
            dialog_url=self._places.dialog,
            graph_url=self._places.graph,
        )

    def _read(self, bot: str, secret: Written) -> Secret[str]:
        try:
            return Secret(self._secret(bot, secret))
        except SettingError as error:
            raise ProviderFailed("provider-secret", "The provider block", str(error)) from error


async def in_time(login: Coroutine[Any, Any, T], seconds: float = MAX_LOGIN_SECONDS) -> T:
    """Wait at most so many seconds for all calls of a login, also where one ignores that it is cancelled. Raises
    ``ProviderFailed``."""
    task = asyncio.ensure_future(login)
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    finally:
        task.cancel()
    if not done:
        sentence = f"The calls of one login took more than {seconds:g} s in all."
        raise ProviderFailed("provider-timeout", "The provider", sentence)
    return task.result()


def _block(authentication: Authentication) -> Socialnet:
    if authentication.socialnet is None:
        raise _changed()
    return authentication.socialnet


def _oidc_of(deployed: Deployed) -> Oidc:
    authentication = deployed.bot.flow.settings.authentication
    if authentication is None or authentication.oidc is None:
        raise _changed()
    return authentication.oidc


def _changed() -> ProviderFailed:
    return ProviderFailed("provider-changed", "The provider block", CALLS["provider-changed"])
