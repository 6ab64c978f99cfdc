"""Everything that is checked of what an identity provider says: one row a reason to refuse it, with its source.

The rows are words only. Where each is checked is left to the file that reads the answer; tests hold rows, code and docs
together.
"""

from __future__ import annotations

from typing import NamedTuple


class Check(NamedTuple):
    """``sentence`` is for the operator: what the provider did wrong and what to do. ``source``: who says so."""

    code: str
    sentence: str
    source: str


_CORE = "OpenID Connect Core 1.0"
_DISCOVERY = "OpenID Connect Discovery 1.0"
_SOCIAL = "login.md, Social login"

CHECKS = (
    # -- metadata
    Check(
        "metadata-status",
        "The provider's metadata did not come with status 200. Open the issuer's address followed by "
        "/.well-known/openid-configuration, and set the issuer with which it answers.",
        f"{_DISCOVERY} 4.2",
    ),
    Check(
        "metadata-json",
        "The provider's metadata is no JSON object, or one that cannot be read with one meaning. See that nothing "
        "between here and the provider answers in its place.",
        f"{_DISCOVERY} 4.2",
    ),
    Check(
        "metadata-issuer",
        "The metadata's issuer is not the one that is configured, byte for byte. Write the issuer in the bot's files "
        "as the provider writes it.",
        f"{_DISCOVERY} 4.3",
    ),
    Check(
        "metadata-missing",
        "The metadata lacks an endpoint that a login needs. Ask the provider to publish it.",
        f"{_DISCOVERY} 3",
    ),
    Check(
        "metadata-endpoint",
        "An endpoint in the metadata, needed here or not, is no address of the issuer's class: https, or plain http on "
        "loopback under an issuer that is so itself; no user name, no fragment. Ask the provider to publish a right "
        "one.",
        "login.md, What is checked; RFC 6749 3.1, 3.2",
    ),
    Check(
        "metadata-type",
        "A member of the metadata has another type than the standard gives it. Ask the provider to correct it.",
        f"{_DISCOVERY} 3; RFC 9207 3",
    ),
    Check(
        "metadata-algorithms",
        "The metadata lists no asymmetric algorithm for ID tokens that is known here. Have the provider sign them with "
        "RS256 or ES256.",
        f"{_DISCOVERY} 3; login.md, What is checked",
    ),
    Check(
        "metadata-code-flow",
        "The metadata says that the provider has no authorization code flow. Use another provider, or have it allowed.",
        f"{_DISCOVERY} 3; {_CORE} 3.1",
    ),
    Check(
        "metadata-client-auth",
        "The provider takes neither client_secret_basic nor client_secret_post. Have one of them allowed there.",
        f"{_DISCOVERY} 3; {_CORE} 9",
    ),
    # -- keys
    Check(
        "keys-status",
        "The provider's keys did not come with status 200. Open the metadata's jwks_uri to see why.",
        f"{_CORE} 10.1.1",
    ),
    Check(
        "keys-json",
        'The provider\'s keys are no JSON object with an array "keys", or cannot be read with one meaning. See that '
        "nothing between here and the provider answers in its place.",
        "RFC 7517 5",
    ),
    Check(
        "keys-many",
        "The provider publishes more keys than any needs. Ask it to take old ones away.",
        "login.md, What is checked",
    ),
    Check(
        "keys-none",
        "The provider publishes no key that can check a signature: each is of an unknown type, weak, malformed, "
        "private or for encryption. Ask it to publish one.",
        "RFC 7517 5; RFC 7518 3.3",
    ),
    # -- what the browser brings back
    Check(
        "callback-doubled",
        "The provider's redirect has one parameter twice. Nothing of it was taken.",
        "RFC 6749 3.1",
    ),
    Check(
        "callback-value",
        "A parameter of the provider's redirect is too long or has a character that none may have. Nothing of it was "
        "taken.",
        "RFC 6749 A.5, A.7, A.11",
    ),
    Check(
        "callback-neither",
        "The provider's redirect has neither a code nor an error, or both. Nothing of it was taken.",
        "RFC 6749 4.1.2",
    ),
    Check(
        "callback-error",
        "The provider answered the login with an error. See its own log.",
        f"RFC 6749 4.1.2.1; {_CORE} 3.1.2.6",
    ),
    Check(
        "callback-issuer",
        "The redirect says that another issuer sent it (mix-up attack). The code was not used.",
        "RFC 9207 2.4",
    ),
    Check(
        "callback-issuer-missing",
        "The redirect does not say which issuer sent it, and the provider's metadata promises that. The code was not "
        "used.",
        "RFC 9207 2.4",
    ),
    # -- token answer
    Check(
        "token-status",
        "The provider's token endpoint answered with another status than 200 and without an error of the standard. See "
        "the provider's own log.",
        "RFC 6749 5.1, 5.2",
    ),
    Check(
        "token-error",
        "The provider's token endpoint refused. See that client id, client secret and redirect address are those that "
        "are registered there.",
        "RFC 6749 5.2",
    ),
    Check(
        "token-json",
        "The answer of the provider's token endpoint is no JSON object, or cannot be read with one meaning.",
        f"RFC 6749 5.1; {_CORE} 3.1.3.3",
    ),
    Check(
        "token-access-token",
        "The answer of the token endpoint has no access token, or one that is too long or has characters that none may "
        "have.",
        "RFC 6749 5.1, A.12",
    ),
    Check(
        "token-type",
        "The access token's type is not Bearer. Have the provider give bearer tokens to this client.",
        f"{_CORE} 3.1.3.3; RFC 6750 4",
    ),
    Check(
        "token-expires-in",
        'The answer\'s "expires_in" is no number of seconds above zero.',
        "RFC 6749 5.1, A.14",
    ),
    Check(
        "token-refresh-token",
        "The answer's refresh token is no text, is too long or has characters that none may have.",
        "RFC 6749 5.1, A.17",
    ),
    Check(
        "token-scope",
        'The answer\'s "scope" is no text, or is too long.',
        "RFC 6749 3.3, 5.1",
    ),
    Check(
        "token-id-token",
        'The answer of the token endpoint has no ID token, or one that is no text. See that the scope "openid" is '
        "allowed for this client.",
        f"{_CORE} 3.1.3.3",
    ),
    # -- ID token: its form and signature
    Check(
        "id-token-format",
        "The ID token is no signed token: three parts of base64url, header and claims each a JSON object with one "
        "meaning. Encrypted ones are not taken.",
        f"{_CORE} 3.1.3.7 (1); RFC 7515 7.1",
    ),
    Check(
        "id-token-algorithm",
        "The ID token is signed with another algorithm than those that the metadata lists, or with one that needs no "
        "published key (none, HS256). Have the provider sign with RS256 or ES256.",
        f"{_CORE} 3.1.3.7 (7); RFC 8725 3.1",
    ),
    Check(
        "id-token-critical",
        "The ID token's header demands an extension (crit, b64), and none is known here.",
        "RFC 7515 4.1.11; RFC 7797 6",
    ),
    Check(
        "id-token-own-key",
        "The ID token's header brings a key or the address of one, and only published keys count.",
        f"{_CORE} 2; RFC 8725 3.5",
    ),
    Check(
        "id-token-type",
        "The ID token says that it is a token of another kind (typ).",
        "RFC 8725 3.11",
    ),
    Check(
        "id-token-kid",
        "The ID token does not say which of several published keys signed it (kid).",
        f"{_CORE} 10.1",
    ),
    Check(
        "id-token-key",
        "The key that signed the ID token is not published, or is for another algorithm.",
        f"{_CORE} 3.1.3.7 (6), 10.1.1",
    ),
    Check(
        "id-token-signature",
        "The ID token's signature does not fit the published key.",
        f"{_CORE} 3.1.3.7 (6)",
    ),
    # -- ID token: its claims
    Check("id-token-issuer", "The ID token comes from another issuer.", f"{_CORE} 3.1.3.7 (2)"),
    Check(
        "id-token-subject",
        "The ID token does not say who logged in: its sub is no text of 1 to 255 characters.",
        f"{_CORE} 2",
    ),
    Check(
        "id-token-audience",
        "The ID token is not for this client, or not for it alone.",
        f"{_CORE} 3.1.3.7 (3)",
    ),
    Check(
        "id-token-authorized-party",
        "The ID token was issued to another client (azp).",
        f"{_CORE} 3.1.3.7 (4), (5)",
    ),
    Check(
        "id-token-expiry",
        "The ID token's exp is missing, is no number or has passed. Compare the clocks; 60 s are allowed.",
        f"{_CORE} 3.1.3.7 (9)",
    ),
    Check(
        "id-token-not-before",
        "The ID token's nbf is no number or lies in the future. Compare the clocks; 60 s are allowed.",
        "RFC 7519 4.1.5",
    ),
    Check(
        "id-token-issued",
        "The ID token's iat is missing, is no number or lies in the future. Compare the clocks; 60 s are allowed.",
        f"{_CORE} 2, 3.1.3.7 (10)",
    ),
    Check(
        "id-token-nonce",
        "The ID token was not made for this login: its nonce is missing or another one.",
        f"{_CORE} 3.1.3.7 (11)",
    ),
    Check(
        "id-token-auth-time",
        "The user's login at the provider is older than the max_age that was asked for, or the ID token does not say "
        "when it was.",
        f"{_CORE} 3.1.3.7 (13)",
    ),
    Check(
        "id-token-access-token",
        "The ID token belongs to another access token (at_hash).",
        f"{_CORE} 3.1.3.8",
    ),
    Check(
        "id-token-renewed",
        "The ID token of a refresh is another user's or another login's: its sub, nonce, azp or auth_time differ from "
        "those of the login.",
        f"{_CORE} 12.2",
    ),
    # -- UserInfo, of people who sign in to the studio
    Check(
        "userinfo-status",
        "The provider's UserInfo did not come with status 200. See the provider's own log.",
        f"{_CORE} 5.3.3",
    ),
    Check(
        "userinfo-json",
        "The provider's UserInfo is no JSON object, or cannot be read with one meaning. Have the provider answer this "
        "client in plain JSON, not as a signed token.",
        f"{_CORE} 5.3.2",
    ),
    Check(
        "userinfo-subject",
        "The provider's UserInfo is of somebody else than the ID token. Nobody was signed in.",
        f"{_CORE} 5.3.2",
    ),
    # -- social login
    Check(
        "social-status",
        "The inspection of the access token did not answer with status 200. See that app-id and app-secret are right.",
        _SOCIAL,
    ),
    Check(
        "social-json",
        'The inspection of the access token did not answer with a JSON object that has an object "data".',
        _SOCIAL,
    ),
    Check("social-valid", "The access token is not valid, says its inspection.", _SOCIAL),
    Check("social-app", "The access token was made for another app.", _SOCIAL),
    Check("social-type", "The access token is none of a user's, says its inspection.", _SOCIAL),
    Check(
        "social-expiry",
        "The access token has expired, or its inspection gives an expiry that is no number of seconds.",
        _SOCIAL,
    ),
    Check("social-user", "The inspection of the access token does not say whose it is.", _SOCIAL),
)
"""In the order in which a login meets them."""

_BY_CODE = {check.code: check for check in CHECKS}


class Wrong(Exception):
    """A check that failed. ``detail`` is a sentence that says more, or empty; it holds nothing secret."""

    def __init__(self, code: str, detail: str = "") -> None:
        self.check = _BY_CODE[code]
        self.detail = detail
        super().__init__(f"{self.check.sentence} {detail}".rstrip())


class UnknownKey(Wrong):
    """The provider may have changed its keys since they were read: worth reading them once more."""
