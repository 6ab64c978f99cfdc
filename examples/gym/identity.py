"""The gym's identity provider: OpenID Connect for one client and two members, as small as it can be and still be right.

It is there to show a login on one machine. A real provider keeps passwords as hashes, bounds guesses, and forgets
nothing when it stops.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import html
import secrets
import time
from typing import NamedTuple
from urllib.parse import unquote_plus, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey

CLIENT = "gym-bot"
MEMBERS = {"ada": ("demo", "Ada Lovelace"), "grace": ("demo", "Grace Hopper")}
CODE_LIVES = 60
TOKEN_LIVES = 300
LOOPBACK = {"127.0.0.1", "localhost", "::1"}
BACK = "/v1/account-linking"
KEPT = ("client_id", "redirect_uri", "response_type", "state", "nonce", "code_challenge", "code_challenge_method")
"""What the form carries on."""
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Northside members</title><link rel="icon" href="data:,">
<style>body {{ font: 16px/24px system-ui, sans-serif; max-width: 320px; margin: 64px auto; padding: 0 16px;
color-scheme: light dark }} label {{ display: block; margin: 12px 0 }}
input, button {{ font: inherit; padding: 6px }} input {{ display: block; width: 100% }}</style>
<main><h1>Northside members</h1><p>{words}</p>{form}</main></html>"""
FORM = """<form method="post">{hidden}<label>User name <input name="member" autocomplete="username"></label>
<label>Password <input name="password" type="password" autocomplete="current-password"></label>
<button name="do" value="sign-in">Sign in</button> <button name="do" value="cancel">Cancel</button></form>"""


class Reply(NamedTuple):
    """What goes back: an object as JSON, or a page, or a way on."""

    status: int
    json: object = None
    page: str = ""
    location: str = ""


class Login(NamedTuple):
    """What a code or a refresh token stands for."""

    member: str
    until: float
    redirect: str = ""
    challenge: str = ""
    nonce: str = ""


class Identity:
    """Under ``issuer``, for the client with this secret."""

    def __init__(self, issuer: str, secret: str) -> None:
        self.issuer = issuer
        self._secret = secret
        self._key = ECKey.generate_key("P-256", {"kid": "members", "use": "sig", "alg": "ES256"})
        self._codes: dict[str, Login] = {}
        self._refresh: dict[str, Login] = {}
        self._tokens: dict[str, Login] = {}

    def reply(self, method: str, path: str, query: dict[str, str], form: dict[str, str], authorization: str) -> Reply:
        """``path`` is what stands behind the issuer."""
        match method, path:
            case "GET", "/.well-known/openid-configuration":
                return Reply(200, self._metadata())
            case "GET", "/keys":
                return Reply(200, {"keys": [self._key.as_dict(private=False)]})
            case "GET", "/authorize":
                return self._ask(query)
            case "POST", "/authorize":
                return self._answer(form)
            case "POST", "/token" | "/revoke" if not self._is_client(form, authorization):
                return Reply(401, {"error": "invalid_client"})
            case "POST", "/token":
                return self._exchange(form)
            case "POST", "/revoke":
                return self._take_back(form.get("token", ""))
        return Reply(404, {"error": "not_found"})

    def name_of(self, authorization: str) -> str | None:
        """Whose access token this is, while it is good."""
        login = self._tokens.get(authorization.removeprefix("Bearer "))
        return MEMBERS[login.member][1] if login is not None and login.until > time.time() else None

    def _metadata(self) -> dict[str, object]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "revocation_endpoint": f"{self.issuer}/revoke",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
            "authorization_response_iss_parameter_supported": True,
        }

    # -- people

    def _ask(self, asked: dict[str, str], words: str = "Sign in to see your classes in the chat.") -> Reply:
        if not _is_right(asked):
            # Nobody is sent to an address that was not checked (RFC 6749 section 4.1.2.1).
            return Reply(400, page=PAGE.format(words="This link is not one of the gym's bot.", form=""))
        hidden = "".join(
            f'<input type="hidden" name="{name}" value="{html.escape(asked.get(name, ""))}">' for name in KEPT
        )
        return Reply(200, page=PAGE.format(words=words, form=FORM.format(hidden=hidden)))

    def _answer(self, form: dict[str, str]) -> Reply:
        if not _is_right(form):
            return self._ask(form)
        back = {"state": form["state"], "iss": self.issuer}
        if form.get("do") == "cancel":
            return Reply(303, location=f"{form['redirect_uri']}?{urlencode({'error': 'access_denied'} | back)}")
        member = form.get("member", "").strip().lower()
        if member not in MEMBERS or not hmac.compare_digest(MEMBERS[member][0], form.get("password", "")):
            return self._ask(form, "That user name or password is not right. The demo's are ada and demo.")
        code = secrets.token_urlsafe(32)
        until = time.time() + CODE_LIVES
        self._codes[code] = Login(member, until, form["redirect_uri"], form["code_challenge"], form.get("nonce", ""))
        return Reply(303, location=f"{form['redirect_uri']}?{urlencode({'code': code} | back)}")

    # -- the bot

    def _is_client(self, form: dict[str, str], authorization: str) -> bool:
        try:
            pair = base64.b64decode(authorization.removeprefix("Basic "), validate=True).decode("ascii")
        except ValueError:
            return False
        # Both are encoded as in a form (RFC 6749 section 2.3.1).
        id, _, secret = (unquote_plus(part) for part in pair.partition(":"))
        return id == CLIENT and hmac.compare_digest(secret.encode(), self._secret.encode())

    def _exchange(self, form: dict[str, str]) -> Reply:
        if form.get("grant_type") == "refresh_token":
            login = self._refresh.pop(form.get("refresh_token", ""), None)
            return self._grant(login) if login is not None else Reply(400, {"error": "invalid_grant"})
        login = self._codes.pop(form.get("code", ""), None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if (
            login is None
            or login.until < time.time()
            or (login.redirect, login.challenge) != (form.get("redirect_uri"), challenge)
        ):
            return Reply(400, {"error": "invalid_grant"})
        return self._grant(login)

    def _grant(self, login: Login) -> Reply:
        now = int(time.time())
        access, refresh = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self._tokens[access] = login._replace(until=now + TOKEN_LIVES)
        self._refresh[refresh] = login
        claims = {"iss": self.issuer, "aud": CLIENT, "sub": login.member, "iat": now, "exp": now + TOKEN_LIVES}
        id_token = jwt.encode({"alg": "ES256", "kid": "members"}, claims | {"nonce": login.nonce}, self._key)
        answer = {"access_token": access, "token_type": "Bearer", "expires_in": TOKEN_LIVES, "refresh_token": refresh}
        return Reply(200, answer | {"id_token": id_token})

    def _take_back(self, token: str) -> Reply:
        """All tokens of the member who has this one (RFC 7009 section 2.1)."""
        login = self._refresh.get(token) or self._tokens.get(token)
        for kept in (self._refresh, self._tokens):
            for text in [text for text, one in kept.items() if login is not None and one.member == login.member]:
                del kept[text]
        return Reply(200, {})


def _is_right(asked: dict[str, str]) -> bool:
    place = urlsplit(asked.get("redirect_uri", ""))
    return (
        (asked.get("client_id"), asked.get("response_type")) == (CLIENT, "code")
        and (place.scheme, place.path, place.query, place.fragment) == ("http", BACK, "", "")
        and place.hostname in LOOPBACK
        and asked.get("code_challenge_method") == "S256"
        and bool(asked.get("code_challenge") and asked.get("state"))
    )
