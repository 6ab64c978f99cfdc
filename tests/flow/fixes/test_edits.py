"""Edits change the text that they name and nothing else of a file."""

from __future__ import annotations

import json

import pytest

from dialoom.flow.fixes.edits import Edit, NotApplicable, Op, applied

TEXT = '\ufeff{\r\n\t"a/b" : [1,  {"x": "ä",\r\n\t\t"y" : null}],\r\n\t"~": {}\r\n}\r\n'


@pytest.mark.parametrize(
    ("op", "path", "value", "old", "new"),
    [
        ("replace", "/a~1b/1/x", "ö", '"ä"', '"ö"'),
        ("replace", "/a~1b/0", ["1"], "[1,", '[["1"],'),
        ("rename-key", "/~0", "c", '"~"', '"c"'),
        ("remove", "/a~1b/1/x", None, '"x": "ä",\r\n\t\t', ""),
        ("remove", "/a~1b/1/y", None, ',\r\n\t\t"y" : null', ""),
        ("add", "/~0/k", 2, "{}", '{"k": 2}'),
        ("add", "/a~1b/1/k", 2, '{"x"', '{"k": 2, "x"'),
        ("add", "/k", 2, '\r\n\t"a/b"', '\r\n\t"k": 2,\r\n\t"a/b"'),
    ],
)
def test_an_edit_changes_the_place_it_names_and_no_other_character(
    op: Op, path: str, value: object, old: str, new: str
) -> None:
    assert TEXT.count(old) == 1
    after = applied(TEXT, Edit(file="flow.json", path=path, op=op, value=value))
    assert after == TEXT.replace(old, new)
    json.loads(after.removeprefix("\ufeff"))


def test_removing_the_only_member_leaves_an_empty_object() -> None:
    assert applied('{ "a": 1 }', Edit(file="flow.json", path="/a", op="remove")) == "{  }"


@pytest.mark.parametrize(
    ("op", "path", "value"),
    [("replace", "/z", 1), ("rename-key", "/~0", "a/b"), ("remove", "/a~1b/0", None), ("add", "/~0/k/l", 1)],
)
def test_an_edit_whose_place_is_not_there_or_taken_is_refused(op: Op, path: str, value: object) -> None:
    with pytest.raises(NotApplicable):
        applied(TEXT, Edit(file="flow.json", path=path, op=op, value=value))
