"""The matching rule of conversation tests (flow-language.md section 9)."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.authoring.compare import accepted, difference, matches


@pytest.mark.parametrize(
    ("expected", "came", "fits"),
    [
        ({"text": "a"}, {"text": "a", "quickReplies": ["x"]}, True),
        ({"text": "a"}, {"text": "b"}, False),
        ({"text": ["a", "b"]}, {"text": "b"}, True),
        ({"text": ["a", "b"]}, {"text": "c"}, False),
        ({"textStartsWith": "Hel"}, {"text": "Hello"}, True),
        ({"textIncludes": "ell"}, {"text": "Hello"}, True),
        ({"textIncludes": "x"}, {}, False),
        ({"quickReplies": ["a"]}, {"quickReplies": ["a", "b"]}, False),
        ({"v2template": {"type": "carousel"}}, {"v2template": {"type": "carousel", "items": []}}, True),
        ({"v2template": {"items": [{"title": "x"}]}}, {"v2template": {"items": [{"title": "x", "value": 1}]}}, True),
        ({"a": 1}, {"a": True}, False),
        ({}, {"text": "anything"}, True),
    ],
)
def test_a_message_matches_when_every_key_that_it_gives_matches(expected: Any, came: Any, fits: bool) -> None:
    assert matches(expected, came) is fits


def test_any_of_the_alternatives_will_do_and_each_is_a_whole_list() -> None:
    came = [{"text": "a"}, {"text": "b"}]
    assert accepted((({"text": "x"},), ({"text": "a"}, {"text": "b"})), came)
    assert not accepted((({"text": "a"},),), came)
    assert accepted(((),), [])


def test_the_difference_shows_both_sides_against_the_nearest_alternative() -> None:
    lines = difference((({"text": "x"},), ({"text": "a"}, {"text": "c"})), [{"text": "a"}, {"text": "b"}])
    assert lines == ['  {"text": "a"}', '- {"text": "c"}', '+ {"text": "b"}']
