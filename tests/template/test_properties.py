"""Whatever is written and whatever is remembered: a result or a TemplateError, nothing else."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import msgspec
from hypothesis import example, given, settings
from hypothesis import strategies as some

from dialoom.errors import TemplateError
from dialoom.template import Scope, compile, compile_endpoint, compile_header, compile_payload, compile_selector
from dialoom.template.helpers import HELPERS
from dialoom.template.values import CustomValue, DateText, DatetimeText, DisplayedValue, TimeText

PIECES = [
    "{{", "}}", "{{{", "}}}", "{{{{", "}}}}", "{{#", "{{/", "{{^", "{{else}}", "{{else if ", "{{!", "{{!--", "--}}", "{{>", "{{#>", "{{#*inline ",
    "{{~", "~}}", "a", "b.c", "../", "@index", "@root.a", "this", ".", "[", "]", "(", ")", "'", '"', "\\", "=", "|", "as |x|", " ", "\n", "if ", "each ",
    "with ", "forEach ", "1", "-2.5", "true", "null", "$eq ", "$date ", "x", "/if", "/each", "{{a}}", "{{#if a}}", "{{/if}}", "{{#each b}}", "{{/each}}",
]  # fmt: skip

SOURCES = some.lists(some.sampled_from(PIECES), max_size=14).map("".join) | some.text(max_size=20)

TEXTS = some.text(max_size=6) | some.sampled_from(
    [
        "2015-06-15",
        "0001-01-01",
        "9999-12-31",
        "9:30",
        "24:00",
        "2015-06-15T10:00:00Z",
        "0001-01-01T00:00:00+14:00",
        "1e400",
        "-0",
        "USD",
        "false",
        "\ud800",
    ]
)

VALUES = some.recursive(
    some.none()
    | some.booleans()
    | some.integers()
    | some.floats()
    | TEXTS
    | TEXTS.map(DateText)
    | TEXTS.map(TimeText)
    | TEXTS.map(DatetimeText),
    lambda inner: (
        some.lists(inner, max_size=3)
        | some.dictionaries(some.sampled_from(["a", "b", "c", "length", "", "value"]), inner, max_size=3)
        | some.builds(lambda value: CustomValue({"value": value, "c": 1}, bare=value, display="d"), inner)
        | some.builds(lambda value: DisplayedValue(value, "shown"), inner)
    ),
    max_leaves=5,
)

MEMORY = some.dictionaries(some.sampled_from(["a", "b", "c", "d"]), VALUES)

CALLS = some.builds(
    lambda helper, arguments: " ".join([helper, *arguments]),
    some.sampled_from(sorted(HELPERS)),
    some.lists(
        some.sampled_from(["a", "b", "c.b", "d.length", "($add a 1)", "($first b)", "'L'", "2", "missing"]),
        min_size=1,
        max_size=3,
    ),
)

RUNNABLE = (
    some.builds(lambda call: f"{{{{{call}}}}}", CALLS)
    | some.builds(lambda call: f"x {{{{{call}}}}} {{{{a}}}}", CALLS)
    | some.builds(lambda name, inner: f"{{{{#{name} a}}}}{inner}{{{{@index}}}}{{{{else}}}}{{{{b}}}}{{{{/{name}}}}}", some.sampled_from(["if", "unless", "each", "with", "forEach", "a"]), CALLS.map(lambda call: f"{{{{{call}}}}}{{{{../b}}}}"))
    | some.sampled_from(["{{a}}", "{{a.b.c}}", "{{#a}}{{b}}{{/a}}", "{{#each a}}{{@key}}{{this}}{{/each}}", "{{$json a}}", "{{a}}{{b}}"])
)  # fmt: skip


@given(SOURCES)
@example("this.{{'")
@settings(max_examples=300, deadline=None)
def test_any_text_compiles_or_is_a_template_error(source: str) -> None:
    for function in (compile, compile_endpoint, compile_selector, compile_header, compile_payload):
        assert 0 <= offset_of(function, source) <= len(source)


def offset_of(function: Callable[[str], object], source: str) -> int:
    try:
        function(source)
    except TemplateError as error:
        return error.offset
    return 0


@given(SOURCES, MEMORY)
@settings(deadline=None)
def test_any_text_that_compiles_runs_on_any_memory(source: str, memory: dict[str, object]) -> None:
    with contextlib.suppress(TemplateError):
        compile(source).text(Scope(memory))


@given(
    RUNNABLE,
    MEMORY,
    VALUES,
    some.sampled_from(["en", "de", "ar", "zh", "", "x-y"]),
    some.sampled_from(["UTC", "Asia/Tokyo", "", "../etc"]),
)
@settings(max_examples=400, deadline=None)
def test_rendering_any_memory_gives_a_result_or_a_template_error(
    source: str, memory: dict[str, object], this: object, locale: str, timezone: str
) -> None:
    try:
        template = compile(source)
    except TemplateError:
        return  # a wrong number of arguments
    for scope in (Scope(memory, locale=locale, timezone=timezone), Scope(memory, this, locale, timezone)):
        with contextlib.suppress(TemplateError):
            assert isinstance(template.text(scope), str)
        with contextlib.suppress(TemplateError):
            template.value(scope)
        with contextlib.suppress(TemplateError):
            assert isinstance(template.truth(scope), bool)


@given(RUNNABLE, MEMORY)
@settings(deadline=None)
def test_a_payload_is_json(source: str, memory: dict[str, object]) -> None:
    try:
        leaf = compile_payload([source]).render(Scope(memory))
    except TemplateError:
        return
    assert_json(leaf)


def assert_json(value: object) -> None:
    assert type(value) in {type(None), bool, int, float, str, list, dict}
    if isinstance(value, list):
        for element in value:
            assert_json(element)
    elif isinstance(value, dict):
        for element in value.values():
            assert_json(element)


@given(RUNNABLE, MEMORY)
@settings(deadline=None)
def test_rendering_leaves_the_memory_as_it_was(source: str, memory: dict[str, object]) -> None:
    before = repr(memory)
    with contextlib.suppress(TemplateError):
        compile(source).text(Scope(memory))
    assert repr(memory) == before


def test_templates_are_rendered_the_same_each_time() -> None:
    template = compile("{{#each l}}{{@index}}{{this}}{{/each}}{{$date d}}")
    scope = Scope({"l": [1, 2], "d": "2015-06-15"})
    assert template.text(scope) == template.text(scope) == "0112Jun 15, 2015"
    assert msgspec.json.encode(template.value(scope)) == b'"0112Jun 15, 2015"'
