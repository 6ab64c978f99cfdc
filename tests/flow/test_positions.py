from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.flow.positions import MAX_DEPTH, MAX_PROBLEMS, scan

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5), inner, max_size=4
        )
    ),
    max_leaves=20,
)


def problems(text: str) -> list[tuple[int, int, str]]:
    document = scan(text)
    return [(*document.line_and_column(problem.offset), problem.message) for problem in document.problems]


@given(json_values, st.sampled_from([None, 1, 4]), st.booleans())
@settings(max_examples=150)
def test_reads_the_values_that_the_standard_reader_reads(value: object, indent: int | None, ascii_only: bool) -> None:
    document = scan(json.dumps(value, indent=indent, ensure_ascii=ascii_only))
    assert document.value == value
    assert document.problems == ()


@given(st.text(max_size=60) | st.text('{}[]",:0123456789.eE+-truefalsn\\u \n', max_size=60))
@settings(max_examples=300)
def test_agrees_with_the_standard_reader_on_what_is_json(text: str) -> None:
    document = scan(text)
    try:
        expected = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        assert document.is_broken
    else:
        if not document.problems:
            assert document.value == expected


def test_tells_line_and_column_of_a_value_and_of_its_key() -> None:
    document = scan('{\n  "a": [1,\n        {"b": "x"}]\n}')
    assert document.line_and_column(document.offset(("a", 1, "b"))) == (3, 15)
    assert document.line_and_column(document.offset(("a", 1, "b"), key=True)) == (3, 10)
    assert document.line_and_column(document.offset(("a", 0))) == (2, 9)


def test_a_place_that_is_not_there_is_shown_at_the_nearest_value_around_it() -> None:
    document = scan('{"a": {"b": 1}}')
    assert document.offset(("a", "c", 4)) == document.offset(("a",)) == 6


def test_counts_characters_inside_a_text_past_its_escapes() -> None:
    document = scan('{"a": "x\\n\\u00e4\\ud83d\\ude00{{"}')
    assert document.value["a"] == "x\nä😀{{"
    assert document.text[document.inside(("a",), 4) :].startswith("{{")
    assert document.text[document.inside(("a",), 99)] == '"'


def test_a_byte_order_mark_does_not_move_the_columns() -> None:
    document = scan('\ufeff{"a": 1}')
    assert document.value == {"a": 1}
    assert document.line_and_column(document.offset(("a",))) == (1, 7)


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("", 1, 1, "empty"),
        ("{\n", 2, 1, "ends before the { of line 1"),
        ('{"a": [1, 2', 1, 12, "ends before the [ of line 1"),
        ('{"a": 1,\n}', 2, 1, "A comma stands before this }"),
        ("[1,]", 1, 4, "A comma stands before this ]"),
        ('{"a": 1\n "b": 2}', 2, 2, "A comma or } is missing"),
        ('{"a": [1}', 1, 9, "a ] is missing"),
        ('{"a" 1}', 1, 6, "colon"),
        ("{a: 1}", 1, 2, "key in double quotes"),
        ("{'a': 1}", 1, 2, "key in double quotes"),
        ("['a']", 1, 2, "double quotes"),
        ("[hello]", 1, 2, "word must stand in double quotes"),
        ("[NaN]", 1, 2, "no NaN"),
        ("[-Infinity]", 1, 2, "no Infinity"),
        ("[True]", 1, 2, "Write true"),
        ("[None]", 1, 2, "Write null"),
        ("[undefined]", 1, 2, "Write null"),
        ("// hello\n{}", 1, 1, "no comments"),
        ('{"a": 1 /* one */}', 1, 9, "no comments"),
        ('{"a": 1, // one\n}', 1, 10, "no comments"),
        ('{"a": "x\ny"}', 1, 9, "line ends inside a text"),
        ('{"a": "x\ty"}', 1, 9, "control character"),
        ('{"a": "xy', 1, 7, "no closing quote"),
        ('["\\q"]', 1, 3, "backslash"),
        ("{}}", 1, 3, "closes nothing"),
        ("{} {}", 1, 4, "ends before this"),
        ("[01]", 1, 3, "missing before this"),
        ("[@]", 1, 2, "starts no value"),
    ],
)
def test_broken_json_is_told_where_it_breaks_and_how_to_mend_it(text: str, line: int, column: int, words: str) -> None:
    document = scan(text)
    assert document.is_broken
    (found,) = problems(text)
    assert found[:2] == (line, column)
    assert words in found[2]


def test_every_doubled_key_is_found() -> None:
    found = problems('{"a": 1, "b": {"c": 1,\n "c": 2}, "a": 3}')
    assert [place[:2] for place in found] == [(2, 2), (2, 11)]
    assert '"c" stands here twice, first in line 1' in found[0][2]


def test_texts_that_cannot_be_stored_are_refused_and_reading_goes_on() -> None:
    document = scan('["\\u0000", "\\ud800", "\\ud83d\\ude00", {"\\udc00": 1}]')
    assert [problem.rule for problem in document.problems] == ["unfit-text"] * 3
    assert not document.is_broken
    json.dumps(document.value, ensure_ascii=False).encode()


def test_numbers_that_no_float_holds_are_refused() -> None:
    assert [problem.rule for problem in scan(f"[1e999, {'9' * 400}, 12345678901234567890]").problems] == [
        "unfit-number"
    ] * 2


def test_deep_nesting_is_refused_instead_of_ending_in_a_crash() -> None:
    assert not scan("[" * MAX_DEPTH + "]" * MAX_DEPTH).problems
    assert "nested" in problems("[" * 100_000)[0][2]
    assert "nested" in problems('{"a":' * 100_000)[0][2]


@given(
    st.text(st.sampled_from("abcXYZ0189+/=-_"), min_size=12, max_size=60), st.sampled_from(["", "{", '["', '{"key" '])
)
@settings(max_examples=150)
def test_what_is_said_of_a_text_that_is_no_json_holds_no_piece_of_it(secret: str, before: str) -> None:
    for _, _, message in problems(before + secret):
        assert not any(secret[at : at + 6] in message for at in range(len(secret) - 5))


def test_a_text_with_a_thousand_mistakes_is_not_read_to_its_end() -> None:
    document = scan("{" + ",".join('"a":1' for _ in range(2000)) + "}")
    assert document.is_broken
    assert len(document.problems) == MAX_PROBLEMS + 1
