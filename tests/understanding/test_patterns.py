from __future__ import annotations

import random
import re
from functools import partial

import pytest
from bench.drawn_patterns import drawn_pattern

from dialoom.errors import FlowError
from dialoom.flow import model
from dialoom.flow.patterns import MAX_COST, MAX_TEXT_CHARACTERS, AuthorPattern, PatternError, SlowPatternError
from dialoom.flow.patterns import tree as pattern_tree
from dialoom.flow.patterns.tree import read_pattern, spans_of
from dialoom.regex.search_cost import search_cost
from dialoom.regex.tree import Assertion, Either, Node, Repeat, Seq, Set, compile_cost
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
        (r"^b|ab", "ab b", ["ab", "b"]),
        (r"^(?:a|ab)$", "ab a", ["ab", "a"]),
        (r"a|ab", "ab", ["a"]),
        (r"a+?", "aa", ["a", "a"]),
        (r"(?:^|,)x", "x,x x", ["x", ",x"]),
        (r"x(?:,|$)", "x x", ["x"]),
        (r"^\d+$", "né 12, ёж „13”", ["12", "13"]),
        (r"^\d+$", "٣٤ und 5", ["٣٤", "5"]),
        (r"^\w+$", "Zoë, नमस्ते!", ["Zoë", "नमस्ते"]),
        (r"[^\W\d_]+", "été_2 ж", ["été", "ж"]),
        (r"(?i)^straße|ΣΑΣ", "STRASSE Straße σας", ["Straße", "σας"]),
        (r"\D+", "a1b", ["a", "b"]),
        (r"[a-z]*", "1a2", ["a"]),
        (r"^(?!0000)\d{4}$", "0000 (1234) é 5678", ["1234", "5678"]),
        (r"^(?=\w*\d)(?!x)\b\w+$", "abc a1 x1 é2", ["a1", "é2"]),
    ],
)
def test_outer_anchors_hold_at_the_ends_of_whole_words(source: str, text: str, expected: list[str]) -> None:
    assert found(source, text) == expected


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        (r"^\d{4}$|^\d{6}$", "it is 1234 thanks, or 123456", ["1234", "123456"]),
        (r"^A\d+$|^B\d+$", "A1 or B2, not xA3 B4x", ["A1", "B2"]),
        (r"^\d+|^[A-Z]+$", "12x AB AB1", ["12", "AB"]),
        (r"(?i)^ab$|^cd$", "AB or Cd, not abc", ["AB", "Cd"]),
        ("(?x)^ a $  # or | this\n| ^ b $", "a b ab", ["a", "b"]),
        (r"no\d$|no[a-z]$", "no1 nox no12", ["no1", "nox"]),
        (r"(?<a>x)$|(?<b>y)$", "x y xy", ["x", "y", "y"]),
    ],
)
def test_outer_anchors_that_all_alternatives_have_hold_at_the_ends_of_whole_words(
    source: str, text: str, expected: list[str]
) -> None:
    assert found(source, text) == expected


def test_named_groups_may_be_written_as_in_javascript() -> None:
    assert found(r"^(?<first>[a-z])(?<second>\d)$", "x1 or xy") == ["x1"]


def test_a_whole_text_is_read_by_the_whole_pattern() -> None:
    assert pattern(r"^\d{4}$").reads("1234") == {"value": "1234"}
    assert pattern(r"\d{4}|x").reads("1234") == {"value": "1234"}
    assert pattern(r"\d{4}").reads("12345") is None


def test_a_broken_pattern_is_refused_with_its_type_named() -> None:
    with pytest.raises(FlowError, match=r'"Code" cannot be used: it cannot be read'):
        pattern("(")


def test_a_broken_pattern_is_told_where_the_author_wrote_the_mistake() -> None:
    with pytest.raises(PatternError, match="cannot be read") as raised:
        AuthorPattern("(?<a>x)(?<b>y)(")
    assert raised.value.offset == 14


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        (r"\bcaf\b", "café caf", ["caf"]),
        (r"\bélan\b", "un élan, élans", ["élan"]),
        (r"\b\w+\b", "Zoë naïve_x", ["Zoë", "naïve_x"]),
        (r"\bcafe\b", "cafe\u0301 cafe", ["cafe"]),
        (r"a_\b", "a_é a_ é", ["a_"]),
        (r"e\Bé", "eé e é", ["eé"]),
        (r"^\b[é-ü]+\b$", "(éö) éx", ["éö"]),
        (r"[^\W_]+_\b", "é_ é_x", ["é_"]),
        (r"\bAB\d+\b|^\d{4}$", "Größe AB12", ["AB12"]),
        (r"^\d{5}$|\border \d+\b", "für order 77, 12345", ["order 77", "12345"]),
    ],
)
def test_word_boundaries_know_letters_of_every_script(source: str, text: str, expected: list[str]) -> None:
    assert found(source, text) == expected


@pytest.mark.parametrize("text", ["istanbul", "ISTANBUL", "İstanbul", "ıstanbul"])
@pytest.mark.parametrize("source", ["(?i)^istanbul$", "(?i)^İstanbul$", "(?i)^[a-z]+$", "(?i)^[^ı-]+$|ıs.*"])
def test_where_case_is_ignored_the_four_letters_i_are_one(source: str, text: str) -> None:
    assert found(source, text) == [text]


def test_values_are_what_python_finds_but_for_empty_text() -> None:
    """For drawn patterns of ASCII, where both mean the same."""
    chance = random.Random(5)

    def drawn(depth: int = 0, *, is_repeated: bool = False) -> str:
        inner = partial(drawn, depth + 1, is_repeated=is_repeated)
        kinds = ["letter", "row", "either"] + (
            [] if is_repeated else ["letter", "optional", "repeat", "repeat", "edge"]
        )
        match "letter" if depth > 3 else chance.choice(kinds):
            case "row":
                return inner() + inner()
            case "either":
                return f"(?:{inner()}|{inner()})"
            case "optional":
                return f"(?:{inner()}|)"
            case "repeat":
                times = chance.choice(["*", "?", "+", "*?", "??", "{0,2}", "{2}"])
                return f"(?:{drawn(depth + 1, is_repeated=True)}){times}"
            case "edge":
                return r"\b"
        return chance.choice(["a", "b", "[ab]", "c"])

    for _ in range(1_000):
        source = "|".join(drawn() for _ in range(chance.choice((1, 1, 2))))
        text = "".join(chance.choices("aabbc ", k=8))
        assert found(source, text) == [one[0] for one in re.finditer(source, text) if one[0]], (source, text)


@pytest.mark.parametrize(("source", "text"), [(r"b?\b|a", " K_-a"), (r"\w*?|a", "a"), (r"(?:|a)$", "a")])
def test_an_alternative_behind_one_that_is_empty_gives_a_value(source: str, text: str) -> None:
    assert found(source, text) == ["a"]


@pytest.mark.parametrize(
    ("source", "offset", "way_out"),
    [
        (r"ab(?=c)", 2, "second validation"),
        (r"(?<!a)b", 0, "second validation"),
        (r"[(?=](?!x)y", 5, "second validation"),
        (r"(?m)^(?!x)y", 5, "second validation"),
        (r"^(?!x)y|z", 1, "second validation"),
        (r"(\w)\1", 4, "Write out"),
        (r"(?<one>a)\k<one>", 9, "Write out"),
        (r"(?>a)b", 0, "Leave the > away"),
        (r"xa++b", 2, "second sign"),
        (r"(a)?(?(1)b|c)", 4, "both cases"),
        (r"(a?){900}b", 4, "costs 36,001, and at most 5,000"),
        (r"(?:(?:x[ab]{30}){30}){30}", 21, "fewer times"),
        (r"a{3}(?<name>b)\w{100}c{2}", 16, "[0-9] cost"),
        (r"(?:\w?){40}!", 7, "[0-9] cost"),
        (r"(?:\d?){150}!", 7, "[0-9] cost"),
        (r"(?:.?){200}x", 6, "fewer times"),
        (r"(?:ab|a){900}c", 8, "fewer times"),
        (r"^a*\[{2}[^x*]{300}x", 13, "fewer times"),
    ],
)
def test_a_pattern_that_no_linear_search_can_answer_is_refused_with_the_way_out(
    source: str, offset: int, way_out: str
) -> None:
    with pytest.raises(SlowPatternError) as raised:
        AuthorPattern(source)
    assert way_out in str(raised.value)
    assert raised.value.offset == offset


@pytest.mark.parametrize(
    "source",
    [
        r"^\d+[ -]?\d+[ -]?\d+[ -]?\d+$",
        r"^(a+)+$",
        r"(.*)(.*)(.*)(.*)(.*)y",
        r"^[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z]{2,24})+$",
        r"^.{10,100}$",
        r"^(?:" + "|".join(f"Street number {number}" for number in range(200)) + ")$",
        r"\b[\w.+-]+@[\w-]+\.\w{2,}\b",
        r"^.{1,500}$",
        r"^\w{40}$",
        r"^\d{100}$",
        r"^[\w\s.,'-]{2,50}$",
        r"^[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,255}\.[A-Za-z]{2,24}$",
        r"\d{100}",
        r"\w{40}",
        r"\b\w{40}\b",
    ],
)
def test_patterns_of_everyday_flows_load(source: str) -> None:
    AuthorPattern(source)


@pytest.mark.parametrize(
    ("text", "is_in"), [("abc1", True), ("abc", False), ("no1", False), ("1", False), ("x" * 7_000 + "1", True)]
)
def test_looks_ahead_behind_the_first_anchor_are_asked_each_on_its_own(text: str, is_in: bool) -> None:
    wanted = AuthorPattern(r"^(?=.*\d)(?!no)[a-z0-9]{3,}$")
    assert wanted.is_in(text) is is_in
    assert wanted.is_whole(text) is is_in


def test_looks_ahead_count_into_the_cost() -> None:
    with pytest.raises(SlowPatternError):
        AuthorPattern("^" + r"(?=.*\d)" * 200 + "x")


@pytest.mark.parametrize(
    ("source", "least"),
    [
        (r"^.{1,500}$", 0),
        (r"^\d{4}.{500}$", 0),
        (r"^[^@]{1,64}@[^@]{1,255}$", 0),
        (r",[^,]{500},", 0),
        (r"(?m)^[^\n]{500}", 0),
        (r"^(?:ab[c-z]){100}$", 0),
        (r"x.{200}", 200),
        (r"^a*.{200}", 200),
        (r"^(?:a|bc).{200}", 200),
        (r"^(?:a|ab){100}", 100),
    ],
)
def test_a_repetition_counts_once_where_it_can_begin_at_one_place_alone(source: str, least: int) -> None:
    tree = read_pattern(source).tree
    assert least <= search_cost(tree).total <= 100 * max(least, 1)


def test_a_pattern_costs_at_least_what_can_be_open_at_one_place() -> None:
    """Each drawn pattern is walked through a text with all its alternatives at once."""
    chance = random.Random(3)
    for _ in range(400):
        source = drawn_pattern(chance)
        tree = read_pattern(source).tree
        if compile_cost(tree) > 5_000:
            continue
        text = "".join(chance.choices("ab1 x-", k=30)) + chance.choice("ab1x") * 60
        assert most_open(tree, text) <= search_cost(tree).total, source


def most_open(tree: Node, text: str) -> int:
    """What the characters of the pattern cost that are open together at a place of the text, at most."""
    sets: list[Set] = []
    follows: list[set[int]] = []

    def place(node: Node, before: set[int]) -> set[int]:
        """Adds the characters of a node behind those before it (-1: the start), and returns the last ones."""
        match node:
            case Set():
                sets.append(node)
                follows.append(set(before))
                return {len(sets) - 1}
            case Seq(nodes):
                for inner in nodes:
                    before = place(inner, before)
                return before
            case Either(choices):
                return set().union(*(place(inner, before) for inner in choices))
            case Repeat(inner, least, most):
                ends = set(before) if least == 0 else set[int]()
                for number in range(1, (most or least + 1) + 1):
                    begun = len(sets)
                    before = place(inner, before)
                    ends |= before if number >= least else set()
                if most is None:  # what comes first in the last one comes behind it too
                    firsts = [one for one in range(begun, len(sets)) if follows[one] & ends or number == 1]
                    for one in firsts:
                        follows[one] |= before
                return ends
        return before

    place(tree, {-1})
    is_anchored = next(iter(tree.nodes), None) is Assertion.START if isinstance(tree, Seq) else False
    prices = [search_cost(one).total for one in sets]
    open_now, most = {-1}, 0
    for character in text:
        code = ord(character)
        open_now = {
            one
            for one, (each, behind) in enumerate(zip(sets, follows, strict=True))
            if behind & open_now and any(first <= code <= last for first, last in spans_of(each))
        } | (set() if is_anchored else {-1})
        most = max(most, sum(prices[one] for one in open_now - {-1}))
    return most


def test_no_table_is_made_while_a_text_is_searched() -> None:
    author = AuthorPattern(r"\b\w+\b")
    made = pattern_tree.property_spans.cache_info().misses
    assert author.is_in("été")
    assert pattern_tree.property_spans.cache_info().misses == made


def test_a_pattern_sees_a_whole_message() -> None:
    assert found(r"^(a+)+$", "a" * 7_000 + "x aa") == ["aa"]
    assert AuthorPattern(r"x$").is_in("a" * 7_999 + "x")
    assert not AuthorPattern(r"^(\d+)+$").is_in("1" * 7_999 + "x")


def test_the_searches_of_one_message_are_bounded() -> None:
    """Each search may read to the end of the text, so that their number is what is left to bound."""
    finder = pattern(r"x|x[a-z ]{0,30}!")
    most = 4 * MAX_COST // AuthorPattern(r"x|x[a-z ]{0,30}!").cost + 1
    found = finder.find("x " * (MAX_TEXT_CHARACTERS // 2))
    assert 0 < len(found) <= 2 * most
    assert [one.start for one in found] == [2 * number for number in range(len(found))]
