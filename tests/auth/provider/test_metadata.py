"""A provider's metadata: what is taken from it, and every reason to refuse it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dialoom.auth.provider import Wrong, discovery_address, read_metadata
from dialoom.auth.provider.addresses import is_at_issuer, read_address
from tests.auth.provider.right import GONE, ISSUER, METADATA, body, changed, code_of

LOCAL = "http://127.0.0.1:9000"


def refusal(value: Any, issuer: str = ISSUER, status: int = 200) -> str:
    with pytest.raises(Wrong) as caught:
        read_metadata(body(value), issuer, status)
    return code_of(caught)


def local(**changes: Any) -> dict[str, Any]:
    text = json.dumps(METADATA).replace("https://tokens.id.example", LOCAL).replace("https://id.example/clinic", LOCAL)
    return changed(json.loads(text), changes)


def test_what_a_login_needs_is_taken() -> None:
    found = read_metadata(body(METADATA), ISSUER)
    assert found.issuer == ISSUER
    assert found.authorization_endpoint == METADATA["authorization_endpoint"]
    assert found.token_endpoint == METADATA["token_endpoint"]
    assert found.jwks_uri == METADATA["jwks_uri"]
    assert found.revocation_endpoint == METADATA["revocation_endpoint"]
    assert found.client_auth == "basic"
    assert found.requires_iss is True


def test_only_asymmetric_algorithms_are_taken() -> None:
    assert read_metadata(body(METADATA), ISSUER).algorithms == ("RS256", "ES256")


def test_what_is_optional_may_be_absent() -> None:
    absent = {
        "revocation_endpoint": GONE,
        "response_types_supported": GONE,
        "token_endpoint_auth_methods_supported": GONE,
        "authorization_response_iss_parameter_supported": GONE,
    }
    found = read_metadata(body(changed(METADATA, absent)), ISSUER)
    assert (found.revocation_endpoint, found.client_auth, found.requires_iss) == (None, "basic", False)


def test_of_what_no_login_uses_only_the_class_of_addresses_counts() -> None:
    further = {
        "userinfo_endpoint": "not here",
        "end_session_endpoint": None,
        "introspection_endpoint": "",
        "device_authorization_endpoint": ["http://id.example"],
        "check_session_iframe": "http://id.example/frame",
        "op_policy_uri": "http://id.example/privacy",
        "op_tos_uri": "http://id.example/terms",
        "registration_endpoint": "not here",
    }
    plain = read_metadata(body(changed(METADATA, {"userinfo_endpoint": None})), ISSUER)
    assert read_metadata(body(changed(METADATA, further)), ISSUER) == plain
    info = {"userinfo_endpoint": "https://users.example/info"}
    assert read_metadata(body(changed(METADATA, info)), ISSUER).userinfo_endpoint == "https://users.example/info"
    assert read_metadata(body(local(userinfo_endpoint=f"{LOCAL}/me")), LOCAL).issuer == LOCAL


def test_the_secret_goes_into_the_body_only_where_nothing_else_is_offered() -> None:
    offered = {"token_endpoint_auth_methods_supported": ["private_key_jwt", "client_secret_post"]}
    assert read_metadata(body(changed(METADATA, offered)), ISSUER).client_auth == "post"


def test_a_provider_on_this_machine_may_speak_plain_http() -> None:
    assert read_metadata(body(local()), LOCAL).token_endpoint == f"{LOCAL}/clinic/token"
    assert read_metadata(body(local(jwks_uri="https://keys.example/")), LOCAL).jwks_uri == "https://keys.example/"


CASES: list[tuple[dict[str, Any], str]] = [
    ({"issuer": GONE}, "metadata-issuer"),
    ({"issuer": None}, "metadata-issuer"),
    ({"issuer": [ISSUER]}, "metadata-issuer"),
    ({"issuer": ISSUER + "/"}, "metadata-issuer"),
    ({"issuer": ISSUER.upper()}, "metadata-issuer"),
    ({"issuer": "https://evil.example"}, "metadata-issuer"),
    ({"authorization_endpoint": GONE}, "metadata-missing"),
    ({"token_endpoint": GONE}, "metadata-missing"),
    ({"jwks_uri": None}, "metadata-missing"),
    ({"authorization_endpoint": "javascript:alert(1)"}, "metadata-endpoint"),
    ({"authorization_endpoint": "http://id.example/authorize"}, "metadata-endpoint"),
    ({"token_endpoint": "http://127.0.0.1:9000/token"}, "metadata-endpoint"),
    ({"token_endpoint": "https://a:b@id.example/token"}, "metadata-endpoint"),
    ({"token_endpoint": "https://id.example/token#here"}, "metadata-endpoint"),
    ({"token_endpoint": "https://id.example\\@evil.example/token"}, "metadata-endpoint"),
    ({"token_endpoint": "https://id.example/to ken"}, "metadata-endpoint"),
    ({"token_endpoint": "https://id.example/token\n"}, "metadata-endpoint"),
    ({"token_endpoint": "https://id.example:99999/token"}, "metadata-endpoint"),
    ({"token_endpoint": "https://id.example:0/token"}, "metadata-endpoint"),
    ({"token_endpoint": "https://ïd.example/token"}, "metadata-endpoint"),
    ({"token_endpoint": "https:///token"}, "metadata-endpoint"),
    ({"token_endpoint": "/token"}, "metadata-endpoint"),
    ({"token_endpoint": "https://id.example/" + "a" * 3000}, "metadata-endpoint"),
    ({"token_endpoint": 7}, "metadata-endpoint"),
    ({"jwks_uri": "file:///etc/passwd"}, "metadata-endpoint"),
    ({"revocation_endpoint": "http://id.example/revoke"}, "metadata-endpoint"),
    ({"revocation_endpoint": []}, "metadata-endpoint"),
    ({"userinfo_endpoint": "http://169.254.169.254/"}, "metadata-endpoint"),
    ({"end_session_endpoint": "http://127.0.0.1:9000/end"}, "metadata-endpoint"),
    ({"registration_endpoint": "http://id.example/register"}, "metadata-endpoint"),
    ({"signed_jwks_uri": "http://id.example/keys"}, "metadata-endpoint"),
    ({"id_token_signing_alg_values_supported": GONE}, "metadata-algorithms"),
    ({"id_token_signing_alg_values_supported": []}, "metadata-algorithms"),
    ({"id_token_signing_alg_values_supported": ["none", "HS256", "ES256K"]}, "metadata-algorithms"),
    ({"id_token_signing_alg_values_supported": "RS256"}, "metadata-type"),
    ({"id_token_signing_alg_values_supported": ["RS256", 7]}, "metadata-type"),
    ({"response_types_supported": "code"}, "metadata-type"),
    ({"token_endpoint_auth_methods_supported": {}}, "metadata-type"),
    ({"authorization_response_iss_parameter_supported": "true"}, "metadata-type"),
    ({"authorization_response_iss_parameter_supported": None}, "metadata-type"),
    ({"response_types_supported": ["id_token", "code id_token"]}, "metadata-code-flow"),
    ({"token_endpoint_auth_methods_supported": ["private_key_jwt", "none"]}, "metadata-client-auth"),
    ({"token_endpoint_auth_methods_supported": []}, "metadata-client-auth"),
]


@pytest.mark.parametrize(("changes", "code"), CASES)
def test_metadata_that_is_wrong_in_one_point_is_refused(changes: dict[str, Any], code: str) -> None:
    assert refusal(changed(METADATA, changes)) == code


BODIES: list[tuple[bytes, str]] = [
    (b"", "metadata-json"),
    (b"<html>", "metadata-json"),
    (b"[]", "metadata-json"),
    (b"null", "metadata-json"),
    (b"\xff\xfe", "metadata-json"),
    (b'{"issuer": "a", "issuer": "a"}', "metadata-json"),
    (b'{"a": ' * 40 + b"1" + b"}" * 40, "metadata-json"),
    (b"[" * 100_000, "metadata-json"),
    (b'{"a": 1e999}', "metadata-json"),
    (b'{"a": "' + b"a" * 1024 * 1024 + b'"}', "metadata-json"),
]


@pytest.mark.parametrize(("data", "code"), BODIES)
def test_what_is_no_json_of_one_meaning_is_refused(data: bytes, code: str) -> None:
    assert refusal(data) == code


@pytest.mark.parametrize("status", [204, 301, 404, 500])
def test_another_status_is_refused_whatever_comes_with_it(status: int) -> None:
    assert refusal(METADATA, status=status) == "metadata-status"


@pytest.mark.parametrize("issuer", ["http://id.example", "ftp://id.example", "https://ïd.example", "id.example", ""])
def test_an_issuer_that_is_no_plain_https_address_is_refused(issuer: str) -> None:
    assert refusal(changed(METADATA, {"issuer": issuer}), issuer) == "metadata-endpoint"


@pytest.mark.parametrize("endpoint", ["http://id.example/token", "http://10.0.0.1/token", "http://127.0.0.1.example/"])
def test_plain_http_leaves_this_machine_under_no_issuer(endpoint: str) -> None:
    assert refusal(local(token_endpoint=endpoint), LOCAL) == "metadata-endpoint"


def test_an_issuer_that_differs_by_a_slash_is_shown_and_nothing_that_is_no_plain_address() -> None:
    for said, is_shown in ((ISSUER + "/", True), ("https://id.example?secret=s3cret", False), ("s3cret\x1b[2J", False)):
        with pytest.raises(Wrong) as caught:
            read_metadata(body(changed(METADATA, {"issuer": said})), ISSUER)
        assert (said in str(caught.value)) is is_shown


@pytest.mark.parametrize(
    ("issuer", "address"),
    [
        ("https://id.example", "https://id.example/.well-known/openid-configuration"),
        ("https://id.example/", "https://id.example/.well-known/openid-configuration"),
        ("https://id.example/clinic", "https://id.example/clinic/.well-known/openid-configuration"),
    ],
)
def test_metadata_lies_under_the_issuers_address(issuer: str, address: str) -> None:
    assert discovery_address(issuer) == address


@pytest.mark.parametrize(
    ("address", "is_own"),
    [
        ("https://id.example/token", True),
        ("HTTPS://ID.example:443/token?a=b", True),
        ("https://id.example:8443/token", False),
        ("http://id.example/token", False),
        ("https://id.example.evil.example/token", False),
        ("https://tokens.id.example/token", False),
        ("no address", False),
    ],
)
def test_an_endpoint_is_the_issuers_own_by_scheme_host_and_port(address: str, is_own: bool) -> None:
    assert is_at_issuer(address, ISSUER) is is_own


@pytest.mark.parametrize("text", ["http://localhost/", "http://127.8.0.1", "http://[::1]:80/a?b"])
def test_loopback_is_known_by_its_three_spellings(text: str) -> None:
    address = read_address(text)
    assert address is not None
    assert address.is_plain_loopback


@pytest.mark.parametrize("text", ["https://localhost/", "http://localhost.example/", "http://[::2]/", "http://0/"])
def test_nothing_else_is_plain_loopback(text: str) -> None:
    address = read_address(text)
    assert address is not None
    assert not address.is_plain_loopback
