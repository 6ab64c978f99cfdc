"""Regular expressions of selectors: what they match, and that no text makes them slow."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from dialoom.errors import TemplateError
from dialoom.template.requests.iregexp import MAX_STEPS, Budget, Expression, InvalidExpression


def matches(source: str, text: str) -> bool:
    return Expression(source, Budget()).matches(text)


def occurs(source: str, text: str) -> bool:
    return Expression(source, Budget()).occurs_in(text)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("", ""),
        ("abc", "abc"),
        ("a|bc|", "bc"),
        ("a|bc|", ""),
        ("(ab)*", "ababab"),
        ("a+b?c*", "aac"),
        ("a{2}", "aa"),
        ("a{2,}", "aaaa"),
        ("a{1,3}", "aaa"),
        ("a{0}", ""),
        ("[a-c]+", "abc"),
        ("[^a-c]+", "xyz"),
        ("[-a]+", "a-a"),
        ("[a-]+", "a-a"),
        (r"[\]\\]+", r"]\]"),
        (r"\.\*\n", ".*\n"),
        (".", "😀"),
        (r"\p{Lu}\p{L}+", "Éa"),
        (r"\P{N}", "a"),
        (r"[\p{L}_]+", "ab_"),
        (r"\d+\s\w+", "12 ab_3"),
        ("^a.*z$", "abcz"),
        ("(?:ab)+", "abab"),
        ("((a|b)(c|d))*", "acbd"),
    ],
)
def test_expressions_that_match_a_whole_text(source: str, text: str) -> None:
    assert matches(source, text)
    assert occurs(source, text)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("abc", "xabc"),
        (".", "\n"),
        (".", "\r"),
        ("a{2}", "a"),
        ("a{2}", "aaa"),
        ("[^a]", "a"),
        ("^b", "ab"),
        (r"\p{Lu}", "a"),
        ("a", ""),
    ],
)
def test_expressions_that_do_not_match(source: str, text: str) -> None:
    assert not matches(source, text)


def test_search_finds_parts_and_anchors_hold_at_the_ends() -> None:
    assert occurs("b", "abc")
    assert occurs("", "abc")
    assert occurs("c$", "abc")
    assert occurs("^a", "abc")
    assert not occurs("^b", "abc")
    assert not occurs("b$", "abc")
    assert occurs("$", "abc")


@pytest.mark.parametrize(
    "source",
    [
        "(",
        ")",
        "a)",
        "[",
        "[]",
        "[a",
        "*",
        "a**",
        "a{",
        "a{2",
        "a{2,1}",
        "a{,2}",
        "[b-a]",
        "\\",
        r"\q",
        r"\p{Xx}",
        r"\p{L",
        "{",
        "}",
        "a{9999}",
        "[[a]]",
    ],
)
def test_an_invalid_expression_is_refused(source: str) -> None:
    with pytest.raises(InvalidExpression):
        Expression(source, Budget())


@pytest.mark.parametrize("source", ["(a+)+$", "(a*)*b", "(a|a)*b", "(a|aa)+$", "a*a*a*a*a*b", "(.*)*x", "([a-z]+)*9"])
def test_expressions_that_are_slow_elsewhere_are_not_here(source: str) -> None:
    def steps(length: int) -> int:
        budget = Budget()
        assert not Expression(source, budget).matches("a" * length + "!")
        return MAX_STEPS - budget.left

    assert steps(10_000) <= 2 * steps(5_000)


def test_what_costs_too_much_ends_in_an_error() -> None:
    expression = Expression("(a|b)*a(a|b){200}c", Budget())
    assert not expression.matches("ab" * 5_000)
    with pytest.raises(TemplateError, match="cost too much"):
        expression.matches("ab" * 50_000)


@pytest.mark.parametrize("source", ["(((a?){30}){30}){30}", r"\p{L}{100}", "|".join(["abcdef"] * 200), r"(\w{9}){9}"])
def test_an_expression_that_is_too_large_is_not_compiled(source: str) -> None:
    with pytest.raises(TemplateError, match="cost too much"):
        Expression(source, Budget())


@pytest.mark.parametrize(
    ("source", "text", "holds"),
    [
        (r"[\W_]+", "-_é", False),
        (r"[\W_]+", "-_", True),
        (r"[^\W]+", "é_1", True),
        (r"\W", "é", False),
        (r"\S\s\S", "é\u2003é", True),
        (r"[\S\s]", "\n", True),
        (r"\p{Cn}", "\u0378", True),
        (r"\P{Cn}", "a", True),
        (r"\p{C}", "a", False),
        (r"[\P{L}a]+", "a1", True),
        (r"[\P{L}a]+", "b", False),
        (r"\D+", "aé", True),
    ],
)
def test_character_classes_beyond_ascii(source: str, text: str, holds: bool) -> None:
    assert matches(source, text) is holds


SOURCES = some.recursive(
    some.sampled_from(["a", "b", ".", "[ab]", "[^a]", "^", "$", ""]),
    lambda inner: (
        some.builds(lambda one: f"({one})*", inner)
        | some.builds(lambda one: f"({one}){{1,2}}", inner)
        | some.builds(lambda one, two: f"{one}{two}", inner, inner)
        | some.builds(lambda one, two: f"({one}|{two})", inner, inner)
    ),
    max_leaves=6,
)


@given(SOURCES, some.text("abc", max_size=6))
@settings(deadline=None)
def test_results_are_those_of_pythons_own_expressions(source: str, text: str) -> None:
    assert matches(source, text) == (re.fullmatch(source.replace("$", r"\Z"), text) is not None)
    assert occurs(source, text) == (re.search(source.replace("$", r"\Z"), text) is not None)
