"""Texts, values and truths of a compiled template, and what it says about itself."""

from __future__ import annotations

import pytest

from dialoom.errors import TemplateError
from dialoom.template import Scope, compile
from dialoom.template.values import CustomValue, DateText, DisplayedValue

ROME = CustomValue({"value": "Rome", "country": "Italy"}, bare="Rome", display="Rome!")


def value(source: str, **memory: object) -> object:
    return compile(source).value(Scope(memory))


@pytest.mark.parametrize("kept", [5, 1.5, True, None, [1], {"a": 1}, "text", ""])
def test_one_expression_keeps_the_type_of_its_value(kept: object) -> None:
    assert value("{{x}}", x=kept) == kept
    assert type(value("{{{x}}}", x=kept)) is type(kept)


def test_anything_around_an_expression_makes_it_a_text() -> None:
    assert value("{{x}} ", x=5) == "5 "
    assert value("{{x}}{{x}}", x=5) == "55"


def test_a_comment_beside_an_expression_is_nothing() -> None:
    assert value("{{! the number }}{{x}}", x=5) == 5


def test_a_missing_value_is_null() -> None:
    assert value("{{x}}") is None
    assert value("{{$first x}}") is None


def test_a_value_keeps_its_metadata_and_kind() -> None:
    assert value("{{x}}", x=ROME) is ROME
    assert type(value("{{x}}", x=DateText("2017-08-07"))) is DateText
    assert value("{{x}}", x=DisplayedValue(3, "three")) == 3


def test_json_of_a_value_is_the_value_itself() -> None:
    assert value("{{$json x}}", x=ROME) == {"value": "Rome", "country": "Italy"}
    assert value("{{$json x}} ", x=ROME) == '{"value":"Rome","country":"Italy"} '


def test_entity_display_is_for_texts_only() -> None:
    template = compile("In {{x}}")
    assert template.text(Scope({"x": ROME})) == "In Rome!"
    assert template.value(Scope({"x": ROME})) == "In Rome"
    assert compile("{{$uppercase x}}").text(Scope({"x": ROME})) == "ROME"


@pytest.mark.parametrize(
    ("source", "memory", "expected"),
    [
        ("{{x}}", {"x": "false"}, False),
        ("{{x}}", {"x": ROME}, True),
        ("\n {{x}} \n", {"x": False}, False),
        ("{{#if x}}true{{/if}}", {"x": 1}, True),
        ("{{#if x}}true{{/if}}", {}, False),
        ("true", {}, True),
        ("false", {}, False),
        ("", {}, False),
        ("{{$json x}}", {"x": []}, False),
    ],
)
def test_the_truth_of_a_condition(source: str, memory: dict[str, object], expected: bool) -> None:
    assert compile(source).truth(Scope(memory)) is expected


def test_a_text_without_expressions_is_constant() -> None:
    template = compile(r"plain {{! comment }}\{{x}}")
    assert template.is_constant
    assert template.text(Scope({})) == template.value(Scope({})) == "plain {{x}}"
    assert not compile("{{x}}").is_constant


def test_escaping_is_for_double_braces() -> None:
    template = compile("{{x}} {{{x}}} {{&x}}", escape=lambda text: text.replace("<", "&lt;"))
    assert template.text(Scope({"x": "<"})) == "&lt; < <"


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("plain", ""),
        ("{{a}} {{b.c}} {{this.d}} {{./e}}", "a b d e"),
        ("{{$eq a (lookup b c)}}", "a b c"),
        ("{{#if a}}{{b}}{{else if c}}{{d}}{{/if}}", "a b c d"),
        ("{{#each a}}{{b}}{{../c}}{{@root.d}}{{@index}}{{/each}}", "a c d"),
        ("{{#each a as |x|}}{{x.y}}{{../x}}{{this.x}}{{/each}}", "a x"),
        ("{{#with a}}{{b}}{{else}}{{c}}{{/with}}", "a c"),
        ("{{#with @root}}{{b}}{{/with}}", "b"),
        ("{{#forEach a}}{{item.x}}{{b}}{{/forEach}}", "a b"),
        ("{{#a}}{{b}}{{/a}}", "a b"),
        ("{{$has 'a'}} {{lookup this 'b'}} {{lookup @root 'c'}}", "a b c"),
        ("{{'a b'}} {{[c d].e}}", "a b|c d"),
        ('{{#*inline "p"}}{{a}}{{/inline}}{{> p b c=d}}', "a b d"),
        ("{{$number a precision=b}}", "a b"),
    ],
)
def test_a_template_names_the_entries_that_it_may_read(source: str, names: str) -> None:
    expected = names.split("|") if "|" in names else names.split()
    assert compile(source).names == frozenset(expected)


def test_names_read_through_root_are_known_apart() -> None:
    template = compile("{{title}} {{@root.city}}")
    assert template.names == {"title", "city"}
    assert template.root_names == {"city"}


@pytest.mark.parametrize(
    "path",
    ["__class__", "name.__class__", "list.append", "list.__len__", "o.keys", "o.constructor", "o.get", "name.upper"],
)
def test_attributes_of_python_are_never_read(path: str) -> None:
    memory = {"name": "x", "list": [1], "o": {"a": 1}}
    assert compile(f"[{{{{{path}}}}}]").text(Scope(memory)) == "[]"
    assert compile("{{o.constructor}}{{o.__class__}}").text(Scope({"o": {"constructor": 1, "__class__": 2}})) == "12"


@pytest.mark.parametrize("index", ["[-1]", "[01]", "[1]", "[9999999999999999999999]", "[²]", "[x]"])
def test_only_plain_indexes_of_a_list_are_read(index: str) -> None:
    assert compile(f"{{{{list.{index}}}}}").text(Scope({"list": ["a"]})) == ""


def test_an_error_while_running_says_where_and_which_helper() -> None:
    with pytest.raises(TemplateError, match=r"^\$uppercase: a list is no text") as raised:
        compile("ab {{$uppercase x}}").text(Scope({"x": [1]}))
    assert raised.value.offset == 5
