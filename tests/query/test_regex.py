"""Regular expressions of queries: what they match is what PCRE2 matches for MongoDB, in linear time, or they are refused.

Expectations were compared with PCRE2 10.42 (UTF, without UCP).
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.errors import QueryError
from dialoom.query import matcher, parse_query
from dialoom.query.regex.expression import (
    MAX_CHARACTERS,
    MAX_SEARCHED_CHARS,
    MIN_SEARCHED_CHARS,
    Expression,
    read_expression,
)
from dialoom.query.regex.required_text import RequiredText

YES: list[tuple[str, str, str]] = [
    ("", "", ""),
    ("", "", "abc"),
    ("b", "", "abc"),
    ("^b", "m", "a\nb"),
    ("^$", "", ""),
    ("^$", "", "\n"),
    ("^$", "m", "a\n\nb"),
    ("^$", "m", "\n"),
    ("a$", "", "a"),
    ("a$", "", "a\n"),
    ("a$", "m", "a\nb"),
    (r"a\Z", "m", "b\na\n"),
    (r"a\z", "", "a"),
    (r"a$\n", "", "a\n"),
    (r"a$\n\z", "", "a\n"),
    (r"a$(?:\n|b)", "", "a\n"),
    (r"(a$|b)\n?\z", "", "a\n"),
    (r"a\n*$", "", "a\n\n\n"),
    (r"\n$", "", "a\n"),
    (r"\n\B", "", "a\n"),
    (r"(?m)a$\n^b\Z", "", "a\nb\n"),
    ("a.c", "s", "a\nc"),
    ("a.c", "", "a\rc"),
    (r"a\Nc", "s", "abc"),
    ("[^b]c", "", "a\nc"),
    ("a b # c\n d", "x", "abd"),
    ("a[ #]b", "x", "a#b"),
    (r"a\ b\#", "x", "a b#"),
    ("a {2}", "x", "aa"),
    ("(?xx)[a b]c", "", "bc"),
    ("(?i)É", "", "é"),
    ("straße", "i", "STRAẞE"),
    ("k", "i", "\u212a"),
    ("[a-z]", "i", "\u017f"),
    ("[[:upper:]]", "i", "a"),
    ("a(?i)b|c", "", "C"),
    ("a(?i:b)c", "", "aBc"),
    ("(?i)a(?-i)b", "", "Ab"),
    ("(?^)a", "i", "a"),
    (r"\d\w\s", "", "1_\v"),
    (r"\h", "", "\u2003"),
    (r"\v", "", "\u2028"),
    (r"a\Rb", "", "a\r\nb"),
    (r"a\Rb", "", "a\u2028b"),
    (r"\bé", "", "aé"),
    (r"\e\cA\x41\x{1F600}\101\0", "", "\x1b\x01A\U0001f600A\0"),
    (r"\x", "", "\0"),
    (r"\N{U+e9}\o{351}", "", "éé"),
    (r"\Qa.b*\E+", "", "a.b***"),
    (r"\Q[", "", "["),
    (r"a\.\-\é", "", "a.-é"),
    ("a(?#nothing)+b", "", "aab"),
    ("(?<year>\\d{4})-(?'month'\\d+)-(?P<day>\\d+)", "", "2026-11-20"),
    ("(?|(a)|(b))c", "", "bc"),
    (r"foo\Kbar", "", "foobar"),
    (r"\G\Aa", "", "a"),
    ("[]a]", "", "]"),
    ("[^]a]", "", "b"),
    ("[a-]", "", "-"),
    (r"[\d-]", "", "-"),
    (r"[\b]", "", "\b"),
    (r"[\Qa-\Ec]", "", "-"),
    ("[[:alpha:][:digit:]_]+$", "", "a1_"),
    ("[[:^alpha:]]", "", "1"),
    (r"\p{Lu}\pL\P{N}[\p{Nd}x]", "", "Éé-1"),
    ("a{,3}", "", "a{,3}"),
    ("a{x}", "", "a{x}"),
    ("a{2", "", "a{2"),
    ("a]}", "", "a]}"),
    ("a+?b*?c??", "", "a"),
    ("^(a|ab)(c|bcd)$", "", "abcd"),
    ("(*UTF)a", "", "a"),
    ("a", "u", "a"),
    ("a", "gz1", "a"),
]

NO: list[tuple[str, str, str]] = [
    ("^b", "", "a\nb"),
    ("^b", "", "ab"),
    ("^$", "m", "a\n"),
    (r"^\z", "m", "a\n"),
    ("a$", "", "a\n\n"),
    ("a$", "", "a\nb"),
    ("a$", "", "a\r\n"),
    (r"a\z", "", "a\n"),
    (r"a\Z", "m", "a\nb"),
    (r"a\n$\n", "", "a\n"),
    (r"a$\nb", "", "a\nb"),
    ("a.c", "", "a\nc"),
    (r"a\Nc", "s", "a\nc"),
    ("a b", "x", "a b"),
    ("A", "", "a"),
    ("i", "i", "\u0130"),
    ("I", "i", "\u0131"),
    (r"[\w]", "i", "\u017f"),
    (r"[^\W]", "i", "\u212a"),
    ("[[:alpha:]]", "i", "\u212a"),
    (r"\p{Lu}", "i", "a"),
    ("(?^)A", "i", "a"),
    ("(?i)a(?-i)b", "", "aB"),
    (r"\d", "", "\u0663"),
    (r"\w", "", "é"),
    (r"\s", "", "\u00a0"),
    (r"é\b", "", "é"),
    # Between the bytes of a character is no place, although RE2 begins there as well.
    (r"\B", "", "a\u017fa"),
    ("[[:alpha:]]", "", "é"),
    ("a{,3}", "", "aa"),
    ("a{0}b", "", "a"),
    (r"[^\s\S]", "", "a"),
    ("tada", "I", "TADA"),
]

BAD = [
    *("(", ")", "a)", "(?:", "[", "[]", "[a", "*", "+a", "?", "a|*", "(|+)", "{2}", "a**", "a{2}{3}", "^*", r"\b+"),
    *(r"(?i)*", "a{3,2}", "a{65536}", "[z-a]", r"[a-\d]", r"[\d-z]", "[[:none:]]", "[[.a.]]", "[:alpha:]", "(?z)"),
    *(
        "(?^-i)",
        "(?<1a>x)",
        "(?<a",
        "(?P<name)",
        "(?<a>x)(?<a>y)",
        "(?#",
        "\\",
        "abc\\",
        r"\i",
        r"\u0041",
        r"\L",
        r"\cé",
    ),
    *(
        r"\x{}",
        r"\x{110000}",
        r"\x{d800}",
        r"\x{g}",
        r"\o{9}",
        r"\o12",
        r"\N{name}",
        r"\p",
        r"[\N]",
        r"[\R]",
        r"[\B]",
        r"[\A]",
    ),
]

NOT_LINEAR = [
    *(
        "a(?=b)",
        "a(?!b)",
        "(?<=a)b",
        "(?<!a)b",
        "(?*a)",
        "(?<*a)",
        r"(a)\1",
        r"(a)\g{1}",
        r"(a)\g{-1}",
        r"(?<n>a)\k<n>",
    ),
    *(r"(?<n>a)\k{n}", r"(?<n>a)(?P=n)", "a++", "a*+", "a?+", "a{2}+", "(?x)a+ +", "(?>a)", "(?R)"),
    *(
        "(a)(?1)",
        "(a)(?-1)",
        "(?<n>a)(?&n)",
        "(?<n>a)(?P>n)",
        r"(a)\g<1>",
        "(a)(?(1)b|c)",
        r"\X",
        r"\C",
        r"\R\n",
        r"\R+",
    ),
    *(
        r"(?m)\R$",
        r"\R\s*a",
        r"\p{Greek}",
        r"\p{C}",
        r"\P{Xan}",
        r"\p{Emoji}",
        "[[:<:]]a",
        "(*UCP)a",
        "(*ACCEPT)",
        "(?C1)a",
    ),
    *("(*atomic:a)",),
]


def expression(pattern: str, options: str = "") -> Expression:
    return read_expression(pattern, options, "/a/$regex")


def matches(condition: Any, value: Any) -> bool:
    return matcher(parse_query(json.dumps({"a": condition})))({"a": value})


def refusal(pattern: str) -> QueryError:
    with pytest.raises(QueryError) as caught:
        expression(pattern)
    return caught.value


@pytest.mark.parametrize(("pattern", "options", "text"), YES)
def test_a_pattern_matches_as_pcre2_does(pattern: str, options: str, text: str) -> None:
    assert expression(pattern, options).found(text)


@pytest.mark.parametrize(("pattern", "options", "text"), NO)
def test_a_pattern_does_not_match_where_pcre2_does_not(pattern: str, options: str, text: str) -> None:
    assert not expression(pattern, options).found(text)


@pytest.mark.parametrize("pattern", BAD)
def test_what_pcre2_refuses_is_refused_with_its_place(pattern: str) -> None:
    error = refusal(pattern)
    assert (error.code, error.pointer) == ("bad-regex", "/a/$regex")
    assert re.match(r"The regular expression is wrong at character \d+: .+\.$", error.detail)


@pytest.mark.parametrize("pattern", NOT_LINEAR)
def test_what_cannot_be_searched_in_linear_time_is_refused_by_name(pattern: str) -> None:
    error = refusal(pattern)
    assert (error.code, error.pointer) == ("regex-not-linear", "/a/$regex")
    assert re.match(r"At character \d+ the regular expression uses .+, which cannot be searched", error.detail)


@pytest.mark.parametrize(
    "pattern",
    [
        "x" * (MAX_CHARACTERS + 1),
        "(" * 51 + ")" * 51,
        "a{1001}",
        "a{2,2000}",
        "((a{40}){40})",
        r"(?:\p{L}{100}){10}",
        r"[\p{L}\p{N}]{500}$",
        r"(?:.{0,900}\w){1}" * 40,
    ],
)
def test_what_would_grow_too_large_is_refused(pattern: str) -> None:
    error = refusal(pattern)
    assert error.code == "regex-too-large"
    assert "xxx" not in error.detail


def test_the_expressions_of_a_query_share_what_they_may_cost() -> None:
    for pattern, most in ((r"(?:\PL\PN){30}z0", 2), (r"\PL{30}y", 4), (r"^\p{L}{2,20}$", 3), (".{1000}y", 20)):
        for count in (most, most + 1):
            query = json.dumps({"$or": [{"T": {"$regex": pattern}}] * count})
            if count == most:
                parse_query(query)
                continue
            with pytest.raises(QueryError) as caught:
                parse_query(query)
            assert caught.value.code == ("regex-too-large" if most < 20 else "too-many-clauses")


def test_what_needs_no_search_costs_nothing() -> None:
    for pattern in ("", "abc", "^abc", "abc|def", "^abc$"):
        assert (expression(pattern).cost, expression(pattern).longest) == (0, None)


def test_the_caller_is_asked_before_each_search() -> None:
    class Over(Exception):
        pass

    asked: list[str | None] = []

    def look(too_long: str | None) -> None:
        asked.append(too_long)
        if len(asked) > 3 or too_long:
            raise Over

    node = parse_query(json.dumps({"$or": [{"a": {"$not": {"$elemMatch": {"$regex": "[ab]x"}}}}, {"b": "y"}]}))
    is_match = matcher(node, look)
    assert is_match({"a": ["a", 5, "b"]})
    with pytest.raises(Over):
        is_match({"a": ["a"] * 1000})
    assert asked == [None] * 4
    longest = expression(".{1000}[xy]").longest
    assert longest is not None
    is_match = matcher(parse_query('{"a": {"$regex": ".{1000}[xy]"}}'), look)
    asked.clear()
    assert not is_match({"a": "a" * longest})
    with pytest.raises(Over):
        is_match({"a": "a" * (longest + 1)})
    assert f"{longest + 1:,} characters" in str(asked[-1])


@pytest.mark.parametrize(
    ("pattern", "longest"), [("[ab]x", MAX_SEARCHED_CHARS), (".{400}[ab]", 19_925), (".{1000}[ab]", MIN_SEARCHED_CHARS)]
)
def test_the_more_an_expression_costs_the_shorter_the_texts_it_may_search(pattern: str, longest: int) -> None:
    assert expression(pattern).longest == longest


def test_the_largest_patterns_are_read_and_searched() -> None:
    assert expression("x?" * (MAX_CHARACTERS // 2)).found("")
    assert expression("(" * 50 + "a" + ")" * 50).found("a")
    assert expression("|".join(f"w{number}" for number in range(800))).found("the w799")
    assert expression("a{1000}").found("a" * 1000)
    assert not expression("a{1000}").found("a" * 999)


@pytest.mark.parametrize(
    "pattern",
    [
        "(a*)*b",
        "(a+)+$",
        "(a|aa)+$",
        "(a|a?)+b",
        "(.*)*x",
        r"(\s*\w*)*!$",
        "^(([a-z])+.)+[A-Z]([a-z])+$",
        "(?:a?){500}a{500}b",
        ".*.*.*.*.*=.*",
        r"(?:(?:\s?){10}){10}b$",
        r"(?:\s?\n?)" * 300 + "b$",
    ],
)
def test_a_hostile_pattern_is_searched_to_the_end(pattern: str) -> None:
    # A search that tries one way after the other would need longer than the world is old.
    assert not expression(pattern).found("a" * 20_000 + "\n" * 2 + "é\n")


@pytest.mark.parametrize("depth", [20, 50])
def test_repetitions_in_repetitions_stay_small(depth: int) -> None:
    nested = "(?:\\s*a?" * depth + ")*" * depth
    assert expression(f"^{nested}$", "m").found("a\n")


def test_only_texts_match_and_texts_in_arrays() -> None:
    wanted = {"$regex": "1"}
    for value in ("21", ["x", "1"]):
        assert matches(wanted, value)
    for other in (1, None, True, ["x", 1], [["1"]], {"1": "1"}, [{"b": "1"}]):
        assert not matches(wanted, other)
        assert matches({"$not": wanted}, other)


def test_options_may_come_before_or_after_the_pattern_and_beside_other_operators() -> None:
    assert matches({"$options": "i", "$regex": "ADA"}, "ada")
    assert matches({"$regex": "ADA", "$options": "i"}, "ada")
    assert matches({"$ne": "adam", "$options": "i", "$gt": "a", "$regex": "ADA"}, "ada")
    assert not matches({"$regex": "ADA", "$options": "i", "$nin": ["ada"]}, "ada")


def test_expressions_may_be_among_values() -> None:
    for value in ("x", "abc", ["y", "cab"], 5):
        assert matches({"$in": ["x", 5, {"$regex": "AB", "$options": "i"}]}, value)
        assert not matches({"$nin": ["x", 5, {"$regex": "AB", "$options": "i"}]}, value)
    assert not matches({"$in": [{"$regex": "a"}]}, "b")
    assert matches({"$all": ["x", {"$regex": "^a"}]}, ["ab", "x"])
    assert not matches({"$all": ["x", {"$regex": "^a"}]}, ["b", "x"])
    assert matches({"$elemMatch": {"$regex": "^a", "$ne": "ab"}}, ["ab", "ac"])
    assert not matches({"$elemMatch": {"$regex": "^a", "$ne": "ab"}}, ["ab", "c"])


@pytest.mark.parametrize(
    ("pattern", "options", "needs"),
    [
        ("", "", RequiredText(exact=True)),
        (".*", "", RequiredText(exact=True)),
        ("^a*", "", RequiredText(exact=True)),
        ("abc", "", RequiredText(exact=True, contains=("abc",))),
        (r".*?a\.b.*", "", RequiredText(exact=True, contains=("a.b",))),
        ("Abc", "i", RequiredText(exact=True, contains=("abc",), any_case=True)),
        ("refund|book", "i", RequiredText(exact=False)),
        ("^ad[a1]{2}bcd", "i", RequiredText(exact=False, contains=("bcd",), any_case=True)),
        ("basket", "i", RequiredText(exact=False, contains=("ba",), any_case=True)),
        ("éa1b", "i", RequiredText(exact=False, contains=("a1b",), any_case=True)),
        ("abc(?i)d-ef", "", RequiredText(exact=False, contains=("d-ef",), any_case=True)),
        ("12-3", "i", RequiredText(exact=True, contains=("12-3",))),
        ("refund|money back", "", RequiredText(exact=True, contains=("refund", "money back"))),
        ("(?:refund|cancel) it", "", RequiredText(exact=False, contains=("refund", "cancel"))),
        ("^abc", "", RequiredText(exact=True, begins="abc")),
        ("^abc.*", "", RequiredText(exact=True, begins="abc")),
        ("^abc$", "", RequiredText(exact=True, among=("abc", "abc\n"))),
        (r"\Aabc\z", "", RequiredText(exact=True, among=("abc",))),
        (r"^ab\d+xyz", "", RequiredText(exact=False, begins="ab", contains=("xyz",))),
        ("^abc", "m", RequiredText(exact=False, contains=("abc",))),
        ("abc$", "", RequiredText(exact=False, contains=("abc",))),
        ("a+(bcd)+e*", "", RequiredText(exact=False, contains=("bcd",))),
        ("[ab]c?", "", RequiredText(exact=False)),
        ("^abc|^abd", "", RequiredText(exact=False)),
        (r"\x00ab", "", RequiredText(exact=False, contains=("ab",))),
        (r"\x01", "", RequiredText(exact=False)),
    ],
)
def test_the_required_text_of_a_pattern(pattern: str, options: str, needs: RequiredText) -> None:
    assert expression(pattern, options).needs == needs


_PARTS = st.sampled_from(
    [
        *"ab\n.^$|",
        r"\n",
        r"\b",
        r"\B",
        r"\s",
        r"\w",
        "[^a]",
        "[ab]",
        "a*",
        "b?",
        r"\n*",
        "(a|b)",
        "(?m:^)",
        "(?m:$)",
        "é",
    ]
)
_PATTERNS = st.lists(_PARTS, max_size=6).map("".join)
_TEXTS = st.text("aAbé\n ", max_size=5)


@settings(max_examples=500, deadline=None)
@given(_PATTERNS, st.sampled_from(["", "i", "m", "s", "ims"]), st.lists(_TEXTS, max_size=5))
def test_each_match_holds_the_required_text_and_an_exact_one_is_enough(
    pattern: str, options: str, texts: list[str]
) -> None:
    asked = expression(pattern, options)
    exact, among, begins, contains, any_case = asked.needs
    for text in texts:
        inside = re.sub("[A-Z]", lambda letter: letter[0].lower(), text) if any_case else text
        has = (not among or text in among) and text.startswith(begins)
        has = has and (not contains or any(word in inside for word in contains))
        assert has or not asked.found(text)
        assert asked.found(text) or not (exact and has)


@settings(max_examples=500, deadline=None)
@given(_PATTERNS, st.sampled_from(["", "m", "s", "ms"]), st.lists(_TEXTS.filter(bool), max_size=5))
def test_python_agrees_where_it_reads_a_pattern_alike(pattern: str, options: str, texts: list[str]) -> None:
    asked = expression(pattern, options)
    flags = re.ASCII | (re.MULTILINE if "m" in options else 0) | (re.DOTALL if "s" in options else 0)
    # Python's ^ with the option m also holds behind a newline at the very end, and its \B not in the empty text.
    python = re.sub(r"(?<!\[)\^", r"(?:^(?!(?<=\\n)\\Z))", pattern)
    for text in texts:
        assert asked.found(text) == bool(re.search(python, text, flags)), text


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=12) | st.text("()[]{}*+?|\\^$.aQE:<>=!P#-,1", max_size=12), st.text("imsx", max_size=2), _TEXTS)
def test_any_text_is_a_pattern_or_refused(pattern: str, options: str, text: str) -> None:
    def outcome() -> str | bool | None:
        try:
            return expression(pattern, options).found(text)
        except QueryError as error:
            return error.code

    assert outcome() in (True, False, "bad-regex", "regex-not-linear", "regex-too-large")
