"""Each helper's rules beyond its example on the docs page."""

from __future__ import annotations

import pytest

from dialoom.errors import TemplateError
from dialoom.template import Scope, compile
from dialoom.template.helpers import HELPERS
from dialoom.template.values import CustomValue, DateText, DatetimeText, TimeText

ROME = CustomValue({"value": "Rome", "country": "Italy"}, bare="Rome")


def value(source: str, **memory: object) -> object:
    return compile(source).value(Scope(memory))


def text(source: str, language: str = "en", **memory: object) -> str:
    return compile(source).text(Scope(memory, locale=language))


def failure(source: str, **memory: object) -> str:
    with pytest.raises(TemplateError) as raised:
        compile(source).text(Scope(memory))
    return str(raised.value)


# ---- what holds for all ----------------------------------------------------------------------------------------------

QUIET = sorted(name for name, helper in HELPERS.items() if helper.is_quiet and not helper.is_lazy)


@pytest.mark.parametrize("name", QUIET)
@pytest.mark.parametrize("first", ["missing", "nothing"])
def test_a_missing_first_argument_prints_nothing(name: str, first: str) -> None:
    rest = " 'USD' 1"[: 6 if HELPERS[name].least == 2 else 8] if HELPERS[name].least > 1 else ""
    assert value(f"{{{{{name} {first}{rest}}}}}", nothing=None) is None


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("{{$lowercase x}}", "a list is no text"),
        ("{{$trim o}}", "an object is no text"),
        ("{{$replace s x ''}}", "a list is no text"),
        ("{{$join s}}", "the first argument is a text"),
        ("{{$first n}}", "the argument is a number"),
        ("{{$length b}}", "the argument is a boolean"),
        ("{{$add s 1}}", "a text that is no number"),
        ("{{$add b 1}}", "a boolean that is no number"),
        ("{{$multiply x 1}}", "a list that is no number"),
        ("{{$divide 1 0}}", "is 0"),
        ("{{$round n 1.5}}", "whole number"),
        ("{{$round n -1}}", "whole number"),
        ("{{$currency s 'USD'}}", "a text that is no number"),
        ("{{$number s}}", "a text that is no number"),
        ("{{$date s}}", "a text that is no date"),
        ("{{$date o}}", "an object that is no date"),
        ("{{$date d x 'L'}}", "a list that is no time"),
        ("{{$date d n}}", "no time"),
        ("{{$date t 'longDate'}}", "a time has no date"),
        ("{{$date t 'YYYY'}}", "a time has no date"),
        ("{{$gt x 1}}", "A list has no order"),
        ("{{$in 1 n}}", "the second argument is a number"),
    ],
)
def test_a_value_of_the_wrong_kind_is_a_failure_that_names_the_helper(source: str, words: str) -> None:
    message = failure(source, x=[1], o={"a": 1}, s="abc", n=1, b=True, d=DateText("2017-08-07"), t=TimeText("09:05"))
    assert message.startswith(source[2:].split(maxsplit=1)[0] + ": ")
    assert words in message
    assert "abc" not in message


def test_a_custom_value_stands_for_its_single_value() -> None:
    assert value("{{$eq x 'Rome'}}", x=ROME) is True
    assert value("{{$in x list}}", x=ROME, list=["Rome"]) is True
    assert value("{{$in 'Rome' list}}", list=[ROME]) is True
    assert value("{{$uppercase x}}", x=ROME) == "ROME"
    assert value("{{$length x}}", x=ROME) == 4
    assert value("{{lookup x 'country'}}", x=ROME) == "Italy"
    assert value("{{lookup m x}}", x=ROME, m={"Rome": 1}) == 1
    assert value("{{$default y x}}", x=ROME) is ROME


# ---- logic -----------------------------------------------------------------------------------------------------------


def test_and_and_or_stop_at_the_first_argument_that_decides() -> None:
    assert value("{{$and no ($divide 1 0)}}") is False
    assert value("{{$or yes ($divide 1 0)}}", yes=1) is True
    assert value("{{$and 1 'false'}}") is False


def test_default_gives_the_first_value_that_is_there() -> None:
    assert value("{{$default x 5}}", x=0) == 0
    assert value("{{$default x 5}}", x=False) is False
    assert value("{{$default x y 'z'}}", x=None) == "z"


def test_has_takes_a_name_as_text_too() -> None:
    assert value("{{$has 'a'}}", a=0) is True
    assert value("{{$has 'a.b'}}", a={"b": None}) is False
    assert value("{{$has x}}", x=CustomValue({"value": None}, bare=None)) is False


def test_in_finds_an_element_of_a_list_or_a_part_of_a_text() -> None:
    assert value("{{$in 2 list}}", list=["1", "2"]) is True
    assert value("{{$in date list}}", date=TimeText("09:30"), list=["9:30"]) is True
    assert value("{{$in 'a' missing}}") is False
    assert value("{{$in missing 'abc'}}") is False
    assert value("{{$in o list}}", o={"a": 1}, list=[{"a": "1"}]) is True


def test_comparisons_of_date_and_moment_use_the_zone() -> None:
    late = DatetimeText("2017-08-07T23:30:00Z")
    scope = Scope({"a": late, "b": DateText("2017-08-08")}, timezone="Europe/Berlin")
    assert compile("{{$gt a b}}").value(scope) is True
    assert compile("{{$gt a b}}").value(Scope(scope.memory)) is False


# ---- numbers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{{$add 0.1 0.2}}", 0.3),
        ("{{$add 1 '2' 3.5}}", 6.5),
        ("{{$subtract 5 7}}", -2),
        ("{{$multiply 1.1 1.1}}", 1.21),
        ("{{$multiply 2 3 4}}", 24),
        ("{{$divide 10 4}}", 2.5),
        ("{{$divide 9 3}}", 3),
        ("{{$add 9007199254740993 0}}", 9007199254740993),
        ("{{$round 2.5}}", 3),
        ("{{$round -2.5}}", -3),
        ("{{$round 1.005 2}}", 1.01),
        ("{{$round 7 2}}", 7),
        ("{{$add 1 missing}}", None),
    ],
)
def test_numbers_are_calculated_on_their_decimal_text(source: str, expected: object) -> None:
    result = value(source)
    assert result == expected
    assert type(result) is type(expected)


def test_results_past_all_numbers_are_errors() -> None:
    assert "too large" in failure("{{$multiply x x}}", x=1e300)
    assert "too large" in failure("{{$divide x y}}", x=1e300, y=1e-300)
    assert "too large" in failure("{{$add x 1}}", x=10**400)
    assert "no finite number" in failure("{{$add x 1}}", x=float("inf"))


@pytest.mark.parametrize(
    ("source", "language", "expected"),
    [
        ("{{$currency 1234.5 'USD'}}", "en", "$1,234.50"),
        ("{{$currency 1234.5 'usd'}}", "en", "$1,234.50"),
        ("{{$currency 1234.5 'Dollars'}}", "en", "1,234.50 Dollars"),
        ("{{$currency 1234.5 USD}}", "en", "1,234.50"),
        ("{{$currency 2.675 'EUR'}}", "en", "€2.68"),
        ("{{$currency 1.005 'USD'}}", "en", "$1.01"),
        ("{{$currency 1234.5 'JPY'}}", "en", "¥1,235"),
        ("{{$currency -3 'USD'}}", "en", "-$3.00"),
        ("{{$currency 1234.5 'EUR'}}", "de", "1.234,50\xa0€"),
        ("{{$number 1234.5}}", "en", "1,234.5"),
        ("{{$number 1234.5}}", "de-LI", "1’234.5"),
        ("{{$number 1234.5}}", "fr", "1\u202f234,5"),
        ("{{$number 0.12345}}", "en", "0.123"),
        ("{{$number '42'}}", "en", "42"),
        ("{{$number 2.5 precision=0}}", "en", "3"),
        ("{{$number 1234.5 precision=2 decimal=','}}", "en", "1.234,50"),
        ("{{$number 1234.5 precision=2 decimal='.'}}", "de", "1,234.50"),
        ("{{$number 1234.5 precision=2 decimal='.'}}", "en", "1,234.50"),
        ("{{$number 5 precision=0 decimal=','}}", "en", "5"),
        ("{{$number 1234.5}}", "xx-YY", "1,234.5"),
        ("{{$number 1234.5}}", "", "1,234.5"),
    ],
)
def test_amounts_and_numbers_follow_the_language(source: str, language: str, expected: str) -> None:
    assert text(source, language) == expected


# ---- texts and lists -------------------------------------------------------------------------------------------------


def test_text_helpers_change_a_text() -> None:
    assert text("{{$uppercase 'straße'}} {{$lowercase 'ÄB'}} {{$trim ' a b '}}") == "STRASSE äb a b"
    assert (
        text("{{$replace 'a.b.c' '.' '-'}} {{$replace 'abc' '' 'x'}} {{$replace 'abc' 'b' missing}}") == "a-b-c abc ac"
    )
    assert text("{{$uppercase n}} {{$trim yes}}", n=1.5, yes=True) == "1.5 true"


def test_first_last_and_length_of_lists() -> None:
    assert value("{{$first x}}", x=[]) is None
    assert value("{{$last x}}", x=[1, {"a": 2}]) == {"a": 2}
    assert value("{{$length x}}", x=[]) == 0
    assert text("{{$join x}}|{{$join x ''}}", x=[1, [2, 3], None, {"a": 1}]) == '1, 2, 3, , {"a":1}|12, 3{"a":1}'


def test_encode_uri_leaves_unreserved_characters_only() -> None:
    assert (
        text("{{$encodeURI x}}", x="a-b_c.d~e/f?g&h=i+j é'()*!")
        == "a-b_c.d~e%2Ff%3Fg%26h%3Di%2Bj%20%C3%A9%27%28%29%2A%21"
    )
    assert text("{{$encodeURI d}} {{$encodeURI n}} {{$encodeURI l}}", d=DateText("2017-08-07"), n=1.0, l=[1, 2]) == (
        "2017.08.07 1 1%2C%202"
    )
    assert "lone surrogate" in failure("{{$encodeURI x}}", x="\ud800")


@pytest.mark.parametrize("value", [1e25, 1e300, -1e28, 10**40])
def test_a_very_large_number_prints_and_never_raises(value: float) -> None:
    assert compile("{{$number x}}").text(Scope({"x": value}))
    assert compile("{{$currency x 'USD'}}").text(Scope({"x": value}))
