"""Logs in at an OpenID Connect provider, call by call: discovery, keys, the exchange of a code, a refresh. What an
answer has to fit stands in ``auth.provider``; the time that all calls of one login share is held by ``providers``.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, Final

import msgspec

from dialoom.auth.provider import (
    Asked,
    CallbackParams,
    Claims,
    Expected,
    Keys,
    Metadata,
    OidcClient,
    Person,
    TokenAnswer,
    UnknownKey,
    Wrong,
    authorization_address,
    check_id_token,
    check_iss,
    code_of,
    discovery_request,
    entity_value,
    id_token_of,
    is_at_issuer,
    keys_request,
    lacks_profile,
    max_age_of,
    person_of,
    read_checked,
    read_keys,
    read_metadata,
    read_token_answer,
    read_userinfo,
    refresh_request,
    revocation_request,
    token_request,
    userinfo_request,
)
from dialoom.engine.effects import Request
from dialoom.service.chat.login_values import Grant, Login
from dialoom.service.clock import Clock
from dialoom.service.login.provider_calls import Calls, ProviderFailed, failed, read
from dialoom.service.login.revoke import RevokeUnused
from dialoom.service.observe.instruments import Counts
from dialoom.service.remote_cache import Cache

DISCOVERY: Final = "The provider's metadata"
KEYS: Final = "The provider's keys"
REDIRECT: Final = "The provider's redirect"
EXCHANGE: Final = "The exchange of the code"
REFRESH: Final = "The refresh"
USERINFO: Final = "The provider's UserInfo"
ID_TOKEN: Final = "The ID token"  # noqa: S105  # what it is called, not one


class OpenId:
    """Calls OpenID providers for all bots of a process; bots of one issuer share its metadata and keys. Every method
    raises ``ProviderFailed``.
    ``revocations``: counts revoked tokens by bot and outcome."""

    def __init__(self, calls: Calls, clock: Clock, revocations: Counts) -> None:
        self._calls = calls
        self._clock = clock
        self._metadata: Cache[str, Metadata] = Cache(clock)
        # By issuer and address: whether the address may be private is the issuer's affair.
        self._keys: Cache[tuple[str, str], Keys] = Cache(clock)
        self._taking_back = RevokeUnused(calls, clock, revocations)

    async def address(self, client: OidcClient, asked: Asked) -> str:
        """Return the address that the browser is sent to."""
        return authorization_address(await self.metadata(client.issuer), client, asked)

    async def login(self, client: OidcClient, asked: Asked, params: CallbackParams, bot: str, version: str) -> Login:
        metadata, answer = await self._exchange(client, asked, params)
        grant = Grant(version, answer.refresh_token, answer.id_token, metadata.revocation_endpoint)
        expected = self._expected(metadata, client, answer, nonce=asked.nonce)
        try:
            claims = await self._claims(metadata, _id_token(answer), expected)
        except (ProviderFailed, asyncio.CancelledError):
            # The latter where the time is over. Whose these tokens are is not known, only that nobody has them here:
            # the endpoint is the checked metadata's, and takes back none but those of this client (RFC 7009 2.1).
            self.revoke(bot, client, Login({"access_token": answer.access_token}, grant))
            raise
        return Login(entity_value(answer, claims, expected.now), grant)

    async def person(self, client: OidcClient, asked: Asked, params: CallbackParams) -> Person:
        """Return who logged in, by the checks of a login; its tokens are kept nowhere."""
        metadata, answer = await self._exchange(client, asked, params)
        expected = self._expected(metadata, client, answer, nonce=asked.nonce)
        claims = await self._claims(metadata, _id_token(answer), expected)
        endpoint, userinfo = metadata.userinfo_endpoint, dict[str, Any]()
        if endpoint is not None and lacks_profile(claims):
            trusted = is_at_issuer(endpoint, metadata.issuer)
            said = await self._calls.call(
                USERINFO, userinfo_request(endpoint, answer.access_token, trusted_host=trusted)
            )
            userinfo = await read(USERINFO, partial(read_userinfo, said.status, said.body, claims))
        return person_of(claims, userinfo)

    async def _exchange(self, client: OidcClient, asked: Asked, params: CallbackParams) -> tuple[Metadata, TokenAnswer]:
        metadata = await self.metadata(client.issuer)
        try:
            check_iss(metadata, params.iss)
            code = code_of(params)
        except Wrong as wrong:
            raise failed(REDIRECT, wrong) from wrong
        request = token_request(metadata, client, code, asked, trusted_host=_is_trusted(metadata))
        return metadata, await self._tokens(EXCHANGE, request)

    async def is_cancelled(self, issuer: str, params: CallbackParams) -> bool:
        """Return whether the user cancelled. False for another issuer's answer (RFC 9207 2.4): ``login`` refuses it."""
        if not params.is_cancelled:
            return False
        try:
            check_iss(await self.metadata(issuer), params.iss)
        except (Wrong, ProviderFailed):
            return False
        return True

    async def refresh(self, client: OidcClient, grant: Grant, value: dict[str, Any]) -> Login:
        """Return the renewed login. ``value``: what the authentication entity holds. Refused tokens are not revoked:
        the chat still has the login, which a provider may end with them (RFC 7009 section 2.1)."""
        metadata = await self.metadata(client.issuer)
        trusted = _is_trusted(metadata)
        request = refresh_request(metadata, client, grant.refresh_token or "", trusted_host=trusted)
        answer = await self._tokens(REFRESH, request)
        # The ID token of the login stays the one that later ones are held against (Core 12.2).
        claims = await read(ID_TOKEN, partial(read_checked, grant.id_token or ""))
        expected = self._expected(metadata, client, answer, earlier=claims)
        if answer.id_token is not None:
            await self._claims(metadata, answer.id_token, expected)
        fresh = entity_value(answer, claims, expected.now)
        if isinstance(scope := value.get("scope"), str):
            # What a refresh does not say is as it was (RFC 6749 section 6).
            fresh.setdefault("scope", scope)
        renewed = msgspec.structs.replace(
            grant,
            refresh_token=answer.refresh_token or grant.refresh_token,
            revocation_endpoint=metadata.revocation_endpoint or grant.revocation_endpoint,
        )
        return Login(fresh, renewed)

    async def revocation(self, client: OidcClient, endpoint: str, token: str, *, is_refresh_token: bool) -> Request:
        metadata = await self.metadata(client.issuer)
        return revocation_request(
            endpoint,
            client,
            token,
            "refresh_token" if is_refresh_token else "access_token",
            client_auth=metadata.client_auth,
            trusted_host=is_at_issuer(endpoint, client.issuer),
        )

    def revoke(self, bot: str, client: OidcClient, login: Login) -> None:
        """Begin to revoke a login that no chat has, where the provider offers that, and return at once."""
        endpoint, refresh_token = login.grant.revocation_endpoint, login.grant.refresh_token
        if endpoint is None:
            return
        self._taking_back.begin(
            bot,
            login.tokens,
            lambda token: self.revocation(client, endpoint, token, is_refresh_token=token == refresh_token),
        )

    async def close(self) -> None:
        await self._taking_back.close()
        await asyncio.gather(self._metadata.close(), self._keys.close())

    # -- what the provider publishes

    async def metadata(self, issuer: str) -> Metadata:
        return await self._metadata.get(issuer, partial(self._discover, issuer))

    async def _discover(self, issuer: str) -> Metadata:
        # The issuer stands literally in the flow, so that it may be private where the operator allows that.
        answer = await self._calls.call(DISCOVERY, discovery_request(issuer, trusted_host=True))
        metadata = await read(DISCOVERY, partial(read_metadata, answer.body, issuer, answer.status))
        named = (metadata.authorization_endpoint, metadata.token_endpoint, metadata.jwks_uri)
        for endpoint in (*named, *filter(None, [metadata.revocation_endpoint])):
            self._calls.check(DISCOVERY, endpoint, trusted_host=is_at_issuer(endpoint, issuer))
        return metadata

    async def _read_keys(self, metadata: Metadata) -> Keys:
        trusted = is_at_issuer(metadata.jwks_uri, metadata.issuer)
        answer = await self._calls.call(KEYS, keys_request(metadata, trusted_host=trusted))
        return await read(KEYS, partial(read_keys, answer.body, answer.status))

    # -- tokens

    async def _tokens(self, what: str, request: Request) -> TokenAnswer:
        answer = await self._calls.call(what, request)
        return await read(what, partial(read_token_answer, answer.status, answer.body))

    def _expected(
        self,
        metadata: Metadata,
        client: OidcClient,
        answer: TokenAnswer,
        *,
        nonce: str | None = None,
        earlier: Claims | None = None,
    ) -> Expected:
        return Expected(
            issuer=metadata.issuer,
            client_id=client.client_id,
            algorithms=metadata.algorithms,
            access_token=answer.access_token,
            now=self._clock.now() / 1000,
            nonce=nonce,
            earlier=earlier,
            # Of a refresh nobody asked how long ago the login was.
            max_age=None if nonce is None else max_age_of(client),
        )

    async def _claims(self, metadata: Metadata, id_token: str, expected: Expected) -> Claims:
        """Return the claims of a checked ID token; the keys are read again where they may have changed."""
        place, ask = (metadata.issuer, metadata.jwks_uri), partial(self._read_keys, metadata)
        keys = await self._keys.get(place, ask)
        try:
            return await asyncio.to_thread(check_id_token, id_token, keys, expected)
        except UnknownKey as unknown:
            newer = await self._keys.newer(place, keys, ask)
            if newer is None:
                raise failed(ID_TOKEN, unknown) from unknown
            keys = newer
        except Wrong as wrong:
            raise failed(ID_TOKEN, wrong) from wrong
        return await read(ID_TOKEN, partial(check_id_token, id_token, keys, expected))


def _id_token(answer: TokenAnswer) -> str:
    try:
        return id_token_of(answer)
    except Wrong as wrong:
        raise failed(EXCHANGE, wrong) from wrong


def _is_trusted(metadata: Metadata) -> bool:
    """Return whether the token endpoint has the issuer's own scheme, host and port."""
    return is_at_issuer(metadata.token_endpoint, metadata.issuer)
