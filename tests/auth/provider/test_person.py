"""Who logged in, by an ID token and UserInfo."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.auth.provider import Claims, Wrong, person_of, read_userinfo

NOTHING: dict[str, Any] = {}
USERINFO_REFUSED: list[tuple[tuple[int, bytes], str]] = [
    ((401, b'{"sub": "1"}'), "userinfo-status"),
    ((200, b"eyJ.eyJ.c2ln"), "userinfo-json"),
    ((200, b"[]"), "userinfo-json"),
    ((200, b'{"sub": "2"}'), "userinfo-subject"),
    ((200, b'{"name": "Ann"}'), "userinfo-subject"),
]


def claims(**profile: Any) -> Claims:
    return Claims(iss="https://id.example", sub="1", profile=profile)


@pytest.mark.parametrize("verified", [False, None, "true", 1, "false", [True]])
def test_an_address_counts_only_where_the_provider_has_verified_it(verified: Any) -> None:
    assert person_of(claims(email="ann@example.com", email_verified=verified), NOTHING).email is None
    assert person_of(claims(email="ann@example.com", email_verified=True), NOTHING).email == "ann@example.com"


def test_an_address_is_verified_by_the_place_that_says_it() -> None:
    told = person_of(claims(email="boss@example.com"), {"email": "ann@example.com", "email_verified": True})
    assert told.email == "ann@example.com"
    assert person_of(claims(email="boss@example.com"), {"email_verified": True}).email is None
    assert person_of(claims(email_verified=True), {"email": "boss@example.com"}).email is None


@pytest.mark.parametrize(
    "email",
    ["ann", "@example.com", "ann@", "ann@evil.example@example.com", "ann@example.com\n", "a n@example.com", 7, ""],
)
def test_what_is_no_address_is_none(email: Any) -> None:
    assert person_of(claims(email=email, email_verified=True), NOTHING).email is None


def test_the_id_token_counts_before_userinfo_which_fills_what_is_not_there() -> None:
    told = person_of(claims(name="Ann", groups=["a"]), {"name": "Bob", "preferred_username": "bob", "groups": ["b"]})
    assert (told.name, told.preferred_username, told.groups) == ("Ann", "bob", ("a",))
    assert person_of(claims(), {"groups": "one"}).groups == ("one",)
    assert person_of(claims(groups=["a", 7, None, {"b": 1}]), NOTHING).groups == ("a",)


def test_a_name_has_no_signs_that_change_what_stands_around_it() -> None:
    told = person_of(claims(name=" Ann\u202e\n  Example\x00 ", preferred_username=7), NOTHING)
    assert (told.name, told.preferred_username) == ("Ann Example", None)
    assert person_of(claims(name="\u200b"), NOTHING).name is None


@pytest.mark.parametrize(("answer", "code"), USERINFO_REFUSED)
def test_userinfo_that_is_not_of_this_login_is_refused(answer: tuple[int, bytes], code: str) -> None:
    with pytest.raises(Wrong) as caught:
        read_userinfo(*answer, claims())
    assert caught.value.check.code == code
    assert read_userinfo(200, b'{"sub": "1", "name": "Ann"}', claims()) == {"sub": "1", "name": "Ann"}
