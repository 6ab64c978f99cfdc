from __future__ import annotations

import pytest

from dialoom.errors import FlowError
from dialoom.flow import model
from dialoom.flow.patterns import LONGEST_RISKY, AuthorPattern, PatternError, is_risky
from dialoom.understanding.patterns import Pattern


def pattern(source: str) -> Pattern:
    return Pattern(model.RegexType(name="Code", data=model.Pattern(pattern=source)))


def found(source: str, text: str) -> list[str]:
    stretches = pattern(source).find(text)
    assert all(text[one.start : one.end] == one.value["value"] for one in stretches)
    return [one.value["value"] for one in stretches]


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        (r"[A-Z]{2}\d{4}", "my card is AB1234.", ["AB1234"]),
        (r"^[A-Z]{2}\d{4}$", "my card is AB1234.", ["AB1234"]),
        (r"^[A-Z]{2}\d{4}$", "AB1234", ["AB1234"]),
        (r"^[A-Z]{2}\d{4}$", "XAB12345", []),
        (r"^\d+$", "12:30", []),
        (r"^\d+$", "(42)", ["42"]),
        (r"^\d+$", "12 and 13, or 14", ["12", "13", "14"]),
        (r"^\d{2}|x+$", "12ab axx", ["12", "xx"]),
        (r"^(?:a|b)$", "b", ["b"]),
        (r"\$\d+", "it is $5", ["$5"]),
        (r"^costs? \$$", "it costs $", ["costs $"]),
        (r"(?i)^ab$", "AB", ["AB"]),
        (r"[|^$]", "a|b", ["|"]),
        (r"x*", "abc", []),
        (r"^[A-Za-z]+( [A-Za-z]+)*$", "Anna Maria Smith", ["Anna Maria Smith"]),
    ],
)
def test_outer_anchors_hold_at_the_ends_of_whole_words(source: str, text: str, expected: list[str]) -> None:
    assert found(source, text) == expected


def test_named_groups_may_be_written_as_in_javascript() -> None:
    assert found(r"^(?<first>[a-z])\k<first>$", "xx or xy") == ["xx"]


def test_a_whole_text_is_read_by_the_whole_pattern() -> None:
    assert pattern(r"^\d{4}$").reads("1234") == {"value": "1234"}
    assert pattern(r"\d{4}|x").reads("1234") == {"value": "1234"}
    assert pattern(r"\d{4}").reads("12345") is None


def test_a_broken_pattern_is_refused_with_its_type_named() -> None:
    with pytest.raises(FlowError, match=r'"Code" is no regular expression'):
        pattern("(")


@pytest.mark.parametrize(
    ("source", "risky"),
    [
        (r"^(a+)+$", True),
        (r"^(a|aa)+$", True),
        (r"(\w+\s?)+", True),
        (r"([a-z]{1,3})*", True),
        (r"(.*,)*x", True),
        (r"^[A-Za-z]+( [A-Za-z]+)*$", False),
        (r"\d{4}( \d{4}){3}", False),
        (r"(?:foo|bar)+", False),
        (r"[A-Z]{2}\d{4}", False),
    ],
)
def test_patterns_whose_time_may_explode_are_told(source: str, risky: bool) -> None:
    assert is_risky(source) is risky


def test_a_risky_pattern_looks_at_the_beginning_only() -> None:
    assert found(r"^(\d+)+$", "12345 " + "a" * LONGEST_RISKY) == ["12345"]
    assert found(r"^(a+)+$", "a" * 5_000 + "!b") == []


def test_a_pattern_of_many_wide_parts_looks_at_the_beginning_only() -> None:
    assert found(r"(.*)(.*)(.*)(.*)(.*)y", "x" * 5_000) == []


def test_a_pattern_is_in_a_long_text_only_where_the_part_that_is_looked_at_shows_it() -> None:
    assert AuthorPattern(r"^(\d+)+$").is_in("12345")
    assert not AuthorPattern(r"^(\d+)+$").is_in("1" * LONGEST_RISKY + "x")
    assert not AuthorPattern(r"^(\d+)+$").is_in("1" * (LONGEST_RISKY - 1) + "\nx")
    assert AuthorPattern(r"\S").is_in("x" * 8_000)


def test_a_broken_pattern_is_told_where_the_author_wrote_the_mistake() -> None:
    with pytest.raises(PatternError, match="cannot be read") as raised:
        AuthorPattern("(?<a>x)(?<b>y)(")
    assert raised.value.offset == 14
