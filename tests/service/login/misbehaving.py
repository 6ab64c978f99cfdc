"""An OpenID Connect provider on a real socket. Left alone it is a right one, which looks at all that it is asked; a
``Way`` makes it wrong in one point.
"""

from __future__ import annotations

import base64
import copy
import hashlib
import json
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qs, parse_qsl, quote_plus, unquote_plus, urlsplit

from tests.data.far_ends import FarEnd, far_end
from tests.service.login.signing import at_hash, compact, ec_jwk, ec_key, rs256, rsa_jwk, rsa_key

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from tests.data.far_ends import Call

CLIENT = "the client: ä"
SECRET = "s3cret & more%"
"""Both have characters that Basic authentication has to encode (RFC 6749 section 2.3.1)."""
CODE = "the-code-of-the-login"
ACCESS = "the-access-token"
REFRESH = "the-refresh-token"
REDIRECT = "https://bots.example/v1/account-linking"
SUBJECT = "user-1"
WORDS = "words of the provider, which nobody is shown"


class Way(NamedTuple):
    """To be wrong. ``code``: with which a login is refused. Each change gets the provider and the right thing, and gives
    another one in its place; ``talk``: raw conversations by path."""

    code: str
    metadata: Callable[[Provider, dict[str, Any]], Any] | None = None
    keys: Callable[[Provider, dict[str, Any]], Any] | None = None
    answer: Callable[[Provider, dict[str, Any]], Any] | None = None
    claims: Callable[[Provider, dict[str, Any]], Any] | None = None
    signed: Callable[[Provider, dict[str, Any]], str] | None = None
    userinfo: Callable[[Provider, dict[str, Any]], Any] | None = None
    """Without one the metadata names no UserInfo."""
    redirect: Callable[[Provider, list[tuple[str, str]]], list[tuple[str, str]]] | None = None
    status: Mapping[str, str] = MappingProxyType({})
    """By path."""
    talk: Mapping[str, Callable[[Call], Awaitable[None]]] = MappingProxyType({})


DISCOVERY, KEYS, TOKEN, REVOKE = "/.well-known/openid-configuration", "/keys", "/token", "/revoke"
USERINFO = "/userinfo"
RIGHT = Way("")


class Provider:
    def __init__(self, there: FarEnd, now: int, way: Way) -> None:
        """Publish a key. ``now`` in milliseconds."""
        self.there = there
        self.issuer = there.url
        self.now = now // 1000
        self.way = way
        self.redirect = REDIRECT
        """Where it may send browsers back to."""
        self.asked: dict[str, str] = {}
        """The parameters of the newest authorization request."""
        self.refused: list[str] = []
        """What was wrong with requests of the relying party."""
        self.refreshed: dict[str, Any] = {}
        """What a refresh answers differently."""
        self.revoked: list[str] = []
        """The tokens that it was told to take back, in order."""

    # -- what it says

    def metadata(self) -> Any:
        right = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": self.issuer + TOKEN,
            "jwks_uri": self.issuer + KEYS,
            "revocation_endpoint": self.issuer + REVOKE,
            "response_types_supported": ["code", "id_token"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256", "ES256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
        }
        if self.way.userinfo is not None:
            right["userinfo_endpoint"] = self.issuer + USERINFO
        return right if self.way.metadata is None else self.way.metadata(self, right)

    def keys(self) -> Any:
        right = {
            "keys": [
                rsa_jwk(rsa_key(), "one", use="sig", alg="RS256"),
                ec_jwk(ec_key(), "two", use="sig", alg="ES256"),
                {"kty": "of the future", "kid": "three"},
                rsa_jwk(rsa_key("for encryption"), "four", use="enc"),
            ]
        }
        return right if self.way.keys is None else self.way.keys(self, right)

    def claims(self) -> Any:
        right = {
            "iss": self.issuer,
            "sub": SUBJECT,
            "aud": CLIENT,
            "exp": self.now + 300,
            "iat": self.now,
            "nonce": self.asked.get("nonce"),
            "at_hash": at_hash(ACCESS),
        }
        return right if self.way.claims is None else self.way.claims(self, right)

    def id_token(self) -> str:
        claims = self.claims()
        if self.way.signed is not None:
            return self.way.signed(self, claims)
        return compact({"alg": "RS256", "kid": "one"}, claims, rs256(rsa_key()))

    def token(self) -> Any:
        right = {
            "access_token": ACCESS,
            "token_type": "Bearer",
            "expires_in": 3600,
            "refresh_token": REFRESH,
            "scope": "openid profile",
            "id_token": self.id_token(),
        }
        return right if self.way.answer is None else self.way.answer(self, right)

    # -- the browser

    def authorize(self, address: str) -> list[tuple[str, str]]:
        """Return what the browser brings back when a user logged in at this address."""
        assert address.startswith(f"{self.issuer}/authorize?"), address
        self.asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert self.asked["response_type"] == "code"
        assert self.asked["client_id"] == CLIENT
        assert self.asked["redirect_uri"] == self.redirect
        assert "openid" in self.asked["scope"].split()
        assert self.asked["code_challenge_method"] == "S256"
        right = [("code", CODE), ("state", self.asked["state"]), ("iss", self.issuer)]
        return right if self.way.redirect is None else self.way.redirect(self, right)

    # -- the relying party

    async def reply(self, call: Call) -> None:
        path = urlsplit(call.target).path
        if path in self.way.talk:
            await self.way.talk[path](call)
        else:
            await self.say(call)

    async def say(self, call: Call) -> None:
        """Return the answer, where the connection itself is not what is wrong."""
        path = urlsplit(call.target).path
        status = self.way.status.get(path, "200 OK")
        if path == DISCOVERY:
            await call.reply(status, _body(self.metadata()), "Content-Type: application/json")
        elif path == KEYS:
            await call.reply(status, _body(self.keys()), "Content-Type: application/jwk-set+json")
        elif path == TOKEN:
            await self._exchange(call, status)
        elif path == USERINFO and self.way.userinfo is not None:
            assert call.headers["authorization"] == f"Bearer {ACCESS}"
            said = self.way.userinfo(self, {"sub": SUBJECT})
            await call.reply(status, _body(said), "Content-Type: application/json")
        elif path == REVOKE:
            await self._revoke(call, status)
        else:
            await call.reply("404 Not Found", b"nothing here")

    async def _exchange(self, call: Call, status: str) -> None:
        form = dict(parse_qsl(call.body.decode(), keep_blank_values=True))
        wrong = self._wrong_with(call, form)
        if wrong is not None:
            self.refused.append(wrong)
            body = {"error": "invalid_client" if wrong == "client" else "invalid_grant", "error_description": WORDS}
            await call.reply("400 Bad Request", _body(body), "Content-Type: application/json")
            return
        answer = self.token()
        if form["grant_type"] == "refresh_token" and isinstance(answer, dict):
            answer = {name: value for name, value in (answer | self.refreshed).items() if value is not None}
        await call.reply(status, _body(answer), "Content-Type: application/json", "Cache-Control: no-store")

    async def _revoke(self, call: Call, status: str) -> None:
        form = dict(parse_qsl(call.body.decode()))
        if not self._is_client(call, form):
            self.refused.append("client")
        self.revoked.append(form["token"])
        await call.reply(status, b"")

    def _wrong_with(self, call: Call, form: dict[str, str]) -> str | None:
        if not self._is_client(call, form):
            return "client"
        if call.headers.get("content-type", "").partition(";")[0] != "application/x-www-form-urlencoded":
            return "content type"
        if form.get("grant_type") == "refresh_token":
            return None if form.get("refresh_token") == REFRESH else "refresh token"
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        for name, right in (
            ("grant_type", "authorization_code"),
            ("code", CODE),
            ("redirect_uri", self.asked.get("redirect_uri", "none")),
        ):
            if form.get(name) != right:
                return name
        return None if challenge.decode().rstrip("=") == self.asked.get("code_challenge") else "code_verifier"

    def _is_client(self, call: Call, form: dict[str, str]) -> bool:
        kind, _, pair = call.headers.get("authorization", "").partition(" ")
        if kind == "Basic":
            id, _, secret = base64.b64decode(pair).decode().partition(":")
            assert quote_plus(CLIENT) in (id, id.replace("%20", "+"))
            return (unquote_plus(id), unquote_plus(secret)) == (CLIENT, SECRET) and "client_secret" not in form
        return not kind and (form.get("client_id"), form.get("client_secret")) == (CLIENT, SECRET)

    def calls(self, path: str) -> int:
        """Return how often this path was called."""
        return sum(urlsplit(call.target).path == path for call in self.there.calls)


def _body(value: Any) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value).encode()


@asynccontextmanager
async def provider(now: int, way: Way = RIGHT) -> AsyncIterator[Provider]:
    """Start a provider. ``now``: its time, in milliseconds since 1970."""
    made: list[Provider] = []

    async def answer(call: Call) -> None:
        await made[0].reply(call)

    async with far_end(answer) as there:
        made.append(Provider(there, now, copy.copy(way)))
        yield made[0]
