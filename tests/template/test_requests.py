"""Payloads and headers."""

from __future__ import annotations

import pytest

from dialoom.errors import TemplateError
from dialoom.template import Scope, compile_header, compile_payload
from dialoom.template.values import CustomValue, DateText, DisplayedValue

ROME = CustomValue({"value": "Rome", "country": "Italy", "since": DateText("2017-08-07")}, bare="Rome", display="Rome!")
SCOPE = Scope(
    {
        "n": 5,
        "city": ROME,
        "list": [ROME, 2],
        "evil": "O'Neil\"]})",
        "shown": DisplayedValue(3, "three"),
        "lines": "a\r\nB: c",
    }
)


def render(value: object) -> object:
    return compile_payload(value).render(SCOPE)


def test_every_text_leaf_is_a_template_and_the_rest_stays() -> None:
    assert render({"a": ["{{n}}", {"b": "{{n}}!"}], "c": 1, "d": None, "{{n}}": True}) == {
        "a": [5, {"b": "5!"}],
        "c": 1,
        "d": None,
        "{{n}}": True,
    }


def test_a_leaf_gets_what_a_value_stands_for() -> None:
    assert render(["{{city}}", "{{list}}", "{{shown}}", "In {{city}}"]) == ["Rome", ["Rome", 2], 3, "In Rome"]


def test_json_in_a_leaf_inserts_the_whole() -> None:
    whole = {"value": "Rome", "country": "Italy", "since": "2017.08.07"}
    assert render("{{$json city}}") == whole
    assert render("{{$json list}}") == [whole, 2]
    assert type(render("{{$json city}}")) is dict


def test_text_of_a_user_stays_one_text() -> None:
    assert render({"name": "{{evil}}"}) == {"name": "O'Neil\"]})"}
    assert render("{{$json evil}}") == "O'Neil\"]})"


def test_a_payload_names_what_it_reads() -> None:
    assert compile_payload({"a": "{{x}}", "b": ["{{y.z}}"]}).names == {"x", "y"}
    assert compile_payload({"a": 1}).is_constant


def test_a_payload_nested_without_end_is_an_error() -> None:
    deep: object = "x"
    for _ in range(3000):
        deep = [deep]
    with pytest.raises(TemplateError, match="nested deeper"):
        compile_payload(deep)


def test_a_header_is_a_text_without_display() -> None:
    assert compile_header("Bearer {{n}} {{city}}").text(SCOPE) == "Bearer 5 Rome"


@pytest.mark.parametrize("source", ["x: {{lines}}", "{{{lines}}}", "a\nb", "{{$json 1}}\x00"])
def test_a_header_never_begins_another_line(source: str) -> None:
    with pytest.raises(TemplateError, match="line break"):
        compile_header(source).text(SCOPE)
