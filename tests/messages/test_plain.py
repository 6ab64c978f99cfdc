"""Titles of options without the signs of Markdown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.messages.plain import plain_title


@pytest.mark.parametrize(
    ("title", "plain"),
    [
        ("**Big** one", "Big one"),
        ("*Big* _one_", "Big one"),
        ("***Big*** one", "Big one"),
        ("**Big *red* one**", "Big red one"),
        ("__Big__ ~~old~~ one", "Big old one"),
        ("`code` and ``a ` b``", "code and a ` b"),
        ("`**literal**`", "**literal**"),
        ("[Our **site**](https://a.test/x_(y))!", "Our site!"),
        ("![logo](https://a.test/l.png) Home", "logo Home"),
        (r"\*not emphasis\*", "*not emphasis*"),
        (" _Ada_ ", "Ada"),
    ],
)
def test_signs_that_mark_something_are_gone(title: str, plain: str) -> None:
    assert plain_title(title) == plain


@pytest.mark.parametrize(
    "title",
    ["snake_case_name", "3 * 4 * 5", "5*", "*", "~20 €", "[1]", "a ] b (c)", "`tick", "C:\\new", "Hm!", "", "Größe_M"],
)
def test_signs_that_mark_nothing_stay(title: str) -> None:
    assert plain_title(title) == title


@given(st.text(alphabet="ab *_~`[]()!\\é", max_size=40))
def test_any_title_can_be_read_and_only_loses_signs(title: str) -> None:
    letters = [character for character in plain_title(title) if character in "abé"]
    told = [character for character in title if character in "abé"]
    assert len(letters) <= len(told)


@pytest.mark.parametrize("piece", ["[", "*a ", "`a``", "](a", "[a](", "_a *b ", "\\", "[](("])
def test_a_long_hostile_title_is_read_in_one_pass(piece: str) -> None:
    assert isinstance(plain_title(piece * 50_000), str)
