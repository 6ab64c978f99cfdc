"""The tables of states: the code takes every transition from them, and the pictures in the docs are made from them."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any, get_args

import pytest

from dialoom.service.chat import active_chats, login_values, transcript
from dialoom.service.state_table import StateTable

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "why" / "states.md").read_text("utf-8")
TREES = [ast.parse(file.read_text("utf-8")) for file in sorted((ROOT / "src" / "dialoom" / "service").rglob("*.py"))]
TABLES = [
    pytest.param(active_chats.LEASES, active_chats.LeaseState, active_chats.LeaseEvent, id="leases"),
    pytest.param(transcript.RECORDS, transcript.Status, transcript.RecordEvent, id="records"),
    pytest.param(login_values.LOGINS, login_values.LoginState, login_values.LoginEvent, id="logins"),
]


def test_an_event_that_a_state_does_not_allow_raises() -> None:
    table = StateTable("open", {"open": {"close": "closed"}})
    assert table.after("open", "close") == "closed"
    assert not table.allows("closed", "close")
    with pytest.raises(KeyError):
        table.after("closed", "close")


def test_an_event_ends_where_every_state_that_allows_it_becomes_final() -> None:
    table = StateTable("a", {"a": {"go": "b", "stop": "c"}, "b": {"stop": "c", "go": "c"}})
    assert table.ends("stop")
    assert not table.ends("go")


@pytest.mark.parametrize(("table", "states", "events"), TABLES)
def test_every_state_is_reached_and_every_event_has_a_place(
    table: StateTable[Any, Any], states: Any, events: Any
) -> None:
    reached = {table.first} | {state for row in table.rows.values() for state in row.values()}
    assert reached == set(get_args(states))
    assert {event for row in table.rows.values() for event in row} == set(get_args(events))


@pytest.mark.parametrize(("table", "states", "events"), TABLES)
def test_the_picture_in_the_docs_is_the_one_of_the_table(table: StateTable[Any, Any], states: Any, events: Any) -> None:
    assert f"```mermaid\n{table.picture()}\n```" in PAGE
    for event in get_args(events):
        assert f"`{event}`" in PAGE


@pytest.mark.parametrize(("attribute", "walker"), [("lease", "LEASES.after("), ("status", "RECORDS.after(")])
def test_a_state_is_only_set_to_what_its_table_says(attribute: str, walker: str) -> None:
    """The one other assignment of a lease is the first one, in ``__init__``."""
    values = [ast.unparse(node.value) for tree in TREES for node in ast.walk(tree) if _sets(node, attribute)]
    assert values
    assert all(value.startswith(walker) or value == attribute for value in values), values


def test_a_link_is_only_taken_by_what_its_table_says() -> None:
    """``is_taken`` is the stored half of a link's state."""
    calls = [node for tree in TREES for node in ast.walk(tree) if isinstance(node, ast.Call)]
    values = {ast.unparse(one.value) for call in calls for one in call.keywords if one.arg == "is_taken"}
    assert values == {"is_taken"}


def _sets(node: ast.AST, attribute: str) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else ()
    return any(isinstance(target, ast.Attribute) and target.attr == attribute for target in targets)
