"""What can be written, and what an author is told when it cannot be read."""

from __future__ import annotations

import pytest

from dialoom.errors import TemplateError
from dialoom.template import Scope, compile
from dialoom.template.nodes import Block, Output, Path
from dialoom.template.parser import MAX_SOURCE_CHARS, parse
from dialoom.template.sections import MAX_NESTING


def text(source: str, **memory: object) -> str:
    return compile(source).text(Scope(memory))


def error(source: str) -> TemplateError:
    with pytest.raises(TemplateError) as raised:
        compile(source)
    return raised.value


def test_a_path_keeps_its_parts_and_its_place() -> None:
    (output,) = parse("{{../list.[0].Name}}")
    assert isinstance(output, Output)
    assert output.call.head == Path("../list.0.Name", ("list", "0", "Name"), depth=1, is_scoped=True, offset=2)


def test_an_else_chain_is_a_block_in_the_inverse() -> None:
    (block,) = parse("{{#if a}}1{{else if b}}2{{else}}3{{/if}}")
    assert isinstance(block, Block)
    (inner,) = block.inverse
    assert isinstance(inner, Block)
    assert len(inner.inverse) == 1


def test_segments_in_brackets_may_hold_any_sign() -> None:
    assert text("{{a.[b c].[@d]}}", a={"b c": {"@d": "deep"}}) == "deep"
    assert text(r"{{[a\]b]}}", **{"a]b": "x"}) == "x"


def test_slashes_and_points_part_a_path_alike() -> None:
    assert text("{{a/b.c}}", a={"b": {"c": 1}}) == "1"


def test_a_name_may_hold_hyphens_colons_and_letters_of_any_script() -> None:
    assert text("{{first-name}} {{ns:x}} {{имя}}", **{"first-name": "A", "ns:x": "B", "имя": "C"}) == "A B C"


def test_literals_are_arguments() -> None:
    assert (
        text("{{$eq 1 1.0}} {{$eq 'a' \"a\"}} {{$eq -1.5 x}} {{$eq null undefined}}", x=-1.5) == "true true true true"
    )


def test_a_quote_inside_a_text_is_escaped_with_a_backslash() -> None:
    assert text(r"""{{$uppercase "say \"a\""}} {{$uppercase 'it\'s'}}""") == 'SAY "A" IT\'S'


def test_a_backslash_keeps_a_tag_as_text_and_two_keep_one_of_them() -> None:
    assert text(r"\{{name}} \\{{name}}", name="x") == r"{{name}} \x"


def test_a_comment_may_hold_braces_when_it_has_hyphens() -> None:
    assert text("a{{!-- {{b}} --}}c{{! d }}e") == "ace"


def test_a_raw_block_keeps_its_text_and_inner_raw_blocks() -> None:
    source = "{{{{raw}}}}{{x}} {{{{in}}}}{{y}}{{{{/in}}}}{{{{/raw}}}}"
    assert text(source, raw=True) == "{{x}} {{{{in}}}}{{y}}{{{{/in}}}}"


@pytest.mark.parametrize(
    ("source", "offset", "words"),
    [
        ("Hi {{name", 3, "not closed"),
        ("Hi {{name}", 3, "not closed"),
        ("a {{#if b}}c", 2, "Close it with {{/if}}"),
        ("a {{#if b}}c{{/with}}", 12, "Write {{/if}}"),
        ("a{{/if}}", 1, "outside of a block"),
        ("a{{else}}", 1, "outside of a block"),
        ("{{#if a}}{{else}}{{else}}{{/if}}", 17, "another {{else}}"),
        ("{{a}}}", 3, "Put a space"),
        ("{{$eq 'a}}", 6, "no closing '"),
        ("{{a.[b}}", 4, "no closing ]"),
        ("{{a/../b}}", 2, "stands at its beginning"),
        ("{{$eq a (b}}", 8, "not closed"),
        ("{{$date a b=1 c}}", 14, "Put it before"),
        ("{{! a", 0, "not closed"),
        ("{{{{a}}}} b", 0, "not closed"),
        ("{{}}", 2, "missing"),
        ("{{a,b}}", 3, "cannot stand here"),
        ("{{#each a as |}}{{/each}}", 14, "|name name|"),
        ("{{*deco}}", 0, "not known"),
        ("{{> a b c}}", 0, "one context"),
    ],
)
def test_a_mistake_is_told_where_it_is(source: str, offset: int, words: str) -> None:
    raised = error(source)
    assert words in str(raised)
    assert raised.offset == offset


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("{{$uperase a}}", "Did you mean $uppercase?"),
        ("{{eq a b}}", "Did you mean $eq?"),
        ("{{#foreach a}}{{/foreach}}", "Did you mean forEach?"),
        ("{{$unknown}}", "$unknown is no helper"),
        ("{{name (other)}}", "no helper"),
        ("{{#$if a}}{{/$if}}", "Did you mean if?"),
        ("{{if a}}", "Write {{#if ...}}"),
        ("{{#$eq a b}}{{/$eq}}", "is no block"),
        ("{{$eq a}}", "takes 2 arguments; here are 1"),
        ("{{$and a}}", "takes 2 or more arguments"),
        ("{{$date}}", "takes 1 to 3 arguments"),
        ("{{$number a digits=2}}", "It takes precision, decimal."),
        ("{{#if a b}}{{/if}}", "exactly one argument"),
        ("{{#each a n=1}}{{/each}}", "no argument named n"),
        ("{{> other}}", "could not be found"),
    ],
)
def test_a_wrong_call_is_a_mistake_at_load_time(source: str, words: str) -> None:
    assert words in str(error(source))


def test_a_field_named_like_a_helper_is_read_by_this() -> None:
    assert text("{{this.$id}} {{this.if}}", **{"$id": 7, "if": 8}) == "7 8"


def test_nesting_has_a_limit() -> None:
    deep = MAX_NESTING + 1
    assert "nested deeper" in str(error("{{#if a}}" * deep + "{{/if}}" * deep))
    assert "nested deeper" in str(error("{{$not " + "($not " * deep + "a" + ")" * deep + "}}"))
    assert "nested deeper" in str(error("{{#if a}}" + "{{else if b}}" * deep + "{{/if}}"))
    assert text("{{#if a}}" * MAX_NESTING + "x" + "{{/if}}" * MAX_NESTING, a=1) == "x"


def test_a_template_has_a_maximum_length() -> None:
    assert "at most" in str(error("x" * (MAX_SOURCE_CHARS + 1)))
