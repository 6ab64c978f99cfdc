"""Selectors: short ways, queries, inserted values and mistakes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from dialoom.errors import TemplateError
from dialoom.template import Scope, compile_selector
from dialoom.template.requests.jsonpath import library_query
from dialoom.template.requests.selector import compile_query, plain_parts, strict_form

DOCUMENT = {
    "a": {"b": [1, 2, {"c d": None}], "": 5},
    "é": True,
    "items": [{"n": "x", "p": 3}, {"n": "O'Neil\"]})", "p": 9}],
}


def apply(source: str, document: object = DOCUMENT, **memory: object) -> object:
    return compile_selector(source).apply(document, Scope(memory))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("$", DOCUMENT),
        ("$.a.b[0]", 1),
        ("$.a.b[-1]", {"c d": None}),
        ("$['a'][\"b\"][1]", 2),
        ("$.a['']", 5),
        ("$.é", True),
        ("$.a.b[2]['c d']", None),
        ("$.a.b[7]", None),
        ("$.a.b[-7]", None),
        ("$.a.b.length", None),
        ("$.a[0]", None),
        ("$.missing.b", None),
        ("$.items[*].n", ["x", "O'Neil\"]})"]),
        ("$.items[?@.p > 5].p", [9]),
        ("$..p", [3, 9]),
        ("$.a.b[0:2]", [1, 2]),
        ("$.items[0,1].p", [3, 9]),
        ("$.items[?@.p > 50]", []),
        ("$[ 'a' ]['b'][0]", 1),
        ("$.items[?match(@.n, '[a-z]')].p", [3]),
        ("$.items[?search(@.n, 'Nei')].p", [9]),
        ("$.items[?length(@.n) == 1].p", [3]),
    ],
)
def test_one_node_is_a_value_and_more_are_a_list(source: str, expected: object) -> None:
    assert apply(source) == expected


@pytest.mark.parametrize("document", [None, 5, "[1]", "text", True])
def test_a_document_that_is_no_container_has_no_parts(document: object) -> None:
    assert apply("$", document) == document
    assert apply("$.a", document) is None
    assert apply("$..a", document) == []
    assert apply("$['a\\u0062']", document) is None


NAMES = some.text(some.sampled_from("ab'\"\\[]é\n"), max_size=3)


@given(NAMES, some.integers(-3, 3))
@settings(deadline=None)
def test_plain_paths_give_what_the_library_gives(name: str, index: int) -> None:
    document = {name: [{name: 1}, 2], "a": 3}
    for query in (f"$['{name}']", f'$["{name}"][{index}]', f"$.{name}", f"$['{name}'][{index}]['{name}']"):
        if plain_parts(query) is not None:
            assert compile_query(query)(document) == library_query(query)(document)


@pytest.mark.parametrize("name", ["O'Neil\"]})", "a\\", "\\'] || true", "a\nb\t", "'", '"', "x' || '1'=='1"])
def test_an_inserted_value_stays_inside_its_literal(name: str) -> None:
    document = [{"n": name, "secret": 1}, {"n": "other", "secret": 2}]
    for quote in "'\"":
        for braces in ("{{x}}", "{{{x}}}"):
            assert apply(f"$[?@.n == {quote}{braces}{quote}].secret", document, x=name) == [1]
            assert apply(f"$[{quote}{braces}{quote}]", {name: 7}, x=name) == 7


@given(some.text(max_size=12))
@settings(deadline=None)
def test_no_text_reaches_out_of_its_literal(value: str) -> None:
    document = [{"n": "other"}]
    try:
        found = apply("$[?@.n == '{{x}}']", document, x=value)
    except TemplateError:
        return
    assert found == ([] if value != "other" else document)


@pytest.mark.parametrize("code", [*range(0x20), 0x7F, 0x85, 0x2028])
def test_an_inserted_value_may_hold_any_control_character(code: int) -> None:
    name = f"a{chr(code)}b"
    document = [{"n": name, "secret": 1}, {"n": "other", "secret": 2}]
    for quote in "'\"":
        assert apply(f"$[?@.n == {quote}{{{{x}}}}{quote}].secret", document, x=name) == [1]


@pytest.mark.parametrize("literal", [r"'\"'", r'"\'"', r"'\q'", r"'\u12'", r"'\ud800'", "'\x0b'", r"'\udc00\ud800'"])
def test_a_literal_with_an_escape_that_means_nothing_is_a_mistake(literal: str) -> None:
    with pytest.raises(TemplateError, match="no JSONPath query"):
        compile_selector(f"$[?@.n == {literal}]")


def test_the_texts_that_a_selector_may_search_are_bounded_together() -> None:
    """However many texts there are, and whatever the expression is."""
    document = [{"n": "x" * 100_000} for _ in range(40)]
    assert apply("$[?search(@.n, 'xy')]", document[:5]) == []
    with pytest.raises(TemplateError, match="cost too much on these texts"):
        apply("$[?search(@.n, '[a-x]{20}y')]", document)


def test_an_expression_in_each_element_is_paid_for() -> None:
    document = [{"n": "x", "p": f"{number}"} for number in range(5_000)]
    with pytest.raises(TemplateError, match="cost too much"):
        apply("$[?search(@.n, @.p)]", document)


def test_the_query_may_be_a_template_as_a_whole() -> None:
    assert apply("$.{{x}}[{{n}}]", {"list": [1, 2]}, x="list", n=1) == 2
    assert compile_selector("$.{{x}}").names == {"x"}


@pytest.mark.parametrize(
    "source", ["$.", "$[", "$.a b", "a b", "$[?@.a =~ 1]", "", "$[01]", "$.items[?foo(@)]", "$.a{{"]
)
def test_what_is_no_query_is_a_mistake_at_load_time(source: str) -> None:
    with pytest.raises(TemplateError):
        compile_selector(source)


@pytest.mark.parametrize(
    ("source", "strict"),
    [
        ("Result", "$.Result"),
        ("Result[0].name", "$.Result[0].name"),
        ("[*]", "$[*]"),
        (".Result", "$.Result"),
        ("$.[*]", "$[*]"),
        (" $.Result", "$.Result"),
        ("$[?(@.a === 'x===y')]", "$[?(@.a == 'x===y')]"),
        ("$[?(@.a !== 1)]", "$[?(@.a != 1)]"),
        ("$[?(@.a <> 1)]", "$[?(@.a != 1)]"),
        ("$[?(@.a = 1 and @.b <= 2 or @.c == 'x and = y')]", "$[?(@.a == 1 && @.b <= 2 || @.c == 'x and = y')]"),
        ("$.Result[(@.length-1)]", "$.Result[-1]"),
        ("$.Result[(@.length - 2)].name", "$.Result[-2].name"),
    ],
)
def test_a_query_with_one_plain_meaning_is_read_in_it(source: str, strict: str) -> None:
    assert strict_form(source) == strict
    assert strict_form(strict) == strict
    compile_selector(source)


def test_the_last_element_by_its_length_is_found() -> None:
    assert apply("$.Result[(@.length-1)]", {"Result": [1, 2, 3]}) == 3


def test_a_selector_that_is_only_a_value_of_memory_is_a_mistake_at_load_time() -> None:
    with pytest.raises(TemplateError, match=r"Write \$\.Result"):
        compile_selector("{{Result}}")


def test_a_document_too_deep_is_an_error_and_no_crash() -> None:
    deep: object = "x"
    for _ in range(3000):
        deep = [deep]
    with pytest.raises(TemplateError, match="cannot be applied"):
        apply("$..a", deep)
    assert apply("$[0][0]" + "[0]" * 50, deep) is not None


def test_a_query_that_visits_the_square_of_a_document_is_stopped_and_says_what_to_do() -> None:
    document = [{"n": number} for number in range(3000)]
    with pytest.raises(TemplateError, match=r"visits more than 100000 nodes .* Make it narrower"):
        compile_selector("$..[?count($..*) > 1]").apply(document, Scope({}))


@pytest.mark.parametrize(
    "query",
    [
        "$[?@.a == 1]",
        "$[?@ == 2]",
        "$..[?@.a == 1]",
        "$[?" + " || ".join(["@ == 2"] * 300) + "]",
        "$[?@[?@[?@]]]",
        "$[0:400000:1]",
    ],
)
def test_elements_that_a_filter_only_looks_at_are_counted(query: str) -> None:
    with pytest.raises(TemplateError, match="visits more than"):
        compile_selector(query).apply([1] * 400_000, Scope({}))
    assert isinstance(compile_selector(query).apply([1] * 400, Scope({})), list)


def test_descendants_in_filters_are_counted_in_deep_documents() -> None:
    deep: dict[str, object] = {"a": 1}
    for _ in range(80):
        deep = {"a": 1, "c": deep, "d": [1] * 300}
    with pytest.raises(TemplateError, match="visits more than"):
        apply("$..[?@..a]", deep)
    assert apply("$..a", deep) == [1] * 81


def test_a_list_of_twenty_thousand_is_filtered() -> None:
    document = [{"a": number % 2, "n": "x"} for number in range(20_000)]
    assert apply("$[?@.a == 1].n", document) == ["x"] * 10_000
