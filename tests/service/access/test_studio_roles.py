"""Who gets which role in the studio, by the rows of a setting."""

from __future__ import annotations

import pytest

from dialoom.auth.provider import Person
from dialoom.errors import SettingError
from dialoom.service.access.studio_roles import grant_of, read_roles

TABLE = (
    'group:bot-admins=administrator email:Ann@Example.com=analyst domain:example.com=agent group:"Bot makers"=developer'
)


def person(**told: object) -> Person:
    return Person(issuer="https://id.example", subject="1", **told)  # type: ignore[arg-type]  # each test's own


@pytest.mark.parametrize(
    ("who", "role"),
    [
        (person(groups=("bot-admins",)), "administrator"),
        (person(groups=("Bot makers", "others")), "developer"),
        (person(email="ann@EXAMPLE.com"), "analyst"),
        (person(email="bob@example.com"), "agent"),
        (person(email="ann@example.com", groups=("bot-admins",)), "administrator"),
        (person(groups=("Bot-Admins",)), None),
        (person(email="ann@example.com.evil.example"), None),
        (person(email="ann@sub.example.com"), None),
        (person(name="bot-admins", preferred_username="ann@example.com"), None),
        (person(), None),
    ],
)
def test_the_highest_role_that_fits_counts_and_nobody_else_has_one(who: Person, role: str | None) -> None:
    assert grant_of(read_roles(TABLE, "test"), who) == (None if role is None else (role, None))


SOME = (
    "group:a=developer@shop,clinic group:b=developer@gym group:c=developer group:d=analyst email:x@y.example=agent@shop"
)


@pytest.mark.parametrize(
    ("who", "grant"),
    [
        (person(groups=("a",)), ("developer", ("clinic", "shop"))),
        (person(groups=("a", "b")), ("developer", ("clinic", "gym", "shop"))),
        (person(groups=("a", "c")), ("developer", None)),
        (person(groups=("b", "d")), ("developer", ("gym",))),
        (person(groups=("d",), email="x@y.example"), ("analyst", None)),
        (person(email="x@y.example"), ("agent", ("shop",))),
    ],
)
def test_a_role_for_single_bots_counts_for_the_bots_of_all_rows_that_give_it(who: Person, grant: object) -> None:
    assert grant_of(read_roles(SOME, "test"), who) == grant


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("group:a=administrator grup:b=agent", ['entry 2 of dialoom.toml), grup:b=agent: "grup"', 'mean "group"?']),
        ("group:a=administrater", ['"administrater" is no role', 'mean "administrator"?']),
        (
            "domain:a.example=agent\nemail:ann=agent",
            ["line 2 of the value, entry 2 of dialoom.toml", '"ann" is no address'],
        ),
        ("group:a=agent@", ['"" are no ids of bots', "agent@BOT,BOT"]),
        ("group:a=agent@shop,", ['"shop," are no ids of bots']),
        ("group:a=agnt@shop", ['"agnt" is no role', 'mean "agent"?']),
        ("domain:@example.com=agent", ['"@example.com" is no host']),
        ("group:=agent", ["it is no row. Allowed is group:NAME=ROLE"]),
        ("bot-admins", ["entry 1 of dialoom.toml), bot-admins: it is no row"]),
        ('group:"a=agent', ["quotation mark"]),
    ],
)
def test_a_wrong_row_is_refused_with_its_place_and_what_is_allowed(text: str, words: list[str]) -> None:
    with pytest.raises(SettingError) as caught:
        read_roles(text, "dialoom.toml")
    assert [word for word in words if word not in str(caught.value)] == []
