"""White space around tags."""

from __future__ import annotations

import pytest

from dialoom.template import Scope, compile


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a\n{{#if yes}}\nb\n{{/if}}\nc", "a\nb\nc"),
        ("  {{#if yes}}  \r\nb\r\n  {{/if}}\r\nc", "b\r\nc"),
        ("{{#if no}}\na\n{{else}}\nb\n{{/if}}\n", "b\n"),
        ("a {{#if yes}}\nb{{/if}}", "a \nb"),
        ("a\n{{! alone }}\nb", "a\nb"),
        ("a {{~name~}} b", "axb"),
        ("a\n\n {{~#if yes~}} \n b {{~/if~}} \n c", "abc"),
        ("a\n{{name}}\nb", "a\nx\nb"),
        ("{{#each list}}\n- {{this}}\n{{/each}}\nend", "- 1\n- 2\nend"),
        ("{{#if yes}}{{#if yes}}\na\n{{/if}}{{/if}}", "\na\n"),
    ],
)
def test_a_tag_alone_on_its_line_takes_the_line_with_it(source: str, expected: str) -> None:
    assert compile(source).text(Scope({"yes": True, "name": "x", "list": [1, 2]})) == expected


def test_a_partial_alone_on_its_line_hands_its_indent_on() -> None:
    source = '{{#*inline "p"}}a\nb\n{{/inline}}list:\n  {{> p}}\nend'
    assert compile(source).text(Scope({})) == "list:\n  a\n  b\nend"
