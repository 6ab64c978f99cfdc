"""How an OpenID Connect provider can be wrong in what it says, one row a way, with the check that refuses it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.service.login.misbehaving import (
    ACCESS,
    CLIENT,
    DISCOVERY,
    KEYS,
    SECRET,
    TOKEN,
    USERINFO,
    WORDS,
    Way,
)
from tests.service.login.signing import (
    at_hash,
    b64,
    compact,
    ec_jwk,
    ec_key,
    ed_key,
    eddsa,
    es256,
    es256_as_der,
    hs256,
    nothing,
    number,
    part,
    pem,
    ps256,
    rs256,
    rsa_jwk,
    rsa_key,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.service.login.misbehaving import Provider
    from tests.service.login.signing import Sign

    Change = Callable[[Provider, dict[str, Any]], Any]

GONE = object()
"""In place of a value: the member is not there."""


def put(**members: Any) -> Change:
    """Change members of the right answer. A function is called with the provider; ``_`` stands for ``-``."""

    def change(provider: Provider, right: dict[str, Any]) -> dict[str, Any]:
        changed = right | {name: one(provider) if callable(one) else one for name, one in members.items()}
        return {name: one for name, one in changed.items() if one is not GONE}

    return change


def instead(value: Any) -> Change:
    return lambda provider, right: value(provider) if callable(value) else value


def header(sign: Callable[[], Sign] = lambda: rs256(rsa_key()), **members: Any) -> Change:
    """Change the header of an ID token, rightly signed unless ``sign`` is given, which is made when it is needed."""

    def change(_: Provider, claims: dict[str, Any]) -> str:
        head = {"alg": "RS256", "kid": "one"} | members
        head = {name: one for name, one in head.items() if one is not GONE}
        return compact(head, claims, sign())

    return change


def key_set(*keys: Any) -> Change:
    return instead(lambda _: {"keys": [one() if callable(one) else one for one in keys]})


def own_endpoint(path: str) -> Any:
    return lambda provider: provider.issuer + path


def _nested(depth: int) -> bytes:
    return b'{"a":' * depth + b"1" + b"}" * depth


def _doubled(provider: Provider, right: dict[str, Any], name: str, other: Any) -> bytes:
    """Put another value of one of its members before the right document."""
    return b"{" + json.dumps(name).encode() + b":" + json.dumps(other).encode() + b"," + json.dumps(right).encode()[1:]


METADATA = {
    "metadata that is no JSON": Way("metadata-json", metadata=instead(b"<html>Sign in to the hotel's network</html>")),
    "metadata that is an array": Way("metadata-json", metadata=instead(b"[]")),
    "metadata that is null": Way("metadata-json", metadata=instead(b"null")),
    "metadata that is empty": Way("metadata-json", metadata=instead(b"")),
    "metadata that is not UTF-8": Way("metadata-json", metadata=instead(b'{"issuer": "\xff"}')),
    "metadata with a byte order mark": Way(
        "metadata-json", metadata=lambda _, right: b"\xef\xbb\xbf" + json.dumps(right).encode()
    ),
    "metadata nested a hundred thousand deep": Way("metadata-json", metadata=instead(_nested(100_000))),
    "metadata nested forty deep": Way(
        "metadata-json", metadata=put(extension=lambda _: json.loads(_nested(40).decode()))
    ),
    "metadata with two issuers": Way(
        "metadata-json", metadata=lambda p, right: _doubled(p, right, "issuer", "https://evil.example")
    ),
    "metadata with NaN in it": Way("metadata-json", metadata=put(extension=float("nan"))),
    "metadata with a NUL in it": Way("metadata-json", metadata=put(extension="\0")),
    "metadata with status 404": Way("metadata-status", status={DISCOVERY: "404 Not Found"}),
    "metadata with status 201": Way("metadata-status", status={DISCOVERY: "201 Created"}),
    "metadata with status 500": Way("metadata-status", status={DISCOVERY: "500 Internal Server Error"}),
    "no issuer": Way("metadata-issuer", metadata=put(issuer=GONE)),
    "an issuer that is a number": Way("metadata-issuer", metadata=put(issuer=7)),
    "an issuer that is a list": Way("metadata-issuer", metadata=put(issuer=lambda p: [p.issuer])),
    "an issuer with a slash more": Way("metadata-issuer", metadata=put(issuer=lambda p: p.issuer + "/")),
    "an issuer in capitals": Way("metadata-issuer", metadata=put(issuer=lambda p: p.issuer.upper())),
    "an issuer with white space": Way("metadata-issuer", metadata=put(issuer=lambda p: p.issuer + " ")),
    "another's issuer": Way("metadata-issuer", metadata=put(issuer="https://login.example")),
    "no authorization endpoint": Way("metadata-missing", metadata=put(authorization_endpoint=GONE)),
    "no token endpoint": Way("metadata-missing", metadata=put(token_endpoint=GONE)),
    "no address of the keys": Way("metadata-missing", metadata=put(jwks_uri=GONE)),
    "an authorization endpoint that is script": Way(
        "metadata-endpoint", metadata=put(authorization_endpoint="javascript:alert(document.domain)//")
    ),
    "an authorization endpoint with a line break": Way(
        "metadata-endpoint", metadata=put(authorization_endpoint=own_endpoint("/authorize\r\nSet-Cookie: a=b"))
    ),
    "an authorization endpoint on plain http elsewhere": Way(
        "metadata-endpoint", metadata=put(authorization_endpoint="http://login.example/authorize")
    ),
    "an authorization endpoint inside the network": Way(
        "provider-egress", metadata=put(authorization_endpoint="https://10.0.0.1/authorize")
    ),
    "a token endpoint on plain http elsewhere": Way(
        "metadata-endpoint", metadata=put(token_endpoint="http://login.example/token")
    ),
    "a token endpoint that is a file": Way("metadata-endpoint", metadata=put(token_endpoint="file:///etc/passwd")),
    "a token endpoint with a user name": Way(
        "metadata-endpoint", metadata=put(token_endpoint=lambda p: p.issuer.replace("://", "://ada@") + TOKEN)
    ),
    "a token endpoint with a fragment": Way("metadata-endpoint", metadata=put(token_endpoint=own_endpoint("/token#a"))),
    "a token endpoint without a host": Way("metadata-endpoint", metadata=put(token_endpoint="/token")),
    "a token endpoint that is a number": Way("metadata-endpoint", metadata=put(token_endpoint=443)),
    "a token endpoint of 3,000 characters": Way(
        "metadata-endpoint", metadata=put(token_endpoint=own_endpoint("/" + "t" * 3000))
    ),
    "a token endpoint on another port of this machine": Way(
        "provider-egress", metadata=put(token_endpoint="http://127.0.0.1:9/token")
    ),
    "a token endpoint at the cloud's metadata service": Way(
        "provider-egress", metadata=put(token_endpoint="https://169.254.169.254/token")
    ),
    "a token endpoint at an oddly written loopback": Way(
        "provider-egress", metadata=put(token_endpoint="https://0x7f.1/token")
    ),
    "keys inside the network": Way("provider-egress", metadata=put(jwks_uri="https://192.168.0.1/keys")),
    "keys at a metadata service by its name": Way(
        "provider-egress", metadata=put(jwks_uri="https://metadata.google.internal/keys")
    ),
    "a revocation endpoint inside the network": Way(
        "provider-egress", metadata=put(revocation_endpoint="https://10.1.2.3/revoke")
    ),
    "a revocation endpoint that is a list": Way("metadata-endpoint", metadata=put(revocation_endpoint=[])),
    "no algorithms": Way("metadata-algorithms", metadata=put(id_token_signing_alg_values_supported=GONE)),
    "the algorithm none alone": Way(
        "metadata-algorithms", metadata=put(id_token_signing_alg_values_supported=["none"])
    ),
    "shared secrets alone": Way(
        "metadata-algorithms", metadata=put(id_token_signing_alg_values_supported=["HS256", "HS512"])
    ),
    "algorithms that are a text": Way("metadata-type", metadata=put(id_token_signing_alg_values_supported="RS256")),
    "algorithms that are numbers": Way("metadata-type", metadata=put(id_token_signing_alg_values_supported=[256])),
    "no code flow": Way("metadata-code-flow", metadata=put(response_types_supported=["id_token"])),
    "client authentication that we have not": Way(
        "metadata-client-auth", metadata=put(token_endpoint_auth_methods_supported=["private_key_jwt"])
    ),
    "RFC 9207 promised in words": Way(
        "metadata-type", metadata=put(authorization_response_iss_parameter_supported="true")
    ),
}


PUBLISHED = {
    "keys that are no JSON": Way("keys-json", keys=instead(b"-----BEGIN PUBLIC KEY-----")),
    "keys that are an array": Way("keys-json", keys=instead(b"[]")),
    "keys under another name": Way("keys-json", keys=instead({"jwks": []})),
    "keys that are an object": Way("keys-json", keys=instead({"keys": {}})),
    "keys with status 403": Way("keys-status", status={KEYS: "403 Forbidden"}),
    "keys with status 204": Way("keys-status", keys=instead(b""), status={KEYS: "204 No Content"}),
    "keys with a body behind status 204": Way("provider-broken", status={KEYS: "204 No Content"}),
    "keys with a member twice": Way("keys-json", keys=lambda p, right: _doubled(p, right, "keys", [])),
    "no keys": Way("keys-none", keys=key_set()),
    "ten thousand keys": Way("keys-many", keys=key_set(*[{"kty": "RSA"}] * 10_000)),
    "keys of unknown types alone": Way("keys-none", keys=key_set({"kty": "AKP", "kid": "one"}, "a text", None, 7)),
    "keys for encryption alone": Way("keys-none", keys=key_set(lambda: rsa_jwk(rsa_key(), "one", use="enc"))),
    "keys for making signatures alone": Way(
        "keys-none", keys=key_set(lambda: rsa_jwk(rsa_key(), "one", key_ops=["sign"]))
    ),
    "an RSA key of 1024 bits": Way(
        "keys-none",
        keys=key_set(lambda: rsa_jwk(rsa_key("weak", 1024), "one")),
        signed=header(sign=lambda: rs256(rsa_key("weak", 1024))),
    ),
    "an RSA key of 100,000 digits": Way(
        "keys-none", keys=key_set({"kty": "RSA", "kid": "one", "n": number(2**332_000 + 1), "e": "AQAB"})
    ),
    "an RSA key with the exponent 1": Way("keys-none", keys=key_set(lambda: rsa_jwk(rsa_key(), "one") | {"e": "AQ"})),
    "an RSA key with an exponent of 2048 bits": Way(
        "keys-none", keys=key_set(lambda: rsa_jwk(rsa_key(), "one") | {"e": number(2**2047 + 1)})
    ),
    "a published private key": Way("keys-none", keys=key_set(lambda: rsa_jwk(rsa_key(), "one", d="AQAB"))),
    "a point that is on no curve": Way(
        "keys-none", keys=key_set(lambda: ec_jwk(ec_key(), "two") | {"x": number(5, 32), "y": number(5, 32)})
    ),
    "the client's secret as a key": Way(
        "keys-none", keys=key_set({"kty": "oct", "kid": "one", "k": b64(SECRET.encode())})
    ),
    "a key whose parts are numbers": Way("keys-none", keys=key_set({"kty": "RSA", "kid": "one", "n": 7, "e": 65537})),
    "the key of another under the right name": Way(
        "id-token-signature", keys=key_set(lambda: rsa_jwk(rsa_key("another"), "one"))
    ),
    "a key for another algorithm": Way("id-token-key", keys=key_set(lambda: rsa_jwk(rsa_key(), "one", alg="PS256"))),
    "a key for Edwards curves that is none": Way(
        "keys-none", keys=key_set(lambda: rsa_jwk(rsa_key(), "one", alg="EdDSA"))
    ),
    "a key without a name for a token with one": Way(
        "id-token-key", keys=key_set(lambda: rsa_jwk(rsa_key(), "one") | {"kid": None})
    ),
}


EXCHANGED = {
    "a token answer with status 500": Way("token-status", answer=instead(b"<html>"), status={TOKEN: "500 Oh"}),
    "a token answer with status 201": Way("token-status", status={TOKEN: "201 Created"}),
    "a token answer with status 204": Way("token-status", answer=instead(b""), status={TOKEN: "204 No Content"}),
    "a refusal in the standard's words": Way(
        "token-error",
        answer=instead({"error": "invalid_grant", "error_description": WORDS}),
        status={TOKEN: "400 Bad Request"},
    ),
    "a refusal in words of its own": Way(
        "token-status", answer=instead({"error": WORDS}), status={TOKEN: "400 Bad Request"}
    ),
    "a refusal with status 200": Way("token-access-token", answer=instead({"error": "invalid_client"})),
    "a token answer that is no JSON": Way("token-json", answer=instead(b"access_token=the-access-token")),
    "a token answer that is an array": Way("token-json", answer=instead([])),
    "a token answer nested deep": Way("token-json", answer=instead(_nested(50_000))),
    "two access tokens": Way("token-json", answer=lambda p, right: _doubled(p, right, "access_token", "other")),
    "no access token": Way("token-access-token", answer=put(access_token=GONE)),
    "an access token that is a number": Way("token-access-token", answer=put(access_token=7)),
    "an empty access token": Way("token-access-token", answer=put(access_token="")),
    "an access token with a line break": Way("token-access-token", answer=put(access_token="a\r\nSet-Cookie: b=c")),
    "an access token of letters that no header takes": Way("token-access-token", answer=put(access_token="tökén")),
    "an access token of 900,000 characters": Way("token-access-token", answer=put(access_token="a" * 900_000)),
    "no token type": Way("token-type", answer=put(token_type=GONE)),
    "the token type mac": Way("token-type", answer=put(token_type="mac")),
    "the token type DPoP": Way("token-type", answer=put(token_type="DPoP")),
    "a token type that is a list": Way("token-type", answer=put(token_type=["Bearer"])),
    "an expiry in words": Way("token-expires-in", answer=put(expires_in="soon")),
    "an expiry below zero": Way("token-expires-in", answer=put(expires_in=-1)),
    "an expiry that is true": Way("token-expires-in", answer=put(expires_in=True)),
    "an expiry beyond all numbers": Way(
        "token-json",
        answer=lambda _, right: json.dumps(right | {"expires_in": 7}).replace('_in": 7', '_in": 1e999').encode(),
    ),
    "an expiry of 5,000 digits": Way(
        "token-json",
        answer=lambda _, right: (
            json.dumps(right | {"expires_in": 7}).replace('_in": 7', '_in": ' + "9" * 5000).encode()
        ),
    ),
    "a refresh token that is a number": Way("token-refresh-token", answer=put(refresh_token=7)),
    "a refresh token with a control character": Way("token-refresh-token", answer=put(refresh_token="a\x7fb")),
    "a scope that is a list": Way("token-scope", answer=put(scope=["openid"])),
    "no ID token": Way("token-id-token", answer=put(id_token=GONE)),
    "an ID token that is null": Way("token-id-token", answer=put(id_token=None)),
    "an ID token that is an object": Way("token-id-token", answer=put(id_token={"sub": "user-1"})),
}


SIGNED = {
    "an ID token that is a word": Way("id-token-format", answer=put(id_token="hello")),
    "an ID token of two parts": Way("id-token-format", answer=put(id_token=lambda p: p.id_token().rpartition(".")[0])),
    "an ID token of five parts": Way("id-token-format", answer=put(id_token="a.b.c.d.e")),
    "an ID token with padding": Way("id-token-format", answer=put(id_token=lambda p: p.id_token() + "==")),
    "an ID token with a line break": Way("token-id-token", answer=put(id_token=lambda p: p.id_token() + "\n")),
    "an ID token of 100,000 characters": Way("token-id-token", claims=put(groups=["g" * 1000] * 100)),
    "an ID token whose header is no JSON": Way(
        "id-token-format", signed=lambda _, claims: compact(b"{", claims, rs256(rsa_key()))
    ),
    "an ID token whose header is a list": Way(
        "id-token-format", signed=lambda _, claims: compact([], claims, rs256(rsa_key()))
    ),
    "an ID token with two algorithms": Way(
        "id-token-format",
        signed=lambda _, claims: compact(b'{"alg":"none","alg":"RS256","kid":"one"}', claims, rs256(rsa_key())),
    ),
    "claims that are no JSON": Way("id-token-format", claims=instead(b"sub=user-1")),
    "claims that are a list": Way("id-token-format", claims=instead(b'["user-1"]')),
    "claims with two subjects": Way("id-token-format", claims=lambda p, right: _doubled(p, right, "sub", "admin")),
    "claims nested deep": Way("id-token-format", claims=instead(_nested(2000))),
    "the algorithm none, unsigned": Way("id-token-format", signed=header(lambda: nothing, alg="none", kid=GONE)),
    "the algorithm none, signed": Way("id-token-algorithm", signed=header(alg="none")),
    "the algorithm None": Way("id-token-algorithm", signed=header(alg="None")),
    "no algorithm": Way("id-token-algorithm", signed=header(alg=GONE)),
    "an algorithm that is a list": Way("id-token-algorithm", signed=header(alg=["RS256"])),
    "HS256 with the client's secret": Way(
        "id-token-algorithm", signed=header(lambda: hs256(SECRET.encode()), alg="HS256")
    ),
    "HS256 with the client's secret, which the metadata lists": Way(
        "id-token-algorithm",
        metadata=put(id_token_signing_alg_values_supported=["HS256", "RS256"]),
        signed=header(lambda: hs256(SECRET.encode()), alg="HS256"),
    ),
    "HS256 with the public key": Way("id-token-algorithm", signed=header(lambda: hs256(pem(rsa_key())), alg="HS256")),
    "an algorithm that the metadata does not list": Way(
        "id-token-algorithm", signed=header(lambda: ps256(rsa_key()), alg="PS256")
    ),
    "Ed25519, which the metadata does not list": Way(
        "id-token-algorithm", signed=header(lambda: eddsa(ed_key()), alg="EdDSA")
    ),
    "a key of its own in the header": Way(
        "id-token-own-key",
        signed=lambda _, claims: compact(
            {"alg": "RS256", "kid": "one", "jwk": rsa_jwk(rsa_key("forger"), "one")}, claims, rs256(rsa_key("forger"))
        ),
    ),
    "an address of keys in the header": Way(
        "id-token-own-key", signed=header(lambda: rs256(rsa_key("forger")), jku="https://evil.example/keys")
    ),
    "a certificate in the header": Way("id-token-own-key", signed=header(x5c=["MIIB"])),
    "an extension that must be known": Way(
        "id-token-critical", signed=header(crit=["http://evil.example/x"], **{"http://evil.example/x": True})
    ),
    "an unencoded payload": Way("id-token-critical", signed=header(b64=False)),
    "an access token for an ID token": Way("id-token-type", signed=header(typ="at+jwt")),
    "a logout token for an ID token": Way("id-token-type", signed=header(typ="logout+jwt")),
    "a type that is a number": Way("id-token-type", signed=header(typ=7)),
    "a key name that is a number": Way("id-token-kid", signed=header(kid=1)),
    "no key name where several fit": Way(
        "id-token-kid",
        keys=key_set(lambda: rsa_jwk(rsa_key(), "one"), lambda: rsa_jwk(rsa_key("another"), "two")),
        signed=header(kid=GONE),
    ),
    "the name of a key that nobody published": Way("id-token-key", signed=header(kid="yesterday")),
    "the name of a key of another type": Way("id-token-key", signed=header(kid="two")),
    "the name of a key for encryption": Way(
        "id-token-key", signed=header(lambda: rs256(rsa_key("for encryption")), kid="four")
    ),
    "a signature of somebody else": Way("id-token-signature", signed=header(lambda: rs256(rsa_key("forger")))),
    "a signature of zeros": Way("id-token-signature", signed=header(lambda: lambda _: bytes(256))),
    "a signature of one byte": Way("id-token-signature", signed=header(lambda: lambda _: b"\0")),
    "a signature over other claims": Way(
        "id-token-signature",
        answer=put(id_token=lambda p: _exchanged_claims(p.id_token(), p.claims() | {"sub": "admin"})),
    ),
    "a signature of another way to pad": Way("id-token-signature", signed=header(lambda: ps256(rsa_key()))),
    "a signature on a curve, all zeros": Way(
        "id-token-signature", signed=header(lambda: lambda _: bytes(64), alg="ES256", kid="two")
    ),
    "a signature on a curve as OpenSSL writes it": Way(
        "id-token-signature", signed=header(lambda: es256_as_der(ec_key()), alg="ES256", kid="two")
    ),
    "a signature on a curve by somebody else": Way(
        "id-token-signature", signed=header(lambda: es256(ec_key("forger")), alg="ES256", kid="two")
    ),
}


CLAIMED = {
    "an ID token of another issuer": Way("id-token-issuer", claims=put(iss="https://evil.example")),
    "an ID token of the issuer with a slash more": Way("id-token-issuer", claims=put(iss=lambda p: p.issuer + "/")),
    "an ID token without issuer": Way("id-token-issuer", claims=put(iss=GONE)),
    "no subject": Way("id-token-subject", claims=put(sub=GONE)),
    "an empty subject": Way("id-token-subject", claims=put(sub="")),
    "a subject of spaces": Way("id-token-subject", claims=put(sub="   ")),
    "a subject that is a number": Way("id-token-subject", claims=put(sub=1)),
    "a subject of 10,000 characters": Way("id-token-subject", claims=put(sub="s" * 10_000)),
    "no audience": Way("id-token-audience", claims=put(aud=GONE)),
    "another audience": Way("id-token-audience", claims=put(aud="another-client")),
    "another audience with our azp": Way("id-token-audience", claims=put(aud="another-client", azp=CLIENT)),
    "a further audience": Way("id-token-audience", claims=put(aud=[CLIENT, "another-client"], azp=CLIENT)),
    "an empty list of audiences": Way("id-token-audience", claims=put(aud=[])),
    "an audience in a list in a list": Way("id-token-audience", claims=put(aud=[[CLIENT]])),
    "an audience that begins with the client": Way("id-token-audience", claims=put(aud=CLIENT + "2")),
    "another authorized party": Way("id-token-authorized-party", claims=put(azp="another-client")),
    "an authorized party that is a list": Way("id-token-authorized-party", claims=put(azp=[CLIENT])),
    "no expiry": Way("id-token-expiry", claims=put(exp=GONE)),
    "an expiry 61 seconds ago": Way("id-token-expiry", claims=put(exp=lambda p: p.now - 61)),
    "an expiry that is a text": Way("id-token-expiry", claims=put(exp=lambda p: str(p.now + 300))),
    "an expiry that is yes": Way("id-token-expiry", claims=put(exp=True)),
    "an expiry in milliseconds of milliseconds": Way("id-token-expiry", claims=put(exp=10**18)),
    "no time of issue": Way("id-token-issued", claims=put(iat=GONE)),
    "a time of issue to come": Way("id-token-issued", claims=put(iat=lambda p: p.now + 61)),
    "a time of issue that is a text": Way("id-token-issued", claims=put(iat="now")),
    "a time before which it does not count": Way("id-token-not-before", claims=put(nbf=lambda p: p.now + 61)),
    "a time of the login that is a text": Way("id-token-auth-time", claims=put(auth_time="today")),
    "no nonce": Way("id-token-nonce", claims=put(nonce=GONE)),
    "another login's nonce": Way("id-token-nonce", claims=put(nonce="another")),
    "a nonce that is a list": Way("id-token-nonce", claims=put(nonce=lambda p: [p.asked["nonce"]])),
    "the hash of another access token": Way(
        "id-token-access-token", claims=put(at_hash=lambda _: at_hash(ACCESS + "2"))
    ),
    "a hash that is null": Way("id-token-access-token", claims=put(at_hash=None)),
    "an expiry beyond all numbers in the claims": Way(
        "id-token-format",
        claims=lambda p, right: json.dumps(right | {"exp": 7}).replace('"exp": 7', '"exp": 1e999').encode(),
    ),
}


def _without(name: str) -> Callable[[Provider, list[tuple[str, str]]], list[tuple[str, str]]]:
    return lambda _, right: [pair for pair in right if pair[0] != name]


REDIRECTED = {
    "a redirect of another issuer": Way(
        "callback-issuer", redirect=lambda _, right: [*right[:2], ("iss", "https://evil.example")]
    ),
    "a redirect of the issuer with a slash more": Way(
        "callback-issuer", redirect=lambda p, right: [*right[:2], ("iss", p.issuer + "/")]
    ),
    "a redirect without the issuer that was promised": Way("callback-issuer-missing", redirect=_without("iss")),
    "a redirect with an error": Way(
        "callback-error",
        redirect=lambda p, right: [("error", "server_error"), ("error_description", WORDS), *right[1:]],
    ),
}

USERINFO_WAYS = {
    "UserInfo of somebody else": Way("userinfo-subject", userinfo=put(sub="admin")),
    "UserInfo without a subject": Way("userinfo-subject", userinfo=put(sub=GONE)),
    "UserInfo that is a signed token": Way("userinfo-json", userinfo=instead(b"eyJ.eyJ.c2ln")),
    "UserInfo with two subjects": Way("userinfo-json", userinfo=lambda p, right: _doubled(p, right, "sub", "admin")),
    "UserInfo with status 401": Way("userinfo-status", userinfo=put(), status={USERINFO: "401 Unauthorized"}),
}
"""Of people who sign in to the studio."""

SAID = {**METADATA, **PUBLISHED, **EXCHANGED, **SIGNED, **CLAIMED, **REDIRECTED}


def _exchanged_claims(token: str, claims: Any) -> str:
    head, _, signature = token.split(".")
    return f"{head}.{part(claims)}.{signature}"
