"""What handlebars.js 4.7.10 makes of templates at the edges of its grammar; each answer was taken from running it.

``python -m bench.generated_templates`` compares thousands of others, made at random.
"""

from __future__ import annotations

import pytest

from dialoom.errors import TemplateError
from tests.template.specification import render

CONTEXT = {
    "name": "Ann",
    "text": "abc",
    "empty": "",
    "zero": 0,
    "no": False,
    "yes": True,
    "nothing": None,
    "list": ["p", "q"],
    "person": {"name": "Bo"},
}

BRACES = [
    ("{{name~}}} x", "Ann} x"),
    ("{{name~}} } x", "Ann} x"),
    ("{{#if yes~}}}{{/if}}", "}"),
    ("a {{{name}~}} b", "a Annb"),
    ("a {{~{name}}} b", "aAnn b"),
    ("a {{~{name}~}} b", "aAnnb"),
    ("a {{~&name~}} b", "aAnnb"),
]
VALUES = [
    ("{{lookup no 'x'}}", "false"),
    ("{{lookup zero 'x'}}|{{lookup empty 'x'}}|", "0||"),
    ("{{#if (lookup zero 'x') includeZero=true}}0{{/if}}", "0"),
    ("{{lookup yes 'x'}}|", "|"),
    ("{{lookup nothing 'x'}}|", "|"),
    ("{{lookup text 1}}", "b"),
    ("{{lookup list 1}}", "q"),
    ("{{#with 'abc'}}{{0}}{{/with}}", "a"),
    ("{{text.[0]}}{{text.[2]}}|{{text.[3]}}", "ac|"),
    ("{{#with text}}{{length}}{{[1]}}{{/with}}", "3b"),
    ("{{#with zero}}zero is {{this}}{{/with}}", "zero is 0"),
]
SECTIONS = [
    ("{{#if no}}a{{else if yes}}b {{else if no}} c {{~/if}}|", "b|"),
    ("{{#if no}}a{{else if no}}b {{else if yes}} c {{~/if}}|", " c|"),
    ("{{#if no}}a{{else if no}}b {{else if no}} c {{else if yes}} d {{~/if}}|", " d |"),
    ("{{#if no}}a{{else if no}}b {{else if no}} c {{else}} d {{~/if}}|", " d |"),
    ("{{^no}}\na\n{{^}}\nb\n{{/no}}\nc", "a\nc"),
    ("{{^yes}}\na\n{{^}}\nb\n{{/yes}}\nc", "b\nc"),
    ("{{^no}} a {{else~}} b {{/no}}|", "a |"),
    ("{{^yes}} a {{else~}} b {{/yes}}|", " b |"),
    ("{{^no~}} a {{^~}} b {{~/no}}|", "a|"),
    ("{{^yes~}} a {{~^}} b {{~/yes}}|", "b|"),
    ("  {{^no}}\n  a\n  {{else}}\n  b\n  {{/no}}\n|", "  a\n|"),
    ("{{#if no}} a {{~else if yes~}} b {{~/if}} c", "b c"),
    ("{{#if no}}a{{else if no}}b {{~else if yes~}} c {{/if}} d", "c d"),
    ("{{#if yes}}\na\n{{else if no}}\nb\n{{else}}\nc\n{{/if}}\nd", "a\nd"),
    ("{{#if no}}\na\n{{else if yes}}\nb\n{{else}}\nc\n{{/if}}\nd", "b\nd"),
    ("{{#if no}}\na\n{{else if no}}\nb\n{{else}}\nc\n{{/if}}\nd", "c\nd"),
]
RAW = [
    ("{{name~}}  {{{{yes}}}} {{x}} {{{{/yes}}}}  {{~name}}", "Ann {{x}} Ann"),
    ("{{{{yes}}}}\n{{x}}\n{{{{/yes}}}}\nb", "{{x}}\nb"),
    ("a\n{{{{yes}}}}\n b {{{{in}}}} {{{{/in}}}}\n{{{{/yes}}}}\nb", "a\n b {{{{in}}}} {{{{/in}}}}\nb"),
    ("{{name}} \n{{{{yes}}}} {{{{/yes}}}} ", "Ann \n  "),
    ("{{!--}}a", "a"),
    ("{{!--~}} a", "a"),
    ("{{! a ~}}  b", "b"),
    ("a {{~! b }} c", "a c"),
    ("\\{{name}}\n{{! c }}\nb", "{{name}}\nb"),
    ("\\\\{{name}}", "\\Ann"),
    ("\\{{name}} \\{{name}} {{name}}", "{{name}} {{name}} Ann"),
]
OTHER = [
    ("{{#with @root}}{{../name}}|{{/with}}", "|"),
    ("{{#@root}}{{../name}}|{{name}}{{/@root}}", "|Ann"),
    ("{{#with person}}{{#with ../person}}{{../name}}{{/with}}{{/with}}", "Ann"),
    ("{{#if yes}}a{{else.}}b{{/if}}", "a"),
    ("{{#list}}\n{{this}}\n{{/list}}\n", "p\nq\n"),
    ("{{name}}\x85{{~name}}|\ufeff{{~name}}", "Ann\x85Ann|Ann"),
    ('{{#*inline "p"}}{{../name}}|{{name}}{{/inline}}{{#with person}}{{> p}}{{/with}}', "|Bo"),
    ('{{#with person}}{{#*inline "p"}}{{../name}}{{/inline}}{{> p}}{{/with}}', "Ann"),
    ('{{#*inline "p"}}{{this}}|{{/inline}}{{> p missing}}', "|"),
    ('{{""}}', "[object Object]"),
    ("{{12}}", ""),
    ("{{#if yes}}a{{^}}}b{{/if}}", "a"),
    ("{{#unless yes}}a{{else}}\n  b\n{{/unless}}\n  c", "\n  b\n  c"),
    ("a{{#if yes}} \n b \n {{/if}} \n c", "a \n b \n c"),
    ("{{#if yes}}\r\n a\r\n{{else}}\r\n b\r\n{{/if}}\r\nc", " a\r\nc"),
]
ERRORS = [
    "{{{name}}}}",
    "{{name}}}",
    "{{name}}}}",
    "{{{name~}}}",
    "{{{name}}",
    "{{{{name}}} x",
    "{{elsewhere}}{{else}}",
    "{{#@root}}x{{/root}}",
    "{{#if yes}}{{/if}}}",
]


@pytest.mark.parametrize(("source", "expected"), BRACES)
def test_a_brace_beside_a_closing_tag_is_text_and_a_triple_stash_may_strip(source: str, expected: str) -> None:
    assert render(source, CONTEXT) == expected


@pytest.mark.parametrize(("source", "expected"), VALUES)
def test_lookup_gives_false_zero_and_an_empty_text_itself_and_a_text_has_an_index(source: str, expected: str) -> None:
    assert render(source, CONTEXT) == expected


@pytest.mark.parametrize(("source", "expected"), SECTIONS)
def test_inverse_sections_and_chains_strip_white_space_as_handlebars_js_does(source: str, expected: str) -> None:
    assert render(source, CONTEXT) == expected


@pytest.mark.parametrize(("source", "expected"), RAW)
def test_raw_blocks_comments_and_escapes_beside_white_space(source: str, expected: str) -> None:
    assert render(source, CONTEXT) == expected


@pytest.mark.parametrize(("source", "expected"), OTHER)
def test_names_inline_partials_and_line_ends(source: str, expected: str) -> None:
    assert render(source, CONTEXT) == expected


@pytest.mark.parametrize("source", ERRORS)
def test_what_is_an_error_to_handlebars_js_is_one_here(source: str) -> None:
    with pytest.raises(TemplateError):
        render(source, CONTEXT)
