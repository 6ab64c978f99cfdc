"""Blocks: what they run, in which context, and what their names reach."""

from __future__ import annotations

import pytest

from dialoom.errors import TemplateError
from dialoom.template import Scope, compile
from dialoom.template.values import CustomValue


def text(source: str, **memory: object) -> str:
    return compile(source).text(Scope(memory))


@pytest.mark.parametrize("value", [None, False, 0, 0.0, float("nan"), "", []])
def test_if_is_false_for_nothing_zero_and_what_is_empty(value: object) -> None:
    assert text("{{#if x}}yes{{else}}no{{/if}}{{#unless x}}!{{/unless}}", x=value) == "no!"


@pytest.mark.parametrize("value", [True, 1, "0", "false", [0], {}])
def test_if_is_true_for_every_other_value(value: object) -> None:
    assert text("{{#if x}}yes{{else}}no{{/if}}", x=value) == "yes"


def test_if_looks_at_the_single_value_of_a_custom_type() -> None:
    assert text("{{#if x}}yes{{else}}no{{/if}}", x=CustomValue({"value": ""}, bare="")) == "no"


def test_loops_know_where_they_are() -> None:
    source = "{{#each l}}{{@index}}{{#if @first}}f{{/if}}{{#if @last}}l{{/if}}{{@key}} {{/each}}"
    assert text(source, l=["a", "b", "c"]) == "0f0 11 2l2 "
    assert text(source, l={"x": 1}) == "0flx "


def test_an_inner_loop_reads_the_outer_loops_context() -> None:
    source = "{{#each a}}{{#each b}}{{@../index}}{{@index}}{{../n}}{{../../m}} {{/each}}{{@index}};{{/each}}"
    assert text(source, a=[{"b": [1, 2], "n": "N"}], m="M") == "00NM 01NM 0;"


def test_levels_do_not_depend_on_equal_values() -> None:
    assert text("{{#each a}}{{#each ../a}}{{../../m}}{{/each}}{{/each}}", a=[1, 1], m="M") == "MMMM"


def test_block_parameters_hide_names_in_their_block_only() -> None:
    source = "{{#each l as |x i|}}{{x}}{{i}}{{#with ../o as |x|}}{{x.v}}{{i}}{{/with}}{{this.x}} {{/each}}{{x}}"
    assert text(source, l=["a"], o={"v": "V"}, x="out") == "a0V0 out"


def test_more_block_parameters_than_values_print_nothing() -> None:
    assert text("{{#each l as |a b c d|}}[{{a}}{{b}}{{c}}{{d}}]{{/each}}", l=["x"]) == "[x0]"
    assert text("{{#with o as |a b|}}[{{a}}{{b}}]{{/with}}", o="x") == "[x]"


def test_with_keeps_the_level_when_it_is_about_the_context_itself() -> None:
    assert text("{{#with o}}{{#with this}}{{../n}}{{/with}}{{/with}}", o={"a": 1}, n="N") == "N"


def test_with_runs_its_else_for_nothing() -> None:
    assert text("{{#with x}}a{{else}}b{{/with}}") == "b"


def test_for_each_leaves_the_context_and_names_the_element_item() -> None:
    source = "{{#forEach l}}{{item.n}}{{name}}{{#with o}}{{item.n}}{{../name}}{{/with}}{{#if @last}}.{{/if}} {{/forEach}}{{item}}"
    assert text(source, l=[{"n": 1}, {"n": 2}], name="A", o={"x": 1}) == "1A1A 2A2A. "


def test_for_each_takes_block_parameters_too() -> None:
    assert text("{{#forEach l as |x i|}}{{i}}{{x}}{{item}}{{/forEach}}", l=["a"]) == "0aa"


def test_for_each_in_for_each_names_the_inner_element() -> None:
    assert text("{{#forEach a}}{{#forEach item}}{{item}}{{/forEach}};{{/forEach}}", a=[[1, 2], [3]]) == "12;3;"


def test_for_each_over_nothing_runs_its_else() -> None:
    assert text("{{#forEach x}}a{{else}}b{{/forEach}}{{#forEach y}}a{{else}}b{{/forEach}}", x=None) == "bb"


def test_for_each_over_a_text_is_a_failure_that_says_where() -> None:
    with pytest.raises(TemplateError, match="#forEach: the argument is a text") as raised:
        text("ab{{#forEach x}}{{/forEach}}", x="abc")
    assert raised.value.offset == 2


def test_each_over_a_custom_value_sees_its_metadata() -> None:
    assert (
        text("{{#each car}}{{@key}}={{this}};{{/each}}", car=CustomValue({"value": "a", "price": 3}, bare="a"))
        == "value=a;price=3;"
    )


def test_a_plain_section_follows_the_kind_of_its_value() -> None:
    source = "{{#x}}[{{this.n}}]{{else}}-{{/x}}"
    assert text(source, x=[{"n": 1}, {"n": 2}]) == "[1][2]"
    assert text(source, x={"n": 3}) == "[3]"
    assert text(source, x=True, n=4) == "[4]"
    assert text(source, x=False) == "-"
    assert text(source, x=[]) == "-"
    assert text("{{^x}}none{{/x}}") == "none"


def test_inline_partials_see_the_context_that_they_are_given() -> None:
    source = '{{#*inline "p"}}{{a}}{{b}}{{/inline}}{{> p}} {{> p o}} {{> p b="!"}}'
    assert text(source, a=1, b=2, o={"a": 3}) == "12 3 1!"


def test_a_partial_block_is_put_in_where_the_partial_wants_it() -> None:
    source = '{{#*inline "box"}}[{{> @partial-block}}]{{/inline}}{{#> box}}{{name}}{{/box}}'
    assert text(source, name="x") == "[x]"


def test_a_partial_block_is_the_partial_when_there_is_no_other() -> None:
    assert text("{{#> missing}}instead{{/missing}}") == "instead"


def test_a_partial_that_calls_itself_ends() -> None:
    source = '{{#*inline "p"}}{{> p}}{{/inline}}{{> p}}'
    with pytest.raises(TemplateError, match="deeper than"):
        text(source)


def test_an_option_template_sees_the_element_and_the_memory_by_root() -> None:
    template = compile("{{title}} {{this.title}} {{@root.name}}")
    assert template.text(Scope({"name": "Ann", "title": "no"}, {"title": "T"})) == "T T Ann"
    assert compile("{{this}}!").text(Scope({}, "text")) == "text!"
