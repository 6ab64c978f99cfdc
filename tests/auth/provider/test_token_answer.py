"""The answer of a token endpoint, and what the entity holds of it."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.auth.provider import Claims, TokenAnswer, Wrong, entity_value, id_token_of, read_token_answer
from dialoom.auth.provider.token_answer import MAX_TOKEN_CHARS
from tests.auth.provider.right import ACCESS_TOKEN, ANSWER, GONE, ISSUER, NOW, body, changed, code_of


def read(value: Any, status: int = 200) -> TokenAnswer:
    return read_token_answer(status, body(value))


def refused(value: Any, status: int = 200) -> Wrong:
    with pytest.raises(Wrong) as caught:
        read(value, status)
    assert code_of(caught)
    return caught.value


def test_all_that_a_login_gives_is_taken() -> None:
    answer = read(ANSWER | {"token_type": "bEaReR", "session_state": "x", "refresh_expires_in": 7})
    assert answer == TokenAnswer(
        access_token=ACCESS_TOKEN,
        token_type="Bearer",
        expires_in=3600.0,
        refresh_token="8xLOxBtZp8",
        id_token="eyJ.eyJ.sig",
        scope="openid profile",
    )


def test_seconds_may_be_written_as_a_text() -> None:
    assert read(ANSWER | {"expires_in": "3599"}).expires_in == 3599.0


@pytest.mark.parametrize("absent", [GONE, None])
def test_what_is_optional_may_be_absent(absent: Any) -> None:
    optional = dict.fromkeys(("expires_in", "refresh_token", "scope"), absent)
    assert read(changed(ANSWER, optional)) == TokenAnswer(access_token=ACCESS_TOKEN, id_token="eyJ.eyJ.sig")
    assert read(changed(ANSWER, {"id_token": absent})).id_token is None


@pytest.mark.parametrize("absent", [GONE, None])
def test_a_login_needs_an_id_token(absent: Any) -> None:
    assert id_token_of(read(ANSWER)) == "eyJ.eyJ.sig"
    with pytest.raises(Wrong) as caught:
        id_token_of(read(changed(ANSWER, {"id_token": absent})))
    assert code_of(caught) == "token-id-token"


CASES: list[tuple[dict[str, Any], str]] = [
    ({"access_token": GONE}, "token-access-token"),
    ({"access_token": ""}, "token-access-token"),
    ({"access_token": 7}, "token-access-token"),
    ({"access_token": ["a"]}, "token-access-token"),
    ({"access_token": "a\r\nX-Evil: 1"}, "token-access-token"),
    ({"access_token": "tökén"}, "token-access-token"),
    ({"access_token": "a" * (MAX_TOKEN_CHARS + 1)}, "token-access-token"),
    ({"token_type": GONE}, "token-type"),
    ({"token_type": "DPoP"}, "token-type"),
    ({"token_type": "mac"}, "token-type"),
    ({"token_type": ["Bearer"]}, "token-type"),
    ({"expires_in": "1h"}, "token-expires-in"),
    ({"expires_in": "-1"}, "token-expires-in"),
    ({"expires_in": "\u0663"}, "token-expires-in"),
    ({"expires_in": True}, "token-expires-in"),
    ({"expires_in": 0}, "token-expires-in"),
    ({"expires_in": -1}, "token-expires-in"),
    ({"expires_in": 10**400}, "token-expires-in"),
    ({"expires_in": [3600]}, "token-expires-in"),
    ({"refresh_token": ""}, "token-refresh-token"),
    ({"refresh_token": 7}, "token-refresh-token"),
    ({"refresh_token": "a\n"}, "token-refresh-token"),
    ({"refresh_token": "a" * (MAX_TOKEN_CHARS + 1)}, "token-refresh-token"),
    ({"scope": ["openid"]}, "token-scope"),
    ({"scope": "a" * 5000}, "token-scope"),
    ({"id_token": ""}, "token-id-token"),
    ({"id_token": {"sub": "ada"}}, "token-id-token"),
    ({"id_token": 7}, "token-id-token"),
    ({"id_token": "a" * 70_000}, "token-id-token"),
]


@pytest.mark.parametrize(("changes", "code"), CASES)
def test_an_answer_that_is_wrong_in_one_point_is_refused(changes: dict[str, Any], code: str) -> None:
    assert refused(changed(ANSWER, changes)).check.code == code


BODIES: list[tuple[int, Any, str]] = [
    (200, b"", "token-json"),
    (200, b"access_token=a&token_type=bearer", "token-json"),
    (200, [ANSWER], "token-json"),
    (200, b'{"access_token": "a", "access_token": "b", "token_type": "bearer"}', "token-json"),
    (200, b"[" * 100_000, "token-json"),
    (200, {"error": "invalid_grant"}, "token-access-token"),
    (201, ANSWER, "token-status"),
    (204, b"", "token-status"),
    (302, b"", "token-status"),
    (500, b"<html>", "token-status"),
    (500, ANSWER, "token-status"),
    (400, {"error": "my own error"}, "token-status"),
    (400, {"error": {"message": "no", "code": 100}}, "token-status"),
    (400, {"error": "invalid_grant"}, "token-error"),
    (401, {"error": "invalid_client", "access_token": "a", "token_type": "bearer"}, "token-error"),
]


@pytest.mark.parametrize(("status", "value", "code"), BODIES)
def test_an_answer_that_is_no_right_one_is_refused(status: int, value: Any, code: str) -> None:
    assert refused(value, status).check.code == code


def test_only_the_errors_code_is_told_and_only_one_that_is_registered() -> None:
    said = {"error": "invalid_grant", "error_description": "code s3cret is used", "error_uri": "https://s3cret.example"}
    assert str(refused(said, 400)).endswith(' It said "invalid_grant".')
    for error in (said, {"error": "s3cret"}, {"error": ["s3cret"]}):
        wrong = refused(error, 400)
        assert "s3cret" not in f"{wrong}{wrong.detail}{wrong!r}"


def test_no_token_shows_in_what_is_printed() -> None:
    assert repr(read(ANSWER)) == "TokenAnswer(***)"


# -- the entity's value


WHO = Claims(iss=ISSUER, sub="248289761001")


def test_the_entity_holds_the_access_token_and_what_is_known_of_it() -> None:
    assert entity_value(read(ANSWER), WHO, NOW + 0.9) == {
        "access_token": ACCESS_TOKEN,
        "token_type": "Bearer",
        "expires_at": NOW + 3600,
        "scope": "openid profile",
        "sub": "248289761001",
    }


def test_neither_refresh_token_nor_id_token_nor_what_is_unknown_gets_into_memory() -> None:
    bare = changed(ANSWER, dict.fromkeys(("expires_in", "scope"), GONE))
    assert entity_value(read(bare), None, NOW) == {"access_token": ACCESS_TOKEN, "token_type": "Bearer"}
