"""Signed user tokens: what is taken, and every reason to refuse one."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.auth.secret import Secret
from dialoom.auth.user_token import (
    CLAIM_RULES,
    HEADER_RULES,
    MAX_TOKEN_CHARS,
    Expected,
    SignedUser,
    check_user_key,
    read_user_token,
)
from dialoom.errors import RequestError, SettingError
from tests.auth.tokens import CLAIMS, NOW, SECRET, part, private_pem, public_pem, signed, signed_by

EC = ec.generate_private_key(ec.SECP256R1())
RSA = rsa.generate_private_key(65537, 2048)


def read(token: str, key: str = SECRET, algorithm: str = "HS256", now: float = NOW) -> SignedUser:
    return read_user_token(token, Secret(key), Expected(algorithm, "web", now), "/user/token")


def refusal(token: str, **how: Any) -> str:
    with pytest.raises(RequestError) as caught:
        read(token, **how)
    error = caught.value
    assert (error.code, error.pointer) == ("bad-user-token", "/user/token")
    assert error.headers == {"WWW-Authenticate": "Bearer"}
    return error.detail


def test_a_token_says_who_the_user_is_and_what_is_known() -> None:
    profile = {
        "name": "Ada King",
        "given_name": "Ada",
        "picture": "https://a.example/ada.png",
        "zoneinfo": "Asia/Tokyo",
    }
    claims = (
        CLAIMS | profile | {"context": {"plan": "gold", "token": {"access_token": "x"}}, "locale": None, "iss": "shop"}
    )
    assert read(signed(claims)) == SignedUser(
        id="ada",
        context={"plan": "gold", "token": {"access_token": "x"}},
        name="Ada King",
        given_name="Ada",
        picture="https://a.example/ada.png",
        zoneinfo="Asia/Tokyo",
    )


@pytest.mark.parametrize("aud", ["web", ["other", "web"]])
def test_the_audience_is_the_channel_alone_or_in_a_list(aud: Any) -> None:
    assert read(signed(CLAIMS | {"aud": aud})).id == "ada"


@pytest.mark.parametrize("header", [{"alg": "HS256", "typ": "jwt", "kid": "1", "cty": "x", "x-own": 1}])
def test_harmless_header_names_of_other_issuers_are_passed_over(header: dict[str, Any]) -> None:
    assert read(signed(CLAIMS, header)).id == "ada"


def test_clocks_may_differ_by_a_minute() -> None:
    assert read(signed(CLAIMS | {"exp": NOW - 59, "nbf": NOW + 60, "iat": NOW + 59.5})).id == "ada"


@pytest.mark.parametrize(("key", "algorithm"), [(EC, "ES256"), (RSA, "RS256")])
def test_a_public_key_checks_tokens_of_its_private_one(key: Any, algorithm: str) -> None:
    token = signed_by(key, CLAIMS, algorithm)
    assert read(token, key=public_pem(key), algorithm=algorithm).id == "ada"
    # As it stands in a variable of one line.
    assert read(token, key=public_pem(key).replace("\n", "\\n"), algorithm=algorithm).id == "ada"
    forged = token[: token.rindex(".") + 1] + part(b"x" * 64)
    assert "signature does not fit" in refusal(forged, key=public_pem(key), algorithm=algorithm)


HEADERS = [
    ({"alg": "none"}, "alg"),
    ({"alg": "HS512"}, "alg"),
    ({"alg": "RS256"}, "alg"),
    ({}, "alg"),
    ({"alg": ["HS256"]}, "alg"),
    ({"alg": "HS256", "crit": ["exp"], "exp": 1}, "extension"),
    ({"alg": "HS256", "crit": []}, "extension"),
    ({"alg": "HS256", "b64": False}, "extension"),
    ({"alg": "HS256", "jwk": {"kty": "oct", "k": "AA"}}, "brings a key"),
    ({"alg": "HS256", "jku": "https://evil.example/keys"}, "brings a key"),
    ({"alg": "HS256", "x5u": "https://evil.example/cert"}, "brings a key"),
    ({"alg": "HS256", "x5c": ["AA"]}, "brings a key"),
    ({"alg": "HS256", "typ": "at+jwt"}, "typ"),
    ({"alg": "HS256", "typ": None}, "typ"),
]


@pytest.mark.parametrize(("header", "reason"), HEADERS)
def test_a_header_that_asks_for_something_else_is_refused(header: dict[str, Any], reason: str) -> None:
    assert reason in refusal(signed(CLAIMS, header))


CLAIMS_REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"sub": None}, '"sub" is missing'),
    ({"sub": ""}, '"sub" is missing'),
    ({"sub": "  "}, '"sub" is missing'),
    ({"sub": 7}, '"sub" is missing'),
    ({"sub": "a" * 257}, '"sub" is missing'),
    ({"sub": "web_" + "0" * 32}, "anonymous user"),
    ({"aud": None}, '"aud" is not "web"'),
    ({"aud": "rest"}, '"aud" is not "web"'),
    ({"aud": ["rest"]}, '"aud" is not "web"'),
    ({"aud": ["web", 1]}, '"aud" is not "web"'),
    ({"aud": {"web": 1}}, '"aud" is not "web"'),
    ({"exp": None}, '"exp" is missing'),
    ({"exp": str(NOW + 300)}, '"exp" is missing'),
    ({"exp": True}, '"exp" is missing'),
    ({"exp": NOW - 60}, '"exp" has passed'),
    ({"exp": -(10**400)}, '"exp" has passed'),
    ({"exp": (NOW + 300) * 1000}, "more than a year away"),
    ({"exp": 10**400}, "more than a year away"),
    ({"nbf": "soon"}, '"nbf" is no number'),
    ({"nbf": None}, '"nbf" is no number'),
    ({"nbf": NOW + 61}, '"nbf" lies in the future'),
    ({"iat": "now"}, '"iat" is no number'),
    ({"iat": NOW * 1000}, '"iat" lies in the future'),
    ({"context": ["plan"]}, '"context" is no object'),
    ({"context": None}, '"context" is no object'),
    ({"context": {"_system": 1}}, "begins with _"),
    ({"name": 7}, 'or "zoneinfo" is no text'),
    ({"given_name": "A" * 257}, 'or "zoneinfo" is no text'),
    ({"zoneinfo": ["UTC"]}, 'or "zoneinfo" is no text'),
    ({"picture": "https://a.example/" + "a" * 2048}, 'or "zoneinfo" is no text'),
    ({"picture": "javascript:alert(1)"}, '"picture" is no http(s) address'),
]


@pytest.mark.parametrize(("claims", "reason"), CLAIMS_REFUSED)
def test_claims_that_are_missing_wrong_or_of_another_time_are_refused(claims: dict[str, Any], reason: str) -> None:
    detail = refusal(signed(CLAIMS | claims))
    assert reason in detail
    assert detail.startswith("The user token is refused: its ")


@pytest.mark.parametrize("name", ["sub", "aud", "exp"])
def test_what_must_be_there_is_asked_for(name: str) -> None:
    assert f'"{name}" is' in refusal(signed({key: value for key, value in CLAIMS.items() if key != name}))


def test_every_rule_has_a_case() -> None:
    told = [refusal(signed(CLAIMS, header)) for header, _ in HEADERS]
    told += [refusal(signed(CLAIMS | claims)) for claims, _ in CLAIMS_REFUSED]
    for rule in (*HEADER_RULES, *CLAIM_RULES):
        reason = rule.reason.format(algorithm="HS256", audience="web")
        assert any(reason in detail for detail in told), reason


DEEP = {"context": {"a": json.loads("[" * 40 + "]" * 40)}}


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        ("", "no signed token"),
        ("x", "no signed token"),
        ("a.b", "no signed token"),
        ("a.b.c.d.e", "no signed token"),
        ("a.b.", "no signed token"),
        ("ä.b.c", "no signed token"),
        (signed(CLAIMS) + "=", "no signed token"),
        (signed(CLAIMS) + "\n", "no signed token"),
        (signed(CLAIMS, b"[1]"), "no signed token"),
        (signed(CLAIMS, b"{"), "no signed token"),
        (signed(CLAIMS, b'{"alg": "none", "alg": "HS256"}'), "no signed token"),
        (signed([1]), "no signed token"),
        (signed(b""), "no signed token"),
        (signed(b'{"sub": NaN}'), "no signed token"),
        (signed(b'{"sub": "bob", "sub": "ada", "aud": "web", "exp": 1800000300}'), "no signed token"),
        (signed(b"[" * 9000), "no signed token"),
        (signed(b'{"exp": ' + b"9" * 5000 + b"}"), "no signed token"),
        (signed(b"\xff\xfe"), "no signed token"),
        (signed(b'{"exp": 1e999}'), "cannot be stored"),
        (signed(CLAIMS | {"sub": "a\0b"}), "cannot be stored"),
        (signed(CLAIMS | {"sub": "\ud800"}), "cannot be stored"),
        (signed(CLAIMS | {"context": {"a\0": 1}}), "cannot be stored"),
        (signed(CLAIMS | DEEP), "nested too deeply"),
        (signed(CLAIMS, secret="another secret of thirty-two bytes!"), "signature does not fit"),
        (signed(CLAIMS)[:-3] + "AAA", "signature does not fit"),
        (signed(CLAIMS, {"alg": "HS256", "x-long": "a" * 600}), "signature does not fit"),
        (signed(CLAIMS | {"context": {"text": "a" * MAX_TOKEN_CHARS}}), "more than 16384 characters"),
    ],
)
def test_what_is_no_token_of_this_channel_is_refused(token: str, reason: str) -> None:
    assert reason in refusal(token)


@pytest.mark.parametrize("key", [EC, RSA])
def test_a_public_key_is_never_taken_as_a_secret(key: Any) -> None:
    """Whoever knows the public key could else sign with it (RFC 8725 section 2.1)."""
    pem = public_pem(key)
    with pytest.raises(SettingError, match="HS256 takes a shared secret"):
        read(signed(CLAIMS, secret=pem), key=pem)
    algorithm = "ES256" if key is EC else "RS256"
    assert "alg" in refusal(signed(CLAIMS, secret=pem), key=pem, algorithm=algorithm)


@pytest.mark.parametrize(
    ("key", "algorithm", "words"),
    [
        ("short", "HS256", "less than 32 bytes"),
        ("a secret of at least thirty-two bytes", "RS256", "no public key"),
        (private_pem(EC), "ES256", "no public key"),
        (public_pem(RSA), "ES256", "P-256"),
        (public_pem(ec.generate_private_key(ec.SECP384R1())), "ES256", "P-256"),
        (public_pem(EC), "RS256", "RSA public key"),
        (public_pem(rsa.generate_private_key(65537, 1024)), "RS256", "2048 bits"),
    ],
)
def test_a_key_that_does_not_fit_the_algorithm_is_told_without_showing_it(key: str, algorithm: str, words: str) -> None:
    with pytest.raises(SettingError, match=words) as caught:
        check_user_key(Secret(key), algorithm)
    assert key not in str(caught.value)
    assert str(caught.value).startswith("user-secret ")


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["sub", "aud", "exp", "nbf", "iat", "context", "name", "picture"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
            max_leaves=5,
        ),
    )
)
def test_any_claims_are_read_or_refused(claims: dict[str, Any]) -> None:
    token = signed(CLAIMS | claims)
    with contextlib.suppress(RequestError):
        assert read(token).id == (CLAIMS | claims)["sub"]
