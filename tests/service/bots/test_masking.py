"""The masking rule of history-api.md."""

from __future__ import annotations

import msgspec
import pytest

from dialoom.service.bots.masking import MASK, Masking, is_secret_name

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"


@pytest.mark.parametrize(
    "name",
    [
        "secret",
        "access_token",
        "accessToken",
        "Password",
        "PIN",
        "card-pin",
        "Authorization",
        "apiKey",
        "api-key",
        "api_key",
        "API key",
        "APIKey",
        "apikey",
        "userPIN",
    ],
)
def test_a_name_with_a_secret_word_is_masked(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name", ["pine", "secretary", "tokenise", "passwords", "authorize", "keypad", "api", "key", "apikeys"]
)
def test_a_name_that_only_contains_the_letters_is_not(name: str) -> None:
    assert not is_secret_name(name)


def test_the_authentication_entity_is_masked_whatever_its_name() -> None:
    assert Masking("session").value({"session": {"access_token": "x"}, "name": "Ada"}) == {
        "session": MASK,
        "name": "Ada",
    }


def test_a_jwt_is_masked_inside_any_text_and_any_depth() -> None:
    masked = Masking().value({"a": [{"b": f"Bearer {JWT} ok"}], "plain": "a.b.c"})
    assert masked == {"a": [{"b": f"Bearer {MASK} ok"}], "plain": "a.b.c"}


def test_a_missing_secret_stays_null() -> None:
    assert Masking().value({"token": None}) == {"token": None}


def test_long_values_of_memory_are_cut_to_their_size() -> None:
    memory = Masking().memory({"list": ["x" * 10] * 400, "short": "x" * 4000, "text": "ä" * 3000})
    assert memory == {"list": {"truncated": 5201}, "short": "x" * 4000, "text": {"truncated": 6002}}


def test_a_context_of_more_than_64_kib_is_cut_to_its_size() -> None:
    masking = Masking()
    context = {f"key {number}": "x" * 1000 for number in range(60)}
    assert masking.context(context) == context
    context |= {f"more {number}": "x" * 1000 for number in range(10)}
    assert masking.context(context) == {"truncated": len(msgspec.json.encode(context))}
    many = {str(number): number for number in range(20_000)}
    assert masking.context(many) == {"truncated": len(msgspec.json.encode(many))}
    assert masking.context({"long": "x" * 100_000}) == {"long": {"truncated": 100_002}}
    assert masking.memory(many) == many


def test_what_is_the_same_object_is_neither_masked_nor_measured_again() -> None:
    masking = Masking()
    large, text = [{"text": "x" * 100} for _ in range(30)], "plain"
    before = {"large": large, "text": text, "token": "t", "gone": 1}
    shown = masking.memory(before)
    after = {"large": large, "text": "other", "token": "u", "new": 2}
    again = masking.memory(after, before, shown)
    assert again == masking.memory(after) == {"large": large, "text": "other", "token": "***", "new": 2}
    assert again["large"] is shown["large"]
    assert masking.memory(before, before, shown) is shown
    assert masking.context(before, before, shown) is shown


def test_a_context_that_was_cut_to_its_size_is_shown_again_once_it_is_small() -> None:
    masking = Masking()
    long = {f"key {number}": "x" * 1000 for number in range(70)} | {"truncated": 1}
    shown = masking.context(long)
    short = {"truncated": long["truncated"], "key 1": long["key 1"]}
    assert masking.context(short, long, shown) == short


@pytest.mark.parametrize("name", ["épin", "pinée", "токен", "secretär"])
def test_letters_of_all_alphabets_belong_to_a_word(name: str) -> None:
    assert not is_secret_name(name)


def test_a_secret_word_beside_other_alphabets_is_masked() -> None:
    assert is_secret_name("паролаToken")
    assert is_secret_name("код pin")


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (f"my-{JWT}", f"my-{MASK}"),
        (f"key_{JWT}, and", f"key_{MASK}, and"),
        (f"…{JWT}", f"…{MASK}"),
        (f"www.some-domain.example.{JWT}", f"www.some-domain.example.{MASK}"),
        ("an encrypted eyJhbGciOiJkaXIifQ..iv.text.tag one", f"an encrypted {MASK} one"),
        ("ewogICJhbGciOiAibm9uZSIKfQ.e30.", MASK),
    ],
)
def test_a_jwt_is_found_beside_other_text(text: str, masked: str) -> None:
    assert Masking().text(text) == masked


@pytest.mark.parametrize("text", ["https://ewallet-service.example.com/x", "eyeglasses-shop.example.com", "a.b.c ey"])
def test_names_of_hosts_are_no_jwt(text: str) -> None:
    assert Masking().text(text) == text
